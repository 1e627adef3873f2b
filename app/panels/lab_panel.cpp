// The laboratory: a question on top, what came out below.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "app/panels/actions.h"
#include "app/panels/empty_state.h"
#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"
#include "app/played_run.h"

namespace warpview {
namespace {

const char* in_words(lab::Distribution distribution) {
  switch (distribution) {
    case lab::Distribution::uniform:
      return "all values equally likely";
    case lab::Distribution::few:
      return "five distinct values, in any order";
    case lab::Distribution::skewed:
      return "a few values dominate";
    case lab::Distribution::sorted:
      return "ascending";
    case lab::Distribution::reversed:
      return "descending";
    case lab::Distribution::constant:
      return "one value";
    case lab::Distribution::small:
      return "small numbers, in any order";
    case lab::Distribution::typed:
      return "the numbers that you typed";
    case lab::Distribution::mesh:
      return "made from the mesh's triangles";
  }
  return "";
}

// What a primitive has too, if the last one had it, else its first.
void choose_primitive(LabModel& lab, LabView& view, Primitive primitive) {
  lab::Question& question = lab.question;
  if (question.primitive == primitive) return;
  question.primitive = primitive;
  question.form = 0;
  const auto known = lab::experiment(primitive).distributions;
  if (std::find(known.begin(), known.end(), question.distribution) == known.end())
    question.distribution = known.front();
  view.variant.reset();
}

// Where explanations of names begin, behind the widest of them.
template <class Each, class Name>
float column_behind(const Each& all, const Name& name_of) {
  float widest = 11.0F * em();
  for (const auto& each : all) widest = std::max(widest, ImGui::CalcTextSize(name_of(each)).x);
  return ImGui::GetStyle().WindowPadding.x + widest + em();
}

// One of several, each with a word of explanation behind it.
bool choice(const char* name, const char* explanation, bool chosen, float column) {
  const bool picked = ui::selectable(name, chosen);
  if (chosen) ImGui::SetItemDefaultFocus();
  ImGui::SameLine(column);
  coloured_text(colour::dim, explanation);
  return picked;
}

// A dim word at `at`, and below it the next widget, `width` wide.
void labelled(const PanelState& state, const std::string& label, ImVec2 at, float width) {
  const FontScope small(state.fonts.small);
  ImGui::SetCursorPos(at);
  coloured_text(colour::dim, label);
  ImGui::SetCursorPos({at.x, at.y + ImGui::GetTextLineHeight() + 0.2F * em()});
  ImGui::SetNextItemWidth(width);
}

void draw_primitive(LabModel& lab, PanelState& state, float width) {
  if (begin_combo("##primitive", title(lab.question.primitive), width)) {
    std::vector<Primitive> all;
    all.reserve(primitive_count);
    for (int p = 0; p < primitive_count; ++p) all.push_back(static_cast<Primitive>(p));
    const float column = column_behind(all, [](Primitive each) { return title(each); });
    for (const Primitive primitive : all) {
      const std::string variants = format_count(variants_of(primitive).size(), "variant");
      if (choice(title(primitive), variants.c_str(), primitive == lab.question.primitive, column))
        choose_primitive(lab, state.lab, primitive);
    }
    end_combo();
  }
}

void draw_form(LabModel& lab, const PanelState& state, float width) {
  lab::Question& question = lab.question;
  const auto forms = lab::experiment(question.primitive).forms;
  const lab::Form& chosen = forms[static_cast<std::size_t>(question.form)];
  // Its short name where the long one has no room beside the arrow.
  const bool fits = ImGui::CalcTextSize(chosen.summary).x < width - 2.2F * em();
  if (begin_combo("##form", fits ? chosen.summary : chosen.name, width)) {
    const float column = column_behind(forms, [](const lab::Form& each) { return each.name; });
    for (std::size_t f = 0; f < forms.size(); ++f)
      if (choice(forms[f].name, forms[f].summary, static_cast<int>(f) == question.form, column))
        question.form = static_cast<int>(f);
    end_combo();
  } else {
    const std::array about = {std::string(chosen.summary)};
    tooltip(state.fonts, chosen.name, about);
  }
}

void draw_distribution(LabModel& lab, float width) {
  lab::Question& question = lab.question;
  if (begin_combo("##distribution", lab::to_string(question.distribution), width)) {
    const auto known = lab::experiment(question.primitive).distributions;
    const float column = column_behind(known, [](auto each) { return lab::to_string(each); });
    for (const lab::Distribution each : known)
      if (choice(lab::to_string(each), in_words(each), each == question.distribution, column))
        question.distribution = each;
    end_combo();
  }
}

int exponent_of(std::uint32_t n) { return std::max(static_cast<int>(std::bit_width(n)) - 1, 0); }

// The items of a counted run.
std::uint32_t counted_items(const LabModel& lab) { return lab.sizes(LabSizes::few).front(); }

std::string size_in_words(const LabModel& lab, LabSizes which) {
  const lab::ExperimentKind& kind = lab::experiment(lab.question.primitive);
  if (which == LabSizes::few)
    return fmt::format("Size: {} {}, on a CPU device that counts memory accesses",
                       group_digits(counted_items(lab)), kind.items);
  const std::vector<std::uint32_t> sizes = lab.sizes(which);
  const std::uint32_t items = sizes.empty() ? 0 : sizes.back();
  const double bytes = kind.memory_each * static_cast<double>(items);
  const std::string how_many = sizes.size() > 1
                                   ? fmt::format("{} sizes from {} to {}", sizes.size(),
                                                 group_digits(sizes.front()), group_digits(items))
                                   : "Size: " + group_digits(items);
  return fmt::format("{} {}; input, results and scratch take up to {} of device memory", how_many,
                     kind.items, format_bytes(static_cast<std::uint64_t>(bytes)));
}

// "2^16", or a size that is no power of two in digits; for a slider, which takes no other signs.
std::string size_on_slider(std::uint32_t items) {
  return std::has_single_bit(items) ? std::string("2^%d") : group_digits(items);
}

// Up to what fits into the device's memory.
void draw_size(LabModel& lab, float width) {
  lab::Question& question = lab.question;
  const int most = lab.most_exponent();
  int exponent = exponent_of(lab.items());
  const std::string format = size_on_slider(lab.items());
  ImGui::SetNextItemWidth(width);
  if (ui::slider("##size", &exponent, 0, std::max(most, 1), format.c_str()))
    question.n = 1U << static_cast<unsigned>(std::min(exponent, most));
}

// From the smallest size of a sweep to its largest.
void draw_range(LabModel& lab, const PanelState& state, float width) {
  const int most = lab.most_exponent();
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  const auto slider = [&](const char* id, const char* format, int& exponent, const char* about) {
    ImGui::SetNextItemWidth(0.5F * (width - gap));
    int value = std::clamp(exponent, 0, most);
    if (ui::slider(id, &value, 0, most, format)) exponent = value;
    const std::array words = {std::string(about)};
    tooltip(state.fonts, "", words);
  };
  slider("##first", "from 2^%d", lab.sweep_first, "The smallest size.");
  lab.sweep_first = std::min(lab.sweep_first, most);
  ImGui::SameLine();
  slider("##last", "to 2^%d", lab.sweep_last,
         "The largest size, limited by device memory and by the primitive.");
  lab.sweep_first = std::min(lab.sweep_first, lab.last_of_sweep());
}

void draw_counted(LabModel& lab, const PanelState& state, float width) {
  const std::uint32_t items = counted_items(lab);
  int exponent = std::clamp(exponent_of(items), LabModel::least_counted, LabModel::most_counted);
  const std::string format = size_on_slider(items);
  ImGui::SetNextItemWidth(width);
  if (ui::slider("##counted", &exponent, LabModel::least_counted, LabModel::most_counted,
                 format.c_str())) {
    lab.counted = exponent;
    lab.question.n = std::max(lab.question.n, 1U << static_cast<unsigned>(exponent));
  }
  const std::array about = {
      std::string("Number of items to count. Use more than one tile: scans and similar variants "
                  "look alike in a single one. 2^16 takes about a second.")};
  tooltip(state.fonts, "", about);
}

void draw_sizes(LabModel& lab, const PanelState& state, LabSizes which, float width) {
  switch (which) {
    case LabSizes::swept:
      return draw_range(lab, state, width);
    case LabSizes::few:
      return draw_counted(lab, state, width);
    case LabSizes::chosen:
    case LabSizes::own:
      return draw_size(lab, width);
  }
}

// Asks what the tab in front shows.
void draw_run(Model& model, const PanelState& state, LabTask front, ImVec2 size) {
  const LabModel& lab = model.lab;
  if (lab.busy()) {
    const FontScope bold(state.fonts.bold);
    ImGui::BeginDisabled(lab.cancelling);
    if (ui::button(lab.cancelling ? "Cancelling..." : "Cancel", size))
      model.requests.add(request::CancelLab{});
    ImGui::EndDisabled();
    return;
  }
  if (primary_button(state, lab_task(answered_by(front)).question.button, size))
    model.requests.add(request::RunLab{answered_by(front)});
}

void draw_question(Model& model, PanelState& state, LabTask front) {
  LabModel& lab = model.lab;
  const ImVec2 at = ImGui::GetCursorPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float gap = 0.7F * em();
  const float run = std::min(7.0F * em(), 0.3F * width);
  const float rest = width - run - gap;  // all but the button
  const float primitive = 0.30F * (rest - 2.0F * gap);
  const float distribution = 0.18F * (rest - 2.0F * gap);
  const float form = rest - primitive - distribution - 2.0F * gap;
  const LabSizes sizes = lab_task(answered_by(front)).question.sizes;

  ImGui::BeginDisabled(lab.busy());
  labelled(state, "Primitive", at, primitive);
  draw_primitive(lab, state, primitive);
  labelled(state, "Form", {at.x + primitive + gap, at.y}, form);
  draw_form(lab, state, form);
  labelled(state, "Input", {at.x + primitive + form + 2.0F * gap, at.y}, distribution);
  draw_distribution(lab, distribution);
  labelled(state, size_in_words(lab, sizes), {at.x, ImGui::GetCursorPosY()}, rest);
  draw_sizes(lab, state, sizes, rest);
  ImGui::EndDisabled();

  const float end = ImGui::GetCursorPosY();
  const float first = at.y + ImGui::GetTextLineHeight() + 0.1F * em();  // below the labels
  ImGui::SetCursorPos({at.x + rest + gap, first});
  draw_run(model, state, front, {run, end - ImGui::GetStyle().ItemSpacing.y - first});
  ImGui::SetCursorPos({at.x, end});
}

// The primitive and its form: all that tabs about the primitive take of the question.
void draw_primitive_and_form(LabModel& lab, PanelState& state, float gap, float width) {
  const float primitive = std::clamp(0.35F * width, 1.0F, 16.0F * em());
  const float form = std::clamp(width - primitive, 1.0F, 26.0F * em());
  ImGui::BeginDisabled(lab.busy());
  draw_primitive(lab, state, primitive);
  ImGui::SameLine(0.0F, gap);
  draw_form(lab, state, form);
  ImGui::EndDisabled();
}

// In one line: what the tab is about, and whether the scene is beside it.
void draw_subject(Model& model, PanelState& state, LabTask tab) {
  const float gap = 0.5F * em();
  constexpr const char* beside = "Show scene";
  const float box = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x +
                    ImGui::CalcTextSize(beside).x;
  const float rest = ImGui::GetContentRegionAvail().x - box - 2.0F * gap;
  const PlayedRun* const fault = tab == LabTask::steps ? played_fault(model.lab) : nullptr;
  if (fault != nullptr)
    draw_origin(*fault, rest);
  else if (has_primitive(tab))
    draw_primitive_and_form(model.lab, state, gap, rest);
  else
    draw_faults_warning(rest);
  ImGui::SameLine(ImGui::GetContentRegionMax().x - box);
  ImGui::BeginDisabled(!has_room_beside_laboratory(ImGui::GetIO().DisplaySize.x / em()));
  if (ui::checkbox(beside, &state.settings.scene_beside_primitive)) state.settings_changed = true;
  ImGui::EndDisabled();
  const std::array about = {std::string(
      "Keeps the scene beside the tabs About, Steps and Faults. A scene that is not shown is "
      "neither computed nor drawn.")};
  tooltip(state.fonts, "", about);
}

std::string progress_of(const LabModel& lab, double since) {
  if (!lab.building.empty()) return lab.building;
  if (lab.state == LabModel::State::preparing) {
    constexpr double worth_telling = 2.0;  // seconds
    const double seconds = ImGui::GetTime() - since;
    return fmt::format("Generating {} items and their sequential reference{}",
                       group_digits(lab.under_way().asked.n),
                       seconds < worth_telling ? std::string("...")
                                               : fmt::format(": {:.0f} s", std::floor(seconds)));
  }
  if (!lab.variant) return "Cancelling...";
  const LabSeries& series = lab.under_way();
  const std::string size = series.sizes.empty() ? "" : " at " + group_digits(lab.size);
  return fmt::format(
      "{} {}{}: {} of {}",
      lab_task(lab.task).question.device == LabDevice::counting ? "Counting"
                                                                : "Verifying and timing",
      (*lab.variant)->title, size, series.answers.size() + 1, series.answers_to_come());
}

void draw_busy(const LabModel& lab, double since) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const LabSeries& series = lab.under_way();
  bar(static_cast<float>(series.answers.size()) /
          static_cast<float>(std::max<std::size_t>(series.answers_to_come(), 1)),
      {width, 0.3F * em()}, colour::accent);
  ImGui::SetCursorScreenPos({at.x, at.y + 0.4F * em()});
  coloured_text(colour::accent, progress_of(lab, since));
  if (!lab.building.empty()) return;
  ImGui::SameLine();
  coloured_text(colour::dim, "The scene's kernels wait meanwhile.");
}

// One line: what goes on, or what the results below are of. Sweep and Counters tell that beside
// their own results.
void draw_state(const Model& model, const PanelState& state, LabTask front) {
  const LabModel& lab = model.lab;
  if (lab.busy()) return draw_busy(lab, state.lab.busy_since);
  ImGui::Dummy({0.0F, 0.4F * em() - ImGui::GetStyle().ItemSpacing.y});
  const LabSeries& times = lab.shown(LabTask::results);
  if (answered_by(front) != LabTask::results) return;
  // Results and Busy tell it in the place of what is missing.
  const bool tells_it =
      times.answers.empty() && (front == LabTask::results || front == LabTask::busy);
  if (!times.error.empty() && !tells_it) paragraph(colour::error, times.error);
  if (!times.error.empty() || times.answers.empty() || front == LabTask::runs) return;
  const lab::Question& asked = times.asked;
  const lab::ExperimentKind& kind = lab::experiment(asked.primitive);
  const lab::Form& form = kind.forms[static_cast<std::size_t>(asked.form)];
  const bool whole = times.answers.size() == times.variants.size();
  if (whole && front == LabTask::busy) return;  // its plot says the same
  {
    const FontScope bold(state.fonts.bold);
    text(title(asked.primitive));
  }
  ImGui::SameLine(0.0F, 0.5F * em());
  ImGui::PushStyleColor(ImGuiCol_Text, colour::dim);
  elided_text(fmt::format("{}, {} {} {} on {}{}", form.name, group_digits(asked.n),
                          lab::to_string(asked.distribution), kind.items, model.device.name,
                          whole ? "" : "; cancelled early"),
              ImGui::GetContentRegionAvail().x, Cut::end);
  ImGui::PopStyleColor();
}

// A tab that is to come to the front is there with the next frame.
bool begin_tab(LabView& view, const LabTaskRow& tab) {
  const bool bring = view.open == tab.task;
  const bool is_front =
      ui::begin_tab(tab.title, bring ? ImGuiTabItemFlags_SetSelected : ImGuiTabItemFlags_None);
  if (is_front) view.front = tab.task;
  if (is_front && bring) view.open.reset();
  return is_front;
}

// The strip of tabs; the one in front becomes view.front.
void draw_tab_bar(const Model& model, LabView& view) {
  const Primitive primitive = model.lab.question.primitive;
  if (view.open && !lab_task(*view.open).is_for(primitive)) view.open.reset();
  if (!ImGui::BeginTabBar("tabs")) return;
  for (const LabTaskRow& tab : lab_tasks)
    if (tab.is_for(primitive) && begin_tab(view, tab)) ImGui::EndTabItem();
  ImGui::EndTabBar();
}

void draw_tab(LabTask tab, Model& model, PanelState& state) {
  switch (tab) {
#define LAB_TASK(name, ...) \
  case LabTask::name:       \
    return draw_lab_##name(model, state);
#include "app/panels/lab_tasks.def"
#undef LAB_TASK
  }
}

}  // namespace

