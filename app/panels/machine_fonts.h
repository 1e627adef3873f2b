// The fonts that are installed on the machine, as fontconfig knows them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

namespace warpview {

struct FontFile {
  std::string path;
  int face = 0;  // number within the file
  bool operator==(const FontFile&) const = default;
  bool operator<(const FontFile& other) const {
    return std::tie(path, face) < std::tie(other.path, other.face);
  }
};

using AcceptFont = std::function<bool(const FontFile&)>;
// Finds a font that should have a letter: the first that `accept` takes of all, the best one first.
using FindFont = std::function<std::optional<FontFile>(char32_t letter, const AcceptFont& accept)>;

// Looks for fonts when it is asked, and not before. Without fontconfig it finds none.
class MachineFonts {
 public:
  MachineFonts();
  ~MachineFonts();
  MachineFonts(const MachineFonts&) = delete;
  MachineFonts& operator=(const MachineFonts&) = delete;

  // A FindFont: of those that have the letter as an outline, in the order that the desktop prefers.
  std::optional<FontFile> with(char32_t letter, const AcceptFont& accept);

 private:
  struct Installed;
  std::unique_ptr<Installed> installed_;  // null until asked
};

}  // namespace warpview
