#include "relative/support.hpp"

#include "support/compare.hpp"
#include "support/lanes.hpp"

namespace posenc::testing {
namespace {

constexpr uint64_t kRandomCalls = 60;

// A call drawn at random; those behind the random ones have sizes around the width of a vector.
Setup draw(const RelativeChecks& checks, uint64_t seed) {
  Random random(seed + 1000);
  const auto below = [&](int64_t bound) {
    return static_cast<int64_t>(random.next() % static_cast<uint64_t>(bound));
  };
  const auto pick = [&](const std::vector<int64_t>& from) {
    return from[static_cast<std::size_t>(below(static_cast<int64_t>(from.size())))];
  };
  Setup setup;
  std::vector<int64_t> lengths = {1, 2, 3, 5, 17, 63, 64, 65, 130};
  std::erase_if(lengths, [&](int64_t length) { return length > checks.longest; });
  setup.q_len = pick(lengths), setup.k_len = pick(lengths);
  if (setup.q_len <= 4 && below(4) == 0)
    setup.k_len = pick({511, 513, 1100});  // few queries take many keys at a time
  setup.batch = 1 + below(2);
  const int64_t group = checks.groups ? 1 + below(2) : 1, kv = 1 + below(2);
  setup.options.heads = kv * group, setup.options.kv_heads = kv;
  setup.options.head_dim = pick(checks.head_dims);
  setup.options.value_dim = pick({1, 3, 8, 20});
  if (seed >= kRandomCalls) {
    const auto [a, b] = awkward_pairs()[seed - kRandomCalls];
    setup.q_len = a, setup.k_len = b;
    setup.options.head_dim = b, setup.options.value_dim = a;
  }
  if (below(3) == 0) setup.options.scale = 0.4;
  if (below(4) == 0) setup.options.softcap = 0.9;
  if (below(3) == 0) setup.options.causal = Causal::kBottomRight;
  if (below(4) == 0) setup.options.window_left = below(setup.k_len + 1);
  setup.packed = below(2) == 0;
  setup.fill(seed);
  if (below(3) == 0) {
    setup.mask_kind = AttentionMask::Kind::kBoolean;
    setup.mask_shape = {setup.q_len, setup.k_len};
    for (int64_t n = 0; n < setup.q_len * setup.k_len; n++) setup.boolean.push_back(below(4) != 0);
  }
  if (checks.given && below(3) == 0) {
    std::vector<double> q, k;
    for (int64_t i = 0; i < setup.q_len; i++) q.push_back(static_cast<double>(i % 40 + below(3)));
    for (int64_t j = 0; j < setup.k_len; j++) k.push_back(static_cast<double>(j % 37 - below(2)));
    setup.q_positions = {q}, setup.k_positions = {k};
  }
  return setup;
}

}  // namespace

void fill_parameters(Encoding& encoding, uint64_t seed) {
  for (int t = 0; t < encoding.parameters().count(); t++) {
    ParameterTensor& tensor = encoding.parameters()[t];
    const auto values = random_floats(static_cast<std::size_t>(tensor.values.size()),
                                      seed * 31 + static_cast<uint64_t>(t));
    std::copy(values.begin(), values.end(), tensor.values.data());
  }
}

RelativeRun run_relative(Setup& setup, Encoding& encoding) {
  setup.encodings = {&encoding};
  RelativeRun run;
  const Output output = run_forward(setup);
  run.out = output.out;
  run.lse = output.lse;
  run.out_alone = run_forward(setup, false).out;
  run.raw = run_scores(setup, ScoreStage::kRaw);
  run.weights = run_scores(setup, ScoreStage::kWeights);
  if (setup.d_out.empty()) return run;
  std::vector<float> dq(setup.q.size(), 7), dk(setup.k.size(), 7), dv(setup.v.size(), 7);
  const int64_t dim = setup.options.head_dim, value_dim = setup.value_dim();
  AttentionGradients gradients;
  gradients.dq = setup.rows<float>(dq.data(), setup.heads(), setup.q_len, dim);
  gradients.dk = setup.rows<float>(dk.data(), setup.kv_heads(), setup.k_len, dim);
  gradients.dv = setup.rows<float>(dv.data(), setup.kv_heads(), setup.k_len, value_dim);
  Gradients of;
  for (int t = 0; t < encoding.parameters().count(); t++) {
    const bool trained = encoding.parameters()[t].trained;
    run.params.emplace_back(
        trained ? static_cast<std::size_t>(encoding.parameters()[t].values.size()) : 0, 7.0F);
    if (trained) of.of[static_cast<std::size_t>(t)] = run.params.back().data();
  }
  gradients.of = std::span(&of, 1);
  const Status status = setup.make().backward(
      setup.inputs(),
      setup.rows<const float>(output.raw_out.data(), setup.heads(), setup.q_len, value_dim),
      output.lse.data(),
      setup.rows<const float>(setup.d_out.data(), setup.heads(), setup.q_len, value_dim),
      gradients);
  REQUIRE(status.has_value());
  run.dq = setup.by_heads(dq, setup.heads(), setup.q_len, dim);
  run.dk = setup.by_heads(dk, setup.kv_heads(), setup.k_len, dim);
  run.dv = setup.by_heads(dv, setup.kv_heads(), setup.k_len, value_dim);
  return run;
}

Setup golden_setup(const GoldenCase& golden) {
  Setup setup;
  const Shape &q = golden["q"].shape, &k = golden["k"].shape, &v = golden["v"].shape;
  setup.options.heads = q[0];
  setup.options.head_dim = q[2];
  setup.options.value_dim = v[2];
  setup.options.scale = golden.number("scale");
  setup.q_len = q[1], setup.k_len = k[1];
  setup.q = golden["q"].floats, setup.k = golden["k"].floats, setup.v = golden["v"].floats;
  if (golden.tensors.contains("dout")) setup.d_out = golden["dout"].floats;
  return setup;
}

void set_mask(Setup& setup, const GoldenTensor& mask, bool hidden) {
  setup.mask_kind = AttentionMask::Kind::kBoolean;
  setup.mask_shape = {setup.q_len, setup.k_len};
  for (int32_t value : mask.ints) setup.boolean.push_back((value != 0) != hidden);
}

std::vector<double> query_positions(const Setup& setup) {
  if (!setup.q_positions.empty()) return setup.q_positions[0];
  return counted(setup.position(true, 0, 0), setup.q_len);
}

std::vector<double> key_positions(const Setup& setup) {
  return setup.k_positions.empty() ? counted(0, setup.k_len) : setup.k_positions[0];
}

void check_relative(const RelativeChecks& checks, const std::string& name) {
  double out = 0, raw = 0, gradient = 0, params = 0;
  for (uint64_t seed = 0; seed < kRandomCalls + awkward_pairs().size(); seed++) {
    CAPTURE(seed);
    Setup setup = draw(checks, seed);
    const auto encoding = checks.make(setup, seed);
    REQUIRE(encoding != nullptr);
    reference::RelativeAttention plain{setup.reference(), {}, {}};
    checks.terms(setup, *encoding, plain);
    const RelativeRun got = run_relative(setup, *encoding);
    const auto want = reference::relative_forward(plain);
    const auto d = reference::relative_backward(
        plain, setup.by_heads(setup.d_out, setup.heads(), setup.q_len, setup.value_dim()));
    out = std::max({out, largest_error(got.out, want.out), largest_error(got.lse, want.lse),
                    largest_error(got.out_alone, want.out)});
    raw =
        std::max({raw, largest_error(got.raw, want.raw), largest_error(got.weights, want.weights)});
    gradient = std::max({gradient, error_of_sums(got.dq, d.dq), error_of_sums(got.dk, d.dk),
                         error_of_sums(got.dv, d.dv)});
    const auto d_params = checks.gradients(setup, *encoding, plain, d);
    REQUIRE(d_params.size() == got.params.size());
    for (std::size_t t = 0; t < d_params.size(); t++) {
      const double error = error_of_sums({got.params[t].begin(), got.params[t].end()}, d_params[t]);
      CHECK_MESSAGE(error <= 5e-6, name << ": tensor " << t << " " << error);
      params = std::max(params, error);
    }
    CHECK(largest_error(got.out, want.out) <= 5e-6);
    CHECK(largest_error(got.raw, want.raw) <= 5e-6);
    CHECK(gradient <= 5e-6);
  }
  CHECK(out <= 5e-6);
  CHECK(raw <= 5e-6);
  MESSAGE(name << ": largest errors: out " << out << ", scores " << raw << ", gradients "
               << gradient << ", tensors " << params);
}

}  // namespace posenc::testing
