#include "scenes/controls.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/runtime/error.h"
#include "tests/scenes/support.h"

namespace warpview::test {
namespace {

constexpr std::array solvers = {"jacobi", "gauss_seidel"};
constexpr std::array controls_of_a_scene = {
    Control{.name = "wind",
            .title = "Wind",
            .tooltip = "Does it blow?",
            .kind = Control::Kind::toggle,
            .initial = 1},
    Control{.name = "radius",
            .title = "Radius",
            .tooltip = "Of a particle.",
            .initial = 0.1,
            .least = 0.01,
            .most = 0.5,
            .unit = "m"},
    Control{.name = "count",
            .title = "Count",
            .tooltip = "Particles.",
            .effect = Effect::remake,
            .initial = 1000,
            .least = 1,
            .most = 1e6,
            .whole = true,
            .logarithmic = true},
    Control{.name = "solver",
            .title = "Solver",
            .tooltip = "How constraints are met.",
            .kind = Control::Kind::choice,
            .effect = Effect::plan,
            .initial = 1,
            .choices = solvers},
    Control{.name = "drop",
            .title = "Drop it",
            .tooltip = "Lets it fall.",
            .kind = Control::Kind::action,
            .effect = Effect::reset},
};
enum Place : std::size_t { wind, radius, whole_number, solver, drop };

Controls some() { return Controls(controls_of_a_scene); }

std::string error_of(Controls& controls, const std::string& assignment) {
  const Controls before = controls;
  try {
    controls.set(assignment);
  } catch (const Error& error) {
    EXPECT_TRUE(controls == before) << assignment << " was refused and set";
    return error.what();
  }
  ADD_FAILURE() << assignment << " was taken";
  return {};
}

TEST(Controls, BeginAtTheirInitialValues) {
  const Controls controls = some();
  EXPECT_EQ(controls.size(), 5U);
  EXPECT_EQ(controls.all().data(), controls_of_a_scene.data());
  EXPECT_TRUE(controls.on("wind"));
  EXPECT_EQ(controls["radius"], 0.1);
  EXPECT_EQ(controls["count"], 1000.0);
  EXPECT_EQ(controls.choice("solver"), 1);
  EXPECT_EQ(controls["drop"], 0.0);
  EXPECT_EQ(controls.find("solver"), solver);
  EXPECT_EQ(controls.value(radius), 0.1);
  EXPECT_EQ(Controls().size(), 0U);
}

TEST(Controls, TakeWords) {
  Controls controls = some();
  for (const char* off : {"off", "false", "no", "0"}) {
    controls.set(std::string("wind=") + off);
    EXPECT_FALSE(controls.on("wind")) << off;
    controls.set("wind=on");
  }
  for (const char* on : {"on", "true", "yes", "1"}) {
    controls.set("wind=off");
    controls.set(std::string("wind=") + on);
    EXPECT_TRUE(controls.on("wind")) << on;
  }
  controls.set("radius=0.5");
  EXPECT_EQ(controls["radius"], 0.5);
  controls.set("radius=1e-2");
  EXPECT_EQ(controls["radius"], 0.01);
  controls.set("count=2000");
  EXPECT_EQ(controls["count"], 2000.0);
  controls.set("count=1e6");
  EXPECT_EQ(controls["count"], 1e6);
  controls.set("solver=jacobi");
  EXPECT_EQ(controls.choice("solver"), 0);
  controls.set("drop=2");
  EXPECT_EQ(controls["drop"], 2.0);
  controls.set(wind, 0.0);
  controls.set(solver, 1.0);
  EXPECT_FALSE(controls.on("wind"));
  EXPECT_EQ(controls.choice("solver"), 1);
}

TEST(Controls, RefuseWhatTheyCannotBe) {
  Controls controls = some();
  for (const char* assignment :
       {"wind=maybe", "wind=2",     "wind=",         "radius=0.009", "radius=0.51",   "radius=-0.1",
        "radius=nan", "radius=inf", "radius=0.1m",   "radius= 0.1",  "radius=",       "radius=on",
        "count=0",    "count=1.5",  "count=1000001", "count=12x",    "solver=newton", "solver=0",
        "solver=",    "drop=-1",    "drop=0.5",      "drop=now"})
    EXPECT_NE(error_of(controls, assignment), "") << assignment;
  for (const double value : {0.5, -1.0, 2.0, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_THROW(controls.set(solver, value), Error) << value;
  EXPECT_THROW(controls.set(radius, std::nan("")), Error);
  EXPECT_TRUE(controls == some());
}

TEST(Controls, SayWhatTheyCanBe) {
  Controls controls = some();
  EXPECT_TRUE(contains(error_of(controls, "radius=7"), "radius=7"));
  EXPECT_TRUE(contains(error_of(controls, "radius=7"), "0.01 to 0.5 m"));
  EXPECT_TRUE(contains(error_of(controls, "count=1.5"), "a whole number, 1 to 1000000"));
  EXPECT_TRUE(contains(error_of(controls, "solver=x"), "one of jacobi, gauss_seidel"));
  EXPECT_TRUE(contains(error_of(controls, "wind=x"), "on or off"));
  EXPECT_TRUE(contains(error_of(controls, "drop=x"), "1 presses it once"));
  EXPECT_TRUE(contains(error_of(controls, "gravity=1"), "wind, radius, count, solver, drop"));
  EXPECT_TRUE(contains(error_of(controls, "radius"), "there is no '='"));
  Controls none;
  EXPECT_TRUE(contains(error_of(none, "radius=1"), "It has none"));
  EXPECT_THROW(none["radius"], std::logic_error);
  EXPECT_THROW(controls.find("gravity"), Error);
}

TEST(Controls, InWords) {
  const auto range = [](Place place) { return range_in_words(controls_of_a_scene[place]); };
  EXPECT_EQ(range(wind), "on or off; on");
  EXPECT_EQ(range(radius), "0.01 to 0.5 m; 0.1 m");
  EXPECT_EQ(range(whole_number), "a whole number, 1 to 1000000; 1000");
  EXPECT_EQ(range(solver), "one of jacobi, gauss_seidel; gauss_seidel");
  EXPECT_EQ(range(drop), "an action");
  const auto value = [](Place place, double number) {
    return value_in_words(controls_of_a_scene[place], number);
  };
  EXPECT_EQ(value(wind, 0.0), "off");
  EXPECT_EQ(value(radius, 0.25), "0.25 m");
  EXPECT_EQ(value(whole_number, 30.0), "30");
  EXPECT_EQ(value(solver, 0.0), "jacobi");
  EXPECT_EQ(value(drop, 3.0), "3");
}

TEST(Controls, GiveTheWordsThatTheyTake) {
  Controls controls = some();
  for (const char* assignment : {"wind=off", "radius=0.25", "count=30", "solver=jacobi", "drop=3"})
    controls.set(assignment);
  const std::array words = {"off", "0.25", "30", "jacobi", "3"};
  Controls again = some();
  for (std::size_t i = 0; i < controls.size(); ++i) {
    EXPECT_EQ(controls.text(i), words[i]);
    again.set(i, controls.text(i));
  }
  EXPECT_TRUE(again == controls);
}

TEST(Controls, AreComparedByEffect) {
  Controls controls = some();
  EXPECT_TRUE(controls == some());
  controls.set("radius=0.2");
  EXPECT_FALSE(controls == some());
  EXPECT_FALSE(controls.same(some(), Effect::frame));
  for (const Effect effect : {Effect::plan, Effect::reset, Effect::remake})
    EXPECT_TRUE(controls.same(some(), effect));
  controls = some();
  controls.set("count=3");
  EXPECT_TRUE(controls.same(some(), Effect::frame));
  EXPECT_FALSE(controls.same(some(), Effect::remake));
  controls = some();
  controls.set("drop=1");
  EXPECT_FALSE(controls.same(some(), Effect::reset));
  // Another scene's.
  EXPECT_FALSE(some().same(Controls(), Effect::frame));
}

constexpr std::array needy = {
    Control{.name = "wave", .title = "Wave", .tooltip = "", .kind = Control::Kind::toggle},
    Control{.name = "height",
            .title = "Height",
            .tooltip = "",
            .needs = {.control = "wave", .values = {"on"}}},
    Control{.name = "steep",
            .title = "Steep",
            .tooltip = "",
            .needs = {.control = "height", .values = {"1", "0.5"}}},
    Control{.name = "level", .title = "Level", .tooltip = "", .needs = {.output = "boxes"}}};

TEST(Controls, HaveAnEffectWhereTheirNeedsAreMet) {
  Controls controls(needy);
  const auto all_shown = [](std::string_view) { return true; };
  const auto none_shown = [](std::string_view) { return false; };
  EXPECT_EQ(controls.unmet_need(0, none_shown), nullptr);
  EXPECT_EQ(controls.unmet_need(1, all_shown), &needy[1].needs);
  controls.set("wave=on");
  EXPECT_EQ(controls.unmet_need(1, none_shown), nullptr);
  EXPECT_EQ(controls.unmet_need(2, all_shown), &needy[2].needs);
  controls.set("height=0.5");
  EXPECT_EQ(controls.unmet_need(2, all_shown), nullptr);
  // What it needs has no effect itself.
  controls.set("wave=off");
  EXPECT_EQ(controls.unmet_need(2, all_shown), &needy[1].needs);
  EXPECT_EQ(controls.unmet_need(3, all_shown), nullptr);
  EXPECT_EQ(controls.unmet_need(3, none_shown), &needy[3].needs);
  EXPECT_EQ(needs_in_words(needy[0]), "");
  EXPECT_EQ(needs_in_words(needy[2]), "height=1 or height=0.5");
  EXPECT_EQ(needs_in_words(needy[3]), "the output boxes");
}

}  // namespace
constexpr std::array old_settings = {
    OldSetting{.name = "gale", .value = "none", .today = {{{"wind", "off"}}}},
    OldSetting{
        .name = "gale", .value = "strong", .today = {{{"wind", "on"}, {"solver", "jacobi"}}}},
    OldSetting{.name = "size", .today = {{{"radius"}}}}};

TEST(Controls, TakeOldSettings) {
  Controls controls(controls_of_a_scene, old_settings);
  controls.set("gale=none");
  EXPECT_EQ(controls.value(wind), 0.0);
  EXPECT_EQ(controls.choice("solver"), 1) << "it says nothing of it";
  controls.set("gale", "strong");
  EXPECT_EQ(controls.value(wind), 1.0);
  EXPECT_EQ(controls.choice("solver"), 0);
  controls.set("size=0.25");
  EXPECT_EQ(controls.value(radius), 0.25);
  EXPECT_TRUE(controls.sets("gale", "wind"));
  EXPECT_TRUE(controls.sets("gale", "solver"));
  EXPECT_TRUE(controls.sets("wind", "wind"));
  EXPECT_FALSE(controls.sets("gale", "radius"));
  EXPECT_FALSE(controls.sets("wind", "solver"));
  using Settings = std::vector<Controls::Setting>;
  EXPECT_EQ(controls.today("size", "7"), (Settings{{"radius", "7"}}));
  EXPECT_EQ(controls.today("wind", "on"), (Settings{{"wind", "on"}}));

  const std::string unknown = error_of(controls, "gale=stong");
  EXPECT_TRUE(contains(unknown, "Did you mean strong?")) << unknown;
  EXPECT_TRUE(contains(unknown, "none, strong")) << unknown;
  const std::string range = error_of(controls, "size=2");
  EXPECT_TRUE(range.starts_with("size=2: ")) << range << ": as it was written";
  EXPECT_TRUE(contains(range, "0.01 to 0.5")) << range << ": today's range";
  EXPECT_THROW(some().set("gale=none"), Error) << "another scene does not have it";
}

TEST(Controls, UnitsAreSingularAfterOne) {
  EXPECT_EQ(unit_after("1", "pixels"), "pixel");
  EXPECT_EQ(unit_after("1", "radii"), "radius");
  EXPECT_EQ(unit_after("1", "degrees"), "degree");
  EXPECT_EQ(unit_after("1.5", "pixels"), "pixels");
  EXPECT_EQ(unit_after("0", "pixels"), "pixels");
  EXPECT_EQ(unit_after("1", "per second"), "per second");
  constexpr Control size{.name = "size",
                         .title = "Size",
                         .tooltip = "Of a thing.",
                         .kind = Control::Kind::number,
                         .most = 9.0,
                         .unit = "pixels"};
  EXPECT_EQ(value_in_words(size, 1.0), "1 pixel");
  EXPECT_EQ(value_in_words(size, 2.0), "2 pixels");
}

}  // namespace warpview::test
