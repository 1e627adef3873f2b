// The command palette: one field that finds everything the window can do.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "app/common/fuzzy.h"
#include "app/panels/actions.h"
#include "app/panels/command_keys.h"
#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/variant_names.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

constexpr const char* popup_name = "Commands";

void add_primitives(Model& model, PanelState& state, std::vector<Action>& rows) {
  for (int p = 0; p < primitive_count; ++p) {
    const auto primitive = static_cast<Primitive>(p);
    Action& row = rows.emplace_back();
    row.path = {"Laboratory", "Primitive"};
    row.label = capitalised(title(primitive));
    row.name = to_string(primitive);
    row.on = model.lab.question.primitive == primitive;
    row.why_not = lab_misses(model, primitive);
    row.act = [&model, &state, primitive] {
      open_laboratory(model, state, primitive, {}, state.lab.front.value_or(first_tab(model)));
    };
  }
}

void add_tabs(Model& model, PanelState& state, std::vector<Action>& rows) {
  const Primitive primitive = model.lab.question.primitive;
  for (const LabTaskRow& tab : lab_tasks) {
    Action& row = rows.emplace_back();
    row.path = {"Laboratory", "Tab"};
    row.label = tab.title;
    row.on = state.show_lab && state.lab.front == tab.task;
    if (!tab.is_for(primitive))
      row.why_not = fmt::format("{} does not have it.", capitalised(title(primitive)));
    row.act = [&state, task = tab.task] {
      state.show_lab = true;
      state.lab.open = task;
    };
  }
}

void add_variants(Model& model, std::vector<Action>& rows) {
  for (StageRow& stage : model.stages) {
    for (std::size_t i = 0; i < stage.variants.size(); ++i) {
      Action& row = rows.emplace_back();
      row.path = {"Variant"};
      row.label = fmt::format("{}: {}", stage.result->title, full_name(*stage.variants[i]));
      row.id = stage.result->name;
      row.on = stage.variant == stage.variants[i];
      row.about = stage.variants[i]->summary;
      if (!stage.why_not[i].empty()) row.why_not = fmt::format("It {}.", stage.why_not[i]);
      row.act = [&stage, i] { stage.variant = stage.variants[i]; };
    }
  }
}

// A row for a switch, an action or a slider, and one for each choice.
class ControlActions {
 public:
  ControlActions(Model& model, PanelState& state, std::vector<Action>& rows)
      : model_(model), state_(state), rows_(rows) {}

  void add(std::size_t index) {
    const Control& control = model_.controls.all()[index];
    const double value = model_.controls.value(index);
    const auto set = [&model = model_, index](double to) {
      return [&model, index, to] { model.controls.set(index, to); };
    };
    switch (control.kind) {
      case Control::Kind::toggle:
        row(index, control.title, set(value != 0.0 ? 0.0 : 1.0)).on = value != 0.0;
        break;
      case Control::Kind::action:
        row(index, control.title, set(value + 1.0));
        break;
      case Control::Kind::choice:
        for (std::size_t i = 0; i < control.choices.size(); ++i)
          row(index, fmt::format("{}: {}", control.title, capitalised(control.choices[i])),
              set(static_cast<double>(i)))
              .on = value == static_cast<double>(i);
        break;
      case Control::Kind::number:
        row(index, control.title, [&state = state_, name = std::string(control.name)] {
          show_panel(state, Panel::scene, true);
          state.keyboard.control = name;
          state.keyboard.ring = true;
        }).hint = model_.controls.text(index) + (*control.unit ? " " : "") + control.unit;
    }
  }

 private:
  Action& row(std::size_t index, std::string label, std::function<void()> act) {
    const Control& control = model_.controls.all()[index];
    Action& added = rows_.emplace_back();
    added.path = {"Control"};
    if (*control.group != '\0') added.path.emplace_back(control.group);
    added.label = std::move(label);
    added.id = control.name;
    added.about = control.tooltip;
    added.why_not = control_misses(model_, index);
    added.act = std::move(act);
    return added;
  }

  Model& model_;
  PanelState& state_;
  std::vector<Action>& rows_;
};

// Commands that have a key and no place in a menu.
void add_commands(Model& model, PanelState& state, std::vector<Action>& rows) {
  const auto is_there = [&rows](const char* keys) {
    return std::any_of(rows.begin(), rows.end(),
                       [keys](const Action& row) { return row.keys == keys; });
  };
  for (const CommandKeys& command : command_keys) {
    if (is_there(command.keys) || command.command == Command::close_dialog) continue;
    Action& row = rows.emplace_back();
    row.path = {"Command"};
    row.label = capitalised(command.effect);
    row.keys = command.keys;
    const bool is_of_time = command.command == Command::pause || command.command == Command::step;
    if (is_of_time && !model.results->moving) row.why_not = "Nothing is animated.";
    if (command.command == Command::step && model.moves()) row.why_not = "The scene is not paused.";
    row.act = [&model, &state, which = command.command] { run_command(which, model, state); };
  }
}

