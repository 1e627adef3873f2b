// The program as its user meets it: exit codes, messages, files.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/options.h"
#include "app/render/screenshot.h"
#include "gpu/catalogue.h"
#include "scenes/scene.h"
#include "tests/app/program.h"

namespace warpview::test {
namespace {

using nlohmann::json;

std::string write_obj(const std::string& text) {
  const std::filesystem::path file = test_folder() / "mesh.obj";
  std::ofstream(file) << text;
  return file;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + " ";
  return text;
}

// A small headless run on the cpu device, with more arguments. A picture goes nowhere unless they
// say where to.
ProgramResult run_headless_program(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"--headless", "--backend",    "cpu",      "--size",
                                        "64x64",      "--screenshot", "/dev/null"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_program(arguments);
}

json report_of(const std::vector<std::string>& more) {
  const std::string file = test_folder() / "report.json";
  std::vector<std::string> arguments = {"--report", file};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const ProgramResult result = run_headless_program(arguments);
  EXPECT_EQ(result.code, exit_success) << result.err;
  return json::parse(read_file(file), nullptr, false);
}

TEST(Program, SaysItsVersionAndHelp) {
  const ProgramResult version = run_program({"--version"});
  EXPECT_EQ(version.code, exit_success);
  EXPECT_EQ(version.out.find("warpview " WARPVIEW_VERSION ", built by "), 0U) << version.out;
  EXPECT_NE(version.out.find("\ncpu   device 0"), std::string::npos) << version.out;
  EXPECT_EQ(version.out.back(), '\n');
  const ProgramResult help = run_program({"--help"});
  EXPECT_EQ(help.code, exit_success);
  for (const char* option :
       {"--backend",   "--device",      "--list-backends", "--list-variants", "--list-scenes",
        "--interop",   "--warp-size",   "--seed",          "--variant",       "--set",
        "--animate",   "--headless",    "--size",          "--frames",        "--show",
        "--level",     "--verify",      "--screenshot",    "--report",        "--panels",
        "--software",  "--lab",         "--lab-tab",       "--time",          "--no-shadows",
        "--ui-scale",  "--transparent", "--lab-listing",   "--no-dimming",    "--lab-variant",
        "--no-ground", "--no-horizon",  "--no-occlusion",  "--video",         "--turntable",
        "--seconds",   "--rate",        "--save-scene"})
    EXPECT_NE(help.out.find(option), std::string::npos) << option;
}

TEST(Program, WrongUsageIsTwo) {
  const std::vector<std::vector<std::string>> wrong = {
      {"--no-such-option"},
      {"mesh:5"},
      {"--set", "waves"},
      {"--set", "waves=many"},
      {"--set", "gravity=1"},
      {"mesh", "--set", "amplitude=7"},
      {"particles", "--set", "radius=nan"},
      {"particles", "--set", "gravity=-3"},
      {"particles", "--set", "count=1e12"},
      {"particles", "--set", "cells=0"},
      {"particles:0"},
      {"--backend", "vulkan"},
      {"--time", "-1"},
      {"--time", "nan"},
      {"--ui-scale", "0.2"},
      {"--ui-scale", "5"},
      {"--ui-scale", "nan"},
      {"--size", "12"},
      {"--variant", "sort"},
      {"--variant", "sort=bubble"},
      {"--variant", "fold=tree"},
      {"--animate", "twice"},
      {"--warp-size", "16"},
      {"--headless", "--size", "12"},
      {"--headless", "--size", "0x4"},
      {"--headless", "--size", "4x4x4"},
      {"--headless", "--size", "99999x4"},
      {"--headless", "--frames", "0"},
      {"--headless", "--level", "-1"},
      {"--headless"},
      {"--headless", "--frames", "3", "mesh"},
      {"--verify"},
      {"--panels"},
      {"--headless", "--lab", "scan"},
      {"--headless", "--panels", "--lab", "fold"},
      {"--headless", "--panels", "--lab-code", "lookback"},
      {"--headless", "--panels", "--lab", "scan", "--lab-listing", "ptx"},
      {"--headless", "--panels", "--lab", "scan", "--lab-code", "lookback", "--lab-listing", "x"},
      {"--json"}};
  for (const std::vector<std::string>& arguments : wrong) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.code, exit_usage) << arguments.back() << ": " << result.out;
    EXPECT_FALSE(result.err.empty()) << arguments.back();
  }
}

TEST(Program, InputThatCannotBeOpenedIsThree) {
  const ProgramResult missing = run_headless_program({"no/such/file.obj"});
  EXPECT_EQ(missing.code, exit_input);
  EXPECT_NE(missing.err.find("no/such/file.obj"), std::string::npos) << missing.err;

  const ProgramResult text = run_headless_program({write_obj("this is no mesh\nat all\n")});
  EXPECT_EQ(text.code, exit_input);
  EXPECT_NE(text.err.find("mesh.obj"), std::string::npos) << text.err;

  const ProgramResult scene = run_headless_program({"generated:bunny"});
  EXPECT_EQ(scene.code, exit_input);
  EXPECT_NE(scene.err.find("generated:bunny"), std::string::npos) << scene.err;

  const ProgramResult large = run_headless_program({"generated:sphere:800000000"});
  EXPECT_EQ(large.code, exit_input);

  const ProgramResult second = run_headless_program({small_scene, "no/such/file.obj"});
  EXPECT_EQ(second.code, exit_input);
  EXPECT_NE(second.err.find("no/such/file.obj"), std::string::npos) << second.err;

  const std::string file = test_folder() / "scene.json";
  std::ofstream(file) << "{\n\"controls\": {\n\"amplitude\": 7}}";
  const ProgramResult scene_file = run_headless_program({file});
  EXPECT_EQ(scene_file.code, exit_input);
  EXPECT_NE(scene_file.err.find("scene.json:3: \"amplitude\""), std::string::npos)
      << scene_file.err;
}

TEST(Program, AFileWithoutANameIsToldSo) {
  const ProgramResult result = run_headless_program({""});
  EXPECT_EQ(result.code, exit_input);
  EXPECT_NE(result.err.find("a file without a name"), std::string::npos) << result.err;
}

