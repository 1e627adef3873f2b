// Messages over the picture and in the log: when they came, how long they stay.
#include <ctime>
#include <string>
#include <vector>

#include "app/panels/format.h"
#include "app/panels/parts.h"
#include "tests/panels/panel_test.h"

namespace warpview {
namespace {

// 23:07:09 of some day, where the test runs.
std::chrono::system_clock::time_point late_evening() {
  std::tm here{};
  here.tm_year = 124;
  here.tm_mon = 4;
  here.tm_mday = 17;
  here.tm_hour = 23;
  here.tm_min = 7;
  here.tm_sec = 9;
  here.tm_isdst = -1;
  return std::chrono::system_clock::from_time_t(std::mktime(&here));
}

class Messages : public PanelTest {
 protected:
  Messages() {
    model_ = loaded_model();
    model_.results.change().moving = false;
    state_.clock = [this] { return now_; };
    frames(3);
  }

  // The letters that the last frame drew in windows of this name and what is in them, without
  // blanks.
  std::string letters_in(const std::string& name) const {
    std::string all;
    for (const ImGuiWindow* const each : context_->Windows) {
      if (!each->Active || !std::string(each->Name).starts_with(name)) continue;
      const ImVector<ImDrawVert>& corners = each->DrawList->VtxBuffer;
      for (int i = 0; i + 2 < corners.Size; ++i)
        for (const ImFont* const font : ImGui::GetIO().Fonts->Fonts)
          if (const char letter = letter_at(*font, corners[i].uv, corners[i + 2].uv); letter != 0) {
            all += letter;
            break;
          }
    }
    return all;
  }
  // Of digits and what stands between them; 0: none of them has this place in the atlas.
  static char letter_at(const ImFont& font, ImVec2 from, ImVec2 to) {
    for (const char* c = "0123456789:"; *c != 0; ++c) {
      const ImFontGlyph& glyph = *font.FindGlyph(static_cast<ImWchar>(*c));
      if (glyph.U0 == from.x && glyph.V0 == from.y && glyph.U1 == to.x && glyph.V1 == to.y)
        return *c;
    }
    return 0;
  }
  bool shows(const char* card) const {
    const ImGuiWindow* const there = window(card);
    return there != nullptr && there->Active && there->DrawList->VtxBuffer.Size > 0 &&
           !there->Hidden && there->HiddenFramesCanSkipItems == 0 &&
           there->HiddenFramesCannotSkipItems == 0;
  }

