// Input encodings as callers hold them: rows, gradients by name, and gradients held against finite differences.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "posenc/core/adapters.hpp"

namespace posenc::testing {

template <Input T>
InputAdapter<T> adapted(typename T::Options options, uint64_t seed = 0) {
  return InputAdapter<T>(std::move(*make<T>(std::move(options), seed)));
}

std::vector<double> widened(const std::vector<float>& values);
std::vector<int64_t> rounded(const std::vector<double>& values);
NumberList list_of(const std::vector<double>& values);

Positions given(const std::vector<double>& positions, int axes = 1);
std::vector<float> rows_of(const InputEncoding& encoding, const Positions& positions);
std::map<std::string, std::vector<float>> gradients_of(const InputEncoding& encoding, const Positions& positions,
                                                       const std::vector<float>& d_out);
// Values of a tensor, and a failed test where they do not fit.
std::vector<double> values_of(const Encoding& encoding, const std::string& name);
void set_values(Encoding& encoding, const std::string& name, const std::vector<float>& values);

// Sum of a · b.
double product(const std::vector<double>& a, const std::vector<double>& b);
// Checks a gradient in double against central differences of `loss`.
void check_gradient(const std::vector<double>& gradient, std::vector<double> at,
                    const std::function<double(const std::vector<double>&)>& loss, const std::string& what);

}  // namespace posenc::testing