// Its size is 0, and yet there is something in it.
TEST(Program, AFileOfTheSystemIsNotCalledEmpty) {
  const ProgramResult result = run_headless_program({"/proc/self/maps"});
  EXPECT_EQ(result.code, exit_input);
  EXPECT_EQ(
      result.err,
      "warpview: /proc/self/maps:1: neither this line nor any other contains an OBJ statement. "
      "Open an OBJ, PLY, SVG or scene file\n");
}

TEST(Program, AnEmptyFileIsToldSoInEveryFormat) {
  for (const char* const name : {"empty.obj", "empty.ply", "empty.svg", "empty.json", "empty"}) {
    const std::string file = test_folder() / name;
    std::ofstream{file};
    const ProgramResult result = run_headless_program({file});
    EXPECT_EQ(result.code, exit_input) << name;
    EXPECT_EQ(result.err, "warpview: " + file +
                              ": the file is empty. Write it again, or open another OBJ, PLY, SVG "
                              "or scene file\n");
  }
}

// A word of the command line cannot look like a line of the program's.
TEST(Program, WrongOptionsAreEchoedOnOneLine) {
  const ProgramResult result = run_program({"--no\nwarpview: forged\n\x1b[31m"});
  EXPECT_EQ(result.code, exit_usage);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 2) << result.err;
  EXPECT_EQ(result.err.find("warpview: "), 0U) << result.err;
  EXPECT_NE(result.err.find(R"(--no\nwarpview: forged\n\x1b[31m)"), std::string::npos)
      << result.err;
  EXPECT_LT(run_program({"--" + std::string(100'000, 'x')}).err.size(), 3000U);
}

TEST(Program, WordsThatAreNearlyRightAreTold) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"--hedless"}, "--headless"},
      {{"--screnshot=x.png"}, "--screenshot"},
      {{"lab", "--counter"}, "--counters"},
      {{"lab", "sacn"}, "scan"},
      {{"--variant", "sort=onesweap"}, "onesweep"},
      {{"--set", "ampltude=0.1"}, "amplitude"},
      {{"--set", "animation=rebiuld"}, "rebuild"},
      {{"--headless", "--verify", "particels:100"}, "particles"},
      {{"--headless", "--verify", "--show", "boxs", small_scene}, "boxes"},
      {{"--headless", "--verify", "--variant", "bunds=tree", small_scene}, "bounds"}};
  for (const auto& [arguments, meant] : wrong) {
    const ProgramResult result = run_program(arguments);
    EXPECT_NE(result.code, exit_success) << joined(arguments);
    EXPECT_NE(result.err.find("Did you mean " + meant + "?"), std::string::npos) << result.err;
  }
  // What is like none of them.
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--xyzzy"}, {"--set", "gravity=1"}, {"no.obj"}})
    EXPECT_EQ(run_headless_program(arguments).err.find("Did you mean"), std::string::npos)
        << joined(arguments);
}

TEST(Program, CamerasHaveSixOrSevenNumbers) {
  struct Wrong {
    std::string camera;
    std::string told;
  };
  const std::string count = "write 6 or 7 numbers, X,Y,Z,X,Y,Z or X,Y,Z,X,Y,Z,DEGREES";
  const std::vector<Wrong> wrong = {{"5", count},
                                    {"1,2,3", count},
                                    {"1,2,3,4,5", count},
                                    {"1,2,3,4,5,6,7,8", count},
                                    {"0,0,4,0,0,0,28,", count},
                                    {"", count},
                                    {",,,,,", "number 1, \"\", is not a finite number"},
                                    {"0,0,4,0,0,", "number 6"},
                                    {"0,0,4,0,0,x", "number 6, \"x\""},
                                    {"0,0,4,0,0,1 2", "number 6"},
                                    {"0,0,nan,0,0,0", "number 3"},
                                    {"0,0,4,0,0,1e999", "number 6"},
                                    {"0,0,4,0,0,0,inf", "number 7"},
                                    {"0,0,4,0,0,4,28,", count},
                                    {"1,2,3,1,2,3", "must differ"},
                                    {"0,0,4,0,0,0,1e-30", "1 to 150 degrees"},
                                    {"0,0,4,0,0,0,0.9", "1 to 150 degrees"},
                                    {"0,0,4,0,0,0,150.1", "1 to 150 degrees"},
                                    {"0,0,4,0,0,0,-30", "1 to 150 degrees"}};
  for (const Wrong& each : wrong)
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"--camera=" + each.camera, "--list-scenes"},
          {"--list-scenes", "--camera", each.camera}}) {
      const ProgramResult result = run_program(arguments);
      EXPECT_EQ(result.code, exit_usage) << each.camera;
      EXPECT_NE(result.err.find("--camera: "), std::string::npos) << result.err;
      EXPECT_NE(result.err.find(each.told), std::string::npos) << each.camera << ": " << result.err;
    }
  for (const char* camera : {"-1,2,3,4,5,6", "0,0,4,0,0,0,1", "+0,0,4e0,0,0,0,150"})
    EXPECT_EQ(run_program({"--camera", camera, "--list-scenes"}).code, exit_success) << camera;
  // The last one counts, whole.
  EXPECT_EQ(run_program({"--camera", "1,2,3,4,5,6", "--camera", "7", "--list-scenes"}).code,
            exit_usage);
  EXPECT_EQ(run_program({"--camera", "7", "--camera", "1,2,3,4,5,6", "--list-scenes"}).code,
            exit_success);
}

TEST(Program, HeadlessWithoutAnOutputSaysWhatToGive) {
  const ProgramResult result = run_program({"--headless", "--backend", "cpu", small_scene});
  EXPECT_EQ(result.code, exit_usage);
  for (const char* option : {"--screenshot", "--report", "--verify"})
    EXPECT_NE(result.err.find(option), std::string::npos) << result.err;
}

