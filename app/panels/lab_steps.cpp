// The laboratory's Steps tab: one run of a variant, recorded and played step by step.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "app/panels/parts.h"
#include "app/panels/steps_input.h"
#include "app/panels/steps_transport.h"
#include "app/panels/variant_names.h"
#include "app/panels/widgets.h"
#include "app/step_views/page/sheet.h"

namespace warpview {
namespace {

constexpr const char* about_records =
    "Record runs a variant once on the CPU and plays it step by step, forwards and backwards. In "
    "each step some lanes of a warp make one memory access, arrive at a barrier or exchange "
    "values. "
    "The seed chooses the order in which blocks and warps take turns. Equal seeds repeat a run.";

// The variant that is recorded: one that the CPU device has.
VariantId variant_of(const Model& model, const PanelState& state) {
  const std::optional<VariantId>& chosen = state.lab.variant;
  if (chosen && (*chosen)->available.cpu) return *chosen;
  return default_variant(model.lab.question.primitive, Backend::cpu);
}

// The run that the choices ask for on that side; none: no run.
std::optional<RecordingQuestion> question_of(const Model& model, const PanelState& state,
                                             std::size_t side) {
  const StepsView& view = state.lab.steps;
  if (side > 0 && !view.comparison) return {};
  lab::Question question = model.lab.question;
  take_steps_input(model.lab.steps, variant_of(model, state), question);
  const LabSteps& steps = model.lab.steps;
  RecordingQuestion asked{.question = question,
                          .variant = variant_of(model, state),
                          .seed = steps.seed,
                          .interleave = steps.interleave,
                          .warp_size = steps.warp_size,
                          .blocks = steps_blocks(steps)};
  if (side > 0) {
    asked.variant = view.comparison->variant;
    asked.seed = view.comparison->seed;
  }
  return asked;
}

bool is_answered(const LabSteps::Side& side, const RecordingQuestion& asked) {
  return (side.run && side.run->asked == asked) || side.given_up == asked;
}

// Requests missing recordings, one at a time, once no slider is being dragged.
void record_what_is_chosen(Model& model, PanelState& state) {
  if (!state.lab.steps.asked || model.lab.records() || model.lab.busy() ||
      ImGui::IsAnyItemActive() || !why_not_steps_input(model.lab).empty())
    return;
  for (std::size_t i = 0; i < LabSteps::sides; ++i) {
    LabSteps::Side& side = model.lab.steps.shown.at(i);
    const auto asked = question_of(model, state, i);
    if (!asked) {
      side = {};
    } else if (!is_answered(side, *asked)) {
      model.requests.add(request::Record{*asked, i});
      return;
    }
  }
}

void draw_variants(Model& model, PanelState& state) {
  constexpr float width = 10.0F;
  const VariantId chosen = variant_of(model, state);
  if (begin_combo("##variant", chosen->title, width * em())) {
    for (const VariantId each : variants_of(model.lab.question.primitive)) {
      if (!each->available.cpu) continue;
      if (variant_choice(state.fonts, *each, each == chosen)) state.lab.variant = each;
    }
    end_combo();
    return;
  }
  const std::array about = {std::string(chosen->summary), std::string(chosen->source)};
  tooltip(state.fonts, full_name(*chosen), about);
}

void draw_seed(LabSteps& steps, const PanelState& state) {
  constexpr float width = 6.0F;
  beside_if_it_fits(width * em());
  int seed = static_cast<int>(std::min<std::uint64_t>(steps.seed, 1'000'000));
  ImGui::SetNextItemWidth(width * em());
  if (ui::slider("##seed", &seed, 0, std::max(seed, 99), "seed %d"))
    steps.seed = static_cast<std::uint64_t>(seed);
  const std::array about = {std::string(
      "Chooses the block, the warp and the lanes that run next. Equal seeds repeat a run "
      "exactly; another seed gives another order.")};
  tooltip(state.fonts, "", about);
}

std::string interleave_in_words(unsigned interleave) {
  if (interleave == 0) return "no preemption";
  return interleave == 1 ? "preempt every access"
                         : fmt::format("preempt every ~{} accesses", interleave);
}

void draw_schedule(LabSteps& steps, const PanelState& state) {
  constexpr float width = 14.5F;
  beside_if_it_fits(width * em());
  if (begin_combo("##interleave", interleave_in_words(steps.interleave).c_str(), width * em())) {
    for (const unsigned each : {0U, 1U, 2U, 4U, 8U, 16U, 32U, 64U})
      if (ui::selectable(interleave_in_words(each).c_str(), each == steps.interleave))
        steps.interleave = each;
    end_combo();
  } else {
    const std::array about = {std::string(
        "How often the schedule preempts the running block, warp or lane: at random, after one in "
        "N accesses to global memory. No preemption: blocks run one after another.")};
    tooltip(state.fonts, "", about);
  }
  constexpr float warp_width = 6.0F;
  beside_if_it_fits(warp_width * em());
  const auto words = [](unsigned size) { return fmt::format("{} lanes", size); };
  if (!begin_combo("##warp", words(steps.warp_size).c_str(), warp_width * em())) return;
  for (const unsigned each : {32U, 64U})
    if (ui::selectable(words(each).c_str(), each == steps.warp_size)) steps.warp_size = each;
  end_combo();
}

// From now on what is chosen is recorded.
void ask(LabSteps& steps, PanelState& state) {
  state.lab.steps.asked = true;
  for (LabSteps::Side& side : steps.shown) side.given_up.reset();
}

void draw_record(Model& model, PanelState& state) {
  LabSteps& steps = model.lab.steps;
  const ImVec2 size = {6.0F * em(), 0.0F};
  beside_if_it_fits(size.x);
  if (model.lab.records()) {
    ImGui::BeginDisabled(steps.cancelling);
    if (ui::button(steps.cancelling ? "Cancelling..." : "Cancel", size))
      model.requests.add(request::CancelRecording{});
    ImGui::EndDisabled();
    return;
  }
  const auto asked = question_of(model, state, 0);
  const bool is_shown = steps.shown[0].run && steps.shown[0].run->asked == *asked;
  ImGui::BeginDisabled(model.lab.busy() || (is_shown && state.lab.steps.asked) ||
                       !why_not_steps_input(model.lab).empty());
  const bool is_first = !steps.shown[0].run;
  if (is_first) {
    ImGui::PushStyleColor(ImGuiCol_Button, colour::chosen);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colour::chosen_hovered);
  }
  if (ui::button(lab_task(LabTask::steps).question.button, size)) ask(steps, state);
  if (is_first) ImGui::PopStyleColor(2);
  ImGui::EndDisabled();
}

// The second recording, if the user wants one: another variant with the same seed, or the same
// variant with another seed.
void draw_second(Model& model, PanelState& state) {
  std::optional<StepsView::Comparison>& chosen = state.lab.steps.comparison;
  if (chosen && chosen->variant->primitive != model.lab.question.primitive) chosen.reset();
  const LabSteps& steps = model.lab.steps;
  // A recording from a file has no comparison: its variant may not exist here.
  if (!steps.shown[0].run || !steps.shown[0].run->asked) return;
  constexpr float width = 9.5F;
  beside_if_it_fits(width * em());
  const std::string preview =
      chosen ? fmt::format("{}, seed {}", chosen->variant->title, chosen->seed) : "Compare with...";
  if (!begin_combo("##comparison", preview.c_str(), width * em())) {
    const std::array about = {std::string(
        "Records a second run and shows both side by side. The scrubber marks the first step in "
        "which they differ.")};
    tooltip(state.fonts, "", about);
    return;
  }
  const VariantId own = variant_of(model, state);
  if (ui::selectable("nothing", !chosen)) chosen.reset();
  if (ui::selectable(fmt::format("{}, seed {}", own->title, steps.seed + 1).c_str()))
    chosen = {.variant = own, .seed = steps.seed + 1};
  for (const VariantId each : variants_of(model.lab.question.primitive))
    if (each->available.cpu && each != own && variant_choice(state.fonts, *each, false))
      chosen = {.variant = each, .seed = steps.seed};
  end_combo();
}

// Progress and errors.
void draw_progress(Model& model, PanelState& state) {
  const LabSteps& steps = model.lab.steps;
  if (const std::string why = why_not_steps_input(model.lab); !why.empty())
    paragraph(colour::error, why);
  if (model.lab.records()) {
    state.animates = true;
    coloured_text(colour::accent, steps.building.empty() ? "Recording..." : steps.building);
    return;
  }
  for (std::size_t i = 0; i < LabSteps::sides; ++i) {
    const auto asked = question_of(model, state, i);
    const LabSteps::Side& side = steps.shown.at(i);
    if (asked && side.given_up == asked && !side.error.empty())
      paragraph(colour::error, side.error);
    if (!side.run) continue;
    if (!side.run->difference.empty())
      paragraph(colour::error, "Wrong result: " + side.run->difference);
    if (!side.run->no_lines.empty())
      paragraph(colour::warning, "No source lines: " + side.run->no_lines);
  }
}

// "A sum of all items, wrong on purpose: 256 items, warps of 32, seed 1". Not the fault's name,
// which is the answer.
std::string fault_run_in_words(const Recording& recording) {
  return fmt::format("{}, {}: {} items, warps of {}, seed {}", find_fault(recording.variant).title,
                     is_wrong_on_purpose(recording) ? "wrong on purpose" : "the right twin",
                     group_digits(recording.items), recording.warp_size, recording.seed);
}

bool is_of_fault(const Recording& recording) {
  return recording.primitive == recorded_as_fault && is_fault(recording.variant);
}

// What the run stopped for, and the way back to it.
void draw_stop(PlayedRun& run) {
  if (!run.stop) return;
  paragraph(colour::text, run.stop->words);
  ImGui::BeginDisabled(run.playback.at() == run.stop->position);
  if (ui::small_button(fmt::format("Go to step {}", run.stop->position).c_str()))
    run.playback.seek(run.stop->position);
  ImGui::EndDisabled();
}

// Sets a new recording's position, and finds its first difference from the other.
void meet(const LabSteps& steps, StepsView& view) {
  const PlayedRun* const first = steps.shown[0].run.get();
  const PlayedRun* const second = steps.shown[1].run.get();
  const bool is_first_new = first != view.known[0].get();
  const bool is_second_new = second != view.known[1].get();
  if (!is_first_new && !is_second_new) return;
  const auto stop = first != nullptr ? first->stop : std::nullopt;
  if (is_first_new && first != nullptr)
    steps.shown[0].run->playback.seek(
        std::exchange(view.begin_at, std::nullopt).value_or(stop ? stop->position : 0));
  if (second != nullptr) steps.shown[1].run->playback.seek(first->playback.at());
  if (is_first_new) {
    view.player.playing = false;
    view.player.bookmarks.clear();
    if (stop) view.player.bookmarks.push_back(stop->position);
  }
  if (second == nullptr) view.moving = StepsView::Moving::both;
  view.gaze = {};
  if (stop) view.gaze.pinned = stop->name;
  view.stacks = {};
  view.difference.reset();
  if (first != nullptr && second != nullptr) view.difference = first_difference(*first, *second);
  for (std::size_t i = 0; i < LabSteps::sides; ++i) view.known.at(i) = steps.shown.at(i).run;
}

// The views, which scroll; two runs are side by side.
void draw_views(const LabSteps& steps, PanelState& state) {
  StepsView& view = state.lab.steps;
  // Always with a scroll bar, so that the views keep their width.
  ImGui::BeginChild("views", {0.0F, 0.0F}, false, ImGuiWindowFlags_AlwaysVerticalScrollbar);
  scroll_by_keys("##scroll");
  const float width = ImGui::GetContentRegionAvail().x;
  std::string pointed;
  const PlayedRun* const second = steps.shown[1].run.get();
  if (second == nullptr) {
    constexpr float of_two_columns = 72.0F;  // ems
    draw_step_stack(*steps.shown[0].run, view.stacks[0], view.gaze, state.fonts, width,
                    width > of_two_columns * em() ? 2 : 1, pointed);
  } else {
    const float gap = 1.2F * em();
    const float each = std::floor(0.5F * (width - gap));
    const ImVec2 at = ImGui::GetCursorPos();
    draw_step_stack(*steps.shown[0].run, view.stacks[0], view.gaze, state.fonts, each, 1, pointed);
    ImGui::SetCursorPos({at.x + each + gap, at.y});
    ImGui::PushID("second");
    draw_step_stack(*second, view.stacks[1], view.gaze, state.fonts, each, 1, pointed);
    ImGui::PopID();
  }
  ImGui::EndChild();
  if (pointed == view.gaze.pointed) return;
  view.gaze.pointed = std::move(pointed);
  state.animates = true;  // views that were drawn before the one with the mouse
}

// Beside the small one in the line of choices: what is to be done next.
void draw_record_in_the_middle(Model& model, PanelState& state, float column) {
  if (model.lab.records() || model.lab.busy() || !why_not_steps_input(model.lab).empty()) return;
  const ImVec2 size{12.0F * em(), 2.4F * em()};
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 0.5F * std::max(column - size.x, 0.0F));
  ui::push_id("empty");
  if (primary_button(state, lab_task(LabTask::steps).question.button, size))
    ask(model.lab.steps, state);
  const std::array about = {
      std::string("Records a small run and plays it, one access to memory after the other.")};
  tooltip(state.fonts, "", about);
  ui::pop_id();
  ImGui::Dummy({0.0F, 0.6F * em()});
}

