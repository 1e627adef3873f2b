// Work on all cores gives the same results as on one core: gpu/reference/all_cores.h.
#include "gpu/reference/all_cores.h"

#include <gtest/gtest.h>

#include <cstring>

#include "gpu/lab/data.h"
#include "gpu/operators/affine.h"
#include "gpu/reference/key_values.h"
#include "gpu/reference/product.h"
#include "gpu/reference/reference.h"

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

// With a non-commutative operator.
TEST(AllCores, ScanAsOneCoreDoes) {
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

TEST(AllCores, PartitionItemsInOrder) {
  const auto part_of = [](std::uint32_t i) { return i * 2654435761U >> 22U; };
  for (const Cores cores : {Cores::one, Cores::all})
    for (const std::size_t n : sizes) {
      const Parts parts(n, part_of, cores);
      std::vector<int> visits(n);
      for (std::size_t p = 0; p < Parts::count; ++p) {
        const auto part = parts.part(p);
        EXPECT_TRUE(std::is_sorted(part.begin(), part.end())) << p;
        for (const std::uint32_t i : part) {
          ++visits[i];
          EXPECT_EQ(part_of(i), p);
        }
      }
      EXPECT_EQ(visits, std::vector<int>(n, 1)) << n;
    }
}

// With few kinds, some of which differ only in the sign of a zero, and with many.
TEST(AllCores, FindTheSameVerticesAsOneCore) {
  for (const std::size_t n : sizes)
    for (const int bits : {3, 12, 40}) {
      std::vector<Vertex> corners(n);
      const auto words = lab::integers(lab::Distribution::uniform, n, bits, 11);
      for (std::size_t i = 0; i < n; ++i) {
        corners[i].position = {static_cast<float>(words[i] >> 1U), 0.0F, 0.0F};
        corners[i].normal.z = words[i] % 2 == 0 ? 0.0F : -0.0F;
      }
      const Mesh want = dedup(corners, Cores::one);
      const Mesh got = dedup(corners, Cores::all);
      EXPECT_EQ(got.indices, want.indices) << n;
      ASSERT_EQ(got.vertices.size(), want.vertices.size()) << n;
      EXPECT_TRUE(n == 0 || std::memcmp(got.vertices.data(), want.vertices.data(),
                                        n == 0 ? 0 : want.vertices.size() * sizeof(Vertex)) == 0);
    }
}

// The first value of each key, and the number of items per key.
TEST(AllCores, MapKeysAsOneCoreDoes) {
  for (const std::size_t n : sizes)
    for (const int bits : {4, 14, 64}) {
      const auto keys = lab::integers(lab::Distribution::uniform, n, bits, 13);
      for (const bool count : {false, true}) {
        const auto add = [&](KeyValues::Map& map, std::uint32_t i) {
          count ? void(++map[keys[i]]) : void(map.emplace(keys[i], i));
        };
        const KeyValues one(keys, add, Cores::one);
        const KeyValues all(keys, add, Cores::all);
        EXPECT_EQ(all.pairs(), one.pairs()) << n;
        for (std::uint64_t key = 0; key < 40; ++key) EXPECT_EQ(all.find(key), one.find(key));
      }
    }
}

TEST(AllCores, ReportTheFirstError) {
  for (const Cores cores : {Cores::one, Cores::all})
    for (const std::size_t n : sizes) {
      const auto from = [n](std::size_t wrong) {
        return [wrong, n](std::size_t i) {
          EXPECT_LT(i, n);
          return i >= wrong ? std::to_string(i) : std::string();
        };
      };
      EXPECT_EQ(first_complaint(n, from(n), cores), "");
      if (n > 0) {
        EXPECT_EQ(first_complaint(n, from(n - 1), cores), std::to_string(n - 1));
        EXPECT_EQ(first_complaint(n, from(n / 2), cores), std::to_string(n / 2));
      }
    }
}

// A full binary tree, its places numbered as in a heap.
TEST(AllCores, VisitEveryTreeNodeOnce) {
  for (const bool at_once : {false, true})
    for (const std::uint32_t places : {1U, 2U, 4095U, 8191U, 40'000U}) {
      std::vector<unsigned char> visits(places);
      std::uint32_t wrong_at = places;
      const auto visit = [&](std::uint32_t place, auto& open) -> std::string {
        ++visits[place];
        for (const std::uint32_t below : {2 * place + 2, 2 * place + 1})
          if (below < places) open.push_back(below);
        return place == wrong_at ? std::to_string(place) : "";
      };
      EXPECT_EQ(walk_down(0U, visit, at_once), "");
      EXPECT_EQ(visits, std::vector<unsigned char>(places, 1)) << places;
      for (wrong_at = places - 1; wrong_at > 0; wrong_at /= 3)
        EXPECT_EQ(walk_down(0U, visit, at_once), std::to_string(wrong_at)) << places;
    }
}

// The result equals that of three nested loops, for numbers whose sums are exact.
TEST(AllCores, MultiplyAsOneCoreDoes) {
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
