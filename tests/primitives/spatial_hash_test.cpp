// Every spatial hash of the catalogue beyond the generic experiment: particles at the limit of the
// radius and of the grid, cells that share slots, tables that are too small, positions that are not
// finite. And the reference, compared with all pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "gpu/primitives/spatial_hash/arguments.h"
#include "gpu/reference/neighbours.h"
#include "gpu/runtime/scratch_memory.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

using Pairs = std::vector<NeighbourPair>;
using Points = std::vector<Vec3>;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float largest = std::numeric_limits<float>::max();

std::vector<Vec4> with_numbers(const Points& points) {
  std::vector<Vec4> positions;
  for (const Vec3 point : points)
    positions.push_back({point, static_cast<float>(positions.size())});
  return positions;
}

Pairs all_pairs(const Points& points, float radius) {
  return reference::neighbour_pairs_of_all(with_numbers(points), radius);
}

// The bounding box of the finite points.
Aabb bounds_of(const Points& points) {
  Aabb bounds = Aabb::empty();
  for (const Vec3 p : points)
    if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z))
      bounds = merge(bounds, {p, p});
  return bounds.is_empty() ? Aabb{{0, 0, 0}, {0, 0, 0}} : bounds;
}

Points cloud(std::size_t n, float edge, Vec3 centre = {0, 0, 0}, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> along(-0.5F * edge, 0.5F * edge);
  Points points(n);
  for (Vec3& p : points) p = centre + Vec3{along(random), along(random), along(random)};
  return points;
}

// One variant on one device. `args` may be changed before a run, except for n and the memory.
class Search {
 public:
  Search(const TestDevice& on, VariantId variant, const Points& points, float radius)
      : device_(*on.device),
        stream_(device_.create_stream()),
        scratch_(device_),
        variant_(variant),
        kind_(cell_kind(variant->traits)),
        n_(static_cast<std::uint32_t>(points.size())),
        positions_(device_, n_),
        sorted_(device_, n_),
        order_(device_, n_),
        counts_(device_, n_),
        marks_(device_, n_),
        pairs_(device_, most_pairs),
        pair_count_(device_, 1) {
    place(points);
    args = {.positions = positions_.data(),
            .n = n_,
            .radius = radius,
            .cell_side = radius,
            .slots = cell_slots(n_),
            .sort = device_.table().get<Primitive::sort>(
                default_variant(Primitive::sort, device_.info().backend)),
            .scan = device_.table().get<Primitive::scan>(
                default_variant(Primitive::scan, device_.info().backend)),
            .order = order_.data(),
            .sorted_positions = sorted_.data()};
    if (needs_box(kind_)) args.box = cell_box(bounds_of(points), radius, radius);
  }

  void place(const Points& points) {
    host_positions_ = with_numbers(points);
    positions_.upload(*stream_, host_positions_);
    stream_->synchronize();
  }
  void build() {
    if (const std::size_t bytes = cell_table_bytes(args, kind_); bytes > table_.size())
      table_ = Buffer<std::byte>(device_, bytes);
    args.table = table_.data();
    scratch_.run(device_.table().get<Primitive::spatial_hash>(variant_), *stream_, args);
  }
  // Every particle has one place.
  void expect_places() {
    const std::vector<std::uint32_t> order = order_.download(*stream_);
    const std::vector<Vec4> sorted = sorted_.download(*stream_);
    std::vector<bool> has_place(n_);
    for (std::uint32_t place = 0; place < n_; ++place) {
      const std::uint32_t particle = order[place];
      ASSERT_LT(particle, n_);
      ASSERT_FALSE(has_place[particle]) << "particle " << particle << " has two places";
      has_place[particle] = true;
      ASSERT_EQ(std::memcmp(&sorted[place], &host_positions_[particle], sizeof(Vec4)), 0);
    }
  }
  // Searches half of the cells. Returns ascending pairs.
  Pairs pairs() {
    scratch_.run(device_.table().step<Step::list_neighbours>(), *stream_,
                 ListNeighboursArgs{.cells = cells(),
                                    .pairs = pairs_.data(),
                                    .capacity = most_pairs,
                                    .count = pair_count_.data()});
    const std::uint32_t count = pair_count_.download(*stream_).front();
    EXPECT_LE(count, most_pairs);
    Pairs found = pairs_.download(*stream_, std::min(count, most_pairs));
    std::sort(found.begin(), found.end());
    return found;
  }
  // Searches all cells, by particle.
  reference::Neighbours neighbours() {
    scratch_.run(
        device_.table().step<Step::count_neighbours>(), *stream_,
        CountNeighboursArgs{.cells = cells(), .counts = counts_.data(), .marks = marks_.data()});
    const std::vector<std::uint32_t> order = order_.download(*stream_);
    const std::vector<std::uint32_t> counts = counts_.download(*stream_);
    const std::vector<std::uint64_t> marks = marks_.download(*stream_);
    reference::Neighbours found{std::vector<std::uint32_t>(n_), std::vector<std::uint64_t>(n_)};
    for (std::uint32_t place = 0; place < n_; ++place) {
      found.counts[order[place]] = counts[place];
      found.marks[order[place]] = marks[place];
    }
    return found;
  }
  // Both searches find exactly these pairs.
  void expect_finds(const Pairs& want) {
    expect_places();
    if (testing::Test::HasFatalFailure()) return;
    const Pairs found = pairs();
    ASSERT_EQ(found.size(), want.size());
    ASSERT_TRUE(found == want);
    reference::Neighbours each{std::vector<std::uint32_t>(n_), std::vector<std::uint64_t>(n_)};
    for (const auto& [a, b] : want) {
      ++each.counts[a];
      ++each.counts[b];
      each.marks[a] += neighbour_mark(b);
      each.marks[b] += neighbour_mark(a);
    }
    const reference::Neighbours searched = neighbours();
    ASSERT_EQ(searched.counts, each.counts);
    ASSERT_EQ(searched.marks, each.marks);
  }

