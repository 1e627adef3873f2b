// The command that is copied says what is there: parsed again it gives the same.
#include "app/panels/commands.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/common/shell_command.h"
#include "app/options.h"
#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

Options parsed(const std::vector<std::string>& words) {
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  int code = 0;
  const auto options = parse_options(static_cast<int>(arguments.size()), arguments.data(), code);
  if (!options) throw std::runtime_error("refused: " + shell_command(words));
  return *options;
}

TEST(Commands, SayTheSceneThatIsOpen) {
  Model model = loaded_model();
  model.device.backend = Backend::cpu;
  model.controls.set("animation=refit");
  model.controls.set("waves=3.25");
  model.camera.up_axis = UpAxis::z;
  model.camera.look_from({1.5F, -2.25F, 3.0F}, {0.1F, 0.2F, 0.3F}, 40.0F);
  stage(model, "sort").variant = find_variant(Primitive::sort, "library");
  model.show.theme = Theme::light;
  model.outputs[0].shown = false;
  model.outputs[2].shown = model.outputs[3].shown = true;

  const Options options = parsed(scene_command(model));
  EXPECT_EQ(options.command, Options::Command::view);
  EXPECT_EQ(options.backend, Backend::cpu);
  ASSERT_EQ(options.scene.files.size(), 1U);
  EXPECT_EQ(options.scene.files[0].spec, model.scene_files[0].spec);
  EXPECT_EQ(&kind_of(options.scene), model.scene_kind);
  EXPECT_EQ(controls_of(options.scene), model.controls);
  EXPECT_EQ(options.scene.show, (std::vector<std::string>{"boxes", "curve"}));
  // All of them, as what is not said may be remembered.
  const auto& variants = options.scene.variants.all();
  for (const StageRow& each : model.stages) {
    if (!each.variant) continue;
    EXPECT_TRUE(std::any_of(variants.begin(), variants.end(), [&each](const auto& wish) {
      return wish.stage == each.result->name && wish.variant == (*each.variant)->name;
    })) << each.result->name;
  }
  EXPECT_EQ(options.scene.controls.size(), model.controls.size());
  EXPECT_EQ(options.theme, Theme::light);
  EXPECT_EQ(options.up, UpAxis::z);
  ASSERT_TRUE(options.scene.camera);
  const Viewpoint& from = *options.scene.camera;
  Camera camera;
  camera.up_axis = UpAxis::z;
  camera.look_from({from.eye.x, from.eye.y, from.eye.z},
                   {from.target.x, from.target.y, from.target.z}, from.field_of_view);
  EXPECT_NEAR(camera.yaw, model.camera.yaw, 1e-5F);
  EXPECT_NEAR(camera.pitch, model.camera.pitch, 1e-5F);
  EXPECT_NEAR(camera.distance, model.camera.distance, 1e-5F);
  EXPECT_NEAR(camera.field_of_view, model.camera.field_of_view, 1e-6F);
}

TEST(Commands, SayEveryKindOfScene) {
  for (const SceneKind& kind : scene_kinds()) {
    Model model = loaded_model();
    model.scene_kind = &kind;
    model.scene_files.clear();
    model.controls = Controls(kind.controls);
    model.device.backend = Backend::cpu;
    // Each control away from where it begins.
    for (std::size_t i = 0; i < model.controls.size(); ++i) {
      const Control& control = model.controls.all()[i];
      if (control.kind == Control::Kind::toggle) model.controls.set(i, 1.0 - control.initial);
      if (control.kind == Control::Kind::choice)
        model.controls.set(i, static_cast<double>(control.choices.size() - 1));
      if (control.kind == Control::Kind::number) model.controls.set(i, control.least);
    }
    const Options options = parsed(scene_command(model));
    EXPECT_EQ(&kind_of(options.scene), &kind);
    EXPECT_EQ(controls_of(options.scene), model.controls) << kind.name;
  }
}

TEST(Commands, SayThatNothingIsShown) {
  Model model = loaded_model();
  model.device.backend = Backend::cpu;
  for (OutputRow& output : model.outputs) output.shown = false;
  const Options options = parsed(scene_command(model));
  ASSERT_TRUE(options.scene.show);
  EXPECT_TRUE(options.scene.show->empty());
  EXPECT_EQ(options.theme, Theme::dark);
}

TEST(Commands, AreNoneWhereNothingIsOpen) { EXPECT_TRUE(scene_command(Model{}).empty()); }

