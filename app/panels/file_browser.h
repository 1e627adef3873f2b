// Choosing a mesh, scene file or recording, or where a scene file is to be saved, with ImGui alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/panels/style.h"

namespace warpview {

struct FolderEntry {
  std::string name;  // its bytes as they are on disk
  bool is_folder = false;
  std::uint64_t bytes = 0;    // of a file
  std::int64_t modified = 0;  // seconds since 1970; 0: not known
  bool operator==(const FolderEntry&) const = default;
};

struct FolderFilter {
  bool all_files = false;  // else *.obj, *.ply, *.ply.gz, *.svg, *.json and *.wvrec alone
  bool scenes = false;     // *.json alone
  bool hidden = false;     // names that begin with a dot
};

struct FolderListing {
  std::vector<FolderEntry> entries;  // folders first, each part by name
  std::string error;                 // why there are none; empty if the folder could be read
};
// What can vanish or cannot be read while looking is left out.
FolderListing list_folder(const std::filesystem::path& folder, const FolderFilter& filter = {});

// What the list is sorted by; folders come first in any case, and equals by name.
struct FolderOrder {
  enum class By { name, modified, bytes };
  By by = By::name;
  bool descending = false;
};
void sort_entries(std::vector<FolderEntry>& entries, const FolderOrder& order);

// Does a name hold what was typed, in capitals or not?
bool matches(std::string_view name, std::string_view typed);

class FileBrowser {
 public:
  // Shows the dialog at the next draw(), in `folder` if that is there, else in the nearest folder
  // above it.
  void open(std::filesystem::path folder);
  // For a scene file to be written, with a name proposed.
  void open_to_save(std::filesystem::path folder, const std::string& name);
  bool is_open() const { return open_; }
  const std::filesystem::path& folder() const { return folder_; }

  // The file chosen, in the frame in which it is. `recent` are offered, too. One to be written ends
  // in .json; where it is there already the user was asked.
  std::optional<std::filesystem::path> draw(const Fonts& fonts,
                                            const std::vector<std::string>& recent = {});

 private:
  void appear(std::filesystem::path folder, bool saves);
  void go_to(std::filesystem::path folder);
  void draw_places(const std::vector<std::string>& recent);
  void draw_path_row(const std::vector<std::string>& recent);
  void draw_filter_row();
  void draw_entries(const Fonts& fonts);
  void draw_row(const FolderEntry& entry, const Fonts& fonts);
  void draw_note();
  void draw_buttons();
  void draw_name_row();
  void save();
  // The list as it is sorted and filtered now; what is selected stays so, if it is still there.
  void arrange();
  void move_by_keys();
  void type_ahead();
  const FolderEntry* selected_entry() const;
  void activate(const FolderEntry& entry);
  // What the text stands for. Below the folder that is shown, and below those above it, that is
  // right also where ImGui cannot hold their names.
  std::filesystem::path path_typed() const;
  void take_path_text();

  bool open_ = false;
  bool appearing_ = false;
  bool saves_ = false;                // else it opens
  std::string name_text_;             // of the file to be written
  std::filesystem::path to_replace_;  // a file that the user was told to be there
  std::filesystem::path folder_;
  FolderFilter filter_;
  FolderOrder order_;
  FolderListing listing_;
  std::vector<std::size_t> shown_;  // of the listing's entries, from the top
  std::string filter_text_;
  std::string typed_;       // the beginning of a name, into the list
  double typed_at_ = -1e9;  // ImGui::GetTime() of its last letter
  std::string path_text_;
  bool path_begins_ =
      false;           // a path was typed into the list, and its field has yet to get the keys
  std::string note_;   // why the last path typed led nowhere
  int selected_ = -1;  // place in shown_
  bool scroll_to_selected_ = false;
  std::optional<std::filesystem::path> chosen_;
};

}  // namespace warpview
