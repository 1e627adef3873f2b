// Every BVH builder and refit of the catalogue: the tree must be the radix tree of the sorted
// codes, whatever the indices of its nodes, and boxes the unions of their contents.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <random>

#include "gpu/lab/data.h"
#include "gpu/reference/reference.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

using lab::Distribution;

enum class Scene { random, one_place, few_places, line, flat };
constexpr Scene scenes[] = {Scene::random, Scene::one_place, Scene::few_places, Scene::line,
                            Scene::flat};
// Sizes from here on take seconds: they are tested with one or two scenes. The other scenes differ
// in their codes, not at the borders between blocks.
constexpr std::size_t large = 100'000;

const char* to_string(Scene scene) {
  switch (scene) {
    case Scene::random:
      return "random triangles";
    case Scene::one_place:
      return "all centres equal";
    case Scene::few_places:
      return "few codes";
    case Scene::line:
      return "centres on a line, at growing distances";
    case Scene::flat:
      return "triangles without area";
  }
  return "";
}

std::vector<Aabb> boxes(Scene scene, std::size_t n, unsigned seed) {
  std::mt19937 random(seed + static_cast<unsigned>(n));
  std::uniform_real_distribution<float> place(-10.0F, 10.0F);
  std::uniform_real_distribution<float> size(0.0F, 0.5F);
  std::vector<Aabb> result(n);
  for (std::size_t i = 0; i < n; ++i) {
    Vec3 centre{place(random), place(random), place(random)};
    Vec3 half{size(random), size(random), size(random)};
    if (scene == Scene::one_place) centre = {};
    if (scene == Scene::few_places)
      centre = {static_cast<float>(i % 3), static_cast<float>(i % 2), 0.0F};
    if (scene == Scene::line) {
      centre = Vec3{1, 2, 3} * std::exp2(static_cast<float>(i % 64) / 4.0F);
      half = half * 0.01F;
    }
    if (scene == Scene::flat) half = {};
    result[i] = {centre - half, centre + half};
  }
  return result;
}

// The input of a builder. All codes are in `wide`; codes of 32 bits fit.
struct Sorted {
  int key_bits;
  std::vector<std::uint64_t> wide;
  std::vector<std::uint32_t> primitives;
};

Sorted sorted(const std::vector<std::uint64_t>& codes, int key_bits) {
  auto pairs = reference::sort<std::uint64_t>(codes, {}, 0, 64);
  return {key_bits, std::move(pairs.keys), std::move(pairs.values)};
}

Sorted sorted_morton(const std::vector<Aabb>& boxes, int key_bits) {
  const Aabb domain = reference::bounds(boxes).centres;
  if (key_bits == 64) return sorted(reference::morton_bits63(boxes, boxes.size(), domain), 64);
  const auto codes = reference::morton_bits30(boxes, boxes.size(), domain);
  return sorted({codes.begin(), codes.end()}, 32);
}

// Codes of combs: at each node of a long path one leaf hangs off, to the left where the path
// descends to the right, otherwise to the right. They lie across the boundaries of tiles, each with
// three quarters of its nodes above leaves of both sides. Tiles thus leave many nodes that wait for
// each other: more than a tile's lanes hold in registers, and more than fit into a group's shared
// memory.
Sorted combs(std::size_t n, bool falls) {
  const std::size_t apart = n > 4096 ? 1024 : 128;  // a multiple of every tile
  const auto bits = static_cast<std::size_t>(64 - std::bit_width(n / apart + 1));
  const std::uint64_t all = (std::uint64_t{1} << bits) - 1;
  const std::size_t before = falls ? bits - bits / 4 : bits / 4;  // of its leaves
  const std::size_t begin = apart / 2 - before;
  std::vector<std::uint64_t> codes;
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t comb = (i + apart / 2) / apart;
    const std::size_t place = (i + apart / 2) % apart;
    std::uint64_t code = place < begin ? 0 : all;
    if (place >= begin && place < begin + bits)
      code = falls ? all ^ std::uint64_t{1} << (begin + bits - 1 - place)
                   : std::uint64_t{1} << (place - begin);
    codes.push_back(code | static_cast<std::uint64_t>(comb) << bits);
  }
  return sorted(codes, 64);
}

