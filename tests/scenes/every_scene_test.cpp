// Every scene of scenes/scenes.def on every device: what scenes/scene.h promises of all of them.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>

#include "gpu/runtime/vertex.h"
#include "gpu/steps/particles.h"
#include "scenes/files/open_mesh.h"
#include "tests/scenes/meshes.h"
#include "tests/scenes/scene_test.h"
#include "tests/support/sanitized.h"
#include "tests/support/small_device.h"

namespace warpview::test {
namespace {

struct Case {
  const SceneKind* kind;
  TestDevice on;
};

std::string name_of(const Case& one) { return std::string(one.kind->name) + "_" + one.on.name; }
void PrintTo(const Case& one, std::ostream* out) { *out << name_of(one); }

// Under sanitizers each scene runs on one device, and the next scene on the next: with another size
// of warps.
std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const std::vector<TestDevice>& devices = few_devices();
  for (std::size_t scene = 0; scene < scene_kinds().size(); ++scene)
    for (std::size_t i = 0; i < devices.size(); ++i)
      if (!is_sanitized || i == scene % devices.size())
        cases.push_back({&scene_kinds()[scene], devices[i]});
  return cases;
}

class EveryScene : public testing::TestWithParam<Case> {
 protected:
  const SceneKind& kind() const { return *GetParam().kind; }
  Device& device() const { return *GetParam().on.device; }
  // Are products of what is tested one by one elsewhere left out? Sanitizers look for what kernels
  // and scenes do by themselves, and take several times as long.
  static constexpr bool leaves_out_products = is_sanitized;
  // One device of each backend for what takes long.
  bool is_first_of_backend() const {
    for (const TestDevice& on : few_devices())
      if (on.device->info().backend == device().info().backend)
        return on.device == GetParam().on.device;
    return false;
  }

  std::unique_ptr<Scene> make(Mesh mesh) const { return make(std::move(mesh), device()); }
  std::unique_ptr<Scene> make(Mesh mesh, Device& on) const {
    return make_scene(kind(), on, std::move(mesh), usual());
  }
  // As the scene begins, but as small as it may be, and with the same bits in every run where that
  // can be asked for.
  Controls usual() const {
    Controls controls = all_there();
    // Two trees have all that four have, and each is verified with each variant of each stage.
    for (std::size_t i = 0; i < controls.size(); ++i)
      if (controls.all()[i].name == std::string("trees")) controls.set(i, controls.all()[i].least);
    return controls;
  }
  Controls all_there() const {
    Controls controls(kind().controls);
    if (kind().size_control) {
      const std::size_t size = controls.find(kind().size_control);
      controls.set(size, controls.all()[size].least);
    }
    return with_same_bits(std::move(controls), true);
  }
  // Not every variant can give the same bits.
  static Controls in_any_order(Controls controls) {
    return with_same_bits(std::move(controls), false);
  }
  std::unique_ptr<Scene> loaded(Mesh mesh) const {
    std::unique_ptr<Scene> scene = make(std::move(mesh));
    load(*scene);
    return scene;
  }

  // Is the user to see what a frame takes whose kernels are launched one by one?
  static bool wants_launches(const Controls& controls) {
    for (std::size_t i = 0; i < controls.size(); ++i)
      if (controls.all()[i].name == std::string("launch")) return controls.text(i) == "stream";
    return false;
  }

  // Does it promise the same bits in each run? Where it has no such control, yes.
  static bool has_same_bits(const Controls& controls) {
    for (std::size_t i = 0; i < controls.size(); ++i)
      if (controls.all()[i].name == std::string("deterministic")) return controls.value(i) == 1.0;
    return true;
  }

  // Small meshes, and one of several blocks.
  static std::vector<std::uint64_t> mesh_sizes() {
    std::vector<std::uint64_t> some = {0, 1, 33, 2000};
    std::erase_if(some, [](std::uint64_t n) { return n > sizes().back(); });
    return some;
  }

  // Is there a stage of which this holds?
  template <class Holds>
  static bool has_stage(const Timeline& timeline, Holds holds) {
    for (std::size_t i = 0; i < timeline.size(); ++i)
      if (holds(timeline.info(static_cast<StageId>(i)))) return true;
    return false;
  }

  struct Setting {
    std::string text;
    Controls controls;
  };
  // The scene as it begins, and each way in which it can run.
  std::vector<Setting> ways() const {
    std::vector<Setting> all = {{"as it begins", usual()}};
    for (const Setting& setting : settings(all.front(), [](const Control& control) {
           return control.kind == Control::Kind::choice && control.effect != Effect::frame;
         }))
      all.push_back(setting);
    return all;
  }
  // From one setting each control in turn to its ends, or to each of its choices.
  std::vector<Setting> ends(const Setting& from) const {
    return settings(from, [](const Control&) { return true; });
  }

