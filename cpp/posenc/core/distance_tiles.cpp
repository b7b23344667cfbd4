#include "posenc/core/distance_tiles.hpp"

#include <algorithm>

#include "posenc/kernels/distances.hpp"
#include "posenc/kernels/elementwise.hpp"

namespace posenc {
namespace {

constexpr int64_t kChunk = 256;

bool sliced(const BiasHead& head) noexcept {
  return head.query.contiguous() && head.key.contiguous();
}

// Place 0 of the vector is the distance from the last query to the first key.
double first_distance(const BiasHead& head) noexcept {
  return head.key.at(0) - head.query.at(head.query.count - 1);
}
int64_t place(const BiasHead& head, int64_t query, int64_t key) noexcept {
  return key - query + head.query.count - 1;
}

// Calls body(offset, distances, count) over the whole vector, a chunk at a time.
template <typename Body>
void for_chunks(const BiasHead& head, Body body) noexcept {
  double distances[kChunk];
  const double first = first_distance(head);
  const int64_t size = distance_scratch_floats(head.query, head.key);
  for (int64_t offset = 0; offset < size; offset += kChunk) {
    const int64_t count = std::min(kChunk, size - offset);
    kernels::count_distances(first, offset, count, distances);
    body(offset, distances, count);
  }
}

// Calls body(row, column, distances, count) over a tile whose positions are given.
template <typename Body>
void for_rows(const BiasHead& head, const ScoreTile& tile, Body body) noexcept {
  double distances[kChunk];
  for (int64_t row = 0; row < tile.queries; row++) {
    const double query = head.query.at(tile.first_query + row);
    for (int64_t column = 0; column < tile.keys; column += kChunk) {
      const int64_t count = std::min(kChunk, tile.keys - column);
      for (int64_t i = 0; i < count; i++) {
        distances[i] = head.key.at(tile.first_key + column + i) - query;
      }
      body(row, column, distances, count);
    }
  }
}

}  // namespace

int64_t distance_scratch_floats(const Positions& query, const Positions& key) noexcept {
  if (!query.contiguous() || !key.contiguous() || query.count == 0 || key.count == 0) return 0;
  return query.count + key.count - 1;
}

void distance_begin(const DistanceFunction& bias, const BiasHead& head) noexcept {
  if (!sliced(head)) return;
  for_chunks(head, [&](int64_t offset, const double* distances, int64_t count) {
    bias.evaluate(head.head, distances, count, head.values + offset);
  });
  if (head.sums) std::fill_n(head.sums, distance_scratch_floats(head.query, head.key), 0.0F);
}

void distance_apply(const DistanceFunction& bias, const BiasHead& head, const ScoreTile& tile,
                    float* scores, bool assign) noexcept {
  const auto write = [&](int64_t row, int64_t column, const float* values, int64_t count) {
    float* out = scores + row * tile.stride + column;
    if (assign)
      kernels::copy(values, count, out);
    else
      kernels::add(values, count, out);
  };
  if (sliced(head)) {
    for (int64_t row = 0; row < tile.queries; row++) {
      write(row, 0, head.values + place(head, tile.first_query + row, tile.first_key), tile.keys);
    }
    return;
  }
  float values[kChunk];
  for_rows(head, tile, [&](int64_t row, int64_t column, const double* distances, int64_t count) {
    bias.evaluate(head.head, distances, count, values);
    write(row, column, values, count);
  });
}

void distance_accumulate(const DistanceFunction& bias, const BiasHead& head, const ScoreTile& tile,
                         const float* d_scores, Gradients& gradients) noexcept {
  if (sliced(head)) {
    for (int64_t row = 0; row < tile.queries; row++) {
      float* sums = head.sums + place(head, tile.first_query + row, tile.first_key);
      kernels::add(d_scores + row * tile.stride, tile.keys, sums);
    }
    return;
  }
  for_rows(head, tile, [&](int64_t row, int64_t column, const double* distances, int64_t count) {
    bias.backward(head.head, distances, count, d_scores + row * tile.stride + column, gradients);
  });
}

void distance_finish(const DistanceFunction& bias, const BiasHead& head,
                     Gradients& gradients) noexcept {
  if (!sliced(head)) return;
  for_chunks(head, [&](int64_t offset, const double* distances, int64_t count) {
    bias.backward(head.head, distances, count, head.sums + offset, gradients);
  });
}

}  // namespace posenc
