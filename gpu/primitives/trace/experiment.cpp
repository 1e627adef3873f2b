// The experiment of ray tracing: rays of a kind through a tree over a mesh, against the reference's
// own walk (gpu/reference/rays.h).
//
// Unless a mesh is given, the triangles are hills under towers, a quarter as many as there are
// rays. How rays of bounces are made: from each hit in turn, cosine-distributed about the face's
// normal on the ray's side, by a generator that counts (the ray's number, not an order, decides).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

#include "gpu/lab/experiment.h"
#include "gpu/operators/split_mix.h"
#include "gpu/primitives/collapse/wide_regions.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/primitives/trace/trace.h"
#include "gpu/reference/rays.h"
#include "gpu/reference/reference.h"
#include "gpu/steps/tree.h"

namespace warpview::lab {
namespace {

enum TraceFormIndex { primary, tiled, shadow, ambient, bounce, fourth_bounce, anywhere, indexed };
constexpr Form trace_forms[] = {
    {"primary", "rays from a camera, row by row: nearest hits"},
    {"tiled", "the same rays in tiles of 8 x 4"},
    {"shadow", "from each primary hit towards a lamp: any hit", false, false, true},
    {"ambient", "from each primary hit into the hemisphere, of limited length: any hit", false,
     false, true},
    {"bounce", "from each primary hit, cosine-distributed: nearest hits"},
    {"bounce4", "the fourth bounce of such rays: nearest hits"},
    {"random", "between random points of the scene's box: nearest hits"},
    {"indexed", "primary rays; triangles by index, not in the order of the leaves"},
};

constexpr std::uint32_t rays_a_triangle = 4;

bool asks_any(int form) { return form == shadow || form == ambient; }

// Numbers in [0, 1) by seed, ray and dimension.
class Counting {
 public:
  explicit Counting(std::uint64_t seed) : seed_(seed) {}
  float number(std::uint32_t ray, std::uint32_t dimension) const {
    const std::uint64_t which = std::uint64_t{ray} << 8U | dimension;
    return static_cast<float>(split_mix(seed_ + which * split_mix_step) >> 40U) * 0x1p-24F;
  }