  CellKind kind() const { return kind_; }
  Stream& stream() { return *stream_; }
  std::vector<std::uint32_t> order() { return order_.download(*stream_); }

  SpatialHashArgs args;

 private:
  static constexpr std::uint32_t most_pairs = 1U << 20U;

  Cells cells() const { return cells_of(args, kind_); }

  Device& device_;
  std::unique_ptr<Stream> stream_;
  ScratchMemory scratch_;
  VariantId variant_;
  CellKind kind_;
  std::uint32_t n_;
  std::vector<Vec4> host_positions_;
  Buffer<Vec4> positions_, sorted_;
  Buffer<std::uint32_t> order_, counts_;
  Buffer<std::uint64_t> marks_;
  Buffer<NeighbourPair> pairs_;
  Buffer<std::uint32_t> pair_count_;
  Buffer<std::byte> table_;
};

class SpatialHash : public testing::TestWithParam<Row> {
 protected:
  // Calls test(search) on each device, after the points were placed and before the build.
  template <class Test>
  void on_devices(const Points& points, float radius, Test&& test) {
    for (const TestDevice& on : devices_for(1, GetParam())) {
      SCOPED_TRACE(on.name);
      Search search(on, GetParam().index, points, radius);
      test(search);
      if (HasFatalFailure()) return;
    }
  }
  void expect_finds(const Points& points, float radius, const Pairs& want) {
    on_devices(points, radius, [&](Search& search) {
      search.build();
      search.expect_finds(want);
    });
  }
  // Compares with the search over all pairs.
  void expect_finds_all(const Points& points, float radius) {
    const Pairs want = all_pairs(points, radius);
    on_devices(points, radius, [&](Search& search) {
      search.build();
      search.expect_finds(want);
    });
  }
};

TEST_P(SpatialHash, FindsNeighbours) {
  // At the radius and beyond, along each axis, across the origin, and in the same place.
  expect_finds({{0.0F, 0.0F, 0.0F},
                {1.0F, 0.0F, 0.0F},
                {0.0F, -1.0F, 0.0F},
                {0.0F, 0.0F, 1.001F},
                {0.5F, -0.5F, 0.5F},
                {0.0F, 0.0F, 0.0F},
                {9.0F, 9.0F, 9.0F}},
               1.0F,
               {{0, 1}, {0, 2}, {0, 4}, {0, 5}, {1, 4}, {1, 5}, {2, 4}, {2, 5}, {3, 4}, {4, 5}});
}

TEST_P(SpatialHash, FindsNothingIfThereAreNoNeighbours) {
  expect_finds({}, 1.0F, {});
  expect_finds({{3.0F, -4.0F, 5.0F}}, 1.0F, {});
  expect_finds({{3.0F, -4.0F, 5.0F}, {3.0F, -4.0F, 6.5F}}, 1.0F, {});
}

