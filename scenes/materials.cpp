#include "scenes/materials.h"

#include <fmt/format.h>
#include <stb_image.h>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "scenes/input_file.h"
#include "scenes/text_lines.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

// A kind of trouble: how often it came, and the first few things it came with.
class Trouble {
 public:
  void add(std::string_view what) {
    constexpr std::uint64_t most_named = 3;
    if (count_ < most_named) named_ += (count_ > 0 ? ", " : "") + std::string(what);
    if (count_ == most_named) named_ += ", ...";
    ++count_;
  }
  // "<count> <one or several> <what of them>: <names>".
  void warn(Mesh& mesh, std::string_view one, std::string_view several,
            std::string_view what) const {
    if (count_ > 0)
      mesh.warnings.push_back(
          fmt::format("{} {}: {}", counted(count_, one, several), what, named_));
  }

 private:
  std::uint64_t count_ = 0;
  std::string named_;
};

// Lets through what a Material is made of. Checks the numbers of the colours and exponents, which
// the parser would take as 0, and keeps which materials have a diffuse colour, which the parser
// does not tell.
class MaterialLines : public TextLines {
 public:
  MaterialLines(const fs::path& path, LoadControl& control, Trouble& bad_numbers)
      : TextLines(InputFile(path), [&control](double) { control.throw_if_cancelled(); }),
        bad_numbers_(bad_numbers) {}

  bool has_diffuse(std::string_view material) const {
    return has_diffuse_.contains(std::string(material));
  }

 private:
  bool accept(std::string_view& line) override {
    std::string_view rest = line;
    const std::string_view keyword = next_word(rest);
    if (keyword == "newmtl") material_ = trimmed(rest);
    const bool is_colour = keyword == "Kd" || keyword == "Ks" || keyword == "Ke";
    const int numbers = is_colour ? 3 : keyword == "Ns" ? 1 : 0;
    for (int i = 0; i < numbers; ++i) {
      if (is_number(next_word(rest))) continue;
      bad_numbers_.add(here());
      return false;  // the material keeps the default
    }
    if (keyword == "Kd") has_diffuse_.insert(material_);
    return numbers > 0 || keyword == "newmtl" || keyword == "map_Kd";
  }

  Trouble& bad_numbers_;
  std::string material_;
  std::unordered_set<std::string> has_diffuse_;
};

// Files are named relative to the one that names them, often with a foreign system's separators or
// folders.
std::optional<fs::path> find_file(const fs::path& folder, std::string name) {
  const auto exists = [](const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
  };
  if (name.empty()) return std::nullopt;
  if (exists(folder / name)) return folder / name;
  std::replace(name.begin(), name.end(), '\\', '/');
  if (exists(folder / name)) return folder / name;
  const fs::path beside = folder / fs::path(name).filename();
  if (exists(beside)) return beside;
  return std::nullopt;
}

// The files of one `mtllib` line: one whose name may contain spaces, or several.
std::vector<fs::path> find_libraries(const fs::path& folder, const std::string& text,
                                     Trouble& missing) {
  if (const auto whole = find_file(folder, text)) return {*whole};
  std::vector<fs::path> found;
  std::string_view rest = text;
  for (auto word = next_word(rest); !word.empty(); word = next_word(rest)) {
    if (const auto file = find_file(folder, std::string(word)))
      found.push_back(*file);
    else
      missing.add(word);
  }
  return found;
}

bool is_finite(const tinyobj::real_t (&v)[3]) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

Vec3 colour(const tinyobj::real_t (&v)[3], Vec3 otherwise) {
  return is_finite(v) ? Vec3{v[0], v[1], v[2]} : otherwise;
}

Material convert(const tinyobj::material_t& from, bool has_diffuse, const std::string& name) {
  Material material;
  material.name = name;
  if (has_diffuse) material.diffuse = colour(from.diffuse, material.diffuse);
  material.specular = colour(from.specular, material.specular);
  material.emissive = colour(from.emission, material.emissive);
  if (std::isfinite(from.shininess)) material.shininess = std::max(1.0F, from.shininess);
  return material;
}

// Loads each image file once.
class TextureLoader {
 public:
  TextureLoader(const LoadLimits& limits, Mesh& mesh) : limits_(limits), mesh_(mesh) {}

  // Index of the texture that `library` names, if it can be loaded.
  std::uint32_t load(const fs::path& library, const std::string& name) {
    const auto file = find_file(library.parent_path(), name);
    if (!file) {
      missing_.add(name);
      return Material::no_texture;
    }
    const auto [entry, is_new] = loaded_.try_emplace(file->string(), Material::no_texture);
    if (is_new) entry->second = decode(*file);
    return entry->second;
  }

  void warn() const {
    missing_.warn(mesh_, "texture", "textures", "not found, drawn without");
    broken_.warn(mesh_, "texture", "textures", "not readable, drawn without");
  }

