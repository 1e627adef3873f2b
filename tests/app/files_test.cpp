// Files that are written and edited.
#include "app/files.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <thread>
#include <variant>

#include "app/report.h"
#include "tests/app/session_test.h"

namespace warpview::test {
namespace {

// Waits for so many messages.
std::vector<Message> messages(SessionEvents& events, std::size_t count, Files& files) {
  std::vector<Message> all;
  while (all.size() < count) {
    files.update();
    for (const SessionEvent& each : events.take()) all.push_back(std::get<Message>(each));
    std::this_thread::yield();
  }
  return all;
}

TEST(Files, AreWrittenWholeOrAMessageSaysWhy) {
  const auto events = std::make_shared<SessionEvents>();
  Files files(events);
  const std::filesystem::path folder = test_folder();
  const Picture picture{2, 1, {1, 2, 3, 255, 4, 5, 6, 255}};
  files.write({.file = folder / "a.svg", .bytes = "<svg/>"});
  files.write({.file = folder / "a.png", .picture = picture});
  files.write({.file = folder / "no" / "such" / "a.csv"});
  const std::vector<Message> said = messages(*events, 3, files);
  EXPECT_EQ(said[0].kind, Message::Kind::info);
  EXPECT_EQ(said[1].kind, Message::Kind::info);
  EXPECT_EQ(said[2].kind, Message::Kind::error);
  EXPECT_EQ(read_file(folder / "a.svg"), "<svg/>");
  EXPECT_EQ(read_png(folder / "a.png").rgba, picture.rgba);
  EXPECT_FALSE(std::filesystem::exists(folder / "no"));
}

TEST(Files, AnEditorThatFailsIsAMessage) {
  const auto events = std::make_shared<SessionEvents>();
  Files files(events);
  EXPECT_FALSE(files.awaits_editor());
  for (const char* command : {"/no/such/editor", "/bin/false"}) {
    files.edit({"/a/file.cu", 3, command});
    const Message said = messages(*events, 1, files).front();
    EXPECT_EQ(said.kind, Message::Kind::error);
    EXPECT_NE(said.text.find(command), std::string::npos) << said.text;
    EXPECT_FALSE(files.awaits_editor());
  }
}

// As the command line writes it: the JSON has the whole report, the CSV its stages.
TEST_F(SessionTest, WhatWasMeasuredIsWrittenAsItStands) {
  const std::string text = test_folder() / "times.json";
  const std::string table = test_folder() / "times.csv";
  SessionInWindow window(open_device(Backend::cpu));
  window.open(describe(sphere_of_2000, {"animation=refit"}));
  window.until([&] { return window.frames() > 5; });
  window.model.playing = false;
  window.session.update();  // tells compute
  window.until([&] { return !window.session.busy(); });
  window.model.requests.add(request::WriteReport{text});
  window.model.requests.add(request::WriteReport{table});
  window.until([&] {
    return std::filesystem::exists(text) && std::filesystem::exists(table) &&
           has_message(window.model, Message::Kind::info);
  });
  const auto report = nlohmann::ordered_json::parse(std::ifstream(text));
  EXPECT_EQ(report["controls"]["shape"], "wave");
  EXPECT_EQ(report["controls"]["tree"], "refit");
  ASSERT_EQ(report["stages"].size(), window.model.stages.size());
  for (std::size_t i = 0; i < report["stages"].size(); ++i) {
    const auto& stage = report["stages"][i];
    const StageResult& result = *window.model.stages[i].result;
    EXPECT_EQ(stage["name"], result.name);
    EXPECT_EQ(stage["n"], result.times().size());
    EXPECT_EQ(stage["cold"], result.is_cold());
    EXPECT_NEAR(stage["ms_median"].get<double>(), result.median_ms, 1e-5) << result.name;
    EXPECT_EQ(stage["ms_cold"].is_null(), !result.cold_ms);
  }
  std::ifstream in(table);
  const std::string written(std::istreambuf_iterator<char>(in), {});
  EXPECT_EQ(written, report_for(table, report));
  EXPECT_EQ(static_cast<std::size_t>(std::count(written.begin(), written.end(), '\n')),
            window.model.stages.size() + 1);
}

}  // namespace
}  // namespace warpview::test
