#include "scenes/files/materials.h"

#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "scenes/files/input_file.h"
#include "scenes/files/picture.h"
#include "scenes/files/picture_decoders.h"
#include "scenes/files/text_lines.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

// A kind of trouble: how often it came, and the first few things it came with. Their names are the
// caller's to shorten.
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

// Lets through what the materials that are wanted are made of, each name's first. Checks the
// numbers of the colours and exponents, which the parser would take as 0, and keeps which materials
// have a diffuse colour, which the parser does not tell.
class MaterialLines : public TextLines {
 public:
  // `wanted` are names; those that are found are taken out. Error when their materials need more
  // than `memory` bytes.
  MaterialLines(InputFile file, LoadControl& control, std::unordered_set<std::string>& wanted,
                std::uint64_t memory, Trouble& bad_numbers)
      : TextLines(std::move(file), [&control](double) { control.throw_if_cancelled(); }),
        wanted_(wanted),
        memory_(memory),
        bad_numbers_(bad_numbers) {}

  bool defines_materials() const { return defines_materials_; }
  // Of the material let through as number `material`.
  bool has_diffuse(std::size_t material) const { return has_diffuse_[material]; }

 private:
  bool accept(std::string_view& line) override {
    std::string_view rest = line;
    const std::string_view keyword = next_word(rest);
    if (keyword == "newmtl") return begin(trimmed(rest));
    const bool is_colour = keyword == "Kd" || keyword == "Ks" || keyword == "Ke";
    const int numbers = is_colour ? 3 : keyword == "Ns" ? 1 : 0;
    for (int i = 0; i < numbers; ++i) {
      if (is_number(next_word(rest))) continue;
      bad_numbers_.add(here());
      return false;  // the material keeps the default
    }
    if (!is_wanted_) return false;
    if (keyword == "Kd") has_diffuse_.back() = true;
    return numbers > 0 || keyword == "map_Kd";
  }

  bool begin(std::string_view material) {
    defines_materials_ = true;
    is_wanted_ = wanted_.erase(std::string(material)) > 0;
    if (!is_wanted_) return false;
    has_diffuse_.push_back(false);
    // While a vector of them grows, the old one is still there.
    constexpr std::uint64_t bytes_each = 3 * sizeof(tinyobj::material_t);
    const std::uint64_t needed = has_diffuse_.size() * bytes_each;
    if (needed > memory_)
      throw Error(here(),
                  fmt::format("there is no memory for more materials than {}, {:.1f} MiB are left",
                              has_diffuse_.size() - 1, static_cast<double>(memory_) / 0x1p20),
                  "Use fewer materials");
    return true;
  }

  std::unordered_set<std::string>& wanted_;
  const std::uint64_t memory_;
  Trouble& bad_numbers_;
  bool defines_materials_ = false;
  bool is_wanted_ = false;  // is the material whose lines these are?
  std::vector<bool> has_diffuse_;
};

// Files are named relative to the one that names them, often with a foreign system's separators or
// folders: where to look for one, in this order.
std::vector<fs::path> places_of(const fs::path& folder, std::string name) {
  if (name.empty()) return {};
  std::vector<fs::path> places = {folder / name};
  std::replace(name.begin(), name.end(), '\\', '/');
  for (const fs::path& place : {folder / name, folder / fs::path(name).filename()})
    if (place != places.back()) places.push_back(place);
  return places;
}

bool is_finite(const tinyobj::real_t (&v)[3]) {
  return std::isfinite(v[0]) && std::isfinite(v[1]) && std::isfinite(v[2]);
}

Vec3 colour(const tinyobj::real_t (&v)[3], Vec3 otherwise) {
  return is_finite(v) ? Vec3{v[0], v[1], v[2]} : otherwise;
}

Material convert(const tinyobj::material_t& from, bool has_diffuse, std::string_view name) {
  Material material;
  material.name = name;
  if (has_diffuse) material.diffuse = colour(from.diffuse, material.diffuse);
  material.specular = colour(from.specular, material.specular);
  material.emissive = colour(from.emission, material.emissive);
  if (std::isfinite(from.shininess)) material.shininess = std::max(1.0F, from.shininess);
  return material;
}

