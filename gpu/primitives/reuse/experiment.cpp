// The experiment of vertex reuse: the triangles of a grid in three orders, compared with batches
// that are searched one corner after another.
#include "gpu/primitives/reuse/reuse.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>

#include "gpu/lab/experiment.h"
#include "gpu/reference/reference.h"

namespace warpview::lab {
namespace {

constexpr Form reuse_forms[] = {
    {"given", "triangles of a grid in the order in which it was made, row by row"},
    {"morton", "the same triangles along a Morton curve"},
    {"random", "the same triangles in random order"},
};
enum : int { given, morton, random };

constexpr float matrix[16] = {0.8F, 0.1F, -0.3F, 2.0F,  -0.2F, 0.9F, 0.4F, -1.0F,
                              0.1F, 0.3F, 0.7F,  -5.0F, 0.0F,  0.1F, 0.6F, 1.0F};

// A grid of squares, two triangles each, about as wide as high.
struct Grid {
  std::vector<Vec4> vertices;
  std::vector<std::uint32_t> indices;

  explicit Grid(std::uint32_t triangles) {
    const std::uint32_t squares = (triangles + 1) / 2;
    const auto width = std::max(
        1U, static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(squares)))));
    const std::uint32_t height = (squares + width - 1) / width;
    for (std::uint32_t y = 0; y <= height; ++y)
      for (std::uint32_t x = 0; x <= width; ++x)
        vertices.push_back({{static_cast<float>(x), static_cast<float>(y), 0.0F}, 1.0F});
    indices.reserve(std::size_t{3} * triangles);
    for (std::uint32_t t = 0; t < triangles; ++t) {
      const std::uint32_t square = t / 2;
      const std::uint32_t corner = square / width * (width + 1) + square % width;
      if (t % 2 == 0)
        indices.insert(indices.end(), {corner, corner + 1, corner + width + 1});
      else
        indices.insert(indices.end(), {corner + 1, corner + width + 2, corner + width + 1});
    }
  }

  std::uint32_t triangles() const { return static_cast<std::uint32_t>(indices.size() / 3); }
  const Vec3& place(std::size_t corner) const { return vertices[indices[corner]].xyz; }

  void reorder(const std::vector<std::uint32_t>& order) {
    std::vector<std::uint32_t> reordered(indices.size());
    for (std::size_t t = 0; t < order.size(); ++t)
      std::copy_n(indices.begin() + 3 * std::ptrdiff_t{order[t]}, 3,
                  reordered.begin() + 3 * static_cast<std::ptrdiff_t>(t));
    indices = std::move(reordered);
  }

  std::vector<std::uint32_t> along_curve() const {
    std::vector<Aabb> boxes;
    boxes.reserve(triangles());
    for (std::size_t t = 0; t < triangles(); ++t) {
      Aabb box = Aabb::empty();
      for (std::size_t c = 3 * t; c < 3 * t + 3; ++c) box = merge(box, {place(c), place(c)});
      boxes.push_back(box);
    }
    const auto codes =
        reference::morton_bits63(boxes, boxes.size(), reference::bounds(boxes).centres);
    return reference::stable_order(
        boxes.size(), [&codes](std::uint32_t a, std::uint32_t b) { return codes[a] < codes[b]; });
  }
  std::vector<std::uint32_t> shuffled(std::uint64_t seed) const {
    std::vector<std::uint32_t> order(triangles());
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
    return order;
  }
};

Vec4 shaded(const Vec4& v) {
  const auto row = [&v](const float* m) {
    return std::fma(m[0], v.xyz.x, std::fma(m[1], v.xyz.y, std::fma(m[2], v.xyz.z, m[3] * v.w)));
  };
  return {{row(matrix), row(matrix + 4), row(matrix + 8)}, row(matrix + 12)};
}

std::array<std::uint32_t, 4> bits_of(const Vec4& v) {
  return std::bit_cast<std::array<std::uint32_t, 4>>(v);
}

