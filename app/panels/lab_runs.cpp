// The laboratory's Runs tab: all that was measured, filtered, sorted and plotted.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/panels/actions.h"
#include "app/panels/empty_state.h"
#include "app/panels/lab_plot.h"
#include "app/panels/parts.h"
#include "app/panels/runs_table.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

constexpr const char* all_primitives = "All primitives";

void draw_primitives(const LabRuns& runs, RunsView& view, const Fonts& fonts, float width) {
  const std::string shown =
      view.primitive.empty() ? all_primitives : primitive_title(view.primitive);
  if (!begin_combo("##of primitive", shown.c_str(), width)) {
    const std::array about = {std::string("Shows the runs of one primitive alone.")};
    return tooltip(fonts, "", about);
  }
  if (ui::selectable(all_primitives, view.primitive.empty())) view.primitive.clear();
  std::map<std::string, std::string> names;  // by title
  for (const MeasuredRun& run : runs.all())
    names.emplace(primitive_title(run.row.primitive), run.row.primitive);
  for (const auto& [title, name] : names)
    if (ui::selectable(title.c_str(), name == view.primitive)) view.primitive = name;
  end_combo();
}

// What is ticked, parted by what of it can be seen in the plot.
struct TickedRuns {
  std::vector<MeasuredRun> listed;  // the filters let them through
  std::size_t filtered_out = 0;
  std::size_t untimed = 0;  // of those that are listed
};

TickedRuns ticked_runs(const LabRuns& runs, RunsView& view) {
  std::set<std::uint64_t> listed;
  for (const MeasuredRun& run : view.rows) listed.insert(run.id);
  TickedRuns ticked;
  std::set<std::uint64_t> there;
  for (const MeasuredRun& run : runs.all()) {
    if (!view.selected.contains(run.id)) continue;
    there.insert(run.id);
    if (!listed.contains(run.id)) {
      ++ticked.filtered_out;
      continue;
    }
    ticked.untimed += run.row.ms > 0.0 ? 0 : 1;
    ticked.listed.push_back(run);
  }
  view.selected = std::move(there);
  return ticked;
}

// "Not in the plot: 3 runs that the filter hides, 1 run without a time"; empty: all are.
std::string left_out_in_words(const TickedRuns& ticked) {
  std::vector<std::string> parts;
  if (ticked.filtered_out > 0)
    parts.push_back(format_count(ticked.filtered_out, "ticked run") + " hidden by the filter");
  if (ticked.untimed > 0) parts.push_back(format_count(ticked.untimed, "run") + " without a time");
  return parts.empty() ? "" : fmt::format("Not in the plot: {}", fmt::join(parts, ", "));
}

// In one line: what is shown, and what of it is ticked.
void draw_filters(const LabRuns& runs, PanelState& state) {
  RunsView& view = state.lab.runs;
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::SetNextItemWidth(0.34F * width);
  ui::text_field("##filter runs", &view.filter, ImGuiInputTextFlags_None,
                 "Filter: variant, form, device, time ...");
  const std::array about = {
      std::string("Shows the runs in which each word occurs. Letters between may be left out.")};
  tooltip(state.fonts, "", about);
  ImGui::SameLine();
  draw_primitives(runs, view, state.fonts, 0.22F * width);
  find_runs(runs, view);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  coloured_text(colour::dim, view.rows.size() == runs.all().size()
                                 ? format_count(view.rows.size(), "run")
                                 : fmt::format("{} of {}", group_digits(view.rows.size()),
                                               format_count(runs.all().size(), "run")));
  const char* const tick = "Tick all";
  const char* const untick = "Untick all";
  const float padding = 2.0F * ImGui::GetStyle().FramePadding.x;
  const float buttons = ImGui::CalcTextSize(tick).x + ImGui::CalcTextSize(untick).x +
                        2.0F * padding + ImGui::GetStyle().ItemSpacing.x;
  ImGui::SameLine(
      std::max(ImGui::GetWindowContentRegionMax().x - buttons, ImGui::GetCursorPosX() + em()));
  ImGui::BeginDisabled(view.rows.empty());
  if (ui::button(tick))
    for (const MeasuredRun& run : view.rows) view.selected.insert(run.id);
  ImGui::EndDisabled();
  const std::array of_tick = {std::string("Puts all runs that are listed into the plot.")};
  tooltip(state.fonts, "", of_tick);
  ImGui::SameLine();
  ImGui::BeginDisabled(view.selected.empty());
  if (ui::button(untick)) view.selected.clear();
  ImGui::EndDisabled();
  const std::array of_untick = {std::string("Takes all runs out of the plot.")};
  tooltip(state.fonts, "", of_untick);
}

