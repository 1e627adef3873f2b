#include "scenes/parts/surface.h"

#include <algorithm>
#include <utility>

#include "gpu/steps/write.h"
#include "scenes/parts/drawn.h"

namespace warpview {
namespace {

struct SurfaceStream {
  enum : std::size_t { vertices, indices, material, colours };
};

std::vector<StreamInfo> surface_streams(const SurfaceRoom& room, const std::string& prefix) {
  const std::uint64_t triangles = std::uint64_t{room.copies} * room.triangles;
  const std::uint64_t corners = 3 * triangles;
  const auto stream = [&](const char* name, std::size_t bytes, std::uint64_t capacity,
                          bool each_frame) {
    return StreamInfo{prefix + name, bytes, capacity, each_frame};
  };
  constexpr std::size_t word = sizeof(std::uint32_t);
  const std::uint64_t vertices = std::uint64_t{room.copies} * room.vertices;
  return {stream("vertices", sizeof(Vertex), vertices, true),
          stream("indices", word, corners, room.each_frame),
          stream("material", word, triangles, room.each_frame),
          stream("colours", word, room.has_colours ? corners : 0, room.each_frame)};
}

StageWork surface_work(const SurfaceRoom& room, const MeshCounts& counts, const Targets& to) {
  StageWork work;
  const auto add = [&](std::size_t stream, std::uint64_t items, std::size_t bytes) {
    items *= room.copies;
    if (to.stream(stream)) work = work + StageWork{items, 2 * items * bytes};
  };
  add(SurfaceStream::vertices, counts.vertices, sizeof(Vertex));
  add(SurfaceStream::indices, counts.corners, sizeof(std::uint32_t));
  add(SurfaceStream::material, counts.triangles, sizeof(std::uint32_t));
  if (room.has_colours) add(SurfaceStream::colours, counts.corners, sizeof(std::uint32_t));
  return work;
}

// The copies of an array, one behind the other; `changed` says what an element of a copy is.
template <class T, class Changed>
std::vector<T> copied(const std::vector<T>& one, std::uint32_t copies, const Changed& changed) {
  std::vector<T> all;
  for (std::uint32_t copy = 0; copy < copies; ++copy)
    for (const T& each : one) all.push_back(changed(each, copy));
  return all;
}

void check_surface(DrawnCheck& check, const WrittenAt& at, const SurfaceRoom& room,
                   const SurfaceArrays& from) {
  const std::size_t triangles = at.command;
  const std::size_t points = at.command + points_of_surface;
  const std::vector<std::size_t> all = at.all();
  if (std::none_of(all.begin(), all.end(), [&](std::size_t one) { return check.has_room(one); })) {
    check.nothing(triangles);
    check.nothing(points);
    return;
  }
  const MeshCounts counts = check.read(from.counts);
  check.command(triangles, {room.copies * counts.corners, 1, 0, 0, 0});
  check.command(points, {room.copies * counts.vertices, 1, 0, 0, 0});
  std::vector<Vertex> vertices;
  for (std::uint32_t copy = 0; copy < room.copies; ++copy)
    for (const Vertex& vertex :
         check.read(from.vertices + std::size_t{copy} * room.vertices, counts.vertices))
      vertices.push_back(vertex);
  check.stream(at.stream + SurfaceStream::vertices, vertices);
  check.stream(at.stream + SurfaceStream::indices,
               copied(check.read(from.indices, counts.corners), room.copies,
                      [&counts](std::uint32_t index, std::uint32_t copy) {
                        return index + copy * counts.vertices;
                      }));
  const auto as_it_is = [](std::uint32_t word, std::uint32_t) { return word; };
  check.stream(at.stream + SurfaceStream::material,
               copied(check.read(from.material, counts.triangles), room.copies, as_it_is));
  if (from.colours)
    check.stream(at.stream + SurfaceStream::colours,
                 copied(check.read(from.colours, counts.corners), room.copies, as_it_is));
}

}  // namespace

Writer surface_writer(const SurfaceRoom& room, const std::string& prefix,
                      const std::function<SurfaceArrays()>& arrays,
                      const std::function<MeshCounts()>& counts) {
  return {
      .streams = surface_streams(room, prefix),
      .commands = 2,
      .write =
          [room, arrays](const StageRun& run, const Targets& to) {
            const SurfaceArrays from = arrays();
            run.run<Step::write_mesh>(WriteMeshArgs{
                .copies = room.copies,
                .vertices = from.vertices,
                .counts = from.counts,
                .n_vertices = room.vertices,
                .out_vertices = to.stream<Vertex>(SurfaceStream::vertices),
                .indices = from.indices,
                .material = from.material,
                .colours = from.colours,
                .n_triangles = room.triangles,
                .out_indices = to.stream<std::uint32_t>(SurfaceStream::indices),
                .out_material = to.stream<std::uint32_t>(SurfaceStream::material),
                .out_colours =
                    from.colours ? to.stream<std::uint32_t>(SurfaceStream::colours) : nullptr,
                .triangles = to.command(),
                .points = to.command(points_of_surface)});
          },
      .work = [room, counts](const Targets& to) { return surface_work(room, counts(), to); },
      .check = [room, arrays](DrawnCheck& check,
                              const WrittenAt& at) { check_surface(check, at, room, arrays()); }};
}

Writer surface_writer(const Vertices& mesh, const std::function<const Vertex*()>& positions,
                      std::uint32_t copies) {
  return surface_writer(
      {.vertices = mesh.vertex_capacity(),
       .triangles = mesh.triangle_capacity(),
       .has_colours = mesh.colours() != nullptr,
       .copies = copies},
      "",
      [&mesh, positions] {
        return SurfaceArrays{positions(), mesh.device_counts(), mesh.indices(), mesh.material(),
                             mesh.colours()};
      },
      [&mesh] { return mesh.counts(); });
}

}  // namespace warpview
