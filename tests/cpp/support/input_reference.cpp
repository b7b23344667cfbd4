#include "support/input_reference.hpp"

namespace posenc::testing {

void check_input(const InputEncoding& encoding, const Positions& positions,
                 const InputReference& reference, double bound, const std::string& what,
                 bool differences) {
  const ParameterSet& parameters = encoding.parameters();
  Values values;
  for (int i = 0; i < parameters.count(); i++)
    values.push_back(values_of(encoding, parameters[i].info->name));
  check_close(rows_of(encoding, positions), reference.rows(values), bound, what + ", rows");
  if (!reference.gradients) return;
  const auto d_rows =
      random_floats(static_cast<std::size_t>(positions.count * encoding.width()), 99);
  const auto wide = widened(d_rows);
  const auto want = reference.gradients(values, wide);
  const auto got = gradients_of(encoding, positions, d_rows);
  const auto loss = [&] { return product(reference.rows(values), wide); };
  for (std::size_t i = 0; i < values.size(); i++) {
    const TensorInfo& info = *parameters[static_cast<int>(i)].info;
    if (!got.contains(info.name)) continue;  // not trained
    check_close(got.at(info.name), want[i], bound, what + ", gradient of " + info.name);
    if (differences)
      check_differences(values[i], want[i], loss, what + " " + info.name, 1e-5, 1e-6);
  }
}

}  // namespace posenc::testing
