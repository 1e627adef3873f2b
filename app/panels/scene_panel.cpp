// What is open: what of it is shown, what can be set in it, and its facts. Everything here is made
// from what the scene says of itself. Facts come and go, so they stand below all that is clicked.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/panels/command_keys.h"
#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

// ---- Facts --------------------------------------------------------------------------------------

std::string coordinates(const Vec3& v) {
  return fmt::format("{}, {}, {}", format_coordinate(v.x), format_coordinate(v.y),
                     format_coordinate(v.z));
}

// "Mesh" of "mesh.triangles"; short names are abbreviations: "BVH" of "bvh.max_depth".
std::string group_of(const Fact& fact) {
  std::string group = fact.name.substr(0, fact.name.find('.'));
  const std::size_t capitals = group.size() <= 3 ? group.size() : 1;
  for (std::size_t i = 0; i < capitals; ++i)
    group[i] = static_cast<char>(std::toupper(static_cast<unsigned char>(group[i])));
  return group;
}

void draw_box(const Aabb& box) {
  if (box.is_empty()) {
    property("Bounds", "none");
    return;
  }
  property("From", coordinates(box.min));
  property("To", coordinates(box.max));
}

std::string value_of(const Fact& fact) {
  const std::string unit = *fact.unit ? std::string(" ") + fact.unit : "";
  if (const auto* n = std::get_if<std::uint64_t>(&fact.value)) return group_digits(*n) + unit;
  if (const auto* x = std::get_if<double>(&fact.value)) {
    if (std::string_view(fact.unit) != "ms") return format_number(*x) + unit;
    return *x > 0.0 ? format_milliseconds(*x) + unit : format_milliseconds(*x);  // none yet
  }
  if (const auto* v = std::get_if<Vec3>(&fact.value)) return coordinates(*v) + unit;
  return std::get<std::string>(fact.value) + unit;
}

void draw_fact_course(const Fact& fact, const std::vector<float>& course, const PanelState& state) {
  if (course.size() < 2) return;
  plot(state.fonts, course, fact.unit, {ImGui::GetContentRegionAvail().x, 2.6F * em()},
       colour::accent);
}

// Words that have no room beside their title stand below it, in as many lines as they take.
bool draw_long_words(const Fact& fact, const PanelState& state) {
  const auto* words = std::get_if<std::string>(&fact.value);
  if (!words || words->find(' ') == std::string::npos) return false;
  const float beside = ImGui::CalcTextSize(fact.title.c_str()).x + em();
  if (ImGui::CalcTextSize(words->c_str()).x + beside < ImGui::GetContentRegionAvail().x)
    return false;
  coloured_text(colour::dim, fact.title);
  const FontScope small(state.fonts.small);
  ImGui::PushTextWrapPos(0.0F);
  text(*words);
  ImGui::PopTextWrapPos();
  return true;
}

void draw_fact(const Fact& fact, const Model& model, PanelState& state) {
  ImGui::BeginGroup();
  if (const auto* box = std::get_if<Aabb>(&fact.value)) {
    const FontScope small(state.fonts.small);
    draw_box(*box);
  } else if (std::holds_alternative<Vec3>(fact.value)) {
    const FontScope small(state.fonts.small);
    property(fact.title.c_str(), value_of(fact));
  } else if (!draw_long_words(fact, state)) {
    property(fact.title.c_str(), value_of(fact));
  }
  ImGui::EndGroup();
  const bool is_box = std::holds_alternative<Aabb>(fact.value);
  ui::note_fact(fact.name.c_str(), is_box ? std::string() : value_of(fact), fact.tooltip);
  const std::array about = {fact.tooltip, std::string(page_hint)};
  tooltip(state.fonts, "", about);
  if (asks_for_page()) open_scene_page(model, state, "facts");
  const auto course = model.results->courses.find(fact.name);
  if (course != model.results->courses.end()) draw_fact_course(fact, course->second, state);
}

enum class Heading { line, fold };

