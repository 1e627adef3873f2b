#include "app/panels/steps_transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "app/panels/format.h"
#include "app/panels/widgets.h"
#include "app/step_views/words.h"

namespace warpview {
namespace {

constexpr float gap = 0.35F;  // ems, between buttons

struct Jump {
  const char* name;   // and its label
  const char* title;  // of many
  const char* about;
  Landmark landmark;
  StepKey key;
  char letter;
};
constexpr std::array jumps = {
    Jump{"barrier", "barriers", "All lanes of a block have arrived and pass the barrier.",
         Landmark::barrier, StepKey::barrier, 'B'},
    Jump{"publish", "publications",
         "A relaxed or release store, or an atomic, to global memory, which other blocks can see.",
         Landmark::publish, StepKey::publish, 'P'},
    Jump{"conflict", "bank conflicts",
         "Lanes of a warp access different words of one bank of shared memory.", Landmark::conflict,
         StepKey::conflict, 'C'},
    Jump{"divergence", "divergent steps",
         "Some lanes of the warp take no part, though they have not exited.", Landmark::divergence,
         StepKey::divergence, 'D'},
    Jump{"launch", "launches", "A kernel begins.", Landmark::launch, StepKey::launch, 'K'}};

// The runs that move, the leading one first.
std::vector<PlayedRun*> moving_runs(const LabSteps& steps, const StepsView& view) {
  PlayedRun* const first = steps.shown[0].run.get();
  PlayedRun* const second = steps.shown[1].run.get();
  if (second == nullptr || view.moving == StepsView::Moving::first) return {first};
  if (view.moving == StepsView::Moving::second) return {second};
  return {first, second};
}

// While the laboratory was used last. Where a widget has the keyboard's focus, arrows and Space are
// for it.
void take_keys(PanelState& state, PlayedRuns runs) {
  StepsView& view = state.lab.steps;
  const ImGuiIO& io = ImGui::GetIO();
  view.has_keys = ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows);
  if (!view.has_keys || state.popup_open || io.WantTextInput || io.KeyCtrl || io.KeyAlt) return;
  const auto take = [&](int key, StepKey meant) {
    if (ImGui::IsKeyPressed(key) && !is_taken_by_focus(state, key))
      act(meant, io.KeyShift, view.player, runs);
  };
  take(ImGui::GetKeyIndex(ImGuiKey_LeftArrow), StepKey::left);
  take(ImGui::GetKeyIndex(ImGuiKey_RightArrow), StepKey::right);
  take(ImGui::GetKeyIndex(ImGuiKey_Space), StepKey::play);
  take(ImGui::GetKeyIndex(ImGuiKey_Home), StepKey::first);
  take(ImGui::GetKeyIndex(ImGuiKey_End), StepKey::last);
  take('M', StepKey::bookmark);
  for (const Jump& jump : jumps) take(jump.letter, jump.key);
}

void button(const PanelState& state, const char* label, float width, const char* about,
            const std::function<void()>& pressed) {
  if (ui::button(label, {width * em(), 0.0F})) pressed();
  const std::array words = {std::string(about)};
  tooltip(state.fonts, "", words);
}

void draw_buttons(PanelState& state, PlayedRuns runs) {
  StepPlayer& player = state.lab.steps.player;
  const auto move = [&](StepKey key, bool shift) {
    return [&player, runs, key, shift] { act(key, shift, player, runs); };
  };
  button(state, "|<", 2.2F, "To the beginning: Home", move(StepKey::first, false));
  beside_if_it_fits(5.5F * em(), gap * em());
  button(state, "< block", 5.5F, "Back to this block's previous step: Shift + Left",
         move(StepKey::left, true));
  beside_if_it_fits(2.2F * em(), gap * em());
  button(state, "<", 2.2F, "One step back: Left", move(StepKey::left, false));
  beside_if_it_fits(5.0F * em(), gap * em());
  button(state, player.playing ? "Pause###play" : "Play###play", 5.0F, "Play or pause: Space",
         move(StepKey::play, false));
  beside_if_it_fits(2.2F * em(), gap * em());
  button(state, ">", 2.2F, "One step forward: Right", move(StepKey::right, false));
  beside_if_it_fits(5.5F * em(), gap * em());
  button(state, "block >", 5.5F, "Forward to this block's next step: Shift + Right",
         move(StepKey::right, true));
  beside_if_it_fits(2.2F * em(), gap * em());
  button(state, ">|", 2.2F, "To the end: End", move(StepKey::last, false));
  constexpr float width = 10.0F;
  beside_if_it_fits(width * em(), gap * em());
  ImGui::SetNextItemWidth(width * em());
  ui::slider("##speed", &player.speed, StepPlayer::slowest, StepPlayer::fastest, "%.0f steps/s",
             ImGuiSliderFlags_Logarithmic | ImGuiSliderFlags_AlwaysClamp);
}

void draw_block(PanelState& state, const PlayedRun& run) {
  StepGaze& gaze = state.lab.steps.gaze;
  constexpr float width = 9.5F;
  beside_if_it_fits(width * em(), gap * em());
  const std::string following = "running block";
  const auto words = [&](std::optional<std::uint32_t> block) {
    return block ? fmt::format("block {}", *block) : following;
  };
  if (!begin_combo("##block", words(gaze.block).c_str(), width * em())) {
    const std::array about = {
        std::string("The block whose lanes and shared memory are shown: the block of the current "
                    "step, or a fixed one.")};
    tooltip(state.fonts, "", about);
    return;
  }
  if (ui::selectable(following.c_str(), !gaze.block)) gaze.block.reset();
  std::uint64_t blocks = 0;
  for (const RecordedLaunch& launch : run.recording().launches)
    blocks = std::max(blocks, launch.blocks());
  constexpr std::uint64_t most = 1024;
  for (std::uint32_t block = 0; block < std::min(blocks, most); ++block)
    if (ui::selectable(words(block).c_str(), gaze.block == block)) gaze.block = block;
  end_combo();
}

void draw_jumps(PanelState& state, PlayedRuns runs) {
  StepPlayer& player = state.lab.steps.player;
  const float button = 1.6F * em();
  for (const Jump& jump : jumps) {
    const std::size_t count = runs.front()->all(jump.landmark).size();
    const float inner = 0.2F * em();
    const float width = 2.0F * button + 2.0F * inner + ImGui::CalcTextSize(jump.name).x;
    if (&jump != jumps.begin()) beside_if_it_fits(width, 0.9F * em());
    ImGui::BeginGroup();
    ui::push_id(jump.name);
    ImGui::BeginDisabled(count == 0);
    if (ui::button("<", {button, 0.0F})) act(jump.key, true, player, runs);
    ImGui::SameLine(0.0F, inner);
    ImGui::AlignTextToFramePadding();
    coloured_text(count == 0 ? colour::faint : colour::text, jump.name);
    ImGui::SameLine(0.0F, inner);
    if (ui::button(">", {button, 0.0F})) act(jump.key, false, player, runs);
    ImGui::EndDisabled();
    ui::pop_id();
    ImGui::EndGroup();
    const std::array about = {
        std::string(jump.about),
        fmt::format("{} {} in this run. Next: {}, previous: Shift + {}", group_digits(count),
                    jump.title, jump.letter, jump.letter)};
    tooltip(state.fonts, "", about);
  }
}

// ---- The scrubber -------------------------------------------------------------------------------

// Where a position is drawn.
float place_of(std::size_t position, std::size_t last, ImVec2 from, float width) {
  return from.x +
         width * static_cast<float>(position) / static_cast<float>(std::max<std::size_t>(last, 1));
}

void draw_marks(const StepsView& view, const PlayedRun& run, std::size_t last, ImVec2 from,
                ImVec2 size) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto mark = [&](std::size_t position, ImU32 c, float top, float bottom, float thickness) {
    const float x = std::floor(place_of(position, last, from, size.x)) + 0.5F;
    list.AddLine({x, from.y + top * size.y}, {x, from.y + bottom * size.y}, c, thickness);
  };
  // More would be a solid bar.
  const auto few = static_cast<std::size_t>(size.x / 6.0F);
  if (run.all(Landmark::barrier).size() <= few)
    for (const std::size_t each : run.all(Landmark::barrier))
      mark(each, colour::dim, 0.55F, 0.85F, 1.0F);
  for (const std::size_t each : run.all(Landmark::launch))
    mark(each, colour::text, 0.15F, 0.85F, 1.0F);
  if (view.difference) mark(*view.difference, colour::error, 0.0F, 1.0F, 2.0F);
  for (const std::size_t each : view.player.bookmarks) {
    const float x = place_of(each, last, from, size.x);
    const float side = 0.35F * em();
    list.AddTriangleFilled({x - side, from.y}, {x + side, from.y}, {x, from.y + 1.6F * side},
                           colour::warning);
  }
}