void open_laboratory(Model& model, PanelState& state, Primitive primitive,
                     std::optional<VariantId> variant, LabTask tab) {
  state.show_lab = true;
  if (!lab_misses(model, primitive).empty()) return;
  choose_primitive(model.lab, state.lab, primitive);
  state.lab.variant = variant;
  state.lab.open = tab;
}

void open_stage_in_laboratory(Model& model, PanelState& state, const StageRow& row) {
  const Primitive primitive = (*row.variant)->primitive;
  open_laboratory(model, state, primitive, row.variant, first_tab(model));
  if (!lab_misses(model, primitive).empty() || row.result->work.items == 0) return;
  LabModel& lab = model.lab;
  constexpr std::uint64_t most = 1U << 28U;
  lab.question.n =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(row.result->work.items, most));
  const int to_count = static_cast<int>(std::bit_width(lab.question.n - 1U));
  lab.counted = std::max(lab.counted, std::min(to_count, LabModel::most_counted));
}

void show_opened_recording(Model& model, PanelState& state) {
  LabSteps& steps = model.lab.steps;
  if (!steps.opened || model.lab.busy() || !steps.shown[0].run) return;
  steps.opened = false;
  state.animates = true;  // the tab comes to the front with the next frame
  state.lab.steps.asked = false;
  state.lab.steps.comparison.reset();
  const Recording& recording = steps.shown[0].run->recording();
  Primitive primitive = model.lab.question.primitive;
  std::optional<VariantId> variant = state.lab.variant;
  for (int p = 0; p < primitive_count; ++p) {
    if (recording.primitive != to_string(static_cast<Primitive>(p))) continue;
    primitive = static_cast<Primitive>(p);
    variant.reset();
    for (const VariantId each : variants_of(primitive))
      if (recording.variant == each->name) variant = each;
  }
  open_laboratory(model, state, primitive, variant, LabTask::steps);
}

