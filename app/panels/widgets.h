// Small parts that several panels share. All sizes follow the current font.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "app/panels/format.h"
#include "app/panels/named_widgets.h"
#include "app/panels/style.h"

namespace warpview {

inline float em() { return ImGui::GetFontSize(); }

// A dialog in the middle of the window, `ems` wide if it has room; true: it is drawn, until
// end_dialog(). ImGui has its popup open.
bool begin_dialog(const char* title, bool& open, float ems);
// The dialog's last row. True when the button that `does` it was pressed, which closes the dialog
// as Cancel and Escape do.
bool end_dialog(const char* does, bool enabled, bool& open);

// On the screen, of one unit of the sizes in the settings: whatever font is set.
float settings_unit(const Fonts& fonts);

// Sets a font for as long as it lives; null leaves the one that is set.
class FontScope {
 public:
  explicit FontScope(ImFont* font) : pushed_(font != nullptr) {
    if (pushed_) ImGui::PushFont(font);
  }
  ~FontScope() {
    if (pushed_) ImGui::PopFont();
  }
  FontScope(const FontScope&) = delete;
  FontScope& operator=(const FontScope&) = delete;

 private:
  bool pushed_;
};

// Text as it is: no '%' in it has a meaning.
void text(std::string_view s);
void coloured_text(ImU32 c, std::string_view s);
// Over as many lines as it takes.
// The text with lines that end at spaces and, single words aside, fit into the width. ImGui itself
// breaks behind quotation marks and full stops too, so that a line may begin with a bracket.
std::string broken_at_spaces(std::string_view s, float width);
void paragraph(ImU32 c, std::string_view s);
void text_to_right(ImU32 c, std::string_view s);  // ends where the column or window does
// Cut with dots where it is wider than `width`, in the middle as suits a path, or at its end; the
// whole is then a tooltip.
enum class Cut { middle, end };
void elided_text(const std::string& s, float width, Cut cut = Cut::middle);
std::string elided(const std::string& s, float width, Cut cut);
// In a table: what is drawn until ImDrawList::PopClipRect() goes over all columns, as far as `end`,
// in as much of a line as the table shows.
void clip_over_columns(float end);
float end_of_columns();  // that can be seen
// In a table: a line over the columns to the right, indented. Where it is cut the whole is a
// tooltip.
void line_over_columns(const std::string& words, ImU32 c, float indent = 0.0F,
                       const std::string& shorter = {});
// Elides a label of ImGui's, which keeps its identity.
std::string elided_label(const std::string& label, float width);
// As a tooltip now: of what shows it cut and is pointed at.
void show_whole(const std::string& s);
// Shows it where the last item, which shows it cut, is pointed at.
void whole_as_tooltip(const std::string& s);
bool elided_checkbox(const std::string& label, float width, bool* on);
// A tooltip of the last item: a head line and wrapped paragraphs, and what `below` draws.
void tooltip(const Fonts& fonts, std::string_view head, std::span<const std::string> paragraphs,
             const std::function<void()>& below = {});

// Is the page about the last item asked for, by a right click? Its tooltip ends with page_hint.
bool asks_for_page();
inline constexpr const char* page_hint = "Right click: read about it";

// Text that can be clicked, cut where it is wider than `width`: underlined under the mouse. `id`,
// where the words are not its name. True when it was clicked.
bool link(const char* words, float width, const char* id = nullptr);
// Begins a small window over the view, without a frame and as opaque as overlay_alpha says. It ends
// by ImGui::End().
void begin_overlay(const char* name, ImVec2 padding, ImGuiWindowFlags more);
// Begins a window that appears in the middle of the display, at most `width` ems wide and `height`
// of the display high. It ends by ImGui::End(). False: no part of it can be seen.
bool begin_centred(const char* name, bool* open, float width, float height,
                   ImGuiWindowFlags more = 0);
// Colour of a difference: less time is good.
ImU32 colour_of(const Change& change);

void section(const Fonts& fonts, const char* title);
// A line: a dim label, and its value, which ends at the right.
void property(const char* label, std::string_view value);
// The next widget, which is so wide, stands beside the last where it has room, else below.
void beside_if_it_fits(float width, float spacing = -1.0F);
// A rounded label.
float pill_width(const char* label);
void pill(const char* label, ImU32 c, bool filled);
// One of several, side by side over the width given. True when `chosen` has changed.
bool segments(const char* id, std::span<const char* const> labels, int& chosen, float width);

// A tab of a strip at the right edge, its words from top to bottom. True when it was pressed.
bool side_tab(const char* label, bool open, float width);
// The edge that a splitter moves, from one end to the other: nothing until the mouse is over it.
void draw_splitter(const ui::Splitter& splitter, ImVec2 from, ImVec2 to);

// A combo box over the width given, to be closed with end_combo() if it returns true. Its list is
// as long as the window has room for, above or below.
bool begin_combo(const char* id, const char* preview, float width);
// Says how many rows of the list are hidden below or above.
void end_combo();

// Times in milliseconds, the newest at the right end; a line across at the median. Scaled so that a
// rare slow run does not flatten the rest. Under the mouse it tells the value there.
void sparkline(std::span<const float> values, float median, ImVec2 size, ImU32 c);
// The newest value at the right end, with the range that it is drawn in: from 0 where that leaves
// something to see. Under the mouse it tells the value there.
void plot(const Fonts& fonts, std::span<const float> values, const char* unit, ImVec2 size,
          ImU32 c);
void bar(float fraction, ImVec2 size, ImU32 c);

}  // namespace warpview
