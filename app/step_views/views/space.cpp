// A run over the triangles that its input was made from: what the kernel has written of each, where
// the triangle is.
#include <fmt/format.h>

#include <algorithm>

#include "app/common/digits.h"
#include "app/step_views/paragraph.h"
#include "app/step_views/space.h"
#include "app/step_views/words.h"

namespace warpview::step_views {
namespace {

// Null where the arrays are not as the primitive's kernels have them.
std::unique_ptr<SpaceScene> scene_of(const Recording& recording, const MeshPicture& mesh) {
  if (auto scene = item_scene(recording)) return scene;
  if (auto scene = sort_scene(recording)) return scene;
  if (auto scene = vertex_scene(recording)) return scene;
  return tree_scene(recording, mesh);
}

class SpaceView : public StepView {
 public:
  explicit SpaceView(const Recording& recording)
      : mesh_(*recording.mesh), scene_(scene_of(recording, mesh_)) {
    const RecordedMesh& mesh = *recording.mesh;
    shown_ = mesh.whole > mesh.triangles()
                 ? fmt::format("The first {} of {} triangles of {}.",
                               group_digits(mesh.triangles()), group_digits(mesh.whole), mesh.name)
                 : fmt::format("{} of {}.", count_in_words(mesh.triangles()), mesh.name);
  }

  std::string legend() const override { return scene_->legend(); }

  StepDrawing draw(const Playback& at, const StepFocus& /*focus*/,
                   const PlotSurface& surface) const override {
    Sketch sketch(surface);
    const SpacePicture picture = scene_->at(at, mesh_);
    float y = draw_key(sketch, surface, {0.0F, 0.0F}, key()) + 0.2F;
    y += draw_paragraph(sketch, surface, {0.0F, y}, shown_, plot_ink::dim);
    y += draw_words(sketch, surface, y, picture.progress, plot_ink::text);
    y += draw_words(sketch, surface, y, picture.now, plot_ink::dim);
    const MeshPicture::Frame frame =
        mesh_.frame(y, sketch.width(), most_height(surface, y), scene_->has_boxes());
    draw_surface(sketch, frame, picture);
    for (const std::uint32_t t : mesh_.order()) {
      if (picture.triangles[t].is_read) draw_outline(sketch, frame, t, ink::read);
      if (picture.triangles[t].is_written) draw_outline(sketch, frame, t, ink::write);
    }
    for (const SpaceLine& line : picture.lines)
      sketch.line(mesh_.place(frame, line.from), mesh_.place(frame, line.to), line.ink, line.width)
          .opacity = line.opacity;
    for (const SpaceBox& box : picture.boxes) draw_box(sketch, frame, box);
    for (const SpaceDot& dot : picture.dots)
      if (!dot.on_surface) draw_dot(sketch, frame, dot);
    return sketch.take(y + frame.height);
  }

 private:
  static std::string count_in_words(std::uint32_t triangles) {
    return triangles == 1 ? "1 triangle" : group_digits(triangles) + " triangles";
  }

  std::vector<KeyEntry> key() const {
    std::vector<KeyEntry> entries = scene_->key();
    if (scene_->has_ramp()) {
      entries.push_back({"first place", filled(plot_ink::first_ramp)});
      entries.push_back({"middle", filled(plot_ink::first_ramp + plot_ramp_colours / 2)});
      entries.push_back({"last place", filled(plot_ink::first_ramp + plot_ramp_colours - 1)});
    }
    return entries;
  }

  // As high with any words, so that the mesh does not move.
  static float draw_words(Sketch& sketch, const PlotSurface& surface, float y,
                          const std::string& words, int ink) {
    const float lines = sketch.is_narrow() ? 2.0F : 1.0F;
    const float breaks = sketch.is_narrow() ? 4.0F : 0.0F;  // ems that lines may leave free
    draw_paragraph(sketch, surface, {0.0F, y},
                   cut_to(surface, words, lines * sketch.width() - breaks), ink);
    return lines * plot_line_height;
  }