void draw_scrubber(PanelState& state, PlayedRuns runs) {
  const PlayedRun& lead = *runs.front();
  StepsView& view = state.lab.steps;
  std::size_t last = 0;
  for (const PlayedRun* run : runs) last = std::max(last, run->playback.steps());
  std::size_t position = lead.playback.at();
  const ImVec2 size = {ImGui::GetContentRegionAvail().x, 1.3F * em()};
  const ImVec2 from = ImGui::GetCursorScreenPos();
  if (ui::track("##scrubber", &position, last, size)) {
    view.player.playing = false;
    go_to(runs, position);
  }
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    const float part = std::clamp((ImGui::GetMousePos().x - from.x) / size.x, 0.0F, 1.0F);
    show_whole(fmt::format("Step {}", std::lround(part * static_cast<float>(last))));
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float middle = from.y + 0.5F * size.y;
  const float x = place_of(position, last, from, size.x);
  list.AddRectFilled({from.x, middle - 0.2F * em()}, {from.x + size.x, middle + 0.2F * em()},
                     colour::track, 3.0F);
  list.AddRectFilled({from.x, middle - 0.2F * em()}, {x, middle + 0.2F * em()}, colour::chosen,
                     3.0F);
  draw_marks(view, lead, last, from, size);
  list.AddCircleFilled({std::clamp(x, from.x + 0.4F * em(), from.x + size.x - 0.4F * em()), middle},
                       0.42F * em(), colour::accent);
}

