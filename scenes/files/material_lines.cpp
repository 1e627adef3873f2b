#include "scenes/files/material_lines.h"

#include <fmt/format.h>
#include <tiny_obj_loader.h>

#include <algorithm>
#include <array>
#include <utility>

namespace warpview {
namespace {

std::string lower(std::string_view word) {
  std::string small(word);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

template <std::size_t count>
bool is_among(const std::array<std::string_view, count>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Programs write the names of maps in any case.
bool is_map(std::string_view small_keyword) {
  constexpr std::array<std::string_view, 5> others = {"bump", "disp", "decal", "refl", "norm"};
  return small_keyword.starts_with("map_") || is_among(others, small_keyword);
}

// True for statements without an effect in the lighting that all materials have.
bool has_no_effect(std::string_view keyword) {
  constexpr std::array<std::string_view, 3> words = {"Ka", "sharpness", "map_aat"};
  return is_among(words, keyword);
}

bool is_finish(std::string_view keyword) {
  constexpr std::array<std::string_view, 7> words = {"Pr",  "Pm",    "Ps",    "Pc",
                                                     "Pcr", "aniso", "anisor"};
  return is_among(words, keyword);
}

// Illumination models in which surfaces mirror, and in which light is refracted.
bool is_mirror_model(float model) { return model == 3.0F || model == 5.0F; }
bool is_glass_model(float model) {
  return model == 4.0F || model == 6.0F || model == 7.0F || model == 9.0F;
}

// Adds a word to a list that does not hold it yet.
void add_word(std::string& words, std::string_view word) {
  for (std::string_view rest = words; !rest.empty();) {
    const std::size_t end = std::min(rest.find(", "), rest.size());
    if (rest.substr(0, end) == word) return;
    rest.remove_prefix(std::min(end + 2, rest.size()));
  }
  if (!words.empty()) words += ", ";
  words += word;
}

}  // namespace

void MaterialTroubles::warn(Warnings& warnings) const {
  const auto say = [&warnings](const Trouble& trouble, std::string_view one,
                               std::string_view several, std::string_view what) {
    trouble.warn(warnings, Weight::left_out, one, several, what);
  };
  say(transparent, "material", "materials",
      "with transparency, drawn opaque except in the view paths of the scene rays");
  say(filters, "material", "materials",
      "with a transmission filter and no transparency, drawn opaque");
  say(optics, "material", "materials",
      "with mirrors or refraction, shaded as model 2 except in the view paths of the scene rays");
  say(maps, "texture", "textures", "of unsupported kinds, ignored");
  say(map_options, "option", "options", "of textures without effect here, ignored");
  say(models, "material", "materials",
      "with an illumination model other than 1 and 2, shaded as model 2");
  say(finishes, "material", "materials", "with physically based values, ignored");
  say(bad_lines, "line", "lines", "of material files with missing values");
  say(unknown_lines, "line", "lines", "of material files with unknown statements, ignored");
}

MaterialLines::MaterialLines(InputFile file, LoadControl& control,
                             std::unordered_set<std::string>& wanted, std::uint64_t memory,
                             MaterialTroubles& troubles)
    : TextLines(std::move(file), [&control](double) { control.throw_if_cancelled(); }),
      wanted_(wanted),
      memory_(memory),
      troubles_(troubles) {}

bool MaterialLines::accept(std::string_view& line) {
  std::string_view rest = line;
  const std::string_view keyword = next_word(rest);
  if (keyword.empty() || keyword.front() == '#') return false;
  if (keyword == "newmtl") return begin(trimmed(rest));
  return is_wanted_ && read(keyword, rest);
}

bool MaterialLines::begin(std::string_view material) {
  end_material();
  defines_materials_ = true;
  is_wanted_ = wanted_.erase(std::string(material)) > 0;
  if (!is_wanted_) return false;
  name_ = material;
  materials_.emplace_back();
  // While a vector of them grows, the old one is still there.
  constexpr std::uint64_t bytes_each =
      3 * (sizeof(tinyobj::material_t) + sizeof(MaterialStatements));
  const std::uint64_t needed = materials_.size() * bytes_each;
  if (needed > memory_)
    throw Error(here(),
                fmt::format("out of memory for more than {} materials, {:.1f} MiB are left",
                            materials_.size() - 1, static_cast<double>(memory_) / 0x1p20),
                "Use fewer materials");
  return true;
}

void MaterialLines::end_material() {
  if (!is_wanted_) return;
  is_wanted_ = false;
  const Undrawn undrawn = std::exchange(undrawn_, {});
  end_optics(undrawn);
  if (!undrawn.finishes.empty())
    troubles_.finishes.add(fmt::format("{} ({})", quoted_name(), undrawn.finishes));
  // Nothing is lost where the ambient texture is the diffuse one, as most programs write it.
  if (!undrawn.ambient.empty() && undrawn.ambient != materials_.back().texture.file)
    troubles_.maps.add(fmt::format("map_Ka of {}", quoted_name()));
}

// Both d and Tr mean the same, and some programs write the value of d as Tr: where there is a d, it
// counts. Some programs write illum 4 for every material, so only refraction makes one clear that
// has neither.
void MaterialLines::end_optics(const Undrawn& undrawn) {
  Optics& optics = materials_.back().optics;
  const bool is_glass = is_glass_model(undrawn.model);
  const bool refracts = undrawn.model == 6.0F || undrawn.model == 7.0F;
  if (undrawn.opacity)
    optics.clear = 1.0F - *undrawn.opacity;
  else
    optics.clear = undrawn.transparency.value_or(refracts ? 1.0F : 0.0F);
  optics.clear = std::clamp(optics.clear, 0.0F, 1.0F);
  constexpr float of_glass = 1.5F;
  if (is_glass) optics.index = std::max(undrawn.index.value_or(of_glass), 1.0F);
  if (is_mirror_model(undrawn.model))
    optics.mirror = undrawn.model == 3.0F ? Optics::Mirror::plain : Optics::Mirror::fresnel;

  const bool is_stated = undrawn.opacity || undrawn.transparency;
  std::string statements;
  if (undrawn.is_halo) add_word(statements, "d -halo");
  if (is_stated && optics.clear > 0.0F) add_word(statements, undrawn.opacity ? "d" : "Tr");
  const bool is_clear = optics.clear > 0.0F || undrawn.is_halo;
  if (is_clear && !undrawn.filter.empty()) add_word(statements, undrawn.filter);
  if (!statements.empty())
    troubles_.transparent.add(fmt::format("{} ({})", quoted_name(), statements));
  if (!is_clear && !undrawn.filter.empty())
    troubles_.filters.add(fmt::format("{} ({})", quoted_name(), undrawn.filter));
  if (is_glass || is_mirror_model(undrawn.model))
    troubles_.optics.add(fmt::format("{} (illum {:g})", quoted_name(), undrawn.model));
}

bool MaterialLines::read(std::string_view keyword, std::string_view rest) {
  if (keyword == "Ns") return check_numbers(rest, 1);
  if (keyword == "Ks" || keyword == "Ke") return check_numbers(rest, 3);
  if (keyword == "Kd") {
    if (!check_numbers(rest, 3)) return false;
    materials_.back().has_diffuse = true;
    return true;
  }
  if (has_no_effect(keyword)) return false;
  if (is_map(lower(keyword)))
    read_map(keyword, rest);
  else if (keyword == "d")
    read_number(rest, undrawn_.opacity);
  else if (keyword == "Tr")
    read_number(rest, undrawn_.transparency);
  else if (keyword == "Ni")
    undrawn_.index = finite_number(next_word(rest));
  else if (keyword == "Tf" || keyword == "Kt")
    read_filter(rest, keyword);
  else if (keyword == "illum")
    read_model(rest);
  else if (is_finish(keyword))
    read_finish(keyword, rest);
  else
    troubles_.unknown_lines.add(here());
  return false;
}

// False where one is missing: the material keeps the default.
bool MaterialLines::check_numbers(std::string_view rest, int count) {
  for (int i = 0; i < count; ++i) {
    if (is_number(next_word(rest))) continue;
    troubles_.bad_lines.add(here());
    return false;
  }
  return true;
}

void MaterialLines::read_map(std::string_view keyword, std::string_view rest) {
  const std::string small = lower(keyword);
  TextureStatement texture = read_texture_statement(rest);
  if (texture.lacks_values || names_in(texture.file).empty()) troubles_.bad_lines.add(here());
  if (names_in(texture.file).empty()) return;
  if (small == "map_kd") {
    for (const std::string& option : texture.undrawn_options)
      troubles_.map_options.add(fmt::format("{} of {}", option, quoted_name()));
    materials_.back().texture = std::move(texture);
  } else if (small == "map_ka") {
    undrawn_.ambient = std::move(texture.file);
  } else {
    troubles_.maps.add(fmt::format("{} of {}", shortened(keyword), quoted_name()));
  }
}

void MaterialLines::read_number(std::string_view rest, std::optional<float>& into) {
  std::string_view word = next_word(rest);
  if (word == "-halo") {
    undrawn_.is_halo = true;
    word = next_word(rest);
  }
  const std::optional<float> number = finite_number(word);
  if (number)
    into = number;
  else
    troubles_.bad_lines.add(here());
}

// One number stands for all three colours. Anything but 1 filters light; what is no number of
// colours is drawn as 1.
void MaterialLines::read_filter(std::string_view rest, std::string_view keyword) {
  std::array<float, 3> colours = {1.0F, 1.0F, 1.0F};
  std::size_t count = 0;
  bool lets_all_through = true;
  std::string_view word = next_word(rest);
  if (word.empty()) troubles_.bad_lines.add(here());
  for (; !word.empty() && !word.starts_with('#'); word = next_word(rest)) {
    const std::optional<float> colour = finite_number(word);
    lets_all_through = lets_all_through && colour == 1.0F;
    if (colour && count < colours.size()) colours[count++] = std::clamp(*colour, 0.0F, 1.0F);
  }
  if (count == 1) colours.fill(colours[0]);
  materials_.back().optics.filter = {colours[0], colours[1], colours[2]};
  if (!lets_all_through) undrawn_.filter = keyword;
}

// Model 0 is not lit; models from 3 on have reflections, refraction or shadows of their own.
void MaterialLines::read_model(std::string_view rest) {
  const std::optional<float> model = finite_number(next_word(rest));
  if (!model)
    troubles_.bad_lines.add(here());
  else
    undrawn_.model = *model;
  if (model && *model != 1.0F && *model != 2.0F && !is_mirror_model(*model) &&
      !is_glass_model(*model))
    troubles_.models.add(fmt::format("{} (illum {:g})", quoted_name(), *model));
}

void MaterialLines::read_finish(std::string_view keyword, std::string_view rest) {
  const std::optional<float> value = finite_number(next_word(rest));
  if (!value)
    troubles_.bad_lines.add(here());
  else if (*value != 0.0F || keyword == "Pr")  // roughness has no value that says nothing
    add_word(undrawn_.finishes, keyword);
}

std::string MaterialLines::quoted_name() const { return fmt::format("'{}'", shortened(name_)); }

}  // namespace warpview
