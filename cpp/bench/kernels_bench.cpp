// Tables, rotations and biases written out, at the sizes of docs/performance.md.
#include <vector>

#include "bench.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/bias/t5.hpp"
#include "posenc/core/adapters.hpp"
#include "posenc/input/grid.hpp"
#include "posenc/input/sinusoidal.hpp"
#include "posenc/rotary/apply.hpp"
#include "posenc/rotary/rope.hpp"

namespace posenc::bench {
namespace {

double bytes(std::size_t floats) { return 4 * static_cast<double>(floats); }

void sines(const char* name, int64_t count, int64_t dim) {
  const auto encoding = *make<Sinusoidal>({.dim = dim});
  std::vector<float> out(static_cast<std::size_t>(count * dim));
  report(name, fastest([&] { encoding.encode(Positions::range(0, count), out.data()); }),
         bytes(out.size()), Limit::kFill);
}

void grid(const char* name, int64_t side, int64_t dim) {
  const auto encoding = *make<Grid>({.dim = dim});
  std::vector<double> cells;
  for (int64_t i = 0; i < side * side; i++) {
    cells.push_back(static_cast<double>(i / side));
    cells.push_back(static_cast<double>(i % side));
  }
  std::vector<float> out(static_cast<std::size_t>(side * side * dim));
  report(name, fastest([&] {
           encoding.encode(Positions::array(cells.data(), side * side, 2), out.data());
         }),
         bytes(out.size()), Limit::kFill);
}

void rope(const char* name, PairLayout layout, bool given) {
  constexpr int64_t kHeads = 32, kSeq = 2048, kDim = 128;
  const RotaryAdapter<Rope> encoding(std::move(*make<Rope>({.head_dim = kDim, .layout = layout})));
  std::vector<float> x(kHeads * kSeq * kDim, 0.5F), out(x.size()), cos(kSeq * kDim / 2),
      sin(cos.size());
  RotaryTask task;
  task.batch = 1, task.heads = kHeads, task.seq = kSeq;
  task.x = HeadRows<const float>::heads(x.data(), kHeads, kSeq, kDim);
  task.out = HeadRows<float>::heads(out.data(), kHeads, kSeq, kDim);
  encoding.table(Positions::range(0, kSeq), {}, cos.data(), sin.data());
  if (given) task.table = {cos.data(), sin.data(), kSeq};
  report(name, fastest([&] { (void)rotate(encoding, task); }), 2 * bytes(x.size()), Limit::kCopy);
}

template <typename Bias>
void bias(const char* name, const typename Bias::Options& options) {
  constexpr int64_t kLength = 2048;
  const DistanceBiasAdapter<Bias> encoding(std::move(*make<Bias>(options)));
  std::vector<float> out(static_cast<std::size_t>(options.heads * kLength * kLength));
  const Positions positions = Positions::range(0, kLength);
  std::vector<float> scratch(
      static_cast<std::size_t>(encoding.scratch_floats(positions, positions)));
  const double seconds = fastest([&] {
    for (int64_t h = 0; h < options.heads; h++) {
      const BiasHead head = {h, positions, positions, scratch.data(), nullptr, {}};
      encoding.begin(head);
      encoding.apply(head, {0, kLength, 0, kLength, kLength}, out.data() + h * kLength * kLength,
                     true);
    }
  });
  report(name, seconds, bytes(out.size()), Limit::kFill);
}

const Benchmark tables("tables", [] {
  sines("sinusoidal 4096 x 512", 4096, 512);
  sines("sinusoidal 32768 x 1024", 32768, 1024);
  grid("grid sines 64 x 64, 512 wide", 64, 512);
});
const Benchmark rotations("rope", [] {
  rope("RoPE [32, 2048, 128], half, given", PairLayout::kHalf, true);
  rope("RoPE [32, 2048, 128], half, made", PairLayout::kHalf, false);
  rope("RoPE [32, 2048, 128], interleaved, given", PairLayout::kInterleaved, true);
  rope("RoPE [32, 2048, 128], interleaved, made", PairLayout::kInterleaved, false);
});
const Benchmark biases("biases", [] {
  bias<T5>("T5 [12, 2048, 2048]", {.heads = 12});
  bias<Alibi>("ALiBi [12, 2048, 2048]", {.heads = 12});
});

}  // namespace
}  // namespace posenc::bench
