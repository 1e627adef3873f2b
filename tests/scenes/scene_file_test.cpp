// Scene files: docs/scene-files.md.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <fstream>
#include <regex>

#include "scenes/description.h"
#include "tests/scenes/support.h"

namespace warpview::test {
namespace {

SceneDescription read(const std::string& text) {
  const TempDir dir;
  return read_scene_file(dir.write("scene.json", text));
}

// The message of the Error that reading this throws; it names the file and the line.
std::string refusal_of_text(const std::string& text, int line) {
  const TempDir dir;
  const std::filesystem::path file = dir.write("scene.json", text);
  try {
    read_scene_file(file);
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind(file.string() + ":" + std::to_string(line) + ":", 0), 0U)
        << what << "\nis not on line " << line;
    return what;
  }
  ADD_FAILURE() << text << "\nwas read";
  return {};
}

void expect_refused(const std::string& text, int line, const std::string& part) {
  const std::string what = refusal_of_text(text, line);
  EXPECT_TRUE(contains(what, part)) << what << "\ndoes not say: " << part;
}

// --- Good ones

TEST(SceneFile, AllOfItMayBeLeftOut) {
  const SceneDescription scene = read("{}");
  EXPECT_EQ(scene.scene, "");
  EXPECT_TRUE(scene.files.empty());
  EXPECT_TRUE(scene.controls.empty());
  EXPECT_TRUE(scene.variants.all().empty());
  EXPECT_FALSE(scene.camera);
  EXPECT_FALSE(scene.show);
}

TEST(SceneFile, SaysAllThatTheCommandLineSays) {
  const TempDir dir;
  const auto file = dir.write("scene.json", R"({
    "scene": "mesh",
    "files": [
      "a.obj",
      "/abs/b.obj",
      "generated:sphere:10",
      {"path": "sub/c.obj"},
      {"path": "d.obj", "transform": {"translate": [1, 2, 3]}}
    ],
    "camera": {"eye": [0, 1, 5], "target": [0, 1, 0], "field_of_view": 40},
    "controls": {"animation": "refit", "amplitude": 0.25, "level": 3},
    "variants": {"sort": "library", "build": "apetrei"},
    "show": ["mesh", "boxes"]
  })");
  const SceneDescription scene = read_scene_file(file);
  EXPECT_EQ(scene.scene, "mesh");
  ASSERT_EQ(scene.files.size(), 5U);
  EXPECT_EQ(scene.files[0].spec, (dir / "a.obj").string());
  EXPECT_EQ(scene.files[1].spec, "/abs/b.obj");
  EXPECT_EQ(scene.files[2].spec, "generated:sphere:10");
  EXPECT_EQ(scene.files[3].spec, (dir / "sub/c.obj").string());
  EXPECT_TRUE(scene.files[3].transform.is_identity());
  EXPECT_TRUE(scene.files[4].transform.point({0, 0, 0}) == (Vec3{1, 2, 3}));
  ASSERT_TRUE(scene.camera);
  EXPECT_TRUE(scene.camera->eye == (Vec3{0, 1, 5}));
  EXPECT_TRUE(scene.camera->target == (Vec3{0, 1, 0}));
  EXPECT_EQ(scene.camera->field_of_view, 40.0F);
  const Controls controls = controls_of(scene);
  EXPECT_EQ(controls.choice("shape"), 1);
  EXPECT_EQ(controls["amplitude"], 0.25);
  EXPECT_EQ(controls["level"], 3.0);
  ASSERT_EQ(scene.variants.all().size(), 2U);
  EXPECT_EQ(scene.variants.all()[0].stage, "sort");
  EXPECT_EQ(scene.variants.all()[0].variant, "library");
  EXPECT_EQ(scene.show, (std::vector<std::string>{"mesh", "boxes"}));
}

TEST(SceneFile, NothingMayBeShown) {
  EXPECT_EQ(read(R"({"show": []})").show, std::vector<std::string>());
}