// What numbers there may be is said in numbers that can be read.
TEST(Program, RangesAreShort) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--level", "-1"},
                                                    {"--device", "-1"},
                                                    {"--frames", "0"},
                                                    {"lab", "--runs", "0"},
                                                    {"--seed", "-1"},
                                                    {"--seed", "18446744073709551616"},
                                                    {"lab", "--input-seed", "-1"},
                                                    {"lab", "--input-seed", "x"}}) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.code, exit_usage) << joined(arguments);
    EXPECT_LT(result.err.size(), 250U) << result.err;
  }
}

// A name may hold anything but '/' and 0: neither what a terminal obeys nor what looks like another
// line of the program's.
TEST(Program, NamesOfFilesAreShownWithoutTheirControlCharacters) {
  const std::string name = test_folder() / "x\x1b[31mred\nwarpview: forged\x9b.obj";
  const ProgramResult missing = run_headless_program({name});
  EXPECT_EQ(missing.code, exit_input);
  const std::string shown = R"(x\x1b[31mred\nwarpview: forged\x9b.obj: no such file)";
  EXPECT_NE(missing.err.find(shown), std::string::npos) << missing.err;
  EXPECT_EQ(std::count(missing.err.begin(), missing.err.end(), '\n'), 1) << missing.err;
  const ProgramResult option = run_program({"--no\x1b[31m"});
  EXPECT_EQ(option.code, exit_usage);
  EXPECT_EQ(option.err.find('\x1b'), std::string::npos);
}

// What is left out of a picture is told where the picture is made, and not only in the report.
TEST(Program, WarningsGoToTheErrorStream) {
  const std::string file =
      write_obj("mtllib \x1b]0;absent.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n");
  const ProgramResult result = run_headless_program({file});
  EXPECT_EQ(result.code, exit_success);
  EXPECT_NE(result.err.find("warpview: warning: mesh: 1 material file not found"),
            std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find(R"(\x1b]0;absent.mtl)"), std::string::npos) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 2) << result.err;
  EXPECT_EQ(run_headless_program({small_scene}).err, "");
}

// A word with a number behind a colon is meant as a scene.
TEST(Program, ASceneThatIsNotThereIsToldWhichThereAre) {
  for (const char* word : {"nosuchscene:5", "x:1", "qqq_qqq:1000000"}) {
    const ProgramResult result = run_headless_program({word});
    EXPECT_EQ(result.code, exit_input) << word;
    EXPECT_NE(result.err.find("there is no file and no scene of this name"), std::string::npos)
        << result.err;
    for (const SceneKind& kind : scene_kinds())
      EXPECT_NE(result.err.find(kind.name), std::string::npos) << result.err;
  }
  for (const char* word : {"no/such:5", "no.obj:5", "no:", "no:5x", ":5"})
    EXPECT_EQ(run_headless_program({word}).err.find("no scene of this name"), std::string::npos)
        << word;
}

// Coordinates of which floats do not hold the squares, or that are all but one point.
TEST(Program, MeshesThatAreTooLargeOrTooSmallForASceneAreThree) {
  for (const char* size : {"3e38", "1e30", "1e-30", "1e-38"}) {
    const std::string length = size;
    const std::string mesh = write_obj("v 0 0 0\nv " + length + " 0 0\nv 0 -" + length +
                                       " 0\nv 1e-40 0 " + length + "\nf 1 2 3\nf 1 2 4\n");
    for (const char* scene : {"particles:1000", "cloth"}) {
      const ProgramResult result = run_headless_program({"--verify", scene, mesh});
      EXPECT_EQ(result.code, exit_input) << scene << ' ' << size << ": " << result.err;
      EXPECT_NE(result.err.find("Scale the mesh"), std::string::npos) << result.err;
      for (const char* word : {"inf", "nan"})
        EXPECT_EQ(result.err.find(word), std::string::npos) << result.err;
    }
  }
}

// What can be known only when the scene is there.
TEST(Program, NamesThatTheSceneDoesNotHaveAreTwo) {
  const ProgramResult output = run_headless_program({"--show", "mesh,soup", small_scene});
  EXPECT_EQ(output.code, exit_usage);
  EXPECT_NE(output.err.find("soup"), std::string::npos) << output.err;
  const ProgramResult variant = run_headless_program({"--variant", "hash_map=linear", small_scene});
  EXPECT_EQ(variant.code, exit_usage);
  EXPECT_NE(variant.err.find("The stages are"), std::string::npos) << variant.err;
}

// What is wrong with a word on the command line, and what there is instead.
TEST(Program, WrongWordsAreToldWhatThereIs) {
  struct Wrong {
    std::vector<std::string> arguments;
    std::vector<std::string> told;
  };
  const std::vector<Wrong> wrong = {
      {{"--set", "gravity=1"}, {"gravity", "shape", "amplitude", "level"}},
      {{"--set", "waves"}, {"waves", "name=value"}},
      {{"--set", "waves=many"}, {"many", "0.25 to 12"}},
      {{"--set", "waves=13"}, {"13", "0.25 to 12"}},
      {{"--set", "level=1.5"}, {"1.5", "whole"}},
      {{"--set", "animation=twice"}, {"twice", "off, refit, rebuild"}},
      {{"particles", "--set", "amplitude=0.1"}, {"amplitude", "count", "gravity"}},
      {{"particles:many"}, {"many"}},
      {{"particles:10"}, {"10", "1000"}},
      {{"mesh:5"}, {"mesh", "5"}},
      {{"--variant", "sort=bubble"}, {"bubble", "onesweep"}}};
  for (const Wrong& each : wrong) {
    const ProgramResult result = run_headless_program(each.arguments);
    EXPECT_EQ(result.code, exit_usage) << joined(each.arguments) << result.err;
    for (const std::string& word : each.told)
      EXPECT_NE(result.err.find(word), std::string::npos)
          << joined(each.arguments) << "does not say " << word << ": " << result.err;
  }
}