void show_watched_stage(Model& model, PanelState& state) {
  LabSteps& steps = model.lab.steps;
  if (!steps.watched || model.lab.busy()) return;
  const LabSteps::Watched watched = *steps.watched;
  steps.watched.reset();
  open_laboratory(model, state, watched.variant->primitive, watched.variant, LabTask::steps);
  model.lab.question.form = watched.form;
  state.lab.steps.asked = true;
  state.lab.steps.comparison.reset();
  // Such runs have thousands of steps.
  constexpr double least_speed = 200.0;
  state.lab.steps.player.speed = std::max(state.lab.steps.player.speed, least_speed);
}

LabTask first_tab(const Model& model) {
  return is_emulated(model) ? LabTask::counters : LabTask::results;
}

bool draw_empty_task(Model& model, const PanelState& state, LabTask task, const EmptyState& empty) {
  EmptyState now = empty;
  now.trouble = model.lab.shown(task).error;
  now.button = model.lab.busy() ? nullptr : lab_task(answered_by(task)).question.button;
  const bool pressed = draw_empty_state(state, now);
  if (pressed) model.requests.add(request::RunLab{answered_by(task)});
  return pressed;
}

bool shows_copied(PanelState& state) {
  constexpr double shown_for = 2.5;  // seconds
  const bool shown = ImGui::GetTime() - state.lab.copied < shown_for;
  state.animates |= shown;
  return shown;
}