 private:
  std::uint64_t seed_;
};

float length_of(Vec3 v) { return std::sqrt(dot(v, v)); }
Vec3 unit(Vec3 v) { return v * (1.0F / length_of(v)); }

// --- the triangles

// `cells` x `cells` squares of two triangles: hills, and on every seventh square a tower.
std::vector<Vertex> hills(std::uint32_t cells, const Counting& random) {
  const std::uint32_t edge = cells + 1;
  std::vector<Vec3> grid(std::size_t{edge} * edge);
  for (std::uint32_t i = 0; i < grid.size(); ++i) {
    const float x = static_cast<float>(i % edge) / static_cast<float>(cells);
    const std::uint32_t row = i / edge;
    const float z = static_cast<float>(row) / static_cast<float>(cells);
    const float hill = 0.10F * std::sin(9.0F * x + 1.0F) * std::cos(7.0F * z) +
                       0.03F * std::sin(31.0F * x) * std::sin(23.0F * z);
    const float tower = random.number(i, 0) < 1.0F / 7.0F ? 0.15F * random.number(i, 1) : 0.0F;
    grid[i] = {x, hill + tower, z};
  }
  std::vector<Vertex> corners;
  for (std::uint32_t row = 0; row < cells; ++row) {
    for (std::uint32_t column = 0; column < cells; ++column) {
      const std::uint32_t i = row * edge + column;
      for (const std::uint32_t at : {i, i + edge, i + 1, i + 1, i + edge, i + edge + 1})
        corners.push_back({grid[at], {0.0F, 1.0F, 0.0F}, {}});
    }
  }
  return corners;
}

std::vector<Vertex> triangles_of(const Setup& setup, const Counting& random) {
  if (setup.mesh) return setup.mesh->corners;
  if (setup.n == 0) return {};
  const double squares = setup.n / (2.0 * rays_a_triangle);
  return hills(std::max(1U, static_cast<std::uint32_t>(std::sqrt(squares))), random);
}

// --- the rays

// From above a corner of the box, so near that most rays hit.
class Camera {
 public:
  Camera(const Aabb& box, std::uint32_t rays, const Counting& random) : random_(random) {
    const Vec3 extent = box.max - box.min;
    const float size = std::sqrt(dot(extent, extent));
    eye_ = box.centre() + unit({0.7F, 0.9F, 1.1F}) * (0.8F * size);
    ahead_ = unit(box.centre() - eye_);
    right_ = unit(cross(ahead_, {0.0F, 1.0F, 0.0F}));
    up_ = cross(right_, ahead_);
    width_ = 8 * static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(rays)) / 8.0));
    height_ = 4 * static_cast<std::uint32_t>(
                      std::ceil(static_cast<double>(rays) / (4.0 * std::max(width_, 1U))));
  }

  BoundedRay ray(std::uint32_t i, bool in_tiles) const {
    std::uint32_t column = i % width_;
    std::uint32_t row = i / width_;
    if (in_tiles) {
      const std::uint32_t tile = i / 32;
      column = tile % (width_ / 8) * 8 + i % 8;
      row = tile / (width_ / 8) * 4 + i % 32 / 8;
    }
    // The point within the pixel varies from frame to frame.
    const float jitter = random_.number(0, 2);
    const float x = ((static_cast<float>(column) + jitter) / static_cast<float>(width_) - 0.5F);
    const float y = ((static_cast<float>(row) + jitter) / static_cast<float>(height_) - 0.5F);
    return {.origin = eye_, .direction = ahead_ + right_ * (0.7F * x) - up_ * (0.7F * y)};
  }

 private:
  const Counting& random_;
  Vec3 eye_{}, ahead_{}, right_{}, up_{};
  std::uint32_t width_ = 0, height_ = 0;
};

// About the normal, more often near it, as light leaves a matt surface.
Vec3 cosine_direction(Vec3 normal, float a, float b) {
  const Vec3 beside = std::abs(normal.x) > 0.5F ? Vec3{0.0F, 1.0F, 0.0F} : Vec3{1.0F, 0.0F, 0.0F};
  const Vec3 tangent = unit(cross(normal, beside));
  const Vec3 bitangent = cross(normal, tangent);
  const float radius = std::sqrt(a);
  const float angle = 2.0F * std::numbers::pi_v<float> * b;
  return tangent * (radius * std::cos(angle)) + bitangent * (radius * std::sin(angle)) +
         normal * std::sqrt(1.0F - a);
}

class RayMaker {
 public:
  RayMaker(const Setup& setup, const reference::RayTracer& tracer, const Counting& random)
      : n_(setup.n), tracer_(tracer), random_(random), camera_(tracer.bounds(), setup.n, random) {}

  std::vector<BoundedRay> make(int form) const {
    if (form == anywhere) return each([this](std::uint32_t i) { return random_ray(i); });
    std::vector<BoundedRay> first =
        each([&](std::uint32_t i) { return camera_.ray(i, form != primary && form != indexed); });
    switch (form) {
      case shadow:
        return from_hits(first, [this](std::uint32_t /*i*/, Vec3 from, Vec3 /*normal*/) {
          return BoundedRay{from, 0.0F, lamp() - from, 0.9999F};
        });
      case ambient:
        return from_hits(first, [this](std::uint32_t i, Vec3 from, Vec3 normal) {
          return BoundedRay{from, 0.0F, direction(i, normal, 1), 0.2F * size()};
        });
      case bounce:
        return bounced(first, 1);
      case fourth_bounce: {
        std::vector<BoundedRay> rays = first;
        for (std::uint32_t level = 1; level <= 4; ++level) rays = bounced(rays, level);
        return rays;
      }
      default:
        return first;
    }
  }

 private:
  template <class Make>
  std::vector<BoundedRay> each(const Make& make) const {
    std::vector<BoundedRay> rays(n_);
    reference::for_each_item(n_,
                             [&](std::size_t i) { rays[i] = make(static_cast<std::uint32_t>(i)); });
    return rays;
  }

