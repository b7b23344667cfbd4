// Attention at the sizes of docs/performance.md: useful GFLOP/s (hidden pairs not counted), or GB/s
// of keys and values read where one query goes by a cache.
#include <cmath>
#include <memory>
#include <vector>

#include "bench.hpp"
#include "posenc/attention/attention.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/core/adapters.hpp"
#include "posenc/core/random.hpp"
#include "posenc/kernels/softmax.hpp"

namespace posenc::bench {
namespace {

std::vector<float> random_floats(int64_t count, uint64_t seed) {
  Random random(seed);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = static_cast<float>(2 * random.uniform() - 1);
  return values;
}

struct Case {
  const char* name;
  int64_t heads, kv_heads, q_len, k_len, dim;
  bool causal, bias;
};

void run(const Case& c, bool backward = false) {
  AttentionOptions options{.heads = c.heads, .kv_heads = c.kv_heads, .head_dim = c.dim};
  if (c.causal) options.causal = Causal::kBottomRight;
  DistanceBiasAdapter<Alibi> alibi(std::move(*make<Alibi>({.heads = c.heads})));
  Encoding* encodings[] = {&alibi};
  const Attention attention = std::move(
      *Attention::make(options, std::span<Encoding* const>(encodings).first(c.bias ? 1 : 0)));
  const int64_t q_size = c.heads * c.q_len * c.dim, k_size = c.kv_heads * c.k_len * c.dim;
  const auto q = random_floats(q_size, 1), k = random_floats(k_size, 2),
             v = random_floats(k_size, 3);
  const auto d_out = random_floats(q_size, 4);
  std::vector<float> out(q.size()), lse(static_cast<std::size_t>(c.heads * c.q_len));
  std::vector<float> dq(q.size()), dk(k.size()), dv(v.size());
  AttentionInputs in;
  in.batch = 1, in.q_len = c.q_len, in.k_len = c.k_len;
  in.q = HeadRows<const float>::heads(q.data(), c.heads, c.q_len, c.dim);
  in.k = HeadRows<const float>::heads(k.data(), c.kv_heads, c.k_len, c.dim);
  in.v = HeadRows<const float>::heads(v.data(), c.kv_heads, c.k_len, c.dim);
  const AttentionOutputs outputs{HeadRows<float>::heads(out.data(), c.heads, c.q_len, c.dim),
                                 lse.data()};
  const double pairs =
      c.causal && c.q_len > 1
          ? static_cast<double>(c.q_len) * static_cast<double>(2 * c.k_len - c.q_len + 1) / 2
          : static_cast<double>(c.q_len * c.k_len);
  const double flops = 4 * static_cast<double>(c.heads * c.dim) * pairs;
  if (backward) {
    (void)attention.forward(in, outputs);
    AttentionGradients gradients;
    gradients.dq = HeadRows<float>::heads(dq.data(), c.heads, c.q_len, c.dim);
    gradients.dk = HeadRows<float>::heads(dk.data(), c.kv_heads, c.k_len, c.dim);
    gradients.dv = HeadRows<float>::heads(dv.data(), c.kv_heads, c.k_len, c.dim);
    const double seconds = fastest([&] {
      (void)attention.backward(in, outputs.out, lse.data(),
                               HeadRows<const float>::heads(d_out.data(), c.heads, c.q_len, c.dim),
                               gradients);
    });
    return report(c.name, seconds, 2.5 * flops, Limit::kArithmetic);
  }
  const double seconds = fastest([&] { (void)attention.forward(in, outputs); });
  if (c.q_len > 1) return report(c.name, seconds, flops, Limit::kArithmetic);
  report(c.name, seconds, static_cast<double>(2 * k_size * 4), Limit::kRead);
  bool finite = true;
  const double read = fastest([&] {
    finite =
        kernels::all_finite(k.data(), k_size) && kernels::all_finite(v.data(), k_size) && finite;
  });
  report(finite ? "  only reading the keys and values" : "?", read,
         static_cast<double>(2 * k_size * 4), Limit::kRead);
}

const Benchmark attention("attention", [] {
  run({"attention causal [8, 1024, 64] + ALiBi", 8, 8, 1024, 1024, 64, true, true});
  run({"attention full [12, 512, 64]", 12, 12, 512, 512, 64, false, false});
  run({"attention full [12, 512, 64] + ALiBi", 12, 12, 512, 512, 64, false, true});
  run({"attention full [8, 777, 80]", 8, 8, 777, 777, 80, false, false});
  run({"attention full [8, 1000, 100]", 8, 8, 1000, 1000, 100, false, false});
  run({"attention causal [32/8, 512, 128]", 32, 8, 512, 512, 128, true, false});
  run({"attention decode [32, 1 x 4096, 128]", 32, 32, 1, 4096, 128, true, false});
  run({"attention decode [32, 1 x 4096, 128] + ALiBi", 32, 32, 1, 4096, 128, true, true});
  run({"attention decode [32/8, 1 x 4096, 128]", 32, 8, 1, 4096, 128, true, false});
  run({"attention few [8, 4 x 4096, 64]", 8, 8, 4, 4096, 64, true, false});
  run({"attention few [8, 8 x 4096, 64]", 8, 8, 8, 4096, 64, true, false});
  run({"attention backward, causal [8, 1024, 64]", 8, 8, 1024, 1024, 64, true, false}, true);
});

}  // namespace
}  // namespace posenc::bench