class Reuse : public Experiment {
 public:
  explicit Reuse(const Setup& setup)
      : Experiment(setup),
        mesh_(n_),
        batches_(reuse_batches(n_)),
        counts_(device_, batches_),
        shaded_(device_, std::size_t{batches_} * reuse_corners),
        places_(device_, shaded_.size()),
        corners_(device_, shaded_.size()) {
    if (setup.form == morton) mesh_.reorder(mesh_.along_curve());
    if (setup.form == random) mesh_.reorder(mesh_.shuffled(setup.seed));
    indices_ = uploaded(setup, mesh_.indices);
    vertices_ = uploaded(setup, mesh_.vertices);
  }

  void run(VariantId variant) override {
    ReuseArgs args{.indices = indices_.data(),
                   .n = n_,
                   .vertices = vertices_.data(),
                   .matrix = {},
                   .counts = counts_.data(),
                   .shaded = shaded_.data(),
                   .places = places_.data(),
                   .corners = corners_.data()};
    std::copy(std::begin(matrix), std::end(matrix), args.matrix);
    scratch_.run(device_.table().get<Primitive::reuse>(variant), stream_, args);
  }

  std::string check(VariantId variant) override {
    const bool reuses = (variant->traits & ReuseTrait::every_corner) == 0;
    const Batches got{counts_.download(stream_), shaded_.download(stream_),
                      places_.download(stream_), corners_.download(stream_)};
    std::string wrong = reference::first_complaint(
        batches_, [&](std::size_t batch) { return check_batch(got, batch, reuses); });
    shaded_in_all_ = 0;
    if (wrong.empty())
      for (const std::uint32_t count : got.counts) shaded_in_all_ += count;
    return wrong;
  }
  std::vector<Region> outputs() override {
    return {region("counts", counts_), region("shaded", shaded_), region("places", places_),
            region("corners", corners_)};
  }
  // Whatever no batch has written still holds what it held when the run began.
  std::vector<Region> result() override { return outputs(); }

  std::vector<Fact> facts(const Outcome& /*outcome*/) const override {
    if (n_ == 0) return {};
    return {{"vertices shaded per triangle", static_cast<double>(shaded_in_all_) / n_}};
  }

 private:
  struct Batches {
    std::vector<std::uint32_t> counts, shaded;
    std::vector<Vec4> places;
    std::vector<std::uint8_t> corners;
  };

  std::string check_batch(const Batches& got, std::size_t batch, bool reuses) const {
    const std::size_t first = batch * reuse_corners;
    const std::size_t end = std::min<std::size_t>(first + reuse_corners, mesh_.indices.size());
    std::vector<std::uint32_t> met;
    const auto wrong = [batch](const char* what) {
      return std::string(what) + " of batch " + std::to_string(batch) +
             " differ from the reference";
    };
    for (std::size_t corner = first; corner < end; ++corner) {
      const std::uint32_t index = mesh_.indices[corner];
      auto place = reuses ? std::find(met.begin(), met.end(), index) : met.end();
      if (place == met.end()) place = met.insert(met.end(), index);
      if (got.corners[corner] != place - met.begin()) return wrong("corners");
    }
    if (got.counts[batch] != met.size()) return wrong("numbers of vertices");
    for (std::size_t v = 0; v < met.size(); ++v) {
      if (got.shaded[first + v] != met[v]) return wrong("vertices");
      const Vec4 want = shaded(mesh_.vertices[met[v]]);
      if (bits_of(got.places[first + v]) != bits_of(want)) return wrong("places");
    }
    return {};
  }

  Grid mesh_;
  std::uint32_t batches_;
  Buffer<std::uint32_t> indices_;
  Buffer<Vec4> vertices_;
  Buffer<std::uint32_t> counts_, shaded_;
  Buffer<Vec4> places_;
  Buffer<std::uint8_t> corners_;
  std::uint64_t shaded_in_all_ = 0;
};

}  // namespace

const ExperimentKind& reuse_experiment() {
  static constexpr ExperimentKind kind = {.items = "triangles",
                                          .forms = reuse_forms,
                                          .distributions = only_uniform,
                                          .memory_each = 120,
                                          .make = make<Reuse>,
                                          .most_on_cpu = 1U << 15U};
  return kind;
}

}  // namespace warpview::lab
