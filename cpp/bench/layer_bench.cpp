// Products of whole matrices, and an attention layer of BERT's size.
#include <vector>

#include "bench.hpp"
#include "posenc/core/random.hpp"
#include "posenc/kernels/matmul.hpp"
#include "posenc/layer/layer.hpp"

namespace posenc::bench {
namespace {

using kernels::Matrix;

std::vector<float> random_floats(int64_t count, uint64_t seed) {
  Random random(seed);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = static_cast<float>(2 * random.uniform() - 1);
  return values;
}

void product(const char* name, const kernels::MatmulSize& size, bool a_turned, bool b_turned) {
  const auto a = random_floats(size.rows * size.depth, 1),
             b = random_floats(size.depth * size.columns, 2);
  std::vector<float> c(static_cast<std::size_t>(size.rows * size.columns));
  std::vector<float> scratch(static_cast<std::size_t>(kernels::kMatmulScratch));
  const Matrix left = a_turned ? Matrix::rows(a.data(), size.rows).transposed()
                               : Matrix::rows(a.data(), size.depth);
  const Matrix right = b_turned ? Matrix::rows(b.data(), size.depth).transposed()
                                : Matrix::rows(b.data(), size.columns);
  const double seconds =
      fastest([&] { kernels::matmul(left, right, size, nullptr, c.data(), scratch.data()); });
  if (size.rows == 1) return report(name, seconds, 4 * static_cast<double>(b.size()), Limit::kRead);
  const double pairs = static_cast<double>(size.rows) * static_cast<double>(size.columns);
  report(name, seconds, 2 * pairs * static_cast<double>(size.depth), Limit::kArithmetic);
}

void layer(const char* name, int64_t seq, bool backward) {
  const AttentionLayer layer =
      std::move(*AttentionLayer::make({.attention = {.heads = 12}, .dim = 768}, {}));
  const int64_t size = seq * 768;
  const auto x = random_floats(size, 1), d_out = random_floats(size, 2);
  std::vector<float> out(x.size()), attended(x.size()), lse(static_cast<std::size_t>(12 * seq)),
      dx(x.size());
  std::vector<float> gradients(static_cast<std::size_t>(layer.parameters().total_elements()));
  LayerInputs in;
  in.x = x.data(), in.attention.batch = 1, in.attention.q_len = seq;
  LayerGradients to;
  to.dx = dx.data();
  float* block = gradients.data();
  for (int i = 0; i < layer.parameters().count(); i++) {
    to.weights.of[static_cast<std::size_t>(i)] = block;
    block += layer.parameters()[i].values.size();
  }
  const double flops =
      static_cast<double>(seq) * (8.0 * 768 * 768 + 4.0 * 768 * static_cast<double>(seq));
  const double forward =
      fastest([&] { (void)layer.forward(in, {out.data(), attended.data(), lse.data()}); });
  if (!backward) return report(name, forward, flops, Limit::kArithmetic);
  const double seconds =
      fastest([&] { (void)layer.backward(in, attended.data(), lse.data(), d_out.data(), to); });
  report(name, seconds,
         static_cast<double>(seq) * (22.0 * 768 * 768 + 10.0 * 768 * static_cast<double>(seq)),
         Limit::kArithmetic);
}

const Benchmark matmul("matmul", [] {
  product("matmul [512, 768] x [768, 768]", {512, 768, 768}, false, false);
  product("matmul [512, 768] x [768, 768], B turned", {512, 768, 768}, false, true);
  product("matmul [768, 512] x [512, 768], A turned", {768, 768, 512}, true, false);
  product("matmul [512, 4096] x [4096, 512]", {512, 512, 4096}, false, false);
  product("matmul [1, 2048] x [2048, 2048]", {1, 2048, 2048}, false, false);
  product("matmul [1, 2048] x [2048, 2048], B turned", {1, 2048, 2048}, false, true);
});
const Benchmark layers("layer", [] {
  layer("layer forward [512, 768], 12 heads", 512, false);
  layer("layer backward [512, 768], 12 heads", 512, true);
});

}  // namespace
}  // namespace posenc::bench
