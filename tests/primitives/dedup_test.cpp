// Every de-duplication of the catalogue against a hash map: indices, vertices and their order.
#define WARPVIEW_BACKEND_CPU  // for the hash that the variants use
#include "gpu/primitives/dedup/corner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "gpu/lab/data.h"
#include "gpu/reference/reference.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

using lab::Distribution;

class Dedup : public testing::TestWithParam<Row> {
 protected:
  // De-duplicates the first `count` of the corners and compares the result with the reference.
  static void check(const TestDevice& on, const std::vector<Vertex>& host, std::uint32_t count,
                    ScanFunction* scan, const reference::Mesh& want) {
    const std::size_t n = host.size();
    const auto stream = on.device->create_stream();
    ScratchMemory scratch(*on.device);
    Buffer<Vertex> corners(*on.device, n);
    Buffer<Vertex> vertices(*on.device, n);
    Buffer<std::uint32_t> indices(*on.device, n);
    Buffer<std::uint32_t> real(*on.device, 1);
    Buffer<std::uint32_t> vertex_count(*on.device, 1);
    corners.upload(*stream, host);
    real.upload(*stream, {&count, 1});
    stream->fill(vertex_count.data(), 0xee, vertex_count.bytes());
    scratch.run(on.device->table().get<Primitive::dedup>(GetParam().index), *stream,
                DedupArgs{.corners = corners.data(),
                          .count = real.data(),
                          .n = static_cast<std::uint32_t>(n),
                          .indices = indices.data(),
                          .vertices = vertices.data(),
                          .vertex_count = vertex_count.data(),
                          .scan = scan});

    const std::uint32_t unique = vertex_count.download(*stream).front();
    ASSERT_EQ(unique, want.vertices.size());
    const auto got_indices = indices.download(*stream, count);
    for (std::uint32_t i = 0; i < count; ++i)
      ASSERT_EQ(got_indices[i], want.indices[i]) << "corner " << i;
    const auto got_vertices = vertices.download(*stream, unique);
    for (std::uint32_t i = 0; i < unique; ++i)
      ASSERT_EQ(std::memcmp(&got_vertices[i], &want.vertices[i], sizeof(Vertex)), 0)
          << "vertex " << i;
  }

  static ScanFunction* default_scan(const TestDevice& on) {
    return on.device->table().get<Primitive::scan>(
        default_variant(Primitive::scan, on.device->info().backend));
  }
};

// The value's bits spread over floats that are neither NaN nor infinity.
Vertex corner_of(std::uint64_t value) {
  const auto piece = [value](unsigned shift) {
    return static_cast<float>(value >> shift & 0xffffU) / 7.0F;
  };
  return {{piece(0), piece(16), piece(32)}, {piece(48), -piece(0), 1.0F}, {piece(16), 0.5F}};
}

std::vector<Vertex> corners(Distribution distribution, std::size_t n) {
  std::vector<Vertex> result;
  for (const std::uint64_t value : lab::integers(distribution, n, 64, 1))
    result.push_back(corner_of(value));
  return result;
}