// A group that can be folded is open at first if one of its facts is plotted over time.
bool draw_heading(Heading heading, const std::string& group, const std::vector<Fact>& facts,
                  const Model& model, const PanelState& state) {
  if (heading == Heading::line) {
    section(state.fonts, group.c_str());
    return true;
  }
  const bool is_plotted = std::any_of(facts.begin(), facts.end(), [&](const Fact& fact) {
    const auto course = model.results->courses.find(fact.name);
    return group_of(fact) == group && course != model.results->courses.end() &&
           course->second.size() > 1;
  });
  ImGui::Dummy({0.0F, 0.1F * em()});
  ui::push_id("facts");  // an output may have the same name
  bool open = false;
  {
    const FontScope bold(state.fonts.bold);
    open = ui::fold(group.c_str(), ImGui::GetContentRegionAvail().x, is_plotted);
  }
  ui::pop_id();
  const std::array about = {std::string("Facts about what is open. Click to show or hide them.")};
  tooltip(state.fonts, "", about);
  return open;
}

// Draws group by group, ordered by the first fact of each.
void draw_facts(const std::vector<Fact>& facts, const Model& model, PanelState& state,
                Heading heading) {
  std::vector<std::string> groups;
  for (const Fact& fact : facts)
    if (std::ranges::find(groups, group_of(fact)) == groups.end()) groups.push_back(group_of(fact));
  for (const std::string& group : groups) {
    if (!draw_heading(heading, group, facts, model, state)) continue;
    for (const Fact& fact : facts)
      if (group_of(fact) == group) draw_fact(fact, model, state);
  }
}

// ---- What is shown ------------------------------------------------------------------------------

// A checkbox with its key at the right end of the line.
void show_toggle(const Model& model, PanelState& state, OutputRow& output) {
  elided_checkbox(output.title, ImGui::GetContentRegionAvail().x - 1.2F * em(), &output.shown);
  const std::array about = {output.about, "--show " + output.name, std::string(page_hint)};
  tooltip(state.fonts, "", about);
  if (asks_for_page()) open_scene_page(model, state, "what-is-drawn");
  if (output.key == 0) return;
  ImGui::SameLine();
  const FontScope small(state.fonts.small);
  text_to_right(colour::dim, std::string(1, output.key));
}

bool shows(const Model& model, bool (*is_wanted)(const OutputRow&)) {
  return std::any_of(model.outputs.begin(), model.outputs.end(), [is_wanted](const auto& output) {
    return output.shown && !output.empty && is_wanted(output);
  });
}

// A row of what the window shows in every scene. `missing`: why it has no effect now; empty: it
// has.
void window_toggle(const PanelState& state, const LookSwitch& look, const std::string& missing,
                   bool& value) {
  ImGui::BeginDisabled(!missing.empty());
  ui::checkbox(look.title, &value);
  ImGui::EndDisabled();
  const std::array words = {std::string(look.about), missing,
                            fmt::format("Applies to every scene. --no-{}", look.name)};
  tooltip(state.fonts, "", words);
}

// As many in a line as have room: they matter less than what the scene shows.
void window_toggles(Model& model, const PanelState& state) {
  const FontScope small(state.fonts.small);
  const ImGuiStyle& style = ImGui::GetStyle();
  const float gap = 0.7F * em();
  const float end = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  float next = end;  // where the next one would begin
  for (const LookSwitch& look : look_switches) {
    const float width =
        ImGui::GetFrameHeight() + style.ItemInnerSpacing.x + ImGui::CalcTextSize(look.title).x;
    if (next + width <= end) ImGui::SameLine(next);
    const float begin = ImGui::GetCursorPosX();
    window_toggle(state, look, look_misses(model, look), model.show.*look.value);
    next = begin + width + gap;
  }
}

void draw_outputs(Model& model, PanelState& state) {
  section(state.fonts, "Show");
  for (OutputRow& output : model.outputs)
    if (!output.empty) show_toggle(model, state, output);
  window_toggles(model, state);
}

// "it needs Shape to be Twist or Bulge."
std::string need_in_words(const Model& model, const Need& need) {
  if (need.output != nullptr) {
    const OutputRow* const output = model.output(need.output);
    return fmt::format("{} is not shown.", output != nullptr ? output->title : need.output);
  }
  const Control& other = model.controls.all()[model.controls.find(need.control)];
  std::string values;
  for (const char* value : need.values)
    if (value != nullptr) values += (values.empty() ? "" : " or ") + capitalised(value);
  return fmt::format("it needs {} to be {}.", other.title, values);
}

// ---- Controls -----------------------------------------------------------------------------------

