// The laboratory's panel: every state of the model, and what its widgets ask for.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "app/common/busy_plot.h"
#include "app/common/lab_csv.h"
#include "app/common/lab_operations.h"
#include "app/panels/code_view.h"
#include "app/panels/widgets.h"
#include "kernel_source.h"
#include "tests/panels/panel_test.h"
#include "tests/panels/temporary_folder.h"

namespace warpview {
namespace {

lab::Answer timed(const lab::Question& question, VariantId variant, double ms) {
  lab::Answer answer;
  answer.question = question;
  answer.variant = variant;
  answer.verified = true;
  answer.ms = ms;
  answer.quartile_1_ms = 0.9 * ms;
  answer.quartile_3_ms = 1.1 * ms;
  answer.runs = 50;
  answer.bytes = 1e7;
  answer.copy_gb_per_s = 4000.0;
  answer.library = {0.01, 0.009, 0.011, 50};
  LaunchRecord record{.kernel = "some_kernel<T>"};
  record.grid = {1024, 2, 1};
  record.block = {256, 1, 1};
  answer.launches = {record};
  record.registers = 40;
  record.shared_bytes = 4096;
  record.local_bytes = 0;
  record.blocks_per_multiprocessor = 6;
  record.occupancy = 0.75;
  answer.launches.push_back(record);
  return answer;
}

// Every variant of a primitive answered: timed, but for one that is wrong and one that is not here.
LabModel answered(Primitive primitive) {
  LabModel model;
  model.question.primitive = model.answering = primitive;
  LabSeries& times = model.shown(LabTask::results);
  times.asked.primitive = primitive;
  model.most_items = 1U << 28U;
  times.variants = variants_of(primitive);
  double ms = 0.01;
  for (const VariantId variant : times.variants) {
    lab::Answer answer = timed(times.asked, variant, ms);
    if (ms == 0.02) answer.difference = "sums differ from the reference at index 3";
    if (ms == 0.04) answer.why_not = "exists only on cuda, compute capability 8.0 or newer";
    if (lab::experiment(primitive).tells_busy)
      answer.busy = {.milliseconds = ms, .shares = {0.25, 1.0, 0.5}};
    times.answers.push_back(answer);
    ms *= 2.0;
  }
  return model;
}

// What the device that counts says of the same.
void count(LabModel& model) {
  model.shown(LabTask::counters) = model.shown(LabTask::results);
  unsigned degree = 1;
  for (lab::Answer& answer : model.shown(LabTask::counters).answers) {
    KernelCounters kernel;
    kernel.name = "some_kernel<T>";
    kernel.launches = 3;
    kernel.worst_degree = degree;
    kernel.shared_accesses = kernel.shared_transactions = 123'456'789;
    kernel.global_sectors = 1000;
    kernel.global_sectors_least = 100 * degree;
    kernel.operators = kernel.depth = degree > 2 ? 0 : 7;
    for (unsigned step = 0; step < 64; ++step)
      kernel.steps.push_back({.worst_degree = step % 2 == 0 ? degree : 0});
    if (degree > 1) answer.counters = {kernel, KernelCounters{}};
    degree *= 2;
  }
}

// The same at three sizes.
void sweep(LabModel& model) {
  model.shown(LabTask::sweep) = model.shown(LabTask::results);
  model.shown(LabTask::sweep).answers.clear();
  model.shown(LabTask::sweep).sizes = {1U << 10U, 1U << 11U, 1U << 12U};
  for (const std::uint32_t n : model.shown(LabTask::sweep).sizes)
    for (lab::Answer answer : model.shown(LabTask::results).answers) {
      answer.question.n = n;
      model.shown(LabTask::sweep).answers.push_back(answer);
    }
  model.shown(LabTask::sweep).asked = model.shown(LabTask::sweep).answers.back().question;
}

class LabPanel : public PanelTest {
 protected:
  LabPanel() {
    model_ = loaded_model();
    model_.lab.most_items = 1U << 20U;
    state_.show_lab = true;
    state_.lab.open = LabTask::results;
  }
  static ImGuiWindow* panel() { return window("Laboratory"); }
  // A part of the panel that scrolls.
  static ImGuiWindow* child(const char* part) {
    for (ImGuiWindow* each : ImGui::GetCurrentContext()->Windows)
      if (std::string(each->Name).find(std::string("/") + part + "_") != std::string::npos)
        return each;
    return nullptr;
  }
  // The task that was asked for once; none: it was not.
  std::optional<LabTask> asked_task() {
    const auto asked = model_.requests.take<request::RunLab>();
    return asked.size() == 1 ? std::optional(asked[0].task) : std::nullopt;
  }
  // Chooses from the list that opens at a combo box.
  void choose(const char* combo, const char* entry) {
    ASSERT_TRUE(click(panel(), id_in(panel()->ID, combo)));
    frames(2);
    ASSERT_NE(popup(), nullptr);
    ASSERT_TRUE(click(popup(), id_in(popup()->ID, entry)));
    frames(2);
  }
};

TEST_F(LabPanel, TakesThePlaceOfTheOtherPanels) {
  frames(3);
  EXPECT_TRUE(panel()->Active);
  EXPECT_EQ(window("Timings"), nullptr);
  EXPECT_GT(state_.view.width, 200.0F);
  EXPECT_FLOAT_EQ(panel()->Pos.x, state_.view.width);
  run_command(Command::toggle_lab, model_, state_);
  frames(2);
  EXPECT_FALSE(panel()->Active);
  EXPECT_TRUE(window("Timings")->Active);
  EXPECT_TRUE(std::exchange(state_.settings_changed, false));
  EXPECT_FALSE(state_.settings.lab_panel);
  Settings settings;
  settings.lab_panel = true;
  EXPECT_TRUE(panel_state_for(settings).show_lab);
}

// As many as there is room for, and the rest is told.
TEST_F(LabPanel, ListsEveryPrimitive) {
  const auto last = static_cast<Primitive>(primitive_count - 1);
  for (const auto& [width, height] : {std::pair(1280, 800), std::pair(800, 400)}) {
    set_size(width, height);
    frames(3);
    ASSERT_TRUE(click(panel(), id_in(panel()->ID, "##primitive")));
    frames(3);
    ASSERT_NE(popup(), nullptr);
    EXPECT_GE(popup()->Pos.y, 0.0F);
    EXPECT_LE(popup()->Rect().Max.y, static_cast<float>(height));
    EXPECT_FALSE(popup()->Rect().Contains(ImGui::GetIO().MousePos)) << "beside the combo box";
    ASSERT_GT(popup()->ScrollMax.y, 0.0F);
    EXPECT_TRUE(can_read(" more below")) << height;
    ImGui::SetScrollY(popup(), popup()->ScrollMax.y);
    frames(3);
    EXPECT_FALSE(can_read(" more below")) << height;
    EXPECT_TRUE(can_read(" more above")) << height;
    ASSERT_TRUE(click(popup(), id_in(popup()->ID, title(last)))) << height;
    frames(2);
    EXPECT_EQ(model_.lab.question.primitive, last);
    model_.lab.question.primitive = Primitive{};
  }
}

TEST_F(LabPanel, EveryPrimitiveAndState) {
  for (int p = 0; p < primitive_count; ++p) {
    const auto primitive = static_cast<Primitive>(p);
    for (const Backend backend : {Backend::cuda, Backend::cpu}) {
      model_.device.backend = backend;
      for (const LabTaskRow& row : lab_tasks) {
        model_.lab = answered(primitive);
        count(model_.lab);
        sweep(model_.lab);
        state_.lab.open = row.task;
        frames(2);
        model_.lab.state = LabModel::State::measuring;
        model_.lab.shown(LabTask::results).answers.resize(1);
        model_.lab.variant = model_.lab.shown(LabTask::results).variants.back();
        frames();
        EXPECT_TRUE(state_.animates);
        model_.lab.state = LabModel::State::preparing;
        model_.lab.shown(LabTask::results).answers.clear();
        model_.lab.variant.reset();
        frames();
        model_.lab.state = LabModel::State::idle;
        model_.lab.shown(LabTask::results).error = model_.lab.shown(LabTask::counters).error =
            "Too little memory.";
        frames();
      }
    }
  }
}

TEST_F(LabPanel, OddNumbersAndWords) {
  model_.lab = answered(Primitive::scan);
  for (const double x : {0.0, 1e-9, 1e9, std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::infinity()}) {
    for (lab::Answer& answer : model_.lab.shown(LabTask::results).answers)
      answer.ms = answer.bytes = answer.copy_gb_per_s = answer.library.ms = x;
    sweep(model_.lab);
    for (const LabTask tab : {LabTask::results, LabTask::sweep}) {
      state_.lab.open = tab;
      frames(2);
    }
  }
  for (const std::string& words :
       {std::string("%s%n"), std::string(5000, 'w'), std::string("a\nb")}) {
    model_.lab.shown(LabTask::results).answers[0].difference =
        model_.lab.shown(LabTask::results).answers[1].why_not = words;
    model_.lab.shown(LabTask::results).error = words;
    frames(2);
  }
}

TEST_F(LabPanel, WindowsOfEverySize) {
  model_.lab = answered(Primitive::sort);
  count(model_.lab);
  sweep(model_.lab);
  for (const LabTaskRow& row : lab_tasks) {
    state_.lab.open = row.task;
    for (const auto& [width, height] :
         {std::pair{1, 1}, {40, 900}, {900, 40}, {640, 480}, {1280, 720}, {3840, 2160}}) {
      set_size(width, height);
      frames(3);
      EXPECT_GE(state_.view.width, 1.0F) << width << " x " << height;
    }
  }
}

TEST_F(LabPanel, NothingIsCutOff) {
  model_.lab = answered(Primitive::scan);
  count(model_.lab);
  sweep(model_.lab);
  for (const auto& [width, height] : {std::pair{1280, 720}, {1920, 1080}})
    for (const LabTaskRow& row : lab_tasks) {
      set_size(width, height);
      state_.lab.open = row.task;
      frames(3);
      EXPECT_EQ(panel()->ScrollMax.x, 0.0F) << width;
      EXPECT_EQ(panel()->ScrollMax.y, 0.0F) << width;
    }
}

// Each tab that the table gives to a primitive is there, comes to the front and draws something.
TEST_F(LabPanel, HasATabForEachTask) {
  for (const Primitive primitive : {Primitive::scan, Primitive::schedule}) {
    model_.lab = answered(primitive);
    count(model_.lab);
    sweep(model_.lab);
    for (const LabTaskRow& row : lab_tasks) {
      state_.lab.open = row.task;
      state_.lab.front.reset();
      frames(3);
      const auto tab = find("Laboratory", row.title);
      EXPECT_EQ(tab.has_value(), row.is_for(primitive)) << row.name;
      EXPECT_EQ(state_.lab.front == row.task, row.is_for(primitive)) << row.name;
      state_.lab.open.reset();
    }
  }
}

// A task that asks has answers of its own; the other tabs show those of one that asks.
TEST_F(LabPanel, TabsShareTheAnswersOfTheTaskThatAsks) {
  for (const LabTaskRow& row : lab_tasks) {
    model_.lab.shown(row.task).error = row.name;
    for (const LabTaskRow& other : lab_tasks)
      EXPECT_EQ(model_.lab.shown(other.task).error == row.name,
                answered_by(other.task) == answered_by(row.task))
          << row.name << ", " << other.name;
  }
  LabResults results;
  for (const LabTaskRow& row : lab_tasks) results.of(row.task).error = "Too little memory.";
  results.forget(LabDevice::ordinary);
  EXPECT_EQ(results.of(LabTask::results).error, "");
  EXPECT_EQ(results.of(LabTask::sweep).error, "");
  EXPECT_EQ(results.of(LabTask::counters).error, "Too little memory.");
}

// One button, at one place, asks what the tab in front shows.
TEST_F(LabPanel, TheButtonAsksForTheOpenTab) {
  model_.lab = answered(Primitive::schedule);
  count(model_.lab);
  sweep(model_.lab);
  std::optional<ImVec2> before;
  for (const LabTaskRow& row : lab_tasks) {
    state_.lab.open = row.task;
    frames(3);
    if (takes_scenes_place(row.task)) {
      EXPECT_FALSE(find("Laboratory", "Run")) << row.name;
      continue;
    }
    const char* const label = lab_task(answered_by(row.task)).question.button;
    const ImGuiID button = id_in(panel()->ID, label);
    ASSERT_TRUE(hover(panel(), button)) << row.name;
    int buttons = 0;
    for (const ui::WidgetRecord& each : widgets())
      buttons += std::string(each.kind) == "button" && each.name == label ? 1 : 0;
    EXPECT_EQ(buttons, 1) << row.name;
    const ImVec2 at = ImGui::GetIO().MousePos;
    if (before) {
      EXPECT_TRUE(before->x == at.x && before->y == at.y) << row.name;
    }
    before = at;
    click_here();
    EXPECT_EQ(asked_task(), answered_by(row.task)) << row.name;
    frames(2);
    EXPECT_EQ(state_.lab.front, row.task);
  }
}

// Before there is anything: one sentence, and a button in the middle that does it.
TEST_F(LabPanel, EmptyTabsTeachWithOneButton) {
  model_.lab.question.primitive = Primitive::schedule;
  for (const LabTaskRow& row : lab_tasks) {
    if (takes_scenes_place(row.task)) continue;
    for (const auto& [width, height] : {std::pair{1280, 800}, {1600, 900}, {760, 480}}) {
      set_size(width, height);
      state_.lab.open = row.task;
      frames(3);
      std::optional<ui::WidgetRecord> button;
      for (const ui::WidgetRecord& each : widgets())
        if (each.name.starts_with("empty/") && each.visible) button = each;
      ASSERT_TRUE(button) << row.name;
      EXPECT_EQ(std::string(button->kind), "button");
      EXPECT_GT(button->to.y - button->from.y, 1.0F);
      ImGui::GetIO().MousePos = {0.5F * (button->from.x + button->to.x),
                                 0.5F * (button->from.y + button->to.y)};
      frames(2);
      click_here();
      EXPECT_EQ(asked_task(), answered_by(row.task)) << row.name;
    }
    model_.lab.state = LabModel::State::preparing;
    model_.lab.task = answered_by(row.task);
    model_.lab.answering = Primitive::schedule;
    frames(3);
    for (const ui::WidgetRecord& each : widgets())
      EXPECT_FALSE(each.name.starts_with("empty/")) << row.name << " is under way";
    model_.lab.state = LabModel::State::idle;
  }
}

// What went wrong stands there, in the place of an answer.
TEST_F(LabPanel, AnEmptyTabSaysWhyItIsEmpty) {
  model_.lab.question.primitive = Primitive::schedule;
  for (const LabTask task : {LabTask::results, LabTask::sweep, LabTask::busy, LabTask::counters}) {
    model_.lab.shown(task).error = "Too little memory.";
    state_.lab.open = task;
    frames(3);
    EXPECT_TRUE(can_read("Too little memory.")) << lab_task(task).name;
    model_.lab.shown(task).error.clear();
  }
}

// The input of a large run takes a while, and says how long it has.
TEST_F(LabPanel, TellsHowLongTheInputHasTaken) {
  model_.lab.state = LabModel::State::preparing;
  model_.lab.task = LabTask::results;
  model_.lab.answering = Primitive::scan;
  model_.lab.under_way().asked.n = 1U << 28U;
  frames(3);
  EXPECT_TRUE(can_read("Generating 268 435 456 items and their sequential reference..."));
  frames(8, 1.0F);
  EXPECT_TRUE(can_read("sequential reference: 8 s") || can_read("sequential reference: 7 s"));
  model_.lab.state = LabModel::State::idle;
  frames(2);
  model_.lab.state = LabModel::State::preparing;
  frames(2);
  EXPECT_TRUE(can_read("sequential reference..."));
}

// A stage of the scene opens it with the stage's own items.
TEST_F(LabPanel, AStageBringsItsSize) {
  StageRow& sort = stage(model_, "sort");
  sort.result.change().work.items = 73'728;
  state_.show_lab = false;
  frames(3);
  click("Timings", "sort/Sort");
  frames(3);
  EXPECT_EQ(model_.lab.question.primitive, Primitive::sort);
  EXPECT_EQ(model_.lab.items(), 73'728U);
  EXPECT_EQ(model_.lab.sizes(LabSizes::few), std::vector<std::uint32_t>{73'728});
  EXPECT_TRUE(can_read("Size: 73 728 keys"));
  state_.lab.open = LabTask::results;
  frames(3);
  EXPECT_TRUE(can_read("Size: 73 728 keys"));
}

// Without code of that kind what is below keeps its place.
TEST_F(LabPanel, NothingMovesBesideTheKindsOfCode) {
  model_.lab = answered(Primitive::scan);
  state_.lab.open = LabTask::code;
  state_.lab.variant = variants_of(Primitive::scan).front();
  frames(3);
  const auto kernels = [this] {
    frames(3);
    const auto row = find("Laboratory", "kind/SASS");
    const auto edge = find("Laboratory", "Height of kernels");
    return std::pair{row->to.y, edge ? edge->from.y : 0.0F};
  };
  const auto [row, before] = kernels();
  EXPECT_GT(before, row + 20.0F);
  state_.lab.kind = Listing::sass;
  const auto [same_row, now] = kernels();
  EXPECT_EQ(row, same_row);
  EXPECT_NEAR(now, before, 2.0F);
}

TEST_F(LabPanel, RunAndCancelAsk) {
  frames(3);
  ASSERT_TRUE(click(panel(), id_in(panel()->ID, "Run")));
  EXPECT_EQ(asked_task(), LabTask::results);
  model_.lab.state = LabModel::State::measuring;
  frames(2);
  EXPECT_FALSE(hover(panel(), id_in(panel()->ID, "Run")));
  ASSERT_TRUE(click(panel(), id_in(panel()->ID, "Cancel")));
  EXPECT_TRUE(model_.requests.find<request::CancelLab>());
}

TEST_F(LabPanel, ListsChooseTheQuestion) {
  frames(3);
  model_.lab.question.distribution = lab::Distribution::few;
  choose("##primitive", title(Primitive::dedup));
  const lab::Question& question = model_.lab.question;
  EXPECT_EQ(question.primitive, Primitive::dedup);
  // A distribution that the primitive does not know is left.
  EXPECT_EQ(question.distribution, lab::experiment(Primitive::dedup).distributions.front());
  choose("##form", lab::experiment(Primitive::dedup).forms[1].name);
  EXPECT_EQ(question.form, 1);
  choose("##primitive", title(Primitive::sort));
  EXPECT_EQ(question.form, 0);
  choose("##distribution", "skewed");
  EXPECT_EQ(question.distribution, lab::Distribution::skewed);
}

TEST_F(LabPanel, TheSliderGivesPowersOfTwo) {
  frames(3);
  const ImGuiID slider = id_in(panel()->ID, "##size");
  ASSERT_TRUE(hover(panel(), slider));
  const float y = ImGui::GetIO().MousePos.y;
  ImGui::GetIO().MouseDown[0] = true;
  frames();
  ImGui::GetIO().MousePos = {panel()->Pos.x + panel()->Size.x, y};
  frames();
  ImGui::GetIO().MouseDown[0] = false;
  frames();
  EXPECT_EQ(model_.lab.question.n, model_.lab.most_items);
}

TEST_F(LabPanel, ABarOpensItsCode) {
  model_.lab = answered(Primitive::scan);
  frames(3);
  ImGuiWindow* const bars = child("bars");
  ASSERT_NE(bars, nullptr);
  ASSERT_TRUE(click(bars, id_in(bars->ID, "##chained")));
  frames(3);
  EXPECT_EQ(state_.lab.variant, find_variant(Primitive::scan, "chained"));
  EXPECT_EQ(state_.lab.file, "gpu/primitives/scan/chained.cu");
  EXPECT_EQ(state_.lab.code.text, kernel_source("gpu/primitives/scan/chained.cu"));
}

TEST_F(LabPanel, CodeTabListsTheScratchArraysOfARun) {
  model_.lab = answered(Primitive::scan);
  const auto chained = find_variant(Primitive::scan, "chained");
  state_.lab.variant = chained;
  state_.lab.open = LabTask::code;
  lab::Answer* answer = nullptr;
  for (lab::Answer& each : model_.lab.shown(LabTask::code).answers)
    if (each.variant == chained) answer = &each;
  ASSERT_NE(answer, nullptr);
  frames(3);
  EXPECT_TRUE(can_read("No scratch memory."));
  answer->scratch = {{"sums", element_type<std::uint32_t>(), nullptr, 5200},
                     {"ticket", element_type<std::uint64_t>(), nullptr, 8}};
  frames(2);
  EXPECT_TRUE(can_read("sums (1 300 x u32, 5.20 kB), ticket (1 x u64, 8 B)"));
  EXPECT_TRUE(can_read("Scratch memory, 5.21 kB"));
  answer->verified = false;  // nothing is known of it
  answer->scratch.clear();
  frames(2);
  EXPECT_FALSE(can_read("cratch memory"));
}

TEST_F(LabPanel, SourceOrPtx) {
  model_.lab = answered(Primitive::scan);
  state_.lab.variant = find_variant(Primitive::scan, "lookback");
  state_.lab.open = LabTask::code;
  frames(3);
  state_.lab.kind = Listing::ptx;
  frames(2);
  const std::string why = why_no_ptx("gpu/primitives/scan/lookback.cu");
  if (!why.empty()) {
    std::string shown = state_.lab.code.text;
    for (std::size_t at = 0; (at = shown.find("\n//", at)) != std::string::npos;)
      shown.erase(at, 3);
    EXPECT_EQ(shown, "// " + why);
  } else {
    ASSERT_FALSE(state_.lab.entries.empty());
    EXPECT_EQ(state_.lab.code_view.marked, state_.lab.entries.front().line);
  }
  state_.lab.kind = Listing::source;
  frames(2);
  EXPECT_EQ(state_.lab.code.text, kernel_source("gpu/primitives/scan/lookback.cu"));
  EXPECT_TRUE(state_.lab.entries.empty());
}

TEST_F(LabPanel, IncludesAreFollowedAndBackLeadsBack) {
  state_.lab.variant = find_variant(Primitive::scan, "lookback");
  state_.lab.open = LabTask::code;
  frames(3);
  ASSERT_FALSE(state_.lab.code.links.empty());
  const std::string from = state_.lab.file;
  const Code::Link link = state_.lab.code.links.front();
  const auto [line, column] = line_and_column(state_.lab.code, link.begin);
  state_.lab.code_view.scroll_to = line;
  frames(3);
  const int top = state_.lab.code_view.top;
  const ImGuiWindow* const code = child("code");
  ASSERT_NE(code, nullptr);
  ImFont* const mono = state_.fonts.mono;
  const float advance = mono->CalcTextSizeA(mono->FontSize, 1e9F, 0.0F, "0").x;
  ImGui::GetIO().MousePos = {
      code->DC.CursorStartPos.x + (5.0F + static_cast<float>(column) + 2.0F) * advance,
      code->DC.CursorStartPos.y + (static_cast<float>(line) + 0.5F) * (mono->FontSize + 1.0F)};
  frames(2);
  click_here();
  frames(2);
  EXPECT_EQ(state_.lab.file, link.file);
  EXPECT_EQ(state_.lab.code.text, kernel_source(link.file));
  const ImGuiID tab = id_in(id_in(panel()->ID, "tabs"), "Code");
  ASSERT_TRUE(click(panel(), id_in(tab, "Back")));
  frames(3);
  EXPECT_EQ(state_.lab.file, from);
  EXPECT_NEAR(state_.lab.code_view.top, top, 1);
  EXPECT_TRUE(state_.lab.trail.empty());
}

TEST_F(LabPanel, AsksForTheEditor) {
  state_.lab.variant = find_variant(Primitive::scan, "lookback");
  state_.lab.open = LabTask::code;
  state_.settings.editor = "edit {file}";
  frames(3);
  state_.lab.code_view.marked = 41;
  const ImGuiID tab = id_in(id_in(panel()->ID, "tabs"), "Code");
  ASSERT_TRUE(click(panel(), id_in(tab, "Open in editor")));
  const auto* const asked = model_.requests.find<request::EditFile>();
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->line, 42);
  EXPECT_EQ(asked->command, "edit {file}");
  EXPECT_TRUE(std::filesystem::exists(asked->file)) << asked->file;
  EXPECT_TRUE(asked->file.ends_with("gpu/primitives/scan/lookback.cu"));
}

TEST_F(LabPanel, ShowsMachineCodeOnceItIsRead) {
  model_.device.backend = Backend::cuda;
  model_.lab = answered(Primitive::scan);
  for (lab::Answer& answer : model_.lab.shown(LabTask::results).answers)
    answer.launches[0].symbol = "_Z4scanv";
  state_.lab.variant = find_variant(Primitive::scan, "lookback");
  state_.lab.open = LabTask::code;
  state_.lab.kind = Listing::sass;
  frames(3);
  const auto asked = model_.requests.take<request::Disassemble>();
  ASSERT_EQ(asked.size(), 1U);
  const SassQuestion& question = asked.front().question;
  EXPECT_FALSE(question.symbols.empty());
  EXPECT_TRUE(state_.lab.code.text.starts_with("// Running cuobjdump"));
  frames(3);
  EXPECT_FALSE(model_.requests.find<request::Disassemble>()) << "once";
  EXPECT_FALSE(state_.animates);
  model_.lab.sass = {
      {.question = question, .done = true, .text = "// sm_90\n_Z4scanv:\n  EXIT ;\n"}};
  frames();
  EXPECT_TRUE(state_.animates) << "the list of kernels is not there yet";
  frames();
  EXPECT_FALSE(state_.animates);
  EXPECT_EQ(state_.lab.code.text, model_.lab.sass[0].text);
  ASSERT_EQ(state_.lab.entries.size(), 1U);
  EXPECT_EQ(state_.lab.code_view.marked, 1);
  model_.lab.sass[0] = {
      .question = question, .done = true, .error = "SASS: cuobjdump was not found"};
  frames(2);
  EXPECT_EQ(state_.lab.code.text, "// SASS: cuobjdump was not found");
  // However long it is, it can be read.
  model_.lab.sass[0].error += ". " + std::string(70, 'w') + " and 1 2 3 4 5 6 7 8 9 10 11 12 " +
                              "13 14 15 16 17 18 19 20 21 22 23 24 25";
  frames(2);
  EXPECT_EQ(state_.lab.code.text,
            "// SASS: cuobjdump was not found.\n// " + std::string(70, 'w') +
                "\n// and 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22\n// 23 24 25");
  // Back from elsewhere it is asked for again: the tool may have come.
  state_.lab.kind = Listing::source;
  frames(2);
  state_.lab.kind = Listing::sass;
  frames(2);
  ASSERT_TRUE(model_.requests.find<request::Disassemble>());
  EXPECT_EQ(model_.requests.find<request::Disassemble>()->question, question);
}

TEST_F(LabPanel, SaysWhyThereIsNoMachineCode) {
  if (why_no_ptx("gpu/primitives/scan/lookback.cu").empty()) GTEST_SKIP() << "there is";
  state_.lab.variant = find_variant(Primitive::scan, "lookback");
  state_.lab.open = LabTask::code;
  state_.lab.kind = Listing::sass;
  frames(3);
  EXPECT_FALSE(model_.requests.find<request::Disassemble>());
  EXPECT_TRUE(state_.lab.code.text.starts_with("// ")) << state_.lab.code.text;
}

TEST_F(LabPanel, TellsHowFarTheCountingModuleIsBuilt) {
  model_.lab.task = LabTask::counters;
  model_.lab.state = LabModel::State::preparing;
  frames(2);
  EXPECT_TRUE(can_read("The scene's kernels wait meanwhile."));
  model_.lab.building = "Building the counting module, once: step 3 of 20, 15 %";
  frames(2);
  EXPECT_TRUE(can_read(model_.lab.building));
  EXPECT_FALSE(can_read("The scene's kernels wait meanwhile.")) << "they do not: a compiler runs";
  EXPECT_TRUE(can_read("Cancel"));
}

TEST_F(LabPanel, CountsOnAsManyBanksAsChosen) {
  state_.lab.open = LabTask::counters;
  frames(3);
  const ImGuiID bar = id_in(panel()->ID, "tabs");
  const ImGuiID tab = id_in(bar, "Counters");
  ASSERT_TRUE(click(panel(), id_in(id_in(tab, "banks"), "16 banks")));
  EXPECT_EQ(model_.lab.banks, 16U);
  ASSERT_TRUE(click(panel(), id_in(panel()->ID, "Count")));
  EXPECT_EQ(asked_task(), LabTask::counters);
}

TEST_F(LabPanel, TheCountersSliderGivesPowersOfTwo) {
  EXPECT_EQ(model_.lab.counted, 14) << "several tiles";
  state_.lab.open = LabTask::counters;
  frames(3);
  const auto slider = find("Laboratory", "counted");
  ASSERT_TRUE(slider);
  EXPECT_EQ(slider->value, 14.0);
  const auto drag_to = [&](float x) {
    ImGui::GetIO().MousePos = place("Laboratory", "counted");
    frames(2);
    ImGui::GetIO().MouseDown[0] = true;
    frames();
    ImGui::GetIO().MousePos.x = x;
    frames();
    ImGui::GetIO().MouseDown[0] = false;
    frames();
  };
  drag_to(slider->to.x + 50.0F);
  EXPECT_EQ(model_.lab.counted, LabModel::most_counted);
  drag_to(slider->from.x - 50.0F);
  EXPECT_EQ(model_.lab.counted, LabModel::least_counted);
}

TEST_F(LabPanel, TheCaptionIsOfThePrimitiveThatIsChosen) {
  model_.lab = answered(Primitive::scan);
  frames(3);
  const std::string asked = group_digits(model_.lab.shown(LabTask::results).asked.n) + " uniform";
  EXPECT_TRUE(can_read(asked + " items on " + model_.device.name));
  EXPECT_FALSE(can_read("Run times these variants"));
  choose("##primitive", title(Primitive::sort));
  frames(2);
  EXPECT_TRUE(can_read("Run times these variants"));
  EXPECT_FALSE(can_read(asked));
  EXPECT_FALSE(can_read(title(Primitive::scan)));
}

TEST_F(LabPanel, TellsTheScenePanelThatItIsAtWork) {
  frames(3);
  EXPECT_FALSE(can_read("The laboratory is running"));
  EXPECT_FALSE(can_read("kernels wait meanwhile"));
  model_.lab.state = LabModel::State::measuring;
  state_.show_lab = false;
  frames(2);
  EXPECT_TRUE(can_read("The laboratory is running: the scene pauses"));
  state_.show_lab = true;
  frames(2);
  EXPECT_TRUE(can_read("kernels wait meanwhile"));
}

// Which is not asked for any more once it was cancelled.
TEST_F(LabPanel, WhatIsToBeOpenedWaitsOnACardForIt) {
  model_.lab.state = LabModel::State::measuring;
  frames(3);
  EXPECT_EQ(window("##loading"), nullptr);
  model_.requests.add(request::Open{describe_scene({"generated:knot"})});
  frames(3);
  EXPECT_TRUE(can_read("Opening generated:knot"));
  EXPECT_TRUE(can_read("waits until the laboratory is done"));
  click("##loading", "Cancel");
  EXPECT_FALSE(model_.requests.find<request::Open>());
  EXPECT_FALSE(model_.requests.find<request::CancelLoad>());
  EXPECT_FALSE(model_.requests.find<request::CancelLab>());
  frames(2);
  EXPECT_FALSE(window("##loading")->Active);
}

TEST_F(LabPanel, WordsAreWholeAndSpeltRight) {
  model_.lab = answered(Primitive::scan);
  frames(3);
  ImGuiWindow* const bars = child("bars");
  ASSERT_NE(bars, nullptr);
  ASSERT_TRUE(hover(bars, id_in(bars->ID, "##chained")));
  frames(2);
  EXPECT_TRUE(can_read("; 2 kernel launches."));
  ImGui::GetIO().MousePos = {1.0F, 1.0F};
  frames(2);
  ASSERT_TRUE(click(panel(), id_in(panel()->ID, "##distribution")));
  frames(2);
  EXPECT_TRUE(can_read("all values equally likely"));
}

TEST_F(LabPanel, BarsSayHowFastTheyAreBesideTheLibrary) {
  lab::Answer answer =
      timed({.primitive = Primitive::scan}, default_variant(Primitive::scan, Backend::cpu), 1.0);
  const auto against = [&answer](double library_ms, double spread = 0.0, int runs = 50) {
    answer.quartile_1_ms = answer.ms * (1.0 - spread);
    answer.quartile_3_ms = answer.ms * (1.0 + spread);
    answer.library = {library_ms, library_ms * (1.0 - spread), library_ms * (1.0 + spread), runs};
    return against_library(answer).words();
  };
  EXPECT_EQ(against(1.324, 0.1), "1.32x (1.08 to 1.62)");
  EXPECT_EQ(against(0.5), "0.50x (0.50 to 0.50)");
  EXPECT_EQ(against(1.0 / 213.0), "0.0047x (0.0047 to 0.0047)");
  // More than half as long again is no difference where the interval does not say so.
  EXPECT_EQ(against(1.66, 0.3), "no clear difference (0.89x to 3.08x)");
  EXPECT_EQ(against(1.66, 0.3, 2), "1.66x (too few runs)");
  EXPECT_EQ(against(0.0), "");
  answer.variant = find_variant(Primitive::scan, "library");
  ASSERT_TRUE(is_library(*answer.variant));
  EXPECT_EQ(against(1.0), "");
}

// No letter is drawn half, and none beyond the panel's edge.
TEST_F(LabPanel, LongWordsEndInDots) {
  model_.lab = answered(Primitive::select);  // few rows: all are seen
  lab::Answer& wrong = model_.lab.shown(LabTask::results).answers[1];
  wrong.difference = std::string(500, 'W');
  wrong.why_not.clear();
  count(model_.lab);
  model_.lab.shown(LabTask::counters).answers[1].counters.clear();
  const auto right_end = [](ImGuiWindow* of, ImU32 c) {
    float end = 0.0F;
    for (const ImDrawVert& vertex : of->DrawList->VtxBuffer)
      if (vertex.col == c) end = std::max(end, vertex.pos.x);
    return end;
  };
  for (const auto& [tab, part] :
       {std::pair{LabTask::results, "bars"}, {LabTask::counters, "counters"}})
    for (const int width : {800, 807, 813, 1280}) {
      set_size(width, 600);
      state_.lab.open = tab;
      frames(3);
      ImGuiWindow* const in = child(part);
      ASSERT_NE(in, nullptr) << part;
      const float end = right_end(in, colour::error);
      EXPECT_GT(end, in->InnerRect.Max.x - 4.0F * em()) << "there is something to be cut";
      EXPECT_LE(end, in->InnerRect.Max.x) << part << " at " << width;
    }
}

// Not even where the table is scrolled: neither the status line below nor the head of the table.
TEST_F(LabPanel, SquaresOfStepsStayInTheirTable) {
  model_.lab = answered(Primitive::block_scan);
  count(model_.lab);
  state_.lab.open = LabTask::counters;
  set_size(800, 600);
  frames(3);
  ImGuiWindow* const table = child("counters");
  ASSERT_NE(table, nullptr);
  ASSERT_GT(table->ScrollMax.y, 0.0F);
  const float head = ImGui::GetTextLineHeight();
  for (const float scrolled : {0.0F, 0.4F, 1.0F}) {
    ImGui::SetScrollY(table, scrolled * table->ScrollMax.y);
    frames(3);
    int squares = 0;
    for (const ImDrawCmd& command : table->DrawList->CmdBuffer) {
      bool has_squares = false;
      for (unsigned i = 0; i < command.ElemCount; ++i) {
        const ImDrawIdx index = table->DrawList->IdxBuffer[static_cast<int>(command.IdxOffset + i)];
        const ImDrawVert& vertex =
            table->DrawList->VtxBuffer[static_cast<int>(command.VtxOffset + index)];
        has_squares |= vertex.col == ImU32{text_on(colour::warning)};
      }
      if (!has_squares) continue;
      ++squares;
      EXPECT_GE(command.ClipRect.y, table->InnerRect.Min.y + (scrolled > 0.0F ? head : 0.0F));
      EXPECT_LE(command.ClipRect.w, table->InnerRect.Max.y);
      EXPECT_LE(command.ClipRect.z, table->InnerRect.Max.x);
    }
    EXPECT_GT(squares, 0) << scrolled;
  }
}

TEST_F(LabPanel, AnErrorStandsOverItsOwnPrimitive) {
  const auto draws = [](ImU32 c) {
    const ImVector<ImDrawVert>& drawn = panel()->DrawList->VtxBuffer;
    return std::any_of(drawn.begin(), drawn.end(),
                       [c](const ImDrawVert& vertex) { return vertex.col == c; });
  };
  model_.lab = answered(Primitive::scan);
  frames(3);
  EXPECT_FALSE(draws(colour::error));
  model_.lab.shown(LabTask::results).error = "Too little memory.";
  frames(2);
  EXPECT_TRUE(draws(colour::error));
  model_.lab.question.primitive = Primitive::sort;
  frames(2);
  EXPECT_FALSE(draws(colour::error));
}

TEST_F(LabPanel, DigitsOnTheSquaresOfStepsAreBlackOrWhite) {
  const auto draws = [](ImU32 c) {
    const ImVector<ImDrawVert>& drawn = child("counters")->DrawList->VtxBuffer;
    return std::any_of(drawn.begin(), drawn.end(),
                       [c](const ImDrawVert& vertex) { return vertex.col == c; });
  };
  model_.lab = answered(Primitive::scan);
  count(model_.lab);
  state_.lab.open = LabTask::counters;
  frames(3);
  ASSERT_NE(child("counters"), nullptr);
  EXPECT_TRUE(draws(colour::warning));
  EXPECT_TRUE(draws(text_on(colour::warning)));
  for (lab::Answer& answer : model_.lab.shown(LabTask::counters).answers)
    for (KernelCounters& kernel : answer.counters) kernel.steps.clear();
  frames(2);
  EXPECT_FALSE(draws(text_on(colour::warning))) << "nothing else is of this colour";
}

TEST_F(LabPanel, AsksForASweep) {
  state_.lab.open = LabTask::sweep;
  model_.lab.sweep_first = 30;
  model_.lab.sweep_last = 30;
  frames(3);
  EXPECT_EQ(model_.lab.sweep_first, 20) << "as far as memory goes";
  ASSERT_TRUE(click(panel(), id_in(panel()->ID, "Sweep")));
  EXPECT_EQ(asked_task(), LabTask::sweep);
}

TEST_F(LabPanel, TheLegendHidesCurvesAndPointsTellTheirValues) {
  const char* const curve = find_variant(Primitive::scan, "hierarchical")->title;
  model_.lab = answered(Primitive::scan);
  sweep(model_.lab);
  state_.lab.open = LabTask::sweep;
  frames(3);
  ImGuiWindow* const plot = child("plot");
  ASSERT_NE(plot, nullptr);
  ASSERT_TRUE(click(plot, id_in(plot->ID, curve)));
  EXPECT_EQ(state_.lab.plot(LabTask::sweep).hidden, std::set<std::string>{curve});
  frames(60);
  ASSERT_TRUE(click(plot, id_in(plot->ID, curve)));
  EXPECT_TRUE(state_.lab.plot(LabTask::sweep).hidden.empty());
  // A double click shows one alone, and then all again.
  const std::size_t others =
      variants_of(Primitive::scan).size() - 3 + 1;  // two are not timed; the copy
  for (const std::size_t hidden : {others, std::size_t{0}}) {
    frames(60);
    ASSERT_TRUE(hover(plot, id_in(plot->ID, curve)));
    for (const bool down : {true, false, true, false}) {
      ImGui::GetIO().MouseDown[0] = down;
      frames();
    }
    EXPECT_EQ(state_.lab.plot(LabTask::sweep).hidden.size(), hidden);
    EXPECT_FALSE(state_.lab.plot(LabTask::sweep).hidden.contains(curve));
  }
  // Somewhere in the plot a tooltip opens, and not everywhere.
  int with = 0;
  int without = 0;
  for (float y = plot->Pos.y + 10.0F; y < plot->Rect().Max.y; y += 12.0F)
    for (float x = plot->Pos.x + 10.0F; x < plot->Rect().Max.x - 200.0F; x += 24.0F) {
      ImGui::GetIO().MousePos = {x, y};
      frames();
      const ImGuiWindow* const tip = window("##Tooltip_00");
      ++(tip != nullptr && tip->Active ? with : without);
    }
  EXPECT_GT(with, 0);
  EXPECT_GT(without, with);
}

// Of a primitive that tells when its blocks were at work, and of no other.
TEST_F(LabPanel, ShowsBusyBlocksWhereTheyAreTold) {
  model_.lab = answered(Primitive::schedule);
  state_.lab.open = LabTask::busy;
  frames(3);
  ImGuiWindow* const plot = child("plot");
  ASSERT_NE(plot, nullptr);
  EXPECT_TRUE(can_read("; of one run"));
  const lab::Form& form = lab::experiment(Primitive::schedule).forms[0];
  EXPECT_FALSE(can_read(std::string(form.name) + ",")) << "the plot's title has its summary";
  const char* const curve = find_variant(Primitive::schedule, "megakernel")->title;
  ASSERT_TRUE(click(plot, id_in(plot->ID, curve)));
  EXPECT_EQ(state_.lab.plot(LabTask::busy).hidden, std::set<std::string>{curve});
  EXPECT_TRUE(state_.lab.plot(LabTask::sweep).hidden.empty());
  const TemporaryFolder folder;
  state_.lab.plot(LabTask::busy).stem.text = (folder.path() / "mine").string();
  const ImGuiID tab = id_in(id_in(panel()->ID, "tabs"), "Busy");
  for (const char* button : {"SVG", "CSV", "JSON"})
    ASSERT_TRUE(click(panel(), id_in(tab, button))) << button;
  const auto files = model_.requests.take<request::WriteFile>();
  ASSERT_EQ(files.size(), 3U);
  EXPECT_EQ(files[0].bytes.find(">megakernel<"), files[0].bytes.rfind(">megakernel<"));
  EXPECT_EQ(files[1].bytes, busy_csv(model_.lab.shown(LabTask::results).answers));
  EXPECT_NE(files[2].bytes.find("\"shares\""), std::string::npos);
  // Nothing was told yet, and of another primitive nothing is.
  for (lab::Answer& answer : model_.lab.shown(LabTask::results).answers) answer.busy = {};
  plot->Active = false;
  frames(2);
  EXPECT_FALSE(plot->Active);
  model_.lab = answered(Primitive::scan);
  frames(2);
  EXPECT_FALSE(click(panel(), id_in(id_in(panel()->ID, "tabs"), "Busy")));
}

// In the tooltip, where operations are what a primitive is measured by.
TEST_F(LabPanel, TellsOfOperations) {
  model_.lab = answered(Primitive::queue);
  const auto height = [this] {
    frames(3);
    ImGuiWindow* const bars = child("bars");
    EXPECT_TRUE(hover(bars, id_in(bars->ID, "##counts")));
    frames(2);
    const ImGuiWindow* const tip = window("##Tooltip_00");
    return tip != nullptr && tip->Active ? tip->Size.y : 0.0F;
  };
  const float without = height();
  EXPECT_GT(without, 0.0F);
  model_.lab.shown(LabTask::results).answers.front().operations = 2e6;
  model_.lab.shown(LabTask::results).answers.front().occurrences = {{"failed takes", 7}};
  EXPECT_GT(height(), without);
  EXPECT_EQ(lab_operations(model_.lab.shown(LabTask::results).answers.front()),
            "2.00e+11 operations/s; failed takes 7");
  EXPECT_EQ(lab_operations(model_.lab.shown(LabTask::results).answers.back()), "");
  lab::Answer busy = model_.lab.shown(LabTask::results).answers.front();
  busy.question.primitive = Primitive::schedule;
  busy.busy = {.milliseconds = 1.0, .shares = {1.0, 0.5}};
  EXPECT_EQ(lab_operations(busy), "2.00e+11 items/s; failed takes 7, busy blocks 75%");
}

// Below a variant's counters, in a line over the columns, and in the words of its result.
TEST_F(LabPanel, TellsWhatFollowsFromARun) {
  model_.lab = answered(Primitive::block_scan);
  count(model_.lab);
  state_.lab.open = LabTask::counters;
  const auto height = [this] {
    frames(3);
    const ImGuiWindow* const table = child("counters");
    return table != nullptr ? table->ContentSize.y : 0.0F;
  };
  const float without = height();
  EXPECT_GT(without, 0.0F);
  lab::Answer& answer = model_.lab.shown(LabTask::counters).answers.back();
  EXPECT_EQ(lab_facts(answer), "");
  answer.facts = {{"up-sweep", 570.0, "cycles"}, {"vertices per triangle", 1.234}};
  EXPECT_GE(height(), without + ImGui::GetTextLineHeight());
  EXPECT_EQ(lab_facts(answer), "up-sweep 570 cycles, vertices per triangle 1.23");
}

TEST_F(LabPanel, WritesTheSweepUnderAFreeName) {
  const TemporaryFolder folder;
  folder.write("mine.csv", "it was here before");
  model_.lab = answered(Primitive::scan);
  sweep(model_.lab);
  state_.lab.open = LabTask::sweep;
  frames(3);
  EXPECT_NE(state_.lab.plot(LabTask::sweep).stem.text.find("warpview-scan"), std::string::npos)
      << "is proposed";
  state_.lab.plot(LabTask::sweep).stem.text = (folder.path() / "mine").string();
  const ImGuiID tab = id_in(id_in(panel()->ID, "tabs"), "Sweep");
  for (const char* button : {"PNG", "SVG", "CSV", "JSON"})
    ASSERT_TRUE(click(panel(), id_in(tab, button))) << button;
  const auto files = model_.requests.take<request::WriteFile>();
  ASSERT_EQ(files.size(), 4U);
  const auto name = [&](std::size_t i) {
    return files[i].file.substr(folder.path().string().size());
  };
  EXPECT_EQ(name(0), "/mine.png");
  EXPECT_TRUE(files[0].picture.has_value());
  EXPECT_EQ(name(1), "/mine.svg");
  EXPECT_TRUE(files[1].bytes.starts_with("<svg"));
  EXPECT_EQ(name(2), "/mine-2.csv");
  EXPECT_EQ(files[2].bytes, lab_csv(model_.lab.shown(LabTask::sweep).answers));
  EXPECT_EQ(name(3), "/mine.json");
  EXPECT_EQ(files[3].bytes.front(), '{');
}

TEST_F(LabPanel, CopiesWhatIsShown) {
  model_.lab = answered(Primitive::scan);
  model_.lab.shown(LabTask::results).asked.n = 4096;
  frames(3);
  const ImGuiID tab = id_in(id_in(panel()->ID, "tabs"), "Results");
  ASSERT_TRUE(click(panel(), id_in(tab, "Copy as CSV")));
  const std::string scans = ImGui::GetClipboardText();
  EXPECT_EQ(scans, lab_csv(model_.lab.shown(LabTask::results).answers));
  // The slider has moved on; the results have not.
  ASSERT_TRUE(click(panel(), id_in(tab, "Copy as command")));
  const std::string command = ImGui::GetClipboardText();
  EXPECT_NE(command.find("scan"), std::string::npos) << command;
  EXPECT_NE(command.find("--sizes 4096"), std::string::npos) << command;
}

TEST_F(LabPanel, KeepsTheResultsOfEachPrimitive) {
  model_.lab = answered(Primitive::scan);
  frames(3);
  const ImGuiID tab = id_in(id_in(panel()->ID, "tabs"), "Results");
  ImGui::SetClipboardText("nothing");
  choose("##primitive", title(Primitive::sort));
  for (const char* button : {"Copy as CSV", "Copy as command"}) {
    click(panel(), id_in(tab, button));
    EXPECT_STREQ(ImGui::GetClipboardText(), "nothing") << button << ": no sort was timed";
  }
  model_.lab.question.primitive = Primitive::scan;
  frames(2);
  ASSERT_TRUE(click(panel(), id_in(tab, "Copy as CSV")));
  EXPECT_EQ(std::string(ImGui::GetClipboardText()).find("primitive,"), 0U);
  EXPECT_NE(std::string(ImGui::GetClipboardText()).find("\nscan,"), std::string::npos);
}

// Of a sweep and of counters, too.
TEST_F(LabPanel, ShowsSweepAndCountersOfThePrimitiveThatIsChosen) {
  model_.lab = answered(Primitive::scan);
  count(model_.lab);
  sweep(model_.lab);
  const std::string counted = title(Primitive::scan) + std::string(", ");
  for (const auto& [which, words] :
       {std::pair{LabTask::sweep, std::string("Time: lower is better")},
        {LabTask::counters, counted}}) {
    model_.lab.question.primitive = Primitive::scan;
    state_.lab.open = which;
    frames(3);
    EXPECT_TRUE(can_read(words));
    model_.lab.question.primitive = Primitive::sort;
    frames(3);
    EXPECT_FALSE(can_read(words));
  }
}

// A primitive, or memory, may have room for less than the slider had.
TEST_F(LabPanel, SaysHowManyItemsARunTakes) {
  model_.lab.question.n = 1U << 16U;
  model_.lab.most_items = 1U << 14U;
  frames(3);
  EXPECT_TRUE(can_read("Size: 16 384 "));
  EXPECT_FALSE(can_read("65 536"));
  EXPECT_EQ(find("Laboratory", "size")->value, 14.0);
}

// Emulated kernels are beside native code there.
TEST_F(LabPanel, OnTheCpuCountsComeFirstAndTheLibraryIsMarked) {
  for (const Backend backend : {Backend::cpu, Backend::cuda}) {
    const bool is_cpu = backend == Backend::cpu;
    model_.device.backend = backend;
    state_.lab = {};
    model_.lab = answered(Primitive::scan);
    frames(3);
    EXPECT_EQ(find("Laboratory", "Counters")->on, is_cpu);
    EXPECT_EQ(find("Laboratory", "Results")->on, !is_cpu);
    state_.lab.open = LabTask::results;
    frames(3);
    EXPECT_EQ(can_read("native, not emulated"), is_cpu);
    EXPECT_EQ(can_read("Native library -> variant"), is_cpu);
    EXPECT_EQ(can_read("Of memcpy bandwidth"), !is_cpu);
    EXPECT_EQ(can_read("compare counts, not speed"), is_cpu);
    const auto draws = [this](ImU32 c) {
      const ImVector<ImDrawVert>& drawn = child("bars")->DrawList->VtxBuffer;
      return std::any_of(drawn.begin(), drawn.end(),
                         [c](const ImDrawVert& vertex) { return vertex.col == c; });
    };
    EXPECT_EQ(draws(colour::warning), !is_cpu) << "what is slower than the library";
    sweep(model_.lab);
    state_.lab.open = LabTask::sweep;
    frames(3);
    EXPECT_EQ(can_read("host code native"), is_cpu);
  }
}

TEST(Code, EveryVariantsFileIsEmbedded) {
  for (const VariantId variant : variants()) {
    const std::string_view source = kernel_source(variant->file);
    EXPECT_GT(source.size(), 100U) << variant->file;
  }
}

std::string tinted_words(const Code& code, Code::Tint tint) {
  std::string words;
  for (const Code::Piece& piece : code.pieces)
    if (piece.tint == tint) words += code.text.substr(piece.begin, piece.end - piece.begin) + "|";
  return words;
}

TEST(Code, IsTinted) {
  const Code code = tinted(
      "#include <x>  // why\n\n/* two\nlines */ __global__ void f(int a) {\n\treturn \"// \\\"\" + "
      "0x1fU;\n}",
      Language::kernel);
  EXPECT_EQ(code.lines.size(), 6U);
  EXPECT_EQ(code.lines[1].piece_count, 0U);
  EXPECT_EQ(tinted_words(code, Code::Tint::directive), "#include <x>  |");
  EXPECT_EQ(tinted_words(code, Code::Tint::comment), "// why|/* two|lines */|");
  EXPECT_EQ(tinted_words(code, Code::Tint::device), "__global__|");
  EXPECT_EQ(tinted_words(code, Code::Tint::keyword), "void|int|return|");
  EXPECT_EQ(tinted_words(code, Code::Tint::literal), "\"// \\\"\"|0x1fU|");

  const Code ptx =
      tinted(".visible .entry f(\n@%p1 bra $L1;\nld.global.u32 %r1, [%rd2+4]; // x\n$L1:\n",
             Language::ptx);
  EXPECT_EQ(tinted_words(ptx, Code::Tint::directive), ".visible|.entry|");
  EXPECT_EQ(tinted_words(ptx, Code::Tint::keyword), "bra|ld.global.u32|");
  EXPECT_EQ(tinted_words(ptx, Code::Tint::comment), "// x|");
}

// Every byte is in one piece, in order: all that stands in a file is shown.
TEST(Code, LosesNothing) {
  std::string noise;
  unsigned state = 1;
  for (int i = 0; i < 20'000; ++i) {
    state = state * 1664525U + 1013904223U;
    noise += "\"'/*\\\n#@.%_a0 \xc3\xa4"[(state >> 24U) % 16];
  }
  for (const Language language : {Language::kernel, Language::ptx}) {
    const Code code = tinted(noise, language);
    std::string again;
    for (const Code::Line& line : code.lines) {
      for (std::uint32_t p = line.first_piece; p < line.first_piece + line.piece_count; ++p)
        again += code.text.substr(code.pieces[p].begin, code.pieces[p].end - code.pieces[p].begin);
      again += '\n';
    }
    if (noise.back() != '\n') noise += '\n';
    EXPECT_EQ(again, noise);
  }
}

}  // namespace
}  // namespace warpview