// In place of a recording: what the primitive does, from the handbook.
void draw_introduction(Model& model, PanelState& state) {
  constexpr std::size_t sentences = 3;
  ImGui::BeginChild("introduction", {0.0F, 0.0F});
  const float width = ImGui::GetContentRegionAvail().x;
  const Page* const page = state.handbook.page(page_name(model.lab.question.primitive));
  ImGui::Dummy({0.0F, 0.4F * em()});
  const float column = std::min(width, page_column * em());
  if (page != nullptr) draw_words(page->introduction(sentences), state.fonts, column, colour::text);
  draw_words({{.text = about_records}}, state.fonts, column, colour::dim);
  ImGui::Dummy({0.0F, 0.4F * em()});
  draw_record_in_the_middle(model, state, column);
  const Figure* const figure =
      page != nullptr ? state.handbook.figure(page->first_drawing()) : nullptr;
  if (figure != nullptr) draw_figure(*figure, state.fonts, width);
  ImGui::EndChild();
}

// What a recording is made of.
void draw_choices(Model& model, PanelState& state) {
  LabSteps& steps = model.lab.steps;
  draw_variants(model, state);
  draw_steps_input(model.lab, state);
  draw_seed(steps, state);
  draw_schedule(steps, state);
  draw_steps_blocks(steps, state);
  draw_record(model, state);
  draw_second(model, state);
}

