// From blocks of vertices and faces to a mesh: what the loaders of polygon files share.
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
#include "scenes/files/load_control.h"
#include "scenes/files/mesh.h"
#include "scenes/files/normals.h"
#include "scenes/files/obj_block.h"
#include "scenes/files/obj_elements.h"
#include "scenes/files/obj_faces.h"
#include "scenes/files/obj_troubles.h"
#include "scenes/files/warnings.h"

namespace warpview {

// load(), with what is told of memory that is not there: Error instead of std::bad_alloc.
template <class Load>
Mesh with_memory_errors(const std::filesystem::path& path, Load load) {
  try {
    return load();
  } catch (const std::bad_alloc&) {
    throw Error(path.string(), "out of memory",
                "Close other programs, split the mesh or reduce its number of faces");
  } catch (const std::length_error&) {
    throw Error(path.string(), "it is too large for memory", "Split the mesh");
  }
}

// One load of a file. The loader of its format fills blocks, in the order of the file and by any
// thread of the crew, and asks for the mesh when all are read. All references must outlive it.
class PolygonLoader {
 public:
  PolygonLoader(const std::filesystem::path& path, LoadControl& control, const LoadLimits& limits,
                const MeshOptions& options, ObjTroubles::Place place);

  // ---- Reading

  // A block at the end, which stays where it is until make_mesh().
  ObjBlock& add_block() { return blocks_.emplace_back(); }
  const std::deque<ObjBlock>& blocks() const { return blocks_; }
  // A block has been filled: what it needs counts from now on. By any thread.
  void count(const ObjBlock& block);
  // Error where what has been counted goes beyond the limits.
  void require_limits() const;
  // From 0 to 1, of the file. Error as require_limits().
  void report_read(double fraction);

  // ---- Making

  // To be called once. `file_has_changed`: while it was read.
  Mesh make_mesh(bool file_has_changed);

  Crew& crew() { return crew_; }
  ObjTroubles& troubles() { return troubles_; }
  Warnings& warnings() { return warnings_; }
  [[noreturn]] void throw_changed() const;

 private:
  struct Before;

  void put_together();
  std::uint32_t number_of_material(const std::string& name);
  void take_the_rest(const ObjBlock& block, const Before& before);
  void copy(ObjBlock& block, const Before& before);

  std::uint64_t bytes_needed(bool with_computed_normals) const;
  template <class Work>
  void for_each_part(double progress_from, double progress_to, Work work);
  void report(double progress) { control_.report(static_cast<float>(progress)); }
  void compute_normals();
  Vec3 normal_of(const CornerIndices& corner, Vec3 face_normal) const;
  void make_triangles(const std::vector<std::uint32_t>& materials, Mesh& mesh);
  void make_triangles(ObjPart& part, const std::vector<std::uint32_t>& materials, Mesh& mesh) const;
  void require_something(const Mesh& mesh) const;

  const std::filesystem::path& path_;
  LoadControl& control_;
  const LoadLimits& limits_;
  const MeshOptions& options_;

  // As read, of the whole file.
  ObjVertices vertices_;
  ObjFaces faces_;
  std::vector<std::string> libraries_;
  std::vector<std::string> material_names_;
  std::unordered_map<std::string, std::uint32_t> material_of_name_;
  ObjColours colours_;
  ObjElements elements_;
  ObjTroubles troubles_;
  Warnings warnings_;

  bool lacks_normals_ = false;
  HostArray<Vec3> computed_normals_;  // by corner; 0: there is none

  // Sums over the blocks that have been read.
  std::atomic<std::uint64_t> bytes_{0};      // that they hold
  std::atomic<std::uint64_t> triangles_{0};  // that their faces are cut into
  std::atomic<std::uint64_t> places_{0};     // at which points and lines are drawn
  std::atomic<bool> has_colours_{false};

  std::deque<ObjBlock> blocks_;
  // Last: what it does ends before all else.
  Crew crew_;
};

}  // namespace warpview