TEST(SceneFile, ControlsOfEveryKindAreSetAsOnTheCommandLine) {
  for (const SceneKind& kind : scene_kinds()) {
    std::string settings;
    for (const Control& control : kind.controls) {
      settings += settings.empty() ? "" : ", ";
      settings += std::string("\"") + control.name + "\": ";
      if (control.kind == Control::Kind::toggle)
        settings += control.initial != 0.0 ? "false" : "true";
      else if (control.kind == Control::Kind::choice)
        settings += std::string("\"") + control.choices.back() + "\"";
      else
        settings += std::to_string(control.kind == Control::Kind::number ? control.least : 1.0);
    }
    const SceneDescription scene =
        read(std::string(R"({"scene": ")") + kind.name + R"(", "controls": {)" + settings + "}}");
    const Controls controls = controls_of(scene);
    for (std::size_t i = 0; i < controls.size(); ++i) {
      const Control& control = controls.all()[i];
      const double expected = control.kind == Control::Kind::toggle ? 1.0 - control.initial
                              : control.kind == Control::Kind::choice
                                  ? static_cast<double>(control.choices.size() - 1)
                              : control.kind == Control::Kind::number ? control.least
                                                                      : 1.0;
      EXPECT_NEAR(controls.value(i), expected, 1e-6) << control.name;
    }
  }
}

Vec3 moved(const std::string& transform, Vec3 point) {
  const SceneDescription scene =
      read(R"({"files": [{"path": "a.obj", "transform": )" + transform + "}]}");
  return scene.files.front().transform.point(point);
}

// Scaled first, then turned, then moved.
TEST(SceneFile, Transforms) {
  expect_near(moved("{}", {1, 2, 3}), {1, 2, 3});
  expect_near(moved(R"({"scale": 2})", {1, 2, 3}), {2, 4, 6});
  expect_near(moved(R"({"translate": [1, 0, -1]})", {1, 2, 3}), {2, 2, 2});
  expect_near(moved(R"({"rotate": {"axis": [0, 0, 1], "degrees": 90}})", {1, 2, 3}), {-2, 1, 3});
  expect_near(moved(R"({"rotate": {"axis": [0, 5, 0], "degrees": 90}})", {1, 2, 3}), {3, 2, -1});
  expect_near(moved(R"({"rotate": {"axis": [2, 0, 0], "degrees": -90}})", {1, 2, 3}), {1, 3, -2});
  expect_near(moved(R"({"rotate": {"axis": [1, 1, 1], "degrees": 120}})", {1, 2, 3}), {3, 1, 2});
  expect_near(moved(R"({"translate": [10, 0, 0], "rotate": {"axis": [0, 0, 1], "degrees": 90},
                        "scale": 3})",
                    {1, 2, 3}),
              {4, 3, 9});
  // Axes whose squares are too large or too small for floats.
  for (const char* axis : {"[3e38, 3e38, 3e38]", "[1e-40, 1e-40, 1e-40]"})
    expect_near(
        moved(std::string(R"({"rotate": {"degrees": 120, "axis": )") + axis + "}}", {1, 2, 3}),
        {3, 1, 2});
  expect_near(moved(R"({"scale": 1e-30})", {1e30F, 2e30F, 3e30F}), {1, 2, 3});
  expect_near(moved("[1, 0, 0, 5, 0, 2, 0, 6, 0, 0, -1, 7]", {1, 2, 3}), {6, 10, 4});
  // The result is a mirror where the scale is negative.
  const SceneDescription mirrored =
      read(R"({"files": [{"path": "a.obj", "transform": {"scale": -1}}]})");
  EXPECT_TRUE(mirrored.files.front().transform.mirrors());
}

TEST(SceneFile, TextMayBeAnyUtf8) {
  const TempDir dir;
  const auto file = dir.write("scene.json", "{\"files\": [\"M\xc3\xb6nch \\u00e4.obj\"]}");
  EXPECT_EQ(read_scene_file(file).files.front().spec, (dir / "M\xc3\xb6nch \xc3\xa4.obj").string());
}

// --- Bad ones

TEST(SceneFile, AnEmptyOneIsToldSo) {
  const TempDir dir;
  const std::filesystem::path file = dir.write("scene.json", "");
  try {
    read_scene_file(file);
    ADD_FAILURE() << "it was read";
  } catch (const Error& error) {
    EXPECT_TRUE(contains(error.what(), file.string() + ": the file is empty")) << error.what();
  }
}