// In the place of the choices, which say nothing about a fault.
void draw_ways_from_fault(LabSteps& steps, PanelState& state) {
  if (ui::button("Back to Faults")) state.lab.open = LabTask::faults;
  beside_if_it_fits(10.0F * em());
  if (ui::button("Record a primitive")) steps.shown = {};
}

}  // namespace

const PlayedRun* played_fault(const LabModel& lab) {
  const PlayedRun* const run = lab.steps.shown[0].run.get();
  return run != nullptr && is_of_fault(run->recording()) ? run : nullptr;
}

void draw_origin(const PlayedRun& run, float width) {
  const Recording& recording = run.recording();
  const std::string words =
      is_of_fault(recording) ? fault_run_in_words(recording) : step_views::run_in_words(recording);
  const std::string file = run.file.filename().string();
  ImGui::AlignTextToFramePadding();
  elided_text((file.empty() ? "" : file + ": ") + words, width, Cut::end);
}

void draw_lab_steps(Model& model, PanelState& state) {
  LabSteps& steps = model.lab.steps;
  if (played_fault(model.lab) != nullptr)
    draw_ways_from_fault(steps, state);
  else
    draw_choices(model, state);
  record_what_is_chosen(model, state);
  draw_progress(model, state);
  meet(steps, state.lab.steps);
  if (!steps.shown[0].run) {
    draw_introduction(model, state);
    return;
  }
  const PlayedRun& shown = *steps.shown[0].run;
  if (!shown.asked && !is_of_fault(shown.recording()))
    draw_origin(shown, ImGui::GetContentRegionAvail().x);
  draw_stop(*steps.shown[0].run);
  draw_steps_transport(steps, state);
  draw_views(steps, state);
}

}  // namespace warpview