bool shows_scene_beside_lab(const PanelState& state) {
  const LabView& lab = state.lab;
  const auto front = lab.open ? lab.open : lab.front;
  return !front || !takes_scenes_place(*front) || state.settings.scene_beside_primitive;
}

void draw_lab_panel(Model& model, PanelState& state) {
  LabView& view = state.lab;
  if (!view.front && !view.open) view.open = first_tab(model);
  draw_tab_bar(model, view);
  if (!view.front) return;
  const LabTask front = *view.front;
  const bool takes_all = takes_scenes_place(front);
  if (!model.lab.busy() || view.busy_since < 0.0)
    view.busy_since = model.lab.busy() ? ImGui::GetTime() : -1.0;
  takes_all ? draw_subject(model, state, front) : draw_question(model, state, front);
  if (!takes_all || model.lab.busy()) {
    ImGui::Dummy({0.0F, 0.2F * em()});
    draw_state(model, state, front);
    ImGui::Dummy({0.0F, 0.2F * em()});
  }
  if (!view.variant || (*view.variant)->primitive != model.lab.question.primitive)
    view.variant = default_variant(model.lab.question.primitive, model.device.backend);
  ImGui::PushID("tabs");
  ImGui::PushID(lab_task(front).title);
  draw_tab(front, model, state);
  ImGui::PopID();
  ImGui::PopID();
}

}  // namespace warpview