TEST(SceneFile, WhatIsNoJsonIsRefusedWhereItEnds) {
  expect_refused("\n\n", 2, "is not JSON");
  expect_refused("{\n\"scene\": \"mesh\",\n}", 3, "is not JSON");
  expect_refused("{\n\"scene\": mesh\n}", 2, "is not JSON");
  expect_refused("{\n\"scene\"\n", 2, "is not JSON");
  expect_refused("{} {}", 1, "is not JSON");
  expect_refused("{\n// a comment\n}", 2, "is not JSON");
  expect_refused("{\n\"show\": [\n1e999\n]}", 3, "is not JSON");
  expect_refused("{\n\"scene\": \"\xff\xfe\"}", 2, "is not JSON");
  expect_refused(std::string("\0\0\0\0", 4), 1, "is not JSON");
  expect_refused("v 0 0 0\nf 1 2 3\n", 1, "is not JSON");
  EXPECT_TRUE(contains(refusal_of_text("nonsense", 1), "docs/scene-files.md"));
}

TEST(SceneFile, DeepNestingIsRefused) {
  std::string deep = "{\"files\": ";
  for (int i = 0; i < 200'000; ++i) deep += '[';
  expect_refused(deep, 1, "nested more than 64 deep");
  deep.clear();
  for (int i = 0; i < 200'000; ++i) deep += "{\"a\":";
  expect_refused(deep, 1, "nested more than 64 deep");
}

TEST(SceneFile, HugeFilesAreRefused) {
  const TempDir dir;
  const std::filesystem::path file = dir / "scene.json";
  {
    std::ofstream out(file, std::ios::binary);
    const std::string blank(1U << 20U, ' ');
    for (int i = 0; i < 17; ++i) out << blank;
    out << "{}";
  }
  try {
    read_scene_file(file);
    ADD_FAILURE() << "it was read";
  } catch (const Error& error) {
    EXPECT_TRUE(contains(error.what(), "scene.json")) << error.what();
    EXPECT_TRUE(contains(error.what(), "16 MiB")) << error.what();
  }
}

TEST(SceneFile, WhatIsNoFileIsRefused) {
  const TempDir dir;
  for (const std::filesystem::path& path : {dir / "absent.json", dir.path()}) try {
      read_scene_file(path);
      ADD_FAILURE() << path << " was read";
    } catch (const Error& error) {
      EXPECT_TRUE(contains(error.what(), path.string())) << error.what();
    }
}

// Whose names and values may be as long as the file.
TEST(SceneFile, MessagesStayShort) {
  const std::string name(100'000, 'x');
  for (const std::string& text : {"{\"" + name + "\": 1}", R"({"scene": ")" + name + "\"}",
                                  R"({"controls": {")" + name + R"(": 1}})",
                                  R"({"controls": {"animation": ")" + name + "\"}}",
                                  R"({"controls": {"level": 1)" + std::string(300, '0') + "}}",
                                  "{\"scene\": \"" + name, "[" + name + "]"})
    EXPECT_LT(refusal_of_text(text, 1).size(), 1000U) << text.substr(0, 40);
}

TEST(SceneFile, MoreValuesThanMemoryIsTakenForAreRefused) {
  std::string text = "{\"files\": [";
  for (int i = 0; i < 2'000'000; ++i) text += "0,";
  expect_refused(text + "0]}", 1, "too many values");
}

// A key costs the same however many there are: where each was looked for among all before it, this
// took minutes.
TEST(SceneFile, ManyKeysAreRead) {
  constexpr std::size_t count = 200'000;
  std::string text = "{\"variants\": {\n\"stage\": \"a\"";
  for (std::size_t i = 1; i < count; ++i) text += ",\n\"stage" + std::to_string(i) + "\": \"a\"";
  const SceneDescription scene = read(text + "}}");
  ASSERT_EQ(scene.variants.all().size(), count);
  EXPECT_EQ(scene.variants.all().back().stage, "stage" + std::to_string(count - 1));
  // The keys are known by their lines, the last as the first.
  expect_refused(text + ",\n\"stage\": \"b\"}}", static_cast<int>(count + 2),
                 "the key \"stage\" is already in line 2");
  text.replace(2, 8, "controls");
  expect_refused(text + "}}", 2, "does not have this control");
}

TEST(SceneFile, KeysThatStandTwiceAreRefused) {
  expect_refused("{\n\"scene\": \"mesh\",\n\"scene\": \"cloth\"}", 3,
                 "the key \"scene\" is already in line 2");
  expect_refused("{\"controls\": {\"waves\": 3,\n\n\"waves\": 3}}", 3, "\"waves\"");
  expect_refused("{\"show\": [],\n\"sho\\u0077\": []}", 2, "\"show\"");
  expect_refused("{\"files\": [{\"path\": \"a\"}, {\"path\": \"a\",\n\"path\": \"a\"}]}", 2,
                 "\"path\"");
  EXPECT_EQ(read(R"({"files": [{"path": "a"}, {"path": "a"}]})").files.size(), 2U);
}

// Paths and messages would end there.
TEST(SceneFile, TextsThatHoldANulCharacterAreRefused) {
  const std::string why = "contains a NUL character";
  expect_refused("{\"files\": [\n\"a\\u0000b.obj\"]}", 2, why);
  expect_refused("{\"files\": [{\n\"path\": \"\\u0000\"}]}", 2, why);
  expect_refused("{\n\"scene\": \"mesh\\u0000\"}", 2, why);
  expect_refused("{\n\n\"scene\\u0000\": \"mesh\"}", 3, why);
  expect_refused("{\"controls\": {\n\"waves\": \"3\\u0000\"}}", 2, why);
}

TEST(SceneFile, APipeIsNotWaitedFor) {
  const TempDir dir;
  const std::filesystem::path pipe = dir / "scene.json";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THROW(read_scene_file(pipe), Error);
}

TEST(SceneFile, UnknownKeysAreRefusedWithThoseThereAre) {
  expect_refused("{\n\n\"scenes\": 1}", 3, "\"scenes\": is an unknown key");
  expect_refused("{\"scenes\": 1}", 1,
                 "scene, files, camera, cameras, controls, variants, show, time, playing");
  expect_refused("{\"files\": [\n{\"path\": \"a\",\n\"colour\": 1}]}", 3, "\"colour\"");
  expect_refused("{\"files\": [{\"path\": \"a\", \"transform\":\n{\"shear\": 1}}]}", 2,
                 "\"shear\"");
  expect_refused("{\"files\": [{\"path\": \"a\", \"transform\": {\"rotate\":\n{\n\"angle\": 1}}}]}",
                 3, "\"angle\"");
  expect_refused("{\"camera\": {\n\"eyes\": [0, 0, 0]}}", 2, "\"eyes\"");
  // Names that a JSON pointer must write otherwise.
  expect_refused("{\n\"a/b\": 1}", 2, "\"a/b\"");
  expect_refused("{\n\"~\": 1}", 2, "\"~\"");
  expect_refused("{\n\n\"\": 1}", 3, "\"\"");
}

TEST(SceneFile, ValuesOfAnotherKindAreRefused) {
  expect_refused("[]", 1, "the document: is not an object");
  expect_refused("\n\"mesh\"", 2, "the document: is not an object");
  expect_refused("{\n\"scene\": 3}", 2, "\"scene\": is not a string");
  expect_refused("{\n\"files\": \"a.obj\"}", 2, "\"files\": is not a list");
  expect_refused("{\"files\": [\n3]}", 2, "\"files\": is not an object");
  expect_refused("{\"files\": [\"a.obj\",\n{}]}", 2, "lacks a path");
  expect_refused("{\"files\": [{\n\"path\": 1}]}", 2, "\"path\": is not a string");
  expect_refused("{\n\"show\": \"mesh\"}", 2, "\"show\": is not a list");
  expect_refused("{\"show\": [\"mesh\",\n\n1]}", 3, "\"show\": is not a string");
  expect_refused("{\n\"camera\": 1}", 2, "\"camera\": is not an object");
  expect_refused("{\n\"controls\": []}", 2, "\"controls\": is not an object");
  expect_refused("{\"controls\": {\n\"waves\": [1]}}", 2, "\"waves\": is not a value");
  expect_refused("{\"controls\": {\n\"waves\": null}}", 2, "\"waves\": is not a value");
  expect_refused("{\n\"variants\": []}", 2, "\"variants\": is not an object");
  expect_refused("{\"variants\": {\n\"sort\": 1}}", 2, "\"sort\": is not a string");
}

TEST(SceneFile, TransformsThatMakeNoSenseAreRefused) {
  const auto expect = [](const std::string& transform, int line, const std::string& part) {
    expect_refused("{\"files\": [{\"path\": \"a\", \"transform\":\n" + transform + "}]}", line,
                   part);
  };
  expect("[1, 2, 3]", 1, "is not a list of twelve numbers");
  expect("[1, 0, 0, 0,\n 0, 1, 0, \"x\", 0, 0, 1, 0]", 3, "is not a number");
  expect("{\n\"scale\": 0}", 3, "\"scale\": is 0");
  expect("[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]", 1, "cannot be inverted: its determinant is 0");
  expect("[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 5]", 1, "cannot be inverted: its determinant is 0");
  expect("[1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0]", 1, "cannot be inverted: its determinant is 0");
  expect("{\n\"scale\": [1, 2, 3]}", 3, "\"scale\": is not a number");
  expect("{\n\"scale\": 1e300}", 3, "is too large");
  expect("{\"translate\": [0,\n0,\n1e300\n\n]}", 4, "is too large");
  expect("{\n\"translate\": [1, 2]}", 3, "is not a list of three numbers");
  expect("{\n\"translate\": [1, 2,\n true]}", 4, "is not a number");
  expect("{\n\"rotate\": 90}", 3, "\"rotate\": is not an object");
  expect("{\n\"rotate\": {\"degrees\": 90}}", 3, "lacks axis or degrees");
  expect("{\n\"rotate\": {\"axis\": [0, 0, 0],\n \"degrees\": 90}}", 3, "has no direction");
  expect("3", 1, "is not an object");
}

TEST(SceneFile, CamerasThatSeeNothingAreRefused) {
  expect_refused("{\n\"camera\": {\"eye\": [0, 0, 1]}}", 2, "lacks eye or target");
  expect_refused("{\n\"camera\": {\"eye\": [1, 2, 3], \"target\": [1, 2, 3]}}", 2,
                 "has no direction");
  for (const char* angle : {"0", "-40", "151", "1e9"})
    expect_refused(std::string("{\"camera\": {\"eye\": [0, 0, 1], \"target\": [0, 0, 0],\n"
                               "\"field_of_view\": ") +
                       angle + "}}",
                   2, "is not a valid field of view");
}

TEST(SceneFile, WhatTheSceneRefusesIsSaidWithItsPlace) {
  expect_refused("{\n\"scene\": \"ballet\"}", 2, "there is no such scene");
  expect_refused("{\"controls\": {\n\"gravity\": 1}}", 2, "the scene does not have this control");
  expect_refused("{\"controls\": {\"waves\": 3,\n\"amplitude\": 7}}", 2, "0 to 0.5 radii");
  expect_refused("{\"controls\": {\n\"animation\": \"twice\"}}", 2, "one of off, refit, rebuild");
  expect_refused("{\"controls\": {\n\"animation\": true}}", 2, "animation=on");
}

// A long sequence of damaged files: whatever is wrong, it is an Error or a scene.
TEST(SceneFile, DamageIsNeverWorseThanAnError) {
  const std::string sound = R"({"scene": "mesh", "files": ["a.obj", {"path": "b.obj",
    "transform": {"scale": 2, "rotate": {"axis": [0, 1, 0], "degrees": 30}}}],
    "camera": {"eye": [0, 0, 3], "target": [0, 0, 0]}, "controls": {"waves": 3},
    "variants": {"sort": "library"}, "show": ["mesh"]})";
  const TempDir dir;
  unsigned state = 1;
  const auto random = [&state](std::size_t below) {
    state = state * 1664525U + 1013904223U;
    return static_cast<std::size_t>(state >> 8U) % below;
  };
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = sound;
    for (std::size_t change = 0; change <= random(3); ++change) {
      const std::size_t at = random(text.size());
      if (round % 3 == 0)
        text[at] = static_cast<char>(random(256));
      else if (round % 3 == 1)
        text.erase(at, 1 + random(8));
      else
        text.insert(at, text.substr(random(text.size()), random(12)));
      if (text.empty()) break;
    }
    try {
      read_scene_file(dir.write("scene.json", text));
    } catch (const Error& error) {
      EXPECT_TRUE(contains(error.what(), "scene.json:")) << error.what();
      ++refused;
    }
  }
  EXPECT_GT(refused, 500);
}

