// Choosing a mesh or scene file, with ImGui alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/style.h"

namespace warpview {

struct FolderEntry {
  std::string name;  // its bytes as they are on disk
  bool is_folder = false;
  std::uint64_t bytes = 0;  // of a file
  bool operator==(const FolderEntry&) const = default;
};

struct FolderFilter {
  bool all_files = false;  // else *.obj and *.json alone
  bool hidden = false;     // names that begin with a dot
};

struct FolderListing {
  std::vector<FolderEntry> entries;  // folders first, each part by name
  std::string error;                 // why there are none; empty if the folder could be read
};
// What can vanish or cannot be read while looking is left out.
FolderListing list_folder(const std::filesystem::path& folder, const FolderFilter& filter = {});

class FileBrowser {
 public:
  // Shows the dialog at the next draw(), in `folder` if that is there, else in the nearest folder
  // above it.
  void open(std::filesystem::path folder);
  bool is_open() const { return open_; }
  const std::filesystem::path& folder() const { return folder_; }

  // The file chosen, in the frame in which it is.
  std::optional<std::filesystem::path> draw(const Fonts& fonts);

 private:
  void go_to(std::filesystem::path folder);
  void draw_path_row();
  void draw_entries(const Fonts& fonts);
  void move_by_keys();
  void activate(const FolderEntry& entry);
  // What the text stands for. Below the folder that is shown, and below those above it, that is
  // right also where ImGui cannot hold their names.
  std::filesystem::path path_typed() const;
  void take_path_text();

  bool open_ = false;
  bool appearing_ = false;
  std::filesystem::path folder_;
  FolderFilter filter_;
  FolderListing listing_;
  std::string path_text_;
  std::string note_;  // why the last path typed led nowhere
  int selected_ = -1;
  bool scroll_to_selected_ = false;
  std::optional<std::filesystem::path> chosen_;
};

}  // namespace warpview
