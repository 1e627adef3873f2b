// Descriptions of arrays: names and types of scratch memory.
#include "gpu/runtime/region.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "gpu/runtime/scratch.h"
#include "gpu/runtime/vec.h"

namespace warpview::test {
namespace {

template <class T>
struct Pair {
  T first, second;
};

TEST(ElementType, HasAReadableName) {
  EXPECT_EQ(element_type<std::uint32_t>().name, "u32");
  EXPECT_EQ(element_type<std::int64_t>().name, "i64");
  EXPECT_EQ(element_type<unsigned long long>().name, "u64");
  EXPECT_EQ(element_type<unsigned char>().name, "u8");
  EXPECT_EQ(element_type<float>().name, "f32");
  EXPECT_EQ(element_type<Vec3>().name, "Vec3");
  EXPECT_EQ(element_type<Vec3>().bytes, 12U);
  EXPECT_EQ(element_type<std::byte>().name, "byte");
  EXPECT_EQ(element_type<Pair<float>>().name, "Pair<float>");
}

TEST(Scratch, ListsItsArrays) {
  alignas(Scratch::alignment) std::byte memory[4096];
  Scratch scratch(memory, sizeof memory);
  std::vector<Region> arrays;
  scratch.list(arrays);
  const auto* const sums = scratch.take<float>(3, "sums");
  const auto* const states = scratch.take<std::uint64_t>(5, "states");

  ASSERT_EQ(arrays.size(), 2U);
  EXPECT_EQ(arrays[0].name, "sums");
  EXPECT_EQ(arrays[0].type.name, "f32");
  EXPECT_EQ(arrays[0].data, sums);
  EXPECT_EQ(arrays[0].size(), 3U);
  EXPECT_EQ(arrays[1].name, "states");
  EXPECT_EQ(arrays[1].data, states);
  EXPECT_EQ(arrays[1].bytes, 40U);
}

TEST(Scratch, ListsItsArraysWhileMeasuring) {
  Scratch measure;
  std::vector<Region> arrays;
  measure.list(arrays);
  measure.take<std::uint32_t>(7, "keys");
  ASSERT_EQ(arrays.size(), 1U);
  EXPECT_EQ(arrays[0].data, nullptr);
  EXPECT_EQ(arrays[0].bytes, 28U);
}

}  // namespace
}  // namespace warpview::test
