#include "app/panels/file_browser.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "app/common/program_files.h"
#include "app/panels/format.h"
#include "app/panels/widgets.h"
#include "gpu/recording/file.h"
#include "scenes/description.h"
#include "scenes/files/open_mesh.h"

namespace warpview {
namespace {

namespace fs = std::filesystem;

std::string lower(std::string_view s) {
  std::string out(s);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

// A mesh, a picture, a scene file or a recording, by its name.
bool can_open(std::string_view name) {
  const std::string small = lower(name);
  return (small.size() > 4 && small.ends_with(".obj")) || is_ply(name) || is_svg(name) ||
         is_scene_file(name) || is_recording_file(name);
}

bool lets_through(const FolderFilter& filter, std::string_view name) {
  return filter.all_files || (filter.scenes ? is_scene_file(name) : can_open(name));
}

fs::path home() {
  const char* home = std::getenv("HOME");
  return home != nullptr && *home != '\0' ? fs::path(home) : fs::path("/");
}

bool is_pressed(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); }
// Once, however long it is held.
bool goes_down(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key), false); }

// The text as ImGui edits it. It holds letters in 16 bits: a larger one, and what is no UTF-8,
// become U+FFFD. Given others it counts their bytes and not those of what it made of them, and what
// it gives back ends too late or too early.
std::string as_edited(const std::string& text) {
  std::vector<ImWchar> letters(text.size() + 1);
  ImTextStrFromUtf8(letters.data(), static_cast<int>(letters.size()), text.c_str(), nullptr);
  constexpr std::size_t most_bytes = 4;  // of a letter
  std::string edited(most_bytes * text.size() + 1, '\0');
  edited.resize(static_cast<std::size_t>(
      ImTextStrToUtf8(edited.data(), static_cast<int>(edited.size()), letters.data(), nullptr)));
  return edited;
}

// Appends what was typed in this frame, and leaves nothing of it to others.
void take_letters(std::string& text) {
  ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
  for (const ImWchar letter : typed) {
    if (letter < ' ' || letter == 127) continue;
    std::array<char, 5> bytes{};
    ImTextStrToUtf8(bytes.data(), static_cast<int>(bytes.size()),
                    std::array<ImWchar, 2>{letter, 0}.data(), nullptr);
    text += bytes.data();
  }
  typed.resize(0);
}

// Puts the cursor of the field that was drawn last behind its text, of which nothing is selected.
void go_to_end_of_field() {
  ImGuiInputTextState* const state = ImGui::GetInputTextState(ImGui::GetItemID());
  if (state == nullptr) return;
  state->Stb.cursor = state->CurLenW;
  state->ClearSelection();
}

std::int64_t modified(const fs::directory_entry& entry) {
  std::error_code error;
  const fs::file_time_type time = entry.last_write_time(error);
  if (error) return 0;
  const auto since = std::chrono::file_clock::to_sys(time).time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(since).count();
}

std::string date_of(std::int64_t seconds) {
  // Files may claim to be from any year.
  constexpr std::int64_t most = 253'402'300'799;  // the end of 9999
  if (seconds <= 0 || seconds > most) return "-";
  return fmt::format("{:%Y-%m-%d %H:%M}", fmt::localtime(static_cast<std::time_t>(seconds)));
}

}  // namespace

void sort_entries(std::vector<FolderEntry>& entries, const FolderOrder& order) {
  std::sort(entries.begin(), entries.end(), [&order](const FolderEntry& a, const FolderEntry& b) {
    if (a.is_folder != b.is_folder) return a.is_folder;
    const FolderEntry& first = order.descending ? b : a;
    const FolderEntry& second = order.descending ? a : b;
    if (order.by == FolderOrder::By::modified && a.modified != b.modified)
      return first.modified < second.modified;
    if (order.by == FolderOrder::By::bytes && a.bytes != b.bytes) return first.bytes < second.bytes;
    const bool by_name = order.by == FolderOrder::By::name;
    const FolderEntry& one = by_name ? first : a;
    const FolderEntry& other = by_name ? second : b;
    return std::make_tuple(lower(one.name), std::cref(one.name)) <
           std::make_tuple(lower(other.name), std::cref(other.name));
  });
}