// What scene files get wrong is an input that cannot be opened, with its line and key.
TEST(Program, WrongSceneFilesAreThree) {
  struct Wrong {
    std::string text;
    std::vector<std::string> told;
  };
  const std::vector<Wrong> wrong = {
      {"{\n\"scene\": \"soup\"}", {"scene.json:2", "soup", "particles"}},
      {"{\n\n\"controls\": {\"gravity\": 1}}", {"scene.json:3", "gravity", "amplitude"}},
      {"{\"controls\":\n{\"animation\": \"twice\"}}", {"scene.json:2", "animation", "twice"}},
      {"{\n\"colour\": 1}", {"scene.json:2", "colour"}},
      {"{\n\"files\": [3]}", {"scene.json:2", "files"}},
      {"{\n\"files\": [}", {"scene.json:2"}}};
  const std::string file = test_folder() / "scene.json";
  for (const Wrong& each : wrong) {
    std::ofstream(file) << each.text;
    const ProgramResult result = run_headless_program({file});
    EXPECT_EQ(result.code, exit_input) << each.text << result.err;
    for (const std::string& word : each.told)
      EXPECT_NE(result.err.find(word), std::string::npos)
          << each.text << " is not told " << word << ": " << result.err;
  }
}

TEST(Program, ListsEveryScene) {
  const ProgramResult text = run_program({"--list-scenes"});
  EXPECT_EQ(text.code, exit_success);
  const ProgramResult result = run_program({"--list-scenes", "--json"});
  EXPECT_EQ(result.code, exit_success);
  const json scenes = json::parse(result.out, nullptr, false);
  ASSERT_TRUE(scenes.is_array());
  ASSERT_EQ(scenes.size(), scene_kinds().size());
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const SceneKind& kind = scene_kinds()[i];
    EXPECT_EQ(scenes[i]["name"], kind.name);
    EXPECT_EQ(scenes[i]["summary"], kind.summary);
    EXPECT_NE(text.out.find(kind.summary), std::string::npos);
    EXPECT_EQ(scenes[i]["invitation"], kind.invitation);
    EXPECT_NE(text.out.find(kind.invitation), std::string::npos);
    ASSERT_EQ(scenes[i]["controls"].size(), kind.controls.size());
    for (std::size_t c = 0; c < kind.controls.size(); ++c) {
      const json& control = scenes[i]["controls"][c];
      EXPECT_EQ(control["name"], kind.controls[c].name);
      EXPECT_EQ(control["range"], range_in_words(kind.controls[c]));
      EXPECT_EQ(control.contains("choices"), kind.controls[c].kind == Control::Kind::choice);
      EXPECT_EQ(control.contains("most"), kind.controls[c].kind == Control::Kind::number);
      const Need& need = kind.controls[c].needs;
      EXPECT_EQ(control.contains("needs"), need.any());
      if (need.output != nullptr) {
        EXPECT_EQ(control["needs"]["output"], need.output);
      }
      if (need.control != nullptr) {
        EXPECT_EQ(control["needs"]["control"], need.control);
        EXPECT_EQ(control["needs"]["values"][0], need.values[0]);
      }
      EXPECT_NE(text.out.find(needs_in_words(kind.controls[c])), std::string::npos);
      EXPECT_NE(text.out.find(kind.controls[c].name), std::string::npos);
    }
  }
}

TEST(Program, ABackendThatIsNotThereIsToldOnce) {
  const ProgramResult result =
      run_headless_program({"--backend", "cuda", "--device", "1000", small_scene});
  EXPECT_EQ(result.code, exit_unavailable);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  const std::size_t first = result.err.find("cuda");
  ASSERT_NE(first, std::string::npos) << result.err;
  const std::string what = result.err.substr(0, result.err.find(": ", first));
  EXPECT_EQ(result.err.find(what, first), std::string::npos) << result.err;
}

TEST(Program, ABackendThatIsNotThereIsFour) {
  const ProgramResult result =
      run_program({"--headless", "--verify", "--backend", "cuda", "--device", "1000", small_scene});
  EXPECT_EQ(result.code, exit_unavailable);
  EXPECT_FALSE(result.err.empty());
  EXPECT_EQ(run_headless_program({"--device", "1", small_scene}).code, exit_unavailable);
}

TEST(Program, AnOutputThatCannotBeWrittenIsOne) {
  const std::string nowhere = test_folder() / "no/such/folder/file";
  for (const char* option : {"--screenshot", "--report"}) {
    const ProgramResult result = run_headless_program({option, nowhere, small_scene});
    EXPECT_EQ(result.code, exit_failure);
    EXPECT_NE(result.err.find(nowhere), std::string::npos) << result.err;
  }
}

// The commands that print, each with little to do.
std::vector<std::vector<std::string>> printing_commands() {
  return {{"--version"},
          {"--help"},
          {"--list-backends"},
          {"--list-variants"},
          {"--list-variants", "--json"},
          {"--list-variants", "--markdown"},
          {"--list-scenes"},
          {"--list-scenes", "--json"},
          {"lab", "warp", "--help"},
          {"lab", "vote", "--backend", "cpu", "--sizes", "64", "--verify"},
          {"lab", "vote", "--backend", "cpu", "--sizes", "64", "--verify", "--json"},
          {"lab", "vote", "--backend", "cpu", "--sizes", "64", "--verify", "--csv"}};
}

TEST(Program, WhatCannotBePrintedIsAFailure) {
  for (const std::vector<std::string>& arguments : printing_commands()) {
    const ProgramResult result = run_program(arguments, {.before = {}, .out = ">/dev/full"});
    EXPECT_EQ(result.code, exit_failure) << joined(arguments);
    EXPECT_NE(result.err.find("standard output"), std::string::npos) << joined(arguments);
    EXPECT_NE(result.err.find("No space left"), std::string::npos) << result.err;
  }
  const ProgramResult closed = run_program({"--version"}, {.before = {}, .out = ">&-"});
  EXPECT_EQ(closed.code, exit_failure);
}