// ---- What is found ------------------------------------------------------------------------------

struct Found {
  const Action* action;
  FuzzyMatch match;  // of the label, or of all of it
  bool in_label;
};

std::string path_of(const Action& action) {
  return fmt::format("{}", fmt::join(action.path, " > "));
}

// In the label, else in the label behind its path.
std::optional<Found> find_in(const Action& action, const std::string& query) {
  constexpr int by_label = 400;  // less than a whole kind of match, as is the next
  constexpr int by_name = 400;
  const int unavailable = action.why_not.empty() ? 0 : 150;
  const int named = !action.name.empty() && action.name == query ? by_name : 0;
  if (auto match = fuzzy_match(query, action.label)) {
    match->score += by_label + named - unavailable;
    return Found{&action, *std::move(match), true};
  }
  if (named > 0) return Found{&action, {.score = by_label + named - unavailable}, false};
  if (auto match = fuzzy_match(query, path_of(action) + " " + action.label)) {
    match->score -= unavailable;
    return Found{&action, *std::move(match), false};
  }
  return std::nullopt;
}

std::vector<Found> search(const std::vector<Action>& rows, const std::string& query) {
  std::vector<Found> found;
  for (const Action& row : rows)
    if (auto hit = find_in(row, query)) found.push_back(*std::move(hit));
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    if (a.match.score != b.match.score) return a.match.score > b.match.score;
    return a.action->label.size() < b.action->label.size();
  });
  if (query.find_first_not_of(' ') == std::string::npos)
    std::stable_sort(found.begin(), found.end(),
                     [](const Found& a, const Found& b) { return a.action < b.action; });
  return found;
}

// ---- Drawing ------------------------------------------------------------------------------------

// Draws the label, with the letters that were typed in the accent's colour. Returns where it ends.
float draw_label(const Found& row, ImVec2 at, float width, ImU32 c) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const std::string label = elided(row.action->label, width, Cut::end);
  const bool marks = row.in_label && label == row.action->label;
  std::size_t from = 0;
  const auto draw_to = [&](std::size_t end, ImU32 colour) {
    const std::string piece = label.substr(from, end - from);
    list.AddText(at, colour, piece.c_str());
    at.x += ImGui::CalcTextSize(piece.c_str()).x;
    from = end;
  };
  if (marks)
    for (const std::size_t place : row.match.places) {
      draw_to(place, c);
      draw_to(place + 1, colour::accent);
    }
  draw_to(label.size(), c);
  return at.x;
}

// Draws tick, label, path, why it is unavailable, and keys at the right. The row that Enter carries
// out is marked at its left.
void draw_row(const Found& row, const PanelState& state, bool is_marked) {
  const Action& action = *row.action;
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (is_marked) list.AddRectFilled(from, {from.x + 0.25F * em(), to.y}, colour::accent);
  const float y = 0.5F * (from.y + to.y - ImGui::GetFontSize());
  const bool can = action.why_not.empty();
  const float left = from.x + 1.6F * em();
  if (action.on.value_or(false))
    list.AddCircleFilled({from.x + 0.8F * em(), 0.5F * (from.y + to.y)}, 0.2F * em(),
                         colour::accent);
  const std::string& right = action.keys.empty() ? action.hint : action.keys;
  float end = to.x - 0.6F * em();
  const FontScope small(state.fonts.small);
  if (!right.empty()) {
    const std::string cut = elided(right, 0.4F * (end - left), Cut::middle);
    end -= ImGui::CalcTextSize(cut.c_str()).x;
    list.AddText({end, y + 0.1F * em()}, colour::dim, cut.c_str());
    end -= em();
  }
  float after = left;
  {
    const FontScope regular(state.fonts.regular);
    after = draw_label(row, {left, y}, end - left, can ? colour::text : colour::faint) + em();
  }
  const auto draw_beside = [&](const std::string& words, ImU32 c) {
    if (end - after < 3.0F * em()) return;
    const std::string cut = elided(words, end - after, Cut::end);
    list.AddText({after, y + 0.1F * em()}, c, cut.c_str());
    after += ImGui::CalcTextSize(cut.c_str()).x + em();
  };
  draw_beside(path_of(action), colour::faint);
  if (!can) draw_beside(action.why_not, colour::warning);
}