bool matches(std::string_view name, std::string_view typed) {
  return lower(name).find(lower(typed)) != std::string::npos;
}

FolderListing list_folder(const fs::path& folder, const FolderFilter& filter) {
  FolderListing listing;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    FolderEntry entry{.name = at->path().filename().string()};
    std::error_code gone;
    entry.is_folder = at->is_directory(gone);
    if (entry.name.starts_with('.') && !filter.hidden) continue;
    if (!entry.is_folder) {
      if (!at->is_regular_file(gone) || !lets_through(filter, entry.name)) continue;
      entry.bytes = at->file_size(gone);
      if (gone) continue;
    }
    entry.modified = modified(*at);
    listing.entries.push_back(std::move(entry));
  }
  if (error) listing.error = error.message();
  sort_entries(listing.entries, {});
  return listing;
}

void FileBrowser::open(fs::path folder) { appear(std::move(folder), false); }

void FileBrowser::appear(fs::path folder, bool saves) {
  std::error_code error;
  if (folder.empty()) folder = fs::current_path(error);
  while (!fs::is_directory(folder, error) && folder.has_relative_path())
    folder = folder.parent_path();
  if (!fs::is_directory(folder, error)) folder = home();
  open_ = appearing_ = true;
  saves_ = filter_.scenes = saves;
  path_begins_ = false;
  go_to(std::move(folder));
}

void FileBrowser::open_to_save(fs::path folder, const std::string& name) {
  appear(std::move(folder), true);
  name_text_ = as_edited(name);
  to_replace_.clear();
  selected_ = -1;
}

void FileBrowser::go_to(fs::path folder) {
  const fs::path from = std::exchange(folder_, std::move(folder));
  listing_ = list_folder(folder_, filter_);
  path_text_ = as_edited(folder_.string());
  note_.clear();
  if (from != folder_) filter_text_.clear();
  typed_.clear();
  selected_ = -1;
  arrange();
  // On the way up, what one came from is selected.
  for (std::size_t i = 0; i < shown_.size(); ++i)
    if (folder_ / listing_.entries[shown_[i]].name == from) selected_ = static_cast<int>(i);
  scroll_to_selected_ = true;
}

const FolderEntry* FileBrowser::selected_entry() const {
  if (selected_ < 0) return nullptr;
  return &listing_.entries[shown_[static_cast<std::size_t>(selected_)]];
}

void FileBrowser::arrange() {
  const std::string kept = selected_entry() == nullptr ? "" : selected_entry()->name;
  sort_entries(listing_.entries, order_);
  shown_.clear();
  for (std::size_t i = 0; i < listing_.entries.size(); ++i)
    if (matches(listing_.entries[i].name, filter_text_)) shown_.push_back(i);
  selected_ = shown_.empty() ? -1 : 0;
  for (std::size_t i = 0; i < shown_.size(); ++i)
    if (listing_.entries[shown_[i]].name == kept) selected_ = static_cast<int>(i);
  scroll_to_selected_ = true;
}

void FileBrowser::activate(const FolderEntry& entry) {
  const fs::path path = folder_ / entry.name;  // `entry` may go with its listing
  if (entry.is_folder) {
    go_to(path);
  } else if (saves_) {
    name_text_ = as_edited(entry.name);
    save();
  } else {
    chosen_ = path;
  }
}

fs::path FileBrowser::path_typed() const {
  for (fs::path known = folder_; known.has_relative_path(); known = known.parent_path()) {
    const std::string edited = as_edited(known.string());
    if (path_text_ == edited || path_text_.starts_with(edited + '/'))
      return known.string() + path_text_.substr(edited.size());
  }
  return path_text_;
}

void FileBrowser::take_path_text() {
  std::error_code error;
  fs::path path = path_typed();
  if (path_text_ == "~" || path_text_.starts_with("~/"))
    path = home() / path_text_.substr(std::min<std::size_t>(2, path_text_.size()));
  path = (folder_ / path).lexically_normal();
  if (!path.has_filename() && path.has_relative_path()) path = path.parent_path();
  if (fs::is_directory(path, error)) {
    go_to(path);
  } else if (saves_ && fs::is_directory(path.parent_path(), error)) {
    name_text_ = as_edited(path.filename().string());
    go_to(path.parent_path());
  } else if (!saves_ && fs::exists(path, error)) {
    chosen_ = path;
  } else {
    note_ = path.string() + " does not exist.";
  }
}

