// The fonts that are installed on the machine, as fontconfig knows them.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace warpview {

struct FontFile {
  std::string path;
  int face = 0;  // number within the file
  bool operator==(const FontFile&) const = default;
};

// Looks for fonts when it is asked, and not before. Without fontconfig it finds none.
class MachineFonts {
 public:
  MachineFonts();
  ~MachineFonts();
  MachineFonts(const MachineFonts&) = delete;
  MachineFonts& operator=(const MachineFonts&) = delete;

  // The one that the desktop prefers of those that have this letter as an outline.
  std::optional<FontFile> with(char32_t letter);

 private:
  struct Configuration;
  std::unique_ptr<Configuration> configuration_;  // null until asked
};

}  // namespace warpview
