// Published implementations: PyTorch, transformers' Llama attention, and ALiBi's authors' code.
#include "support/golden.hpp"
#include "attention/setup.hpp"
#include "posenc/bias/alibi.hpp"
#include "posenc/core/adapters.hpp"
#include "posenc/rotary/rope.hpp"
#include "support/compare.hpp"

namespace posenc {
namespace {

using testing::check_close;
using testing::GoldenCase;
using testing::Setup;

Setup setup_of(const GoldenCase& golden) {
  Setup setup;
  setup.options.heads = golden["q"].shape[0];
  setup.options.kv_heads = golden["k"].shape[0];
  setup.options.head_dim = golden["q"].shape[2];
  setup.options.value_dim = golden["v"].shape[2];
  setup.options.scale = golden.number("scale");
  if (golden.number("causal") != 0) setup.options.causal = Causal::kBottomRight;
  setup.q_len = golden["q"].shape[1];
  setup.k_len = golden["k"].shape[1];
  setup.q = golden["q"].floats;
  setup.k = golden["k"].floats;
  setup.v = golden["v"].floats;
  setup.d_out = golden["dout"].floats;
  if (golden.tensors.contains("mask")) {
    setup.mask_kind = AttentionMask::Kind::kBoolean;
    setup.mask_shape = {setup.q_len, setup.k_len};
    for (int32_t allowed : golden["mask"].ints)
      setup.boolean.push_back(static_cast<uint8_t>(allowed));
  }
  return setup;
}

// Forward and backward, and those plain loops that the other tests go by where the case says so.
void check_case(Setup& setup, const GoldenCase& golden) {
  CAPTURE(golden.name);
  // Scores of several hundred, where neighbouring floats are 3e-5 apart, are held to what the case
  // itself asks for.
  const bool is_large = golden.name == "attention--large-logits-l11";
  const double bound = is_large ? golden.tolerance : testing::golden_bound(golden.tolerance);
  const testing::Output output = testing::run_forward(setup);
  check_close(output.out, golden["out"].floats, bound, "out");
  const testing::Gradient gradient = testing::run_backward(setup, output);
  check_close(gradient.dq, golden["dq"].floats, bound, "dq");
  check_close(gradient.dk, golden["dk"].floats, bound, "dk");
  check_close(gradient.dv, golden["dv"].floats, bound, "dv");
  if (golden.tensors.contains("probs")) {
    check_close(testing::run_scores(setup, ScoreStage::kWeights), golden["probs"].floats, bound,
                "weights");
  }
  if (golden.tensors.contains("dslopes"))
    check_close(gradient.d_slopes, golden["dslopes"].floats, bound, "dslopes");
  if (setup.mask_kind == AttentionMask::Kind::kAdditive) {
    check_close(gradient.d_mask, golden["dbias"].floats, bound, "dbias");
  }
  check_close(attention_forward(setup.reference()).out, golden["out"].floats, 2e-7,
              "plain loops, out");
  const testing::Gradient plain = testing::reference_backward(setup);
  check_close(plain.dq, golden["dq"].floats, 2e-7, "plain loops, dq");
  check_close(plain.dk, golden["dk"].floats, 2e-7, "plain loops, dk");
  check_close(plain.dv, golden["dv"].floats, 2e-7, "plain loops, dv");
}

TEST_CASE("attention: golden cases without positions") {
  for (const char* name :
       {"attention--plain-l9x13-d6", "attention--causal-l17-d20", "attention--boolmask-l7x10",
        "attention--gqa-6x2-l5x8", "attention--large-logits-l11"}) {
    const GoldenCase golden = testing::load_golden(name);
    Setup setup = setup_of(golden);
    check_case(setup, golden);
  }
}

TEST_CASE("attention: golden cases with an additive bias, of each head or shared") {
  for (const char* name : {"attention--bias-l7x9", "attention--bias-shared-causal-l10"}) {
    const GoldenCase golden = testing::load_golden(name);
    Setup setup = setup_of(golden);
    setup.mask_kind = AttentionMask::Kind::kAdditive;
    setup.mask_shape = {golden["bias"].shape[0], setup.q_len, setup.k_len};
    setup.additive = golden["bias"].floats;
    check_case(setup, golden);
  }
}

TEST_CASE("attention: golden cases with RoPE, gradients before rotation") {
  for (const char* name : {"attention--rope-gqa-causal-l9", "attention--rope-mha-l7-noncausal"}) {
    const GoldenCase golden = testing::load_golden(name);
    Setup setup = setup_of(golden);
    RopeOptions options;
    options.head_dim = setup.options.head_dim;
    RotaryAdapter<Rope> rope(std::move(*make<Rope>(std::move(options))));
    setup.encodings = {&rope};
    const testing::PlainRotary plain(setup.options.head_dim, setup.options.head_dim,
                                     PairLayout::kHalf, false, false, golden.number("theta"));
    setup.rotary = &plain;
    for (auto* positions : {&setup.q_positions, &setup.k_positions})
      *positions = {golden["positions"].as_doubles()};
    check_case(setup, golden);
  }
}

TEST_CASE("attention: golden cases with ALiBi, slopes trained") {
  for (const char* name : {"alibi--attn-causal-h3-l13", "alibi--attn-symmetric-h6-l10x14"}) {
    const GoldenCase golden = testing::load_golden(name);
    Setup setup = setup_of(golden);
    const bool causal = golden.text("mode") == "causal";
    setup.options.causal = causal ? Causal::kTopLeft : Causal::kOff;
    AlibiOptions options{.heads = setup.options.heads, .trainable = true};
    if (!causal) options.sides = AlibiSides::kSymmetric;
    DistanceBiasAdapter<Alibi> alibi(std::move(*make<Alibi>(std::move(options))));
    setup.bias = &alibi;
    setup.slopes = golden["slopes"].as_doubles();
    check_case(setup, golden);
  }
}

}  // namespace
}  // namespace posenc
