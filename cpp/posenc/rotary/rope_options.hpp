// Options of RoPE and of its scalings, which stretch the frequencies so that a model reads further
// than it was trained. Names follow Hugging Face's rope_parameters; the formulas are in
// scaling.cpp.
#pragma once

#include <array>

#include "posenc/core/concepts.hpp"
#include "posenc/core/fields.hpp"

namespace posenc {

enum class RopeScalingType : uint8_t {
  kDefault,
  kLinear,
  kNtk,
  kNtkByParts,
  kDynamic,
  kYarn,
  kLongrope,
  kLlama3
};
inline constexpr const char* kRopeScalingTypeNames[] = {
    "default", "linear", "ntk", "ntkByParts", "dynamic", "yarn", "longrope", "llama3"};

struct RopeScaling {
  RopeScalingType type = RopeScalingType::kDefault;
  double factor = 1;
  double original_length = 0;
  std::optional<double> attention_factor = {};
  double beta_fast = 32, beta_slow = 1;  // yarn
  bool truncate = true;
  std::optional<double> mscale = {}, mscale_all_dim = {};
  double beta_0 = 1.25, beta_1 = 0.75, gamma_0 = 16, gamma_1 = 2;  // ntkByParts
  double ntk_factor = 1, extrapolation_factor = 1;
  NumberList short_factor = {}, long_factor = {};  // longrope
  std::optional<double> short_mscale = {}, long_mscale = {};
  double low_freq_factor = 1, high_freq_factor = 4;  // llama3
};

struct RopeOptions {
  int64_t head_dim = 0;
  std::optional<int64_t> rotary_dim = {};
  double base = 10000;
  PairLayout layout = PairLayout::kHalf;
  bool values = false;
  RopeScaling scaling = {};
};

namespace rope_fields {
using enum RopeScalingType;

template <auto Member>
constexpr Field scaling(const char* name) {
  return field<&RopeOptions::scaling, Member>(name);
}
template <typename... Types>
constexpr Condition with(Types... types) {
  return when("scaling.type", types...);
}
}  // namespace rope_fields

inline constexpr auto kRopeFields = std::to_array<Field>({
    field<&RopeOptions::head_dim>("headDim").least(2).most(1 << 16).required().shown(4, 128).about(
        "width of a head"),
    field<&RopeOptions::rotary_dim>("rotaryDim")
        .least(2)
        .multiple(2)
        .most("headDim")
        .unless_given("headDim")
        .about("how many of its channels turn, the d of the formula; the rest pass through"),
    field<&RopeOptions::base>("base")
        .least(1)
        .shown(100, 1e7, true)
        .about("base of the frequencies (rope_theta): larger makes the slow pairs slower"),
    field<&RopeOptions::layout>("layout")
        .of(kPairLayoutNames)
        .about("how channels pair up: m with m + d/2 (half: Hugging Face's LLaMA, GPT-NeoX) or 2m "
               "with 2m + 1 (interleaved: GPT-J, "
               "RoFormer, Meta's LLaMA)"),
    field<&RopeOptions::values>("values").about(
        "turn the values too, in attention (RoFormer's rotary_value)"),
    rope_fields::scaling<&RopeScaling::type>("scaling.type")
        .of(kRopeScalingTypeNames)
        .about("how frequencies are stretched beyond the trained length"),
    rope_fields::scaling<&RopeScaling::factor>("scaling.factor")
        .above(0)
        .required()
        .shown(1, 64, true)
        .only(rope_fields::with(rope_fields::kLinear, rope_fields::kNtk, rope_fields::kNtkByParts,
                                rope_fields::kDynamic, rope_fields::kYarn, rope_fields::kLongrope,
                                rope_fields::kLlama3))
        .about("how many times the original length is wanted"),
    rope_fields::scaling<&RopeScaling::original_length>("scaling.originalLength")
        .least(1)
        .required()
        .shown(256, 131072, true)
        .only(rope_fields::with(rope_fields::kNtkByParts, rope_fields::kDynamic, rope_fields::kYarn,
                                rope_fields::kLongrope, rope_fields::kLlama3))
        .about("length of the original training, in tokens (original_max_position_embeddings)"),
    rope_fields::scaling<&RopeScaling::attention_factor>("scaling.attentionFactor")
        .above(0)
        .only(rope_fields::with(rope_fields::kYarn, rope_fields::kLongrope))
        .unless_given("by the method's formula from factor")
        .about("amplitude that multiplies cos and sin, so that scores carry its square"),
    rope_fields::scaling<&RopeScaling::beta_fast>("scaling.betaFast")
        .above(0)
        .shown(1, 64)
        .only(rope_fields::with(rope_fields::kYarn))
        .about(
            "pairs that turn more often than this within the original length keep their frequency"),
    rope_fields::scaling<&RopeScaling::beta_slow>("scaling.betaSlow")
        .above(0)
        .shown(0.25, 8)
        .only(rope_fields::with(rope_fields::kYarn))
        .about("pairs that turn less often than this are divided by factor"),
    rope_fields::scaling<&RopeScaling::truncate>("scaling.truncate")
        .only(rope_fields::with(rope_fields::kYarn))
        .about("round the bounds between the two to whole pairs"),
    rope_fields::scaling<&RopeScaling::mscale>("scaling.mscale")
        .above(0)
        .only(rope_fields::with(rope_fields::kYarn))
        .about("DeepSeek's weight of the amplitude; counts only together with mscaleAllDim"),
    rope_fields::scaling<&RopeScaling::mscale_all_dim>("scaling.mscaleAllDim")
        .above(0)
        .only(rope_fields::with(rope_fields::kYarn))
        .about("DeepSeek's divisor of the amplitude; equal to mscale the two cancel out"),
    rope_fields::scaling<&RopeScaling::short_factor>("scaling.shortFactor")
        .above(0)
        .required()
        .only(rope_fields::with(rope_fields::kLongrope))
        .about("divisor of each frequency up to the original length, rotaryDim / 2 numbers"),
    rope_fields::scaling<&RopeScaling::long_factor>("scaling.longFactor")
        .above(0)
        .required()
        .only(rope_fields::with(rope_fields::kLongrope))
        .about("divisor of each frequency once the length reached is beyond it"),
    rope_fields::scaling<&RopeScaling::short_mscale>("scaling.shortMscale")
        .above(0)
        .only(rope_fields::with(rope_fields::kLongrope))
        .unless_given("attentionFactor")
        .about("amplitude up to the original length, where it differs (Phi-3.5-MoE); "
               "attentionFactor wins"),
    rope_fields::scaling<&RopeScaling::long_mscale>("scaling.longMscale")
        .above(0)
        .only(rope_fields::with(rope_fields::kLongrope))
        .unless_given("attentionFactor")
        .about("amplitude once the length reached is beyond it"),
    rope_fields::scaling<&RopeScaling::low_freq_factor>("scaling.lowFreqFactor")
        .above(0)
        .only(rope_fields::with(rope_fields::kLlama3))
        .about("wavelengths above originalLength / lowFreqFactor are stretched by factor"),
    rope_fields::scaling<&RopeScaling::high_freq_factor>("scaling.highFreqFactor")
        .above(0)
        .only(rope_fields::with(rope_fields::kLlama3))
        .about("wavelengths below originalLength / highFreqFactor stay as they are"),
    rope_fields::scaling<&RopeScaling::beta_0>("scaling.beta0")
        .above(0)
        .only(rope_fields::with(rope_fields::kNtkByParts))
        .about("turns within the original length where NTK begins to give way to linear"),
    rope_fields::scaling<&RopeScaling::beta_1>("scaling.beta1")
        .above(0)
        .only(rope_fields::with(rope_fields::kNtkByParts))
        .about("turns where linear has taken over"),
    rope_fields::scaling<&RopeScaling::gamma_0>("scaling.gamma0")
        .above(0)
        .only(rope_fields::with(rope_fields::kNtkByParts))
        .about("turns above which frequencies stay as they are"),
    rope_fields::scaling<&RopeScaling::gamma_1>("scaling.gamma1")
        .above(0)
        .only(rope_fields::with(rope_fields::kNtkByParts))
        .about("turns below which they are all stretched"),
    rope_fields::scaling<&RopeScaling::ntk_factor>("scaling.ntkFactor")
        .least(0)
        .most(1)
        .only(rope_fields::with(rope_fields::kNtkByParts))
        .about("share of NTK in its blend with linear"),
    rope_fields::scaling<&RopeScaling::extrapolation_factor>("scaling.extrapolationFactor")
        .least(0)
        .most(1)
        .only(rope_fields::with(rope_fields::kNtkByParts))
        .about("share of the unchanged frequencies in their blend"),
});

}  // namespace posenc