 private:
  std::uint32_t decode(const fs::path& file) {
    constexpr int longest_side = 16384;  // what every OpenGL 4 driver takes
    constexpr std::uint64_t channels = 4;
    int width = 0;
    int height = 0;
    int unused = 0;
    if (stbi_info(file.c_str(), &width, &height, &unused) == 0)
      return fail(file, stbi_failure_reason());
    const std::uint64_t bytes =
        channels * static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
    // The decoder holds the image about three times.
    if (width > longest_side || height > longest_side || 3 * bytes > limits_.memory)
      return fail(file, fmt::format("{} x {} pixels are too many", width, height));

    struct FreeImage {
      void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
    };
    const std::unique_ptr<stbi_uc, FreeImage> pixels(
        stbi_load(file.c_str(), &width, &height, &unused, static_cast<int>(channels)));
    if (!pixels) return fail(file, stbi_failure_reason());

    Image image;
    image.file = file;
    image.width = static_cast<std::uint32_t>(width);
    image.height = static_cast<std::uint32_t>(height);
    image.rgba.reserve(bytes);
    const std::size_t row_bytes = channels * image.width;
    for (std::size_t row = image.height; row-- > 0;) {
      const stbi_uc* const first = pixels.get() + row * row_bytes;
      image.rgba.insert(image.rgba.end(), first, first + row_bytes);
    }
    mesh_.textures.push_back(std::move(image));
    return static_cast<std::uint32_t>(mesh_.textures.size() - 1);
  }

  std::uint32_t fail(const fs::path& file, std::string_view why) {
    broken_.add(fmt::format("{} ({})", file.string(), why));
    return Material::no_texture;
  }

  const LoadLimits& limits_;
  Mesh& mesh_;
  std::map<std::string, std::uint32_t> loaded_;
  Trouble missing_;
  Trouble broken_;
};

// A material of a library, and where its textures are looked for.
struct Definition {
  fs::path library;
  bool has_diffuse;
  tinyobj::material_t material;
};

}  // namespace

std::vector<std::uint32_t> load_materials(const fs::path& obj_file, const MaterialRequest& request,
                                          LoadControl& control, const LoadLimits& limits,
                                          Mesh& mesh) {
  Trouble missing_libraries;
  Trouble broken_libraries;
  Trouble bad_numbers;

  std::vector<fs::path> libraries;
  for (const std::string& text : request.libraries)
    for (fs::path& path : find_libraries(obj_file.parent_path(), text, missing_libraries))
      if (std::find(libraries.begin(), libraries.end(), path) == libraries.end())
        libraries.push_back(std::move(path));

  std::unordered_map<std::string, Definition> definitions;
  for (const fs::path& library : libraries) {
    try {
      std::vector<tinyobj::material_t> materials;
      MaterialLines lines(library, control, bad_numbers);
      std::istream stream(&lines);
      stream.exceptions(std::ios::badbit);  // lets exceptions of `lines` through
      std::map<std::string, int> unused;
      std::string messages;  // about statements that are not let through
      tinyobj::LoadMtl(&unused, &materials, &stream, &messages, &messages);
      // The parser hands out one nameless material where a file defines none.
      if (materials.size() == 1 && materials.front().name.empty())
        broken_libraries.add(fmt::format("{}: defines no material", library.string()));
      for (tinyobj::material_t& material : materials) {
        std::string name(trimmed(material.name));
        const bool has_diffuse = lines.has_diffuse(name);
        definitions.try_emplace(std::move(name),
                                Definition{library, has_diffuse, std::move(material)});
      }
    } catch (const Error& error) {
      broken_libraries.add(error.what());
    }
  }

  mesh.materials.assign(1, Material{});
  mesh.materials[0].name = "default";
  TextureLoader textures(limits, mesh);
  Trouble unknown_names;
  std::vector<std::uint32_t> index_of_name;
  for (const std::string& name : request.names) {
    control.throw_if_cancelled();
    const auto found = definitions.find(name);
    if (found == definitions.end() || name.empty()) {
      unknown_names.add(fmt::format("'{}'", name));
      index_of_name.push_back(0);
      continue;
    }
    const auto& [library, has_diffuse, definition] = found->second;
    Material material = convert(definition, has_diffuse, name);
    if (!definition.diffuse_texname.empty()) {
      material.texture = textures.load(library, definition.diffuse_texname);
      // Many exporters write black, or no colour, and mean the texture alone.
      const Vec3 d = material.diffuse;
      const bool is_black = d.x == 0.0F && d.y == 0.0F && d.z == 0.0F;
      if (material.texture != Material::no_texture && (is_black || !has_diffuse))
        material.diffuse = {1.0F, 1.0F, 1.0F};
    }
    index_of_name.push_back(static_cast<std::uint32_t>(mesh.materials.size()));
    mesh.materials.push_back(std::move(material));
  }

  missing_libraries.warn(mesh, "material file", "material files",
                         "not found, the default material stands in");
  broken_libraries.warn(mesh, "material file", "material files", "not usable");
  bad_numbers.warn(mesh, "line", "lines",
                   "of material files without the numbers that belong there");
  unknown_names.warn(mesh, "material", "materials", "defined nowhere, the default one stands in");
  textures.warn();
  return index_of_name;
}

}  // namespace warpview