  // make(i, from, normal) for the i-th of the rays that hit something, again and again, until there
  // are n. A random ray where none hits anything.
  template <class Make>
  std::vector<BoundedRay> from_hits(const std::vector<BoundedRay>& rays, const Make& make) const {
    std::vector<RayHit> hits(rays.size());
    reference::for_each_item(rays.size(),
                             [&](std::size_t i) { hits[i] = tracer_.nearest(rays[i]); });
    std::vector<std::uint32_t> hitting;
    for (std::uint32_t i = 0; i < hits.size(); ++i)
      if (hits[i].triangle != RayHit::nothing) hitting.push_back(i);
    return each([&](std::uint32_t i) {
      if (hitting.empty()) return random_ray(i);
      const std::uint32_t source = hitting[i % hitting.size()];
      const BoundedRay& ray = rays[source];
      const Vec3 normal = tracer_.normal_towards(ray, hits[source].triangle);
      return make(i, ray.origin + ray.direction * (0.9999F * hits[source].t), normal);
    });
  }
  std::vector<BoundedRay> bounced(const std::vector<BoundedRay>& rays, std::uint32_t level) const {
    return from_hits(rays, [this, level](std::uint32_t i, Vec3 from, Vec3 normal) {
      return BoundedRay{.origin = from, .direction = direction(i, normal, level)};
    });
  }

  Vec3 direction(std::uint32_t i, Vec3 normal, std::uint32_t level) const {
    if (dot(normal, normal) == 0.0F) normal = {0.0F, 1.0F, 0.0F};
    return cosine_direction(normal, random_.number(i, 2 * level + 1),
                            random_.number(i, 2 * level + 2));
  }
  BoundedRay random_ray(std::uint32_t i) const {
    const Aabb& box = tracer_.bounds();
    const auto point = [&](std::uint32_t dimension) {
      const Vec3 extent = box.max - box.min;
      return box.min + Vec3{extent.x * random_.number(i, dimension),
                            extent.y * random_.number(i, dimension + 1),
                            extent.z * random_.number(i, dimension + 2)};
    };
    const Vec3 from = point(32);
    return {.origin = from, .direction = point(35) - from};
  }
  Vec3 lamp() const {
    const Aabb& box = tracer_.bounds();
    return box.centre() + Vec3{0.2F, 0.6F, -0.3F} * size();
  }
  float size() const {
    const Vec3 extent = tracer_.bounds().max - tracer_.bounds().min;
    return std::sqrt(dot(extent, extent));
  }

  std::uint32_t n_;
  const reference::RayTracer& tracer_;
  const Counting& random_;
  Camera camera_;
};

// --- the experiment

// Its rounding is not that of the reference.
bool rounds_otherwise(VariantId variant) { return (variant->traits & TraceTrait::own_tree) != 0; }

class Trace : public Experiment {
 public:
  explicit Trace(const Setup& setup) : Experiment(setup), form_(setup.form) {
    const Counting random(setup.seed);
    const std::vector<Vertex> corners = triangles_of(setup, random);
    triangles_ = static_cast<std::uint32_t>(corners.size() / 3);
    std::vector<std::uint32_t> indices(corners.size());
    std::iota(indices.begin(), indices.end(), 0U);
    corners_ = corners;
    vertices_ = uploaded(setup, corners);
    indices_ = uploaded(setup, indices);
    count_ = uploaded<std::uint32_t>(setup, {triangles_});
    build_tree(setup, reference::triangle_boxes(corners, indices));

    const reference::RayTracer tracer(corners, indices);
    bounds_ = tracer.bounds();
    const std::vector<BoundedRay> rays = RayMaker(setup, tracer, random).make(form_);
    rays_ = uploaded(setup, rays);
    host_rays_ = rays;
    expected_hits_.resize(asks_any(form_) ? 0 : n_);
    expected_any_.resize(asks_any(form_) ? n_ : 0);
    reference::for_each_item(n_, [&](std::size_t i) {
      if (asks_any(form_))
        expected_any_[i] = tracer.any(rays[i]) ? 1 : 0;
      else
        expected_hits_[i] = tracer.nearest(rays[i]);
    });
    hits_ = Buffer<RayHit>(device_, expected_hits_.size());
    any_ = Buffer<std::uint32_t>(device_, expected_any_.size());
  }