// Files that were opened lately, and the meshes that came with the program.
void FileBrowser::draw_places(const std::vector<std::string>& recent) {
  const fs::path assets = assets_folder();
  ImGui::BeginDisabled(assets.empty());
  if (ui::button("Samples")) go_to(assets);
  ImGui::EndDisabled();
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled))
    ImGui::SetTooltip("%s", assets.empty() ? "No samples are installed"
                                           : "Meshes and scenes shipped with the program");
  ImGui::SameLine();
  ImGui::BeginDisabled(recent.empty());
  if (ui::button("Recent")) ImGui::OpenPopup("recent");
  ImGui::EndDisabled();
  if (!ImGui::BeginPopup("recent")) return;
  if (goes_down(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
  for (std::size_t i = 0; i < recent.size(); ++i) {
    const fs::path file(recent[i]);
    ImGui::PushID(static_cast<int>(i));
    if (ui::menu_item(file.filename().c_str(), file.parent_path().c_str())) chosen_ = file;
    ImGui::PopID();
  }
  ImGui::EndPopup();
}

void FileBrowser::draw_path_row(const std::vector<std::string>& recent) {
  if (ui::button("Up") && folder_.has_relative_path()) go_to(folder_.parent_path());
  ImGui::SameLine();
  if (ui::button("Home")) go_to(home());
  ImGui::SameLine();
  if (!saves_) {
    draw_places(recent);
    ImGui::SameLine();
  }
  // A field that gets the keys takes them from the next frame on, and selects its text.
  if (path_begins_) {
    take_letters(path_text_);
    ImGui::SetKeyboardFocusHere();
  }
  ImGui::SetNextItemWidth(-1.0F);
  if (ui::text_field("##path", &path_text_, ImGuiInputTextFlags_EnterReturnsTrue)) take_path_text();
  if (!path_begins_ || !ImGui::IsItemActive()) return;
  go_to_end_of_field();
  path_begins_ = false;
}

void FileBrowser::draw_filter_row() {
  ImGui::SetNextItemWidth(-1.0F);
  if (ui::text_field("##filter", &filter_text_, ImGuiInputTextFlags_None,
                     "Show only names with ..."))
    arrange();
}

void FileBrowser::move_by_keys() {
  const auto count = static_cast<int>(shown_.size());
  const int before = selected_;
  constexpr int page = 10;
  if (count > 0) {
    int to = selected_;
    if (is_pressed(ImGuiKey_DownArrow)) ++to;
    if (is_pressed(ImGuiKey_UpArrow)) --to;
    if (is_pressed(ImGuiKey_PageDown)) to += page;
    if (is_pressed(ImGuiKey_PageUp)) to -= page;
    if (is_pressed(ImGuiKey_Home)) to = 0;
    if (is_pressed(ImGuiKey_End)) to = count - 1;
    if (to != selected_) selected_ = std::clamp(to, 0, count - 1);
  }
  if (selected_ != before) scroll_to_selected_ = true;
  if (is_pressed(ImGuiKey_Backspace) && folder_.has_relative_path())
    go_to(folder_.parent_path());
  else if ((goes_down(ImGuiKey_Enter) || goes_down(ImGuiKey_KeyPadEnter)) && selected_ >= 0)
    activate(*selected_entry());
}

// Letters typed into the list select the next name that begins with them; a path goes into its
// field.
void FileBrowser::type_ahead() {
  const ImGuiIO& io = ImGui::GetIO();
  constexpr double pause = 1.0;  // seconds, after which another name begins
  if (io.InputQueueCharacters.empty() || io.KeyCtrl) return;
  if (ImGui::GetTime() - typed_at_ > pause) typed_.clear();
  typed_at_ = ImGui::GetTime();
  take_letters(typed_);
  if (typed_.starts_with('/') || typed_.starts_with('~')) {
    path_text_ = std::exchange(typed_, {});
    path_begins_ = true;
    return;
  }
  // A repeated letter goes on to the next name.
  const bool repeated = !typed_.empty() && typed_.find_first_not_of(typed_[0]) == std::string::npos;
  const std::string wanted = lower(repeated ? typed_.substr(0, 1) : typed_);
  const auto count = shown_.size();
  for (std::size_t step = repeated ? 1 : 0; step < count + (repeated ? 1 : 0); ++step) {
    const std::size_t place = (static_cast<std::size_t>(std::max(selected_, 0)) + step) % count;
    if (wanted.empty() || !lower(listing_.entries[shown_[place]].name).starts_with(wanted))
      continue;
    selected_ = static_cast<int>(place);
    scroll_to_selected_ = true;
    return;
  }
}

void FileBrowser::draw_row(const FolderEntry& entry, const Fonts& fonts) {
  ImGui::SameLine(0.0F, 0.0F);
  {
    const FontScope font(entry.is_folder ? fonts.bold : nullptr);
    ImGui::PushStyleColor(ImGuiCol_Text, entry.is_folder ? colour::accent : colour::text);
    elided_text(entry.is_folder ? entry.name + "/" : entry.name, ImGui::GetContentRegionAvail().x);
    ImGui::PopStyleColor();
  }
  ImGui::TableNextColumn();
  coloured_text(colour::dim, date_of(entry.modified));
  ImGui::TableNextColumn();
  if (!entry.is_folder) text_to_right(colour::dim, format_bytes(entry.bytes));
}

void FileBrowser::draw_entries(const Fonts& fonts) {
  const float rows = saves_ ? 2.0F : 1.0F;
  const float footer =
      rows * ImGui::GetFrameHeightWithSpacing() + ImGui::GetTextLineHeightWithSpacing();
  constexpr ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg |
                                    ImGuiTableFlags_BordersOuter | ImGuiTableFlags_Sortable;
  if (!ImGui::BeginTable("entries", 3, flags, {0.0F, -footer})) return;
  constexpr ImGuiTableColumnFlags late = ImGuiTableColumnFlags_PreferSortDescending;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("Name", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableSetupColumn("Modified", ImGuiTableColumnFlags_WidthFixed | late, 9.5F * em());
  ImGui::TableSetupColumn("Size", ImGuiTableColumnFlags_WidthFixed | late, 6.0F * em());
  ImGui::TableHeadersRow();
  ImGuiTableSortSpecs* const specs = ImGui::TableGetSortSpecs();
  if (specs != nullptr && specs->SpecsDirty && specs->SpecsCount > 0) {
    order_.by = static_cast<FolderOrder::By>(specs->Specs[0].ColumnIndex);
    order_.descending = specs->Specs[0].SortDirection == ImGuiSortDirection_Descending;
    specs->SpecsDirty = false;
    arrange();
  }

  int activated = -1;
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    const FolderEntry& entry = listing_.entries[shown_[i]];
    const auto row = static_cast<int>(i);
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushID(row);
    ImGui::PushStyleColor(ImGuiCol_Header, colour::chosen);
    const bool is_clicked =
        ui::selectable("##entry", row == selected_,
                       ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick |
                           ImGuiSelectableFlags_DontClosePopups,
                       {0.0F, 0.0F}, entry.name);
    ImGui::PopStyleColor();
    if (is_clicked) {
      selected_ = row;
      const bool by_keys = ImGui::GetIO().NavVisible;
      if (by_keys || ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) activated = row;
    }
    if (row == selected_ && std::exchange(scroll_to_selected_, false)) ImGui::SetScrollHereY();
    draw_row(entry, fonts);
    ImGui::PopID();
  }
  if (shown_.empty()) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    if (!listing_.error.empty())
      coloured_text(colour::error, "This folder cannot be read: " + listing_.error);
    else if (!listing_.entries.empty())
      coloured_text(colour::dim, "No name contains \"" + filter_text_ + "\"");
    else
      coloured_text(colour::dim, filter_.all_files ? "Empty folder"
                                 : saves_          ? "No scene files here"
                                          : "No mesh (OBJ, PLY), SVG, scene file or recording");
  }
  ImGui::EndTable();
  if (activated >= 0) activate(listing_.entries[shown_[static_cast<std::size_t>(activated)]]);
}

