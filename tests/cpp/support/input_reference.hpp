// Rows and gradients of an input encoding against its plain loops, and those loops against finite
// differences.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/compare.hpp"
#include "support/input_rows.hpp"

namespace posenc::testing {

using Values =
    std::vector<std::vector<double>>;  // of each tensor, in the order of the ParameterSet

struct InputReference {
  // Rows of the positions that the encoding is called with, from the values of its tensors.
  std::function<std::vector<double>(const Values&)> rows;
  // Gradients of the tensors from that of the rows; left out where nothing is trained.
  std::function<Values(const Values&, const std::vector<double>& d_rows)> gradients;
};

// The largest error of rows and of gradients; with `differences`, of the plain gradients against
// finite differences too.
void check_input(const InputEncoding& encoding, const Positions& positions,
                 const InputReference& reference, double bound, const std::string& what,
                 bool differences = false);

}  // namespace posenc::testing
