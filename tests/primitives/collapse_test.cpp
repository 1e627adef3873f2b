// Every row of collapse, on trees of any shape and boxes of any size, against the sequential check;
// and that the check finds what is wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gpu/primitives/collapse/wide_memory.h"
#include "gpu/reference/wide.h"
#include "tests/steps/support.h"
#include "tests/support/devices.h"
#include "tests/support/random_boxes.h"

namespace warpview::test {
namespace {

// A binary tree on the host, and the triangles of its leaves.
struct Binary {
  reference::Tree tree;
  std::vector<LeafTriangle> leaves;

  explicit Binary(const HostTree& host, std::uint32_t capacity, std::uint32_t count)
      : tree{host.nodes, host.parent, host.root, capacity, count} {
    for (std::uint32_t place = 0; place < count; ++place) {
      const BvhNode& leaf = tree.nodes[tree.first_leaf() + place];
      leaves.push_back({leaf.min, leaf.left, leaf.max, 0.0F, leaf.min, 0.0F});
    }
  }
};

// What a row made of it.
struct Wide {
  std::vector<WideNode4> four;
  std::vector<WideNode8> eight;
  std::vector<LeafTriangle> triangles;

  std::string wrong(const Binary& binary) const {
    const auto used = std::span(triangles).first(binary.tree.count);
    return four.empty() ? reference::check_wide(binary.tree, binary.leaves, eight, used)
                        : reference::check_wide(binary.tree, binary.leaves, four, used);
  }
};

class Collapse : public testing::TestWithParam<Row> {
 protected:
  static Wide collapsed(const TestDevice& on, const Binary& binary) {
    const reference::Tree& tree = binary.tree;
    const std::unique_ptr<Stream> stream = on.device->create_stream();
    const auto nodes = on_device(*on.device, *stream, tree.nodes);
    const auto parent = on_device(*on.device, *stream, tree.parent);
    const auto root = on_device(*on.device, *stream, tree.root);
    const auto count = on_device(*on.device, *stream, tree.count);
    const auto leaves = on_device(*on.device, *stream, binary.leaves);
    const WideMemory memory(*on.device, GetParam().index, tree.capacity);
    const auto spoil = [&](const auto& buffer) {
      if (buffer.size() > 0) stream->fill(buffer.data(), 0xcd, buffer.bytes());
    };
    spoil(memory.four());
    spoil(memory.eight());
    spoil(memory.triangles());
    ScratchMemory scratch(*on.device);
    scratch.run(on.device->table().get<Primitive::collapse>(GetParam().index), *stream,
                CollapseArgs{.count = count.data(),
                             .bvh = {nodes.data(), parent.data(), root.data(), tree.capacity},
                             .leaves = leaves.data(),
                             .out = memory.tree()});
    stream->synchronize();
    return {memory.four().download(*stream), memory.eight().download(*stream),
            memory.triangles().download(*stream)};
  }

  static void is_right(const HostTree& host, std::uint32_t capacity, std::uint32_t count) {
    const Binary binary(host, capacity, count);
    for (const TestDevice& on : devices_for(count, GetParam())) {
      SCOPED_TRACE(on.name + ", " + std::to_string(count) + " triangles");
      ASSERT_EQ(collapsed(on, binary).wrong(binary), "");
    }
  }
};

TEST_P(Collapse, GivesTheReferencesTree) {
  std::vector<std::uint32_t> counts = {2, 3, 4, 5, 7, 8, 9, 16, 383, 385};  // and tiles of slots
  for (const std::uint32_t n : small_sizes()) counts.push_back(n);
  for (const std::uint32_t n : counts) {
    if (allowed(n) != n) continue;
    is_right(HostTree(n + n / 3, n, random_boxes(n, n)), n + n / 3, n);
  }
}

TEST_P(Collapse, GivesTheReferencesTreeOfTheGreatestDepth) {
  constexpr std::uint32_t n = 700;
  for (const bool leaf_is_left : {true, false}) {
    is_right(HostTree::chain(n, random_boxes(n, 3), leaf_is_left), n, n);
  }
}

// Flat and equal boxes, the largest and the smallest numbers, and far from the origin, where steps
// of 8 bits are finer than floats.
TEST_P(Collapse, RoundsBoxesOfAnySizeOutwards) {
  constexpr std::uint32_t n = 200;
  for (std::size_t i = 0; i < hard_placements().size(); ++i) {
    SCOPED_TRACE(i);
    is_right(HostTree(n, n, random_boxes(n, i, hard_placements()[i])), n, n);
  }
}

TEST_P(Collapse, IsTheSameTreeInLockstepAndWithLatePublications) {
  constexpr std::uint32_t n = 1500;
  const Binary binary(HostTree(n, n, random_boxes(n, 9)), n, n);
  for (const auto& devices : {devices_in_lockstep(), devices_with_late_publications()})
    for (const TestDevice& on : having(devices, GetParam())) {
      SCOPED_TRACE(on.name);
      ASSERT_EQ(collapsed(on, binary).wrong(binary), "");
    }
}

// The sequential check finds a node, a box and a triangle that are wrong.
TEST_P(Collapse, IsCheckedNodeByNode) {
  constexpr std::uint32_t n = 60;
  const Binary binary(HostTree(n, n, random_boxes(n, 5)), n, n);
  const Wide good = collapsed(few_devices().front(), binary);
  ASSERT_EQ(good.wrong(binary), "");
  const auto is_found = [&](const std::function<void(Wide&)>& spoil) {
    Wide bad = good;
    spoil(bad);
    EXPECT_NE(bad.wrong(binary), "");
  };
  is_found([](Wide& wide) { wide.triangles[7].triangle ^= 1U; });
  is_found([](Wide& wide) { std::swap(wide.triangles[0], wide.triangles[n - 1]); });
  if (!good.four.empty()) {
    is_found([](Wide& wide) { wide.four[0].max_y[1] *= 1.001F; });
    is_found([](Wide& wide) { wide.four[0].child[2] = WideNode4::no_child; });
    is_found([](Wide& wide) { std::swap(wide.four[0].child[0], wide.four[0].child[1]); });
  } else {
    is_found([](Wide& wide) { wide.eight[0].min_z += 1U; });
    is_found([](Wide& wide) { wide.eight[0].max_x -= 1U; });
    is_found([](Wide& wide) { wide.eight[0].exponents += 1U; });
    is_found([](Wide& wide) { wide.eight[0].kinds ^= 0x80U; });
    is_found([](Wide& wide) { wide.eight[0].first_node += 1U; });
    is_found([](Wide& wide) { wide.eight[0].first_triangle ^= 1U; });
  }
}

INSTANTIATE_TEST_SUITE_P(Rows, Collapse, testing::ValuesIn(rows_of(Primitive::collapse)),
                         [](const testing::TestParamInfo<Row>& row) { return name_of(row.param); });

// Each variant of trace that walks a wide tree has the variant that makes it.
TEST(WideTrees, HaveAMakerOfTheTracersName) {
  std::size_t wide = 0;
  for (const VariantId trace : variants_of(Primitive::trace)) {
    const auto collapse = collapse_for(trace);
    EXPECT_EQ(collapse.has_value(), (trace->traits & TraceTrait::wide) != 0) << trace->name;
    wide += collapse ? 1 : 0;
  }
  EXPECT_EQ(wide, variants_of(Primitive::collapse).size());
}

}  // namespace
}  // namespace warpview::test