// A grid of quads, two triangles each: what dedup is for. Up to six corners share a vertex.
std::vector<Vertex> grid(std::size_t n) {
  const std::size_t side = static_cast<std::size_t>(std::sqrt(static_cast<double>(n) / 6)) + 1;
  std::vector<Vertex> result;
  for (std::size_t i = 0; i < n; ++i) {
    constexpr std::size_t step[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
    const auto x = static_cast<float>(i / 6 % side + step[i % 6][0]);
    const auto y = static_cast<float>(i / 6 / side + step[i % 6][1]);
    result.push_back({{x, y, 0}, {0, 0, 1}, {x, y}});
  }
  return result;
}

TEST_P(Dedup, EqualsTheReference) {
  for (const std::size_t n : sizes_to_several_tiles()) {
    for (const Distribution distribution : lab::all_distributions) {
      // Large inputs take seconds: with many kinds, and with few.
      if (n >= 100'000 && distribution != Distribution::uniform &&
          distribution != Distribution::few)
        continue;
      const std::vector<Vertex> host = corners(distribution, n);
      const reference::Mesh want = reference::dedup(host);
      for (const TestDevice& on : devices_for(n, GetParam())) {
        SCOPED_TRACE(std::to_string(n) + " corners, " + to_string(distribution) + ", " + on.name);
        ASSERT_NO_FATAL_FAILURE(
            check(on, host, static_cast<std::uint32_t>(n), default_scan(on), want));
      }
    }
  }
}

TEST_P(Dedup, JoinsTheCornersOfAMesh) {
  for (const std::size_t n : sizes_to_several_tiles()) {
    const std::vector<Vertex> host = grid(n);
    const reference::Mesh want = reference::dedup(host);
    for (const TestDevice& on : devices_for(n, GetParam())) {
      SCOPED_TRACE(std::to_string(n) + " corners, " + on.name);
      ASSERT_NO_FATAL_FAILURE(
          check(on, host, static_cast<std::uint32_t>(n), default_scan(on), want));
    }
  }
}

// Corners from *count on are padding, even when they equal real ones.
TEST_P(Dedup, IgnoresPadding) {
  const std::vector<Vertex> host = grid(3000);
  for (const std::uint32_t count : {0U, 1U, 2U, 1000U, 2999U}) {
    const reference::Mesh want = reference::dedup({host.data(), count});
    for (const TestDevice& on : devices_for(host.size(), GetParam())) {
      SCOPED_TRACE(std::to_string(count) + " of 3000 corners, " + on.name);
      ASSERT_NO_FATAL_FAILURE(check(on, host, count, default_scan(on), want));
    }
  }
}

// Corners that differ in the last bit of one float stay apart; -0 and 0 do not. The vertex is the
// first corner, including signs.
TEST_P(Dedup, ComparesExactly) {
  std::vector<Vertex> host;
  for (int place = 0; place < 8; ++place) {
    for (const float value : {1.0F, std::nextafter(1.0F, 2.0F), -1.0F, -0.0F, 0.0F}) {
      float floats[8] = {1, 1, 1, 1, 1, 1, 1, 1};
      floats[place] = value;
      Vertex corner;
      std::memcpy(&corner, floats, sizeof(corner));
      host.push_back(corner);
    }
  }
  const reference::Mesh want = reference::dedup(host);
  ASSERT_EQ(want.vertices.size(), 8 * 3 + 1);
  for (const TestDevice& on : devices_for(host.size(), GetParam())) {
    SCOPED_TRACE(on.name);
    ASSERT_NO_FATAL_FAILURE(
        check(on, host, static_cast<std::uint32_t>(host.size()), default_scan(on), want));
  }
}

TEST_P(Dedup, WorksWithEveryScan) {
  const auto n = static_cast<std::uint32_t>(allowed(4097));
  const std::vector<Vertex> host = grid(n);
  const reference::Mesh want = reference::dedup(host);
  for (const Row& scan : rows_of(Primitive::scan)) {
    for (const TestDevice& on : devices_for(host.size(), GetParam())) {
      SCOPED_TRACE(name_of(scan) + ", " + on.name);
      ASSERT_NO_FATAL_FAILURE(
          check(on, host, n, on.device->table().get<Primitive::scan>(scan.index), want));
    }
  }
}

// A corner with the given hash: undoing the hash's steps from there gives its last word.
Vertex corner_with_hash(std::uint32_t hash, std::mt19937& random) {
  const auto rotate_back = [](std::uint32_t bits, int by) {
    return bits >> by | bits << (32 - by);
  };
  for (;;) {
    cpu::dedup::CornerWords words{};
    std::uniform_real_distribution<float> place(-100.0F, 100.0F);
    for (int i = 0; i < 7; ++i) {
      const float value = place(random);
      std::memcpy(&words.word[i], &value, sizeof value);
    }
    // After seven words: the value of dedup::hash before the eighth word and the final steps.
    std::uint32_t before = 0;
    for (int i = 0; i < 7; ++i) {
      const std::uint32_t mixed = rotate_back(words.word[i] * 0xcc9e2d51U, 32 - 15) * 0x1b873593U;
      before = rotate_back(before ^ mixed, 32 - 13) * 5 + 0xe6546b64U;
    }
    std::uint32_t after = hash ^ hash >> 16U;
    after *= 0x7ed1b41dU;
    after ^= after >> 13U ^ after >> 26U;
    after *= 0xa5cb9243U;
    after ^= after >> 16U;
    after ^= sizeof(Vertex);
    const std::uint32_t mixed = rotate_back((after - 0xe6546b64U) * 0xcccccccdU, 13) ^ before;
    words.word[7] = rotate_back(mixed * 0x56ed309bU, 15) * 0xdee13bb1U;
    Vertex corner;
    std::memcpy(&corner, &words, sizeof corner);
    if (!std::isfinite(corner.texcoord.y) || words.word[7] == 0x80000000U) continue;
    EXPECT_EQ(cpu::dedup::hash(cpu::dedup::words_of(&corner)), hash);
    return corner;
  }
}

// Corners that differ but share one hash, and a few hashes at the ends of their range: only the
// comparison of the corners tells them apart.
TEST_P(Dedup, DistinguishesCornersOfEqualHash) {
  std::mt19937 random(7);
  for (const std::size_t kinds : {2, 60}) {
    std::vector<Vertex> different;
    for (const std::uint32_t hash : {0x12345678U, 0xffffffffU, 0U})
      for (std::size_t i = 0; i < kinds; ++i) different.push_back(corner_with_hash(hash, random));
    std::vector<Vertex> host(1500);
    for (Vertex& corner : host) corner = different[random() % different.size()];
    constexpr std::uint32_t count = 1400;  // the rest is padding with the same hashes
    const reference::Mesh want = reference::dedup({host.data(), count});
    ASSERT_EQ(want.vertices.size(), different.size());
    for (const TestDevice& on : devices_for(host.size(), GetParam())) {
      SCOPED_TRACE(std::to_string(kinds) + " kinds per hash, " + on.name);
      ASSERT_NO_FATAL_FAILURE(check(on, host, count, default_scan(on), want));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Dedup, testing::ValuesIn(rows_of(Primitive::dedup)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
