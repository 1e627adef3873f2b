// The laboratory's Faults tab: kernels that are wrong on purpose. The user looks for the bug, runs
// the kernel with many seeds, plays a run that fails and compares the kernel with its right twin.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/digits.h"
#include "app/panels/code_diff.h"
#include "app/panels/parts.h"
#include "app/panels/widgets.h"
#include "kernel_source.h"

namespace warpview {
namespace {

std::vector<const FaultForm*> wrong_forms(const Fault& fault) {
  std::vector<const FaultForm*> forms = forms_of(fault);
  std::erase_if(forms, [](const FaultForm* form) { return form->is_right(); });
  return forms;
}

const Fault& chosen_fault(const FaultsView& view) { return faults()[view.fault]; }

const FaultForm& chosen_form(const FaultsView& view) {
  const auto forms = wrong_forms(chosen_fault(view));
  return *forms[std::min(view.kernel, forms.size() - 1)];
}

void choose(FaultsView& view, std::size_t fault) {
  if (fault == view.fault) return;
  view.fault = fault;
  view.kernel = 0;
}

std::string numbered(std::size_t fault) {
  return fmt::format("{}  {}", fault + 1, faults()[fault].title);
}

// All faults: beside the chosen one, or where there is no room above it.
void draw_list(FaultsView& view, const Fonts& fonts) {
  {
    const FontScope bold(fonts.bold);
    text("Find the bug");
  }
  ImGui::Dummy({0.0F, 0.2F * em()});
  for (std::size_t i = 0; i < faults().size(); ++i) {
    const std::string name = numbered(i);
    // Two blanks are as wide as a digit.
    const std::string label = (i < 9 ? "  " : "") + name;
    if (ui::selectable(label.c_str(), i == view.fault, ImGuiSelectableFlags_None, {}, name))
      choose(view, i);
  }
}

void draw_combo(FaultsView& view) {
  if (!begin_combo("##fault", numbered(view.fault).c_str(), ImGui::GetContentRegionAvail().x))
    return;
  for (std::size_t i = 0; i < faults().size(); ++i)
    if (ui::selectable(numbered(i).c_str(), i == view.fault)) choose(view, i);
  end_combo();
}

// "items: 256 words, out: 1 word, args.first: 9 flags": the kernel's arguments.
std::string arrays_in_words(const Fault& fault) {
  std::string words = fmt::format("items: {}, out: {}", format_count(fault.items, "word"),
                                  format_count(fault.results, "word"));
  constexpr const char* members[] = {"first", "second"};
  for (std::size_t i = 0; i < std::size(fault.arrays); ++i)
    if (fault.arrays[i].words > 0)
      words += fmt::format(", args.{}: {} {}", members[i], group_digits(fault.arrays[i].words),
                           fault.arrays[i].name);
  return words;
}

void draw_task(FaultsView& view, const Fonts& fonts) {
  const Fault& fault = chosen_fault(view);
  const FaultForm& form = chosen_form(view);
  {
    const FontScope bold(fonts.bold);
    text(fault.title);
  }
  if (view.answered.contains(&form)) {
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Text, colour::dim);
    elided_text(fmt::format("{}, {}", fault.name, form.name), ImGui::GetContentRegionAvail().x,
                Cut::end);
    ImGui::PopStyleColor();
  }
  paragraph(colour::text, fault.task);
  paragraph(colour::dim, arrays_in_words(fault) + ". At first all but the items are zero.");
  const std::size_t count = wrong_forms(fault).size();
  if (count < 2) return;
  constexpr std::array labels = {"Kernel 1", "Kernel 2", "Kernel 3", "Kernel 4"};
  int kernel = static_cast<int>(view.kernel);
  if (segments("kernel", std::span(labels).first(std::min(count, labels.size())), kernel,
               std::min(ImGui::GetContentRegionAvail().x, 6.0F * em() * static_cast<float>(count))))
    view.kernel = static_cast<std::size_t>(kernel);
}

void draw_question(const FaultsView& view, const Fonts& fonts) {
  const FaultForm& form = chosen_form(view);
  if (!view.answered.contains(&form)) {
    const FontScope bold(fonts.bold);
    coloured_text(colour::accent, "Where is the bug?");
    return;
  }
  paragraph(colour::text, form.answer);
  paragraph(colour::text, fmt::format("Right: {}", right_twin(form).answer));
  paragraph(colour::dim, fmt::format("Shown by: {}. Taught in: {}", in_words(form.check),
                                     chosen_fault(view).source));
}

constexpr float run_width = 10.5F;  // ems, of a button

bool can_run(const LabModel& lab) {
  return !lab.busy() && !lab.records() && lab.faults.running == nullptr;
}

// Runs a form with many seeds; while it runs, cancels it.
void run_or_cancel(Model& model, const FaultForm& form) {
  const LabFaults& known = model.lab.faults;
  if (known.running == &form && !known.cancelling)
    model.requests.add(request::CancelFault{});
  else if (can_run(model.lab))
    model.requests.add(request::RunFault{{.form = &form}});
}

// The form's runs, one of which shows the fault; null: none is known.
const FaultTally* failing_runs(const LabModel& lab, const FaultForm& form) {
  const LabFaults::Answer* const answer = lab.faults.answer(form);
  const FaultTally::Shown* const own = answer == nullptr ? nullptr : answer->tally.own();
  return own != nullptr && own->count > 0 ? &answer->tally : nullptr;
}

void play(Model& model, const FaultForm& form) {
  const FaultTally* const tally = failing_runs(model.lab, form);
  if (tally != nullptr && can_run(model.lab))
    model.requests.add(request::PlayFault{tally->asked, tally->own()->seed});
}

void toggle_answer(FaultsView& view, const FaultForm& form) {
  if (view.answered.erase(&form) == 0) view.answered.insert(&form);
}

// A button that stands beside the last where it fits, with its key. True: it was pressed.
bool button(const PanelState& state, const char* label, float width, bool enabled,
            const std::string& about) {
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ui::button(label, {width * em(), 0.0F});
  ImGui::EndDisabled();
  const std::array words = {about};
  tooltip(state.fonts, "", words);
  return pressed;
}

void draw_run(Model& model, const PanelState& state, const FaultForm& form, const char* label,
              const char* about) {
  const LabFaults& known = model.lab.faults;
  const bool runs = known.running == &form;
  const bool cancels = runs && known.cancelling;
  if (button(state,
             cancels ? "Cancelling..."
             : runs  ? "Cancel"
                     : label,
             run_width, runs ? !cancels : can_run(model.lab), about))
    run_or_cancel(model, form);
}

void draw_play(Model& model, const PanelState& state, const FaultForm& form) {
  constexpr float width = 9.5F;
  const FaultTally* const tally = failing_runs(model.lab, form);
  beside_if_it_fits(width * em());
  const std::string about =
      tally != nullptr
          ? fmt::format(
                "Records seed {} and shows it in the tab Steps, at the step that shows the "
                "fault: P",
                tally->own()->seed)
          : std::string("Run the seeds first: one of them must show the fault.");
  if (button(state, "Play a failing run", width, tally != nullptr && can_run(model.lab), about))
    play(model, form);
}

void draw_buttons(Model& model, PanelState& state) {
  FaultsView& view = state.lab.faults;
  const FaultForm& form = chosen_form(view);
  const bool is_answered = view.answered.contains(&form);
  const bool is_first = model.lab.faults.answer(form) == nullptr;
  if (is_first) {
    ImGui::PushStyleColor(ImGuiCol_Button, colour::chosen);
    ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colour::chosen_hovered);
  }
  draw_run(model, state, form, lab_task(LabTask::faults).question.button,
           "Runs the kernel with seeds 1 to 100 beside the scene: Enter");
  if (is_first) ImGui::PopStyleColor(2);
  draw_play(model, state, form);
  constexpr float width = 9.0F;
  beside_if_it_fits(width * em());
  if (button(state, is_answered ? "Hide the answer" : "Show the answer", width, true,
             "Where the bug is, and the lines in which the right kernel differs: A"))
    toggle_answer(view, form);
  if (!is_answered) return;
  beside_if_it_fits(run_width * em());
  draw_run(model, state, right_twin(form), "Run the right twin",
           "Runs the right kernel with seeds 1 to 100: T");
}