// Draws the rows found. Returns the one that was clicked; null: none.
const Action* draw_found(PaletteView& palette, const PanelState& state,
                         const std::vector<Found>& found) {
  const float height = std::round(1.75F * em());
  const Action* chosen = nullptr;
  ImGui::BeginChild("found", {0.0F, 0.0F});
  if (std::exchange(palette.scroll_to_it, false)) {
    const float top = static_cast<float>(palette.selected) * height;
    const float seen = ImGui::GetWindowHeight();
    if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
    if (top + height > ImGui::GetScrollY() + seen) ImGui::SetScrollY(top + height - seen);
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0.0F, 0.0F));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(found.size()), height);
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const Found& row = found[static_cast<std::size_t>(i)];
      ImGui::PushID(i);
      const bool is_marked = static_cast<std::size_t>(i) == palette.selected;
      if (ui::selectable("##row", is_marked, ImGuiSelectableFlags_DontClosePopups, {0.0F, height},
                         path_of(*row.action) + ": " + row.action->label))
        chosen = row.action;
      const std::array about = {row.action->about, row.action->why_not};
      if (!row.action->about.empty()) tooltip(state.fonts, "", about);
      draw_row(row, state, is_marked);
      ImGui::PopID();
    }
  clipper.End();
  ImGui::PopStyleVar();
  if (found.empty())
    coloured_text(colour::dim, "  No match: a command needs these letters in this order.");
  ImGui::EndChild();
  return chosen;
}

bool pressed(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); }

// Arrows and pages move the choice; it stays within the list.
void move_choice(PaletteView& palette, std::size_t count) {
  if (count == 0) return;
  constexpr std::ptrdiff_t page = 10;
  std::ptrdiff_t way = 0;
  if (pressed(ImGuiKey_DownArrow)) way += 1;
  if (pressed(ImGuiKey_UpArrow)) way -= 1;
  if (pressed(ImGuiKey_PageDown)) way += page;
  if (pressed(ImGuiKey_PageUp)) way -= page;
  const auto last = static_cast<std::ptrdiff_t>(count) - 1;
  const auto now = std::min(static_cast<std::ptrdiff_t>(palette.selected), last);
  palette.selected = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + way, 0, last));
  palette.scroll_to_it |= way != 0;
}

// Draws the field and what it finds. Returns the row that was chosen; null: none.
const Action* draw_contents(PaletteView& palette, const PanelState& state,
                            const std::vector<Action>& rows, bool appears) {
  ImGui::SetNextItemWidth(-1.0F);
  if (appears || !ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere();
  if (ui::text_field("##wanted", &palette.query, ImGuiInputTextFlags_None,
                     "Scenes, primitives, variants, controls, settings, menus")) {
    palette.selected = 0;
    palette.scroll_to_it = true;
  }
  const std::vector<Found> found = search(rows, palette.query);
  move_choice(palette, found.size());
  const Action* chosen = draw_found(palette, state, found);
  const bool enters = !appears && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false);
  if (enters && palette.selected < found.size()) chosen = found[palette.selected].action;
  return chosen;
}

}  // namespace

Primitive primitive_in_view(const Model& model, const PanelState& state) {
  if (state.show_lab) return model.lab.question.primitive;
  const StageRow* const compared = model.stage(state.comparison);
  if (compared != nullptr && compared->variant) return (*compared->variant)->primitive;
  for (const StageRow& row : model.stages)
    if (row.variant && row.has_run) return (*row.variant)->primitive;
  return model.lab.question.primitive;
}

std::string lab_misses(const Model& model, Primitive primitive) {
  const bool is_there = primitive == model.lab.question.primitive;
  return model.lab.busy() && !is_there ? "The laboratory is running." : "";
}

std::vector<Action> all_actions(Model& model, PanelState& state) {
  std::vector<Action> rows = menu_actions(model, state);
  add_commands(model, state, rows);
  add_variants(model, rows);
  for (std::size_t i = 0; i < model.controls.size(); ++i) ControlActions(model, state, rows).add(i);
  add_tabs(model, state, rows);
  add_primitives(model, state, rows);
  return rows;
}

void draw_palette(Model& model, PanelState& state) {
  PaletteView& palette = state.palette;
  if (!palette.open) return;
  const bool appears = std::exchange(palette.appears, false);
  if (appears) ImGui::OpenPopup(popup_name);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5F * display.x, 0.12F * display.y}, ImGuiCond_Always, {0.5F, 0.0F});
  ImGui::SetNextWindowSize(
      {std::min(46.0F * em(), 0.94F * display.x), std::min(34.0F * em(), 0.75F * display.y)});
  if (!ImGui::BeginPopupModal(popup_name, nullptr,
                              ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoMove |
                                  ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings))
    return;
  state.animates = true;  // its cursor
  const std::vector<Action> rows = all_actions(model, state);
  const Action* const chosen = draw_contents(palette, state, rows, appears);
  const bool runs = chosen != nullptr && chosen->why_not.empty();
  const bool clicks_outside =
      !appears && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
      !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows |
                              ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  if (runs || clicks_outside || (!appears && pressed(ImGuiKey_Escape))) {
    palette.open = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  if (runs) chosen->act();
}

}  // namespace warpview