class ControlRows {
 public:
  ControlRows(Model& model, PanelState& state, float column)
      : model_(model), state_(state), column_(column) {}

  void draw() {
    std::vector<std::string> groups;
    for (const Control& control : model_.controls.all())
      if (std::find(groups.begin(), groups.end(), control.group) == groups.end())
        groups.emplace_back(control.group);
    for (const std::string& group : groups) {
      section(state_.fonts, group.empty() ? "Settings" : group.c_str());
      for (std::size_t i = 0; i < model_.controls.size(); ++i)
        if (group == model_.controls.all()[i].group) draw_control(i);
    }
  }

 private:
  // One without an effect is grey: all of its row says why.
  void draw_control(std::size_t index) {
    const Control& control = model_.controls.all()[index];
    const std::string missing = control_misses(model_, index);
    if (missing.empty()) return draw_widgets(control, index);
    ImGui::BeginGroup();
    ImGui::BeginDisabled();
    is_grey_ = true;
    draw_widgets(control, index);
    is_grey_ = false;
    ImGui::EndDisabled();
    ImGui::EndGroup();
    explain(control, missing);
  }
  void draw_widgets(const Control& control, std::size_t index) {
    const ui::AboutScope about(control.tooltip);
    ui::push_id(control.name);
    switch (control.kind) {
      case Control::Kind::toggle:
        draw_toggle(control, index);
        break;
      case Control::Kind::number:
        draw_number(control, index);
        break;
      case Control::Kind::choice:
        draw_choice(control, index);
        break;
      case Control::Kind::action:
        if (ui::button(control.title, {-1.0F, 0.0F}))
          model_.controls.set(index, model_.controls.value(index) + 1.0);
        explain(control);
        break;
    }
    ui::pop_id();
  }

  void label(const Control& control) const {
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, colour::dim);
    const float room = column_ - ImGui::GetCursorPosX() - 0.3F * em();
    {
      // Small letters before dots.
      const bool is_long = ImGui::CalcTextSize(control.title).x > room;
      const FontScope font(is_long ? state_.fonts.small : nullptr);
      elided_text(control.title, room, Cut::end);
    }
    ImGui::PopStyleColor();
    explain(control);
    ImGui::SameLine();
    ImGui::SetCursorPosX(column_);  // SameLine(column_) would count from a grey row's group
    ImGui::SetNextItemWidth(-1.0F);
  }
  void explain(const Control& control) const {
    if (!is_grey_) explain(control, "");
  }
  void explain(const Control& control, const std::string& missing) const {
    const std::array about = {
        std::string(control.tooltip), missing,
        fmt::format("--set {}=...: {}", control.name, range_in_words(control)),
        std::string(page_hint)};
    tooltip(state_.fonts, "", about);
    if (asks_for_page()) open_scene_page(model_, state_, "controls");
  }

  void draw_toggle(const Control& control, std::size_t index) {
    bool on = model_.controls.value(index) != 0.0;
    if (elided_checkbox(control.title, ImGui::GetContentRegionAvail().x, &on))
      model_.controls.set(index, on ? 1.0 : 0.0);
    explain(control);
  }

  void draw_choice(const Control& control, std::size_t index) {
    int chosen = static_cast<int>(model_.controls.value(index));
    label(control);
    float widest = 0.0F;
    std::vector<std::string> words;
    for (const char* choice : control.choices) words.push_back(capitalised(choice));
    std::vector<const char*> labels;
    for (const std::string& word : words) {
      labels.push_back(word.c_str());
      widest = std::max(widest, ImGui::CalcTextSize(word.c_str()).x + 0.8F * em());
    }
    if (widest * static_cast<float>(labels.size()) <= ImGui::GetContentRegionAvail().x) {
      ImGui::BeginGroup();
      if (segments("choice", labels, chosen, ImGui::GetContentRegionAvail().x))
        model_.controls.set(index, chosen);
      ImGui::EndGroup();
      return explain(control);
    }
    if (!begin_combo("##choice", labels[static_cast<std::size_t>(chosen)], -1.0F))
      return explain(control);
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (ui::selectable(labels[i], static_cast<int>(i) == chosen))
        model_.controls.set(index, static_cast<double>(i));
    end_combo();
  }

  // For a slider: the value with its unit, or what was derived for a value of 0.
  std::string format_on_slider(const Control& control, std::size_t index, double value,
                               double most) const {
    const int digits = control.whole ? 0 : most - control.least > 20.0 ? 1 : 3;
    const bool is_fixed = digits < 3;
    const auto in_digits = [&](double number) {
      return is_fixed ? fmt::format("{:.{}f}", number, digits)
                      : fmt::format("{:.{}g}", number, digits);
    };
    const auto& derived = model_.results->derived;
    if (value == 0.0 && index < derived.size() && derived[index])
      return fmt::format("auto ({})", in_digits(*derived[index]));
    return fmt::format("%.{}{}{}{}", digits, is_fixed ? "f" : "g", *control.unit ? " " : "",
                       unit_after(in_digits(value), control.unit));
  }

  // What makes the scene anew is set when the slider is let go, all else while it moves.
  void draw_number(const Control& control, std::size_t index) {
    const auto held = state_.dragged.find(control.name);
    double value = held != state_.dragged.end() ? held->second : model_.controls.value(index);
    double most = control.most;
    if (index < model_.results->slider_max.size()) most = model_.results->slider_max[index];
    most = std::max(std::min(most, control.most), control.least);
    label(control);
    ImGuiSliderFlags flags = ImGuiSliderFlags_AlwaysClamp;
    if (control.logarithmic) flags |= ImGuiSliderFlags_Logarithmic;
    const std::string format = format_on_slider(control, index, value, most);
    if (state_.keyboard.control == control.name) {
      state_.keyboard.control.clear();
      ui::focus_next();
    }
    ui::slider("##value", &value, control.least, most, format.c_str(), flags);
    const bool changed = ImGui::IsItemActive() || ImGui::IsItemDeactivatedAfterEdit();
    if (!ImGui::IsItemActive()) explain(control);
    if (!changed) {
      state_.dragged.erase(control.name);
      return;
    }
    if (control.whole) value = std::round(value);
    if (control.effect == Effect::remake && !ImGui::IsItemDeactivatedAfterEdit()) {
      state_.dragged[control.name] = value;
      return;
    }
    state_.dragged.erase(control.name);
    model_.controls.set(index, std::clamp(value, control.least, control.most));
  }

  Model& model_;
  PanelState& state_;
  float column_;
  bool is_grey_ = false;  // the row that is being drawn
};

