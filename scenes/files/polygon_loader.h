// Makes a mesh of blocks of vertices and faces, for the loaders of OBJ and PLY files.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

#include "gpu/runtime/cpu/crew.h"
#include "gpu/runtime/host_array.h"
#include "scenes/files/input_file.h"
#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"
#include "scenes/files/normals.h"
#include "scenes/files/polygon_block.h"
#include "scenes/files/polygon_elements.h"
#include "scenes/files/polygon_faces.h"
#include "scenes/files/polygon_troubles.h"
#include "scenes/files/warnings.h"

namespace warpview {

// Returns what `load` returns. Error where it has no memory.
template <class Load>
Mesh load_whole(const std::filesystem::path& path, LoadControl& control, Load load) {
  try {
    Mesh mesh = load();
    control.report(1.0F);
    return mesh;
  } catch (const std::bad_alloc&) {
    throw Error(path.string(), "out of memory",
                "Close other programs, split the mesh or reduce its number of faces");
  } catch (const std::length_error&) {
    throw Error(path.string(), "it is too large for memory", "Split the mesh");
  }
}

// One load of a file. The loader of the file's format adds blocks in the order of the file, and any
// thread of the crew fills them. Then it asks for the mesh. All references must outlive this.
class PolygonLoader {
 public:
  // Error if it cannot be opened.
  static InputFile open(const std::filesystem::path& path, const LoadControl& control) {
    control.begin_file(path);
    return InputFile(path);
  }

  PolygonLoader(const std::filesystem::path& path, LoadControl& control, const LoadLimits& limits,
                const MeshOptions& options, PolygonTroubles::Unit unit);

  // ---- Reading

  // Adds a block at the end. Its address is valid until make_mesh().
  PolygonBlock& add_block() { return blocks_.emplace_back(); }
  const std::deque<PolygonBlock>& blocks() const { return blocks_; }
  // Adds what a filled block needs to the sums that are held to the limits. By any thread.
  void count(const PolygonBlock& block);
  // Error where the sums are beyond the limits.
  void require_limits() const;
  // Reports the fraction of the file that has been read, 0 to 1. Error as require_limits().
  void report_read(double fraction);

  // ---- Making

  // Call it once. `file_has_changed`: while it was read.
  Mesh make_mesh(bool file_has_changed);

  Crew& crew() { return crew_; }
  PolygonTroubles& troubles() { return troubles_; }
  Warnings& warnings() { return warnings_; }
  [[noreturn]] void throw_changed() const;

 private:
  struct Before;

  void put_together();
  std::uint32_t number_of_material(const std::string& name);
  void take_the_rest(const PolygonBlock& block, const Before& before);
  void copy(PolygonBlock& block, const Before& before);

  std::uint64_t bytes_needed(bool with_computed_normals) const;
  template <class Work>
  void for_each_part(double progress_from, double progress_to, Work work);
  void report(double progress) { control_.report(static_cast<float>(progress)); }
  void compute_normals();
  Vec3 normal_of(const CornerIndices& corner, Vec3 face_normal) const;
  void make_triangles(const std::vector<std::uint32_t>& materials, Mesh& mesh);
  void make_triangles(PolygonPart& part, const std::vector<std::uint32_t>& materials,
                      Mesh& mesh) const;
  void require_something(const Mesh& mesh) const;

  const std::filesystem::path& path_;
  LoadControl& control_;
  const LoadLimits& limits_;
  const MeshOptions& options_;

  // As read, of the whole file.
  PolygonVertices vertices_;
  PolygonFaces faces_;
  std::vector<std::string> libraries_;
  std::vector<std::string> material_names_;
  std::unordered_map<std::string, std::uint32_t> material_of_name_;
  VertexColours colours_;
  PolygonElements elements_;
  PolygonTroubles troubles_;
  Warnings warnings_;

  bool lacks_normals_ = false;
  HostArray<Vec3> computed_normals_;  // by corner; 0: there is none

  // Sums over the blocks that have been read.
  std::atomic<std::uint64_t> bytes_{0};      // that they hold
  std::atomic<std::uint64_t> triangles_{0};  // that their faces are cut into
  std::atomic<std::uint64_t> places_{0};     // at which points and lines are drawn
  std::atomic<bool> has_colours_{false};

  std::deque<PolygonBlock> blocks_;
  // Last: what it does ends before all else.
  Crew crew_;
};

}  // namespace warpview
