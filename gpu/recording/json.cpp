#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "gpu/recording/file.h"

namespace warpview {
namespace {

using Json = nlohmann::ordered_json;

std::string hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

Json place_as_json(const RecordedPlace& place) {
  Json chain = Json::array();
  for (const SourceLine& line : place.chain)
    chain.push_back({{"function", line.function}, {"file", line.file}, {"line", line.line}});
  return chain;
}

Json array_as_json(const RecordedArray& array) {
  return {{"name", array.name},
          {"type", array.type},
          {"element_bytes", array.element_bytes},
          {"bytes", array.bytes},
          {"kind", array.kind == ArrayKind::device ? "device" : "shared"},
          {"before", hex(array.before)},
          {"crc32_after", array.check_after}};
}

Json tables_as_json(const Recording& r) {
  Json json = {{"format", "warpview recording"},
               {"version", has_more(r) ? 2 : 1},
               {"primitive", r.primitive},
               {"variant", r.variant},
               {"form", r.form},
               {"distribution", r.distribution},
               {"items", r.items},
               {"input_seed", std::to_string(r.input_seed)},
               {"seed", std::to_string(r.seed)},
               {"interleave", r.interleave},
               {"warp_size", r.warp_size},
               {"delay_publish", r.late_publications},
               {"lockstep", r.lockstep},
               {"blocks", in_words(r.blocks)},
               {"places", Json::array()},
               {"arrays", Json::array()},
               {"launches", Json::array()},
               {"patches", Json::array()}};
  for (const RecordedPlace& place : r.places) json["places"].push_back(place_as_json(place));
  for (const RecordedArray& array : r.arrays) json["arrays"].push_back(array_as_json(array));
  for (const RecordedLaunch& launch : r.launches)
    json["launches"].push_back({{"kernel", launch.kernel},
                                {"grid", launch.grid},
                                {"block", launch.block},
                                {"concurrent", launch.concurrent}});
  for (const RecordedPatch& patch : r.patches)
    json["patches"].push_back(
        {{"array", patch.array}, {"offset", patch.offset}, {"bytes", hex(patch.bytes)}});
  if (r.mesh)
    json["mesh"] = {{"name", r.mesh->name},
                    {"whole", r.mesh->whole},
                    {"right", r.mesh->right},
                    {"up", r.mesh->up},
                    {"corners", r.mesh->corners}};
  return json;
}

}  // namespace

// Words of 64 bits are strings: a number in JavaScript has 53.
std::string recording_as_json(const Recording& recording) {
  std::string text = tables_as_json(recording).dump(1, ' ', false, Json::error_handler_t::replace);
  text.erase(text.rfind('\n'));  // the closing brace comes at the end
  text +=
      ",\n \"columns\": [\"kind\", \"block\", \"thread\", \"place\", \"subject\", \"offset\", "
      "\"bytes\", \"continues\", \"value\", \"other\"],\n \"events\": [";
  const char* separator = "\n";
  for (const RecordedEvent& event : recording.events) {
    fmt::format_to(std::back_inserter(text),
                   R"({}  ["{}", {}, {}, {}, {}, {}, {}, {}, "{:#x}", "{:#x}"])", separator,
                   to_string(event.kind), event.block, event.thread, event.place, event.subject,
                   event.offset, event.bytes, event.continues ? 1 : 0, event.value, event.other);
    separator = ",\n";
  }
  text += "\n ]\n}\n";
  return text;
}

}  // namespace warpview