// ---- Time ---------------------------------------------------------------------------------------

// There while nothing moves, too, or it would push the controls down when something does.
void draw_time(Model& model, const PanelState& state) {
  if (model.scene_kind != nullptr && model.scene_kind->stands_still) return;
  section(state.fonts, "Time");
  const bool moves = model.results->moving;
  ImGui::BeginGroup();
  ImGui::BeginDisabled(!moves);
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const float width = (ImGui::GetContentRegionAvail().x - 2.0F * gap) / 3.0F;
  const std::string still = "Nothing is animated with these settings.";
  const auto explain = [&](const std::string& words) {
    if (moves) tooltip(state.fonts, "", {&words, 1});
  };
  const auto with_key = [](const char* words, Command command) {
    return fmt::format("{} Key: {}", words, keys_of(command));
  };
  const ui::AboutScope scope(still);
  if (ui::button(model.playing ? "Pause" : "Run", {width, 0.0F})) model.playing = !model.playing;
  explain(with_key("Stops the scene's time, or lets it go on.", Command::pause));
  ImGui::SameLine();
  ImGui::BeginDisabled(model.playing);
  if (ui::button("Step", {width, 0.0F})) model.requests.add(request::Step{});
  explain(with_key("Computes one frame of the paused scene.", Command::step));
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ui::button("Reset", {width, 0.0F})) model.requests.add(request::ResetScene{});
  explain("Starts the scene again from its beginning.");
  ImGui::EndDisabled();
  ImGui::EndGroup();
  if (!moves) tooltip(state.fonts, "", {&still, 1});
}

// Has the mesh that is open an effect on the scene as it is set?
bool shows_mesh(const Model& model) {
  return model.scene_kind == nullptr || model.scene_kind->shows_mesh(model.controls);
}

