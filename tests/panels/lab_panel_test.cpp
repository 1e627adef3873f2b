// The laboratory's panel: every state of the model, and what its widgets ask for.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <utility>

#include "app/common/lab_csv.h"
#include "app/panels/code_view.h"
#include "kernel_source.h"
#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

lab::Answer timed(const lab::Question& question, int row, double ms) {
  lab::Answer answer;
  answer.question = question;
  answer.row = row;
  answer.verified = true;
  answer.ms = ms;
  answer.runs = 50;
  answer.bytes = 1e7;
  answer.copy_gb_per_s = 4000.0;
  answer.library_ms = 0.01;
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
  model.question.primitive = model.times.asked.primitive = primitive;
  model.most_items = 1U << 28U;
  model.times.rows = variants_of(primitive);
  double ms = 0.01;
  for (const int row : model.times.rows) {
    lab::Answer answer = timed(model.times.asked, row, ms);
    if (ms == 0.02) answer.difference = "sums differ from the reference at place 3";
    if (ms == 0.04) answer.why_not = "exists only on cuda, compute capability 8.0 or newer";
    model.times.answers.push_back(answer);
    ms *= 2.0;
  }
  return model;
}

// What the device that counts says of the same.
void count(LabModel& model) {
  model.counters = model.times;
  unsigned degree = 1;
  for (lab::Answer& answer : model.counters.answers) {
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

class LabPanel : public PanelTest {
 protected:
  LabPanel() {
    model_ = loaded_model();
    model_.lab.most_items = 1U << 20U;
    state_.show_lab = true;
  }
  static ImGuiWindow* panel() { return window("Laboratory"); }
  // A part of the panel that scrolls.
  static ImGuiWindow* child(const char* part) {
    for (ImGuiWindow* each : ImGui::GetCurrentContext()->Windows)
      if (std::string(each->Name).find(std::string("/") + part + "_") != std::string::npos)
        return each;
    return nullptr;
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

TEST_F(LabPanel, EveryPrimitiveAndState) {
  for (int p = 0; p < primitive_count; ++p) {
    const auto primitive = static_cast<Primitive>(p);
    for (const Backend backend : {Backend::cuda, Backend::cpu}) {
      model_.device.backend = backend;
      for (const LabView::Tab tab :
           {LabView::Tab::results, LabView::Tab::code, LabView::Tab::counters}) {
        model_.lab = answered(primitive);
        count(model_.lab);
        state_.lab.open = tab;
        frames(2);
        model_.lab.state = LabModel::State::measuring;
        model_.lab.times.answers.resize(1);
        model_.lab.row = model_.lab.times.rows.back();
        frames();
        EXPECT_TRUE(state_.animates);
        model_.lab.state = LabModel::State::preparing;
        model_.lab.times.answers.clear();
        model_.lab.row = -1;
        frames();
        model_.lab.state = LabModel::State::idle;
        model_.lab.times.error = model_.lab.counters.error = "Too little memory.";
        frames();
      }
    }
  }
}

TEST_F(LabPanel, OddNumbersAndWords) {
  model_.lab = answered(Primitive::scan);
  for (const double x : {0.0, 1e-9, 1e9, std::numeric_limits<double>::quiet_NaN(),
                         std::numeric_limits<double>::infinity()}) {
    for (lab::Answer& answer : model_.lab.times.answers)
      answer.ms = answer.bytes = answer.copy_gb_per_s = answer.library_ms = x;
    frames(2);
  }
  for (const std::string& words :
       {std::string("%s%n"), std::string(5000, 'w'), std::string("a\nb")}) {
    model_.lab.times.answers[0].difference = model_.lab.times.answers[1].why_not = words;
    model_.lab.times.error = words;
    frames(2);
  }
}

TEST_F(LabPanel, WindowsOfEverySize) {
  model_.lab = answered(Primitive::sort);
  count(model_.lab);
  for (const LabView::Tab tab :
       {LabView::Tab::results, LabView::Tab::code, LabView::Tab::counters}) {
    state_.lab.open = tab;
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
  for (const auto& [width, height] : {std::pair{1280, 720}, {1920, 1080}})
    for (const LabView::Tab tab :
         {LabView::Tab::results, LabView::Tab::code, LabView::Tab::counters}) {
      set_size(width, height);
      state_.lab.open = tab;
      frames(3);
      EXPECT_EQ(panel()->ScrollMax.x, 0.0F) << width;
      EXPECT_EQ(panel()->ScrollMax.y, 0.0F) << width;
    }
}

TEST_F(LabPanel, RunAndCancelAsk) {
  frames(3);
  ASSERT_TRUE(click(panel(), id_in(panel()->ID, "Run")));
  EXPECT_TRUE(std::exchange(model_.requests.run_lab, false));
  model_.lab.state = LabModel::State::measuring;
  frames(2);
  EXPECT_FALSE(hover(panel(), id_in(panel()->ID, "Run")));
  ASSERT_TRUE(click(panel(), id_in(panel()->ID, "Cancel")));
  EXPECT_TRUE(model_.requests.cancel_lab);
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
  EXPECT_EQ(state_.lab.row, find_variant(Primitive::scan, "chained"));
  EXPECT_EQ(state_.lab.file, "gpu/primitives/scan/chained.cu");
  EXPECT_EQ(state_.lab.code.text, kernel_source("gpu/primitives/scan/chained.cu"));
}

TEST_F(LabPanel, SourceOrPtx) {
  model_.lab = answered(Primitive::scan);
  state_.lab.row = find_variant(Primitive::scan, "lookback");
  state_.lab.open = LabView::Tab::code;
  frames(3);
  state_.lab.ptx = true;
  frames(2);
  const std::string why = why_no_ptx("gpu/primitives/scan/lookback.cu");
  if (!why.empty()) {
    EXPECT_EQ(state_.lab.code.text, "// " + why);
  } else {
    ASSERT_FALSE(state_.lab.entries.empty());
    EXPECT_EQ(state_.lab.marked, state_.lab.entries.front().line);
  }
  state_.lab.ptx = false;
  frames(2);
  EXPECT_EQ(state_.lab.code.text, kernel_source("gpu/primitives/scan/lookback.cu"));
  EXPECT_TRUE(state_.lab.entries.empty());
}

TEST_F(LabPanel, CountsOnAsManyBanksAsChosen) {
  state_.lab.open = LabView::Tab::counters;
  frames(3);
  const ImGuiID bar = id_in(panel()->ID, "tabs");
  const ImGuiID tab = id_in(bar, "Counters");
  ASSERT_TRUE(click(panel(), id_in(id_in(tab, "banks"), "16 banks")));
  EXPECT_EQ(model_.lab.banks, 16U);
  ASSERT_TRUE(click(panel(), id_in(tab, "Count")));
  EXPECT_TRUE(model_.requests.count_lab);
  EXPECT_FALSE(model_.requests.run_lab);
}

TEST_F(LabPanel, CopiesResultsAsCsv) {
  model_.lab = answered(Primitive::scan);
  frames(3);
  const ImGuiID tab = id_in(id_in(panel()->ID, "tabs"), "Results");
  ASSERT_TRUE(click(panel(), id_in(tab, "Copy as CSV")));
  EXPECT_EQ(std::string(ImGui::GetClipboardText()), lab_csv(model_.lab.times.answers));
}

TEST(Code, EveryVariantsFileIsEmbedded) {
  for (const Variant& variant : variants()) {
    const std::string_view source = kernel_source(variant.file);
    EXPECT_GT(source.size(), 100U) << variant.file;
  }
}

std::string words_of(const Code& code, Code::Tint tint) {
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
  EXPECT_EQ(words_of(code, Code::Tint::directive), "#include <x>  |");
  EXPECT_EQ(words_of(code, Code::Tint::comment), "// why|/* two|lines */|");
  EXPECT_EQ(words_of(code, Code::Tint::device), "__global__|");
  EXPECT_EQ(words_of(code, Code::Tint::keyword), "void|int|return|");
  EXPECT_EQ(words_of(code, Code::Tint::literal), "\"// \\\"\"|0x1fU|");

  const Code ptx =
      tinted(".visible .entry f(\n@%p1 bra $L1;\nld.global.u32 %r1, [%rd2+4]; // x\n$L1:\n",
             Language::ptx);
  EXPECT_EQ(words_of(ptx, Code::Tint::directive), ".visible|.entry|");
  EXPECT_EQ(words_of(ptx, Code::Tint::keyword), "bra|ld.global.u32|");
  EXPECT_EQ(words_of(ptx, Code::Tint::comment), "// x|");
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
