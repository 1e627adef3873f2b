#include "app/step_views/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/step_views/arrays.h"

namespace warpview::step_views {
namespace {

// The numbers behind a name's first word; none where it is another word.
std::optional<std::vector<std::uint32_t>> numbers(std::string_view name, std::string_view kind) {
  if (!name.starts_with(kind) || name.size() <= kind.size() || name[kind.size()] != '/') return {};
  name.remove_prefix(kind.size() + 1);
  std::vector<std::uint32_t> all;
  while (true) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc()) return {};
    all.push_back(number);
    name.remove_prefix(static_cast<std::size_t>(end - name.data()));
    if (name.empty()) return all;
    if (name.front() != '/') return {};
    name.remove_prefix(1);
  }
}

std::string line_of(const Recording& recording, std::uint32_t place) {
  const auto& chain = recording.chain(place);
  return chain.empty() ? std::string() : line_name(chain.front());
}

std::vector<std::string> about_word(const Playback& at, const Word& word) {
  const Recording& recording = at.recording();
  if (word.array >= recording.arrays.size()) return {};
  const RecordedArray& array = recording.arrays[word.array];
  const auto bytes = at.contents(word.array, word.block);
  if (std::size_t{word.element + 1} * array.element_bytes > bytes.size()) return {};
  std::vector<std::string> lines = {
      fmt::format("{}[{}] = {}", array.name, word.element,
                  value_of(array, bytes.subspan(std::size_t{word.element} * array.element_bytes,
                                                array.element_bytes)))};
  const auto written = at.last_write(word);
  if (!written) {
    lines.emplace_back("not written yet");
    return lines;
  }
  const RecordedEvent& event = recording.events[*written];
  const std::size_t step = at.step_of(*written) + 1;
  if (is_patch(event.kind)) {
    lines.push_back(
        event.kind == EventKind::others
            ? fmt::format("written by a block that is not recorded, before step {}", step)
            : fmt::format("written by the host, step {}", step));
    return lines;
  }
  lines.push_back(fmt::format("written by block {}, thread {}, step {} ({})", event.block,
                              event.thread, step, to_string(event.kind)));
  if (const auto& chain = recording.chain(event.place); !chain.empty())
    lines.push_back(fmt::format("{}:{}", chain.front().file, chain.front().line));
  return lines;
}

std::vector<std::string> about_lane(const Playback& at, std::uint32_t block, std::uint32_t thread) {
  const PlayedBlock* const runs = at.block(block);
  if (runs == nullptr || thread >= runs->lanes.size()) return {};
  const PlayedLane& lane = runs->lanes[thread];
  static constexpr const char* states[] = {"running", "waiting at a barrier", "in back-off",
                                           "exited"};
  const unsigned warp = at.recording().warp_size;
  std::vector<std::string> lines = {fmt::format("Block {}, thread {} (warp {}, lane {})", block,
                                                thread, thread / warp, thread % warp),
                                    states[static_cast<std::size_t>(lane.state)]};
  for (const SourceLine& call : at.recording().chain(lane.place))
    lines.push_back(fmt::format("{}:{}", call.file, call.line));
  return lines;
}

}  // namespace

std::string lane_name(std::uint32_t block, std::uint32_t thread) {
  return fmt::format("lane/{}/{}", block, thread);
}

std::string word_name(const Word& word) {
  return fmt::format("word/{}/{}/{}", word.array, word.element, word.block);
}

std::string line_name(const SourceLine& line) {
  return fmt::format("line/{}:{}", line.file, line.line);
}

std::vector<std::string> related_names(const Playback& at, std::string_view name) {
  std::vector<std::string> names = {std::string(name)};
  const Recording& recording = at.recording();
  if (const auto lane = numbers(name, "lane"); lane && lane->size() == 2) {
    const PlayedBlock* const runs = at.block((*lane)[0]);
    if (runs == nullptr || (*lane)[1] >= runs->lanes.size()) return names;
    if (std::string line = line_of(recording, runs->lanes[(*lane)[1]].place); !line.empty())
      names.push_back(std::move(line));
    for (const RecordedEvent& event : at.last())
      if (is_access(event.kind) && event.block == (*lane)[0] && event.thread == (*lane)[1])
        for_each_word(recording, event,
                      [&](const Word& word) { names.push_back(word_name(word)); });
  } else if (const auto word = numbers(name, "word"); word && word->size() == 3) {
    for (const RecordedEvent& event : at.last())
      if (is_access(event.kind))
        for_each_word(recording, event, [&](const Word& each) {
          if (each == Word{(*word)[0], (*word)[1], (*word)[2]})
            names.push_back(lane_name(event.block, event.thread));
        });
  } else if (name.starts_with("line/")) {
    for (const PlayedBlock& block : at.blocks())
      for (std::uint32_t i = 0; i < block.lanes.size(); ++i)
        if (line_of(recording, block.lanes[i].place) == name)
          names.push_back(lane_name(block.block, i));
  }
  return names;
}

std::vector<std::string> about(const Playback& at, std::string_view name) {
  if (const auto word = numbers(name, "word"); word && word->size() == 3)
    return about_word(at, {(*word)[0], (*word)[1], (*word)[2]});
  if (const auto lane = numbers(name, "lane"); lane && lane->size() == 2)
    return about_lane(at, (*lane)[0], (*lane)[1]);
  if (name.starts_with("line/")) return {std::string(name.substr(5))};
  return {};
}

std::string_view fields_of(const RecordedArray& array) {
  struct Structure {
    std::string_view type, fields;
  };
  static constexpr Structure structures[] = {
      {"Vec3", "fff"}, {"Vec4", "ffff"}, {"Aabb", "ffffff"}, {"BvhNode", "fffufffu"}};
  for (const Structure& each : structures)
    if (array.type == each.type && array.element_bytes == 4 * each.fields.size())
      return each.fields;
  return {};
}

std::string value_of(const RecordedArray& array, std::span<const std::uint8_t> element) {
  const std::string& type = array.type;
  if (type == "u8" || type == "u16" || type == "u32" || type == "u64")
    return fmt::format("{}", number_at<std::uint64_t>(element));
  if (type == "i8") return fmt::format("{}", number_at<std::int8_t>(element));
  if (type == "i16") return fmt::format("{}", number_at<std::int16_t>(element));
  if (type == "i32") return fmt::format("{}", number_at<std::int32_t>(element));
  if (type == "i64") return fmt::format("{}", number_at<std::int64_t>(element));
  if (type == "f32") return fmt::format("{:.6g}", number_at<float>(element));
  if (type == "f64") return fmt::format("{:.9g}", number_at<double>(element));
  const std::string_view fields = fields_of(array);
  std::string words;
  for (std::size_t i = 0; i < element.size(); i += 4) {
    const auto part = element.subspan(i, std::min<std::size_t>(4, element.size() - i));
    if (i != 0) words += ' ';
    if (std::all_of(part.begin(), part.end(),
                    [](std::uint8_t byte) { return byte == RecordedArray::spoiled; }))
      words += '.';
    else if (i / 4 >= fields.size())
      words += fmt::format("{:#x}", number_at<std::uint32_t>(part));
    else if (fields[i / 4] == 'f')
      words += fmt::format("{:.4g}", number_at<float>(part));
    else
      words += fmt::format("{}", number_at<std::uint32_t>(part));
  }
  return words;
}

}  // namespace warpview::step_views