TEST(SceneFile, ACameraLooksByAnglesToo) {
  const SceneDescription scene = read(R"({
    "camera": {"yaw": -37.5, "pitch": 90, "target": [1, 2, 3], "distance": 4, "up": "z",
               "field_of_view": 30},
    "cameras": {"all of it": {"yaw": 0, "pitch": 10}, "2nd": {"eye": [0, 0, 5], "target": [0, 0, 0]}},
    "time": 2.5,
    "playing": false
  })");
  ASSERT_TRUE(scene.camera && scene.camera->angles);
  EXPECT_EQ(scene.camera->angles->yaw, -37.5);
  EXPECT_EQ(scene.camera->angles->pitch, 90.0);
  EXPECT_EQ(scene.camera->angles->distance, 4.0);
  EXPECT_TRUE(scene.camera->target == (Vec3{1, 2, 3}));
  EXPECT_EQ(scene.camera->z_up, true);
  EXPECT_EQ(scene.camera->field_of_view, 30.0);
  ASSERT_EQ(scene.cameras.size(), 2U);
  EXPECT_EQ(scene.cameras[0].name, "all of it");
  EXPECT_FALSE(scene.cameras[0].view.angles->distance);
  EXPECT_EQ(scene.cameras[1].name, "2nd");
  EXPECT_EQ(scene.cameras[1].view.eye.z, 5.0F);
  EXPECT_EQ(scene.seconds, 2.5);
  EXPECT_EQ(scene.playing, false);
}

