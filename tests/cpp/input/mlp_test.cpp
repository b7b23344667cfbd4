#include "posenc/input/mlp.hpp"

#include <string>

#include "posenc/core/adapters.hpp"
#include "reference/network.hpp"
#include "support/input_reference.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using testing::Values;

InputAdapter<Mlp> adapted(const MlpOptions& options, uint64_t seed = 5) {
  return InputAdapter<Mlp>(std::move(*make<Mlp>(MlpOptions(options), seed)));
}

// The network of the values, which come as weight, bias, weight, bias, ...
reference::Network network_of(const MlpOptions& options, const Values& values) {
  reference::Network net;
  for (std::size_t i = 0; i < values.size(); i++)
    (i % 2 == 0 ? net.weights : net.biases).push_back(values[i]);
  net.activation = kernels::kActivationNames[static_cast<std::size_t>(options.activation)];
  return net;
}

testing::InputReference reference_of(const MlpOptions& options, const std::vector<double>& points) {
  const auto axes = static_cast<std::size_t>(options.axes);
  const auto for_tokens = [=](auto body) {
    for (std::size_t first = 0; first < points.size(); first += axes) {
      std::vector<double> x;
      for (std::size_t a = 0; a < axes; a++) x.push_back(options.input_scale * points[first + a]);
      body(x, first / axes);
    }
  };
  testing::InputReference result;
  result.rows = [=](const Values& values) {
    std::vector<double> table;
    for_tokens([&](const std::vector<double>& x, std::size_t) {
      const auto row = reference::network(network_of(options, values), x);
      table.insert(table.end(), row.begin(), row.end());
    });
    return table;
  };
  result.gradients = [=](const Values& values, const std::vector<double>& d_rows) {
    reference::Network sums;
    for_tokens([&](const std::vector<double>& x, std::size_t token) {
      const auto first = d_rows.begin() + static_cast<std::ptrdiff_t>(token) * options.dim;
      reference::network_backward(network_of(options, values), x, {first, first + options.dim},
                                  sums);
    });
    Values gradients;
    for (std::size_t l = 0; l < sums.weights.size(); l++) {
      gradients.push_back(sums.weights[l]);
      gradients.push_back(sums.biases[l]);
    }
    return gradients;
  };
  return result;
}

TEST_CASE(
    "mlp: rows and gradients against the plain loops at every depth, activation and awkward "
    "sizes") {
  const auto numbers = testing::random_floats(3 * 19, 3, -100, 100);
  const std::vector<double> points(numbers.begin(), numbers.end());
  for (int64_t layers = 1; layers <= 3; layers++) {
    for (int kind = 0; kind < 4; kind++) {
      for (const auto& [dim, hidden] : testing::awkward_pairs({{1, 5}})) {
        for (int64_t axes : {1, 3}) {
          const MlpOptions options = {.dim = dim,
                                      .axes = axes,
                                      .hidden = hidden,
                                      .layers = layers,
                                      .activation = static_cast<kernels::Activation>(kind)};
          const auto count = static_cast<int64_t>(points.size()) / axes;
          testing::check_input(
              adapted(options), Positions::array(points.data(), count, static_cast<int>(axes)),
              reference_of(options, points), 5e-6, "mlp", hidden == 5 && kind != 0);
        }
      }
    }
  }
}

TEST_CASE("mlp: contiguous and given positions and any cut give the same bits") {
  const auto encoding = adapted({.dim = 11, .hidden = 13, .layers = 2});
  std::vector<double> positions;
  for (int i = 0; i < 37; i++) positions.push_back(i - 4);
  const auto range = Positions::range(-4, 37);
  const auto whole = testing::rows_of(encoding, range);
  CHECK(testing::rows_of(encoding, Positions::array(positions.data(), 37)) == whole);
  std::vector<float> pieces;
  for (int64_t first = 0; first < 37; first += 5) {
    const auto piece =
        testing::rows_of(encoding, range.slice(first, std::min<int64_t>(5, 37 - first)));
    pieces.insert(pieces.end(), piece.begin(), piece.end());
  }
  CHECK(pieces == whole);
  CHECK(testing::rows_of(encoding, Positions::range(0, 0)).empty());
}

TEST_CASE("mlp: frozen networks have no gradient; seeds decide") {
  CHECK_FALSE(adapted({.dim = 4, .trainable = false}).trained());
  const auto range = Positions::range(0, 3);
  CHECK(testing::rows_of(adapted({.dim = 4}, 1), range) ==
        testing::rows_of(adapted({.dim = 4}, 1), range));
  CHECK(testing::rows_of(adapted({.dim = 4}, 1), range) !=
        testing::rows_of(adapted({.dim = 4}, 2), range));
}

TEST_CASE("mlp: refused options") {
  testing::check_error(make<Mlp>({.dim = 0}).error(), ErrorCode::kOutOfRange, "dim");
  testing::check_error(make<Mlp>({.dim = 4, .layers = 4}).error(), ErrorCode::kOutOfRange,
                       "layers");
  testing::check_error(make<Mlp>({.dim = 4, .hidden = 0}).error(), ErrorCode::kOutOfRange,
                       "hidden");
  testing::check_error(make<Mlp>({.dim = 4, .input_scale = NAN}).error(), ErrorCode::kOutOfRange,
                       "inputScale");
}

}  // namespace
}  // namespace posenc