  void run(VariantId variant) override { trace(variant, scratch_, hits_, any_, nullptr); }
  std::vector<Region> result() override {
    if (asks_any(form_)) return {region("any", any_)};
    return {region("hits", hits_)};
  }
  std::vector<Region> outputs() override { return result(); }
  std::vector<Region> inputs() override {
    std::vector<Region> all = {region("rays", rays_),       region("count", count_),
                               region("root", root_),       region("nodes", nodes_),
                               region("parent", parent_),   region("leaves", leaves_),
                               region("indices", indices_), region("vertices", vertices_)};
    for (const auto& [trace, wide] : wide_)
      for (const Region& region : wide_regions(wide)) all.push_back(region);
    return all;
  }
  std::string check(VariantId variant) override {
    if (rounds_otherwise(variant)) return asks_any(form_) ? check_any() : check_hits();
    if (asks_any(form_)) return first_difference(any_.download(stream_), expected_any_, "answers");
    return first_difference(hits_.download(stream_), expected_hits_, "hits");
  }

  double operations() const override { return n_; }
  std::vector<Fact> facts(const Outcome& outcome) const override {
    if (n_ == 0) return {};
    std::vector<Fact> all = {{"triangles", static_cast<double>(triangles_)},
                             {"rays that hit", 100.0 * hit_share(), "%"}};
    if (rounds_otherwise(outcome.variant)) {
      all.push_back({"build of the library's tree", library_.build_ms, "ms"});
      all.push_back({"rays with another triangle", 100.0 * other_triangles_ / n_, "%"});
      all.push_back({"rays with another answer", 100.0 * other_answers_ / n_, "%"});
      return all;
    }
    const auto [boxes, triangles] = steps_per_ray(outcome.variant);
    all.push_back({"boxes per ray", boxes});
    all.push_back({"triangles per ray", triangles});
    return all;
  }
  double bytes_needed(Primitive /*primitive*/) const override {
    const double answer = asks_any(form_) ? sizeof(std::uint32_t) : sizeof(RayHit);
    return n_ * (sizeof(BoundedRay) + answer) +
           triangles_ * (2.0 * sizeof(BvhNode) + sizeof(LeafTriangle));
  }

  // A sort of the rays comes on top.
  double bytes_moved(VariantId variant) const override {
    const double more =
        variant->bytes_per_item(traffic()) - least_bytes(Primitive::trace, traffic());
    return bytes_needed(Primitive::trace) + more * n_;
  }

 private:
  Bvh bvh() const {
    return {.nodes = nodes_.data(),
            .parent = parent_.data(),
            .root = root_.data(),
            .capacity = triangles_};
  }