TEST_P(SpatialHash, FindsEachPairOnceInADenseCloud) {
  expect_finds_all(cloud(700, 3.0F), 1.0F);
  expect_finds_all(cloud(700, 3.0F, {-100.0F, 200.0F, -300.0F}), 0.7F);
}

TEST_P(SpatialHash, WorksWithOneCellIfTheRadiusIsLarge) {
  expect_finds_all(cloud(300, 1.0F, {5.0F, 5.0F, 5.0F}), 1000.0F);
  expect_finds_all(cloud(300, 1.0F), 1000.0F);  // around a corner of eight cells
}

// Six neighbours exactly at the radius, and those that rounding leaves there.
TEST_P(SpatialHash, DecidesAtTheRadiusAsAllPairsDo) {
  for (const float spacing : {0.25F, 0.1F}) {
    Points points;
    for (int z = 0; z < 9; ++z)
      for (int y = 0; y < 9; ++y)
        for (int x = 0; x < 9; ++x)
          points.push_back(
              Vec3{static_cast<float>(x - 4), static_cast<float>(y), static_cast<float>(z + 1000)} *
              spacing);
    const Pairs want = all_pairs(points, spacing);
    if (spacing == 0.25F) {
      EXPECT_EQ(want.size(), 3U * 8 * 9 * 9);
    } else {
      EXPECT_GT(want.size(), 0U);
      EXPECT_LT(want.size(), 3U * 8 * 9 * 9);
    }
    expect_finds(points, spacing, want);
  }
}

// Two particles whose distance exceeds the radius by less than a float can represent: they are
// neighbours, with a cell of just that size between them.
TEST_P(SpatialHash, FindsPairsWhoseDistanceRoundsToTheRadius) {
  for (const float radius : {1.0F, 0.1F, 3.3F, 1e-15F, 1e15F})
    expect_finds({{-1e-17F * radius, 0, 0},
                  {radius, 0, 0},
                  {0, 9 * radius, -1e-17F * radius},
                  {0, 9 * radius, radius}},
                 radius, {{0, 1}, {2, 3}});
}

