// Products with rows as they stand in memory, `stride` floats apart: what a single query needs,
// where reading the rows is all the cost.
#pragma once

#include <cstdint>

namespace posenc::kernels {

// out[i] = row i · query
void dot_rows(const float* rows, int64_t stride, int64_t count, const float* query, int64_t width,
              float* out) noexcept;
// out = out · factor + Σ weights[i] · row i
void add_rows(const float* rows, int64_t stride, int64_t count, const float* weights, int64_t width,
              float factor, float* out) noexcept;
// The same for rows that come from far away in memory, each read once: slower where they are near
// already.
void add_rows_in_order(const float* rows, int64_t stride, int64_t count, const float* weights,
                       int64_t width, float factor, float* out) noexcept;
// The same where rows may hold NaN or infinity that zero weights must hide: such rows are left out.
void add_rows_sparse(const float* rows, int64_t stride, int64_t count, const float* weights,
                     int64_t width, float factor, float* out) noexcept;

}  // namespace posenc::kernels