// The scene's name, and behind it the files that it was opened with, as far as there is room.
void draw_names(const Model& model, const PanelState& state) {
  const bool open = !model.scene_name.empty();
  const float least = 4.0F * em();  // for the files
  {
    const FontScope bold(state.fonts.bold);
    const std::string name = open            ? model.scene_name
                             : model.loading ? "Opening " + model.loading_spec
                                             : "No scene";
    elided_text(name, ImGui::GetContentRegionAvail().x - (open ? least : 0.0F));
  }
  if (!open || !shows_mesh(model)) return;
  ImGui::SameLine(0.0F, 0.6F * em());
  const FontScope small(state.fonts.small);
  ImGui::PushStyleColor(ImGuiCol_Text, colour::dim);
  const float lower = 0.12F * em();  // so that both stand on one line
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + lower);
  elided_text(model.scene_spec, ImGui::GetContentRegionAvail().x);
  ImGui::PopStyleColor();
}

// What one sees and what to try.
void draw_scene_invitation(const Model& model, PanelState& state) {
  const FontScope small(state.fonts.small);
  ImGui::BeginGroup();
  paragraph(colour::text, model.scene_kind->invitation);
  ImGui::EndGroup();
  const std::array about = {std::string(model.scene_kind->summary), std::string(page_hint)};
  tooltip(state.fonts, "", about);
  if (asks_for_page()) open_scene_page(model, state);
}

// ---- The panel ----------------------------------------------------------------------------------

constexpr float column_in_ems = 6.6F;

// Another scene, or the same one with other files, is seen from its top.
void scroll_to_top_of_another(const Model& model, PanelState& state) {
  const std::string kind = model.scene_kind != nullptr ? model.scene_kind->name : "";
  const std::string open = kind + '\n' + files_of(model);
  if (std::exchange(state.panel_of, open) != open) ImGui::SetScrollY(0.0F);
}

}  // namespace

std::string control_misses(const Model& model, std::size_t control) {
  const Need* const need = model.unmet_need(control);
  return need == nullptr ? "" : "No effect now: " + need_in_words(model, *need);
}

std::string look_misses(const Model& model, const LookSwitch& look) {
  if (look.value == &RenderOptions::dims_surfaces) return dimming_misses(model);
  const bool stands = shows(model, [](const OutputRow& row) { return stands_on_ground(row.kind); });
  if (look.value == &RenderOptions::horizon)
    return model.camera.scene_is_flat() && !stands ? "No effect now: the scene is flat." : "";
  bool any = stands;
  if (look.value == &RenderOptions::shadows)
    any = shows(model, [](const OutputRow& row) { return has_shadows(row.kind); });
  if (look.value == &RenderOptions::occlusion)
    any = shows(model, [](const OutputRow& row) { return has_occlusion(row.kind); });
  return any ? "" : "No effect now: no surfaces or spheres are shown.";
}

std::string dimming_misses(const Model& model) {
  if (!shows(model, [](const OutputRow& row) { return row.kind == OutputKind::surface; }))
    return "No effect now: no surfaces are shown.";
  const bool any = shows(model, [](const OutputRow& row) { return row.dims_surfaces; });
  return any ? "" : "No effect now: no boxes, curves or points are shown over them.";
}

void draw_scene_panel(Model& model, PanelState& state) {
  scroll_to_top_of_another(model, state);
  const float column = column_in_ems * em();
  draw_names(model, state);
  if (model.scene_name.empty()) return;
  if (model.scene_kind != nullptr) draw_scene_invitation(model, state);
  draw_outputs(model, state);
  draw_time(model, state);
  draw_budgets(model, state);
  ControlRows(model, state, column).draw();
  state.keyboard.control.clear();  // one that is not there
  std::vector<Fact> facts;
  for (const Fact& fact : model.results->facts)
    if (!is_of_contender(*model.results, fact)) facts.push_back(fact);
  draw_facts(facts, model, state, Heading::fold);
}

float height_of_picked(const Model& model, const PanelState& state, float most) {
  if (model.picked.empty()) return 0.0F;
  return std::min(std::max(state.picked_height, 4.0F * em()), std::round(0.45F * most));
}

void draw_picked(const Model& model, PanelState& state) {
  draw_facts(model.picked, model, state, Heading::line);
  const ImGuiStyle& style = ImGui::GetStyle();
  const float height =
      std::ceil(ImGui::GetCursorPosY() - style.ItemSpacing.y + style.WindowPadding.y);
  state.animates |= height != state.picked_height;
  state.picked_height = height;
}

}  // namespace warpview