TEST(SceneFile, RefusesCamerasThatAreNone) {
  const auto camera = [](const std::string& text, const std::string& part) {
    expect_refused("{\"camera\": {" + text + "}}", 1, part);
  };
  camera(R"("yaw": 1)", "lacks yaw or pitch");
  camera(R"("yaw": 1, "pitch": 1, "eye": [0, 0, 1])", "has angles and an eye");
  camera(R"("yaw": 1, "pitch": 1, "target": [0, 0, 1])", "only one of target and distance");
  camera(R"("yaw": 1, "pitch": 1, "distance": 1)", "only one of target and distance");
  camera(R"("yaw": 1, "pitch": 1, "target": [0, 0, 1], "distance": 0)", "not above 0");
  camera(R"("yaw": 1, "pitch": 1, "target": [0, 0, 1], "distance": 1e-300)", "not above 0");
  camera(R"("eye": [1, 2, 3], "target": [1, 2, 3])", "must differ");
  camera(R"("eye": [1e30, 0, 0], "target": [0, 0, 0])", "too far apart");
  camera(R"("yaw": 181, "pitch": 1)", "not from -180");
  camera(R"("yaw": 1, "pitch": -91)", "not from -90");
  camera(R"("yaw": 1, "pitch": 1, "up": "x")", "neither y nor z");
  for (const char* name : {"", "a,b", "7", "-1e5", " a", "a ", "tab\\t"})
    expect_refused(std::string(R"({"cameras": {")") + name + R"(": {"yaw": 0, "pitch": 0}}})", 1,
                   "not a name for a camera");
  std::string many;
  for (std::size_t i = 0; i <= NamedViewpoint::most; ++i)
    many += (i > 0 ? ", \"c" : "\"c") + std::to_string(i) + R"(": {"yaw": 0, "pitch": 0})";
  expect_refused("{\"cameras\": {" + many + "}}", 1, "one too many");
  expect_refused(R"({"time": -1})", 1, "not from 0");
  expect_refused(R"({"time": 1e9})", 1, "not from 0");
  expect_refused(R"({"playing": 1})", 1, "neither true nor false");
}

