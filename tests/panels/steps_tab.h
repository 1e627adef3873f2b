// The laboratory's Steps tab with a small recording.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "app/played_run.h"
#include "tests/panels/panel_test.h"

namespace warpview {

// A launch of two blocks, each one warp of four lanes, which read their word of `in` three times by
// turns of the blocks, meet at a barrier, and of which lane 0 publishes. 15 steps.
inline std::shared_ptr<const Recording> small_recording(std::uint64_t published = 7) {
  Recording recording;
  recording.primitive = "scan";
  recording.variant = "lookback";
  recording.warp_size = 4;
  recording.places.resize(2);
  recording.places[1].chain = {{.function = "f", .file = "gpu/a.cu", .line = 12}};
  for (const char* name : {"in", "out"})
    recording.arrays.push_back({.name = name,
                                .type = "u32",
                                .element_bytes = 4,
                                .bytes = 32,
                                .before = std::vector<std::uint8_t>(32, 0)});
  recording.launches = {{.kernel = "kernel", .grid = {2, 1, 1}, .block = {4, 1, 1}}};
  auto& events = recording.events;
  events.push_back({.kind = EventKind::launch});
  for (std::uint32_t block = 0; block < 2; ++block)
    events.push_back({.kind = EventKind::block_begin, .block = block});
  const auto lanes = [&events](std::uint32_t block, EventKind kind) {
    events.push_back(
        {.kind = EventKind::step, .block = block, .place = 1, .value = 15, .other = 15});
    for (std::uint16_t i = 0; i < 4; ++i)
      events.push_back({.kind = kind,
                        .bytes = static_cast<std::uint8_t>(kind == EventKind::read ? 4 : 0),
                        .thread = i,
                        .block = block,
                        .place = 1,
                        .offset = kind == EventKind::read ? 16 * block + 4U * i : 0});
  };
  for (int turn = 0; turn < 3; ++turn)
    for (std::uint32_t block = 0; block < 2; ++block) lanes(block, EventKind::read);
  for (std::uint32_t block = 0; block < 2; ++block) {
    lanes(block, EventKind::arrive);
    events.push_back({.kind = EventKind::barrier, .block = block, .place = 1});
    events.push_back(
        {.kind = EventKind::step, .block = block, .place = 1, .value = 1, .other = 15});
    events.push_back({.kind = EventKind::store_release,
                      .bytes = 4,
                      .block = block,
                      .place = 1,
                      .subject = 1,
                      .offset = 4 * block,
                      .value = published});
  }
  return std::make_shared<const Recording>(std::move(recording));
}

class StepsTab : public PanelTest {
 protected:
  StepsTab() {
    model_ = loaded_model();
    model_.lab.question = {.primitive = Primitive::scan};
    model_.lab.most_items = 1U << 20U;
    state_.show_lab = true;
    state_.lab.open = LabTask::steps;
    frames(3);
  }
  // As if what is chosen had been recorded.
  void record(std::size_t side = 0, std::uint64_t published = 7) {
    frames(2);
    const auto asked = model_.requests.take<request::Record>();
    ASSERT_EQ(asked.size(), 1U);
    ASSERT_EQ(asked[0].side, side);
    const auto run = std::make_shared<PlayedRun>(small_recording(published));
    run->asked = asked[0].asked;
    model_.lab.steps.shown.at(side).run = run;
    frames(2);
  }
  void open_recording() {
    click("Laboratory", "Record");
    record();
  }
  Playback& playback(std::size_t side = 0) { return model_.lab.steps.shown.at(side).run->playback; }
  std::size_t after(int key, bool shift = false) {
    ImGui::GetIO().KeyShift = shift;
    press(static_cast<ImGuiKey>(key));
    ImGui::GetIO().KeyShift = false;
    return playback().at();
  }
};

}  // namespace warpview
