// Rows and gradients of an input encoding against its plain loops, and those loops against finite differences.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "posenc/core/encoding.hpp"
#include "support/compare.hpp"

namespace posenc::testing {

using Values = std::vector<std::vector<double>>;  // of each tensor, in the order of the ParameterSet

struct InputReference {
  // Rows of the positions that the encoding is called with, from the values of its tensors.
  std::function<std::vector<double>(const Values&)> rows;
  // Gradients of the tensors from that of the rows; left out where nothing is trained.
  std::function<Values(const Values&, const std::vector<double>& d_rows)> gradients;
};

[[maybe_unused]] static Values values_of(const ParameterSet& parameters) {
  Values values;
  for (int i = 0; i < parameters.count(); i++) {
    const auto span = parameters[i].values.span();
    values.emplace_back(span.begin(), span.end());
  }
  return values;
}

[[maybe_unused]] static std::vector<float> rows_of(const InputEncoding& encoding, const Positions& positions) {
  std::vector<float> out(static_cast<std::size_t>(positions.count * encoding.width()), NAN);
  encoding.encode(positions, out.data());
  return out;
}

// Gradients of all tensors, zeros at first.
[[maybe_unused]] static std::vector<std::vector<float>> gradients_of(const InputEncoding& encoding, const Positions& positions,
                                                    const std::vector<float>& d_rows) {
  std::vector<std::vector<float>> out;
  Gradients gradients;
  for (int i = 0; i < encoding.parameters().count(); i++) {
    out.emplace_back(static_cast<std::size_t>(encoding.parameters()[i].values.size()));
  }
  for (std::size_t i = 0; i < out.size(); i++) {
    if (encoding.parameters()[static_cast<int>(i)].trained) gradients.of[i] = out[i].data();
  }
  encoding.backward(positions, d_rows.data(), gradients);
  return out;
}

// Central differences of sum(rows · d_rows) against the plain gradients.
[[maybe_unused]] static void check_differences(const InputReference& reference, Values values, const Values& gradients,
                              const std::vector<double>& d_rows, std::size_t tensor, const std::string& what) {
  constexpr double kStep = 1e-5;
  const auto loss = [&] {
    const auto rows = reference.rows(values);
    double sum = 0;
    for (std::size_t i = 0; i < rows.size(); i++) sum += rows[i] * d_rows[i];
    return sum;
  };
  std::vector<double> differences;
  for (double& value : values[tensor]) {
    const double at = value;
    value = at + kStep;
    const double above = loss();
    value = at - kStep;
    differences.push_back((above - loss()) / (2 * kStep));
    value = at;
  }
  check_close(gradients[tensor], differences, 1e-6, what + ", finite differences");
}

// The largest error of rows and of gradients.
[[maybe_unused]] static void check_input(const InputEncoding& encoding, const Positions& positions, const InputReference& reference,
                        double bound, const std::string& what, bool differences = false) {
  const auto values = values_of(encoding.parameters());
  check_close(rows_of(encoding, positions), reference.rows(values), bound, what + ", rows");
  if (!reference.gradients) return;
  const auto d_rows = random_floats(static_cast<std::size_t>(positions.count * encoding.width()), 99);
  const std::vector<double> wide(d_rows.begin(), d_rows.end());
  const auto got = gradients_of(encoding, positions, d_rows);
  const auto want = reference.gradients(values, wide);
  for (std::size_t i = 0; i < got.size(); i++) {
    const auto& tensor = encoding.parameters()[static_cast<int>(i)];
    if (!tensor.trained) continue;
    check_close(got[i], want[i], bound, what + ", gradient of " + tensor.info->name);
    if (differences) check_differences(reference, values, want, wide, i, what + " " + tensor.info->name);
  }
}

}  // namespace posenc::testing