  static std::vector<double> values(const Control& control) {
    if (control.kind == Control::Kind::toggle) return {0.0, 1.0};
    if (control.kind == Control::Kind::number) return {control.least, control.most};
    if (control.kind == Control::Kind::action) return {control.initial + 1.0};
    std::vector<double> choices(control.choices.size());
    for (std::size_t i = 0; i < choices.size(); ++i) choices[i] = static_cast<double>(i);
    return choices;
  }
  // A frame of what is shown to begin with.
  static Frame shown_of(const Scene& scene, const Targets& targets) {
    Frame frame = targets.none();
    const Frame all = targets.all();
    frame.commands = all.commands;
    for (const Output& output : scene.outputs())
      for (const std::size_t stream : output.streams)
        if (output.shown) frame.targets[stream] = all.targets[stream];
    return frame;
  }

 private:
  static Controls with_same_bits(Controls controls, bool wanted) {
    for (std::size_t i = 0; i < controls.size(); ++i)
      if (controls.all()[i].name == std::string("deterministic"))
        controls.set(i, wanted ? 1.0 : 0.0);
    return controls;
  }
  template <class Wanted>
  std::vector<Setting> settings(const Setting& from, Wanted wanted) const {
    std::vector<Setting> all;
    for (std::size_t i = 0; i < from.controls.size(); ++i) {
      const Control& control = from.controls.all()[i];
      if (control.effect == Effect::remake || !wanted(control)) continue;
      for (const double value : values(control)) {
        Setting setting = from;
        setting.controls.set(i, value);
        setting.text += std::string(", ") + control.name + "=" + std::to_string(value);
        all.push_back(std::move(setting));
      }
    }
    return all;
  }
};

INSTANTIATE_TEST_SUITE_P(, EveryScene, testing::ValuesIn(all_cases()),
                         [](const auto& one) { return name_of(one.param); });

// --- Descriptions

std::size_t element_bytes(OutputKind kind, std::size_t stream) {
  switch (kind) {
    case OutputKind::surface:
    case OutputKind::edges:
      return stream == 0 ? sizeof(Vertex) : sizeof(std::uint32_t);
    case OutputKind::boxes:
      return stream == 0 ? sizeof(Aabb) : sizeof(float);
    case OutputKind::strip:
      return sizeof(Vec3);
    case OutputKind::points:
      return sizeof(Vertex);
    case OutputKind::dots:
    case OutputKind::lines:
      return stream == 0 ? sizeof(Vertex) : sizeof(std::uint32_t);
    case OutputKind::marked:
      return sizeof(Vec3);
    case OutputKind::spheres:
      return sizeof(DrawnSphere);
    case OutputKind::image:
      return sizeof(std::uint32_t);
  }
  return 0;
}

TEST(SceneKinds, AreFoundByName) {
  ASSERT_FALSE(scene_kinds().empty());
  std::set<std::string> names;
  for (const SceneKind& kind : scene_kinds()) {
    SCOPED_TRACE(kind.name);
    EXPECT_EQ(find_scene_kind(kind.name), &kind);
    EXPECT_TRUE(names.insert(kind.name).second);
    EXPECT_NE(std::string(kind.title), "");
    EXPECT_NE(std::string(kind.summary), "");
    EXPECT_NE(std::string(kind.invitation), "");
    EXPECT_TRUE(std::string(kind.thumbnail).starts_with(kind.name)) << kind.thumbnail;
    EXPECT_NE(std::string(kind.usage).find(kind.name), std::string::npos);
    LoadControl control;
    const Mesh own = open_mesh(std::string(kind.own_mesh), control);
    EXPECT_GT(own.triangle_count() + own.picture.paths.size(), 0U);
    EXPECT_TRUE(kind.draws_pictures || !own.is_picture());
    if (kind.size_control) {
      const Controls controls(kind.controls);
      const Control& size = kind.controls[controls.find(kind.size_control)];
      EXPECT_EQ(size.kind, Control::Kind::number);
      EXPECT_TRUE(size.whole);
    }
  }
  EXPECT_EQ(find_scene_kind("no such scene"), nullptr);
}

TEST(SceneKinds, HaveControlsThatCanBeSetToWhatTheyBeginWith) {
  for (const SceneKind& kind : scene_kinds()) {
    Controls controls(kind.controls);
    std::set<std::string> names;
    for (std::size_t i = 0; i < controls.size(); ++i) {
      const Control& control = kind.controls[i];
      SCOPED_TRACE(std::string(kind.name) + ", " + control.name);
      EXPECT_TRUE(names.insert(control.name).second);
      EXPECT_NE(std::string(control.title), "");
      EXPECT_NE(std::string(control.tooltip), "");
      EXPECT_NO_THROW(controls.set(i, control.initial));
      EXPECT_EQ(control.kind == Control::Kind::choice, !control.choices.empty());
      if (control.kind == Control::Kind::number) {
        EXPECT_LT(control.least, control.most);
        EXPECT_FALSE(control.logarithmic && control.least <= 0.0);
      }
    }
  }
}

// What controls need is there, and no chain of needs comes back to its beginning.
TEST_P(EveryScene, HasControlsThatNeedWhatThereIs) {
  const auto scene = make(make_sphere(33));
  const auto has_output = [&scene](std::string_view name) {
    return std::any_of(scene->outputs().begin(), scene->outputs().end(),
                       [name](const Output& output) { return name == output.name; });
  };
  for (std::size_t i = 0; i < kind().controls.size(); ++i) {
    const Control& control = kind().controls[i];
    SCOPED_TRACE(control.name);
    const Need& need = control.needs;
    EXPECT_FALSE(need.control != nullptr && need.output != nullptr);
    EXPECT_EQ(needs_in_words(control).empty(), !need.any());
    if (need.output != nullptr) {
      EXPECT_TRUE(has_output(need.output));
    }
    if (need.control == nullptr) continue;
    EXPECT_NE(need.values[0], nullptr);
    Controls controls(kind().controls);
    for (const char* value : need.values)
      if (value != nullptr) {
        EXPECT_NO_THROW(controls.set(controls.find(need.control), std::string_view(value)));
      }
    const Control* other = &control;
    for (std::size_t steps = 0; other->needs.control != nullptr; ++steps) {
      ASSERT_LT(steps, kind().controls.size()) << "it needs itself";
      other = &kind().controls[controls.find(other->needs.control)];
    }
  }
}

// A panel greys them.
TEST_P(EveryScene, ControlsThatLackWhatTheyNeedChangeNothing) {
  std::vector<Setting> all = ways();
  for (std::size_t i = 0; i < kind().controls.size(); ++i) {
    const Control& control = kind().controls[i];
    if (control.effect != Effect::remake || control.kind != Control::Kind::choice) continue;
    for (const double value : values(control)) {
      Setting made{control.name + std::string("=") + std::to_string(value), usual()};
      made.controls.set(i, value);
      all.push_back(std::move(made));
    }
  }
  for (const Setting& way : all) {
    const auto usual_scene = make_scene(kind(), device(), make_sphere(200), way.controls);
    const auto other_scene = make_scene(kind(), device(), make_sphere(200), way.controls);
    load(*usual_scene);
    load(*other_scene);
    const Targets usual_targets(*usual_scene);
    const Targets other_targets(*other_scene);
    const auto is_shown = [&](std::string_view name) {
      for (const Output& output : usual_scene->outputs())
        if (name == output.name) return output.shown;
      return false;
    };
    Setting changed = way;
    changed.text += ", changed:";
    for (std::size_t i = 0; i < way.controls.size(); ++i) {
      const Control& control = way.controls.all()[i];
      if (control.effect == Effect::remake || way.controls.unmet_need(i, is_shown) == nullptr)
        continue;
      changed.text += std::string(", ") + control.name;
      const std::vector<double> possible = values(control);
      changed.controls.set(
          i, way.controls.value(i) == possible.back() ? possible.front() : possible.back());
    }
    if (changed.controls == way.controls) continue;
    SCOPED_TRACE(changed.text);
    set(*usual_scene, way.controls);
    set(*other_scene, changed.controls);
    for (int frame = 0; frame < 3; ++frame) {
      run(*usual_scene, shown_of(*usual_scene, usual_targets));
      run(*other_scene, shown_of(*other_scene, other_targets));
      expect_alike(*usual_scene, usual_targets, *other_scene, other_targets);
      const CutPlane a = usual_scene->cut();
      const CutPlane b = other_scene->cut();
      EXPECT_TRUE((!a.cuts() && !b.cuts()) || a.offset == b.offset);
      for (std::size_t i = 0; i < usual_scene->outputs().size(); ++i)
        if (usual_scene->outputs()[i].shown) {
          EXPECT_EQ(usual_scene->outputs()[i].style, other_scene->outputs()[i].style);
        }
      const auto usual_stages = usual_scene->timeline().stage_results();
      const auto other_stages = other_scene->timeline().stage_results();
      for (std::size_t i = 0; i < usual_stages.size(); ++i)
        EXPECT_EQ(usual_stages[i].runs, other_stages[i].runs) << usual_stages[i].name;
    }
  }
}

TEST_P(EveryScene, SaysWhatCanBeDrawn) {
  for (const std::uint64_t n : mesh_sizes()) {
    const auto scene = make(make_sphere(n));
    EXPECT_STREQ(scene->kind().name, kind().name);
    EXPECT_EQ(scene->mesh().triangle_count(), n);
    std::set<std::string> names;
    std::set<char> keys;
    bool is_shown = false;
    for (const Output& output : scene->outputs()) {
      SCOPED_TRACE(output.name);
      EXPECT_TRUE(names.insert(output.name).second);
      EXPECT_NE(std::string(output.title), "");
      if (output.key != 0) {
        EXPECT_TRUE(output.key >= '1' && output.key <= '9') << output.key;
        EXPECT_TRUE(keys.insert(output.key).second) << output.key;
      }
      is_shown |= output.shown;
      EXPECT_LT(output.command, scene->command_count());
      for (std::size_t i = 0; i < output.streams.size(); ++i) {
        ASSERT_LT(output.streams[i], scene->streams().size());
        EXPECT_EQ(scene->streams()[output.streams[i]].element_bytes, element_bytes(output.kind, i));
      }
    }
    EXPECT_TRUE(is_shown);
    EXPECT_FALSE(scene->materials().materials.empty());
  }
}

TEST_P(EveryScene, HasStagesWithNamesOfTheirOwn) {
  const auto scene = loaded(make_sphere(33));
  const Timeline& timeline = scene->timeline();
  ASSERT_GT(timeline.size(), 0U);
  for (std::size_t i = 0; i < timeline.size(); ++i) {
    const auto stage = static_cast<StageId>(i);
    const StageInfo& info = timeline.info(stage);
    EXPECT_EQ(timeline.find(info.name), stage) << "another stage is called " << info.name;
    EXPECT_NE(info.title, "");
    EXPECT_TRUE(info.work) << info.name;
  }
}

TEST_P(EveryScene, TellsFactsByNamesOfTheirOwn) {
  const auto scene = loaded(make_sphere(33));
  std::set<std::string> names;
  for (const Fact& fact : scene->facts()) {
    EXPECT_TRUE(names.insert(fact.name).second) << fact.name;
    EXPECT_NE(fact.name.find('.'), std::string::npos) << fact.name << " has no group";
    EXPECT_NE(fact.title, "") << fact.name;
  }
  EXPECT_FALSE(names.empty());
  EXPECT_FALSE(scene->bounds().is_empty());
  for (std::size_t i = 0; i < scene->controls().size(); ++i) {
    const Control& control = scene->controls().all()[i];
    EXPECT_GE(scene->slider_max(i), control.least) << control.name;
    EXPECT_LE(scene->slider_max(i), control.most) << control.name;
    const bool says_so = std::string(control.tooltip).find("0: derived") != std::string::npos;
    EXPECT_EQ(scene->derived(i).has_value(), says_so && scene->controls().value(i) == 0.0)
        << control.name;
  }
}

// --- Frames

TEST_P(EveryScene, IsVerifiedBeforeAndAfterFrames) {
  for (const std::uint64_t n : mesh_sizes()) {
    const auto scene = loaded(make_sphere(n));
    const Targets targets(*scene);
    expect_sound(*scene);
    for (const Setting& way : ways()) {
      SCOPED_TRACE(std::to_string(n) + " triangles, " + way.text);
      set(*scene, way.controls);
      for (int frame = 0; frame < 3; ++frame) run(*scene, targets.all());
      expect_sound(*scene);
      run(*scene, targets.none());
      for (const Output& output : scene->outputs()) run(*scene, targets.only(output));
      expect_sound(*scene);
      load(*scene);
      expect_sound(*scene);
    }
    set(*scene, usual());
    run(*scene, targets.all());
    expect_sound(*scene);
  }
}

// As the command line sets it, before a frame says what it depends on.
TEST_P(EveryScene, IsVerifiedBeforeFramesAsItIsMade) {
  for (const Setting& setting : ends({"as it begins", usual()})) {
    SCOPED_TRACE(setting.text);
    const auto scene = make_scene(kind(), device(), make_sphere(33), setting.controls);
    load(*scene);
    expect_sound(*scene);
  }
}

TEST_P(EveryScene, AGraphGivesWhatLaunchesGive) {
  for (const std::uint64_t n : mesh_sizes())
    for (const Setting& way : ways()) {
      SCOPED_TRACE(std::to_string(n) + " triangles, " + way.text);
      const auto graphs = loaded(make_sphere(n));
      const auto launches = loaded(make_sphere(n));
      launches->timeline().allow_graphs(false);
      const Targets targets_of_graphs(*graphs);
      const Targets targets_of_launches(*launches);
      set(*graphs, way.controls);
      set(*launches, way.controls);
      for (int frame = 0; frame < 3; ++frame) {  // captured by the first, replayed by the others
        run(*graphs, targets_of_graphs.all());
        run(*launches, targets_of_launches.all());
        EXPECT_EQ(graphs->timeline().replays(),
                  device().events_in_graphs() && !wants_launches(way.controls));
        EXPECT_FALSE(launches->timeline().replays());
        expect_alike(*graphs, targets_of_graphs, *launches, targets_of_launches);
      }
      Frame whole = targets_of_graphs.all();
      whole.timing = Timing::whole;
      run(*graphs, whole);
      EXPECT_EQ(graphs->timeline().replays(), !wants_launches(way.controls));
      run(*launches, targets_of_launches.all());
      expect_alike(*graphs, targets_of_graphs, *launches, targets_of_launches);
    }
}

// One scene replays graphs while the other launches the same frames, as everything changes that a
// frame may depend on: a graph that is replayed for another plan leaves something else.
TEST_P(EveryScene, AGraphIsReplayedForNoOtherPlan) {
  const auto graphs = loaded(make_sphere(33));
  const auto launches = loaded(make_sphere(33));
  launches->timeline().allow_graphs(false);
  const Targets targets_of_graphs(*graphs);
  const Targets targets_of_launches(*launches);
  const auto both = [&](double seconds) {
    run(*graphs, targets_of_graphs.all(seconds));
    run(*launches, targets_of_launches.all(seconds));
    expect_alike(*graphs, targets_of_graphs, *launches, targets_of_launches);
  };
  const auto change = [&](const Setting& to) {
    SCOPED_TRACE(to.text);
    set(*graphs, to.controls);
    set(*launches, to.controls);
    launches->timeline().allow_graphs(false);
    for (const double seconds : {0.0, time_step, time_step, 0.0}) both(seconds);
  };
  for (const double seconds : {time_step, 0.0}) both(seconds);
  const std::vector<Setting> all = ways();
  std::vector<Setting> settings = all;
  // EveryControlGoesToItsEnds runs the ends with graphs.
  if (!leaves_out_products)
    for (const Setting& setting : ends(all.front())) {
      settings.push_back(setting);
      settings.push_back(all.front());
    }
  for (const Setting& setting : settings)
    if (!wants_launches(setting.controls) && has_same_bits(setting.controls)) change(setting);
  for (const float towards : {-1.0F, 1.0F}) {
    SCOPED_TRACE("picked");
    const Ray ray{{0.1F, 0.05F, 5.0F}, {0.0F, 0.0F, towards}};
    EXPECT_EQ(graphs->pick(ray).facts.size(), launches->pick(ray).facts.size());
    both(time_step);
  }
  run(*graphs, targets_of_graphs.none());
  run(*launches, targets_of_launches.none());
  both(time_step);
}

// What a control is said to change.
TEST_P(EveryScene, ControlsOfEffectPlanChangeTheLaunches) {
  const auto scene = make_scene(kind(), device(), make_sphere(33), all_there());
  load(*scene);
  const Targets targets(*scene);
  for (std::size_t i = 0; i < kind().controls.size(); ++i) {
    const Control& control = kind().controls[i];
    if (control.effect != Effect::plan) continue;
    bool changes = false;
    for (const double value : values(control)) {
      set(*scene, all_there());
      for (int frame = 0; frame < 3; ++frame) run(*scene, targets.all());
      const std::uint64_t captures = scene->timeline().captures();
      Controls controls = all_there();
      controls.set(i, value);
      set(*scene, controls);
      run(*scene, targets.all());
      changes |= scene->timeline().captures() > captures || !scene->timeline().replays();
    }
    EXPECT_TRUE(changes) << control.name;
  }
}

TEST_P(EveryScene, StandsStillWhileNoTimePassesAndBeginsAgain) {
  constexpr std::uint64_t n = 33;
  for (const Setting& way : ways()) {
    SCOPED_TRACE(way.text);
    const auto scene = loaded(make_sphere(n));
    const auto other = loaded(make_sphere(n));
    const Targets targets(*scene);
    const Targets others_targets(*other);
    set(*scene, way.controls);
    set(*other, way.controls);
    run(*scene, targets.all(0.0));
    run(*other, others_targets.all(0.0));
    run(*scene, targets.all(0.0));
    expect_alike(*scene, targets, *other, others_targets);
    for (int frame = 0; frame < 4; ++frame) run(*scene, targets.all());
    scene->reset();
    targets.clear();
    run(*scene, targets.all(0.0));
    expect_alike(*scene, targets, *other, others_targets);
  }
}

TEST_P(EveryScene, EveryControlGoesToItsEnds) {
  for (const std::uint64_t n : {std::uint64_t{33}, std::uint64_t{2000}}) {
    if (n > sizes().back() || (n > 33 && !is_first_of_backend())) continue;
    const auto scene = loaded(make_sphere(n));
    const Targets targets(*scene);
    std::vector<Setting> from = ways();
    if (leaves_out_products || !is_first_of_backend() || n > 33) from.resize(1);
    for (const Setting& way : from)
      for (const Setting& setting : ends(way)) {
        SCOPED_TRACE(std::to_string(n) + " triangles, " + setting.text);
        set(*scene, setting.controls);
        for (int frame = 0; frame < 2; ++frame) run(*scene, targets.all());
        expect_sound(*scene);
      }
  }
}

TEST_P(EveryScene, SizesGoToTheirLowerEndAndToTwiceThat) {
  for (const Control& control : kind().controls) {
    if (control.effect != Effect::remake) continue;
    for (const double value : {control.least, std::clamp(2.0 * control.least, 1.0, control.most)}) {
      SCOPED_TRACE(std::string(control.name) + "=" + std::to_string(value));
      Controls controls = usual();
      controls.set(controls.find(control.name), value);
      const auto scene = make_scene(kind(), device(), make_sphere(33), controls);
      load(*scene);
      expect_sound(*scene);
      const Targets targets(*scene);
      for (int frame = 0; frame < 2; ++frame) run(*scene, targets.all());
      expect_sound(*scene);
      const double other = value == control.least ? control.most : control.least;
      controls.set(controls.find(control.name), other);
      EXPECT_THROW(scene->set_controls(controls), std::logic_error);
    }
  }
}

TEST_P(EveryScene, EveryVariantOfEveryStageIsVerified) {
  const auto scene = loaded(with_non_finite(300, 11));
  const Targets targets(*scene);
  set(*scene, in_any_order(usual()));
  Timeline& timeline = scene->timeline();
  const StageVariants standard = timeline.choices();
  // Variants by ways are many: all of them on one device of each backend.
  std::vector<Setting> all = ways();
  if (leaves_out_products || !is_first_of_backend()) all.resize(1);
  for (std::size_t i = 0; i < timeline.size(); ++i) {
    const auto stage = static_cast<StageId>(i);
    if (!timeline.info(stage).primitive) continue;
    for (const VariantId variant : variants_of(*timeline.info(stage).primitive)) {
      timeline.choose(standard);  // what can be chosen may depend on other stages
      if (!timeline.why_not(stage, variant).empty()) continue;
      SCOPED_TRACE(timeline.info(stage).name + "=" + variant->name);
      StageVariants rows = standard;
      rows[i] = variant;
      timeline.choose(rows);
      scene->compute();
      scene->collect();
      expect_sound(*scene);
      for (const Setting& way : all) {
        SCOPED_TRACE(way.text);
        set(*scene, in_any_order(way.controls));
        for (int frame = 0; frame < 2; ++frame) run(*scene, targets.all());
        expect_sound(*scene);
      }
    }
  }
}

// How many times each stage has had so far.
std::vector<std::uint64_t> times_taken(const Timeline& timeline) {
  std::vector<std::uint64_t> taken;
  for (const StageResult& each : timeline.stage_results())
    taken.push_back(timeline.times(each.stage).taken());
  return taken;
}

// The stage whose run this stage's work is done in.
std::size_t place_of_work(const Timeline& timeline, std::size_t stage) {
  const std::string done_by = timeline.stage_results()[stage].done_by;
  return done_by.empty() ? stage : index_of(*timeline.find(done_by));
}

TEST_P(EveryScene, AChoiceRunsNoStageBeforeIt) {
  const auto scene = loaded(make_sphere(33));
  const Targets targets(*scene);
  Timeline& timeline = scene->timeline();
  int choices = 0;
  std::vector<Setting> some = ways();
  if (leaves_out_products || !is_first_of_backend()) some.resize(1);
  for (const Setting& way : some) {
    set(*scene, in_any_order(way.controls));
    for (std::size_t i = 0; i < timeline.size(); ++i) {
      const auto stage = static_cast<StageId>(i);
      if (!timeline.info(stage).primitive) continue;
      const std::vector<VariantId> all = variants_of(*timeline.info(stage).primitive);
      const auto other = std::find_if(all.begin(), all.end(), [&](VariantId variant) {
        return variant != timeline.chosen(stage) && timeline.why_not(stage, variant).empty();
      });
      if (other == all.end()) continue;
      SCOPED_TRACE(way.text + ", " + timeline.info(stage).name + "=" + (*other)->name);
      for (int frame = 0; frame < 2; ++frame) run(*scene, targets.all());
      StageVariants rows = timeline.choices();
      rows[i] = *other;
      timeline.choose(rows);
      const std::vector<std::uint64_t> before = times_taken(timeline);
      scene->compute_after(std::vector{stage});
      scene->collect();
      const std::vector<std::uint64_t> after = times_taken(timeline);
      const std::size_t first = place_of_work(timeline, i);
      for (std::size_t k = 0; k < first; ++k)
        EXPECT_EQ(after[k], before[k]) << timeline.info(static_cast<StageId>(k)).name;
      // Particles do not hang on the tree of the mesh.
      if (const auto cells = timeline.find("cells"); cells && stage < *cells) {
        EXPECT_EQ(after[index_of(*cells)], before[index_of(*cells)]);
      }
      expect_sound(*scene);
      ++choices;
    }
  }
  const bool has_choices =
      has_stage(timeline, [](const StageInfo& stage) { return stage.primitive.has_value(); });
  if (is_first_of_backend()) {
    EXPECT_EQ(choices > 0, has_choices);
  }
}

TEST_P(EveryScene, ARepeatedStageRunsNoStageBeforeIt) {
  const auto scene = loaded(make_sphere(33));
  const Targets targets(*scene);
  Timeline& timeline = scene->timeline();
  std::vector<Setting> some = ways();
  if (leaves_out_products || !is_first_of_backend()) some.resize(1);
  for (const Setting& way : some) {
    set(*scene, way.controls);
    for (std::size_t i = 0; i < timeline.size(); ++i) {
      const auto stage = static_cast<StageId>(i);
      if (!timeline.info(stage).repeatable) continue;
      SCOPED_TRACE(way.text + ", " + timeline.info(stage).name);
      for (int frame = 0; frame < 2; ++frame) run(*scene, targets.all());
      const std::vector<std::uint64_t> before = times_taken(timeline);
      scene->repeat(stage);
      const std::vector<std::uint64_t> after = times_taken(timeline);
      for (std::size_t k = 0; k < place_of_work(timeline, i); ++k)
        EXPECT_EQ(after[k], before[k]) << timeline.info(static_cast<StageId>(k)).name;
    }
  }
}

TEST_P(EveryScene, ARepeatedStageLeavesTheSameResult) {
  const auto scene = loaded(make_sphere(33));
  const Targets targets(*scene);
  Timeline& timeline = scene->timeline();
  const auto drawn = [&] {
    run(*scene, targets.all(0.0));
    std::vector<std::vector<std::string>> all;
    for (std::size_t stream = 0; stream < scene->streams().size(); ++stream)
      all.push_back(targets.elements(stream));
    return all;
  };
  int alone = 0;
  for (const Setting& way : ways()) {
    set(*scene, way.controls);
    for (std::size_t i = 0; i < timeline.size(); ++i) {
      const auto stage = static_cast<StageId>(i);
      if (!timeline.info(stage).repeatable) continue;
      SCOPED_TRACE(way.text + ", " + timeline.info(stage).name);
      run(*scene, targets.all());
      // What changes nothing runs by itself, whether the user looks or not.
      const bool is_alone = scene->repeats_alone(stage) && is_first_of_backend();
      const auto before = is_alone ? drawn() : std::vector<std::vector<std::string>>();
      const std::vector<std::uint64_t> taken = times_taken(timeline);
      scene->repeat(stage);
      if (is_alone) {
        ++alone;
        const std::vector<std::uint64_t> now = times_taken(timeline);
        const std::size_t place = place_of_work(timeline, i);
        const bool builds = timeline.info(stage).primitive == Primitive::build;
        for (std::size_t k = 0; k < now.size(); ++k) {
          // Boxes that the builder has fitted are fitted again by themselves.
          const bool may_run = k == place || k == i || (builds && k == place + 1);
          EXPECT_LE(now[k] - taken[k], may_run ? 1U : 0U)
              << timeline.info(static_cast<StageId>(k)).name;
        }
        EXPECT_EQ(drawn(), before);
      }
      expect_sound(*scene);
    }
  }
  const bool has_repeatable =
      has_stage(timeline, [](const StageInfo& stage) { return stage.repeatable; });
  if (is_first_of_backend()) {
    EXPECT_EQ(alone > 0, has_repeatable);
  }
}

TEST_P(EveryScene, FramesCopyResultsAlone) {
  constexpr std::uint64_t most = 4096;  // bytes
  const auto scene = loaded(make_sphere(300));
  const Targets targets(*scene);
  for (const Setting& way : ways()) {
    SCOPED_TRACE(way.text);
    set(*scene, way.controls);
    run(*scene, targets.all());
    const std::uint64_t down = device().transfers.to_host;
    const std::uint64_t up = device().transfers.to_device;
    run(*scene, targets.all());
    EXPECT_LE(device().transfers.to_host - down, most);
    EXPECT_LE(device().transfers.to_device - up, most);
  }
}

TEST_P(EveryScene, PicksNothingWhereThereIsNothing) {
  for (const std::uint64_t n : mesh_sizes()) {
    const auto scene = loaded(make_sphere(n));
    const Targets targets(*scene);
    for (const Setting& way : ways()) {
      set(*scene, way.controls);
      run(*scene, targets.all());
      EXPECT_TRUE(scene->pick({{100, 100, 100}, {1, 0, 0}}).empty());
      const std::vector<Fact> hit = scene->pick({{3, 0.1F, 0.2F}, {-1, 0, 0}}).facts;
      EXPECT_TRUE(n > 0 || hit.empty());
      expect_sound(*scene);
    }
  }
}

// --- What goes wrong

TEST_P(EveryScene, ACancelledLoadEnds) {
  const auto scene = make(make_sphere(33));
  LoadControl control;
  control.cancel();
  EXPECT_THROW(scene->load(control), LoadCancelled);
}

// Wherever memory runs out, the scene that is open beside goes on.
TEST_P(EveryScene, AFailedAllocationTouchesNoOther) {
  SmallDevice small(GetParam().on.device);
  const auto open = make(make_sphere(33), small);
  load(*open);
  const Targets targets(*open);
  for (const Setting& way : ways()) {
    set(*open, way.controls);
    run(*open, targets.all(0.0));
  }
  // As it is where it begins: to verify moves it by a step.
  const auto draw_beginning = [&] {
    open->reset();
    run(*open, targets.all(0.0));
  };
  draw_beginning();
  std::vector<std::vector<std::string>> before;
  for (std::size_t i = 0; i < open->streams().size(); ++i) before.push_back(targets.elements(i));
  const std::size_t live = small.live_allocations();

  bool fails = true;
  int failures = 0;
  for (std::uint64_t allocations = 0; fails; ++allocations) {
    SCOPED_TRACE("after " + std::to_string(allocations) + " allocations");
    ASSERT_LT(allocations, 1000U);
    fails = false;
    std::unique_ptr<Scene> other;
    small.refuse_after(allocations);
    try {
      other = make(make_sphere(40), small);
      load(*other);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()), "");
      fails = true;
    }
    small.refuse_nothing();
    other.reset();
    ASSERT_EQ(small.live_allocations(), live);
    failures += fails ? 1 : 0;
    if (allocations % 5 == 0 || !fails) {
      draw_beginning();
      for (std::size_t i = 0; i < open->streams().size(); ++i)
        EXPECT_TRUE(targets.elements(i) == before[i]) << open->streams()[i].name;
      expect_sound(*open);
    }
  }
  EXPECT_GT(failures, 1);
}

