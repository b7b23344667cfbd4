// Table look-up and the gradient of the table, in double.
#pragma once

#include <cstdint>
#include <vector>

namespace posenc::reference {

// Rows of table [.., width] by index.
std::vector<double> lookup(const std::vector<double>& table, int64_t width,
                           const std::vector<int64_t>& rows);
// The gradient of a table of `count` rows; rows may repeat, and one (or -1) is held at zero.
std::vector<double> lookup_backward(int64_t count, int64_t width, const std::vector<int64_t>& rows,
                                    const std::vector<double>& d_out, int64_t held = -1);

}  // namespace posenc::reference