// While the laboratory was used last. Shift and arrows select program text. Where a widget has the
// keyboard's focus, arrows and Enter are for it.
void take_keys(Model& model, PanelState& state) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows) || state.popup_open ||
      io.WantTextInput || io.KeyCtrl || io.KeyAlt || io.KeyShift)
    return;
  FaultsView& view = state.lab.faults;
  const auto pressed = [&state](int key) {
    return ImGui::IsKeyPressed(key, false) && !is_taken_by_focus(state, key);
  };
  if (pressed(ImGui::GetKeyIndex(ImGuiKey_DownArrow)))
    choose(view, std::min(view.fault + 1, faults().size() - 1));
  if (pressed(ImGui::GetKeyIndex(ImGuiKey_UpArrow)) && view.fault > 0) choose(view, view.fault - 1);
  const std::size_t kernels = wrong_forms(chosen_fault(view)).size();
  if (pressed(ImGui::GetKeyIndex(ImGuiKey_RightArrow)))
    view.kernel = std::min(view.kernel + 1, kernels - 1);
  if (pressed(ImGui::GetKeyIndex(ImGuiKey_LeftArrow)) && view.kernel > 0) --view.kernel;
  const FaultForm& form = chosen_form(view);
  if (pressed(ImGui::GetKeyIndex(ImGuiKey_Enter))) run_or_cancel(model, form);
  if (pressed('P')) play(model, form);
  if (pressed('A')) toggle_answer(view, form);
  if (pressed('T') && view.answered.contains(&form)) run_or_cancel(model, right_twin(form));
}

