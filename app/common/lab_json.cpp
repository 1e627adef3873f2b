#include "app/common/lab_json.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

namespace warpview {

using Json = nlohmann::ordered_json;

std::string lab_date() { return fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(std::time({}))); }

Json lab_json_head(const DeviceInfo& device, const std::string& built_with) {
  return {{"version", WARPVIEW_VERSION}, {"backend", to_string(device.backend)},
          {"device", device.name},       {"driver", device.driver},
          {"built_with", built_with},    {"date", lab_date()}};
}

Json lab_json_answer(const lab::Answer& answer) {
  const lab::Question& question = answer.question;
  const auto& forms = lab::experiment(question.primitive).forms;
  Json json = {{"primitive", to_string(question.primitive)},
               {"form", forms[static_cast<std::size_t>(question.form)].name},
               {"distribution", lab::to_string(question.distribution)},
               {"items", question.n},
               {"seed", question.seed},
               {"variant", (*answer.variant)->name},
               {"available", answer.why_not.empty()},
               {"verified", answer.verified}};
  if (!question.typed.empty()) json["input"] = question.typed;
  if (!answer.why_not.empty()) json["why_not"] = answer.why_not;
  if (!answer.difference.empty()) json["difference"] = answer.difference;
  if (answer.runs > 0) {
    json["ms"] = answer.ms;
    json["quartile_1_ms"] = answer.quartile_1_ms;
    json["quartile_3_ms"] = answer.quartile_3_ms;
    json["runs"] = answer.runs;
    json["bytes_needed"] = answer.bytes;
    json["bytes_moved"] = answer.bytes_moved;
    json["gb_per_s"] = answer.gb_per_s();
    json["copy_gb_per_s"] = answer.copy_gb_per_s;
    json["copy_share"] = answer.copy_share();
    if (answer.library.ms > 0) json["of_library"] = answer.of_library();
  }
  if (answer.operations > 0) {
    json["operations"] = answer.operations;
    if (answer.runs > 0) json["operations_per_s"] = answer.operations_per_s();
    for (const lab::Occurrence& each : answer.occurrences)
      json["occurrences"][each.what] = each.times;
  }
  for (const lab::Fact& fact : answer.facts)
    json["facts"].push_back({{"what", fact.what}, {"value", fact.value}, {"unit", fact.unit}});
  for (const Region& array : answer.scratch)
    json["scratch"].push_back({{"name", array.name},
                               {"type", array.type.name},
                               {"items", array.size()},
                               {"bytes", array.bytes}});
  if (!answer.busy.shares.empty())
    json["busy"] = {{"ms", answer.busy.milliseconds}, {"shares", answer.busy.shares}};
  return json;
}

std::string lab_json(const DeviceInfo& device, const std::string& built_with,
                     std::span<const lab::Answer> answers) {
  Json json = lab_json_head(device, built_with);
  json["results"] = Json::array();
  for (const lab::Answer& answer : answers) json["results"].push_back(lab_json_answer(answer));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace warpview
