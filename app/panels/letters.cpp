#include "app/panels/letters.h"

#include <imgui_internal.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "app/panels/font_bytes.h"

namespace warpview {
namespace {

Letters* the_letters = nullptr;

bool is_between(ImWchar letter, ImWchar first, ImWchar last) {
  return letter >= first && letter <= last;
}

LetterRanges as_ranges(const std::vector<ImWchar>& ascending) {
  LetterRanges ranges;
  for (const ImWchar letter : ascending) {
    if (!ranges.empty() && ranges.back() + 1 == letter)
      ranges.back() = letter;
    else
      ranges.insert(ranges.end(), {letter, letter});
  }
  ranges.push_back(0);
  return ranges;
}

// Empty where the file cannot be read or is larger than fonts are.
std::string bytes_of_file(const std::string& path) {
  constexpr std::streamsize most = std::streamsize{64} << 20U;
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in || in.tellg() <= 0 || in.tellg() > most) return {};
  std::string bytes(static_cast<std::size_t>(in.tellg()), '\0');
  in.seekg(0);
  if (!in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()))) return {};
  return bytes;
}

}  // namespace

const LetterRanges& usual_letters() {
#if defined(WARPVIEW_HAS_FONTS)
  static const LetterRanges ranges = {0x0020, 0x017f, 0x0370, 0x052f, 0x2010, 0x2044, 0x2190,
                                      0x2199, 0x2200, 0x2265, 0x25a0, 0x25d7, 0};
#else
  static const LetterRanges ranges = {0x0020, 0x00ff, 0};
#endif
  return ranges;
}

const MoreLetters& no_more_letters() {
  static const MoreLetters usual;
  return usual;
}

void meet_with_item(std::string_view words) {
  if (the_letters != nullptr && ImGui::IsItemVisible()) the_letters->meet(words);
}

Letters::Letters(FindFont find, LetterRanges usual, std::size_t most)
    : find_(std::move(find)), usual_(std::move(usual)), most_(most) {
  the_letters = this;
}

Letters::~Letters() {
  if (the_letters == this) the_letters = nullptr;
}

// Does every font have it from the start, or can none have it?
bool Letters::is_settled(ImWchar letter) const {
  for (std::size_t i = 0; usual_[i] != 0; i += 2)
    if (is_between(letter, usual_[i], usual_[i + 1])) return true;
  const bool is_unseen =
      letter < 0x20 || is_between(letter, 0x200b, 0x200f) || is_between(letter, 0x2028, 0x202e);
  const bool is_no_letter =
      is_between(letter, 0xd800, 0xf8ff) || letter >= 0xfff0 || letter == 0xfeff;
  return is_unseen || is_no_letter;
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
    has_news_ |= met_.insert_or_assign(static_cast<ImWchar>(letter), turn_).second;
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
  const LetterRanges added = as_ranges(wanted_);
  more_.letters.assign(usual_.begin(), std::prev(usual_.end()));
  more_.letters.insert(more_.letters.end(), added.begin(), added.end());
  return true;
}

bool Letters::look_for_fonts(const ImFont& font) {
  for (const ImWchar letter : wanted_) {
    if (looked_up_.contains(letter) || font.FindGlyphNoFallback(letter) != nullptr) continue;
    const auto accept = [this, letter](const FontFile& each) { return can_draw(each, letter); };
    looked_up_.emplace(letter, find_(letter, accept));
  }
  std::vector<MoreLetters::Source> found = sources();
  const bool is_same = std::equal(
      found.begin(), found.end(), more_.sources.begin(), more_.sources.end(),
      [](const auto& a, const auto& b) { return a.font == b.font && a.letters == b.letters; });
  more_.sources = std::move(found);
  forget_unused_files();
  return !is_same;
}

bool Letters::can_draw(const FontFile& font, ImWchar letter) {
  const auto [tried, is_new] = tried_.try_emplace(font);
  if (is_new) tried->second = usable_bytes(font);
  return tried->second && has_glyph(*tried->second, font.face, letter);
}

// Null where ImGui cannot read them. Faces of one file share its bytes.
Letters::FileBytes Letters::usable_bytes(const FontFile& font) const {
  FileBytes bytes;
  for (const auto& [other, file] : tried_)
    if (file && other.path == font.path) bytes = file;
  if (!bytes) bytes = std::make_shared<const std::string>(bytes_of_file(font.path));
  return can_be_read(*bytes, font.face) ? bytes : nullptr;
}

// What was found, by its fonts.
std::vector<MoreLetters::Source> Letters::sources() const {
  std::map<FontFile, std::vector<ImWchar>> letters;
  for (const auto& [letter, font] : looked_up_)
    if (font) letters[*font].push_back(letter);
  std::vector<MoreLetters::Source> sources;
  sources.reserve(letters.size());
  for (const auto& [font, its_letters] : letters)
    sources.push_back({font, tried_.at(font), as_ranges(its_letters)});
  return sources;
}

// A file that is needed again is looked at again.
void Letters::forget_unused_files() {
  std::erase_if(tried_, [this](const auto& each) {
    const bool is_used = std::any_of(more_.sources.begin(), more_.sources.end(),
                                     [&](const auto& source) { return source.font == each.first; });
    return each.second && !is_used;
  });
}

}  // namespace warpview