// Where two runs of one question are in the plot: how they differ.
void draw_difference(std::vector<MeasuredRun> pair) {
  if (pair.size() != 2) return;
  std::stable_sort(pair.begin(), pair.end(),
                   [](const MeasuredRun& a, const MeasuredRun& b) { return a.at < b.at; });
  const RunsDifference difference = difference_of_runs(pair[0], pair[1]);
  Change change;
  change.direction = difference.direction;
  if (!difference.words.empty()) coloured_text(colour_of(change), difference.words);
}

// The plot of what is ticked and listed.
void draw_plot(const LabRuns& runs, PanelState& state, float height) {
  static constexpr std::array axes = {"Over time", "Over size"};
  RunsView& view = state.lab.runs;
  const TickedRuns ticked = ticked_runs(runs, view);
  if (ticked.listed.size() > ticked.untimed) {
    const RunsAxis over = view.over.value_or(telling_axis(ticked.listed));
    LabView::PlotChoices& choices = state.lab.plot(LabTask::runs);
    const Plot plot = runs_plot(ticked.listed, over, choices.hidden);
    int chosen = static_cast<int>(over);
    const PlotSegments corner{.id = "over", .labels = axes, .chosen = chosen};
    if (draw_lab_plot(plot, state, choices.hidden, height, &corner))
      view.over = static_cast<RunsAxis>(chosen);
    draw_difference(ticked.listed);
  }
  if (const std::string words = left_out_in_words(ticked); !words.empty()) {
    coloured_text(colour::dim, words);
    ui::note_fact("left out", words, "Ticked runs that the plot does not show.");
  }
}

std::string at_home(const std::string& file) {
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home == 0 || !file.starts_with(std::string(home) + "/")) return file;
  return "~" + file.substr(std::string(home).size());
}

void draw_keep(const LabModel& lab, PanelState& state) {
  ImGui::BeginDisabled(lab.runs_file.empty());
  if (ui::checkbox("Keep runs", &state.settings.keep_runs)) state.settings_changed = true;
  ImGui::EndDisabled();
  const std::array about = {
      lab.runs_file.empty() ? std::string("There is no folder for them. Set HOME or XDG_DATA_HOME.")
                            : "Keeps the runs from one session to the next, in " + lab.runs_file,
      fmt::format("The last {} stay. Without the tick nothing is added to the file, and what is "
                  "there stays.",
                  group_digits(LabRuns::most))};
  tooltip(state.fonts, "Keep runs", about);
}