// A tree on a device, with room for `capacity` primitives, of which the first of `input` are used.
class DeviceTree {
 public:
  DeviceTree(const TestDevice& on, const Sorted& input, std::uint32_t capacity)
      : device_(*on.device),
        stream_(device_.create_stream()),
        scratch_(device_),
        key_bits_(input.key_bits),
        host_count_(static_cast<std::uint32_t>(input.wide.size())),
        count_(device_, 1),
        codes_(device_, capacity),
        narrow_codes_(device_, capacity),
        primitives_(device_, capacity),
        boxes_(device_, capacity),
        nodes_(device_, capacity ? 2 * std::size_t{capacity} - 1 : 0),
        parent_(device_, capacity ? 2 * std::size_t{capacity} - 1 : 0),
        root_(device_, 1),
        bvh_{nodes_.data(), parent_.data(), root_.data(), capacity} {
    const std::vector<std::uint32_t> narrow(input.wide.begin(), input.wide.end());
    count_.upload(*stream_, {&host_count_, 1});
    // Codes and primitives beyond the count must never be read.
    stream_->fill(codes_.data(), 0xee, codes_.bytes());
    stream_->fill(narrow_codes_.data(), 0xee, narrow_codes_.bytes());
    stream_->fill(primitives_.data(), 0xee, primitives_.bytes());
    stream_->fill(nodes_.data(), 0xee, nodes_.bytes());
    stream_->fill(parent_.data(), 0xee, parent_.bytes());
    stream_->fill(root_.data(), 0xee, root_.bytes());
    codes_.upload(*stream_, input.wide);
    narrow_codes_.upload(*stream_, narrow);
    primitives_.upload(*stream_, input.primitives);
    stream_->synchronize();
  }

  void set_boxes(const std::vector<Aabb>& boxes) {
    boxes_.upload(*stream_, boxes);
    stream_->synchronize();
  }
  void build(const Row& row) {
    const void* codes = key_bits_ == 64 ? static_cast<const void*>(codes_.data())
                                        : static_cast<const void*>(narrow_codes_.data());
    scratch_.run(device_.table().get<Primitive::build>(row.index), *stream_,
                 BuildArgs{.key_bits = key_bits_,
                           .codes = codes,
                           .primitives = primitives_.data(),
                           .count = count_.data(),
                           .boxes = boxes_.data(),
                           .bvh = bvh_});
  }
  void refit(const Row& row, int code_bits = 64) {
    scratch_.run(
        device_.table().get<Primitive::refit>(row.index), *stream_,
        RefitArgs{
            .count = count_.data(), .boxes = boxes_.data(), .bvh = bvh_, .code_bits = code_bits});
  }
  // The subtree totals of each node; the nodes are unchanged.
  std::vector<NodeTotals> totals(const Row& row) {
    const Buffer<NodeTotals> totals(device_, nodes_.size());
    scratch_.run(
        device_.table().get<Primitive::refit>(row.index), *stream_,
        RefitArgs{
            .count = count_.data(), .boxes = boxes_.data(), .bvh = bvh_, .totals = totals.data()});
    return totals.download(*stream_);
  }
  reference::Tree download() {
    return {nodes_.download(*stream_), parent_.download(*stream_), root_.download(*stream_).front(),
            bvh_.capacity, host_count_};
  }

 private:
  Device& device_;
  std::unique_ptr<Stream> stream_;
  ScratchMemory scratch_;
  int key_bits_;
  std::uint32_t host_count_;
  Buffer<std::uint32_t> count_;
  Buffer<std::uint64_t> codes_;
  Buffer<std::uint32_t> narrow_codes_;
  Buffer<std::uint32_t> primitives_;
  Buffer<Aabb> boxes_;
  Buffer<BvhNode> nodes_;
  Buffer<std::uint32_t> parent_;
  Buffer<std::uint32_t> root_;
  Bvh bvh_;
};