// --- Written ones

TEST(SceneFile, IsReadAsItWasWritten) {
  const TempDir dir;
  const std::string text = R"({
  "scene": "deformation",
  "files": ["a.obj",{"path":"/abs/b.obj","transform":[0.1,0.0,0.0,2.5,0.0,1.0,0.0,0.0,0.0,0.0,1.0,1e-07]}],
  "camera": {
    "eye": [0.1,1.0,5.0],
    "target": [0.0,1.0,0.0],
    "field_of_view": 40.25
  },
  "cameras": {
    "from \"above\"": {
      "yaw": 0.1,
      "pitch": 89.99,
      "up": "z"
    }
  },
  "controls": {
    "shape": "wave",
    "level": 3,
    "cut": true
  },
  "variants": {
    "sort": "onesweep"
  },
  "show": [],
  "time": 1.5,
  "playing": true
}
)";
  const SceneDescription scene = read_scene_file(dir.write("scene.json", text));
  EXPECT_EQ(scene_file_text(scene, dir.path()), text);
  // What is not in UTF-8 cannot be said in JSON.
  SceneDescription odd = scene;
  odd.files[0].spec = "/\xff\xfe.obj";
  EXPECT_THROW(scene_file_text(odd, dir.path()), Error);
  // A file whose name is that of a generated mesh.
  odd.files[0].spec = dir.path() / "generated:knot";
  const std::string written = scene_file_text(odd, dir.path());
  EXPECT_NE(written.find("\"./generated:knot\""), std::string::npos) << written;
}

}  // namespace
}  // namespace warpview::test
