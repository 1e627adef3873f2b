// The experiment of the spatial hash: particles and their neighbours, compared with a plain search.
#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <tuple>

#include "gpu/lab/experiment.h"
#include "gpu/primitives/spatial_hash/arguments.h"
#include "gpu/reference/neighbours.h"

namespace warpview::lab {
namespace {

enum SpatialHashFormIndex {
  uniform,
  structure,
  pairs,
  clumped,
  sparse,
  line,
  lattice,
  point,
  load_50,
  load_80,
  load_95
};
constexpr Form spatial_hash_forms[] = {
    {"uniform", "one cell per particle on average; build, and search for each one's neighbours"},
    {"structure", "the same particles; build alone"},
    {"pairs", "the same particles; build, and list every pair once"},
    {"clumped", "256 particles in a cell, most cells empty; build and search"},
    {"sparse", "groups of 8, far from each other in a large world; build and search"},
    {"line", "along lines of a million particles; build and search"},
    {"lattice", "neighbours just at the radius, or just beyond; build and search"},
    {"point", "1024 particles in exactly the same place; build and search"},
    {"load_50", "one particle per cell, cells that take half of the slots; build and search"},
    {"load_80", "the same with 80 % taken"},
    {"load_95", "the same with 95 % taken"},
};

bool fills_table(int form) { return form >= load_50; }

double load_of(int form) { return form == load_50 ? 0.5 : form == load_80 ? 0.8 : 0.95; }

// --- where the particles are

// The number of points along the edge of a cube of n of them, and the position of point i.
std::uint32_t edge_of(std::uint32_t n) {
  std::uint32_t edge = 1;
  while (std::uint64_t{edge} * edge * edge < n) ++edge;
  return edge;
}
Vec3 place_in_cube(std::uint32_t i, std::uint32_t edge) {
  const std::uint32_t row = i / edge;
  const std::uint32_t layer = row / edge;
  return {static_cast<float>(i % edge), static_cast<float>(row % edge), static_cast<float>(layer)};
}

float radius_of(int form) { return form == lattice ? 0.1F : 1.0F; }

std::vector<Vec3> points_of(const Setup& setup) {
  std::mt19937_64 random(setup.seed * 6364136223846793005U + setup.n);
  std::uniform_real_distribution<float> unit(0.0F, 1.0F);
  const auto anywhere = [&]() -> Vec3 { return {unit(random), unit(random), unit(random)}; };
  const std::uint32_t n = setup.n;
  const std::uint32_t group = setup.form == clumped ? 256 : setup.form == point ? 1024 : 1;
  const std::uint32_t edge = edge_of(n / group + 1);
  std::vector<Vec3> points(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    switch (setup.form) {
      case clumped:
        points[i] = place_in_cube(i / group, edge) * 4.0F + anywhere();
        break;
      case sparse: {
        // Slightly farther out than cells have coordinates.
        constexpr float world = 1.05e6F;
        points[i] = i % 8 == 0 ? (anywhere() - Vec3{0.5F, 0.5F, 0.5F}) * (2.0F * world)
                               : points[i - i % 8] + anywhere() * 1.5F;
        break;
      }
      case line: {
        constexpr std::uint32_t length = 1U << 20U;
        const std::uint32_t row = i / length;
        points[i] = {static_cast<float>(i % length) * 0.5F - length / 4.0F,
                     8.0F * static_cast<float>(row) + 0.25F, 0.25F};
        break;
      }
      case lattice:
        points[i] = place_in_cube(i, edge) * radius_of(lattice);
        break;
      case point:
        points[i] = place_in_cube(i / group, edge) * 3.0F;
        break;
      case load_50:
      case load_80:
      case load_95:
        points[i] = place_in_cube(i, edge) + anywhere() * 0.75F + Vec3{0.1F, 0.1F, 0.1F};
        break;
      default:
        points[i] = (anywhere() - Vec3{0.5F, 0.5F, 0.5F}) * std::cbrt(static_cast<float>(n));
    }
  }
  if (setup.distribution == Distribution::sorted) {
    const auto layers = [](Vec3 p) {
      return std::tuple(std::floor(p.z), std::floor(p.y), std::floor(p.x));
    };
    std::stable_sort(points.begin(), points.end(),
                     [&](Vec3 a, Vec3 b) { return layers(a) < layers(b); });
  } else {
    std::shuffle(points.begin(), points.end(), random);
  }
  return points;
}

Aabb bounds_of(const std::vector<Vec4>& positions) {
  if (positions.empty()) return {{0, 0, 0}, {0, 0, 0}};
  Aabb bounds = Aabb::empty();
  for (const Vec4& p : positions) bounds = merge(bounds, {p.xyz, p.xyz});
  return bounds;
}

std::string spatial_hash_why_not(VariantId variant, int form) {
  const CellKind kind = cell_kind(variant->traits);
  if (fills_table(form) && kind != CellKind::table) return "it has no table that cells fill";
  if (form == sparse && needs_box(kind))
    return "a box around this world would have more cells than fit into memory";
  return {};
}

std::uint32_t spatial_hash_most_of_variant(VariantId variant) {
  return cell_kind(variant->traits) == CellKind::all ? most_particles_for_all : 0;
}

class SpatialHash : public Experiment {
 public:
  explicit SpatialHash(const Setup& setup)
      : Experiment(setup),
        form_(setup.form),
        order_(device_, n_),
        sorted_positions_(device_, n_),
        sorted_payload_(device_, n_),
        counts_(device_, n_),
        marks_(device_, n_),
        pair_count_(device_, 1) {
    const std::vector<Vec3> points = points_of(setup);
    for (std::uint32_t i = 0; i < n_; ++i) {
      const auto number = static_cast<float>(i);
      host_positions_.push_back({points[i], number});
      host_payload_.push_back({{number, -number, 0.5F * number}, 1.0F});
    }
    positions_ = uploaded(setup, host_positions_);
    payload_ = uploaded(setup, host_payload_);

    const float radius = radius_of(form_);
    args_ = {.positions = positions_.data(),
             .payload = payload_.data(),
             .n = n_,
             .radius = radius,
             .cell_side = radius,
             .slots = fills_table(form_)
                          ? std::max(fewest_slots, static_cast<std::uint32_t>(n_ / load_of(form_)))
                          : cell_slots(n_),
             .sort = device_.table().get<Primitive::sort>(
                 default_variant(Primitive::sort, device_.info().backend)),
             .scan = device_.table().get<Primitive::scan>(
                 default_variant(Primitive::scan, device_.info().backend)),
             .order = order_.data(),
             .sorted_positions = sorted_positions_.data(),
             .sorted_payload = sorted_payload_.data()};
    if (form_ != sparse) args_.box = cell_box(bounds_of(host_positions_), radius, radius);
    std::size_t table_bytes = 0;
    for (const VariantId variant : variants_of(Primitive::spatial_hash)) {
      if (!spatial_hash_why_not(variant, form_).empty()) continue;
      const CellKind kind = cell_kind(variant->traits);
      table_bytes = std::max(table_bytes, cell_table_bytes(args_, kind));
    }
    table_ = Buffer<std::byte>(device_, table_bytes);
    args_.table = table_.data();

    want_ = reference::neighbours(host_positions_, radius);
    if (form_ == pairs) {
      want_pairs_ = reference::neighbour_pairs(host_positions_, radius);
      pairs_ = Buffer<NeighbourPair>(device_, want_pairs_.size());
    }
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::spatial_hash>(variant), stream_, args_);
    if (form_ == pairs)
      scratch_.run(device_.table().step<Step::list_neighbours>(), stream_,
                   ListNeighboursArgs{.cells = cells(variant),
                                      .pairs = pairs_.data(),
                                      .capacity = static_cast<std::uint32_t>(pairs_.size()),
                                      .count = pair_count_.data()});
    else if (form_ != structure)
      search(variant);
  }
  // The order of listed pairs is unspecified for every variant.
  std::vector<Region> result() override {
    std::vector<Region> regions = {region("order", order_),
                                   region("sorted_positions", sorted_positions_),
                                   region("sorted_payload", sorted_payload_)};
    if (form_ == pairs) {
      regions.push_back(region("pair_count", pair_count_));
    } else if (form_ != structure) {
      regions.push_back(region("counts", counts_));
      regions.push_back(region("marks", marks_));
    }
    return regions;
  }

