// The laboratory's Steps tab: what it asks for, its keys, and what is pointed at.
#define GLFW_INCLUDE_NONE  // files compiled together with this one include glad
#include <GLFW/glfw3.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "app/panels/step_stack.h"
#include "app/played_run.h"
#include "app/step_views/names.h"
#include "app/window/input_queue.h"
#include "app/window/keys.h"
#include "tests/panels/steps_tab.h"
#include "tests/support/meshes.h"

namespace warpview {
namespace {

TEST(PlayedRun, KnowsWhereToJump) {
  using Positions = std::vector<std::size_t>;
  const PlayedRun run(small_recording());
  ASSERT_EQ(run.playback.steps(), 15U);
  EXPECT_EQ(run.all(Landmark::launch), Positions{1});
  EXPECT_EQ(run.all(Landmark::barrier), (Positions{11, 14}));
  EXPECT_EQ(run.all(Landmark::publish), (Positions{12, 15}));
  EXPECT_EQ(run.all(Landmark::divergence), (Positions{12, 15}));
  EXPECT_TRUE(run.all(Landmark::conflict).empty());
  EXPECT_FALSE(run.views.empty());
}

TEST(PlayedRun, SaysWhereTwoPart) {
  const PlayedRun run(small_recording());
  EXPECT_EQ(first_difference(run, PlayedRun(small_recording())), std::nullopt);
  EXPECT_EQ(first_difference(run, PlayedRun(small_recording(8))), 12U);
  auto shorter = std::make_shared<Recording>(*small_recording());
  shorter->events.resize(shorter->events.size() - 2);  // the last step
  EXPECT_EQ(first_difference(run, PlayedRun(shorter)), 15U);
  EXPECT_EQ(first_difference(PlayedRun(shorter), run), 15U);
}

TEST(StepStack, FindsTheShapeOnTop) {
  std::vector<PlotShape> shapes(3);
  shapes[0] = {.kind = PlotShape::Kind::polygon,
               .vertices = {{0, 0}, {20, 0}, {20, 20}, {0, 20}},
               .words = {},
               .name = "below"};
  shapes[1] = {.kind = PlotShape::Kind::polygon,
               .vertices = {{10, 0}, {20, 0}, {20, 20}},
               .words = {},
               .name = "above"};
  shapes[2] = {
      .kind = PlotShape::Kind::line, .vertices = {{0, 40}, {40, 40}}, .words = {}, .name = "line"};
  const auto name_at = [&shapes](float x, float y) {
    const PlotShape* const found = shape_at(shapes, {x, y}, 10.0F);
    return found == nullptr ? std::string() : found->name;
  };
  EXPECT_EQ(name_at(5, 5), "below");
  EXPECT_EQ(name_at(18, 5), "above");
  EXPECT_EQ(name_at(12, 15), "below") << "outside of the triangle, though within its box";
  EXPECT_EQ(name_at(20, 42), "line");
  EXPECT_EQ(name_at(20, 60), "");
}

TEST_F(StepsTab, RecordsWhatIsChosen) {
  EXPECT_TRUE(can_read("Record runs a variant once"));
  EXPECT_FALSE(model_.requests.find<request::Record>()) << "not before it was asked to";
  click("Laboratory", "Record");
  frames(2);
  const request::Record* const asked = model_.requests.find<request::Record>();
  ASSERT_NE(asked, nullptr);
  EXPECT_EQ(asked->asked.question.n, 2048U) << "several tiles";
  EXPECT_EQ(asked->asked.variant, default_variant(Primitive::scan, Backend::cpu));
  record();
  EXPECT_FALSE(can_read("Record runs a variant once"));
  EXPECT_TRUE(can_read("Step 0 of 15"));
  frames(3);
  EXPECT_FALSE(model_.requests.find<request::Record>()) << "it is there";

  // Anew by itself, one at a time, and what is there stays until then.
  model_.lab.steps.seed = 5;
  model_.lab.steps.recording = 0;
  frames(3);
  EXPECT_FALSE(model_.requests.find<request::Record>());
  EXPECT_TRUE(can_read("Recording..."));
  EXPECT_TRUE(can_read("Step 0 of 15"));
  model_.lab.steps.recording.reset();
  frames(3);
  const request::Record* const again = model_.requests.find<request::Record>();
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(again->asked.seed, 5U);

  // What cannot be recorded is said once.
  model_.lab.steps.shown[0].given_up = again->asked;
  model_.lab.steps.shown[0].error = "too many events";
  model_.requests.take();
  frames(3);
  EXPECT_TRUE(can_read("too many events"));
  EXPECT_TRUE(can_read("Step 0 of 15"));
  EXPECT_FALSE(model_.requests.find<request::Record>());
}

TEST_F(StepsTab, RecordsTypedNumbers) {
  model_.lab.question.distribution = lab::Distribution::uniform;
  frames(2);
  EXPECT_TRUE(find("Laboratory", "items")->enabled);
  click("Laboratory", "Record");
  frames(2);
  EXPECT_EQ(model_.requests.find<request::Record>()->asked.question.distribution,
            lab::Distribution::small)
      << "small numbers, whatever the other tabs take";
  record();

  click("Laboratory", "typed");
  ImGui::GetIO().AddInputCharactersUTF8("8 1, 7");
  frames(3);
  EXPECT_FALSE(model_.requests.find<request::Record>()) << "not while it is typed";
  press(ImGuiKey_Enter);
  frames(3);
  const request::Record* const asked = model_.requests.find<request::Record>();
  ASSERT_NE(asked, nullptr);
  EXPECT_EQ(asked->asked.question.typed, (std::vector<std::int64_t>{8, 1, 7}));
  EXPECT_EQ(asked->asked.question.distribution, lab::Distribution::typed);
  EXPECT_EQ(asked->asked.question.n, 3U);
  EXPECT_FALSE(find("Laboratory", "items")->enabled);
  EXPECT_TRUE(can_read("3 items"));
  record();

  // Others stay for their own primitive.
  model_.lab.question.primitive = Primitive::block_scan;
  state_.lab.steps.asked = false;
  frames(2);
  EXPECT_EQ(find("Laboratory", "typed")->text, "");
  EXPECT_TRUE(find("Laboratory", "items")->enabled);
}

// A stage that is watched comes to the tab with the mesh, whatever was shown.
TEST_F(StepsTab, RecordsAStageOnTheMesh) {
  state_.show_lab = false;
  model_.lab.steps.mesh = test::wavy_sheet(4);
  model_.lab.steps.watched = LabSteps::Watched{.variant = find_variant(Primitive::sort, "onesweep"),
                                               .form = lab::find_form(Primitive::sort, "u64")};
  frames(4);
  EXPECT_TRUE(state_.show_lab);
  EXPECT_FALSE(model_.lab.steps.watched);
  const request::Record* asked = model_.requests.find<request::Record>();
  ASSERT_NE(asked, nullptr);
  EXPECT_EQ(asked->asked.variant, find_variant(Primitive::sort, "onesweep"));
  EXPECT_EQ(asked->asked.question.form, lab::find_form(Primitive::sort, "u64"));
  EXPECT_EQ(asked->asked.question.mesh, model_.lab.steps.mesh);
  EXPECT_EQ(asked->asked.question.distribution, lab::Distribution::mesh);
  EXPECT_EQ(asked->asked.question.n, 32U);
  EXPECT_EQ(lab::why_not_input(asked->asked.question), "");
  EXPECT_TRUE(can_read("32 triangles of sheet"));
  EXPECT_FALSE(find("Laboratory", "items"));
  record();

  // A primitive that takes no mesh, and a form that does not.
  for (const auto& [primitive, form] :
       {std::pair{Primitive::hash_map, 0},
        {Primitive::sort, lab::find_form(Primitive::sort, "f32")}}) {
    model_.lab.question.primitive = primitive;
    model_.lab.question.form = form;
    frames(3);
    asked = model_.requests.find<request::Record>();
    ASSERT_NE(asked, nullptr);
    EXPECT_EQ(asked->asked.question.mesh, nullptr);
    EXPECT_EQ(lab::why_not_input(asked->asked.question), "");
  }
  model_.lab.question.form = 0;
  frames(3);
  EXPECT_EQ(model_.requests.find<request::Record>()->asked.question.n, 32U);
  click("Laboratory", "Generated input");
  frames(3);
  EXPECT_EQ(model_.requests.find<request::Record>()->asked.question.mesh, nullptr);
  EXPECT_TRUE(find("Laboratory", "items")->enabled);
}

TEST_F(StepsTab, AStageWaitsForTheLaboratory) {
  state_.show_lab = false;
  model_.lab.state = LabModel::State::measuring;
  model_.lab.steps.watched =
      LabSteps::Watched{.variant = find_variant(Primitive::sort, "onesweep")};
  frames(3);
  EXPECT_FALSE(state_.show_lab);
  model_.lab.state = LabModel::State::idle;
  frames(3);
  EXPECT_TRUE(state_.show_lab);
}

TEST_F(StepsTab, RecordsNoWrongNumbers) {
  open_recording();
  std::string& typed =
      model_.lab.steps.typed.at(static_cast<std::size_t>(model_.lab.question.primitive));
  for (const char* const wrong : {"8 one", "8 -7", "99999999999999", ","}) {
    typed = wrong;
    frames(3);
    EXPECT_FALSE(model_.requests.find<request::Record>()) << wrong;
    EXPECT_FALSE(find("Laboratory", "Record")->enabled) << wrong;
    EXPECT_TRUE(can_read("Step 0 of 15")) << wrong;
  }
  EXPECT_TRUE(can_read("the list has no numbers"));
  typed.clear();
  frames(3);
  EXPECT_FALSE(can_read("there is no number"));
  EXPECT_FALSE(model_.requests.find<request::Record>()) << "it is there";
}

TEST_F(StepsTab, RecordsTheBlocksThatAreTyped) {
  open_recording();
  click("Laboratory", "blocks");
  ImGui::GetIO().AddInputCharactersUTF8("5, 2-3");
  press(ImGuiKey_Enter);
  frames(3);
  const request::Record* const asked = model_.requests.find<request::Record>();
  ASSERT_NE(asked, nullptr);
  EXPECT_EQ(asked->asked.blocks, (BlockRanges{{2, 3}, {5, 5}}));
  model_.requests.take();
  for (const char* const wrong : {"3-", "x"}) {
    model_.lab.steps.blocks = wrong;
    frames(3);
    EXPECT_FALSE(model_.requests.find<request::Record>()) << wrong;
    EXPECT_FALSE(find("Laboratory", "Record")->enabled) << wrong;
    EXPECT_TRUE(can_read("is no block and no ascending range of blocks")) << wrong;
  }
}

TEST_F(StepsTab, OffersWhatLecturesDraw) {
  open_recording();
  click("Laboratory", "examples");
  ImGui::GetIO().MousePos = place(popup()->Name, "8 1 7 4 6 3 5 2");
  frames(2);
  click_here();
  frames(3);
  const request::Record* const asked = model_.requests.find<request::Record>();
  ASSERT_NE(asked, nullptr);
  EXPECT_EQ(asked->asked.question.typed, (std::vector<std::int64_t>{8, 1, 7, 4, 6, 3, 5, 2}));
  for (const Primitive primitive :
       {Primitive::block_scan, Primitive::reduce, Primitive::scan, Primitive::sort}) {
    model_.lab.question = {.primitive = primitive};
    state_.lab.steps.asked = false;
    frames(3);
    EXPECT_TRUE(find("Laboratory", "examples")) << title(primitive);
  }
  model_.lab.question = {.primitive = Primitive::build};
  frames(3);
  EXPECT_FALSE(find("Laboratory", "typed")) << "boxes are no numbers";
  EXPECT_FALSE(find("Laboratory", "examples"));
}

TEST_F(StepsTab, LeavesOutWhatHasNoEffect) {
  for (const char* const name : {"size", "distribution", "Run"})
    EXPECT_FALSE(find("Laboratory", name)) << name;
  EXPECT_TRUE(find("Laboratory", "form")->enabled);
  state_.lab.open = LabTask::results;
  frames(3);
  for (const char* const name : {"size", "distribution", "Run"})
    EXPECT_TRUE(find("Laboratory", name)->enabled) << name;
}

// Before anything is recorded: the page's first sentences and its drawing.
TEST_F(StepsTab, IntroducesThePrimitive) {
  EXPECT_TRUE(can_read("Each item becomes the sum of all items before it"));
  EXPECT_FALSE(can_read("So stretches of the input")) << "the fourth sentence";
  EXPECT_TRUE(can_read("Record runs a variant once"));
  EXPECT_TRUE(can_read("What moves through memory")) << "of the drawing";
  model_.lab.question.primitive = Primitive::morton;
  frames(2);
  EXPECT_TRUE(can_read("One number for a place in space"));
  EXPECT_TRUE(can_read("one zigzag in every square"));
  open_recording();
  EXPECT_FALSE(can_read("One number for a place in space"));
}

// At 1280 x 800 the views have most of the window.
TEST_F(StepsTab, TheViewsBeginHigh) {
  open_recording();
  const auto tab = find("Laboratory", "Steps");
  ASSERT_TRUE(tab);
  const ImGuiWindow* views = nullptr;
  for (const ImGuiWindow* each : context_->Windows)
    if (std::string(each->Name).find("/views_") != std::string::npos) views = each;
  ASSERT_NE(views, nullptr);
  EXPECT_LE(views->Pos.y - tab->to.y, 150.0F);
  EXPECT_EQ(views->Pos.x + views->Size.x, window("Laboratory")->WorkRect.Max.x);
  EXPECT_GT(views->Size.x, 1240.0F);
}

TEST_F(StepsTab, KeysMove) {
  open_recording();
  click("Laboratory", ">");
  EXPECT_EQ(playback().at(), 1U);
  EXPECT_TRUE(state_.lab.steps.has_keys);
  EXPECT_EQ(after(ImGuiKey_RightArrow), 2U);
  EXPECT_EQ(after(ImGuiKey_LeftArrow), 1U);
  EXPECT_EQ(after(ImGuiKey_End), 15U);
  EXPECT_EQ(after(ImGuiKey_Home), 0U);
  EXPECT_EQ(after('B'), 11U);
  EXPECT_EQ(after('B'), 14U);
  EXPECT_EQ(after('B', true), 11U);
  EXPECT_EQ(after('P'), 12U);
  EXPECT_EQ(after('D'), 15U);
  EXPECT_EQ(after('C'), 15U) << "there is none";
  EXPECT_EQ(after('K', true), 1U);
  playback().seek(4);  // block 0 reads
  EXPECT_EQ(after(ImGuiKey_RightArrow, true), 6U);
  EXPECT_EQ(after(ImGuiKey_LeftArrow, true), 4U);
  after('M');
  EXPECT_EQ(state_.lab.steps.player.bookmarks, std::vector<std::size_t>{4});
  after(ImGuiKey_End);
  click("Laboratory", "4");
  EXPECT_EQ(playback().at(), 4U);
  after('M');
  EXPECT_TRUE(state_.lab.steps.player.bookmarks.empty());

  // Elsewhere they are not its.
  ImGui::SetWindowFocus(nullptr);
  frames();
  EXPECT_EQ(after(ImGuiKey_RightArrow), 4U);
  EXPECT_FALSE(state_.lab.steps.has_keys);
}

// The window's own meaning of Space and Home waits while the tab has the keys.
TEST(StepsKeys, TakeTwoOfTheWindows) {
  EXPECT_TRUE(plays_steps(GLFW_KEY_SPACE, 0));
  EXPECT_TRUE(plays_steps(GLFW_KEY_HOME, 0));
  EXPECT_FALSE(plays_steps(GLFW_KEY_F, 0));
  EXPECT_FALSE(plays_steps(GLFW_KEY_SPACE, InputEvent::control));
}

TEST_F(StepsTab, Plays) {
  open_recording();
  state_.lab.steps.player.speed = 30.0;
  click("Laboratory", "Play");
  const std::size_t begin = playback().at();
  frames(8, 1.0F / 60.0F);
  EXPECT_EQ(playback().at(), begin + 4);
  EXPECT_TRUE(state_.animates);
  frames(60, 1.0F / 60.0F);
  EXPECT_EQ(playback().at(), 15U);
  EXPECT_FALSE(state_.lab.steps.player.playing);
  EXPECT_FALSE(state_.animates);
  after(ImGuiKey_Space);
  EXPECT_LT(playback().at(), 15U) << "from the beginning again";
}

TEST_F(StepsTab, PointsAtThingsInAllViews) {
  open_recording();
  playback().seek(4);
  frames(2);
  const PlayedRun& run = *model_.lab.steps.shown[0].run;
  const auto lanes = std::find_if(
      run.views.begin(), run.views.end(),
      [](const PlayedRun::View& view) { return view.row->name == std::string("lanes"); });
  ASSERT_NE(lanes, run.views.end());
  std::optional<ui::WidgetRecord> area;
  for (const ui::WidgetRecord& each : widgets())
    if (each.name == "lanes/lanes") area = each;
  ASSERT_TRUE(area);
  const auto& shapes = state_.lab.steps.stacks[0]
                           .views[static_cast<std::size_t>(lanes - run.views.begin())]
                           .drawing.shapes;
  const std::string name = step_views::lane_name(0, 2);
  const auto shape = std::find_if(shapes.begin(), shapes.end(),
                                  [&name](const PlotShape& each) { return each.name == name; });
  ASSERT_NE(shape, shapes.end());
  const PlotVertex corner = shape->vertices.front();
  ImGui::GetIO().MousePos = {area->from.x + corner.x + 2.0F, area->from.y + corner.y + 2.0F};
  frames(3);
  EXPECT_EQ(state_.lab.steps.gaze.pointed, name);
  EXPECT_TRUE(can_read("thread 2")) << "a tooltip";
  click_here();
  ImGui::GetIO().MousePos = {1.0F, 1.0F};
  frames(3);
  EXPECT_EQ(state_.lab.steps.gaze.pointed, "");
  EXPECT_EQ(state_.lab.steps.gaze.name(), name) << "pinned";
}

TEST_F(StepsTab, ShowsTwoSideBySide) {
  open_recording();
  state_.lab.steps.comparison = {.variant = find_variant(Primitive::scan, "chained"), .seed = 0};
  record(1, 8);
  ASSERT_EQ(model_.lab.steps.shown[1].run->asked->variant->name, std::string("chained"));
  EXPECT_EQ(state_.lab.steps.difference, 12U);
  click("Laboratory", "First difference");
  EXPECT_EQ(playback(0).at(), 12U);
  EXPECT_EQ(playback(1).at(), 12U);
  click("Laboratory", "moving/right");
  click("Laboratory", "<");
  EXPECT_EQ(playback(0).at(), 12U);
  EXPECT_EQ(playback(1).at(), 11U);
  state_.lab.steps.comparison.reset();
  frames(3);
  EXPECT_EQ(model_.lab.steps.shown[1].run, nullptr);
  EXPECT_EQ(state_.lab.steps.moving, StepsView::Moving::both);
}

// As if a file with it had been read.
std::shared_ptr<PlayedRun> run_of_file(const char* primitive, const char* variant) {
  auto recording = std::make_shared<Recording>(*small_recording());
  recording->primitive = primitive;
  recording->variant = variant;
  auto run = std::make_shared<PlayedRun>(std::move(recording));
  run->file = "some/where.wvrec";
  return run;
}

TEST_F(StepsTab, ShowsAFile) {
  open_recording();
  model_.lab.question.primitive = Primitive::sort;
  state_.show_lab = false;
  state_.lab.open = LabTask::sweep;
  frames(2);
  model_.requests.take();
  model_.lab.steps.shown[0].run = run_of_file("scan", "lookback");
  model_.lab.steps.opened = true;
  frames(5);
  EXPECT_TRUE(state_.show_lab);
  EXPECT_EQ(state_.lab.front, LabTask::steps);
  EXPECT_EQ(model_.lab.question.primitive, Primitive::scan);
  EXPECT_EQ(state_.lab.variant, find_variant(Primitive::scan, "lookback"));
  EXPECT_TRUE(can_read("where.wvrec: scan lookback"));
  EXPECT_TRUE(can_read("Step 0 of 15"));
  click("Laboratory", ">|");
  EXPECT_EQ(playback().at(), 15U);
  EXPECT_FALSE(model_.requests.find<request::Record>()) << "it stays";
  EXPECT_FALSE(find("Laboratory", "comparison"));
  click("Laboratory", "Record");
  frames(2);
  EXPECT_TRUE(model_.requests.find<request::Record>()) << "what is chosen";
}

TEST_F(StepsTab, ShowsAFileOfWhatItDoesNotKnow) {
  for (const char* const primitive : {"faults", "", "of another program"}) {
    model_.lab.steps.shown[0].run = run_of_file(primitive, "missing");
    model_.lab.steps.opened = true;
    frames(5);
    EXPECT_EQ(model_.lab.question.primitive, Primitive::scan) << primitive;
    EXPECT_TRUE(can_read(std::string("where.wvrec: ") + primitive + " missing")) << primitive;
    EXPECT_TRUE(can_read("Step 0 of 15")) << primitive;
    EXPECT_FALSE(model_.lab.steps.shown[0].run->views.empty()) << primitive;
  }
}

TEST_F(StepsTab, TakesRecordingsOfOpenedFiles) {
  model_.requests.take();
  open_files_in(model_, {"a.wvrec", "bunny.obj"});
  ASSERT_TRUE(model_.requests.find<request::OpenRecording>());
  EXPECT_EQ(model_.requests.find<request::OpenRecording>()->file, "a.wvrec");
  ASSERT_TRUE(model_.requests.find<request::Open>());
  ASSERT_EQ(model_.requests.find<request::Open>()->scene.files.size(), 1U);
  model_.requests.take();
  open_file_in(model_, "b.wvrec");
  EXPECT_TRUE(model_.requests.find<request::OpenRecording>());
  EXPECT_FALSE(model_.requests.find<request::Open>()) << "the scene stays";
}

}  // namespace
}  // namespace warpview