// Its meshes may have been moved.
TEST(Commands, SayTheSceneFile) {
  Model model = loaded_model();
  model.device.backend = Backend::cpu;
  model.scene_files[0].transform.m[3] = 1.0F;
  model.scene_file = "my garden.json";
  const Options options = parsed(scene_command(model));
  ASSERT_EQ(options.scene.files.size(), 1U);
  EXPECT_EQ(options.scene.files[0].spec, "my garden.json");
  EXPECT_EQ(options.scene.scene, model.scene_kind->name) << "the file may be of another";
}

TEST(Commands, SayHowThePictureIsTaken) {
  Model model = loaded_model();
  model.device.backend = Backend::cpu;
  const Options usual = parsed(scene_command(model));
  EXPECT_EQ(usual.look, LookChoice());
  EXPECT_FALSE(usual.sized);
  EXPECT_FALSE(usual.scene.seconds);
  EXPECT_FALSE(usual.ui_scale);
  for (const LookSwitch& row : look_switches) model.show.*row.value = false;
  model.show.pixel_scale = 1.5F;
  model.results.change().seconds = 2.75;
  model.view_width = 333;
  model.view_height = 222;
  const Options options = parsed(scene_command(model));
  for (std::size_t i = 0; i < look_switches.size(); ++i)
    EXPECT_EQ(options.look[i], false) << look_switches[i].name;
  EXPECT_TRUE(options.sized);
  EXPECT_EQ(options.width, 333);
  EXPECT_EQ(options.height, 222);
  EXPECT_EQ(options.scene.seconds, 2.75);
  EXPECT_EQ(options.ui_scale, 1.5F);
}

TEST(Commands, SayTheQuestionOfTheLaboratorysResults) {
  Model model;
  model.device.backend = Backend::cpu;
  for (int p = 0; p < primitive_count; ++p) {
    const auto primitive = static_cast<Primitive>(p);
    const lab::ExperimentKind& kind = lab::experiment(primitive);
    lab::Question& question = model.lab.question;
    question.primitive = primitive;
    question.n = 12345;
    question.form = static_cast<int>(kind.forms.size()) - 1;
    question.distribution = kind.distributions.back();
    question.seed = 7;
    EXPECT_TRUE(lab_command(model).empty()) << "nothing of it was answered";
    LabSeries& times = model.lab.shown(LabTask::results);
    times.asked = question;
    times.answers.resize(1);
    question.n = 99;
    const Options options = parsed(lab_command(model));
    ASSERT_EQ(options.command, Options::Command::lab);
    EXPECT_EQ(options.lab.primitives, std::vector{primitive});
    EXPECT_EQ(options.lab.sizes, std::vector<std::uint32_t>{12345});
    EXPECT_EQ(options.lab.forms, std::vector<std::string>{kind.forms.back().name});
    EXPECT_EQ(options.lab.distribution, kind.distributions.back());
    EXPECT_EQ(options.lab.seed, 7U);
  }
}

TEST(Commands, SayTypedInput) {
  Model model;
  model.device.backend = Backend::cpu;
  lab::Question question{.primitive = Primitive::reduce};
  lab::type_input(question, {-8, 1, 7});
  model.lab.question = question;
  LabSeries& times = model.lab.shown(LabTask::results);
  times.asked = question;
  times.answers.resize(1);
  const Options options = parsed(lab_command(model));
  ASSERT_EQ(options.command, Options::Command::lab);
  EXPECT_EQ(options.lab.typed, question.typed);
  EXPECT_TRUE(options.lab.sizes.empty());
}

TEST(Commands, SayTheSweep) {
  Model model;
  model.device.backend = Backend::cpu;
  model.lab.question.primitive = Primitive::reduce;
  LabSeries& sweep = model.lab.shown(LabTask::sweep);
  sweep.asked = {.primitive = Primitive::reduce, .n = 1U << 9U, .seed = 3};
  sweep.sizes = {1U << 7U, 1U << 8U, 1U << 9U};
  const Options options = parsed(sweep_command(model));
  ASSERT_EQ(options.command, Options::Command::lab);
  EXPECT_EQ(options.lab.primitives, std::vector{Primitive::reduce});
  EXPECT_EQ(options.lab.sizes, sweep.sizes);
  EXPECT_EQ(options.lab.seed, 3U);
  EXPECT_EQ(options.lab.plot, "reduce.svg");
}

TEST(Commands, AreQuotedForTheShell) {
  EXPECT_EQ(shell_command({"warpview", "a.obj", "--set", "waves=2"}),
            "warpview a.obj --set waves=2");
  EXPECT_EQ(shell_command({"x", "my mesh.obj", "it's", "", "$HOME", "a;b"}),
            "x 'my mesh.obj' 'it'\\''s' '' '$HOME' 'a;b'");
}

}  // namespace
}  // namespace warpview
