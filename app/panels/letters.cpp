#include "app/panels/letters.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <utility>

namespace warpview {
namespace {

Letters* the_letters = nullptr;

// Does every font have it from the start, or can none have it?
bool is_settled(ImWchar letter) {
  const auto is_in = [letter](ImWchar first, ImWchar last) {
    return letter >= first && letter <= last;
  };
  for (std::size_t i = 0; usual_letters[i] != 0; i += 2)
    if (is_in(usual_letters[i], usual_letters[i + 1])) return true;
  const bool is_unseen = letter < 0x20 || is_in(0x200b, 0x200f) || is_in(0x2028, 0x202e);
  const bool is_no_letter = is_in(0xd800, 0xf8ff) || letter >= 0xfff0 || letter == 0xfeff;
  return is_unseen || is_no_letter;
}

std::vector<ImWchar> as_ranges(const std::vector<ImWchar>& ascending) {
  std::vector<ImWchar> ranges;
  for (const ImWchar letter : ascending) {
    if (!ranges.empty() && ranges.back() + 1 == letter)
      ranges.back() = letter;
    else
      ranges.insert(ranges.end(), {letter, letter});
  }
  ranges.push_back(0);
  return ranges;
}

// The bytes of a font; empty where it cannot be read or is packed, as web fonts are.
std::string font_bytes(const std::string& path) {
  constexpr std::streamsize most = std::streamsize{64} << 20U;
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in || in.tellg() <= 0 || in.tellg() > most) return {};
  std::string bytes(static_cast<std::size_t>(in.tellg()), '\0');
  in.seekg(0);
  if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return {};
  constexpr std::array<std::string_view, 4> known = {{{"\0\1\0\0", 4}, "true", "OTTO", "ttcf"}};
  const bool is_known = std::any_of(known.begin(), known.end(), [&bytes](std::string_view head) {
    return bytes.starts_with(head);
  });
  return is_known ? bytes : std::string();
}

// ImGui makes no atlas at all where it cannot read one of its fonts: so it is tried alone.
bool can_be_drawn(const MoreLetters::Source& source) {
  ImFontAtlas atlas;
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.FontNo = source.font.face;
  constexpr float pixels = 8.0F;
  const ImFont* const font = atlas.AddFontFromMemoryTTF(const_cast<char*>(source.file->data()),
                                                        static_cast<int>(source.file->size()),
                                                        pixels, &config, source.letters.data());
  return atlas.Build() && font->FindGlyphNoFallback(source.letters.front()) != nullptr;
}

}  // namespace

void meet(std::string_view words) {
  if (the_letters != nullptr) the_letters->meet(words);
}

void meet_with_item(std::string_view words) {
  if (the_letters != nullptr && ImGui::IsItemVisible()) the_letters->meet(words);
}

Letters::Letters(std::size_t most) : most_(most) { the_letters = this; }

Letters::~Letters() {
  if (the_letters == this) the_letters = nullptr;
}

void Letters::meet(std::string_view words) {
  const char* const end = words.data() + words.size();
  for (const char* at = words.data(); at < end;) {
    if (static_cast<unsigned char>(*at) < 0x80U) {
      ++at;
      continue;
    }
    unsigned letter = 0;
    at += ImTextCharFromUtf8(&letter, at, end);
    if (letter > IM_UNICODE_CODEPOINT_MAX || is_settled(static_cast<ImWchar>(letter))) continue;
    const auto [place, is_new] = met_.insert_or_assign(static_cast<ImWchar>(letter), turn_);
    has_news_ |= is_new;
  }
}

bool Letters::take() {
  const bool has_news = std::exchange(has_news_, false);
  ++turn_;
  if (!has_news) return false;
  std::vector<std::pair<ImWchar, std::uint64_t>> met(met_.begin(), met_.end());
  std::stable_sort(met.begin(), met.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  if (met.size() > most_) met.resize(most_);
  met_ = {met.begin(), met.end()};
  std::erase_if(looked_up_, [this](const auto& each) { return !met_.contains(each.first); });
  std::vector<ImWchar> wanted;
  for (const auto& [letter, turn] : met_) wanted.push_back(letter);
  if (wanted == wanted_) return false;
  wanted_ = std::move(wanted);
  const std::vector<ImWchar> added = as_ranges(wanted_);
  more_.letters.assign(usual_letters.begin(), std::prev(usual_letters.end()));
  more_.letters.insert(more_.letters.end(), added.begin(), added.end());
  return true;
}

bool Letters::look_for_fonts(const ImFont& font) {
  std::vector<MoreLetters::Source> sources;
  for (auto& [file, letters] : machine_fonts_for(font)) {
    MoreLetters::Source source{file, bytes_of(file), as_ranges(letters)};
    if (!source.file->empty() && can_be_drawn(source))
      sources.push_back(std::move(source));
    else
      for (const ImWchar letter : letters) looked_up_[letter].reset();
  }
  const bool is_same = std::equal(
      sources.begin(), sources.end(), more_.sources.begin(), more_.sources.end(),
      [](const auto& a, const auto& b) { return a.font == b.font && a.letters == b.letters; });
  more_.sources = std::move(sources);
  return !is_same;
}

// What `font` lacks of what is wanted, by the fonts of the machine that have it.
std::vector<std::pair<FontFile, std::vector<ImWchar>>> Letters::machine_fonts_for(
    const ImFont& font) {
  std::vector<std::pair<FontFile, std::vector<ImWchar>>> found;
  for (const ImWchar letter : wanted_) {
    if (!looked_up_.contains(letter)) {
      if (font.FindGlyphNoFallback(letter) != nullptr) continue;
      looked_up_.emplace(letter, machine_.with(letter));
    }
    const std::optional<FontFile>& file = looked_up_.at(letter);
    if (!file) continue;
    auto place = std::find_if(found.begin(), found.end(),
                              [&file](const auto& each) { return each.first == *file; });
    if (place == found.end()) place = found.insert(place, {*file, {}});
    place->second.push_back(letter);
  }
  return found;
}

std::shared_ptr<const std::string> Letters::bytes_of(const FontFile& font) const {
  for (const MoreLetters::Source& source : more_.sources)
    if (source.font.path == font.path) return source.file;
  return std::make_shared<const std::string>(font_bytes(font.path));
}

}  // namespace warpview