// As `warpview --list-variants | head -1` where head is done first: the system ends the program
// without a word or, where the caller has that turned off, the program says why.
TEST(Program, AReaderThatGoesAwayEndsItQuietly) {
  for (const char* before : {"", "trap '' PIPE; "}) {
    int ends[2] = {};
    ASSERT_EQ(pipe(ends), 0);
    close(ends[0]);
    const ProgramResult result =
        run_program({"--list-variants"}, {.before = before, .out = ">&" + std::to_string(ends[1])});
    close(ends[1]);
    if (*before == '\0') {
      constexpr int ended_by_signal = 128 + SIGPIPE;  // as a shell in between has it
      EXPECT_TRUE(result.code == -1 || result.code == ended_by_signal) << result.code;
      EXPECT_EQ(result.err, "");
    } else {
      EXPECT_EQ(result.code, exit_failure);
      EXPECT_NE(result.err.find("Broken pipe"), std::string::npos) << result.err;
    }
  }
}

TEST(Program, AFullDeviceIsAFailure) {
  for (const char* option : {"--screenshot", "--report"}) {
    const ProgramResult result = run_headless_program({option, "/dev/full", small_scene});
    EXPECT_EQ(result.code, exit_failure) << option;
    EXPECT_NE(result.err.find("/dev/full"), std::string::npos) << result.err;
  }
}

// Where files may not grow beyond a kilobyte, whoever asks for that.
TEST(Program, AFileThatCannotBeWrittenWholeIsNotWritten) {
  const std::filesystem::path folder = test_folder() / "outputs";
  std::filesystem::create_directories(folder);
  const std::string older = folder / "older";
  const std::string fresh = folder / "fresh";
  std::ofstream(older) << "the older one";
  for (const char* before : {"ulimit -f 2; ", "trap '' XFSZ; ulimit -f 2; "})
    for (const char* option : {"--screenshot", "--report"})
      for (const std::string& file : {older, fresh}) {
        const ProgramResult result = run_program(
            {"--headless", "--backend", "cpu", "--size", "256x256", option, file, small_scene},
            {.before = before, .out = ">/dev/null"});
        EXPECT_EQ(result.code, exit_failure) << before << option;
        EXPECT_NE(result.err.find(file), std::string::npos) << result.err;
        EXPECT_EQ(read_file(older), "the older one");
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder))
          names.push_back(entry.path().filename());
        EXPECT_EQ(names, std::vector<std::string>{"older"});
      }
}

// A pipe takes what is written as long as there is a reader, and is not waited for.
TEST(Program, APipeWithoutAReaderIsAFailure) {
  const std::string pipe = test_folder() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::vector<std::vector<std::string>> writers = {
      {"--headless", "--backend", "cpu", "--size", "16x16", "--screenshot", pipe, small_scene},
      {"--headless", "--backend", "cpu", "--size", "16x16", "--report", pipe, small_scene},
      {"lab", "vote", "--backend", "cpu", "--sizes", "64", "--runs", "1", "--plot", pipe + ".svg"}};
  std::filesystem::create_symlink("pipe", pipe + ".svg");
  for (const std::vector<std::string>& arguments : writers) {
    const ProgramResult alone = run_program(arguments);
    EXPECT_EQ(alone.code, exit_failure) << joined(arguments);
    EXPECT_NE(alone.err.find("no program is reading from this pipe"), std::string::npos)
        << alone.err;
    const int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(reader, 0);
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.code, exit_success) << result.err;
    std::vector<char> written(1U << 16U);
    EXPECT_GT(read(reader, written.data(), written.size()), 100) << joined(arguments);
    close(reader);
  }
}

TEST(Program, WritesToWhereItPrints) {
  const std::vector<std::string> arguments = {
      "--headless", "--backend", "cpu", "--size", "16x16", "--report", "/dev/stdout", small_scene};
  const ProgramResult result = run_program(arguments);
  EXPECT_EQ(result.code, exit_success) << result.err;
  EXPECT_TRUE(json::parse(result.out, nullptr, false).is_object()) << result.out;
  // Behind what is there already.
  const std::string log = test_folder() / "log";
  std::ofstream(log) << "before\n";
  EXPECT_EQ(run_program(arguments, {.before = {}, .out = ">>'" + log + "'"}).code, exit_success);
  EXPECT_EQ(read_file(log).rfind("before\n{", 0), 0U) << read_file(log);
}