  void build_tree(const Setup& setup, const std::vector<Aabb>& host_boxes) {
    nodes_ = {device_, triangles_ > 0 ? 2 * std::size_t{triangles_} - 1 : 0};
    parent_ = {device_, nodes_.size()};
    root_ = {device_, 1};
    leaves_ = {device_, triangles_};
    const Buffer<Aabb> boxes = uploaded(setup, host_boxes);
    const auto sorted = reference::sort<std::uint32_t>(
        reference::morton_bits30(host_boxes, triangles_, reference::bounds(host_boxes).centres), {},
        0, 32);
    const Buffer<std::uint32_t> codes = uploaded(setup, sorted.keys);
    const Buffer<std::uint32_t> primitives = uploaded(setup, sorted.values);
    const BackendTable& table = device_.table();
    scratch_.run(table.get<Primitive::build>(find_variant(Primitive::build, "hploc")), stream_,
                 BuildArgs{.key_bits = 32,
                           .codes = codes.data(),
                           .primitives = primitives.data(),
                           .count = count_.data(),
                           .boxes = boxes.data(),
                           .bvh = bvh()});
    scratch_.run(table.step<Step::leaf_triangles>(), stream_,
                 LeafTrianglesArgs{.count = count_.data(),
                                   .bvh = bvh(),
                                   .vertices = vertices_.data(),
                                   .indices = indices_.data(),
                                   .out = leaves_.data()});
    for (const VariantId variant : variants_of(Primitive::trace)) {
      const std::optional<VariantId> collapse = collapse_for(variant);
      if (!collapse) continue;
      const WideMemory& wide =
          wide_.emplace(variant, WideMemory(device_, *collapse, triangles_)).first->second;
      scratch_.run(
          table.get<Primitive::collapse>(*collapse), stream_,
          CollapseArgs{
              .count = count_.data(), .bvh = bvh(), .leaves = leaves_.data(), .out = wide.tree()});
    }
    stream_.synchronize();  // codes, primitives and boxes go
  }

  void trace(VariantId variant, ScratchMemory& scratch, const Buffer<RayHit>& hits,
             const Buffer<std::uint32_t>& any, TraceSteps* steps) const {
    const auto wide = wide_.find(variant);
    scratch.run(device_.table().get<Primitive::trace>(variant), stream_,
                TraceArgs{.rays = rays_.data(),
                          .n = n_,
                          .count = count_.data(),
                          .bvh = bvh(),
                          .vertices = vertices_.data(),
                          .indices = indices_.data(),
                          .leaves = form_ == indexed ? nullptr : leaves_.data(),
                          .hits = asks_any(form_) ? nullptr : hits.data(),
                          .any = asks_any(form_) ? any.data() : nullptr,
                          .steps = steps,
                          .sort = device_.table().get<Primitive::sort>(
                              default_variant(Primitive::sort, device_.info().backend)),
                          .wide = wide != wide_.end() ? wide->second.tree() : WideTree{},
                          .library = &library_});
  }

  // --- a library's answers, which round otherwise

