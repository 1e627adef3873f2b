#include "app/common/recorded_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>
#include <vector>

#include "app/common/process.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/source_module.h"

namespace warpview {
namespace {

// "/home/me/warpview/gpu/block/lookback.h" -> "gpu/block/lookback.h": the same on all machines.
std::string source_name(std::string_view file) {
  const std::size_t gpu = file.rfind("/gpu/");
  return std::string(gpu == std::string_view::npos ? file : file.substr(gpu + 1));
}

// Reads "file:line", which a remark may follow; the line is 0 if unknown.
SourceLine read_line(std::string function, std::string_view text) {
  const std::size_t colon = text.rfind(':');
  std::uint32_t line = 0;
  if (colon != std::string_view::npos)
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), line);
  return {
      .function = std::move(function), .file = source_name(text.substr(0, colon)), .line = line};
}

// What addr2line prints for each address: the address, then pairs of lines, innermost first.
void take_lines(const std::string& out, std::vector<RecordedPlace*> places) {
  std::istringstream lines(out);
  std::size_t at = 0;
  RecordedPlace* place = nullptr;
  for (std::string line, where; std::getline(lines, line);) {
    if (line.starts_with("0x")) {
      place = at < places.size() ? places[at++] : nullptr;
      continue;
    }
    if (!std::getline(lines, where)) break;
    SourceLine found = read_line(line, where);
    if (place && found.line != 0) place->chain.push_back(std::move(found));
  }
}

}  // namespace

std::string find_lines(Recording& recording) {
  // The executor knows the places of its own calls, by names that depend on the build folder.
  for (RecordedPlace& place : recording.places)
    for (SourceLine& line : place.chain) line.file = source_name(line.file);
  const auto program = find_program("addr2line");
  if (program.empty()) return "addr2line was not found (apt install binutils)";
  std::vector<std::string> words = {
      program.string(), "-a", "-i", "-f", "-C", "-e", recording_module.path().string()};
  std::vector<RecordedPlace*> places;
  for (RecordedPlace& place : recording.places) {
    if (place.code == 0) continue;
    places.push_back(&place);
    words.push_back(fmt::format("{:#x}", place.code - 1));  // in the call, not behind it
  }
  if (places.empty()) return {};
  try {
    const ProcessResult found = run_process(words, {});
    if (found.code != 0) return fmt::format("addr2line ended with {}", found.code);
    take_lines(found.out, places);
  } catch (const Error& error) {
    return error.what();
  }
  if (std::all_of(places.begin(), places.end(),
                  [](const RecordedPlace* place) { return place->chain.empty(); }))
    return "the recording module has no debug information";
  return {};
}

}  // namespace warpview