TEST(Program, OutputsThatOverwriteEachOtherAreWrongUsage) {
  const std::string scene = write_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const std::string dotted = test_folder() / "." / "mesh.obj";
  const std::string link = test_folder() / "link.obj";
  const std::string fresh = test_folder() / "fresh";
  std::filesystem::create_symlink("mesh.obj", link);
  const std::vector<std::vector<std::string>> wrong = {
      {"--report", scene, scene},
      {"--screenshot", scene, scene},
      {"--report", dotted, scene},
      {"--report", link, scene},
      {"--screenshot", scene, link},
      {"--report", fresh, "--screenshot", fresh, scene},
      {"--report", fresh, "--screenshot", test_folder() / "." / "fresh", scene}};
  for (const std::vector<std::string>& arguments : wrong) {
    const ProgramResult result = run_headless_program(arguments);
    EXPECT_EQ(result.code, exit_usage) << joined(arguments);
    EXPECT_NE(result.err.find("this file is also"), std::string::npos) << result.err;
  }
  EXPECT_EQ(read_file(scene), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_FALSE(std::filesystem::exists(fresh));
  EXPECT_EQ(
      run_headless_program({"--report", "/dev/null", "--screenshot", "/dev/null", scene}).code,
      exit_success);
}

TEST(Program, ListsBackends) {
  const ProgramResult result = run_program({"--list-backends"});
  EXPECT_EQ(result.code, exit_success);
  for (const char* backend : {"cuda", "hip", "cpu"})
    EXPECT_NE(result.out.find(backend), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("warp size 32"), std::string::npos) << result.out;
}

TEST(Program, ListsEveryRowOfTheCatalogue) {
  const ProgramResult text = run_program({"--list-variants"});
  EXPECT_EQ(text.code, exit_success);
  const ProgramResult result = run_program({"--list-variants", "--json"});
  EXPECT_EQ(result.code, exit_success);
  const json listed = json::parse(result.out, nullptr, false);
  ASSERT_TRUE(listed.is_array());
  ASSERT_EQ(listed.size(), variants().size());
  for (const VariantId variant : variants()) {
    const json& row = listed[variant.index()];
    EXPECT_EQ(row["primitive"], to_string(variant->primitive));
    EXPECT_EQ(row["name"], variant->name);
    EXPECT_EQ(row["summary"], variant->summary);
    EXPECT_EQ(row["file"], variant->file);
    json default_on = json::array();
    for (const Backend backend : {Backend::cuda, Backend::hip, Backend::cpu})
      if (default_variant(variant->primitive, backend) == variant)
        default_on.push_back(to_string(backend));
    EXPECT_EQ(row["default_on"], default_on);
    const std::string name = std::string(to_string(variant->primitive)) + "=" + variant->name;
    EXPECT_NE(text.out.find(name), std::string::npos) << name;
  }
}

std::vector<std::string> keys_of(const json& object) {
  std::vector<std::string> keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;  // in the alphabet's order
}

TEST(Report, HasItsSchema) {
  using Keys = std::vector<std::string>;
  const json report = report_of({"--verify", "--frames", "2", small_scene});
  ASSERT_TRUE(report.is_object());
  EXPECT_EQ(keys_of(report),
            (Keys{"backend", "bvh", "controls", "copy_gb_per_s", "device", "frames", "graph",
                  "interop", "mesh", "scene", "stages", "version", "warnings"}));
  EXPECT_EQ(report["scene"], "mesh");
  ASSERT_EQ(report["controls"].size(), scene_kinds().front().controls.size());
  EXPECT_EQ(report["controls"]["shape"], "none");
  EXPECT_EQ(report["controls"]["waves"], 2.0);
  EXPECT_EQ(report["version"], WARPVIEW_VERSION);
  EXPECT_EQ(report["backend"], "cpu");
  EXPECT_TRUE(report["device"].is_string());
  EXPECT_TRUE(report["interop"].is_string());
  EXPECT_TRUE(report["graph"].is_boolean());
  EXPECT_GT(report["copy_gb_per_s"].get<double>(), 0.0);
  EXPECT_EQ(report["warnings"], json::array());

  const json& mesh = report["mesh"];
  EXPECT_EQ(keys_of(mesh), (Keys{"bounds", "corners", "dropped_triangles", "file", "lines",
                                 "points", "triangles", "unique_vertices"}));
  EXPECT_EQ(mesh["file"], small_scene);
  EXPECT_EQ(mesh["triangles"], 500);
  EXPECT_EQ(mesh["corners"], 1500);
  EXPECT_GT(mesh["unique_vertices"].get<int>(), 200);
  EXPECT_EQ(mesh["dropped_triangles"], 0);
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_LT(mesh["bounds"]["min"][axis].get<double>(), mesh["bounds"]["max"][axis].get<double>());

  const json& bvh = report["bvh"];
  EXPECT_EQ(keys_of(bvh), (Keys{"internal_nodes", "max_depth", "sah_cost"}));
  EXPECT_EQ(bvh["internal_nodes"], 499);
  EXPECT_GE(bvh["max_depth"].get<int>(), 9);
  EXPECT_GT(bvh["sah_cost"].get<double>(), 1.0);

  EXPECT_EQ(keys_of(report["frames"]), (Keys{"count", "ms_median"}));
  EXPECT_EQ(report["frames"]["count"], 2);
  EXPECT_GT(report["frames"]["ms_median"].get<double>(), 0.0);

  const std::vector<std::string> stages = {"upload", "scan",   "dedup",      "deform",
                                           "boxes",  "bounds", "morton",     "sort",
                                           "build",  "refit",  "statistics", "write"};
  ASSERT_EQ(report["stages"].size(), stages.size());
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const json& row = report["stages"][i];
    SCOPED_TRACE(stages[i]);
    EXPECT_EQ(keys_of(row), (Keys{"bytes", "cold", "copy_share", "gb_per_s", "items", "ms_cold",
                                  "ms_max", "ms_median", "ms_min", "ms_p95", "ms_quartile_1",
                                  "ms_quartile_3", "n", "name", "runs", "variant", "verified"}));
    EXPECT_EQ(row["name"], stages[i]);
    EXPECT_EQ(row["runs"], stages[i] == "write" ? 1 : 0);  // the rest is no part of a frame
    if (stages[i] == "deform")                             // which did not run
      EXPECT_TRUE(row["verified"].is_null());
    else
      EXPECT_EQ(row["verified"], true);
    EXPECT_GT(row["items"].get<int>(), 0);
    const bool is_in_build = stages[i] == "refit";
    const bool is_in_place = stages[i] == "upload";  // the CPU device reads what was loaded
    EXPECT_EQ(row["bytes"].get<int>() > 0, !is_in_build && !is_in_place);
    EXPECT_EQ(row["n"] == 0, stages[i] == "deform" || is_in_build);
    if (stages[i] == "deform" || is_in_build) continue;  // nothing moves
    EXPECT_GT(row["ms_median"].get<double>(), 0.0);
    double least = 0.0;
    for (const char* name :
         {"ms_min", "ms_quartile_1", "ms_median", "ms_quartile_3", "ms_p95", "ms_max"}) {
      EXPECT_GE(row[name].get<double>(), least) << name;
      least = row[name].get<double>();
    }
    EXPECT_EQ(row["n"], 2) << "verification has run all of them before";
    EXPECT_EQ(row["cold"], false);
    if (is_in_place) continue;
    EXPECT_GT(row["copy_share"].get<double>(), 0.0);
    EXPECT_GT(row["gb_per_s"].get<double>(), 0.0);
  }
}

