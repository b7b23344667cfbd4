#include "posenc/rotary/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posenc {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

// base^(-2m/d)
double plain(double base, int64_t dim, int64_t pair) noexcept {
  return std::pow(base, -2.0 * static_cast<double>(pair) / static_cast<double>(dim));
}

// The base whose slowest pair is `factor` times slower than the old one's, while the fastest stays.
double stretched_base(double base, double factor, int64_t dim) noexcept {
  const auto d = static_cast<double>(dim);
  return base * std::pow(factor, d / (d - 2));
}

// 0 up to pair `low`, 1 from pair `high` on. As the published code has it: equal ends become a step.
struct Ramp {
  double low, high;
  double at(int64_t pair) const noexcept {
    const double width = low == high ? 0.001 : high - low;
    return std::clamp((static_cast<double>(pair) - low) / width, 0.0, 1.0);
  }
};

// Between the pairs that make `fast` and `slow` turns within the original length.
Ramp ramp_of(const RopeFrequencyRule& rule, double fast, double slow, bool truncate) noexcept {
  const auto d = static_cast<double>(rule.rotary_dim);
  const auto pair_of = [&](double turns) {
    return d * std::log(static_cast<double>(rule.scaling.original_length) / (turns * kTurn)) /
           (2 * std::log(rule.base));
  };
  double low = pair_of(fast), high = pair_of(slow);
  if (truncate) low = std::floor(low), high = std::ceil(high);
  return {std::max(low, 0.0), std::min(high, d - 1)};
}

double blend(double a, double b, double share_of_b) noexcept { return a * (1 - share_of_b) + b * share_of_b; }

double llama3(const RopeScaling& scaling, double frequency) noexcept {
  const double turns = static_cast<double>(scaling.original_length) * frequency / kTurn;  // within the original length
  if (turns > scaling.high_freq_factor) return frequency;
  if (turns < scaling.low_freq_factor) return frequency / scaling.factor;
  const double share = (turns - scaling.low_freq_factor) / (scaling.high_freq_factor - scaling.low_freq_factor);
  return blend(frequency / scaling.factor, frequency, share);
}

// YaRN's fit: 1/t of the paper is the square of this.
double yarn_amplitude(double factor, double mscale) noexcept {
  return factor <= 1 ? 1 : 0.1 * mscale * std::log(factor) + 1;
}

bool beyond(const RopeScaling& scaling, double reached) noexcept {
  return reached > static_cast<double>(scaling.original_length);
}

}  // namespace

bool RopeFrequencyRule::depends_on_reach() const noexcept {
  return scaling.type == RopeScalingType::kDynamic || scaling.type == RopeScalingType::kLongrope;
}

void RopeFrequencyRule::frequencies(double reached, int64_t first, std::span<double> out) const noexcept {
  const auto write = [&](auto frequency_of) {
    for (double& value : out) value = frequency_of(first++);
  };
  const auto plain_at = [&](int64_t pair) { return plain(base, rotary_dim, pair); };
  const double factor = scaling.factor;
  switch (scaling.type) {
    case RopeScalingType::kDefault:
      return write(plain_at);
    case RopeScalingType::kLinear:
      return write([&](int64_t pair) { return plain_at(pair) / factor; });
    case RopeScalingType::kNtk: {
      const double wide = stretched_base(base, factor, rotary_dim);
      return write([&](int64_t pair) { return plain(wide, rotary_dim, pair); });
    }
    case RopeScalingType::kDynamic: {
      if (!beyond(scaling, reached)) return write(plain_at);  // exactly the trained frequencies
      const double stretch = factor * reached / static_cast<double>(scaling.original_length) - (factor - 1);
      const double wide = stretched_base(base, stretch, rotary_dim);
      return write([&](int64_t pair) { return plain(wide, rotary_dim, pair); });
    }
    case RopeScalingType::kNtkByParts: {
      const double wide = stretched_base(base, factor, rotary_dim);
      const Ramp ntk = ramp_of(*this, scaling.beta_0, scaling.beta_1, true);
      const Ramp as_trained = ramp_of(*this, scaling.gamma_0, scaling.gamma_1, true);
      return write([&](int64_t pair) {
        const double share = (1 - ntk.at(pair)) * scaling.ntk_factor;
        const double slow = blend(plain_at(pair) / factor, plain(wide, rotary_dim, pair), share);
        return blend(slow, plain_at(pair), (1 - as_trained.at(pair)) * scaling.extrapolation_factor);
      });
    }
    case RopeScalingType::kYarn: {
      const Ramp ramp = ramp_of(*this, scaling.beta_fast, scaling.beta_slow, scaling.truncate);
      return write([&](int64_t pair) { return blend(plain_at(pair), plain_at(pair) / factor, ramp.at(pair)); });
    }
    case RopeScalingType::kLongrope: {
      const NumberList& factors = beyond(scaling, reached) ? scaling.long_factor : scaling.short_factor;
      return write([&](int64_t pair) { return plain_at(pair) / factors[pair]; });
    }
    case RopeScalingType::kLlama3:
      return write([&](int64_t pair) { return llama3(scaling, plain_at(pair)); });
  }
}

