#include "posenc/rotary/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "posenc/core/math.hpp"

namespace posenc {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

// What the formulas look at, by their names.
struct Rule {
  const RopeScaling& scaling;
  double base, d;

  double plain(int64_t pair) const noexcept { return with_base(base, pair); }
  double with_base(double its_base, int64_t pair) const noexcept {
    return math::power(its_base, -2 * static_cast<double>(pair) / d);
  }
  // The base whose slowest pair is `factor` times slower, while the fastest stays.
  double stretched_base(double factor) const noexcept {
    return base * math::power(factor, d / (d - 2));
  }
  // The pair, a real number, that makes so many turns within the original length.
  double pair_of(double turns) const noexcept {
    return d * math::log(scaling.original_length / (turns * kTurn)) / (2 * math::log(base));
  }
};

// 0 up to pair `low`, 1 from pair `high` on. As the published code has it, equal ends are a step.
struct Ramp {
  double low, high;
  double at(int64_t pair) const noexcept {
    const double width = low == high ? 0.001 : high - low;
    return std::clamp((static_cast<double>(pair) - low) / width, 0.0, 1.0);
  }
};

Ramp ramp_of(const Rule& rule, double fast, double slow, bool truncate) noexcept {
  double low = rule.pair_of(fast), high = rule.pair_of(slow);
  if (truncate) low = std::floor(low), high = std::ceil(high);
  return {std::max(low, 0.0), std::min(high, rule.d - 1)};
}

double blend(double a, double b, double share_of_b) noexcept {
  return a * (1 - share_of_b) + b * share_of_b;
}

template <typename FrequencyOf>
void write(int64_t first, std::span<double> out, FrequencyOf frequency_of) noexcept {
  for (double& frequency : out) frequency = frequency_of(first++);
}

void write_stretched(const Rule& rule, double factor, int64_t first,
                     std::span<double> out) noexcept {
  const double base = rule.stretched_base(factor);
  write(first, out, [&](int64_t pair) { return rule.with_base(base, pair); });
}

void write_yarn(const Rule& rule, int64_t first, std::span<double> out) noexcept {
  const RopeScaling& scaling = rule.scaling;
  const Ramp ramp = ramp_of(rule, scaling.beta_fast, scaling.beta_slow, scaling.truncate);
  write(first, out, [&](int64_t pair) {
    return blend(rule.plain(pair), rule.plain(pair) / scaling.factor, ramp.at(pair));
  });
}

void write_by_parts(const Rule& rule, int64_t first, std::span<double> out) noexcept {
  const RopeScaling& scaling = rule.scaling;
  const double base = rule.stretched_base(scaling.factor);
  const Ramp to_linear = ramp_of(rule, scaling.beta_0, scaling.beta_1, true);
  const Ramp from_plain = ramp_of(rule, scaling.gamma_0, scaling.gamma_1, true);
  write(first, out, [&](int64_t pair) {
    const double ntk_share = (1 - to_linear.at(pair)) * scaling.ntk_factor;
    const double slow =
        blend(rule.plain(pair) / scaling.factor, rule.with_base(base, pair), ntk_share);
    return blend(slow, rule.plain(pair), (1 - from_plain.at(pair)) * scaling.extrapolation_factor);
  });
}

double llama3(const RopeScaling& scaling, double frequency) noexcept {
  const double turns = scaling.original_length * frequency / kTurn;
  if (turns > scaling.high_freq_factor) return frequency;
  if (turns < scaling.low_freq_factor) return frequency / scaling.factor;
  const double share =
      (turns - scaling.low_freq_factor) / (scaling.high_freq_factor - scaling.low_freq_factor);
  return blend(frequency / scaling.factor, frequency, share);
}

// YaRN's fit; 1/t of the paper is its square.
double yarn_amplitude(double factor, double mscale) noexcept {
  return factor <= 1 ? 1 : 0.1 * mscale * math::log(factor) + 1;
}

bool stretches_base(RopeScalingType type) noexcept {
  return type == RopeScalingType::kNtk || type == RopeScalingType::kDynamic ||
         type == RopeScalingType::kNtkByParts;
}

Status check_list(const NumberList& list, int64_t pairs, const char* name) noexcept {
  if (list.size() == pairs) return {};
  return fail(ErrorCode::kShapeMismatch, name, text_of(list.size(), " numbers"),
              text_of(pairs, " numbers, rotaryDim / 2"));
}

Status check_yarn(const RopeScaling& scaling) noexcept {
  if (scaling.beta_fast < scaling.beta_slow) {
    return fail(ErrorCode::kOutOfRange, "scaling.betaFast", text_of(scaling.beta_fast),
                text_of("at least betaSlow, which is ", scaling.beta_slow));
  }
  if (scaling.mscale.has_value() == scaling.mscale_all_dim.has_value()) return {};
  return fail(ErrorCode::kMissingOption, scaling.mscale ? "scaling.mscaleAllDim" : "scaling.mscale",
              "nothing", "a number above 0: mscale and mscaleAllDim count together or not at all");
}

Status check_longrope(const RopeScaling& scaling, int64_t pairs) noexcept {
  if (Status status = check_list(scaling.short_factor, pairs, "scaling.shortFactor"); !status)
    return status;
  if (Status status = check_list(scaling.long_factor, pairs, "scaling.longFactor"); !status)
    return status;
  if (scaling.original_length > 1 || scaling.factor <= 1 || scaling.attention_factor) return {};
  return fail(ErrorCode::kOutOfRange, "scaling.originalLength", text_of(scaling.original_length),
              "at least 2: the amplitude divides by its logarithm");
}

}  // namespace

