// What a recording does not hold: runs that are too long, which stop and name a size that fits, and
// blocks that were left out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "gpu/lab/experiment.h"
#include "gpu/lab/record.h"
#include "gpu/primitives/queue/queue.h"
#include "gpu/recording/file.h"
#include "gpu/recording/replay.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/digits.h"
#include "gpu/runtime/recorded_device.h"
#include "gpu/runtime/scratch_memory.h"

namespace warpview::test {
namespace {

struct Asked {
  Primitive primitive;
  const char* variant;
  std::uint32_t items;
};

lab::Question question_of(const Asked& run) {
  return {.primitive = run.primitive,
          .distribution = lab::experiment(run.primitive).distributions.front(),
          .n = run.items};
}

Recording record_blocks(Device& device, const Asked& run, const BlockRanges& blocks = {}) {
  lab::Recorded recorded =
      lab::record(device, question_of(run), find_variant(run.primitive, run.variant), blocks);
  EXPECT_EQ(recorded.difference, "") << run.variant;
  return std::move(recorded.recording);
}

std::string refusal(Device& device, const Asked& run, const BlockRanges& blocks = {}) {
  try {
    record_blocks(device, run, blocks);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// The number in "Choose" of a refusal; 0: there is none.
std::uint32_t fitting(const std::string& words, const std::string& items) {
  const std::size_t end = words.find(" " + items + " fit");
  if (end == std::string::npos) return 0;
  const std::size_t begin = words.find_last_not_of("0123456789 ", end - 1) + 1;
  std::string digits = words.substr(begin, end - begin);
  std::erase(digits, ' ');
  return digits.empty() ? 0 : static_cast<std::uint32_t>(std::stoul(digits));
}

TEST(LongRuns, NameTheLargestSizeThatFits) {
  const auto device = open_recorded_device({.seed = 1});
  for (const Asked& run : {Asked{Primitive::spatial_hash, "brute", 1024},
                           Asked{Primitive::sort, "onesweep", 1U << 16U},
                           Asked{Primitive::reduce, "shuffle_serial", 1U << 16U}}) {
    const std::string words = refusal(*device, run);
    EXPECT_NE(words.find("more than 1 000 000 events"), std::string::npos) << words;
    EXPECT_NE(words.find(group_digits(run.items)), std::string::npos) << words;
    EXPECT_NE(words.find("--blocks"), std::string::npos) << words;
    const std::uint32_t n = fitting(words, lab::experiment(run.primitive).items);
    ASSERT_GT(n, 0U) << words;
    EXPECT_EQ(refusal(*device, {run.primitive, run.variant, n}), "") << words;
    // A quarter more is too much, so the size is nearly the largest.
    EXPECT_NE(refusal(*device, {run.primitive, run.variant, n + n / 4}), "") << words;
  }
}

// The kernel ends when the recording is full, and not only at the end of the run.
TEST(LongRuns, Stop) {
  for (const unsigned interleave : {0U, usual_interleave}) {
    const auto device = open_recorded_device({}, interleave);
    const auto stream = device->create_stream();
    const auto experiment = lab::make_experiment(
        *device, *stream, question_of({Primitive::spatial_hash, "brute", 1024}));
    const VariantId variant = find_variant(Primitive::spatial_hash, "brute");
    std::string difference;
    EXPECT_THROW(difference = experiment->run_verified(variant,
                                                       [&] {
                                                         begin_recording();
                                                         experiment->run(variant);
                                                         stream->synchronize();
                                                         ADD_FAILURE() << "it ran to its end";
                                                       }),
                 Error);
    EXPECT_EQ(why_recording_is_full(), "more than 1 000 000 events");
    EXPECT_THROW(take_recording({}), Error);
    abandon_recording();
    EXPECT_EQ(why_recording_is_full(), "");
  }
}

// What a host's or a kernel's first access keeps of an allocation is too much.
TEST(LongRuns, OfTooMuchMemoryAreRefused) {
  for (const unsigned interleave : {0U, usual_interleave}) {
    const auto device = open_recorded_device({}, interleave);
    const auto stream = device->create_stream();
    const Buffer<std::uint32_t> large(*device, (256U << 20U) / 4 + 1);
    const Buffer<std::uint32_t> words(*device, 256);
    const Buffer<std::uint64_t> retries(*device, 1);
    ScratchMemory scratch(*device);
    const QueueArgs args = {.n = 64,
                            .threads = 64,
                            .capacity = 64,
                            .appended = large.data(),
                            .taken = words.data(),
                            .left = words.data() + 64,
                            .left_count = words.data() + 128,
                            .retries = retries.data()};
    const auto is_refused = [&](const auto& work) {
      begin_recording();
      work();
      EXPECT_EQ(why_recording_is_full(), "more than 256 MiB of contents");
      EXPECT_THROW(take_recording({}), Error);
      abandon_recording();
    };
    is_refused([&] { stream->fill(large.data(), 1, 4); });
    is_refused([&] {
      EXPECT_THROW(scratch.run(device->table().get<Primitive::queue>(
                                   find_variant(Primitive::queue, "broker")),
                               *stream, args),
                   Error);
    });
  }
}

TEST(ChosenBlocks, AreReadAsTheyAreWritten) {
  for (const auto& [words, meant] : std::map<std::string, std::string>{{"", ""},
                                                                       {"3", "3"},
                                                                       {" 0 , 3 - 5 ", "0,3-5"},
                                                                       {"3-5,0", "0,3-5"},
                                                                       {"1,2,3", "1-3"},
                                                                       {"0-4,2-9", "0-9"},
                                                                       {"7,7", "7"}})
    EXPECT_EQ(in_words(parse_blocks(words)), meant) << words;
  for (const char* words :
       {",", "0,", "-1", "1-", "5-3", "a", "1.5", "0 1", "99999999999", "2147483647"})
    EXPECT_THROW(parse_blocks(words), ChoiceError) << words;
}

TEST(ChosenBlocks, MustExist) {
  const auto device = open_recorded_device({.seed = 1});
  const std::string words = refusal(*device, {Primitive::scan, "lookback", 4096}, {{8, 9}});
  EXPECT_NE(words.find("8 blocks, counted from 0"), std::string::npos) << words;
  EXPECT_EQ(refusal(*device, {Primitive::scan, "lookback", 4096}, {{7, 9}}), "");
}

// What must be equal in both recordings: places and arrays have other numbers.
using Done =
    std::tuple<EventKind, std::uint32_t, std::uint16_t, std::uint8_t, std::uint64_t, std::uint64_t>;
std::vector<Done> done_by(const Recording& recording, const BlockRanges& blocks) {
  std::vector<Done> done;
  for (const RecordedEvent& e : recording.events)
    if (e.kind != EventKind::launch && !is_patch(e.kind) && contains(blocks, e.block))
      done.emplace_back(e.kind, e.block, e.thread, e.bytes, e.value, e.other);
  return done;
}

// Returns the number of events by which other blocks change memory.
std::size_t expect_part(const Recording& whole, const Recording& part, const BlockRanges& blocks) {
  EXPECT_EQ(part.blocks, blocks);
  EXPECT_EQ(Replay(part).finish(), "");
  EXPECT_TRUE(unpacked(packed(part), "file") == part);
  EXPECT_EQ(done_by(part, {}), done_by(whole, blocks));
  std::map<std::string, std::uint32_t> ends;
  for (const RecordedArray& array : whole.arrays) ends[array.name] = array.check_after;
  for (const RecordedArray& array : part.arrays)
    if (!array.name.starts_with("memory") && !array.name.starts_with("input")) {
      EXPECT_EQ(array.check_after, ends[array.name]) << array.name;
    }
  std::size_t others = 0, left = 0;  // lanes of the step that have yet to make their access
  for (const RecordedEvent& event : part.events) {
    if (event.kind == EventKind::step) left = static_cast<std::size_t>(std::popcount(event.value));
    if (is_access(event.kind) && !event.continues && left > 0) --left;
    if (event.kind != EventKind::others) continue;
    ++others;
    EXPECT_EQ(left, 0U) << "memory changes within a step";
  }
  return others;
}

TEST(ChosenBlocks, ArePartOfTheWholeRun) {
  const BlockRanges blocks = {{1, 1}, {3, 4}};
  const Asked runs[] = {{Primitive::scan, "lookback", 8 * 512},
                        {Primitive::scan, "ahead", 8 * 512},
                        {Primitive::select, "ahead", 8 * 512},
                        {Primitive::sort, "onesweep", 2048},
                        {Primitive::sort, "count_scan_reorder", 2048},
                        {Primitive::hash_map, "cooperative", 2048},
                        {Primitive::queue, "broker", 2048},
                        {Primitive::lock, "exponential", 2048},
                        {Primitive::refit, "atomic", 2048},
                        {Primitive::persistent, "grid_barrier", 2048}};
  for (const Asked& run : runs) {
    std::size_t others = 0;
    for (const auto& [options, interleave] : std::vector<std::pair<CpuOptions, unsigned>>{
             {{.seed = 1}, usual_interleave},
             {{.warp_size = 64, .seed = 2, .late_publications = true}, 2U},
             {{}, 0U}}) {
      SCOPED_TRACE(fmt::format("{}, interleaving {}", run.variant, interleave));
      const auto device = open_recorded_device(options, interleave);
      others +=
          expect_part(record_blocks(*device, run), record_blocks(*device, run, blocks), blocks);
    }
    EXPECT_GT(others, 0U) << run.variant;
  }
}

// The size that is refused above.
TEST(ChosenBlocks, FitWhereTheWholeRunDoesNot) {
  const auto device = open_recorded_device({.seed = 1});
  const Asked run = {Primitive::sort, "onesweep", 1U << 16U};
  const Recording part = record_blocks(*device, run, {{2, 2}});
  EXPECT_EQ(Replay(part).finish(), "");
  EXPECT_GT(part.events.size(), 1000U);
}

}  // namespace
}  // namespace warpview::test
