#include "support/input_rows.hpp"

#include <algorithm>

#include "support/compare.hpp"

namespace posenc::testing {

NumberList list_of(const std::vector<double>& values) {
  NumberList list = std::move(*NumberList::make(static_cast<int64_t>(values.size()), "list"));
  std::copy(values.begin(), values.end(), list.data());
  return list;
}

Positions given(const std::vector<double>& positions, int axes) {
  return Positions::array(positions.data(), static_cast<int64_t>(positions.size()) / axes, axes);
}

std::vector<float> rows_of(const InputEncoding& encoding, const Positions& positions) {
  std::vector<float> out(static_cast<std::size_t>(positions.count * encoding.width()), NAN);
  REQUIRE(encoding.check(positions, "positions").has_value());
  encoding.encode(positions, out.data());
  return out;
}

std::map<std::string, std::vector<float>> gradients_of(const InputEncoding& encoding,
                                                       const Positions& positions,
                                                       const std::vector<float>& d_out) {
  std::map<std::string, std::vector<float>> named;
  Gradients gradients;
  const ParameterSet& parameters = encoding.parameters();
  for (int i = 0; i < parameters.count(); i++) {
    if (!parameters[i].trained) continue;
    auto& values = named[parameters[i].info->name];
    values.resize(static_cast<std::size_t>(parameters[i].values.size()));
    gradients.of[static_cast<std::size_t>(i)] = values.data();
  }
  encoding.backward(positions, d_out.data(), gradients);
  return named;
}

std::vector<double> values_of(const Encoding& encoding, const std::string& name) {
  const int index = encoding.parameters().find(name);
  REQUIRE(index >= 0);
  const auto values = encoding.parameters()[index].values.span();
  return {values.begin(), values.end()};
}

void set_values(Encoding& encoding, const std::string& name, const std::vector<float>& values) {
  REQUIRE(encoding.parameters().set(name, values).has_value());
}

}  // namespace posenc::testing