bool scales_by_reach(const RopeScaling& scaling) noexcept {
  return scaling.type == RopeScalingType::kDynamic || scaling.type == RopeScalingType::kLongrope;
}

bool beyond_original(const RopeScaling& scaling, double reached) noexcept {
  return scales_by_reach(scaling) && reached > scaling.original_length;
}

void scaled_frequencies(const RopeOptions& options, double reached, int64_t first,
                        std::span<double> out) noexcept {
  const RopeScaling& scaling = options.scaling;
  const Rule rule{scaling, options.base, static_cast<double>(*options.rotary_dim)};
  const double factor = scaling.factor;
  const bool beyond = beyond_original(scaling, reached);
  switch (scaling.type) {
    case RopeScalingType::kDefault:
      return write(first, out, [&](int64_t pair) { return rule.plain(pair); });
    case RopeScalingType::kLinear:
      return write(first, out, [&](int64_t pair) { return rule.plain(pair) / factor; });
    case RopeScalingType::kNtk: return write_stretched(rule, factor, first, out);
    case RopeScalingType::kDynamic:  // up to the original length the plain ones to the last bit
      if (!beyond) return write(first, out, [&](int64_t pair) { return rule.plain(pair); });
      return write_stretched(rule, factor * reached / scaling.original_length - (factor - 1), first,
                             out);
    case RopeScalingType::kNtkByParts: return write_by_parts(rule, first, out);
    case RopeScalingType::kYarn: return write_yarn(rule, first, out);
    case RopeScalingType::kLongrope: {
      const NumberList& divisors = beyond ? scaling.long_factor : scaling.short_factor;
      return write(first, out, [&](int64_t pair) { return rule.plain(pair) / divisors[pair]; });
    }
    case RopeScalingType::kLlama3:
      return write(first, out, [&](int64_t pair) { return llama3(scaling, rule.plain(pair)); });
  }
}

double rotary_amplitude(const RopeScaling& scaling, double reached) noexcept {
  if (scaling.type != RopeScalingType::kYarn && scaling.type != RopeScalingType::kLongrope)
    return 1;
  if (scaling.attention_factor) return *scaling.attention_factor;
  if (scaling.type == RopeScalingType::kYarn) {
    if (!scaling.mscale) return yarn_amplitude(scaling.factor, 1);
    return yarn_amplitude(scaling.factor, *scaling.mscale) /
           yarn_amplitude(scaling.factor, *scaling.mscale_all_dim);
  }
  const auto& own = beyond_original(scaling, reached) ? scaling.long_mscale : scaling.short_mscale;
  if (own) return *own;
  if (scaling.factor <= 1) return 1;
  return std::sqrt(1 + math::log(scaling.factor) / math::log(scaling.original_length));
}

Status check_scaling(const RopeOptions& options) noexcept {
  const RopeScaling& scaling = options.scaling;
  if (stretches_base(scaling.type) && *options.rotary_dim == 2) {
    return fail(ErrorCode::kOutOfRange, "rotaryDim", "2",
                "at least 4: base · factor^(d/(d-2)) has no value at d = 2");
  }
  const bool has_ramp =
      scaling.type == RopeScalingType::kYarn || scaling.type == RopeScalingType::kNtkByParts;
  if (has_ramp && options.base == 1) {
    return fail(ErrorCode::kOutOfRange, "base", "1",
                "above 1: the ramp needs pairs that differ in speed");
  }
  if (scaling.type == RopeScalingType::kYarn) return check_yarn(scaling);
  if (scaling.type == RopeScalingType::kLongrope)
    return check_longrope(scaling, *options.rotary_dim / 2);
  if (scaling.type == RopeScalingType::kLlama3 &&
      !(scaling.high_freq_factor > scaling.low_freq_factor)) {
    return fail(ErrorCode::kOutOfRange, "scaling.highFreqFactor", text_of(scaling.high_freq_factor),
                text_of("above lowFreqFactor, which is ", scaling.low_freq_factor));
  }
  return {};
}

}  // namespace posenc