void FileBrowser::draw_note() {
  if (!note_.empty())
    elided_text(note_, ImGui::GetContentRegionAvail().x);
  else if (saves_)
    text(" ");
  else if (const FolderEntry* const entry = selected_entry())
    elided_text(entry->name, ImGui::GetContentRegionAvail().x);
  else
    text(" ");
}

// What is selected, and what ends the dialog.
void FileBrowser::draw_buttons() {
  if (saves_) draw_name_row();
  ImGui::PushStyleColor(ImGuiCol_Text, note_.empty() ? colour::text : colour::error);
  draw_note();
  ImGui::PopStyleColor();
  bool changed = ui::checkbox("All files", &filter_.all_files);
  ImGui::SameLine();
  changed |= ui::checkbox("Hidden", &filter_.hidden);
  if (changed) go_to(fs::path(folder_));
  const float button = 6.0F * em();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - 2.0F * button - gap);
  if (ui::button("Cancel", {button, 0.0F})) open_ = false;
  ImGui::SameLine();
  ImGui::BeginDisabled(saves_ ? name_text_.empty() : selected_ < 0);
  const char* const does = !saves_ ? "Open" : to_replace_.empty() ? "Save" : "Replace";
  if (ui::button(does, {button, 0.0F})) {
    if (saves_)
      save();
    else
      activate(*selected_entry());
  }
  ImGui::EndDisabled();
}