// What a frame takes for the first time may not be there either: the scene goes on without.
TEST_P(EveryScene, AFailedAllocationInAFrameCanBeTriedAgain) {
  for (const Setting& way : ways()) {
    SCOPED_TRACE(way.text);
    SmallDevice small(GetParam().on.device);
    const auto scene = make(make_sphere(33), small);
    load(*scene);
    const Targets targets(*scene);
    set(*scene, way.controls);
    small.refuse_after(0);
    for (int frame = 0; frame < 2; ++frame) try {
        run(*scene, targets.all());
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()), "");
      }
    set(*scene, usual());
    run(*scene, targets.all());
    small.refuse_nothing();  // verification takes memory of its own
    expect_sound(*scene);
    set(*scene, way.controls);
    for (int frame = 0; frame < 2; ++frame) run(*scene, targets.all());
    expect_sound(*scene);
  }
}

TEST_P(EveryScene, IsRefusedWithBothSizesWhereItDoesNotFit) {
  constexpr std::uint64_t n = 600;
  SmallDevice small(GetParam().on.device, 100'000);
  try {
    make(make_sphere(n), small);
    FAIL() << "the scene was made";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("600 triangles"), std::string::npos) << text;
    EXPECT_NE(text.find("0.1 MB are free"), std::string::npos) << text;
    EXPECT_NE(text.find("it needs"), std::string::npos) << text;
  }
  EXPECT_EQ(small.live_allocations(), 0U);
}