// The members of a stage are the columns.
TEST(Report, OfTheStagesAloneIsCsv) {
  const std::string file = test_folder() / "stages.csv";
  ASSERT_EQ(run_headless_program({"--report", file, "--verify", small_scene}).code, exit_success);
  std::ifstream in(file);
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line + ",");  // or an empty last one would be lost
    lines.emplace_back();
    for (std::string field; std::getline(fields, field, ',');) lines.back().push_back(field);
  }
  const json stages = report_of({"--verify", small_scene})["stages"];
  ASSERT_EQ(lines.size(), stages.size() + 1);
  for (const auto& line : lines) ASSERT_EQ(line.size(), stages[0].size());
  for (std::size_t column = 0; column < lines[0].size(); ++column) {
    const std::string& name = lines[0][column];
    ASSERT_TRUE(stages[0].contains(name)) << name;
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const json& value = stages[i][name];
      const std::string& field = lines[i + 1][column];
      if (value.is_number_float())  // another run's time
        EXPECT_GE(std::stod(field), 0.0) << name;
      else
        EXPECT_EQ(field, value.is_string() ? value.get<std::string>()
                         : value.is_null() ? ""
                                           : value.dump())
            << name;
    }
  }
}

TEST(Report, SaysWhatTheCommandLineChose) {
  const json report = report_of({"--variant", "sort=library", "--variant", "build=apetrei",
                                 "--animate", "rebuild", "--interop", "copy", small_scene});
  std::map<std::string, json> stages;
  for (const json& stage : report["stages"]) stages[stage["name"]] = stage;
  EXPECT_EQ(stages["sort"]["variant"], "library");
  EXPECT_EQ(stages["build"]["variant"], "apetrei");
  EXPECT_EQ(stages["refit"]["variant"], "apetrei");  // the builder has fitted
  EXPECT_EQ(stages["refit"]["bytes"], 0);
  EXPECT_EQ(stages["deform"]["runs"], 1);
  EXPECT_EQ(stages["sort"]["runs"], 1);
  EXPECT_EQ(stages["scan"]["runs"], 0);
  EXPECT_TRUE(stages["sort"]["verified"].is_null());
  EXPECT_EQ(report["controls"]["shape"], "wave");
  EXPECT_EQ(report["controls"]["tree"], "rebuild");
  EXPECT_EQ(report["interop"].get<std::string>().rfind("copied", 0), 0U);
}

TEST(Headless, VerifiesEveryAnimationOnBothWarpSizes) {
  for (const char* animation : {"off", "refit", "rebuild"})
    for (const char* warp_size : {"32", "64"}) {
      const ProgramResult result = run_headless_program(
          {"--verify", "--frames", "2", "--animate", animation, "--warp-size", warp_size, "--seed",
           "5", "--show", "mesh,wire,boxes", "--show", "curve", "--level", "3", small_scene});
      EXPECT_EQ(result.code, exit_success) << animation << ": " << result.err;
    }
}

TEST(Headless, AMeshWithoutTrianglesIsAMesh) {
  const json report = report_of({"--verify", write_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\n")});
  EXPECT_EQ(report["mesh"]["triangles"], 0);
  EXPECT_TRUE(report["mesh"]["bounds"]["min"].is_null());
  EXPECT_EQ(report["bvh"]["internal_nodes"], 0);
}

TEST(Headless, TrianglesThatAreNotFiniteAreDroppedAndCounted) {
  const json report = report_of({"--verify", write_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nv nan 0 0\n"
                                                       "v 0 inf 0\n"
                                                       "f 1 2 3\nf 1 2 4\nf 2 3 5\nf 3 2 1\n")});
  EXPECT_EQ(report["mesh"]["triangles"], 2);
  EXPECT_EQ(report["mesh"]["dropped_triangles"], 2);
  EXPECT_FALSE(report["warnings"].empty());
}

TEST(Headless, TheSameRunGivesTheSamePicture) {
  const std::string file = test_folder() / "picture.png";
  const std::vector<std::string> arguments = {"--screenshot", file, "--animate", "rebuild",
                                              "--frames",     "3",  "--show",    "mesh,boxes",
                                              "--level",      "4",  small_scene};
  ASSERT_EQ(run_headless_program(arguments).code, exit_success);
  const Picture first = read_png(file);
  EXPECT_EQ(first.width, 64);
  EXPECT_EQ(first.height, 64);
  std::vector<std::string> shuffled = arguments;
  shuffled.insert(shuffled.end(), {"--seed", "9", "--warp-size", "64"});
  ASSERT_EQ(run_headless_program(shuffled).code, exit_success);
  expect_alike(read_png(file), first);
}

// The same scene in words and in a file.
TEST(Headless, ASceneFileSaysWhatTheCommandLineSays) {
  const std::string file = test_folder() / "scene.json";
  const std::string picture = test_folder() / "picture.png";
  std::ofstream(file) << R"({"scene": "mesh", "files": [")" << small_scene << R"("],
    "controls": {"animation": "rebuild", "level": 4}, "variants": {"sort": "library"},
    "show": ["mesh", "boxes"]})";
  ASSERT_EQ(run_headless_program({file, "--frames", "3", "--screenshot", picture}).code,
            exit_success);
  const Picture from_file = read_png(picture);
  const ProgramResult words = run_headless_program(
      {"mesh", small_scene, "--set", "animation=rebuild", "--set", "level=4", "--variant",
       "sort=library", "--show", "mesh,boxes", "--frames", "3", "--screenshot", picture});
  ASSERT_EQ(words.code, exit_success) << words.err;
  expect_alike(read_png(picture), from_file);
}

// Scenes by their names, sizes and files.
TEST(Headless, ScenesHaveNamesAndSizes) {
  for (const SceneKind& kind : scene_kinds()) {
    const json report = report_of({kind.name});
    EXPECT_EQ(report["scene"], kind.name);
    for (const Control& control : kind.controls)
      EXPECT_TRUE(report["controls"].contains(control.name)) << kind.name << ' ' << control.name;
  }
  const json own_box = report_of({"particles:2000"});
  EXPECT_EQ(own_box["scene"], "particles");
  EXPECT_EQ(own_box["controls"]["count"], 2000.0);
  const json with_mesh = report_of({"--verify", "particles:2000", small_scene, "--set", "seed=7"});
  EXPECT_EQ(with_mesh["controls"]["count"], 2000.0);
  EXPECT_EQ(with_mesh["controls"]["seed"], 7.0);
  EXPECT_EQ(with_mesh["bvh"]["triangles"], 500);
  EXPECT_NE(own_box["bvh"]["triangles"], 500);
  // A file of a scene's name is a file where its path says so.
  EXPECT_EQ(run_headless_program({"./particles"}).code, exit_input);
}

