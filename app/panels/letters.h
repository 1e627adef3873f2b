// Letters that the fonts do not have from the start. They get glyphs when they are met: the
// program's own fonts have more than they show, and what these lack a font of the machine may have.
#pragma once

#include <imgui.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/panels/machine_fonts.h"

namespace warpview {

// What every font has from the start, as ImGui's ranges: Latin, Greek and Cyrillic, for names of
// files; punctuation, arrows, signs and shapes.
inline constexpr std::array<ImWchar, 13> usual_letters = {0x0020, 0x017f, 0x0370, 0x052f, 0x2010,
                                                          0x2044, 0x2190, 0x2199, 0x2200, 0x2265,
                                                          0x25a0, 0x25d7, 0};

// Tells whoever collects letters that these words, in UTF-8, are seen.
void meet(std::string_view words);
// The same of words that are seen if the item of ImGui's that was drawn last is.
void meet_with_item(std::string_view words);

// What fonts are to have besides what they begin with. ImGui reads all of it until its atlas is
// built, and it must stay where it is until then.
struct MoreLetters {
  struct Source {
    FontFile font;
    std::shared_ptr<const std::string> file;  // the bytes of it
    std::vector<ImWchar> letters;             // as ImGui's ranges: first and last by turns, then 0
  };
  std::vector<ImWchar> letters;  // all that there are to be, as ranges; empty: the usual ones
  std::vector<Source> sources;   // of the machine, for those that our own fonts lack
};

// Collects the letters that are met, and says which are to have glyphs: those that were seen last,
// as many as `most`. One of them at a time is the one that meet() tells.
class Letters {
 public:
  explicit Letters(std::size_t most = 1024);
  ~Letters();
  Letters(const Letters&) = delete;
  Letters& operator=(const Letters&) = delete;

  void meet(std::string_view words);
  // Were letters met that have no place yet?
  bool has_news() const { return has_news_; }
  // Between frames. True when more() is now of other letters, and fonts should be made anew.
  bool take();
  // After fonts were made: true when the machine has others for letters that `font` lacks. more()
  // then has them, and fonts should be made once more.
  bool look_for_fonts(const ImFont& font);
  const MoreLetters& more() const { return more_; }

 private:
  std::vector<std::pair<FontFile, std::vector<ImWchar>>> machine_fonts_for(const ImFont& font);
  std::shared_ptr<const std::string> bytes_of(const FontFile& font) const;

  std::size_t most_;
  std::uint64_t turn_ = 0;
  std::map<ImWchar, std::uint64_t> met_;  // and in which turn last
  bool has_news_ = false;
  std::vector<ImWchar> wanted_;                           // ascending
  std::map<ImWchar, std::optional<FontFile>> looked_up_;  // of the machine; none: it has none
  MachineFonts machine_;
  MoreLetters more_;
};

}  // namespace warpview