 protected:
  std::vector<Region> outputs() override {
    return {region("order", order_),          region("sorted_payload", sorted_payload_),
            region("table", table_),          region("counts", counts_),
            region("marks", marks_),          region("pairs", pairs_),
            region("pair_count", pair_count_)};
  }
  // Fills the places with invalid values: a search among particles that a variant left unsorted
  // then ends at once, whatever the table holds.
  void spoil_more() override {
    stream_.fill(sorted_positions_.data(), 0xff, sorted_positions_.size() * sizeof(Vec4));
  }
  std::string check(VariantId variant) override {
    // Checks the places first: a search among misplaced particles shows nothing.
    const std::vector<std::uint32_t> order = order_.download(stream_);
    std::vector<bool> has_place(n_);
    for (const std::uint32_t particle : order) {
      if (particle >= n_ || has_place[particle]) return "not every particle has one place";
      has_place[particle] = true;
    }
    std::string wrong = check_sorted(order, sorted_positions_, host_positions_, "positions");
    if (wrong.empty()) wrong = check_sorted(order, sorted_payload_, host_payload_, "payloads");
    if (!wrong.empty()) return wrong;

    if (form_ == pairs) {
      std::vector<NeighbourPair> got = pairs_.download(stream_);
      const std::uint32_t count = pair_count_.download(stream_).front();
      if (count != want_pairs_.size())
        return std::to_string(count) + " pairs instead of " + std::to_string(want_pairs_.size());
      std::sort(got.begin(), got.end());
      return first_difference(got, want_pairs_, "pairs");
    }
    if (form_ == structure) search(variant);
    wrong = first_difference(counts_.download(stream_), by_place(want_.counts, order),
                             "numbers of neighbours");
    if (!wrong.empty()) return wrong;
    return first_difference(marks_.download(stream_), by_place(want_.marks, order), "neighbours");
  }
  // A search reads a particle and its index and writes its result; at best the neighbours come from
  // a cache.
  Traffic traffic() const override {
    double searched = 0.0;
    if (form_ == pairs)
      searched = 20.0 + 8.0 * static_cast<double>(want_pairs_.size()) / std::max(n_, 1U);
    else if (form_ != structure)
      searched = 20.0 + 12.0;
    const int bits = static_cast<int>(std::bit_width(args_.slots)) - 1;
    return {.value = searched, .passes = static_cast<double>((bits + 7) / 8)};  // NOLINT: whole
  }

