// Work on all cores gives what one core gives: gpu/reference/all_cores.h.
#include "gpu/reference/all_cores.h"

#include <gtest/gtest.h>

#include "gpu/lab/data.h"
#include "gpu/operators/affine.h"
#include "gpu/reference/product.h"

namespace warpview::reference {
namespace {

constexpr std::size_t sizes[] = {
    0, 1, block_items - 1, block_items, block_items + 1, 3 * block_items, 5 * block_items + 77};

TEST(AllCores, VisitEveryItemOnce) {
  for (const Cores cores : {Cores::one, Cores::all})
    for (const std::size_t n : sizes) {
      std::vector<int> visits(n);
      for_each_block(
          n,
          [&](std::size_t begin, std::size_t end) {
            EXPECT_EQ(begin % block_items, 0U);
            EXPECT_LE(end - begin, block_items);
            for (std::size_t i = begin; i < end; ++i) ++visits[i];
          },
          cores);
      EXPECT_EQ(visits, std::vector<int>(n, 1)) << n;
    }
}

TEST(AllCores, KeepTheOrderOfEqualKeys) {
  for (const std::size_t n : sizes) {
    const auto keys = lab::integers(lab::Distribution::few, n, 16, 3);
    const auto less = [&keys](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; };
    EXPECT_EQ(stable_order(n, less, Cores::all), stable_order(n, less, Cores::one)) << n;
  }
}

// Of an operator for which the order matters.
TEST(AllCores, ScanAsOneDoes) {
  for (const std::size_t n : sizes)
    for (const bool inclusive : {false, true}) {
      std::vector<Affine> maps;
      for (const std::uint64_t word : lab::integers(lab::Distribution::uniform, n, 64, 5))
        maps.push_back(
            {static_cast<std::uint32_t>(word >> 32U) | 1U, static_cast<std::uint32_t>(word)});
      const auto scanned = [&](Cores cores) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> words;
        for (const Affine& map : scan(std::span<const Affine>(maps), inclusive,
                                      ComposeAffine::identity(), ComposeAffine::combine, cores))
          words.emplace_back(map.factor, map.offset);
        return words;
      };
      EXPECT_EQ(scanned(Cores::all), scanned(Cores::one)) << n;
    }
}

// As three loops do, of numbers whose sums are exact.
TEST(AllCores, MultiplyAsOneDoes) {
  struct Shape {
    std::size_t rows, inner, columns;
  };
  for (const auto& [rows, inner, columns] :
       {Shape{0, 0, 0}, Shape{1, 1, 1}, Shape{33, 3, 5}, Shape{31, 4, 513}, Shape{65, 70, 1025}}) {
    const auto random = lab::integers(lab::Distribution::uniform, (rows + columns) * inner, 5, 7);
    const std::vector<float> a(random.begin(),
                               random.begin() + static_cast<std::ptrdiff_t>(rows * inner));
    const std::vector<float> b(random.begin() + static_cast<std::ptrdiff_t>(rows * inner),
                               random.end());
    std::vector<float> want(rows * columns);
    for (std::size_t row = 0; row < rows; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        for (std::size_t k = 0; k < inner; ++k)
          want[row * columns + column] += a[row * inner + k] * b[k * columns + column];
    for (const Cores cores : {Cores::one, Cores::all})
      EXPECT_EQ(product(a, b, rows, inner, columns, cores), want) << rows;
  }
}

}  // namespace
}  // namespace warpview::reference
