// Letters that the fonts do not have from the start. They get glyphs when they are met: the
// program's own fonts have more than they show, and what these lack a font of the machine may have.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/machine_fonts.h"

namespace warpview {

using LetterRanges = std::vector<ImWchar>;  // as ImGui's: first and last by turns, then 0

// What every font has from the start: Latin, Greek and Cyrillic, for names of files; punctuation,
// arrows, signs and shapes. Where the program was built without fonts of its own: what ImGui's has.
const LetterRanges& usual_letters();

// Tells the collector of letters that these words, in UTF-8, are seen if the item of ImGui's that
// was drawn last is.
void meet_with_item(std::string_view words);

// What fonts are to have. ImGui reads all of it until its atlas is built, and it must stay where it
// is until then.
struct MoreLetters {
  struct Source {
    FontFile font;
    std::shared_ptr<const std::string> file;  // the bytes of it
    LetterRanges letters;
  };
  LetterRanges letters = usual_letters();  // all that there are to be
  std::vector<Source> sources;             // fonts of the machine, for those that ours lack
};

// The usual letters and no more.
const MoreLetters& no_more_letters();

// Collects the letters that are met, and says which are to have glyphs: those that were seen last,
// as many as `most`. One of them at a time is the one that meet_with_item() tells.
class Letters {
 public:
  // `usual` are never met. `find` is asked once for each letter that is lacking, and for it again
  // only after it was given up.
  explicit Letters(FindFont find, LetterRanges usual = usual_letters(), std::size_t most = 1024);
  ~Letters();
  Letters(const Letters&) = delete;
  Letters& operator=(const Letters&) = delete;

  void meet(std::string_view words);
  // Were letters met for which there is no room yet?
  bool has_news() const { return has_news_; }
  // Between frames. True when more() is now of other letters, and fonts should be made anew.
  bool take();
  // After fonts were made: true when the machine has others for letters that `font` lacks. more()
  // then has them, and fonts should be made once more.
  bool look_for_fonts(const ImFont& font);
  const MoreLetters& more() const { return more_; }

 private:
  using FileBytes = std::shared_ptr<const std::string>;

  bool is_settled(ImWchar letter) const;
  bool can_draw(const FontFile& font, ImWchar letter);
  FileBytes usable_bytes(const FontFile& font) const;
  std::vector<MoreLetters::Source> sources() const;
  void forget_unused_files();

  FindFont find_;
  LetterRanges usual_;
  std::size_t most_;
  std::uint64_t turn_ = 0;
  std::map<ImWchar, std::uint64_t> met_;  // and in which turn last
  bool has_news_ = false;
  std::vector<ImWchar> wanted_;                           // ascending
  std::map<ImWchar, std::optional<FontFile>> looked_up_;  // none: the machine has none
  std::map<FontFile, FileBytes> tried_;                   // null: refused, for good
  MoreLetters more_;
};

}  // namespace warpview
