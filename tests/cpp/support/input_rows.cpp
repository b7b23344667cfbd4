#include "support/input_rows.hpp"

#include <algorithm>
#include <numeric>

#include "support/compare.hpp"

namespace posenc::testing {

std::vector<double> widened(const std::vector<float>& values) { return {values.begin(), values.end()}; }

std::vector<int64_t> rounded(const std::vector<double>& values) {
  std::vector<int64_t> whole;
  for (double value : values) whole.push_back(std::llround(value));
  return whole;
}

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

std::map<std::string, std::vector<float>> gradients_of(const InputEncoding& encoding, const Positions& positions,
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

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void check_gradient(const std::vector<double>& gradient, std::vector<double> at,
                    const std::function<double(const std::vector<double>&)>& loss, const std::string& what) {
  constexpr double kStep = 1e-5;
  REQUIRE(gradient.size() == at.size());
  std::vector<double> differences;
  for (double& value : at) {
    const double kept = value;
    value = kept + kStep;
    const double above = loss(at);
    value = kept - kStep;
    differences.push_back((above - loss(at)) / (2 * kStep));
    value = kept;
  }
  check_close(gradient, differences, 1e-7, what);
}

}  // namespace posenc::testing