// Loads each picture file once.
class TextureLoader {
 public:
  TextureLoader(const LoadLimits& limits, const LoadControl& control, Mesh& mesh)
      : memory_left_(limits.memory), control_(control), mesh_(mesh) {}

  // Index of the texture that `library` names, if it can be loaded.
  std::uint32_t load(const fs::path& library, const std::string& name) {
    for (const fs::path& place : places_of(library.parent_path(), name)) {
      if (const auto known = loaded_.find(place.string()); known != loaded_.end())
        return known->second;
      try {
        control_.begin_file(place);
        auto file = InputFile::find(place);
        if (!file) continue;
        const std::uint32_t index = add(decode(*file));
        loaded_.emplace(place.string(), index);
        return index;
      } catch (const Error& error) {
        broken_.add(fmt::format("{} ({})", shortened(place.string()), error.what()));
      } catch (const std::bad_alloc&) {
        broken_.add(
            fmt::format("{} (the system gives no more memory for it)", shortened(place.string())));
      }
      loaded_.emplace(place.string(), Material::no_texture);
      return Material::no_texture;
    }
    missing_.add(shortened(name));
    return Material::no_texture;
  }

  void warn() const {
    missing_.warn(mesh_, "texture", "textures", "not found, drawn without");
    broken_.warn(mesh_, "texture", "textures", "not readable, drawn without");
  }

 private:
  Image decode(InputFile& file) {
    if (file.size() > largest_picture_file)
      throw Error(
          fmt::format("{} bytes are too many, {} are the most", file.size(), largest_picture_file));
    require_picture_memory(file.size(), memory_left_);
    const std::vector<char> bytes = read(file);
    Image image =
        decode_picture(std::as_bytes(std::span(bytes)), memory_left_ - bytes.size(), control_);
    image.file = file.path();
    return image;
  }

  std::vector<char> read(InputFile& file) {
    constexpr std::size_t block_bytes = std::size_t{1} << 20U;
    std::vector<char> bytes(file.size());
    std::size_t done = 0;
    while (done < bytes.size()) {
      control_.throw_if_cancelled();
      const std::size_t wanted = std::min(block_bytes, bytes.size() - done);
      const std::size_t got = file.read(std::span(bytes).subspan(done, wanted));
      done += got;
      if (got < wanted) break;  // the file has become shorter
    }
    bytes.resize(done);
    return bytes;
  }

  std::uint32_t add(Image image) {
    memory_left_ -= image.rgba.size();
    mesh_.textures.push_back(std::move(image));
    return static_cast<std::uint32_t>(mesh_.textures.size() - 1);
  }

  std::uint64_t memory_left_;  // of what all textures may take together, decoding included
  const LoadControl& control_;
  Mesh& mesh_;
  std::map<std::string, std::uint32_t> loaded_;
  Trouble missing_;
  Trouble broken_;
};

// A material of a library, and the texture that it names there.
struct Definition {
  std::shared_ptr<const fs::path> library;
  bool has_diffuse;
  Material material;
  std::string texture;
};

// Reads each material file once, and keeps the materials that are asked for. Of materials of one
// name the first counts.
class LibraryLoader {
 public:
  LibraryLoader(const std::vector<std::string>& names, LoadControl& control,
                const LoadLimits& limits)
      : wanted_(names.begin(), names.end()), control_(control), memory_(limits.memory) {
    wanted_.erase("");  // no material is called so
  }

  // What one `mtllib` line of an OBJ file in `folder` names: a file whose name may contain spaces,
  // or several.
  void load_line(const fs::path& folder, const std::string& text) {
    if (load(folder, text)) return;
    std::string_view rest = text;
    for (auto word = next_word(rest); !word.empty(); word = next_word(rest))
      if (!load(folder, std::string(word))) missing_.add(shortened(word));
  }