// With all that is drawn, once in each slot.
TEST_P(EveryScene, TakesNoMoreMemoryThanItSays) {
  for (const std::uint64_t n : mesh_sizes()) {
    SCOPED_TRACE(std::to_string(n) + " triangles");
    const Mesh mesh = make_sphere(n);
    const std::uint64_t said =
        kind().memory(mesh, Controls(kind().controls)) + make(mesh)->drawn_bytes();
    SmallDevice small(GetParam().on.device, said);
    const auto scene = make(mesh, small);
    load(*scene);
    const Targets targets(*scene);
    for (const Setting& way : ways()) {
      set(*scene, way.controls);
      for (int frame = 0; frame < 2; ++frame) run(*scene, targets.all());
    }
    expect_sound(*scene);
  }
}

// A scene is refused before it takes what its streams would need, in all their slots.
TEST_P(EveryScene, CountsEachStreamInAllItsSlots) {
  const Mesh mesh = make_sphere(33);
  const auto scene = make(mesh);
  const std::uint64_t slots = device().info().backend == Backend::cpu ? 3 : 2;
  std::uint64_t bytes = 0;
  for (const StreamInfo& stream : scene->streams())
    bytes += stream.bytes() * (stream.each_frame ? slots : 1);
  EXPECT_EQ(scene->drawn_bytes(), bytes);
  const std::uint64_t needed = kind().memory(mesh, usual()) + bytes;
  SmallDevice enough(GetParam().on.device, needed);
  EXPECT_NO_THROW(make(mesh, enough));
  SmallDevice small(GetParam().on.device, needed - 1);
  EXPECT_THROW(make(mesh, small), Error);
  EXPECT_EQ(small.live_allocations(), 0U);
}

// What is not wanted leaves no draw command either. Elements of the file and edges of the input
// have theirs from load(), and spheres tell facts in every frame.
TEST_P(EveryScene, RunsOnlyTheWritersOfWhatIsWanted) {
  const auto scene = loaded(make_sphere(200));
  const Targets targets(*scene);
  const Output& last = scene->outputs().back();
  run(*scene, targets.only(last));
  const std::vector<DrawCommand> commands = targets.commands();
  for (const Output& output : scene->outputs()) {
    if (output.streams == last.streams || output.kind == OutputKind::lines ||
        output.kind == OutputKind::spheres)
      continue;
    const DrawCommand& command = commands[output.command];
    EXPECT_EQ(command.count * command.instances, 0U) << output.name;
  }
}

TEST_P(EveryScene, RefusesAMeshWhoseArraysDoNotMatch) {
  Mesh mesh = make_sphere(10);
  mesh.triangle_material.pop_back();
  EXPECT_THROW(make(std::move(mesh)), Error);
}

}  // namespace
}  // namespace warpview::test
