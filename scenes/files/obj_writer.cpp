#include "scenes/files/obj_writer.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>

#include "gpu/runtime/error.h"
#include "scenes/files/colour.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

// A vertex and its colour as their bits, so that equal means written the same.
struct ColouredVertex {
  Vertex vertex;
  std::uint32_t colour;
  std::array<std::uint32_t, 3> unused;
};
using VertexBits = std::array<std::uint32_t, sizeof(ColouredVertex) / sizeof(std::uint32_t)>;

struct HashBits {
  std::size_t operator()(const VertexBits& bits) const {
    std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a, by words
    for (const std::uint32_t word : bits) hash = (hash ^ word) * 0x100000001b3U;
    return hash ^ hash >> 32U;
  }
};

// Text on its way to a file, in blocks.
class TextFile {
 public:
  explicit TextFile(const fs::path& path) : path_(path), file_(path, std::ios::binary) {}

  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    constexpr std::size_t block_bytes = std::size_t{1} << 16U;
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    if (text_.size() > block_bytes) flush();
  }

  // Error if anything so far could not be written.
  void close() {
    flush();
    file_.close();
    if (!file_)
      throw Error(path_.string(), "cannot be written",
                  "Check the folder, its permissions and the free disk space");
  }

 private:
  void flush() {
    file_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }

  const fs::path& path_;
  std::ofstream file_;
  std::string text_;
};

// Nothing of a material that has none. Each illumination model means one of the mirrors or glass.
void write_optics(TextFile& file, const Optics& optics) {
  if (optics.clear > 0.0F) {
    file.print("d {}\n", 1.0F - optics.clear);
    file.print("Tf {} {} {}\n", optics.filter.x, optics.filter.y, optics.filter.z);
  }
  if (optics.index > 1.0F)
    file.print("Ni {}\nillum 7\n", optics.index);
  else if (optics.mirror != Optics::Mirror::none)
    file.print("illum {}\n", optics.mirror == Optics::Mirror::plain ? 3 : 5);
}

void write_materials(const Mesh& mesh, const fs::path& path) {
  TextFile file(path);
  for (const Material& m : mesh.materials) {
    file.print("newmtl {}\n", m.name);
    file.print("Kd {} {} {}\n", m.diffuse.x, m.diffuse.y, m.diffuse.z);
    file.print("Ks {} {} {}\n", m.specular.x, m.specular.y, m.specular.z);
    file.print("Ke {} {} {}\n", m.emissive.x, m.emissive.y, m.emissive.z);
    file.print("Ns {}\n", m.shininess);
    write_optics(file, m.optics);
    file.print("\n");
  }
  file.close();
}

// With its colour in as many digits as 8 bits need.
void write_position(TextFile& file, Vec3 p, const std::uint32_t* colour) {
  file.print("v {} {} {}", p.x, p.y, p.z);
  if (colour) {
    const Vec3 rgb = unpack_rgb(*colour);
    file.print(" {:.4f} {:.4f} {:.4f}", rgb.x, rgb.y, rgb.z);
  }
  file.print("\n");
}

// Points and lines, with a vertex for each place and the default material.
void write_elements(TextFile& file, const Mesh& mesh) {
  for (const ColouredPoint& point : mesh.points) {
    write_position(file, point.position, &point.colour);
    file.print("p -1\n");
  }
  for (std::size_t i = 0; i < mesh.line_ends.size(); ++i) {
    write_position(file, mesh.line_ends[i].position, &mesh.line_ends[i].colour);
    if (i % 2 == 1) file.print("l -2 -1\n");
  }
}

}  // namespace

void write_obj(const Mesh& mesh, const fs::path& path) {
  const fs::path material_path = fs::path(path).replace_extension(".mtl");
  write_materials(mesh, material_path);

  TextFile file(path);
  file.print("mtllib {}\n", material_path.filename().string());
  write_elements(file, mesh);
  // Faces count from the vertices that are theirs on; texture coordinates and normals are theirs
  // alone.
  const std::size_t before = mesh.points.size() + mesh.line_ends.size();
  std::unordered_map<VertexBits, std::size_t, HashBits> number_of_vertex;
  std::array<std::size_t, 3> numbers{};
  std::uint32_t material = 0;
  for (std::size_t t = 0; t < mesh.triangle_count(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Vertex& v = mesh.corners[3 * t + k];
      const std::uint32_t* const colour =
          mesh.corner_colours.empty() ? nullptr : &mesh.corner_colours[3 * t + k];
      const ColouredVertex bits{v, colour ? *colour : 0, {}};
      const auto [entry, is_new] = number_of_vertex.try_emplace(std::bit_cast<VertexBits>(bits),
                                                                number_of_vertex.size() + 1);
      numbers[k] = entry->second;
      if (!is_new) continue;
      write_position(file, v.position, colour);
      file.print("vt {} {}\n", v.texcoord.x, v.texcoord.y);
      file.print("vn {} {} {}\n", v.normal.x, v.normal.y, v.normal.z);
    }
    if (t == 0 || mesh.triangle_material[t] != material) {
      material = mesh.triangle_material[t];
      file.print("usemtl {}\n", mesh.materials[material].name);
    }
    const auto [a, b, c] = numbers;
    file.print("f {3}/{0}/{0} {4}/{1}/{1} {5}/{2}/{2}\n", a, b, c, a + before, b + before,
               c + before);
  }
  file.close();
}

}  // namespace warpview
