// Of no position there is nothing to write and nothing to read: addresses may be null, and none is
// formed of them (the sanitizers say so where one is). Classes are called by themselves, as C++
// programs call them, without the adapters that attention holds.
#include "posenc/encodings.hpp"
#include "support/compare.hpp"
#include "support/input_rows.hpp"

namespace posenc {
namespace {

using testing::list_of;

const Positions kNone = Positions::range(0, 0);

template <Input T>
void check_none(typename T::Options options) {
  CAPTURE(T::info.id);
  const T encoding = std::move(*make<T>(std::move(options), 1));
  for (const Positions& none : {kNone, Positions::array(nullptr, 0, T::info.domain.axes)}) {
    encoding.encode(none, nullptr);
    if constexpr (TrainableInput<T>) {
      const ParameterSet& tensors = encoding.parameters();
      std::vector<std::vector<float>> sums;
      Gradients gradients;
      for (int i = 0; i < tensors.count(); i++) {
        sums.emplace_back(static_cast<std::size_t>(tensors[i].values.size()), 0.0F);
        gradients.of[static_cast<std::size_t>(i)] = sums.back().data();
      }
      encoding.backward(none, nullptr, gradients);
      for (const auto& sum : sums) CHECK(sum == std::vector<float>(sum.size(), 0));
    }
  }
}

TEST_CASE("input: no positions, null addresses") {
  for (const auto layout : {SinusoidalLayout::kInterleaved, SinusoidalLayout::kConcat}) {
    for (const int64_t dim : {8, 9}) check_none<Sinusoidal>({.dim = dim, .layout = layout});
  }
  check_none<Learned>({.dim = 3, .max_length = 4});
  check_none<GridLearned>({.dim = 4, .rows = 2, .cols = 2});
  check_none<GridLearned>({.dim = 4, .kind = GridLearnedKind::kAxes, .rows = 2, .cols = 2});
  check_none<GridLearned>(
      {.dim = 4, .kind = GridLearnedKind::kSpaceTime, .rows = 2, .cols = 2, .frames = 2});
  check_none<Axial>({.dim = 4, .combine = AxialCombine::kSum});
  check_none<Axial>({.dim = 4, .combine = AxialCombine::kConcat});
  check_none<Block>({.dim = 4, .block_size = 2});
  check_none<Block>({.dim = 4, .block_size = 2, .combine = BlockCombine::kConcat});
  check_none<Segment>({.dim = 4});
  check_none<Box>({.dim = 6});
  check_none<Box>({.dim = 6, .combine = BoxCombine::kConcat});
  check_none<Coordinates>({.dim = 4});
  check_none<LowRank>({.dim = 4, .max_length = 4, .rank = 2});
  check_none<Sparse>({.dim = 4, .max_length = 4, .atoms = 8});
  check_none<Grid>({.dim = 8, .layout = GridLayout::kInterleaved});
  check_none<Grid>({.dim = 8, .layout = GridLayout::kConcat});
  check_none<Fourier>({.frequencies = 4, .include_input = true});
  check_none<Fourier>({.kind = FourierKind::kLearned, .frequencies = 4, .ffn = true});
  check_none<Binary>({.dim = 4, .digits = 3});
  check_none<Binary>({.dim = 4, .digits = 3, .ffn = true});
  check_none<Mlp>({.dim = 4});
  check_none<Recurrent>({.dim = 4});
  check_none<Flow>({.dim = 4});
  check_none<Graph>({.nodes = 3, .edges = list_of({0, 1}), .vectors = 2});
  check_none<Graph>({.kind = GraphKind::kTree, .parents = list_of({-1, 0}), .project = true});
}

TEST_CASE("input: a convolution of no tokens, null addresses") {
  for (const int64_t axes : {1, 2}) {
    const Conv conv = std::move(*make<Conv>({.dim = 4, .axes = axes}, 1));
    const auto none = Positions::array(nullptr, 0, static_cast<int>(axes));
    conv.encode(none, nullptr, nullptr);
    Gradients gradients;
    conv.backward(none, nullptr, nullptr, nullptr, gradients);
  }
}

template <Rotary T>
void check_no_table(typename T::Options options) {
  CAPTURE(T::info.id);
  const T encoding = std::move(*make<T>(std::move(options), 1));
  encoding.table(kNone, {}, nullptr, nullptr);
}

TEST_CASE("rotary: a table of no positions, null addresses") {
  check_no_table<Rope>({.head_dim = 8});
  check_no_table<RopeNd>({.head_dim = 8});
  check_no_table<Mrope>({{.head_dim = 16}});
  check_no_table<Xpos>({.head_dim = 8});
}

template <DistanceBias T>
void check_no_bias(typename T::Options options) {
  CAPTURE(T::info.id);
  const T encoding = std::move(*make<T>(std::move(options), 1));
  encoding.evaluate(1, nullptr, 0, nullptr);
  Gradients gradients;
  if constexpr (TrainableDistanceBias<T>) encoding.backward(1, nullptr, 0, nullptr, gradients);
}

TEST_CASE("bias: no distances, null addresses") {
  check_no_bias<Alibi>({.heads = 2});
  check_no_bias<T5>({.heads = 2});
  check_no_bias<Kerple>({.heads = 2});
  check_no_bias<Sandwich>({.heads = 2});
}

}  // namespace
}  // namespace posenc
