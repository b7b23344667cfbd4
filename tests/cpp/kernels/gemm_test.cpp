#include "posenc/kernels/gemm.hpp"

#include <cmath>
#include <limits>

#include "posenc/kernels/rows.hpp"
#include "support/compare.hpp"
#include "support/lanes.hpp"

namespace posenc {
namespace {

using kernels::kBundle;
using kernels::kPanel;
using kernels::kTile;
using kernels::padded;
using testing::check_close;
using testing::random_floats;
using Floats = std::vector<float>;
using Doubles = std::vector<double>;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::size_t size(int64_t count) { return static_cast<std::size_t>(count); }

// a [rows, depth] · b [depth, columns]
Doubles product(const Floats& a, const Floats& b, int64_t rows, int64_t columns, int64_t depth) {
  Doubles c(size(rows * columns));
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < columns; j++) {
      for (int64_t k = 0; k < depth; k++) {
        c[size(i * columns + j)] +=
            static_cast<double>(a[size(i * depth + k)]) * b[size(k * columns + j)];
      }
    }
  }
  return c;
}

Floats transposed(const Floats& x, int64_t rows, int64_t columns) {
  Floats result(x.size());
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < columns; j++) result[size(j * rows + i)] = x[size(i * columns + j)];
  }
  return result;
}

// The upper left part of a matrix whose rows are `stride` apart.
Floats part(const Floats& x, int64_t stride, int64_t rows, int64_t columns) {
  Floats result;
  for (int64_t i = 0; i < rows; i++) {
    result.insert(result.end(), x.begin() + i * stride, x.begin() + i * stride + columns);
  }
  return result;
}

Floats in_tile(const Floats& x, int64_t rows, int64_t columns) {
  Floats tile(size(kTile * kTile), kNan);
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < columns; j++) tile[size(i * kTile + j)] = x[size(i * columns + j)];
  }
  return tile;
}

TEST_CASE("gemm: packed forms hold every element once and zeros where something is missing") {
  for (int64_t count : {1, 3, 4, 7, 8, 9, 33}) {
    for (int64_t width : testing::awkward_sizes()) {
      const int64_t stride = width + 3;
      const Floats x = random_floats(size(count * stride), 11);
      Floats rows(size(padded(count, kPanel) * width), kNan),
          columns(size(count * padded(width, kPanel)), kNan);
      kernels::pack_rows(x.data(), stride, count, width, kPanel, rows.data());
      kernels::pack_columns(x.data(), stride, count, width, columns.data());
      for (int64_t i = 0; i < padded(count, kPanel); i++) {
        for (int64_t k = 0; k < width; k++) {
          CHECK(rows[size((i / kPanel * width + k) * kPanel + i % kPanel)] ==
                (i < count ? x[size(i * stride + k)] : 0));
        }
      }
      for (int64_t i = 0; i < count; i++) {
        for (int64_t k = 0; k < padded(width, kPanel); k++) {
          CHECK(columns[size((k / kPanel * count + i) * kPanel + k % kPanel)] ==
                (k < width ? x[size(i * stride + k)] : 0));
        }
      }
    }
  }
}

TEST_CASE("gemm: products at awkward sizes") {
  auto widths = testing::awkward_sizes();
  widths.insert(widths.end(), {2 * testing::lanes() - 1, 2 * testing::lanes(), 40, 64});
  for (int64_t rows : {1, 2, 4, 5, 63, 64}) {
    for (int64_t columns : widths) {
      for (int64_t depth : {1, 2, 5, 64}) {
        CAPTURE(rows);
        CAPTURE(columns);
        CAPTURE(depth);
        const Floats a = random_floats(size(rows * depth), 1),
                     b = random_floats(size(depth * columns), 2);
        const Doubles want = product(a, b, rows, columns, depth);
        const int64_t stride = padded(columns, kPanel) + kPanel;
        Floats bundles(size(padded(rows, kBundle) * depth)),
            panels(size(depth * padded(columns, kPanel)));
        kernels::pack_rows(a.data(), depth, rows, depth, kBundle, bundles.data());
        kernels::pack_columns(b.data(), columns, depth, columns, panels.data());
        Floats c(size(padded(rows, kBundle) * stride), kNan);
        kernels::multiply(bundles.data(), panels.data(), rows, columns, depth, c.data(), stride);
        check_close(part(c, stride, rows, columns), want, 3e-6, "multiply");
        Floats singles;
        for (int64_t i = 0; i < rows * columns; i++) {
          singles.push_back(kernels::multiply_one(bundles.data(), panels.data(), i / columns,
                                                  i % columns, depth));
        }
        check_close(singles, want, 3e-6, "multiply_one");

        // C that holds something, each row multiplied by a factor first.
        const Floats held = random_floats(c.size(), 3), factors = random_floats(size(kTile), 4);
        Doubles scaled = want, added = want;
        for (int64_t i = 0; i < rows; i++) {
          for (int64_t j = 0; j < columns; j++) {
            scaled[size(i * columns + j)] +=
                static_cast<double>(held[size(i * stride + j)]) * factors[size(i)];
            added[size(i * columns + j)] += held[size(i * stride + j)];
          }
        }
        const Floats tile = in_tile(a, rows, depth),
                     turned = in_tile(transposed(a, rows, depth), depth, rows);
        for (const auto multiply : {kernels::multiply_tile, kernels::multiply_tile_sparse}) {
          c = held;
          multiply(tile.data(), panels.data(), rows, columns, depth, factors.data(), c.data(),
                   stride);
          check_close(part(c, stride, rows, columns), scaled, 3e-6, "multiply_tile");
        }
        for (const auto multiply :
             {kernels::multiply_tile_transposed, kernels::multiply_tile_transposed_sparse}) {
          c = held;
          multiply(turned.data(), panels.data(), rows, columns, depth, c.data(), stride);
          check_close(part(c, stride, rows, columns), added, 3e-6, "multiply_tile_transposed");
        }
      }
    }
  }
}