 private:
  Cells cells(VariantId variant) const { return cells_of(args_, cell_kind(variant->traits)); }

  void search(VariantId variant) {
    scratch_.run(device_.table().step<Step::count_neighbours>(), stream_,
                 CountNeighboursArgs{
                     .cells = cells(variant), .counts = counts_.data(), .marks = marks_.data()});
  }

  template <class T>
  static std::vector<T> by_place(const std::vector<T>& by_particle,
                                 const std::vector<std::uint32_t>& order) {
    std::vector<T> sorted(order.size());
    for (std::size_t place = 0; place < order.size(); ++place)
      sorted[place] = by_particle[order[place]];
    return sorted;
  }
  std::string check_sorted(const std::vector<std::uint32_t>& order, const Buffer<Vec4>& sorted,
                           const std::vector<Vec4>& by_particle, const char* what) {
    return first_difference(sorted.download(stream_), by_place(by_particle, order), what);
  }

  int form_;
  std::vector<Vec4> host_positions_, host_payload_;
  reference::Neighbours want_;
  std::vector<NeighbourPair> want_pairs_;
  SpatialHashArgs args_;
  Buffer<Vec4> positions_, payload_;
  Buffer<std::uint32_t> order_;
  Buffer<Vec4> sorted_positions_, sorted_payload_;
  Buffer<std::byte> table_;
  Buffer<std::uint32_t> counts_;
  Buffer<std::uint64_t> marks_;
  Buffer<NeighbourPair> pairs_;
  Buffer<std::uint32_t> pair_count_;
};

// The order of the input particles: any, or by cells, as in a simulation that keeps them sorted.
constexpr Distribution spatial_hash_distributions[] = {Distribution::uniform, Distribution::sorted};

}  // namespace

const ExperimentKind& spatial_hash_experiment() {
  static constexpr ExperimentKind kind = {.items = "particles",
                                          .forms = spatial_hash_forms,
                                          .distributions = spatial_hash_distributions,
                                          .memory_each = 176,
                                          .make = make<SpatialHash>,
                                          .most_on_cpu = 1U << 17U,
                                          .why_not = spatial_hash_why_not,
                                          .most_items = spatial_hash_most_of_variant};
  return kind;
}

}  // namespace warpview::lab
