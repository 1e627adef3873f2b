// Corners of triangles that are found equal: they meet in their vertex.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/common/digits.h"
#include "app/step_views/arrays.h"
#include "app/step_views/names.h"
#include "app/step_views/space.h"
#include "app/step_views/words.h"

namespace warpview::step_views {
namespace {

constexpr std::uint32_t vertex_bytes = 32;

class MergedVertices : public SpaceScene {
 public:
  MergedVertices(const Recording& recording, std::uint32_t indices, std::uint32_t found)
      : corners_(3 * recording.mesh->triangles()),
        found_(found),
        input_(find_input(recording, std::uint64_t{vertex_bytes} * corners_)) {
    const std::vector<std::uint8_t> bytes = contents_after(recording, indices);
    first_of_.resize(corners_);
    std::map<std::uint32_t, std::uint32_t> first;  // corner, by vertex
    for (std::uint32_t c = 0; c < corners_; ++c) {
      const auto vertex = number_at<std::uint32_t>(bytes, std::size_t{c} * 4);
      first_of_[c] = first.try_emplace(vertex, c).first->second;
    }
    vertices_ = first.size();
  }

  SpacePicture at(const Playback& at, const MeshPicture& mesh) const override {
    SpacePicture picture;
    picture.triangles.resize(mesh.triangles());
    struct Vertex {
      std::uint32_t corners = 0;
      bool is_new = false;
    };
    std::map<std::uint32_t, Vertex> vertices;  // by first corner
    std::size_t done = 0;
    std::vector<std::uint32_t> now;
    for (std::uint32_t c = 0; c < corners_; ++c) {
      SpaceTriangle& triangle = picture.triangles[c / 3];
      if (c % 3 == 0) triangle.name = word_name({found_, c, 0});
      const auto event = at.last_write({found_, c, 0});
      triangle.apart.at(c % 3) = !event;
      if (!event) continue;
      ++done;
      triangle.opacity += 0.2F;
      Vertex& vertex = vertices[first_of_[c]];
      ++vertex.corners;
      if (!at.last_did(*event)) continue;
      vertex.is_new = true;
      now.push_back(c);
    }
    for (const auto& [first, vertex] : vertices)
      picture.dots.push_back({.at = mesh.corner(first),
                              .ink = vertex.is_new         ? ink::write
                                     : vertex.corners == 1 ? plot_ink::dim
                                                           : ink::read,
                              .side = vertex.is_new ? 0.6F : 0.3F,
                              .on_surface = !vertex.is_new,
                              .name = word_name({found_, first, 0})});
    if (input_) mark_reads(at, *input_, vertex_bytes, 3, picture.triangles);
    picture.progress =
        fmt::format("{} of {} corners have found their vertex: {} of {}.", group_digits(done),
                    group_digits(corners_), group_digits(vertices.size()),
                    vertices_ == 1 ? "1 vertex" : group_digits(vertices_) + " vertices");
    if (!now.empty()) picture.now = fmt::format("{}.", sentence_of_corners(now));
    return picture;
  }

  std::vector<KeyEntry> key() const override {
    return {{"corner that waits: drawn apart", filled(plot_ink::neutral, 0.3F)},
            {"vertex of one corner so far", dot(plot_ink::dim)},
            {"vertex of several corners", dot(ink::read)},
            {"found in this step", dot(ink::write)},
            {"corner read in this step", framed(ink::read)}};
  }
  std::string legend() const override {
    return "Triangles are drawn apart. A corner moves to its vertex when its slot, or the first "
           "corner that equals it, is known; gaps close where corners are equal.";
  }

 private:
  static KeySample dot(int ink) {
    return [ink](Sketch& sketch, PlotBox box) {
      const float side = 0.5F * box.width;
      sketch.box({box.x + 0.5F * side, box.y + 0.5F * side, side, side}, ink);
    };
  }
  std::string sentence_of_corners(const std::vector<std::uint32_t>& corners) const {
    const std::uint32_t c = corners.front();
    if (corners.size() > 1)
      return fmt::format("{} find their vertices", named_ranges("corner", corners, 3));
    if (first_of_[c] == c) return fmt::format("Corner {} is the first of its vertex", c);
    return fmt::format("Corner {} of triangle {} equals corner {}", c, c / 3, first_of_[c]);
  }

  std::uint32_t corners_;
  std::uint32_t found_;  // the array whose words are written when a corner finds its vertex
  std::optional<std::uint32_t> input_;
  std::vector<std::uint32_t> first_of_;  // by corner: the first of its vertex
  std::size_t vertices_ = 0;
};

}  // namespace

std::unique_ptr<SpaceScene> vertex_scene(const Recording& recording) {
  if (recording.primitive != "dedup") return nullptr;
  const std::uint32_t corners = 3 * recording.mesh->triangles();
  const auto indices = find_array(recording, "indices", 4, corners);
  if (!indices) return nullptr;
  const auto first = find_array(recording, "first", 4, corners);
  return std::make_unique<MergedVertices>(recording, *indices, first.value_or(*indices));
}

}  // namespace warpview::step_views
