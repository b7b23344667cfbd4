#include "posenc/bias/fire.hpp"

#include <algorithm>

#include "posenc/kernels/distances.hpp"
#include "posenc/kernels/elementwise.hpp"
#include "posenc/kernels/hinges.hpp"

namespace posenc {
namespace {

bool sliced(const BiasHead& head) noexcept {
  return head.query.contiguous() && head.key.contiguous();
}
// The distances that contiguous positions have, from the last query and the first key to the first
// and the last.
int64_t span_of(const Positions& query, const Positions& key) noexcept {
  return query.count + key.count - 1;
}
int64_t place(const BiasHead& head, const PairRow& row) noexcept {
  return row.first_key - row.query + head.query.count - 1;
}
double distance_at(const BiasHead& head, int64_t place) noexcept {
  return head.key.at(0) - head.query.at(head.query.count - 1) + static_cast<double>(place);
}

void fill_distances(const BiasHead& head, const PairRow& row, double* out) noexcept {
  const double query = head.query.at(row.query);
  for (int64_t i = 0; i < row.count; i++) out[i] = head.key.at(row.first_key + i) - query;
}

// Calls body(place, distances, count) over all distances of contiguous positions.
template <typename Body>
void for_chunks(const BiasHead& head, Body body) noexcept {
  double distances[kPairChunk];
  const int64_t size = span_of(head.query, head.key);
  for (int64_t first = 0; first < size; first += kPairChunk) {
    const int64_t count = std::min(kPairChunk, size - first);
    for (int64_t i = 0; i < count; i++) distances[i] = distance_at(head, first + i);
    body(first, distances, count);
  }
}

void add(float* gradient, double value) noexcept {
  if (gradient) *gradient += static_cast<float>(value);
}

}  // namespace

// Logarithms of all distances, and the biases of all for queries up to the threshold.
int64_t Fire::scratch_floats(const Positions& query, const Positions& key) const noexcept {
  if (!query.contiguous() || !key.contiguous() || query.count == 0 || key.count == 0) return 0;
  return 2 * span_of(query, key);
}

void Fire::curve(int64_t head, const float* logs, double norm, int64_t count,
                 float* out) const noexcept {
  float shares[kPairChunk];
  kernels::scale(logs, static_cast<float>(norm), count, shares);
  const int64_t width = options_.width;
  kernels::hinges({width, parameters_[kW1].values.data(), parameters_[kB1].values.data(),
                   parameters_[kW2].values.data() + head * width, parameters_[kB2].values[head]},
                  shares, count, out);
}

void Fire::begin(const BiasHead& head) const noexcept {
  if (!sliced(head) || head.query.count == 0 || head.key.count == 0) return;
  const int64_t size = span_of(head.query, head.key);
  const double slope = c(), shared = norm(threshold());
  for_chunks(head, [&](int64_t first, const double* distances, int64_t count) {
    kernels::log_of_distances(distances, count, 1, slope, 1, head.values + first);
    curve(head.head, head.values + first, shared, count, head.values + size + first);
  });
  if (head.sums) std::fill_n(head.sums + size, size, 0.0F);
}

void Fire::evaluate(const BiasHead& head, const PairRow& row, float* out) const noexcept {
  const double position = head.query.at(row.query), reach = std::max(position, threshold());
  if (sliced(head)) {
    const float* logs = head.values + place(head, row);
    if (position <= threshold())
      return kernels::copy(logs + span_of(head.query, head.key), row.count, out);
    return curve(head.head, logs, norm(reach), row.count, out);
  }
  double distances[kPairChunk];
  float logs[kPairChunk];
  fill_distances(head, row, distances);
  kernels::log_of_distances(distances, row.count, 1, c(), 1, logs);
  curve(head.head, logs, norm(reach), row.count, out);
}

void Fire::take_in(int64_t head, const double* distances, const float* logs, double position,
                   const float* d_bias, int64_t count, Gradients& gradients) const noexcept {
  const double slope = c(), limit = threshold(), reach = std::max(position, limit),
               factor = norm(reach);
  const int64_t width = options_.width;
  float shares[kPairChunk], d_shares[kPairChunk];
  kernels::scale(logs, static_cast<float>(factor), count, shares);
  const kernels::HingeGradients of{gradients.of[kW1], gradients.of[kB1],
                                   gradients.of[kW2] ? gradients.of[kW2] + head * width : nullptr};
  kernels::hinges_backward({width, parameters_[kW1].values.data(), parameters_[kB1].values.data(),
                            parameters_[kW2].values.data() + head * width, 0},
                           shares, count, d_bias, of, d_shares);
  // share = log · factor, log = ln(1 + c|d|), factor = 1 / (ln(1 + c · reach) + eps)
  double sum = 0, by_log = 0, by_factor = 0;
  for (int64_t i = 0; i < count; i++) {
    const double distance = std::abs(distances[i]);
    sum += d_bias[i];
    by_log += d_shares[i] * distance / (1 + slope * distance);
    by_factor += static_cast<double>(d_shares[i]) * logs[i];
  }
  add(gradients.of[kB2] ? gradients.of[kB2] + head : nullptr, sum);
  const double d_factor = -by_factor * factor * factor / (1 + slope * reach);  // by c·reach
  const auto sign = [](float value) { return value < 0 ? -1.0 : 1.0; };
  add(gradients.of[kC], sign(parameters_[kC].values[0]) * (factor * by_log + d_factor * reach));
  if (position > limit) return;
  const double share = position == limit ? 0.5 : 1;  // max(i, L) where both are the same
  add(gradients.of[kMultiplier],
      share * d_factor * slope * sign(parameters_[kMultiplier].values[0]) * options_.init_l);
}

void Fire::backward(const BiasHead& head, const PairRow& row, const float* d_bias,
                    Gradients& gradients) const noexcept {
  const double position = head.query.at(row.query);
  if (sliced(head) && position < threshold()) {
    float* sums = head.sums + span_of(head.query, head.key) + place(head, row);
    return kernels::add(d_bias, row.count, sums);
  }
  double distances[kPairChunk];
  float made[kPairChunk];
  fill_distances(head, row, distances);
  const float* logs = sliced(head) ? head.values + place(head, row) : made;
  if (!sliced(head)) kernels::log_of_distances(distances, row.count, 1, c(), 1, made);
  take_in(head.head, distances, logs, position, d_bias, row.count, gradients);
}

void Fire::finish(const BiasHead& head, Gradients& gradients) const noexcept {
  if (!sliced(head) || head.query.count == 0 || head.key.count == 0 ||
      head.query.at(0) >= threshold())
    return;
  const int64_t size = span_of(head.query, head.key);
  for_chunks(head, [&](int64_t first, const double* distances, int64_t count) {
    take_in(head.head, distances, head.values + first, -HUGE_VAL, head.sums + size + first, count,
            gradients);
  });
}

}  // namespace posenc