double RopeFrequencyRule::attention_factor(double reached) const noexcept {
  if (scaling.type != RopeScalingType::kYarn && scaling.type != RopeScalingType::kLongrope) return 1;
  if (scaling.attention_factor) return *scaling.attention_factor;
  if (scaling.type == RopeScalingType::kYarn) {
    if (!scaling.mscale) return yarn_amplitude(scaling.factor, 1);
    return yarn_amplitude(scaling.factor, *scaling.mscale) / yarn_amplitude(scaling.factor, *scaling.mscale_all_dim);
  }
  const auto& own = beyond(scaling, reached) ? scaling.long_mscale : scaling.short_mscale;
  if (own) return *own;
  if (scaling.factor <= 1) return 1;
  return std::sqrt(1 + std::log(scaling.factor) / std::log(static_cast<double>(scaling.original_length)));
}

namespace {

Status check_list(const NumberList& list, int64_t pairs, const char* name) noexcept {
  if (list.size() == pairs) return {};
  return fail(ErrorCode::kShapeMismatch, name, text_of(list.size(), " numbers"),
              text_of(pairs, " numbers, rotaryDim / 2"));
}

Status check_order(double high, double low, const char* high_name, const char* low_name) noexcept {
  if (high > low) return {};
  return fail(ErrorCode::kOutOfRange, high_name, text_of(high), text_of("above ", low_name, ", which is ", low));
}

bool stretches_base(RopeScalingType type) noexcept {
  return type == RopeScalingType::kNtk || type == RopeScalingType::kDynamic || type == RopeScalingType::kNtkByParts;
}

// One of DeepSeek's pair alone would be ignored by the published code.
Status check_mscales(const RopeScaling& scaling) noexcept {
  if (scaling.mscale.has_value() == scaling.mscale_all_dim.has_value()) return {};
  return fail(ErrorCode::kMissingOption, scaling.mscale ? "scaling.mscaleAllDim" : "scaling.mscale", "nothing",
              "a finite number above 0: mscale and mscaleAllDim go together");
}

}  // namespace

Status check_rope_scaling(const RopeFrequencyRule& rule) noexcept {
  const RopeScaling& scaling = rule.scaling;
  if (stretches_base(scaling.type) && rule.rotary_dim == 2) {
    return fail(ErrorCode::kOutOfRange, "rotaryDim", "2", "at least 4: base · factor^(d/(d-2)) has no value at 2");
  }
  const bool ramps = scaling.type == RopeScalingType::kYarn || scaling.type == RopeScalingType::kNtkByParts;
  if (ramps && rule.base == 1) {
    return fail(ErrorCode::kOutOfRange, "base", "1", "above 1: the ramp needs pairs of different speed");
  }
  if (scaling.type == RopeScalingType::kYarn) {
    if (Status status = check_mscales(scaling); !status) return status;
    return check_order(scaling.beta_fast, scaling.beta_slow, "scaling.betaFast", "scaling.betaSlow");
  }
  if (scaling.type == RopeScalingType::kLlama3) {
    return check_order(scaling.high_freq_factor, scaling.low_freq_factor, "scaling.highFreqFactor",
                       "scaling.lowFreqFactor");
  }
  if (scaling.type == RopeScalingType::kLongrope) {
    const int64_t pairs = rule.rotary_dim / 2;
    if (Status status = check_list(scaling.short_factor, pairs, "scaling.shortFactor"); !status) return status;
    return check_list(scaling.long_factor, pairs, "scaling.longFactor");
  }
  return {};
}

}  // namespace posenc