  // As much of the visible part as the words leave.
  static float most_height(const PlotSurface& surface, float y) {
    constexpr float least = 16.0F, most = 32.0F;
    constexpr float head = 5.0F;  // title and legend, above the drawing
    return std::clamp(surface.height / surface.em - y - head, least, most);
  }

  // Triangles, and the dots that lie on them, from the farthest to the nearest.
  void draw_surface(Sketch& sketch, const MeshPicture::Frame& frame,
                    const SpacePicture& picture) const {
    std::vector<std::pair<double, const SpaceDot*>> on_top;  // by depth
    for (const SpaceDot& dot : picture.dots)
      if (dot.on_surface) on_top.emplace_back(mesh_.depth(dot.at) + mesh_.reach(), &dot);
    std::stable_sort(on_top.begin(), on_top.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    auto next = on_top.begin();
    for (const std::uint32_t t : mesh_.order()) {
      for (; next != on_top.end() && next->first < mesh_.triangle_depth(t); ++next)
        draw_dot(sketch, frame, *next->second);
      draw_triangle(sketch, frame, picture.triangles[t], t);
    }
    for (; next != on_top.end(); ++next) draw_dot(sketch, frame, *next->second);
  }
  void draw_dot(Sketch& sketch, const MeshPicture::Frame& frame, const SpaceDot& dot) const {
    const PlotVertex place = mesh_.place(frame, dot.at);
    const auto square = [&](float side, int ink) {
      sketch.box({place.x - 0.5F * side, place.y - 0.5F * side, side, side}, ink, 1.0F, dot.name);
    };
    square(dot.side + 0.1F, plot_ink::paper);
    square(dot.side, dot.ink);
  }

  // Corners that are apart are drawn nearer to the triangle's middle.
  void draw_triangle(Sketch& sketch, const MeshPicture::Frame& frame, const SpaceTriangle& look,
                     std::uint32_t t) const {
    constexpr double apart = 0.35;
    const Point3 centre = mesh_.centre(t);
    std::array<PlotVertex, 3> at;
    for (std::size_t k = 0; k < 3; ++k) {
      Point3 corner = mesh_.corner(3 * std::size_t{t} + k);
      if (look.apart.at(k))
        for (std::size_t i = 0; i < 3; ++i) corner.at(i) += apart * (centre.at(i) - corner.at(i));
      at.at(k) = mesh_.place(frame, corner);
    }
    // Opaque, so that it hides what is behind it.
    sketch.triangle(at[0], at[1], at[2], plot_ink::paper);
    PlotShape& shape = sketch.triangle(at[0], at[1], at[2], look.ink);
    shape.opacity = look.opacity * (0.55F + 0.45F * mesh_.facing(t));
    shape.name = look.name;
    constexpr float thin = 0.03F;
    sketch.path({at[0], at[1], at[2], at[0]}, plot_ink::grid, thin);
  }
  void draw_outline(Sketch& sketch, const MeshPicture::Frame& frame, std::uint32_t t,
                    int ink) const {
    std::vector<PlotVertex> at;
    for (const std::size_t k : {0U, 1U, 2U, 0U})
      at.push_back(mesh_.place(frame, mesh_.corner(3 * std::size_t{t} + k)));
    sketch.path(std::move(at), ink, 0.22F);
  }
  void draw_box(Sketch& sketch, const MeshPicture::Frame& frame, const SpaceBox& box) const {
    auto [outline, inner] = mesh_.box_lines(frame, box.box);
    sketch.path(std::move(inner), box.ink, 0.6F * box.width).opacity = 0.7F * box.opacity;
    PlotShape& line = sketch.path(std::move(outline), box.ink, box.width);
    line.opacity = box.opacity;
    line.name = box.name;
  }

  MeshPicture mesh_;
  std::unique_ptr<SpaceScene> scene_;
  std::string shown_;
};

}  // namespace

bool is_for_space(const Recording& recording) {
  if (!recording.mesh || recording.mesh->triangles() == 0 ||
      recording.mesh->triangles() > RecordedMesh::most_triangles)
    return false;
  return scene_of(recording, MeshPicture(*recording.mesh)) != nullptr;
}
std::unique_ptr<StepView> make_space(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<SpaceView>(*recording);
}

}  // namespace warpview::step_views
