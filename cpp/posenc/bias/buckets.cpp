#include "posenc/bias/buckets.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "posenc/core/math.hpp"

namespace posenc {
namespace {

constexpr int64_t kNear = 1024;

// The smallest whole distance n with n >= exact · (max / exact)^(step / steps). The power is within
// a few ulp; where it is that close to a whole number, it is that number.
double first_distance(double exact, double max, int64_t step, int64_t steps) noexcept {
  const double bound =
      exact * math::power(max / exact, static_cast<double>(step) / static_cast<double>(steps));
  const double nearest = std::round(bound);
  return std::abs(bound - nearest) <= 1e-12 * bound ? nearest : std::ceil(bound);
}

}  // namespace

Status DistanceBuckets::prepare(int64_t buckets, int64_t max_distance, bool two_sides,
                                TextRef count_name, TextRef distance_name) noexcept {
  two_sides_ = two_sides;
  side_ = two_sides ? buckets / 2 : buckets;
  exact_ = side_ / 2;
  if (exact_ < 1) {
    return fail(ErrorCode::kOutOfRange, count_name, text_of(buckets),
                two_sides ? "at least 4, two for each side" : "at least 2");
  }
  if (max_distance <= exact_) {
    return fail(ErrorCode::kOutOfRange, distance_name, text_of(max_distance),
                text_of("more than ", exact_, ", the distances that have a bucket of their own"));
  }
  const int64_t steps = side_ - exact_;
  if (Status status = first_.allocate(steps - 1, count_name); !status) return status;
  for (int64_t step = 1; step < steps; step++) {
    first_[step - 1] =
        first_distance(static_cast<double>(exact_), static_cast<double>(max_distance), step, steps);
  }
  Buffer<int32_t> near;  // apart until it is filled: `of` reads near_
  if (Status status = near.allocate(std::min(max_distance, kNear), distance_name); !status)
    return status;
  for (int64_t n = 0; n < near.size(); n++)
    near[n] = static_cast<int32_t>(of(-static_cast<double>(n)));
  near_ = std::move(near);
  return {};
}

int64_t DistanceBuckets::of(double relative) const noexcept {
  const bool ahead = relative > 0;
  if (ahead && !two_sides_) return 0;
  const double distance = std::abs(relative);
  const int64_t base = ahead ? side_ : 0;
  if (distance < static_cast<double>(near_.size()))
    return base + near_[static_cast<int64_t>(distance)];
  if (distance < static_cast<double>(exact_)) return base + static_cast<int64_t>(distance);
  const auto first = first_.span();
  return base + exact_ + (std::upper_bound(first.begin(), first.end(), distance) - first.begin());
}

}  // namespace posenc