// Where floats are so coarse that a product with the number of cells per unit may round up to the
// next cell, more so on one side of a power of two: neighbours a radius apart must not end up two
// cells apart.
TEST_P(SpatialHash, LosesNoNeighbourFarFromTheOrigin) {
  for (const float radius : {0.1F, 1.0F, 3.3F, 0x1.a45122p-2F, 0x1.795a68p-2F}) {
    for (const float cells : {1000.0F, 65536.0F, 262144.0F, 524288.0F, 1e6F}) {
      // About 40 positions on both sides of each of three borders between cells.
      std::vector<float> along;
      for (int border = -1; border <= 1; ++border) {
        float position = (cells + static_cast<float>(border)) * radius;
        for (int step = 0; step < 20; ++step) position = std::nextafter(position, 0.0F);
        for (int step = 0; step < 40; ++step) {
          along.push_back(position);
          position = std::nextafter(position, largest);
        }
      }
      for (const float sign : {-1.0F, 1.0F}) {
        Points points;
        for (const float position : along) points.push_back({position * sign, 0, 0});
        for (const float position : along) points.push_back({9 * radius, position * sign, 0});
        for (const float position : along) points.push_back({0, 9 * radius, position * sign});
        // One axis at a time, to fit into a box.
        if (needs_box(cell_kind(GetParam().index->traits))) points.resize(along.size());
        const Pairs want = all_pairs(points, radius);
        ASSERT_GT(want.size(), 0U);
        ASSERT_LT(want.size(), points.size() * along.size() / 2);
        expect_finds(points, radius, want);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Beyond the outermost cells, up to the largest floats: all particles share these cells, and none
// is lost.
TEST_P(SpatialHash, SearchesBeyondTheOutermostCells) {
  Points points;
  for (const float far : {1048575.0F, 1048576.0F, 1048577.0F, 2e6F, 1e9F, 1e20F, largest})
    for (const float sign : {-1.0F, 1.0F})
      for (int axis = 0; axis < 3; ++axis)
        for (int copies = 0; copies < 2; ++copies) {
          Vec3 p{0.5F, 0.5F, 0.5F};
          (axis == 0 ? p.x : axis == 1 ? p.y : p.z) = far * sign;
          points.push_back(p);
        }
  const Pairs want = all_pairs(points, 1.0F);
  on_devices(points, 1.0F, [&](Search& search) {
    // A box around all particles would be too large.
    if (needs_box(search.kind())) search.args.box = {{-2, -2, -2}, {4, 4, 4}};
    search.build();
    search.expect_finds(want);
  });
}

// A box, and a hash table, that extends to the outermost cells.
TEST_P(SpatialHash, SearchesTheOutermostCells) {
  for (const float sign : {-1.0F, 1.0F}) {
    const float centre = 1048576.0F * sign;
    expect_finds_all(cloud(300, 4.0F, {centre, centre, centre}), 1.0F);
    if (HasFatalFailure()) return;
  }
}

TEST_P(SpatialHash, FindsParticlesOutsideTheBox) {
  const Points points = cloud(500, 6.0F);
  const Pairs want = all_pairs(points, 1.0F);
  on_devices(points, 1.0F, [&](Search& search) {
    for (const GridBox& box : {GridBox{{-1, -1, -1}, {2, 2, 2}}, GridBox{{0, -3, 1}, {1, 6, 1}},
                               GridBox{{100, 100, 100}, {3, 3, 3}}}) {
      search.args.box = box;
      search.build();
      search.expect_finds(want);
    }
  });
}

TEST_P(SpatialHash, IgnoresPositionsThatAreNotFinite) {
  Points points = cloud(400, 4.0F);
  std::mt19937 random(1);
  for (std::size_t i = 0; i < points.size(); i += 3) {
    constexpr float values[] = {not_a_number, -not_a_number, infinity, -infinity};
    Vec3& p = points[i];
    (i % 4 == 0 ? p.x : i % 4 == 1 ? p.y : p.z) = values[random() % 4];
  }
  expect_finds_all(points, 1.0F);
  if (HasFatalFailure()) return;
  expect_finds(Points(400, Vec3{not_a_number, not_a_number, not_a_number}), 1.0F, {});
  if (HasFatalFailure()) return;
  expect_finds(Points(400, Vec3{infinity, infinity, infinity}), 1.0F, {});
}

// Particles in no cell crowd no cell, not even the outermost.
TEST_P(SpatialHash, PositionsThatAreNotFiniteFillNoCell) {
  if (cell_kind(GetParam().index->traits) == CellKind::all)
    GTEST_SKIP() << "everybody is in everybody's way";
  Points points(1000, Vec3{not_a_number, -infinity, -infinity});
  points.push_back({-1048575.5F, -1048575.5F, -1048575.5F});
  points.push_back({-1048575.0F, -1048575.5F, -1048575.5F});
  on_devices(points, 1.0F, [&](Search& search) {
    search.args.most_candidates = 100;
    search.build();
    search.expect_finds({{1000, 1001}});
  });
}

// The fewest slots possible, far more cells than slots; no particle touches another.
TEST_P(SpatialHash, DistinguishesCellsThatShareASlot) {
  const Points points = cloud(1500, 12.0F);
  const Pairs want = all_pairs(points, 1.0F);
  on_devices(points, 1.0F, [&](Search& search) {
    if (search.kind() != CellKind::table) search.args.slots = fewest_slots;
    search.build();
    search.expect_finds(want);
  });
}

// Consecutive cells along each axis and diagonal: patterns with the grid's period, and keys that a
// poor hash would map together.
TEST_P(SpatialHash, FindsNeighboursAlongLines) {
  for (const Vec3 direction :
       {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 1, 1}, Vec3{4, -4, 0}}) {
    Points points;
    for (int i = 0; i < 400; ++i)
      points.push_back(direction * (0.5F * static_cast<float>(i - 200)));
    if (needs_box(cell_kind(GetParam().index->traits)) && direction.z == 1.0F &&
        direction.x == 1.0F)
      points.resize(100);  // in a box of as many cells cubed
    expect_finds_all(points, 1.0F);
    if (HasFatalFailure()) return;
  }
}

TEST_P(SpatialHash, FillsTheTableToItsLimit) {
  Points points;
  for (int i = 0; i < 62; ++i) points.push_back({static_cast<float>(2 * i), 0.0F, 0.0F});
  on_devices(points, 1.0F, [&](Search& search) {
    search.args.slots = 64;
    search.build();
    search.expect_finds({});
  });
}

// A new frame in memory that held another.
TEST_P(SpatialHash, ForgetsTheParticlesOfTheLastRun) {
  const Points before = cloud(600, 4.0F);
  const Points after = cloud(600, 4.0F, {1.0F, 0.0F, 0.0F}, 2);
  on_devices(before, 1.0F, [&](Search& search) {
    if (needs_box(search.kind())) search.args.box = {{-4, -4, -4}, {8, 8, 8}};
    search.build();
    search.expect_finds(all_pairs(before, 1.0F));
    search.place(after);
    search.build();
    search.expect_finds(all_pairs(after, 1.0F));
  });
}

TEST_P(SpatialHash, RunsInAGraph) {
  const Points before = cloud(600, 4.0F);
  const Points after = cloud(600, 4.0F, {1.0F, 0.0F, 0.0F}, 2);
  on_devices(before, 1.0F, [&](Search& search) {
    if (needs_box(search.kind())) search.args.box = {{-4, -4, -4}, {8, 8, 8}};
    search.build();  // takes the memory
    search.stream().begin_capture();
    search.build();
    const auto graph = search.stream().end_capture();
    for (const Points& points : {after, before}) {
      search.place(points);
      search.stream().launch(*graph);
      search.expect_finds(all_pairs(points, 1.0F));
    }
  });
}

// All particles in one place, and a bounded search: each particle tests exactly this many
// candidates.
TEST_P(SpatialHash, BoundsTheNumberOfCandidates) {
  Points points(1500, Vec3{0.25F, 0.25F, 0.25F});
  const Points far = {{10.25F, 0.25F, 0.25F}, {10.5F, 0.25F, 0.25F}};
  points.insert(points.end(), far.begin(), far.end());
  std::vector<std::uint32_t> first;
  on_devices(points, 1.0F, [&](Search& search) {
    constexpr std::uint32_t most = 100;
    search.args.most_candidates = most;
    search.build();
    const std::vector<std::uint32_t> counts = search.neighbours().counts;
    for (std::size_t i = 0; i < 1500; ++i) {
      ASSERT_LE(counts[i], most);
      ASSERT_GE(counts[i], most - 1);  // less one for itself
    }
    if (search.kind() != CellKind::all) {
      // No other particle is in their cells.
      ASSERT_EQ(counts[1500], 1);
      ASSERT_EQ(counts[1501], 1);
    }
    if (GetParam().index->determinism == Determinism::same_bits) {
      if (first.empty()) first = counts;
      ASSERT_EQ(counts, first);
    }
    ASSERT_LE(search.pairs().size(), std::size_t{most} * points.size());
    search.args.most_candidates = 0;
    ASSERT_EQ(search.neighbours().counts, std::vector<std::uint32_t>(points.size()));
    ASSERT_EQ(search.pairs().size(), 0);
  });
}

TEST_P(SpatialHash, CarriesAPayloadAlong) {
  const Points points = cloud(500, 4.0F);
  for (const TestDevice& on : devices_for(1, GetParam())) {
    SCOPED_TRACE(on.name);
    Search search(on, GetParam().index, points, 1.0F);
    std::vector<Vec4> payload(points.size());
    for (std::size_t i = 0; i < payload.size(); ++i) {
      const auto number = static_cast<float>(i);
      payload[i] = {{number, 2.0F * number, -number}, 7.0F};
    }
    Buffer<Vec4> in(*on.device, payload.size());
    Buffer<Vec4> out(*on.device, payload.size());
    in.upload(search.stream(), payload);
    search.args.payload = in.data();
    search.args.sorted_payload = out.data();
    search.build();
    search.expect_finds(all_pairs(points, 1.0F));
    const std::vector<std::uint32_t> order = search.order();
    const std::vector<Vec4> sorted = out.download(search.stream());
    for (std::size_t place = 0; place < order.size(); ++place)
      ASSERT_EQ(std::memcmp(&sorted[place], &payload[order[place]], sizeof(Vec4)), 0);
  }
}

// Any variants may sort and scan for it.
TEST_P(SpatialHash, TakesAnySortAndAnyScan) {
  const Points points = cloud(1000, 6.0F);
  const Pairs want = all_pairs(points, 1.0F);
  const TestDevice on = devices_for(1, GetParam()).front();
  Search search(on, GetParam().index, points, 1.0F);
  const bool same_bits = GetParam().index->determinism == Determinism::same_bits;
  std::vector<std::uint32_t> order;
  for (const Row& sort : rows_of(Primitive::sort)) {
    SCOPED_TRACE(name_of(sort));
    search.args.sort = on.device->table().get<Primitive::sort>(sort.index);
    search.build();
    search.expect_finds(want);
    if (order.empty()) order = search.order();
    if (same_bits) {
      ASSERT_EQ(search.order(), order);
    }
  }
  for (const Row& scan : rows_of(Primitive::scan)) {
    SCOPED_TRACE(name_of(scan));
    search.args.scan = on.device->table().get<Primitive::scan>(scan.index);
    search.build();
    search.expect_finds(want);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, SpatialHash,
                         testing::ValuesIn(rows_of(Primitive::spatial_hash)),
                         [](const auto& row) { return name_of(row.param); });

// --- refusals, and their messages

SpatialHashArgs sensible() {
  return {.n = 1000,
          .radius = 1.0F,
          .cell_side = 1.0F,
          .slots = cell_slots(1000),
          .box = {{0, 0, 0}, {10, 10, 10}}};
}

constexpr CellKind kinds[] = {CellKind::hashed, CellKind::morton, CellKind::box,
                              CellKind::table,  CellKind::lists,  CellKind::all};

void expect_refused(const SpatialHashArgs& args, CellKind kind, const std::string& word) {
  try {
    cells_of(args, kind);
    ADD_FAILURE() << "was not refused";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

TEST(SpatialHashArguments, AreAcceptedIfValid) {
  for (const CellKind kind : kinds) {
    EXPECT_NO_THROW(cells_of(sensible(), kind));
    SpatialHashArgs none = sensible();
    none.n = 0;
    none.slots = cell_slots(0);
    EXPECT_NO_THROW(cells_of(none, kind));
  }
}

TEST(SpatialHashArguments, NeedARadiusAndCellsOfThatSize) {
  for (const CellKind kind : kinds) {
    SpatialHashArgs args = sensible();
    for (const float radius : {not_a_number, infinity, 0.0F, -1.0F, 1e-30F, 1e30F}) {
      args.radius = args.cell_side = radius;
      expect_refused(args, kind, "between 2^-60 and 2^60");
    }
    args = sensible();
    for (const float side : {not_a_number, infinity, 0.0F, 0.999F, 1e30F}) {
      args.cell_side = side;
      expect_refused(args, kind, "as large as the radius");
    }
  }
}

TEST(SpatialHashArguments, NeedSlots) {
  for (const CellKind kind : {CellKind::hashed, CellKind::morton, CellKind::lists}) {
    SpatialHashArgs args = sensible();
    args.slots = 1000;
    expect_refused(args, kind, "power of two");
  }
  for (const CellKind kind :
       {CellKind::hashed, CellKind::morton, CellKind::lists, CellKind::table}) {
    SpatialHashArgs args = sensible();
    args.n = 10;
    for (const std::uint32_t slots : {0U, 32U, 1U << 31U}) {
      args.slots = slots;
      expect_refused(args, kind, "64 slots at least");
      EXPECT_THROW(cell_table_bytes(args, kind), Error);
    }
  }
  SpatialHashArgs args = sensible();
  args.slots = 1024;
  args.n = 992;
  EXPECT_NO_THROW(cells_of(args, CellKind::table));
  args.n = 993;
  expect_refused(args, CellKind::table, "it may get full: one slot of 32 has to stay free");
  expect_refused(args, CellKind::table, "cell_slots() gives 2048");
  args.slots = 1027;  // not a power of two
  EXPECT_NO_THROW(cells_of(args, CellKind::table));
}

TEST(SpatialHashArguments, NeedABoxOfCells) {
  SpatialHashArgs args = sensible();
  for (const GridBox& box :
       {GridBox{}, GridBox{{0, 0, 0}, {1, 0, 1}}, GridBox{{0, 0, 0}, {-1, -1, 1}},
        GridBox{{-2'000'000, 0, 0}, {1, 1, 1}}, GridBox{{1'048'576, 0, 0}, {1, 1, 1}},
        GridBox{{0, 0, 0}, {1'048'577, 1, 1}}, GridBox{{-2147483647, 0, 0}, {2147483647, 1, 1}}}) {
    args.box = box;
    expect_refused(args, CellKind::box, "1 cell per axis at least");
    EXPECT_NO_THROW(cells_of(args, CellKind::hashed));
  }
  args.box = {{-1'048'576, 0, 0}, {2'097'152, 128, 1}};
  EXPECT_NO_THROW(cells_of(args, CellKind::box));
  args.box.count.z = 2;
  expect_refused(args, CellKind::box, "2^28 cells at most");
  args.box = {{-1'048'576, -1'048'576, -1'048'576}, {2'097'152, 2'097'152, 2'097'152}};
  expect_refused(args, CellKind::box, "2^28 cells at most");
}

TEST(SpatialHashArguments, BoundTheNumberOfParticles) {
  SpatialHashArgs args = sensible();
  args.n = most_particles_for_all;
  EXPECT_NO_THROW(cells_of(args, CellKind::all));
  args.n = most_particles_for_all + 1;
  expect_refused(args, CellKind::all, "takes 8192 at most");
  args.n = most_particles;
  args.slots = cell_slots(args.n);
  for (const CellKind kind :
       {CellKind::hashed, CellKind::morton, CellKind::table, CellKind::lists, CellKind::box})
    EXPECT_NO_THROW(cells_of(args, kind));
  args.n = most_particles + 1;
  for (const CellKind kind : kinds) expect_refused(args, kind, "at most");
}

TEST(SpatialHashArguments, GetABoxOfCellsAroundTheWorld) {
  const GridBox box = cell_box({{-1.5F, 0.0F, 2.0F}, {1.5F, 0.0F, 4.5F}}, 1.0F, 1.0F);
  EXPECT_EQ(box.first.x, -2);
  EXPECT_EQ(box.first.y, 0);
  EXPECT_EQ(box.first.z, 1);  // cells are a millionth larger than requested
  EXPECT_EQ(box.count.x, 4);
  EXPECT_EQ(box.count.y, 1);
  EXPECT_EQ(box.count.z, 4);
  EXPECT_EQ(cell_box({{-1e30F, 0, 0}, {1e30F, 0, 0}}, 1.0F, 1.0F).count.x, 2 * GridCell::limit);
  EXPECT_THROW(cell_box(Aabb::empty(), 1.0F, 1.0F), Error);
  EXPECT_THROW(cell_box({{0, 0, 0}, {not_a_number, 0, 0}}, 1.0F, 1.0F), Error);
  EXPECT_THROW(cell_box({{0, 0, 0}, {infinity, 0, 0}}, 1.0F, 1.0F), Error);
  EXPECT_THROW(cell_box({{0, 0, 0}, {1, 1, 1}}, 0.0F, 1.0F), Error);
}

// --- the reference

TEST(NeighbourReference, FindsTheSameAsAllPairs) {
  Points odd = cloud(300, 5.0F);
  odd[7].x = not_a_number;
  odd[8].y = infinity;
  odd[9] = odd[10] = {largest, -largest, 1e20F};
  Points lattice;
  for (int i = 0; i < 512; ++i)
    lattice.push_back(Vec3{static_cast<float>(i % 8), static_cast<float>(i / 8 % 8),
                           static_cast<float>(i / 64 - 4)} *
                      0.1F);
  const struct {
    Points points;
    float radius;
  } worlds[] = {
      {{}, 1.0F},
      {{{1, 2, 3}}, 1.0F},
      {cloud(1000, 8.0F), 1.0F},
      {cloud(300, 2.0F), 1.0F},
      {cloud(300, 2.0F), 50.0F},
      {cloud(500, 6.0F, {1e5F, -1e5F, 3e5F}), 1.0F},
      {cloud(500, 6.0F, {-1.048576e6F, 1.048576e6F, 0.0F}), 1.0F},
      {cloud(500, 0.006F), 0.001F},
      {odd, 1.0F},
      {lattice, 0.1F},
      {Points(100, Vec3{1, 1, 1}), 0.5F},
  };
  for (const auto& [points, radius] : worlds) {
    const std::vector<Vec4> positions = with_numbers(points);
    const Pairs want = all_pairs(points, radius);
    EXPECT_TRUE(reference::neighbour_pairs(positions, radius) == want);
    reference::Neighbours each = reference::neighbours(positions, radius);
    for (const auto& [a, b] : want) {
      --each.counts[a];
      --each.counts[b];
      each.marks[a] -= neighbour_mark(b);
      each.marks[b] -= neighbour_mark(a);
    }
    EXPECT_EQ(each.counts, std::vector<std::uint32_t>(points.size()));
    EXPECT_EQ(each.marks, std::vector<std::uint64_t>(points.size()));
  }
}

}  // namespace
}  // namespace warpview::test
