// What the tests of scenes/ share.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "scenes/files/mesh.h"
#include "scenes/files/obj_loader.h"

namespace warpview::test {

inline void expect_near(Vec3 a, Vec3 b, float tolerance = 1e-5F) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

// A new empty folder that is removed with all it holds.
class TempDir {
 public:
  TempDir() {
    std::string name = (std::filesystem::temp_directory_path() / "warpview-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  // Returns the path of a new file with this content.
  std::filesystem::path write(const std::string& name, std::string_view content) const {
    std::ofstream file(path_ / name, std::ios::binary);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

// A unit square in the plane z = 0, without a face.
inline const std::string square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

inline Mesh load(const std::filesystem::path& path, const LoadLimits& limits = {}) {
  LoadControl control;
  return load_obj(path, control, limits);
}

// Loads this text as an OBJ file.
inline Mesh load_text(std::string_view text) {
  const TempDir dir;
  return load(dir.write("mesh.obj", text));
}

// The message of the Error that loading the file throws; empty and a failure if it does not.
inline std::string error_of(const std::filesystem::path& path, const LoadLimits& limits = {}) {
  try {
    load(path, limits);
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << path << " was loaded";
  return "";
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// How many of the mesh's warnings contain all of these.
template <class... Parts>
auto count_warnings(const Mesh& mesh, const Parts&... parts) {
  return std::count_if(mesh.warnings.begin(), mesh.warnings.end(),
                       [&](const std::string& w) { return (contains(w, parts) && ...); });
}

inline bool has_nan(Vec3 v) { return std::isnan(v.x) || std::isnan(v.y) || std::isnan(v.z); }
inline bool operator==(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
inline bool operator==(Vec2 a, Vec2 b) { return a.x == b.x && a.y == b.y; }

// Everything that scenes/files/mesh.h promises.
inline void expect_well_formed(const Mesh& mesh) {
  ASSERT_EQ(mesh.corners.size(), 3 * mesh.triangle_material.size());
  ASSERT_FALSE(mesh.materials.empty());
  for (const std::uint32_t material : mesh.triangle_material)
    ASSERT_LT(material, mesh.materials.size());
  for (const Material& material : mesh.materials) {
    if (material.texture != Material::no_texture) {
      ASSERT_LT(material.texture, mesh.textures.size());
    }
    ASSERT_TRUE(std::isfinite(material.diffuse.x + material.diffuse.y + material.diffuse.z));
    ASSERT_GE(material.shininess, 1.0F);
    const auto& [scale, offset, is_clamped] = material.placement;
    ASSERT_TRUE(std::isfinite(scale.x + scale.y + offset.x + offset.y));
  }
  for (const Image& image : mesh.textures)
    ASSERT_EQ(image.rgba.size(), std::size_t{4} * image.width * image.height);
  const auto is_proper = [](float f) {
    return std::isfinite(f) && !(f == 0.0F && std::signbit(f));
  };
  if (!mesh.corner_colours.empty()) {
    ASSERT_EQ(mesh.corner_colours.size(), mesh.corners.size());
  }
  ASSERT_EQ(mesh.line_ends.size() % 2, 0U);
  for (const auto* places : {&mesh.points, &mesh.line_ends})
    for (const ColouredPoint& place : *places) {
      const Vec3 p = place.position;
      ASSERT_TRUE(is_proper(p.x) && is_proper(p.y) && is_proper(p.z));
      ASSERT_EQ(place.colour >> 24U, 0xffU);
    }
  for (const Vertex& corner : mesh.corners) {
    const Vec3 p = corner.position;
    const bool all_nan = std::isnan(p.x) && std::isnan(p.y) && std::isnan(p.z);
    ASSERT_TRUE(all_nan || (is_proper(p.x) && is_proper(p.y) && is_proper(p.z)))
        << p.x << ' ' << p.y << ' ' << p.z;
    const Vec3 n = corner.normal;
    ASSERT_TRUE(is_proper(n.x) && is_proper(n.y) && is_proper(n.z));
    ASSERT_NEAR(dot(n, n), 1.0F, 1e-5F);
    ASSERT_TRUE(is_proper(corner.texcoord.x) && is_proper(corner.texcoord.y));
  }
}

}  // namespace warpview::test
