// Recordings as files: what is written is read again, and what is no recording is refused.
#include "gpu/recording/file.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "gpu/recording/replay.h"
#include "gpu/runtime/error.h"

namespace warpview::test {
namespace {

RecordedEvent event(EventKind kind, std::uint32_t block = 0, std::uint16_t thread = 0) {
  RecordedEvent made;
  made.kind = kind;
  made.block = block;
  made.thread = thread;
  return made;
}

RecordedEvent access(EventKind kind, std::uint32_t array, std::uint32_t offset, std::uint64_t value,
                     std::uint16_t thread = 0) {
  RecordedEvent made = event(kind, 0, thread);
  made.bytes = 4;
  made.subject = array;
  made.offset = offset;
  made.value = value;
  made.place = 1;
  return made;
}

std::uint32_t check_of(const std::vector<std::uint8_t>& bytes) {
  return static_cast<std::uint32_t>(crc32(0, bytes.data(), static_cast<uInt>(bytes.size())));
}

// A block of two lanes: each reads a word, writes it into shared memory, and one writes both back.
Recording small_recording() {
  Recording r;
  r.primitive = "scan";
  r.variant = "lookback";
  r.form = "sum_u32";
  r.distribution = "uniform";
  r.items = 2;
  r.input_seed = 1;
  r.seed = ~std::uint64_t{0};
  r.interleave = 8;
  r.places = {{}, {.code = 4711, .chain = {{"kernel", "gpu/scan.cu", 12}, {"inner", "a.h", 3}}}};
  r.arrays = {{.name = "input",
               .type = "u32",
               .element_bytes = 4,
               .bytes = 8,
               .kind = ArrayKind::device,
               .before = {1, 0, 0, 0, 2, 0, 0, 0},
               .check_after = check_of({1, 0, 0, 0, 9, 0, 0, 0})},
              {.name = "storage",
               .type = "u32",
               .element_bytes = 4,
               .bytes = 4,
               .kind = ArrayKind::shared,
               .before = {},
               .check_after = 0}};
  r.launches = {{.kernel = "kernel", .grid = {3, 1, 1}, .block = {2, 1, 1}, .concurrent = true}};
  r.patches = {{.array = 0, .offset = 4, .bytes = {9, 0, 0, 0}}};
  RecordedEvent step = event(EventKind::step);
  step.value = 1;
  step.other = 3;
  step.place = 1;
  r.events = {event(EventKind::launch),
              event(EventKind::block_begin),
              step,
              access(EventKind::read, 0, 4, 2),
              access(EventKind::read, 1, 0, 0xcdcdcdcd),
              access(EventKind::write, 1, 0, ~std::uint32_t{0}, 1),
              access(EventKind::read, 1, 0, ~std::uint32_t{0}),
              event(EventKind::exit, 0, 1),
              event(EventKind::block_end),
              event(EventKind::upload)};
  return r;
}

std::string refused(std::span<const std::uint8_t> bytes) {
  try {
    unpacked(bytes, "it.wvrec");
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(RecordingFile, IsReadAsItWasWritten) {
  const Recording recording = small_recording();
  EXPECT_EQ(unpacked(packed(recording), "it"), recording);
  EXPECT_EQ(unpacked(packed(Recording{}), "it"), Recording{});
}

TEST(RecordingFile, RefusesWhatIsCutOff) {
  const std::vector<std::uint8_t> file = packed(small_recording());
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_NE(refused(std::span(file).first(size)), "") << size;
}

TEST(RecordingFile, RefusesEachChangedByte) {
  std::vector<std::uint8_t> file = packed(small_recording());
  for (std::uint8_t& byte : file) {
    byte ^= 0x55U;
    EXPECT_NE(refused(file), "") << &byte - file.data();
    byte ^= 0x55U;
  }
  EXPECT_EQ(refused(file), "");
}

TEST(RecordingFile, NamesAnotherVersion) {
  std::vector<std::uint8_t> file = packed(small_recording());
  file[5] = 7;
  EXPECT_NE(refused(file).find("version 7 of the format, and this program reads 1 and 2"),
            std::string::npos)
      << refused(file);
}

// A recording of block 0 alone: another block changes the word that it reads.
Recording limited_recording() {
  Recording r = small_recording();
  r.blocks = {{0, 0}, {2, 4}};
  r.patches.push_back({.array = 0, .offset = 4, .bytes = {7}});
  r.events.insert(r.events.begin() + 2, event(EventKind::others));
  r.events[2].subject = 1;
  r.events[4].value = 7;
  return r;
}

TEST(RecordingFile, ASecondVersionHasTheRecordedBlocks) {
  EXPECT_EQ(packed(small_recording())[5], 1);
  const Recording recording = limited_recording();
  const std::vector<std::uint8_t> file = packed(recording);
  EXPECT_EQ(file[5], 2);
  EXPECT_EQ(unpacked(file, "it"), recording);
  EXPECT_EQ(Replay(recording).finish(), "");
  for (const Recording& each : {small_recording(), recording}) {
    std::vector<std::uint8_t> other = packed(each);
    other[5] = static_cast<std::uint8_t>(3 - other[5]);
    EXPECT_NE(refused(other).find("another version"), std::string::npos) << refused(other);
  }
  Recording stale = recording;
  stale.events[4].value = 2;
  EXPECT_NE(Replay(stale).finish().find("holds 0x7"), std::string::npos);
}

TEST(RecordingFile, RefusesBlocksThatMakeNoSense) {
  const auto refuses = [](const char* why, auto change) {
    Recording recording = limited_recording();
    change(recording);
    EXPECT_NE(refused(packed(recording)).find(why), std::string::npos)
        << why << " / " << refused(packed(recording));
  };
  refuses("out of order", [](Recording& r) { r.blocks = {{2, 4}, {0, 0}}; });
  refuses("out of order", [](Recording& r) { r.blocks = {{0, 0}, {1, 4}}; });
  refuses("out of order", [](Recording& r) { r.blocks = {{4, 0}}; });
  refuses("though all are", [](Recording& r) { r.blocks.clear(); });
  refuses("of a block that is not recorded", [](Recording& r) { r.blocks = {{1, 1}}; });
  refuses("a patch that it does not have", [](Recording& r) { r.events[2].subject = 2; });
}

TEST(RecordingFile, RefusesIndicesOutsideOfItsTables) {
  const auto refuses = [](const char* why, auto change) {
    Recording recording = small_recording();
    change(recording);
    EXPECT_NE(refused(packed(recording)).find(why), std::string::npos)
        << why << " / " << refused(packed(recording));
  };
  refuses("outside of its array", [](Recording& r) { r.events[3].offset = 5; });
  refuses("outside of its array", [](Recording& r) { r.events[3].subject = 2; });
  refuses("outside of its launch", [](Recording& r) { r.events[3].block = 3; });
  refuses("outside of its launch", [](Recording& r) { r.events[3].thread = 2; });
  refuses("outside of its launch", [](Recording& r) { r.events.erase(r.events.begin()); });
  refuses("a launch that it does not have", [](Recording& r) { r.events[0].subject = 1; });
  refuses("a patch that it does not have", [](Recording& r) { r.events.back().subject = 1; });
  refuses("a place that it does not have", [](Recording& r) { r.events[3].place = 2; });
  refuses("a place that it does not have", [](Recording& r) {
    r.places.clear();  // events without a place have place 0 of the table
    for (RecordedEvent& event : r.events) event.place = 0;
  });
  refuses("does not run", [](Recording& r) { r.events.erase(r.events.begin() + 1); });
  refuses("does not run", [](Recording& r) { r.events[3].block = 1; });
  refuses("begins twice", [](Recording& r) { r.events.insert(r.events.begin() + 1, r.events[1]); });
  refuses("more resident blocks", [](Recording& r) {
    r.launches[0].grid[0] = 17;
    for (std::uint32_t block = 1; block < 17; ++block)
      r.events.insert(r.events.begin() + 1, event(EventKind::block_begin, block));
  });
  refuses("more shared memory", [](Recording& r) { r.arrays[1].bytes = (4U << 20U) + 4; });
  refuses("a patch outside", [](Recording& r) { r.patches[0].offset = 5; });
  refuses("a patch outside", [](Recording& r) { r.patches[0].array = 1; });
  refuses("another size than its contents", [](Recording& r) { r.arrays[0].before.pop_back(); });
  refuses("within an element", [](Recording& r) { r.arrays[0].element_bytes = 3; });
  refuses("impossible shape", [](Recording& r) { r.launches[0].block[1] = 1024; });
  refuses("the size of a warp", [](Recording& r) { r.warp_size = 31; });
  refuses("no known kind", [](Recording& r) { r.events[3].bytes = 9; });
}

Recording recording_with_mesh() {
  Recording recording = small_recording();
  recording.mesh = RecordedMesh{.name = "knot",
                                .whole = 70000,
                                .corners = {0, 1, 2, 3, 4, 5, 6, 7, -8.5F},
                                .right = {1, 0, 0},
                                .up = {0, 0.6F, 0.8F}};
  return recording;
}

// Only files with triangles are of version 2, so programs that know version 1 alone read the
// others.
TEST(RecordingFile, HasTheTrianglesOfItsInput) {
  const Recording recording = recording_with_mesh();
  std::vector<std::uint8_t> file = packed(recording);
  EXPECT_EQ(unpacked(file, "it"), recording);
  EXPECT_EQ(file[5], 2U);
  EXPECT_EQ(packed(small_recording())[5], 1U);
  EXPECT_NE(unpacked(file, "it"), small_recording());
  file[5] = 1;
  EXPECT_NE(refused(file).find("its contents are of another version"), std::string::npos);
  const std::vector<std::uint8_t> whole = packed(recording);
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(refused(std::span(whole).first(size)), "") << size;
}

TEST(RecordingFile, HasTheTrianglesOfItsInputAndItsBlocks) {
  Recording recording = recording_with_mesh();
  recording.blocks = {{0, 0}};
  const std::vector<std::uint8_t> file = packed(recording);
  EXPECT_EQ(file[5], 2U);
  EXPECT_EQ(unpacked(file, "it"), recording);
}

TEST(RecordingFile, RefusesTrianglesThatAreNone) {
  const auto refuses = [](const char* why, auto change) {
    Recording recording = recording_with_mesh();
    change(*recording.mesh);
    EXPECT_NE(refused(packed(recording)).find(why), std::string::npos)
        << why << " / " << refused(packed(recording));
  };
  refuses("not finite", [](RecordedMesh& mesh) { mesh.corners[4] = NAN; });
  refuses("not finite", [](RecordedMesh& mesh) { mesh.corners[8] = INFINITY; });
  refuses("not finite", [](RecordedMesh& mesh) { mesh.up[1] = -INFINITY; });
  refuses("without three corners", [](RecordedMesh& mesh) { mesh.corners.pop_back(); });
  refuses("the number of corners", [](RecordedMesh& mesh) {
    mesh.corners.resize(9 * (std::size_t{RecordedMesh::most_triangles} + 1));
  });
}

// What never ends or is far too large is not read.
TEST(RecordingFile, ReadsPlainFilesOfItsSize) {
  namespace fs = std::filesystem;
  const auto complaint = [](const fs::path& file) -> std::string {
    try {
      read_recording(file);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const fs::path folder = fs::path(::testing::TempDir()) / "reads_plain_files";
  fs::create_directories(folder);
  EXPECT_NE(complaint(folder).find("no such file"), std::string::npos);
  EXPECT_NE(complaint("/dev/null").find("no such file"), std::string::npos);
  const fs::path huge = folder / "huge.wvrec";
  std::ofstream(huge).close();
  fs::resize_file(huge, std::uintmax_t{1} << 30U);  // has no blocks on the disk
  EXPECT_NE(complaint(huge).find("too large"), std::string::npos);
  fs::remove_all(folder);
}

TEST(RecordingFile, NamesOfRecordingsEndInWvrec) {
  EXPECT_TRUE(is_recording_file("a.wvrec"));
  for (const char* const other : {".wvrec", "a.obj", "wvrec", "a.wvrec.gz", ""})
    EXPECT_FALSE(is_recording_file(other)) << other;
}

TEST(RecordingFile, IsExportedAsJson) {
  const auto json = nlohmann::json::parse(recording_as_json(small_recording()));
  EXPECT_EQ(json["seed"], "18446744073709551615");
  EXPECT_EQ(json["places"][1][0]["line"], 12);
  EXPECT_EQ(json["arrays"][0]["before"], "0100000002000000");
  EXPECT_EQ(json["columns"].size(), json["events"][0].size());
  EXPECT_EQ(json["events"].size(), small_recording().events.size());
  EXPECT_EQ(json["events"][3],
            nlohmann::json::parse(R"(["read", 0, 0, 1, 0, 4, 4, 0, "0x2", "0x0"])"));
}

TEST(RecordingFile, TrianglesAreExportedAsJson) {
  const auto json = nlohmann::json::parse(recording_as_json(recording_with_mesh()));
  EXPECT_EQ(json["version"], 2);
  EXPECT_EQ(json["mesh"]["name"], "knot");
  EXPECT_EQ(json["mesh"]["corners"].size(), 9U);
  EXPECT_FALSE(nlohmann::json::parse(recording_as_json(small_recording())).contains("mesh"));
}

TEST(Replay, EndsWithTheRecordedContents) {
  const Recording recording = small_recording();
  Replay replay(recording);
  EXPECT_EQ(replay.finish(), "");
  EXPECT_EQ(replay.contents(0)[4], 9);
}

TEST(Replay, FindsAReadOfAnotherValue) {
  Recording recording = small_recording();
  recording.events[3].value = 3;
  EXPECT_NE(Replay(recording).finish().find("event 3: a read of input at byte 4 finds 0x3"),
            std::string::npos);
}

TEST(Replay, FindsOtherContentsAtTheEnd) {
  Recording recording = small_recording();
  recording.patches[0].bytes[1] = 1;
  EXPECT_EQ(Replay(recording).finish(), "input ends with other contents than in the recorded run");
}

TEST(Replay, KnowsTheValueBefore) {
  const Recording recording = small_recording();
  Replay replay(recording);
  while (recording.events[replay.at()].kind != EventKind::write) replay.step();
  EXPECT_EQ(replay.value_before(), 0xcdcdcdcdU);
}

}  // namespace
}  // namespace warpview::test
