// ImGui's widgets, which can be written down as they are drawn: where they are and how they stand.
// A test can then use the window as people do, by what it finds there.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct ImGuiWindow;

namespace warpview::ui {

struct WidgetRecord {
  const char* kind = "";  // "button", "card", "checkbox", "choice", "combo", "fact", "field",
                          // "fold", "link", "menu", "slider", "splitter", "tab", "view"
  std::string window;     // that it is in, by ImGui's name: "Scene"
  std::string name;       // its label, after those of the push_id()s around it: "level/value"
  ImVec2 from, to;        // the part that is not cut off, in ImGui's units
  bool visible = false;   // some part of it
  bool enabled = true;
  bool hovered = false;      // a click would go there
  bool focused = false;      // it has the keyboard's focus
  std::optional<bool> on{};  // ticked, chosen or open
  std::optional<double> value{};
  std::optional<std::string> text{};
  std::string about{};  // what it is: how its tooltip begins; empty: nothing says so
};

// A widget that the keyboard's focus can be on.
struct FocusStop {
  ImGuiID id = 0;
  ImGuiWindow* window = nullptr;
  ImVec2 from, to;  // in ImGui's units, also where it is scrolled out of sight
  bool enabled = true;
  bool is_field = false;     // text is typed into it
  bool is_splitter = false;  // an edge that is dragged
};

// From now on each widget drawn outside of menus is added to `stops`, which null ends. `ring`: the
// one that has the keyboard's focus is marked, and a slider that has it follows the arrows.
void collect_stops(std::vector<FocusStop>* stops, bool ring);
// The widget drawn last is one, though not drawn by a function below.
void add_stop();
// Gives the keyboard's focus to a stop of this frame, and scrolls to it.
void focus(const FocusStop& stop);
// Gives the keyboard's focus to the next widget that is drawn.
void focus_next();

// A window that was drawn, also one that pops up.
struct WindowRecord {
  std::string name;
  ImVec2 from, to;
};

// From now on each widget drawn is added to `log`; null: none is, which is how it begins and costs
// nothing.
void write_down(std::vector<WidgetRecord>* log);
// From now on one widget is looked for as it is drawn, by its window and its name, and scrolled to
// where it is not in sight. No name: none is looked for.
void look_for(std::string window, std::string name);
// As it was drawn since; null: it was not.
const WidgetRecord* found();
// Is the widget that was drawn last the one?
bool is_sought();

// What the widgets are that are drawn until it ends, unless they say it themselves.
class AboutScope {
 public:
  explicit AboutScope(std::string_view about);
  ~AboutScope();
  AboutScope(const AboutScope&) = delete;
  AboutScope& operator=(const AboutScope&) = delete;

 private:
  std::string before_;
};
// What the widget is that was drawn last; nothing where it was drawn by none of the functions
// below.
void note_about(std::string_view about);
// The words that were drawn last are the value of something.
void note_fact(const char* name, std::string_view value, std::string_view about);
// The picture's place, which is in no window of ImGui's: kind "view", name "View".
void note_view(ImVec2 from, ImVec2 to, bool hovered);

// The windows of this frame, those behind first.
std::vector<WindowRecord> windows();

// As ImGui's, for names that tell widgets of the same label apart.
void push_id(const char* name);
void pop_id();

// As ImGui's.
bool button(const char* label, ImVec2 size = {0.0F, 0.0F});
bool small_button(const char* label);
bool checkbox(const char* label, bool* on);
// `name`: in the log, where the label has none.
bool selectable(const char* label, bool chosen = false,
                ImGuiSelectableFlags flags = ImGuiSelectableFlags_None, ImVec2 size = {0.0F, 0.0F},
                const std::string& name = {});
bool menu_item(const char* label, const char* keys = nullptr, bool chosen = false,
               bool enabled = true);
bool begin_menu(const char* label, bool enabled = true);
bool begin_tab(const char* label, ImGuiTabItemFlags flags);
bool begin_combo(const char* label, const char* preview, ImGuiComboFlags flags);
// Its owner draws over it.
bool invisible_button(const char* label, ImVec2 size, const char* kind = "link");
// `hint`: shown while it is empty.
bool text_field(const char* label, std::string* text,
                ImGuiInputTextFlags flags = ImGuiInputTextFlags_None, const char* hint = "");
// A slider with its value, as `format` has it, in the middle, and a line with a knob below it. With
// nothing to choose from, `least` being `most`, it has neither. With the keyboard's focus, Left and
// Right move it, by ten times as much with Shift, and Enter types a value.
bool slider(const char* label, double* value, double least, double most, const char* format,
            ImGuiSliderFlags flags);
bool slider(const char* label, int* value, int least, int most, const char* format);

// A head line that shows or hides what is below it.
bool fold(const char* label, float width, bool open_at_first = true);
// A slider of our own drawing over whole numbers from 0 to `most`, which the mouse drags and the
// arrows move. True when the value has changed.
bool track(const char* label, std::size_t* value, std::size_t most, ImVec2 size);

// A tab of our own drawing.
bool tab_button(const char* label, bool open, ImVec2 size);

// A bar between two parts, which the mouse drags and the arrows move: sideways where they stand
// side by side, else up and down. How large they are is its `value`, and what it looks like the
// caller's.
struct Splitter {
  bool held = false;
  bool hovered = false;
  std::optional<float> dragged_to{};  // where its left or upper edge should be now
  bool let_go = false;                // after a drag
  bool double_clicked = false;
};
Splitter splitter(const char* label, ImVec2 size, bool sideways, double value);

}  // namespace warpview::ui