  const Definition* find(const std::string& name) const {
    const auto found = definitions_.find(name);
    return found == definitions_.end() ? nullptr : &found->second;
  }

  void warn(Mesh& mesh) const {
    missing_.warn(mesh, "material file", "material files",
                  "not found, the default material stands in");
    broken_.warn(mesh, "material file", "material files", "not usable");
    bad_numbers_.warn(mesh, "line", "lines",
                      "of material files without the numbers that belong there");
  }

 private:
  // False when there is no such file.
  bool load(const fs::path& folder, const std::string& name) {
    for (const fs::path& place : places_of(folder, name)) {
      if (loaded_.contains(place.string())) return true;
      try {
        control_.begin_file(place);
        auto file = InputFile::find(place);
        if (!file) continue;
        loaded_.insert(place.string());
        parse(*std::move(file));
      } catch (const Error& error) {
        loaded_.insert(place.string());
        broken_.add(error.what());
      }
      return true;
    }
    return false;
  }

  void parse(InputFile file) {
    const auto path = std::make_shared<const fs::path>(file.path());
    std::vector<tinyobj::material_t> materials;
    MaterialLines lines(std::move(file), control_, wanted_, memory_, bad_numbers_);
    std::istream stream(&lines);
    stream.exceptions(std::ios::badbit);  // lets exceptions of `lines` through
    std::map<std::string, int> unused;
    std::string messages;  // about statements that are not let through
    tinyobj::LoadMtl(&unused, &materials, &stream, &messages, &messages);
    if (!lines.defines_materials())
      broken_.add(fmt::format("{}: defines no material", shortened(path->string())));
    for (std::size_t i = 0; i < materials.size(); ++i) {
      const std::string name(trimmed(materials[i].name));
      if (name.empty()) continue;  // the parser makes one where it has read none
      Material material = convert(materials[i], lines.has_diffuse(i), name);
      definitions_.try_emplace(name, Definition{path, lines.has_diffuse(i), std::move(material),
                                                std::move(materials[i].diffuse_texname)});
    }
  }

  std::unordered_set<std::string> wanted_;  // and not found yet
  LoadControl& control_;
  const std::uint64_t memory_;
  std::unordered_set<std::string> loaded_;
  std::unordered_map<std::string, Definition> definitions_;
  Trouble missing_;
  Trouble broken_;
  Trouble bad_numbers_;
};

}  // namespace

std::vector<std::uint32_t> load_materials(const fs::path& obj_file, const MaterialRequest& request,
                                          LoadControl& control, const LoadLimits& limits,
                                          Mesh& mesh) {
  LibraryLoader libraries(request.names, control, limits);
  for (const std::string& text : request.libraries)
    libraries.load_line(obj_file.parent_path(), text);

  mesh.materials.assign(1, Material{});
  mesh.materials[0].name = "default";
  TextureLoader textures(limits, control, mesh);
  Trouble unknown_names;
  std::vector<std::uint32_t> index_of_name;
  for (const std::string& name : request.names) {
    control.throw_if_cancelled();
    const Definition* const found = libraries.find(name);
    if (found == nullptr || name.empty()) {
      unknown_names.add(fmt::format("'{}'", shortened(name)));
      index_of_name.push_back(0);
      continue;
    }
    Material material = found->material;
    if (!found->texture.empty()) {
      material.texture = textures.load(*found->library, found->texture);
      // Many exporters write black, or no colour, and mean the texture alone.
      const Vec3 d = material.diffuse;
      const bool is_black = d.x == 0.0F && d.y == 0.0F && d.z == 0.0F;
      if (material.texture != Material::no_texture && (is_black || !found->has_diffuse))
        material.diffuse = {1.0F, 1.0F, 1.0F};
    }
    index_of_name.push_back(static_cast<std::uint32_t>(mesh.materials.size()));
    mesh.materials.push_back(std::move(material));
  }

  libraries.warn(mesh);
  unknown_names.warn(mesh, "material", "materials", "defined nowhere, the default one stands in");
  textures.warn();
  return index_of_name;
}

}  // namespace warpview
