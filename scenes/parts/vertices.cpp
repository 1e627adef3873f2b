#include "scenes/parts/vertices.h"

#include <fmt/format.h>
#include <algorithm>

#include <numeric>

#include "gpu/primitives/dedup/dedup.h"
#include "gpu/primitives/scan/scan.h"
#include "gpu/reference/reference.h"
#include "gpu/runtime/finite.h"
#include "scenes/parts/differences.h"

namespace warpview {
namespace {

std::uint32_t checked_triangles(const Mesh& mesh) {
  constexpr std::uint64_t most_corners = std::uint64_t{1} << 31U;
  if (mesh.corners.size() >= most_corners)
    throw Error(fmt::format("a mesh of {} corners", mesh.corners.size()),
                fmt::format("indices have 32 bits, so the limit is {} corners", most_corners),
                "Split the mesh");
  if (mesh.corners.size() != 3 * mesh.triangle_count())
    throw Error(fmt::format("a mesh of {} corners and {} material numbers", mesh.corners.size(),
                            mesh.triangle_count()),
                "a triangle has three corners and one material", "Pass matching arrays");
  if (!mesh.corner_colours.empty() && mesh.corner_colours.size() != mesh.corners.size())
    throw Error(fmt::format("a mesh of {} corners and {} colours", mesh.corners.size(),
                            mesh.corner_colours.size()),
                "either all corners have colours or none", "Pass matching arrays");
  return static_cast<std::uint32_t>(mesh.triangle_count());
}

bool has_finite_position(const Vertex& v) { return is_finite(v.position); }

// Upload and scan share their result: what is left of the input without triangles that are not
// finite, in order.
std::string check_kept(const Vertices::Snapshot& s, const Mesh& mesh) {
  std::vector<Vertex> kept;
  std::vector<std::uint32_t> kept_material;
  std::vector<std::uint32_t> kept_colours;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    const auto triangle = std::span(mesh.corners).subspan(3 * t, 3);
    if (!std::all_of(triangle.begin(), triangle.end(), has_finite_position)) continue;
    kept.insert(kept.end(), triangle.begin(), triangle.end());
    kept_material.push_back(mesh.triangle_material[t]);
    if (!mesh.corner_colours.empty())
      for (std::size_t k = 0; k < 3; ++k) kept_colours.push_back(mesh.corner_colours[3 * t + k]);
  }
  const auto triangles = static_cast<std::uint32_t>(kept_material.size());
  const auto dropped = static_cast<std::uint32_t>(mesh.triangle_count()) - triangles;
  return first_of({difference("the number of kept triangles", s.counts.triangles, triangles),
                   difference("the number of corners", s.counts.corners, 3 * triangles),
                   difference("the number of dropped triangles", s.counts.dropped, dropped),
                   difference("corner", s.corners, kept),
                   difference("the material of triangle", s.material, kept_material),
                   difference("the colour of corner", s.colours, kept_colours)});
}

std::string check_dedup(const Vertices::Snapshot& s) {
  const reference::Mesh mesh = reference::dedup(s.corners);
  const auto vertices = static_cast<std::uint32_t>(mesh.vertices.size());
  return first_of({difference("the number of vertices", s.counts.vertices, vertices),
                   difference("vertex", s.vertices, mesh.vertices),
                   difference("the index of corner", s.indices, mesh.indices)});
}

std::string check_numbering(const Vertices::Snapshot& s) {
  std::vector<std::uint32_t> numbers(s.corners.size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  return first_of({difference("the number of vertices", s.counts.vertices, s.counts.corners),
                   difference("the index of corner", s.indices, numbers)});
}

}  // namespace

std::uint64_t Vertices::bytes_needed(const Mesh& mesh) {
  // Corners as uploaded and as kept, and at most one vertex and one index per corner.
  return mesh.triangle_count() *
             (3 * (3 * sizeof(Vertex) + sizeof(std::uint32_t)) + 2 * sizeof(std::uint32_t)) +
         2 * mesh.corner_colours.size() * sizeof(std::uint32_t);
}

Aabb bounds_of_finite(const Mesh& mesh) {
  Aabb bounds = Aabb::empty();
  for (std::size_t i = 0; i + 2 < mesh.corners.size(); i += 3) {
    const Vertex* const corners = &mesh.corners[i];
    if (!std::all_of(corners, corners + 3, has_finite_position)) continue;
    for (int k = 0; k < 3; ++k) bounds = merge(bounds, {corners[k].position, corners[k].position});
  }
  return bounds;
}

Vertices::Vertices(Timeline& timeline, const Mesh& mesh, const std::string& prefix, Corners corners)
    : timeline_(timeline),
      mesh_(mesh),
      prefix_(prefix),
      is_apart_(corners == Corners::apart),
      triangles_(checked_triangles(mesh)) {
  Device& device = timeline.device();
  const std::size_t n = triangles_;
  if (!device.reads_host_memory()) {
    corners_ = {device, 3 * n};
    material_ = {device, n};
    colours_ = {device, mesh.corner_colours.size()};
  }
  kept_corners_ = {device, 3 * n};
  if (!is_apart_) vertices_ = {device, 3 * n};
  kept_material_ = {device, n};
  kept_colours_ = {device, mesh.corner_colours.size()};
  indices_ = {device, 3 * n};
  counts_ = {device, 1};
  timeline.stream().fill(counts_.data(), 0, counts_.bytes());
  read_counts_ = timeline.read_back(counts_.data());

  upload_ = timeline.add(
      {.name = prefix + "upload",
       .title = "Upload",
       .about =
           "Copies the corners of all triangles to the device. The CPU device reads them in place.",
       .queue =
           [this](const StageRun& run) {
             if (run.measuring() || lies_on_host()) return;
             corners_.upload_much(run.stream(), mesh_.corners);
             material_.upload_much(run.stream(), mesh_.triangle_material);
             colours_.upload_much(run.stream(), mesh_.corner_colours);
           },
       .work =
           [this] {
             const std::uint64_t corner =
                 lies_on_host() ? 0 : sizeof(Vertex) + (colours() ? sizeof(std::uint32_t) : 0);
             const std::uint64_t triangle = lies_on_host() ? 0 : sizeof(std::uint32_t);
             return StageWork{mesh_.corners.size(),
                              mesh_.corners.size() * corner + mesh_.triangle_count() * triangle};
           }});
  scan_ = timeline.add(
      {.name = prefix + "scan",
       .title = "Drop (scan)",
       .about = "Drops triangles with coordinates that are not finite. A scan of flags gives each "
                "remaining triangle its index.",
       .primitive = Primitive::scan,
       .queue =
           [this](const StageRun& run) {
             const BackendTable& table = run.stream().device().table();
             run.run<Step::drop>(DropArgs{
                 .corners = lies_on_host() ? mesh_.corners.data() : corners_.data(),
                 .material = lies_on_host() ? mesh_.triangle_material.data() : material_.data(),
                 .colours = !colours()       ? nullptr
                            : lies_on_host() ? mesh_.corner_colours.data()
                                             : colours_.data(),
                 .n = triangles_,
                 .kept_corners = kept_corners_.data(),
                 .kept_material = kept_material_.data(),
                 .kept_colours = kept_colours_.data(),
                 .counts = counts_.data(),
                 .scan = table.get<Primitive::scan>(timeline_.chosen(scan_).value())});
           },
       .work =
           [this] {
             // Around the scan of the flags: positions are read to flag a triangle; its corners and
             // material are read again with their new place, and written.
             const double around =
                 3.0 * sizeof(Vec3) + 4.0 + 2.0 * (3.0 * sizeof(Vertex) + 4.0) + 4.0;
             const double each = least_bytes(Primitive::scan, {.item = 4.0}) + around;
             return StageWork{triangles_, static_cast<std::uint64_t>(each * triangles_)};
           },
       .of_mesh = true});
  if (is_apart_)
    add_numbering();
  else
    add_dedup();
}

void Vertices::add_dedup() {
  index_ = timeline_.add(
      {.name = prefix_ + "dedup",
       .title = "De-duplication",
       .about = "Merges equal corners into shared vertices, by a hash table or by sorting.",
       .primitive = Primitive::dedup,
       .queue =
           [this](const StageRun& run) {
             const BackendTable& table = run.stream().device().table();
             run.run<Primitive::dedup>(
                 DedupArgs{.corners = kept_corners_.data(),
                           .count = &counts_.data()->corners,
                           .n = 3 * triangles_,
                           .indices = indices_.data(),
                           .vertices = vertices_.data(),
                           .vertex_count = &counts_.data()->vertices,
                           .scan = table.get<Primitive::scan>(timeline_.chosen(scan_).value())});
           },
       .work =
           [this] {
             const double corners = counts().corners;
             const double kept = corners > 0.0 ? counts().vertices / corners : 0.0;
             const double each = least_bytes(
                 Primitive::dedup, {.item = sizeof(Vertex), .value = kept * sizeof(Vertex)});
             return StageWork{counts().corners, static_cast<std::uint64_t>(each * corners)};
           },
       .of_mesh = true});
}

void Vertices::add_numbering() {
  index_ = timeline_.add(
      {.name = prefix_ + "number",
       .title = "Number corners",
       .about = "Makes each corner a vertex of its own, so that triangles can fly apart.",
       .queue =
           [this](const StageRun& run) {
             run.run<Step::number_corners>(NumberCornersArgs{
                 .n = 3 * triangles_, .counts = counts_.data(), .indices = indices_.data()});
           },
       .work =
           [this] {
             return StageWork{counts().corners, counts().corners * sizeof(std::uint32_t)};
           }});
}

void Vertices::upload() { timeline_.run(upload_); }

void Vertices::compute(StageId first) {
  for (const StageId stage : {scan_, index_})
    if (first <= stage) timeline_.run(stage);
}

Vertices::Snapshot Vertices::snapshot() const {
  timeline_.collect();
  Stream& stream = timeline_.stream();
  Snapshot s;
  s.counts = counts_.download(stream).front();
  s.corners = kept_corners_.download(stream, s.counts.corners);
  s.material = kept_material_.download(stream, s.counts.triangles);
  if (colours()) s.colours = kept_colours_.download(stream, s.counts.corners);
  s.vertices = is_apart_ ? s.corners : vertices_.download(stream, s.counts.vertices);
  s.indices = indices_.download(stream, s.counts.corners);
  return s;
}

std::vector<Check> Vertices::verify(const Snapshot& snapshot) const {
  const std::string kept = check_kept(snapshot, mesh_);
  std::vector<Check> checks = {{prefix_ + "upload", {}}, {prefix_ + "scan", kept}};
  if (!kept.empty()) return checks;
  if (is_apart_)
    checks.push_back({prefix_ + "number", check_numbering(snapshot)});
  else
    checks.push_back({prefix_ + "dedup", check_dedup(snapshot)});
  return checks;
}

}  // namespace warpview
