#include "app/panels/variant_names.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace warpview {
namespace {

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// Letters and digits alone, in small letters.
std::string plain(std::string_view words) {
  std::string letters;
  for (const char c : words)
    if (is_letter_or_digit(c)) letters += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return letters;
}

bool says_the_same(const Variant& variant) { return plain(variant.title) == plain(variant.name); }

}  // namespace

std::string full_name(const Variant& variant) {
  return says_the_same(variant) ? variant.title
                                : fmt::format("{} ({})", variant.title, variant.name);
}

bool variant_choice(const Fonts& fonts, const Variant& variant, bool chosen,
                    const std::string& why_not, const std::string& times) {
  const bool pressed =
      ui::selectable(fmt::format("{}###{}", variant.title, variant.name).c_str(), chosen,
                     why_not.empty() ? ImGuiSelectableFlags_None : ImGuiSelectableFlags_Disabled,
                     {}, variant.name);
  if (chosen) ImGui::SetItemDefaultFocus();
  const std::array about = {std::string(variant.summary), std::string(variant.source),
                            std::string(variant.file),
                            why_not.empty() ? std::string() : "Unavailable: it " + why_not + "."};
  tooltip(fonts, full_name(variant), about);
  const FontScope small(fonts.small);
  ImGui::SameLine(15.5F * em());
  coloured_text(colour::faint, variant.name);
  const std::string& words = why_not.empty() ? times : why_not;
  if (words.empty()) return pressed;
  ImGui::SameLine(26.0F * em());
  coloured_text(colour::dim, words);
  return pressed;
}

}  // namespace warpview