// ---- Bookmarks, and the step in words -----------------------------------------------------------

void draw_bookmarks(PanelState& state, PlayedRuns runs) {
  StepPlayer& player = state.lab.steps.player;
  const std::size_t at = runs.front()->playback.at();
  const bool marked = std::binary_search(player.bookmarks.begin(), player.bookmarks.end(), at);
  constexpr float width = 6.0F;
  beside_if_it_fits(width * em(), gap * em());
  button(state, marked ? "Remove###mark" : "Bookmark###mark", width,
         "Set a bookmark at this step, or remove it: M", [&] { player.toggle_bookmark(at); });
  for (const std::size_t each : std::vector<std::size_t>(player.bookmarks)) {
    const std::string label = fmt::format("{}##bookmark", each);
    beside_if_it_fits(ImGui::CalcTextSize(label.c_str(), nullptr, true).x + em(), gap * em());
    if (ui::button(label.c_str())) go_to(runs, each);
  }
}

std::string step_line(const PlayedRun& run) {
  const Playback& at = run.playback;
  return fmt::format("Step {} of {} \u00b7 {}", group_digits(at.at()), group_digits(at.steps()),
                     step_views::sentence_of(at));
}

// Which of two runs move, and where they first differ.
void draw_pair(const LabSteps& steps, PanelState& state) {
  static constexpr std::array names = {"both", "left", "right"};
  StepsView& view = state.lab.steps;
  ImGui::AlignTextToFramePadding();
  coloured_text(colour::dim, "Move");
  ImGui::SameLine();
  int chosen = static_cast<int>(view.moving);
  if (segments("moving", names, chosen, 13.0F * em()))
    view.moving = static_cast<StepsView::Moving>(chosen);
  ImGui::SameLine();
  ImGui::BeginDisabled(!view.difference);
  const std::array both = {steps.shown[0].run.get(), steps.shown[1].run.get()};
  if (ui::button(view.difference ? "First difference###difference"
                                 : "No difference###difference")) {
    view.player.playing = false;
    go_to(both, *view.difference);
  }
  ImGui::EndDisabled();
  const std::array about = {std::string(
      "Goes to the first step in which the runs differ: in the access, its value or its "
      "lane.")};
  tooltip(state.fonts, "", about);
}

// Draws a line for each of two runs, in the columns of their views.
void draw_words(const LabSteps& steps) {
  const PlayedRun* const second = steps.shown[1].run.get();
  if (second == nullptr) {
    elided_text(step_line(*steps.shown[0].run), ImGui::GetContentRegionAvail().x, Cut::end);
    return;
  }
  const float width = ImGui::GetContentRegionAvail().x;
  for (const LabSteps::Side& side : steps.shown) {
    const Recording& recording = side.run->recording();
    elided_text(
        fmt::format("{}: {}, seed {} \u00b7 {}", &side == &steps.shown[0] ? "Left" : "Right",
                    recording.variant, recording.seed, step_line(*side.run)),
        width, Cut::end);
  }
}

}  // namespace

void draw_steps_transport(const LabSteps& steps, PanelState& state) {
  StepsView& view = state.lab.steps;
  const std::vector<PlayedRun*> runs = moving_runs(steps, view);
  take_keys(state, runs);
  view.player.pass(runs, double{ImGui::GetIO().DeltaTime});
  state.animates = state.animates || view.player.playing;
  draw_buttons(state, runs);
  draw_block(state, *runs.front());
  draw_bookmarks(state, runs);
  draw_jumps(state, runs);
  if (steps.shown[1].run) draw_pair(steps, state);
  draw_scrubber(state, runs);
  draw_words(steps);
}

}  // namespace warpview