void draw_runs_footer(LabModel& lab, PanelState& state) {
  RunsView& view = state.lab.runs;
  ImGui::Dummy({0.0F, 0.2F * em()});
  ImGui::BeginDisabled(view.rows.empty());
  if (ui::button("Copy as CSV")) {
    const std::vector<MeasuredRun> copied = ticked_runs(lab.runs, view).listed;
    ImGui::SetClipboardText(runs_as_csv(copied.empty() ? view.rows : copied).c_str());
    state.lab.copied = ImGui::GetTime();
  }
  ImGui::EndDisabled();
  const std::array about = {std::string(
      "The listed runs that are ticked, or all that are listed, with the columns of the "
      "laboratory's CSV, and when and where they ran.")};
  tooltip(state.fonts, "Copy as CSV", about);
  ImGui::SameLine();
  const bool restores = lab.runs.all().empty() && lab.runs.can_restore();
  ImGui::BeginDisabled(lab.runs.all().empty() && !restores);
  if (ui::button(restores ? "Undo clear" : "Clear")) {
    if (restores)
      lab.runs.restore();
    else
      lab.runs.clear();
    state.animates = true;
  }
  ImGui::EndDisabled();
  const std::array of_clear = {
      std::string(restores ? "Brings back the runs that were cleared."
                           : "Forgets all runs, those in the file too where runs are kept.")};
  tooltip(state.fonts, "", of_clear);
  ImGui::SameLine();
  draw_keep(lab, state);
  ImGui::SameLine();
  const FontScope small(state.fonts.small);
  ImGui::AlignTextToFramePadding();
  const bool copied = shows_copied(state);
  std::string words = copied_in_words;
  if (!copied)
    words = state.settings.keep_runs && !lab.runs_file.empty()
                ? "Kept in " + at_home(lab.runs_file)
                : std::string("Forgotten at the end of the session.") +
                      (lab.runs.all().empty() ? "" : " Click a run to repeat it.");
  ImGui::PushStyleColor(ImGuiCol_Text, copied ? colour::good : colour::dim);
  elided_text(words, ImGui::GetContentRegionAvail().x, Cut::end);
  ImGui::PopStyleColor();
}

// Asks nothing: the user presses Run.
void show_run_in_lab(const MeasuredRun& run, Model& model, PanelState& state) {
  const LabCsvRow& row = run.row;
  std::optional<VariantId> known;
  try {
    known = find_variant(find_primitive(row.primitive), row.variant);
  } catch (const ChoiceError& error) {
    model.say({Message::Kind::warning, error.what()});
    return;
  }
  const VariantId variant = *known;
  if (!lab_misses(model, variant->primitive).empty()) return;
  open_laboratory(model, state, variant->primitive, variant,
                  run.asked_by == "sweep" ? LabTask::sweep : LabTask::results);
  lab::Question& question = model.lab.question;
  const lab::ExperimentKind& kind = lab::experiment(variant->primitive);
  for (std::size_t f = 0; f < kind.forms.size(); ++f)
    if (row.form == kind.forms[f].name) question.form = static_cast<int>(f);
  for (const lab::Distribution each : kind.distributions)
    if (row.distribution == lab::to_string(each)) question.distribution = each;
  question.n = std::max(row.items, 1U);
  if (run.asked_by != "compare") question.seed = row.seed;
}

}  // namespace

void draw_lab_runs(Model& model, PanelState& state) {
  LabRuns& runs = model.lab.runs;
  RunsView& view = state.lab.runs;
  const float footer = ImGui::GetFrameHeightWithSpacing() + 0.7F * em();
  if (runs.all().empty()) {
    ImGui::BeginChild("none", {0.0F, std::max(ImGui::GetContentRegionAvail().y - footer, em())});
    if (draw_empty_state(
            state, {.example = draw_runs_example,
                    .sentence = "Every run and sweep of the laboratory, and every comparison of "
                                "the Timings panel, becomes a line here: to filter, to sort, and "
                                "to plot over time or size.",
                    .button = model.lab.busy() ? nullptr : "Run all variants",
                    .about = "Times all variants of the primitive that is chosen above."}))
      model.requests.add(request::RunLab{LabTask::results});
    ImGui::EndChild();
    find_runs(runs, view);
    draw_runs_footer(model.lab, state);
    return;
  }
  draw_filters(runs, state);
  const float room = ImGui::GetContentRegionAvail().y - footer;
  if (!view.selected.empty()) draw_plot(runs, state, std::max(0.52F * room, 1.0F));
  if (view.rows.empty()) {
    ImGui::Dummy({0.0F, em()});
    coloured_text(colour::dim, "No run matches the filter.");
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() +
                         std::max(ImGui::GetContentRegionAvail().y - footer, 0.0F));
  } else if (const MeasuredRun* const clicked = draw_runs_table(state, footer)) {
    show_run_in_lab(MeasuredRun(*clicked), model, state);
  }
  draw_runs_footer(model.lab, state);
}

}  // namespace warpview
