// The experiment of de-duplication: corners of triangles, compared with reference::dedup.
#include <algorithm>
#include <random>

#include "gpu/lab/experiment.h"
#include "gpu/primitives/dedup/dedup.h"
#include "gpu/reference/reference.h"

namespace warpview::lab {
namespace {

constexpr Form dedup_forms[] = {
    {"surface", "corners of a closed surface, six per vertex"},
    {"soup", "corners of separate triangles: none equal another"},
};

Vertex vertex_of(std::uint32_t number, std::uint32_t row_length) {
  Vertex vertex{};
  vertex.position = {static_cast<float>(number % row_length),
                     static_cast<float>(number / row_length), 0.0F};  // NOLINT: whole rows
  vertex.normal = {0.0F, 0.0F, 1.0F};
  return vertex;
}

// Triangles over a grid whose edges are joined, as an index buffer would list them.
std::vector<Vertex> surface(std::uint32_t n) {
  std::uint32_t side = 1;
  while (6 * side * side < n) ++side;
  std::vector<Vertex> corners(n);
  for (std::uint32_t c = 0; c < n; ++c) {
    constexpr std::uint32_t across[] = {0, 1, 1, 0, 1, 0};
    constexpr std::uint32_t up[] = {0, 0, 1, 0, 1, 1};
    const std::uint32_t quad = c / 6;
    const std::uint32_t x = (quad % side + across[c % 6]) % side;
    const std::uint32_t y = (quad / side + up[c % 6]) % side;
    corners[c] = vertex_of(y * side + x, side);
  }
  return corners;
}

class Dedup : public Experiment {
 public:
  explicit Dedup(const Setup& setup)
      : Experiment(setup),
        indices_(device_, n_),
        vertices_(device_, n_),
        vertex_count_(device_, 1) {
    std::vector<Vertex> corners(n_);
    if (setup.mesh) {
      corners = setup.mesh->corners;
    } else if (setup.form == 0) {
      corners = surface(n_);
    } else {
      for (std::uint32_t c = 0; c < n_; ++c) corners[c] = vertex_of(c, 4096);
    }
    // Like a file whose triangles come in any order.
    if (setup.distribution == Distribution::uniform)
      std::shuffle(corners.begin(), corners.end(), std::mt19937_64(setup.seed));
    want_ = reference::dedup(corners);
    corners_ = uploaded(setup, corners);
    count_ = uploaded<std::uint32_t>(setup, {n_});
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::dedup>(variant), stream_,
                 DedupArgs{.corners = corners_.data(),
                           .count = count_.data(),
                           .n = n_,
                           .indices = indices_.data(),
                           .vertices = vertices_.data(),
                           .vertex_count = vertex_count_.data(),
                           .scan = device_.table().get<Primitive::scan>(
                               default_variant(Primitive::scan, device_.info().backend))});
  }
  std::string check(VariantId /*variant*/) override {
    std::string indices = first_difference(indices_.download(stream_), want_.indices, "indices");
    if (!indices.empty()) return indices;
    const std::uint32_t found = vertex_count_.download(stream_).front();
    return first_difference(vertices_.download(stream_, found), want_.vertices, "vertices");
  }
  std::vector<Region> outputs() override {
    return {region("indices", indices_), region("vertices", vertices_),
            region("vertex_count", vertex_count_)};
  }
  std::vector<Region> result() override {
    const std::uint32_t found = vertex_count_.download(stream_).front();
    return {region("indices", indices_), region("vertex_count", vertex_count_),
            region("vertices", vertices_, found)};
  }

  Traffic traffic() const override {
    const auto kinds = static_cast<double>(want_.vertices.size());
    return {.item = sizeof(Vertex), .value = n_ > 0 ? sizeof(Vertex) * kinds / n_ : 0.0};
  }

 private:
  reference::Mesh want_;
  Buffer<Vertex> corners_;
  Buffer<std::uint32_t> count_, indices_;
  Buffer<Vertex> vertices_;
  Buffer<std::uint32_t> vertex_count_;
};

constexpr Distribution dedup_distributions[] = {Distribution::sorted, Distribution::uniform};
// A mesh is a surface.
std::uint32_t corners_a_triangle(int form) { return form == 0 ? 3 : 0; }

}  // namespace

const ExperimentKind& dedup_experiment() {
  static constexpr ExperimentKind kind = {.items = "corners",
                                          .forms = dedup_forms,
                                          .distributions = dedup_distributions,
                                          .memory_each = 180,
                                          .make = make<Dedup>,
                                          .items_a_triangle = corners_a_triangle};
  return kind;
}

}  // namespace warpview::lab
