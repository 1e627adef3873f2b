#include "gpu/reference/product.h"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "gpu/runtime/cpu/interruption.h"

namespace warpview::reference {
namespace {

// A strip of rows of the result is made tile by tile: these rows of the strip stay in the core's L2
// cache while all of b passes through, four rows of its tile at a time.
constexpr std::size_t strip_rows = 32;
constexpr std::size_t tile_columns = 512;

struct Factors {
  std::span<const float> a, b;
  std::size_t inner, columns;

  // c[0 .. width) += the row's elements k .. k + count of a times those rows of b, from `column`
  // on.
  void add(std::size_t row, std::size_t k, std::size_t count, std::size_t column, std::size_t width,
           float* c) const {
    const float* const from_a = &a[row * inner + k];
    const float* const from_b = &b[k * columns + column];
    if (count == 4) {
      const float a0 = from_a[0];
      const float a1 = from_a[1];
      const float a2 = from_a[2];
      const float a3 = from_a[3];
      const float* const b1 = from_b + columns;
      const float* const b2 = b1 + columns;
      const float* const b3 = b2 + columns;
      for (std::size_t j = 0; j < width; ++j)
        c[j] += (a0 * from_b[j] + a1 * b1[j]) + (a2 * b2[j] + a3 * b3[j]);
    } else {
      for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < width; ++j) c[j] += from_a[i] * from_b[i * columns + j];
    }
  }
};

}  // namespace

std::vector<float> product(std::span<const float> a, std::span<const float> b, std::size_t rows,
                           std::size_t inner, std::size_t columns, Cores cores) {
  std::vector<float> c(rows * columns);
  const Factors factors{a, b, inner, columns};
  const Interruptible* const interruptible = Interruptible::here();
  const auto one_strip = [&](std::size_t strip) {
    const std::size_t end = std::min(rows, (strip + 1) * strip_rows);
    for (std::size_t column = 0; column < columns; column += tile_columns) {
      if (interruptible) interruptible->ask();
      const std::size_t width = std::min(tile_columns, columns - column);
      for (std::size_t k = 0; k < inner; k += 4)
        for (std::size_t row = strip * strip_rows; row < end; ++row)
          factors.add(row, k, std::min<std::size_t>(4, inner - k), column, width,
                      &c[row * columns + column]);
    }
  };
  const std::size_t strips = (rows + strip_rows - 1) / strip_rows;
  if (takes_all(cores, rows * inner * columns))
    tbb::parallel_for(std::size_t{0}, strips, one_strip);
  else
    for (std::size_t strip = 0; strip < strips; ++strip) one_strip(strip);
  return c;
}

}  // namespace warpview::reference
