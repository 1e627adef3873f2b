// Every variant is recorded, and its recording replays to the very bytes that the run left. It is
// free of data races.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "gpu/lab/record.h"
#include "gpu/recording/file.h"
#include "gpu/recording/playback.h"
#include "gpu/recording/races.h"
#include "gpu/recording/replay.h"
#include "gpu/runtime/recorded_device.h"

namespace warpview::test {
namespace {

class EveryVariant : public testing::TestWithParam<int> {};

// Events of a row of the table in docs/recordings.md, without spaces; empty: there is no such row.
std::string events_on_page(const std::string& primitive, const std::string& variant) {
  std::ifstream page("docs/recordings.md");
  const std::string begin = fmt::format("| {} | {} |", primitive, variant);
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with(begin)) continue;
    std::string events = line.substr(begin.size(), line.find('|', begin.size()) - begin.size());
    std::erase(events, ' ');
    return events;
  }
  return {};
}

// The page has what GCC 12 makes of the kernels.
void check_page(const Recording& recording) {
  if (__GNUC__ != 12) return;
  EXPECT_EQ(events_on_page(recording.primitive, recording.variant),
            std::to_string(recording.events.size()))
      << "docs/recordings.md, " << recording.primitive << " " << recording.variant;
}

// Milliseconds of the longest of 200 jumps to steps anywhere.
double worst_seek(const Recording& recording) {
  Playback playback(std::make_shared<const Recording>(recording));
  std::mt19937 random(1);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same jumps in every run
  double worst = 0.0;
  for (int i = 0; i < 200; ++i) {
    const std::size_t to = random() % (playback.steps() + 1);
    const auto begin = std::chrono::steady_clock::now();
    playback.seek(to);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    worst = std::max(worst, time.count());
  }
  return worst;
}

// With WARPVIEW_RECORDING_TABLE set it prints the rows of the table.
void print_row(const Recording& recording, std::size_t bytes, double seconds) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment
  if (std::getenv("WARPVIEW_RECORDING_TABLE") == nullptr) return;
  const std::size_t events = recording.events.size();
  fmt::print("| {} | {} | {} | {:.1f} | {:.3f} | {:.2f} |\n", recording.primitive,
             recording.variant, events, static_cast<double>(bytes) / static_cast<double>(events),
             seconds, worst_seek(recording));
}

Recording expect_exact(Device& device, const lab::Question& question, VariantId variant) {
  const auto begin = std::chrono::steady_clock::now();
  const lab::Recorded recorded = lab::record(device, question, variant);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  const std::vector<std::uint8_t> file = packed(recorded.recording);
  EXPECT_EQ(recorded.difference, "");
  EXPECT_EQ(Replay(recorded.recording).finish(), "");
  EXPECT_TRUE(unpacked(file, "file") == recorded.recording);
  EXPECT_FALSE(recorded.recording.events.empty());
  for (const Race& race : find_races(recorded.recording))
    ADD_FAILURE() << in_words(recorded.recording, race);
  print_row(recorded.recording, file.size(), time.count());
  return recorded.recording;
}

std::vector<Recording> expect_exact(Primitive primitive, const CpuOptions& options,
                                    unsigned interleave) {
  std::vector<Recording> recordings;
  const auto device = open_recorded_device(options, interleave);
  const lab::ExperimentKind& kind = lab::experiment(primitive);
  // Four rounds over 512 boxes have more events than a recording holds.
  const std::uint32_t n = primitive == Primitive::optimise ? 256 : 512;
  const lab::Question question = {
      .primitive = primitive, .distribution = kind.distributions.front(), .n = n};
  for (const VariantId variant : variants_of(primitive)) {
    if (!device->table().has(variant) ||
        !lab::why_not(variant, question.form, device->info(), question.n).empty())
      continue;
    SCOPED_TRACE(variant->name);
    try {
      recordings.push_back(expect_exact(*device, question, variant));
    } catch (const Error& error) {
      ADD_FAILURE() << error.what();
    }
  }
  return recordings;
}

TEST_P(EveryVariant, ReplaysExactly) {
  for (const Recording& recording :
       expect_exact(static_cast<Primitive>(GetParam()), {.seed = 1}, usual_interleave))
    check_page(recording);
}

TEST_P(EveryVariant, ReplaysExactlyWithWideWarpsAndDelays) {
  expect_exact(static_cast<Primitive>(GetParam()),
               {.warp_size = 64, .seed = 2, .late_publications = true}, 2);
}

// Each variant in each form that it has, with few items.
TEST_P(EveryVariant, ReplaysExactlyInEachForm) {
  const auto primitive = static_cast<Primitive>(GetParam());
  const auto device = open_recorded_device({.seed = 3});
  const lab::ExperimentKind& kind = lab::experiment(primitive);
  constexpr std::uint32_t items = 150;  // several blocks, and an incomplete one
  lab::Question question = {.primitive = primitive, .n = items};
  int runs = 0;
  for (const VariantId variant : variants_of(primitive))
    for (std::size_t form = 0; form < kind.forms.size(); ++form) {
      question.form = static_cast<int>(form);
      question.distribution = kind.distributions[form % kind.distributions.size()];
      if (!device->table().has(variant) ||
          !lab::why_not(variant, question.form, device->info(), items).empty())
        continue;
      SCOPED_TRACE(fmt::format("{}, {}, {}", variant->name, kind.forms[form].name,
                               lab::to_string(question.distribution)));
      try {
        expect_exact(*device, question, variant);
        ++runs;
      } catch (const Error& error) {
        ADD_FAILURE() << error.what();
      }
    }
  RecordProperty("runs", runs);
  EXPECT_GT(runs, 0);
}

TEST_P(EveryVariant, ReplaysExactlyInOrder) {
  expect_exact(static_cast<Primitive>(GetParam()), {}, 0);
}

INSTANTIATE_TEST_SUITE_P(Primitives, EveryVariant, testing::Range(0, primitive_count),
                         [](const testing::TestParamInfo<int>& primitive) {
                           return std::string(to_string(static_cast<Primitive>(primitive.param)));
                         });

}  // namespace
}  // namespace warpview::test