// A stage that is not called as its primitive is has variants of that.
TEST(Headless, VariantsAreChosenByStageOrPrimitive) {
  const auto variant_of_bounds = [](const std::vector<std::string>& arguments) {
    const json report = report_of(arguments);
    for (const json& stage : report["stages"])
      if (stage["name"] == "bounds") return stage["variant"].get<std::string>();
    return std::string();
  };
  const std::string standard = variant_of_bounds({small_scene});
  EXPECT_EQ(standard, default_variant(Primitive::reduce, Backend::cpu)->name);
  EXPECT_EQ(variant_of_bounds({small_scene, "--variant", "bounds=two_pass"}), "two_pass");
  EXPECT_EQ(variant_of_bounds({small_scene, "--variant", "reduce=two_pass"}), "two_pass");
  const ProgramResult wrong = run_headless_program({small_scene, "--variant", "bounds=onesweep"});
  EXPECT_EQ(wrong.code, exit_usage);
  EXPECT_NE(wrong.err.find("two_pass"), std::string::npos) << wrong.err;
}

TEST(Headless, SeveralFilesAreOneMesh) {
  const json report = report_of({"--verify", small_scene,
                                 write_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\n"
                                           "f 1 2 3\n")});
  EXPECT_EQ(report["mesh"]["triangles"], 501);
  EXPECT_EQ(report["mesh"]["file"].get<std::string>().rfind(small_scene, 0), 0U);
}

TEST(Headless, EverySceneIsVerifiedAsItBegins) {
  for (const SceneKind& kind : scene_kinds())
    for (const char* warp_size : {"32", "64"}) {
      const ProgramResult result = run_headless_program(
          {"--verify", "--frames", "3", "--warp-size", warp_size, kind.name, small_scene});
      EXPECT_EQ(result.code, exit_success) << kind.name << ": " << result.err;
    }
}

TEST(Headless, PanelsStandAroundThePicture) {
  const std::string file = test_folder() / "panels.png";
  const std::string report = test_folder() / "panels.json";
  ASSERT_EQ(run_headless_program({"--panels", "--size", "1280x800", "--screenshot", file,
                                  "--report", report, small_scene})
                .code,
            exit_success);
  const Picture with_panels = read_png(file);
  EXPECT_EQ(with_panels.width, 1280);
  EXPECT_EQ(with_panels.height, 800);
  ASSERT_EQ(run_headless_program({"--size", "1280x800", "--screenshot", file, small_scene}).code,
            exit_success);
  EXPECT_GT(compare_images(with_panels, read_png(file)), 0.3);
  for (const char* size : {"1x1", "64x64", "5000x30"})
    EXPECT_EQ(
        run_headless_program({"--panels", "--size", size, "--screenshot", file, small_scene}).code,
        exit_success)
        << size;
}

TEST(Headless, ATransparentPictureHasTheSceneAlone) {
  const std::string file = test_folder() / "transparent.png";
  ASSERT_EQ(run_headless_program({"--size", "200x200", "--transparent", "--screenshot", file,
                                  "generated:sphere:2000"})
                .code,
            exit_success);
  const Picture picture = read_png(file);
  const auto alpha = [&picture](int x, int y) {
    return picture.rgba[4 * static_cast<std::size_t>(200 * y + x) + 3];
  };
  EXPECT_EQ(alpha(100, 100), 255);
  for (const int x : {0, 199})
    for (const int y : {0, 199}) EXPECT_EQ(alpha(x, y), 0) << x << ", " << y;
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"--transparent", "--verify"},
        std::vector<std::string>{"--transparent", "--screenshot", file, "--panels"}}) {
    std::vector<std::string> arguments = wrong;
    arguments.insert(arguments.end(), {"--headless", small_scene});
    EXPECT_EQ(run_program(arguments).code, exit_usage) << wrong.back();
  }
}

TEST(Headless, TheThemeIsOfPictureAndPanels) {
  const std::filesystem::path folder = test_folder();
  const auto brightness = [&](const std::vector<std::string>& more) {
    const std::filesystem::path file = folder / "theme.png";
    std::vector<std::string> arguments = {"--size", "640x400", "--screenshot", file.string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.push_back(small_scene);
    const ProgramResult output = run_headless_program(arguments);
    EXPECT_EQ(output.code, 0) << output.err;
    const Picture picture = read_png(file);
    double sum = 0.0;
    for (std::size_t i = 0; i < picture.rgba.size(); i += 4) sum += picture.rgba[i];
    return 4.0 * sum / static_cast<double>(picture.rgba.size());
  };
  for (const char* panels : {"--software", "--panels"}) {
    const double plain = brightness({panels});
    EXPECT_LT(plain, 110.0) << panels;
    EXPECT_NEAR(brightness({panels, "--theme", "dark"}), plain, 5.0) << panels;
    EXPECT_GT(brightness({panels, "--theme", "light"}), 170.0) << panels;
  }
  EXPECT_EQ(run_headless_program({"--theme", "pink", small_scene}).code, 2);
}

TEST(Program, PicturesOfTheLaboratory) {
  const std::string file = test_folder() / "laboratory.png";
  const auto picture = [&file](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"--panels", "--size",    "1280x720", "--screenshot",
                                          file,       small_scene, "--lab",    "scan"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(run_headless_program(arguments).code, exit_success);
    return read_png(file);
  };
  const Picture results = picture({});
  EXPECT_EQ(results.width, 1280);
  const Picture source = picture({"--lab-tab", "code", "--lab-variant", "chained"});
  EXPECT_GT(compare_images(results, source), 0.03);
  EXPECT_LT(compare_images(source, picture({"--lab-code", "chained"})), 0.005);
  // The CPU device has no other listings, and says so.
  for (const char* listing : {"ptx", "sass"})
    EXPECT_GT(compare_images(source, picture({"--lab-code", "chained", "--lab-listing", listing})),
              0.005)
        << listing;
}

}  // namespace
}  // namespace warpview::test