TEST_CASE("gemm: the sparse products leave out what zeros hide") {
  constexpr int64_t kRows = 5, kColumns = 9, kDepth = 6;
  Floats a = random_floats(kRows * kDepth, 5), b = random_floats(kDepth * kColumns, 6);
  for (int64_t i = 0; i < kRows; i++) a[size(i * kDepth + 2)] = 0;
  Floats clean = b;
  for (int64_t j = 0; j < kColumns; j++) {
    b[size(2 * kColumns + j)] = j % 2 == 0 ? kNan : std::numeric_limits<float>::infinity();
    clean[size(2 * kColumns + j)] = 0;
  }
  const Doubles want = product(a, clean, kRows, kColumns, kDepth);
  const int64_t stride = padded(kColumns, kPanel);
  Floats panels(size(kDepth * stride)), c(size(padded(kRows, kBundle) * stride)), ones(kTile, 1);
  kernels::pack_columns(b.data(), kColumns, kDepth, kColumns, panels.data());
  kernels::multiply_tile_sparse(in_tile(a, kRows, kDepth).data(), panels.data(), kRows, kColumns,
                                kDepth, ones.data(), c.data(), stride);
  check_close(part(c, stride, kRows, kColumns), want, 1e-6, "rows");
  c.assign(c.size(), 0);
  kernels::multiply_tile_transposed_sparse(
      in_tile(transposed(a, kRows, kDepth), kDepth, kRows).data(), panels.data(), kRows, kColumns,
      kDepth, c.data(), stride);
  check_close(part(c, stride, kRows, kColumns), want, 1e-6, "columns");
}

TEST_CASE("rows: products with rows as they stand") {
  auto widths = testing::awkward_sizes();
  widths.insert(widths.end(), {4 * testing::lanes() - 1, 4 * testing::lanes() + 5, 20, 128});
  for (int64_t count : {1, 2, 3, 4, 5, 11, 64}) {
    for (int64_t width : widths) {
      CAPTURE(count);
      CAPTURE(width);
      const int64_t stride = width + 5;
      Floats x = random_floats(size(count * stride), 7);
      const Floats query = random_floats(size(width), 8), weights = random_floats(size(count), 9);
      const Floats rows = part(x, stride, count, width);
      Floats out(size(count));
      kernels::dot_rows(x.data(), stride, count, query.data(), width, out.data());
      check_close(out, product(rows, query, count, 1, width), 5e-6, "dot_rows");

      const Floats held = random_floats(size(width), 10);
      Doubles want = product(weights, rows, 1, width, count);
      for (int64_t j = 0; j < width; j++) want[size(j)] += 0.5 * held[size(j)];
      for (const auto add :
           {kernels::add_rows, kernels::add_rows_in_order, kernels::add_rows_sparse}) {
        Floats sum = held;
        add(x.data(), stride, count, weights.data(), width, 0.5F, sum.data());
        check_close(sum, want, 5e-6, "add_rows");
      }
      Floats hidden = weights, sum = held;
      hidden[0] = 0;
      for (int64_t j = 0; j < width; j++) x[size(j)] = kNan;
      kernels::add_rows_sparse(x.data(), stride, count, hidden.data(), width, 1, sum.data());
      for (float value : sum) CHECK(std::isfinite(value));
    }
  }
}

}  // namespace
}  // namespace posenc