// What one check shows: in how many runs, and of the first.
void draw_shown(const LabFaults::Answer& answer, std::size_t check) {
  const FaultTally& tally = answer.tally;
  const FaultTally::Shown& shown = tally.shown.at(check);
  static constexpr const char* words[] = {"Wrong", "Given up by the executor", "Data races"};
  if (shown.count == 0) {
    paragraph(colour::good, fmt::format("{}: in none of {} seeds", words[check], tally.runs));
    return;
  }
  paragraph(colour::error,
            fmt::format("{} in {} of {} seeds", words[check], shown.count, tally.runs));
  paragraph(colour::text, fmt::format("Seed {}: {}", shown.seed, shown.words));
}

void draw_progress(const Model& model, PanelState& state, const FaultTally& tally) {
  state.animates = true;
  bar(static_cast<float>(tally.runs) / static_cast<float>(tally.asked.seeds),
      {ImGui::GetContentRegionAvail().x, 0.3F * em()}, colour::accent);
  ImGui::Dummy({0.0F, 0.4F * em()});
  const std::string& building = model.lab.steps.building;
  coloured_text(colour::accent, building.empty()
                                    ? fmt::format("Seed {} of {}", tally.runs, tally.asked.seeds)
                                    : building);
}

// The runs of a form: those of a wrong one by the check of its row, and with the answer by all.
void draw_answer(const Model& model, PanelState& state, const FaultForm& form, bool with_all) {
  const LabFaults::Answer* const answer = model.lab.faults.answer(form);
  if (answer == nullptr) return;
  const FaultTally& tally = answer->tally;
  if (model.lab.faults.running == &form) draw_progress(model, state, tally);
  if (!answer->error.empty()) paragraph(colour::error, answer->error);
  if (answer->cancelled)
    paragraph(colour::dim,
              fmt::format("Cancelled after {} of {} seeds", tally.runs, tally.asked.seeds));
  if (tally.runs == 0) return;
  if (form.is_right() && tally.is_as_expected()) {
    paragraph(colour::good, fmt::format("The right twin is right in all {} seeds", tally.runs));
    return;
  }
  for (std::size_t i = 0; i < FaultTally::checks.size(); ++i)
    if (with_all || FaultTally::checks[i] == form.check) draw_shown(*answer, i);
  if (form.check == FaultCheck::races && tally.shown[0].count == 0)
    paragraph(colour::dim,
              "The result is right in all of them: the CPU happens to make these accesses in "
              "order. No synchronisation orders them, so a GPU may compute a wrong result.");
  if (!tally.no_lines.empty()) paragraph(colour::warning, "No source lines: " + tally.no_lines);
}

// The line to scroll to, so that the first difference and what is above it are seen.
int before_first_mark(const Code& code) {
  constexpr std::ptrdiff_t above = 6;
  const auto first = std::find_if(code.lines.begin(), code.lines.end(), [](const Code::Line& line) {
    return line.mark != Code::Mark::none;
  });
  return static_cast<int>(std::max<std::ptrdiff_t>(first - code.lines.begin() - above, 0));
}