void FileBrowser::draw_name_row() {
  ImGui::AlignTextToFramePadding();
  text("Name");
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-1.0F);
  if (ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
  const std::string before = name_text_;
  const bool entered =
      ui::text_field("##name", &name_text_, ImGuiInputTextFlags_EnterReturnsTrue, "scene.json");
  if (name_text_ != before) {
    to_replace_.clear();
    note_.clear();
  }
  if (entered) save();
}

// A second time for a file that is there already.
void FileBrowser::save() {
  if (name_text_.empty()) return;
  std::error_code error;
  std::string name = name_text_;
  for (const FolderEntry& entry : listing_.entries)
    if (as_edited(entry.name) == name) name = entry.name;  // its bytes as they are on disk
  fs::path path = (folder_ / name).lexically_normal();
  if (fs::is_directory(path, error)) {
    name_text_.clear();
    return go_to(path);
  }
  if (!is_scene_file(path.string())) path += ".json";
  if (!fs::is_directory(path.parent_path(), error)) {
    note_ = path.parent_path().string() + " does not exist.";
  } else if (fs::exists(path, error) && to_replace_ != path) {
    to_replace_ = path;
    note_ = path.filename().string() + " exists: Replace writes over it.";
  } else {
    chosen_ = path;
  }
}

std::optional<fs::path> FileBrowser::draw(const Fonts& fonts,
                                          const std::vector<std::string>& recent) {
  const char* const title = saves_ ? "Save scene" : "Open a mesh or scene";
  if (!open_) return {};
  const bool appears = std::exchange(appearing_, false);
  if (appears) ImGui::OpenPopup(title);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5F * display.x, 0.5F * display.y}, ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSize(
      {std::min(46.0F * em(), 0.94F * display.x), std::min(34.0F * em(), 0.9F * display.y)},
      ImGuiCond_Appearing);
  if (!ImGui::BeginPopupModal(title, &open_, ImGuiWindowFlags_NoSavedSettings)) return {};
  chosen_.reset();

  // A key does one thing. One that goes to the path does nothing else, also where it ends the
  // typing, and the one that opened the dialog has done its own. A widget that has the keyboard's
  // focus, or that is typed into, has all but Escape.
  const bool has_keys = !appears && !ImGui::IsAnyItemActive();
  const bool has_focus = ImGui::GetIO().NavVisible;
  const bool list_open = ImGui::IsPopupOpen("recent");
  draw_path_row(recent);
  draw_filter_row();
  draw_entries(fonts);
  if (has_keys && !has_focus && !list_open && !chosen_ && !path_begins_) {
    move_by_keys();
    type_ahead();
  }
  draw_buttons();

  if (!appears && !list_open && goes_down(ImGuiKey_Escape)) open_ = false;
  if (chosen_) open_ = false;
  if (!open_) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return std::exchange(chosen_, {});
}

}  // namespace warpview