  std::string check_any() {
    const std::vector<std::uint32_t> got = any_.download(stream_);
    other_triangles_ = other_answers_ = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] > 1) return fmt::format("answer {} of {} is neither 0 nor 1", i, n_);
      other_answers_ += got[i] != expected_any_[i] ? 1 : 0;
    }
    return why_too_many_others();
  }
  std::string check_hits() {
    const std::vector<RayHit> got = hits_.download(stream_);
    other_triangles_ = other_answers_ = 0;
    std::uint32_t at_its_origin = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
      const BoundedRay& ray = host_rays_[i];
      const RayHit& want = expected_hits_[i];
      if (!is_same_hit(ray, got[i], want)) {
        ++other_answers_;
        at_its_origin += begins_at(ray, got[i]) || begins_at(ray, want) ? 1 : 0;
      } else if (got[i].triangle != want.triangle) {
        ++other_triangles_;
      }
    }
    return why_too_many_others(at_its_origin);
  }
  // Rays that graze an edge may hit or miss. There are few.
  std::string why_too_many_others(std::uint32_t excused = 0) const {
    constexpr double most = 1e-4;
    if (other_answers_ - excused <= most * n_) return {};
    return fmt::format("{} of {} answers differ from the reference", other_answers_ - excused, n_);
  }
  bool is_same_hit(const BoundedRay& ray, const RayHit& got, const RayHit& want) const {
    if (want.triangle == RayHit::nothing)
      return got.triangle == RayHit::nothing && got.t == 0.0F && got.u == 0.0F && got.v == 0.0F;
    return got.triangle < triangles_ && is_near(ray, got.t, want.t) && is_on_its_triangle(ray, got);
  }
  // Does the ray begin in the triangle that it hits? Rounding decides whether it begins behind it.
  bool begins_at(const BoundedRay& ray, const RayHit& hit) const {
    return hit.triangle < triangles_ && is_near(ray, hit.t, ray.tmin) &&
           is_on_its_triangle(ray, hit);
  }
  bool is_near(const BoundedRay& ray, float got, float want) const {
    const float size = length_of(bounds_.max - bounds_.min);
    return std::abs(got - want) <= 2e-5F * want + 1e-6F * size / length_of(ray.direction);
  }
  // Do triangle, u and v say the same place as t?
  bool is_on_its_triangle(const BoundedRay& ray, const RayHit& hit) const {
    const Vertex* const corner = &corners_[3 * std::size_t{hit.triangle}];
    const Vec3 a = corner[0].position;
    const Vec3 place = a + (corner[1].position - a) * hit.u + (corner[2].position - a) * hit.v;
    const Vec3 off = place - (ray.origin + ray.direction * hit.t);
    return length_of(off) <= 1e-4F * length_of(bounds_.max - bounds_.min);
  }

  // Mean boxes and triangles that a ray tests. A run of its own counts them, since counting takes
  // time; its answers go nowhere.
  std::pair<double, double> steps_per_ray(VariantId variant) const {
    ScratchMemory scratch(device_);
    const Buffer<RayHit> hits(device_, expected_hits_.size());
    const Buffer<std::uint32_t> any(device_, expected_any_.size());
    const Buffer<TraceSteps> counted(device_, n_);
    trace(variant, scratch, hits, any, counted.data());
    double boxes = 0.0;
    double triangles = 0.0;
    for (const TraceSteps& steps : counted.download(stream_)) {
      boxes += steps.nodes;
      triangles += steps.triangles;
    }
    return {boxes / n_, triangles / n_};
  }

  double hit_share() const {
    const auto hits =
        asks_any(form_)
            ? std::count(expected_any_.begin(), expected_any_.end(), 1U)
            : std::count_if(expected_hits_.begin(), expected_hits_.end(),
                            [](const RayHit& hit) { return hit.triangle != RayHit::nothing; });
    return static_cast<double>(hits) / n_;
  }

  int form_;
  std::uint32_t triangles_ = 0;
  std::vector<Vertex> corners_;
  Aabb bounds_;
  std::vector<BoundedRay> host_rays_;
  // By the last check of a library's run.
  std::uint32_t other_triangles_ = 0, other_answers_ = 0;
  mutable LibraryTree library_;
  std::vector<RayHit> expected_hits_;
  std::vector<std::uint32_t> expected_any_;
  Buffer<Vertex> vertices_;
  Buffer<std::uint32_t> indices_, count_, parent_, root_, any_;
  Buffer<BvhNode> nodes_;
  Buffer<LeafTriangle> leaves_;
  std::map<VariantId, WideMemory> wide_;  // by the variant of trace
  Buffer<BoundedRay> rays_;
  Buffer<RayHit> hits_;
};

bool tests_all(VariantId variant) { return (variant->traits & TraceTrait::all_triangles) != 0; }

std::uint32_t trace_most_of_variant(VariantId variant) {
  return tests_all(variant) ? most_rays_for_all : 0;
}

std::string trace_why_not(VariantId variant, int /*form*/) {
#if defined(WARPVIEW_EMBREE)
  constexpr bool has_library = true;
#else
  constexpr bool has_library = false;
#endif
  if (has_library || !is_library(variant)) return {};
  return "this program was built without Embree (apt install libembree-dev)";
}

std::uint32_t rays_of_mesh(int /*form*/) { return rays_a_triangle; }

}  // namespace

const ExperimentKind& trace_experiment() {
  static constexpr ExperimentKind kind = {.items = "rays",
                                          .forms = trace_forms,
                                          .distributions = only_uniform,
                                          .memory_each = 200,
                                          .make = make<Trace>,
                                          .most_on_cpu = 1U << 22U,
                                          .why_not = trace_why_not,
                                          .most_items = trace_most_of_variant,
                                          .is_laborious = tests_all,
                                          .rounds = rounds_otherwise,
                                          .items_a_triangle = rays_of_mesh,
                                          .operations = "rays"};
  return kind;
}

}  // namespace warpview::lab