// Calls check(tree, its input, its boxes) for combs with enough leaves that groups of each kind
// join treelets and run out of room.
template <class Check>
void on_each_comb(const Row& row, Check check) {
  for (const std::size_t n : allowed({4097, 30'000, 60'000})) {
    const std::vector<Aabb> host = boxes(Scene::random, n, 8);
    for (const bool falls : {false, true}) {
      const Sorted input = combs(n, falls);
      for (const TestDevice& on : devices_for(n, row)) {
        SCOPED_TRACE(std::to_string(n) + " primitives, " + (falls ? "falling" : "rising") + ", " +
                     on.name);
        DeviceTree tree(on, input, static_cast<std::uint32_t>(n));
        tree.set_boxes(host);
        check(tree, input, host);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

// Boxes between zeros of both signs, which are equal but have different bits.
std::vector<Aabb> zero_boxes(std::size_t n) {
  std::mt19937 random(7);
  const auto zero = [&random] { return random() % 2 == 0 ? 0.0F : -0.0F; };
  const auto zeros = [&zero] { return Vec3{zero(), zero(), zero()}; };
  std::vector<Aabb> result(n);
  for (Aabb& box : result) box = {zeros(), zeros()};
  return result;
}

bool same_bits(const reference::Tree& a, const reference::Tree& b) {
  return a.root == b.root && a.parent == b.parent &&
         std::memcmp(a.nodes.data(), b.nodes.data(), a.nodes.size() * sizeof(BvhNode)) == 0;
}

class Build : public testing::TestWithParam<Row> {};

bool fits(const Row& row) { return (row.index->traits & BuildTrait::fits) != 0; }
bool is_radix(const Row& row) { return (row.index->traits & BuildTrait::radix) != 0; }
bool takes_any_tree(const Row& row) { return (row.index->traits & RefitTrait::any_tree) != 0; }

// The tree that the builder is to make; that of a radix builder is checked without one.
std::optional<reference::Tree> wanted_tree(const Row& builder, const Sorted& input,
                                           const std::vector<Aabb>& boxes, std::size_t capacity) {
  if (is_radix(builder)) return {};
  return reference::built_tree(builder.index->traits, input.wide, input.primitives, boxes,
                               static_cast<std::uint32_t>(capacity));
}

// How the links differ from those of the tree that the builder is to make.
std::string check_links(const reference::Tree& got, const Sorted& input,
                        const std::optional<reference::Tree>& wanted) {
  if (!wanted) return reference::check_topology(got, input.wide, input.primitives);
  const std::string links = reference::check_links(got, input.primitives);
  return links.empty() ? reference::check_same_links(got, *wanted) : links;
}

TEST_P(Build, MakesItsTreeOfMortonCodes) {
  for (const std::size_t n : sizes_to_several_tiles()) {
    for (const Scene scene : scenes) {
      if (n >= large && scene != Scene::random && scene != Scene::few_places) continue;
      const std::vector<Aabb> host = boxes(scene, n, 1);
      for (const int key_bits : {32, 64}) {
        const Sorted input = sorted_morton(host, key_bits);
        const auto wanted = wanted_tree(GetParam(), input, host, n);
        for (const TestDevice& on : devices_for(n, GetParam())) {
          SCOPED_TRACE(std::to_string(n) + " primitives, " + to_string(scene) + ", " +
                       std::to_string(key_bits) + " bits, " + on.name);
          DeviceTree tree(on, input, static_cast<std::uint32_t>(n));
          tree.set_boxes(host);
          tree.build(GetParam());
          const reference::Tree got = tree.download();
          ASSERT_EQ(check_links(got, input, wanted), "");
          if (fits(GetParam())) {
            ASSERT_EQ(reference::check_boxes(got, host), "");
          }
        }
      }
    }
  }
}

// Codes that use all bits, not only those of Morton codes, in every distribution.
TEST_P(Build, MakesItsTreeOfAnyCodes) {
  for (const std::size_t n : {1, 2, 3, 64, 1025}) {
    const std::vector<Aabb> host = boxes(Scene::random, n, 2);
    for (const Distribution distribution : lab::all_distributions) {
      for (const int key_bits : {32, 64}) {
        const Sorted input = sorted(lab::integers(distribution, n, key_bits, 1), key_bits);
        const auto wanted = wanted_tree(GetParam(), input, host, n);
        for (const TestDevice& on : devices_for(n, GetParam())) {
          SCOPED_TRACE(std::to_string(n) + " codes, " + to_string(distribution) + ", " +
                       std::to_string(key_bits) + " bits, " + on.name);
          DeviceTree tree(on, input, static_cast<std::uint32_t>(n));
          tree.set_boxes(host);
          tree.build(GetParam());
          ASSERT_EQ(check_links(tree.download(), input, wanted), "");
        }
      }
    }
  }
}

TEST_P(Build, MakesCombsAcrossTiles) {
  on_each_comb(GetParam(), [this](DeviceTree& tree, const Sorted& input, const auto& host) {
    tree.build(GetParam());
    const reference::Tree got = tree.download();
    ASSERT_EQ(check_links(got, input, wanted_tree(GetParam(), input, host, host.size())), "");
    if (fits(GetParam())) {
      ASSERT_EQ(reference::check_boxes(got, host), "");
    }
  });
}

// Fewer primitives than capacity: the capacity decides where leaves lie.
TEST_P(Build, ReadsTheCountFromTheDevice) {
  const std::uint32_t capacity = 1500;
  for (const std::size_t n : {0, 1, 2, 3, 257, 1499}) {
    const std::vector<Aabb> host = boxes(Scene::random, n, 3);
    const Sorted input = sorted_morton(host, 32);
    const auto wanted = wanted_tree(GetParam(), input, host, capacity);
    for (const TestDevice& on : devices_for(capacity, GetParam())) {
      SCOPED_TRACE(std::to_string(n) + " primitives, " + on.name);
      DeviceTree tree(on, input, capacity);
      tree.set_boxes(host);
      tree.build(GetParam());
      const reference::Tree got = tree.download();
      ASSERT_EQ(check_links(got, input, wanted), "");
      if (fits(GetParam())) {
        ASSERT_EQ(reference::check_boxes(got, host), "");
      }
    }
  }
}

// Whichever child comes first, the same zero wins.
TEST_P(Build, GivesTheSameBitsForZerosOfBothSigns) {
  const std::vector<Aabb> host = zero_boxes(300);
  const Sorted input = sorted_morton(host, 32);
  std::optional<reference::Tree> first;
  for (const TestDevice& on : devices_for(host.size(), GetParam())) {
    DeviceTree tree(on, input, static_cast<std::uint32_t>(host.size()));
    tree.set_boxes(host);
    tree.build(GetParam());
    const reference::Tree got = tree.download();
    if (!first) first = got;
    EXPECT_TRUE(same_bits(got, *first)) << on.name;
  }
}

// The indices follow from the ranges of keys, not from the order in which threads reached the
// nodes.
TEST(Builders, WaterfallNumbersItsNodesAsKarras) {
  const auto row_of = [](const char* name) { return Row{find_variant(Primitive::build, name)}; };
  const Row karras = row_of("karras");
  const Row waterfall = row_of("waterfall");
  for (const std::size_t n : allowed({2, 300, 4097})) {
    const std::vector<Aabb> host = boxes(Scene::few_places, n, 6);
    const Sorted input = sorted_morton(host, 64);
    for (const TestDevice& on : devices_for(n)) {
      SCOPED_TRACE(std::to_string(n) + " primitives, " + on.name);
      reference::Tree trees[2];
      for (const int i : {0, 1}) {
        DeviceTree tree(on, input, static_cast<std::uint32_t>(n));
        tree.build(i == 0 ? karras : waterfall);
        trees[i] = tree.download();
      }
      ASSERT_EQ(trees[0].root, trees[1].root);
      ASSERT_EQ(trees[0].parent, trees[1].parent);
      for (std::size_t i = 0; i < trees[0].nodes.size(); ++i) {
        ASSERT_EQ(trees[0].nodes[i].left, trees[1].nodes[i].left) << "node " << i;
        ASSERT_EQ(trees[0].nodes[i].right, trees[1].nodes[i].right) << "node " << i;
      }
    }
  }
}

// A tree of near clusters has less area than the radix tree of the same codes: that is its point.
// Boxes are those of triangles of many sizes along a surface with high waves.
TEST(Builders, ClustersHaveLessAreaThanTheRadixTree) {
  constexpr std::uint32_t n = 1000;
  std::mt19937 random(12);
  std::uniform_real_distribution<float> unit(0.0F, 1.0F);
  std::vector<Aabb> host;
  for (std::uint32_t i = 0; i < n; ++i) {
    const float x = 10.0F * unit(random);
    const float z = 10.0F * unit(random);
    const Vec3 centre{x, 5.0F * std::sin(x) * std::cos(z), z};
    const float size = 0.02F * static_cast<float>(1U << random() % 6);
    const Vec3 half{size * unit(random), 0.2F * size, size * unit(random)};
    host.push_back({centre - half, centre + half});
  }
  const Sorted input = sorted_morton(host, 32);
  const auto area_of = [&](const char* builder) {
    const Row row{find_variant(Primitive::build, builder)};
    const TestDevice on = devices_for(n, row).front();
    DeviceTree tree(on, input, n);
    tree.set_boxes(host);
    tree.build(row);
    const reference::Tree got = tree.download();
    double area = 0.0;
    for (std::uint32_t node = 0; node + 1 < got.count; ++node)
      area += got.nodes[node].box().half_area();
    return area;
  };
  EXPECT_LT(area_of("hploc"), 0.9 * area_of("apetrei"));
  EXPECT_LT(area_of("ploc"), 0.9 * area_of("apetrei"));
  EXPECT_LT(area_of("sah_sweep"), 0.98 * std::min(area_of("ploc"), area_of("hploc")));
}

// The most nodes on a path from the root to a leaf.
std::uint32_t depth_of(const reference::Tree& tree) {
  std::uint32_t deepest = 0;
  for (std::uint32_t leaf = 0; leaf < tree.count; ++leaf) {
    std::uint32_t depth = 0;
    for (std::uint32_t at = tree.first_leaf() + leaf; at != Bvh::no_node; at = tree.parent[at])
      ++depth;
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

// Cubes around one point that grow along the curve: each chooses one before it, and only the first
// two choose each other. Rounds that join a pair each would make a chain of all.
TEST(Builders, PlocMakesNoChainOfBoxesThatGrow) {
  for (const std::uint32_t n : {300U, 1000U, 2500U}) {
    std::vector<Aabb> host;
    std::vector<std::uint64_t> codes;
    for (std::uint32_t i = 0; i < n; ++i) {
      const auto half = static_cast<float>(i + 1);
      host.push_back({{-half, -half, -half}, {half, half, half}});
      codes.push_back(i);
    }
    const Sorted input = sorted(codes, 32);
    const Row row{find_variant(Primitive::build, "ploc")};
    for (const TestDevice& on : devices_for(n, row)) {
      SCOPED_TRACE(std::to_string(n) + ", " + on.name);
      DeviceTree tree(on, input, n);
      tree.set_boxes(host);
      tree.build(row);
      const reference::Tree got = tree.download();
      ASSERT_EQ(check_links(got, input, wanted_tree(row, input, host, n)), "");
      // Below 128 clusters one pair a round is enough, and they may make a chain.
      EXPECT_LT(depth_of(got), 160U);
    }
  }
}

TEST(CheckOfLinks, NoticesEachKindOfFault) {
  const std::uint32_t n = 500;
  const std::vector<Aabb> host = boxes(Scene::random, n, 6);
  const Sorted input = sorted_morton(host, 32);
  const reference::Tree want = reference::built_tree(0, input.wide, input.primitives, host, n + 7);
  const auto complaints = [&](const auto& spoil) {
    reference::Tree tree = want;
    spoil(tree);
    EXPECT_NE(reference::check_links(tree, input.primitives), "");
    EXPECT_NE(reference::check_same_links(tree, want), "");
  };
  ASSERT_EQ(reference::check_links(want, input.primitives), "");
  ASSERT_EQ(reference::check_same_links(want, want), "");
  complaints([](reference::Tree& tree) { tree.root = 0; });
  complaints([](reference::Tree& tree) { ++tree.parent[3]; });
  complaints([](reference::Tree& tree) { tree.nodes[5].left = tree.nodes[5].right; });
  complaints([](reference::Tree& tree) { tree.nodes[tree.root].right = tree.root; });
  complaints([&](reference::Tree& tree) { tree.nodes[tree.first_leaf() + n - 1].left = 0; });
  complaints([](reference::Tree& tree) { tree.parent[tree.first_leaf()] = 1; });
}

// The check of the trees notices each kind of fault, on one core and on all of them.
TEST(CheckOfATree, NoticesEachKindOfFault) {
  using reference::Cores;
  const auto n = static_cast<std::uint32_t>(allowed(20'000));
  const std::vector<Aabb> host = boxes(Scene::random, n, 6);
  const Sorted input = sorted_morton(host, 32);
  const Row row{default_variant(Primitive::build, Backend::cuda)};
  const TestDevice on = devices_for(n, row).front();
  DeviceTree made(on, input, n);
  made.set_boxes(host);
  made.build(row);
  made.refit(Row{default_variant(Primitive::refit, Backend::cuda)});
  reference::Tree tree = made.download();
  for (const Cores cores : {Cores::one, Cores::all}) {
    const auto topology = [&] {
      return reference::check_topology(tree, input.wide, input.primitives, cores);
    };
    const auto fits = [&] { return reference::check_boxes(tree, host, cores); };
    ASSERT_EQ(topology(), "");
    ASSERT_EQ(fits(), "");
    for (const std::uint32_t inner : {tree.root, 1U, n / 3, n / 2, n - 2}) {
      BvhNode& node = tree.nodes[inner];
      const BvhNode was = node;
      std::swap(node.left, node.right);
      EXPECT_NE(topology(), "") << inner;
      node = was;
      node.right = node.left;
      EXPECT_NE(topology(), "") << inner;
      node = was;
      node.max.y += 1.0F;
      EXPECT_NE(fits(), "") << inner;
      node = was;
      ++tree.parent[inner];
      EXPECT_NE(topology(), "") << inner;
      --tree.parent[inner];
    }
    for (const std::uint32_t key : {0U, n / 2, n - 1}) {
      BvhNode& leaf = tree.nodes[tree.first_leaf() + key];
      const BvhNode was = leaf;
      leaf.left = input.primitives[(key + 1) % n];
      EXPECT_NE(topology(), "") << key;
      EXPECT_NE(fits(), "") << key;
      leaf = was;
    }
    ASSERT_EQ(topology(), "");
    ASSERT_EQ(fits(), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Build, testing::ValuesIn(rows_of(Primitive::build)),
                         [](const auto& row) { return name_of(row.param); });

// Every refit over the trees of every builder.
class Refit : public testing::TestWithParam<Row> {};

TEST_P(Refit, FitsTheTreeOfAnyBuilderRepeatedly) {
  for (const std::size_t n : sizes_to_several_tiles()) {
    for (const Scene scene : scenes) {
      if (n >= large && scene != Scene::random) continue;
      const std::vector<Aabb> at_rest = boxes(scene, n, 4);
      const std::vector<Aabb> moved = boxes(Scene::random, n, 5);
      const Sorted input = sorted_morton(at_rest, 32);
      for (const Row& builder : rows_of(Primitive::build)) {
        // Separate tests cover other large trees.
        const bool is_default = builder.index == default_variant(Primitive::build, Backend::cuda);
        if (n >= large && !is_default) continue;
        if (!is_radix(builder) && !takes_any_tree(GetParam())) continue;
        const auto wanted = wanted_tree(builder, input, at_rest, n);
        for (const TestDevice& on : is_default ? devices_for(n, GetParam()) : few_devices()) {
          SCOPED_TRACE(std::to_string(n) + " primitives, " + to_string(scene) + ", built by " +
                       name_of(builder) + ", " + on.name);
          DeviceTree tree(on, input, static_cast<std::uint32_t>(n));
          tree.set_boxes(at_rest);
          tree.build(builder);
          for (const std::vector<Aabb>* host : {&at_rest, &moved}) {
            tree.set_boxes(*host);
            tree.refit(GetParam(), 30);
            const reference::Tree got = tree.download();
            ASSERT_EQ(check_links(got, input, wanted), "");
            ASSERT_EQ(reference::check_boxes(got, *host), "");
          }
        }
      }
    }
  }
}

// Codes with a single bit each, and many codes without any, distinguished by their index: as many
// levels as the bits of code and index permit.
TEST_P(Refit, FitsTheDeepestTree) {
  for (const int bits : {30, 32, 63, 64}) {
    std::vector<std::uint64_t> codes(34, 0);
    for (int bit = 0; bit < bits; ++bit) codes.push_back(std::uint64_t{1} << bit);
    const std::vector<Aabb> host = boxes(Scene::random, codes.size(), 7);
    const Sorted input = sorted(codes, bits > 32 ? 64 : 32);
    for (const TestDevice& on : devices_for(codes.size(), GetParam())) {
      SCOPED_TRACE(std::to_string(bits) + " bits, " + on.name);
      DeviceTree tree(on, input, static_cast<std::uint32_t>(codes.size()));
      tree.set_boxes(host);
      tree.build(Row{default_variant(Primitive::build, Backend::cuda)});
      tree.refit(GetParam(), bits);
      ASSERT_EQ(reference::check_boxes(tree.download(), host), "");
    }
  }
}

TEST_P(Refit, FitsCombsAcrossTiles) {
  on_each_comb(GetParam(), [this](DeviceTree& tree, const Sorted&, const auto& host) {
    tree.build(Row{default_variant(Primitive::build, Backend::cuda)});
    tree.refit(GetParam());
    ASSERT_EQ(reference::check_boxes(tree.download(), host), "");
  });
}

// With room for more leaves than there are.
TEST_P(Refit, FitsAPartlyFilledTree) {
  const auto capacity = static_cast<std::uint32_t>(allowed(3000));
  for (const std::size_t n : allowed({0, 1, 2, 1023, 1025, 2500})) {
    const std::vector<Aabb> host = boxes(Scene::random, n, 9);
    const Sorted input = sorted_morton(host, 32);
    for (const TestDevice& on : devices_for(capacity, GetParam())) {
      SCOPED_TRACE(std::to_string(n) + " primitives, " + on.name);
      DeviceTree tree(on, input, capacity);
      tree.set_boxes(host);
      tree.build(Row{default_variant(Primitive::build, Backend::cuda)});
      tree.refit(GetParam());
      const reference::Tree got = tree.download();
      ASSERT_EQ(reference::check_topology(got, input.wide, input.primitives), "");
      ASSERT_EQ(reference::check_boxes(got, host), "");
    }
  }
}

TEST_P(Refit, GivesTheSameBitsForZerosOfBothSigns) {
  const std::vector<Aabb> host = zero_boxes(300);
  const Sorted input = sorted_morton(host, 32);
  std::optional<reference::Tree> first;
  for (const TestDevice& on : devices_for(host.size(), GetParam())) {
    DeviceTree tree(on, input, static_cast<std::uint32_t>(host.size()));
    tree.set_boxes(host);
    tree.build(Row{default_variant(Primitive::build, Backend::cuda)});
    tree.refit(GetParam());
    const reference::Tree got = tree.download();
    if (!first) first = got;
    EXPECT_TRUE(same_bits(got, *first)) << on.name;
  }
}

// The root has the total of all primitives; or the variant refuses totals that it does not support.
TEST_P(Refit, SumsTotalsUpToTheRootOrRefuses) {
  const std::vector<Aabb> host = boxes(Scene::random, 300, 3);
  const Sorted input = sorted_morton(host, 32);
  for (const TestDevice& on : devices_for(host.size(), GetParam())) {
    SCOPED_TRACE(on.name);
    DeviceTree tree(on, input, static_cast<std::uint32_t>(host.size()));
    tree.set_boxes(host);
    tree.build(Row{default_variant(Primitive::build, Backend::cuda)});
    if ((GetParam().index->traits & RefitTrait::totals) == 0) {
      EXPECT_THROW(tree.totals(GetParam()), Error);
      continue;
    }
    const std::vector<NodeTotals> totals = tree.totals(GetParam());
    EXPECT_EQ(totals[tree.download().root].primitives, host.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Refit, testing::ValuesIn(rows_of(Primitive::refit)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
