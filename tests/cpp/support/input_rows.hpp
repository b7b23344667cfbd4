// Input encodings as callers hold them: rows, gradients by name and values of their tensors.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/adapted.hpp"
#include "support/numbers.hpp"

namespace posenc::testing {

NumberList list_of(const std::vector<double>& values);

Positions given(const std::vector<double>& positions, int axes = 1);
std::vector<float> rows_of(const InputEncoding& encoding, const Positions& positions);
std::map<std::string, std::vector<float>> gradients_of(const InputEncoding& encoding,
                                                       const Positions& positions,
                                                       const std::vector<float>& d_out);
// Values of a tensor, and a failed test where they do not fit.
std::vector<double> values_of(const Encoding& encoding, const std::string& name);
void set_values(Encoding& encoding, const std::string& name, const std::vector<float>& values);

}  // namespace posenc::testing