  std::chrono::system_clock::time_point now_ = late_evening();
};

TEST(Format, TimeOfDay) {
  EXPECT_EQ(time_of_day(late_evening()), "23:07:09");
  EXPECT_EQ(time_of_day(late_evening() + std::chrono::minutes(53)), "00:00:09");
}

TEST_F(Messages, OfTheLogBeginWithTheTimeOfDay) {
  say(Message::Kind::info, "Wrote picture.png.");
  frames();
  now_ += std::chrono::seconds(65);
  say(Message::Kind::error, "mesh.obj:12: no such vertex.");
  frames(2);
  state_.show_log = true;
  frames(2);
  const std::string all = letters_in("Messages");
  const auto place = [&all](const char* word) { return all.find(word); };
  ASSERT_NE(place("23:07:09"), std::string::npos) << all;
  ASSERT_NE(place("23:08:14"), std::string::npos) << all;
  EXPECT_LT(place("23:07:09"), place("23:08:14"));

  std::string copied;
  ImGui::GetIO().ClipboardUserData = &copied;
  ImGui::GetIO().SetClipboardTextFn = [](void* to, const char* from) {
    *static_cast<std::string*>(to) = from;
  };
  click("Messages", "Copy all");
  EXPECT_EQ(copied,
            "23:07:09 Note: Wrote picture.png.\n23:08:14 Error: mesh.obj:12: no such vertex.\n");
}

TEST_F(Messages, LeaveThePictureOnceTheLogShowsThem) {
  say(Message::Kind::error, "mesh.obj:12: no such vertex.");
  frames(3);
  EXPECT_TRUE(shows("##notice0"));
  state_.show_log = true;
  frames(3);
  EXPECT_FALSE(shows("##notice0"));
  say(Message::Kind::error, "mesh.obj:13: no such vertex.");
  frames(3);
  EXPECT_TRUE(shows("##notice0")) << "what comes later";
}

TEST_F(Messages, OfACardSayTheirTimeInATooltip) {
  say(Message::Kind::error, "mesh.obj:12: no such vertex.");
  frames(3);
  EXPECT_EQ(letters_in("").find("23:07:09"), std::string::npos);
  const ImRect card = window("##notice0")->Rect();
  ImGui::GetIO().MousePos = {card.Min.x + 0.5F * card.GetWidth(), card.Max.y - 6.0F};
  frames(2);
  EXPECT_NE(letters_in("##Tooltip").find("23:07:09"), std::string::npos);
}

// ImGui knows the height of a card's window only in the frame after its first: whoever draws frames
// as they are wanted must go on for one more, or an error that comes alone is not seen.
TEST_F(Messages, AnErrorAloneIsSeenThoughNothingElseMoves) {
  ASSERT_FALSE(state_.animates);
  say(Message::Kind::error, "mesh.obj:12: no such vertex.");
  frames();
  for (int turn = 0; state_.animates; ++turn) {
    ASSERT_LT(turn, 1000) << "an error moves for ever";
    frames();
  }
  EXPECT_TRUE(shows("##notice0"));
  // And stays, without frames.
  EXPECT_FALSE(state_.notices[0].dismissed);
}

TEST_F(Messages, LeaveWithTheNextScene) {
  const auto fails = [this] {
    say(Message::Kind::error, "mesh.obj:12: no such vertex.");
    frames(2);
    return !state_.notices.back().dismissed;
  };
  model_.scene_number = 1;
  frames();
  ASSERT_TRUE(fails());
  frames(2);
  EXPECT_FALSE(state_.notices.back().dismissed) << "nothing was opened";
  // The same file once more.
  ++model_.scene_number;
  frames();
  EXPECT_TRUE(state_.notices.back().dismissed);
  // Another one, which has something to say itself.
  ASSERT_TRUE(fails());
  ++model_.scene_number;
  model_.scene_spec = "generated:knot";
  model_.scene_files = {{"generated:knot"}};
  say(Message::Kind::warning, "knot: something.");
  frames();
  ASSERT_EQ(state_.notices.size(), 3U);
  EXPECT_TRUE(state_.notices[1].dismissed);
  EXPECT_FALSE(state_.notices[2].dismissed);
}

// ---- Warnings of a file -------------------------------------------------------------------------

class Warnings : public Messages {
 protected:
  void warn(const std::string& file, const std::vector<std::string>& warnings) {
    for (const std::string& warning : warnings)
      model_.messages.push_back({Message::Kind::warning, file + ": " + warning, file});
  }
  // "2 errors, 1 warning", as the status line counts.
  std::string counted() {
    for (const ui::WidgetRecord& each : widgets())
      if (each.window == "##status" && each.kind == std::string("choice")) return each.name;
    return {};
  }
  void open(const std::string& file) {
    ++model_.scene_number;
    model_.scene_spec = file;
    model_.scene_files = {{file}};
  }
};

TEST_F(Warnings, OfAFileShareACardWithTheWeightiestFirst) {
  open("/a.obj");
  warn("a", {"3 faces dropped", "no texture", "no normals", "long line", "no group"});
  frames(3);
  ASSERT_EQ(state_.notices.size(), 1U);
  EXPECT_EQ(state_.notices[0].count, 5U);
  EXPECT_EQ(state_.notices[0].message.text,
            "a:\n- 3 faces dropped\n- no texture\n- no normals\n- long line\n- no group");
  EXPECT_TRUE(can_read("5 warnings"));
  EXPECT_TRUE(can_read("3 faces dropped"));
  EXPECT_EQ(counted(), "5 warnings");
}

TEST_F(Warnings, AreCountedAsLongAsTheirFileIsOpen) {
  open("/a.obj");
  warn("a", {"3 faces dropped", "no texture"});
  frames(2);
  EXPECT_EQ(counted(), "2 warnings");
  // The same file in another scene, of which nothing new is said.
  ++model_.scene_number;
  model_.scene_kind = find_scene_kind("cloth");
  EXPECT_EQ(counted(), "2 warnings");
  // Read again.
  ++model_.scene_number;
  warn("a", {"no texture"});
  EXPECT_EQ(counted(), "1 warning");
  open("/b.obj");
  EXPECT_EQ(counted(), "Messages");
  EXPECT_EQ(state_.notices.size(), 2U) << "the log keeps them";
  open("/c.obj");
  warn("c", {"no texture"});
  EXPECT_EQ(counted(), "1 warning");
}

TEST_F(Warnings, AnErrorIsNotHiddenByWhatCameAfterIt) {
  say(Message::Kind::error, "mesh.obj:12: no such vertex.");
  for (int i = 0; i < 6; ++i) say(Message::Kind::info, "Saved picture.png");
  warn("a", {"no texture"});
  frames(3);
  EXPECT_TRUE(can_read("no such vertex"));
  EXPECT_TRUE(can_read("no texture"));
}

// ---- Keys and files that tell nothing -----------------------------------------------------------

TEST_F(Messages, SpaceAtRestDoesNothingAndTellsNothing) {
  ASSERT_TRUE(model_.playing);
  run_command(Command::pause, model_, state_);
  run_command(Command::step, model_, state_);
  frames(2);
  EXPECT_TRUE(model_.playing);
  EXPECT_EQ(model_.requests.count<request::Step>(), 0U);
  EXPECT_TRUE(model_.requests.empty());
  EXPECT_TRUE(model_.messages.empty());
  EXPECT_TRUE(state_.notices.empty());
}

TEST_F(Messages, SeveralDroppedFilesAreOneScene) {
  model_.scene_kind = &scene_kinds().back();
  open_files_in(model_, {"/a/leaf.obj", "/b/stem.obj", "/a/leaf.obj"});
  ASSERT_TRUE(model_.requests.find<request::Open>());
  const SceneDescription& asked = model_.requests.find<request::Open>()->scene;
  ASSERT_EQ(asked.files.size(), 3U);
  EXPECT_EQ(asked.files[0].spec, "/a/leaf.obj");
  EXPECT_EQ(asked.files[1].spec, "/b/stem.obj");
  EXPECT_EQ(asked.files[2].spec, "/a/leaf.obj");
  EXPECT_EQ(asked.scene, scene_kinds().back().name);
}

}  // namespace
}  // namespace warpview
