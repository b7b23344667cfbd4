// Lists of doubles, as the references take them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace posenc::testing {

// start, start + 1, …
std::vector<double> counted(double start, int64_t count);
std::vector<double> widened(const std::vector<float>& values);
std::vector<int64_t> rounded(const std::vector<double>& values);
// Sum of a · b.
double product(const std::vector<double>& a, const std::vector<double>& b);

// Checks a reference's gradient of x against central differences of its loss, which reads x.
void check_differences(std::vector<double>& x, const std::vector<double>& gradient,
                       const std::function<double()>& loss, const std::string& what,
                       double step = 1e-5, double bound = 1e-7);
// The same for a loss that is given its x.
void check_gradient(const std::vector<double>& gradient, std::vector<double> at,
                    const std::function<double(const std::vector<double>&)>& loss,
                    const std::string& what);

}  // namespace posenc::testing