// The wrong kernel, with the answer beside its twin's lines.
void draw_source(FaultsView& view, const Fonts& fonts) {
  const FaultForm& form = chosen_form(view);
  const bool is_answered = view.answered.contains(&form);
  const std::string file = file_of(form);
  const std::string wanted = is_answered ? file + " and its twin" : file;
  if (view.shown != wanted) {
    view.shown = wanted;
    view.code_view = {.scroll_to = 0};
    const FaultForm& twin = right_twin(form);
    // Names of the forms differ, too.
    const auto as_twin = [&](std::string_view line) {
      std::string renamed(line);
      const std::string_view name = form.file;
      for (std::size_t at = renamed.find(name); at != std::string::npos;
           at = renamed.find(name, at + std::string_view(twin.file).size()))
        renamed.replace(at, name.size(), twin.file);
      return renamed;
    };
    view.code = is_answered ? difference(kernel_source(file), kernel_source(file_of(twin)), as_twin)
                            : tinted(kernel_source(file), Language::kernel);
    if (is_answered) view.code_view.scroll_to = before_first_mark(view.code);
  }
  {
    const FontScope small(fonts.small);
    ImGui::PushStyleColor(ImGuiCol_Text, colour::dim);
    elided_text(is_answered ? fmt::format("- {}   + {}", file, file_of(right_twin(form))) : file,
                ImGui::GetContentRegionAvail().x, Cut::end);
    ImGui::PopStyleColor();
  }
  draw_code("source", view.code, fonts, view.code_view);
}

// While a run is recorded for the tab Steps.
void draw_recording(const LabModel& lab, PanelState& state) {
  if (!lab.records()) return;
  state.animates = true;
  coloured_text(colour::accent, lab.steps.building.empty() ? "Recording..." : lab.steps.building);
}

// Before a kernel was run.
void draw_seeds_to_come(const Fonts& fonts) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = 11.0F * em();
  const float height = 3.2F * em();
  if (ImGui::GetContentRegionAvail().x < 2.5F * width) return;
  ImGui::Dummy({width, height});
  draw_seeds_example(*ImGui::GetWindowDrawList(), at, {at.x + width, at.y + height});
  ImGui::SameLine(0.0F, em());
  const FontScope small(fonts.small);
  ImGui::BeginGroup();
  ImGui::Dummy({0.0F, 0.4F * em()});
  paragraph(
      colour::dim,
      "Each of 100 seeds runs blocks, warps and lanes in another order. The checks say here in "
      "how many runs they find the fault, and show the first.");
  ImGui::EndGroup();
}

void draw_exercise(Model& model, PanelState& state) {
  FaultsView& view = state.lab.faults;
  draw_task(view, state.fonts);
  draw_question(view, state.fonts);
  draw_buttons(model, state);
  draw_recording(model.lab, state);
  const FaultForm& form = chosen_form(view);
  if (model.lab.faults.answer(form) == nullptr) draw_seeds_to_come(state.fonts);
  const bool is_answered = view.answered.contains(&form);
  draw_answer(model, state, form, is_answered);
  if (is_answered) draw_answer(model, state, right_twin(form), true);
  draw_source(view, state.fonts);
}

}  // namespace

void show_fault(FaultsView& view, const FaultForm& form) {
  const Fault& fault = find_fault(form.fault);
  choose(view, static_cast<std::size_t>(&fault - faults().data()));
  const auto forms = wrong_forms(fault);
  if (form.is_right())
    view.answered.insert(forms.front());
  else
    view.kernel =
        static_cast<std::size_t>(std::find(forms.begin(), forms.end(), &form) - forms.begin());
}

void draw_faults_warning(float width) {
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, colour::warning);
  elided_text("Kernels that are wrong on purpose. They run on the CPU device only.", width,
              Cut::end);
  ImGui::PopStyleColor();
}

void draw_lab_faults(Model& model, PanelState& state) {
  FaultsView& view = state.lab.faults;
  take_keys(model, state);
  constexpr float list = 18.0F;   // ems
  constexpr float least = 48.0F;  // for two columns
  if (ImGui::GetContentRegionAvail().x < least * em()) {
    draw_combo(view);
    draw_exercise(model, state);
    return;
  }
  ImGui::BeginChild("list", {list * em(), 0.0F});
  draw_list(view, state.fonts);
  ImGui::EndChild();
  ImGui::SameLine(0.0F, 1.2F * em());
  ImGui::BeginChild("exercise");
  draw_exercise(model, state);
  ImGui::EndChild();
}

}  // namespace warpview
