// What the bulk calls share: rows of positions and of heads, and gradients written one after the
// other.
#pragma once

#include <algorithm>
#include <cstdint>

#include "posenc/core/encoding.hpp"
#include "posenc/core/head_rows.hpp"
#include "posenc/core/positions.hpp"
#include "slots.hpp"

namespace posenc::bindings {

// The positions of one row of the batch, as they came.
inline Positions given_row(const PositionRows& rows, int64_t row) noexcept {
  if (rows.given == nullptr) return Positions::range(rows.start, rows.count);
  const int64_t offset = rows.per_row != 0 ? row * rows.count * rows.axes : 0;
  return Positions::array(rows.given + offset, rows.count, rows.axes);
}

// The same, contiguous where they count up: sums over distances are then added in the same order,
// so that gradients too have the same bits whichever way positions are given.
inline Positions row_of(const PositionRows& rows, int64_t row) noexcept {
  const Positions positions = given_row(rows, row);
  if (positions.contiguous() || positions.axes > 1 || positions.count == 0) return positions;
  const Positions counted = Positions::range(positions.at(0), positions.count);
  for (int64_t i = 0; i < positions.count; i++) {
    if (positions.at(i) != counted.at(i)) return positions;
  }
  return counted;
}

// Checks every row that differs from the others.
inline Status check_rows(const PositionRows& rows, int64_t batch, const Encoding& encoding,
                         const char* parameter) noexcept {
  const bool all = rows.given != nullptr && rows.per_row != 0;
  for (int64_t row = 0; row < (all ? batch : 1); row++) {
    if (Status status = encoding.check(given_row(rows, row), parameter); !status) return status;
  }
  return {};
}

// One Positions per row of the batch, or one for all, or none where the call left them out.
inline Status expand(const PositionRows& rows, int64_t batch, const char* parameter,
                     Buffer<Positions>& positions) noexcept {
  const bool each = rows.given != nullptr && rows.per_row != 0;
  Status status = positions.allocate(rows.present == 0 ? 0 : (each ? batch : 1), parameter);
  for (int64_t i = 0; status && i < positions.size(); i++) positions[i] = row_of(rows, i);
  return status;
}

// Null data gives rows that are not given().
template <typename T>
HeadRows<T> head_rows(int32_t packed, T* data, int64_t heads, int64_t length,
                      int64_t dim) noexcept {
  if (data == nullptr) return {};
  return packed != 0 ? HeadRows<T>::packed(data, heads, length, dim)
                     : HeadRows<T>::heads(data, heads, length, dim);
}

// Lays the gradients of the trained tensors one after the other from `block` on, zeroed; moves
// `block` past them.
inline Gradients gradients_at(const ParameterSet& parameters, float*& block) noexcept {
  Gradients gradients;
  for (int i = 0; i < parameters.count(); i++) {
    if (!parameters[i].trained) continue;
    gradients.of[static_cast<std::size_t>(i)] = block;
    block = std::fill_n(block, parameters[i].values.size(), 0.0F);
  }
  return gradients;
}
inline Gradients gradients_at(const Encoding& encoding, float*& block) noexcept {
  return gradients_at(encoding.parameters(), block);
}

}  // namespace posenc::bindings
