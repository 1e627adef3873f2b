#include "gpu/faults/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>

#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

constexpr Fault table[] = {
#define FAULT(name, title, items, results, array1, words1, array2, words2, lockstep, task, source) \
  {#name, title, items, results, {{array1, words1}, {array2, words2}}, lockstep, task, source},
#define FAULT_FORM(...)
#include "gpu/faults/faults.def"
};

constexpr FaultForm form_table[] = {
#define FAULT(...)
#define FAULT_FORM(fault, form, file, check, answer) \
  {#fault, #form, #file, FaultCheck::check, answer},
#include "gpu/faults/faults.def"
};

using Words = std::vector<std::uint32_t>;

// Small numbers, that one can add in one's head.
Words input_of(const Fault& fault, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Words items(fault.items);
  for (std::uint32_t& item : items) item = 1 + static_cast<std::uint32_t>(random() % 9);
  return items;
}

// --- what the kernels are to compute

Words sum(const Fault&, const Words& items) {
  return {std::accumulate(items.begin(), items.end(), 0U)};
}
Words scan(const Fault&, const Words& items) {
  Words sums(items.size());
  std::partial_sum(items.begin(), items.end(), sums.begin());
  return sums;
}
Words mirrored(const Fault&, const Words& items) {
  constexpr std::size_t block = 64;
  Words out(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::size_t first = i / block * block;
    const std::size_t last = std::min(first + block, items.size()) - 1;
    out[i] = items[i] + items[first + last - i];
  }
  return out;
}
Words tile_sums(const Fault& fault, const Words& items) {
  const Words sums = scan(fault, items);
  const std::size_t tile = items.size() / fault.results;
  Words out(fault.results);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = sums[(i + 1) * tile - 1];
  return out;
}
Words with_total(const Fault& fault, const Words& items) {
  Words out = items;
  for (std::uint32_t& word : out) word += sum(fault, items)[0];
  return out;
}
Words two_sums(const Fault&, const Words& items) {
  Words out(2);
  for (const std::uint32_t item : items) out[item % 2] += item;
  return out;
}
Words accounts(const Fault&, const Words& items) {
  Words out(3);
  for (const std::uint32_t item : items) {
    --out[item % 3];
    ++out[(item % 3 + 1 + item / 3 % 2) % 3];
  }
  return out;
}
Words copied(const Fault&, const Words& items) { return items; }

Words expected_of(const Fault& fault, const Words& items) {
  using Expected = Words (*)(const Fault&, const Words&);
  constexpr std::pair<std::string_view, Expected> all[] = {{"lost_update", sum},
                                                           {"missing_barrier", scan},
                                                           {"barrier_in_branch", mirrored},
                                                           {"one_sync", sum},
                                                           {"missing_fence", tile_sums},
                                                           {"block_index", tile_sums},
                                                           {"grid_barrier", with_total},
                                                           {"spin_lock", two_sums},
                                                           {"two_locks", accounts},
                                                           {"gives_up", copied}};
  static_assert(std::size(all) == std::size(table));
  for (const auto& [name, expected] : all)
    if (name == fault.name) return expected(fault, items);
  throw std::logic_error(fmt::format("the fault {} has no reference", fault.name));
}

template <class Rows, class Name>
std::string names_of(const Rows& listed, Name name) {
  std::string names;
  for (const auto& row : listed) names += fmt::format("{}{}", names.empty() ? "" : ", ", name(row));
  return names;
}

// Takes what was recorded, also of a run that failed.
Recording take_if_it_fits(const std::vector<Region>& regions) {
  try {
    return take_recording(regions);
  } catch (const Error&) {
    abandon_recording();
    return {};
  }
}

}  // namespace

const char* in_words(FaultCheck check) {
  switch (check) {
    case FaultCheck::words:
      return "wrong words in the result";
    case FaultCheck::report:
      return "the executor's report";
    case FaultCheck::races:
      return "data races in the recording";
    case FaultCheck::none:
      break;
  }
  return "nothing";
}

std::span<const Fault> faults() { return table; }
std::span<const FaultForm> fault_forms() { return form_table; }

std::vector<const FaultForm*> forms_of(const Fault& fault) {
  std::vector<const FaultForm*> forms;
  for (const FaultForm& form : form_table)
    if (std::string_view(form.fault) == fault.name) forms.push_back(&form);
  return forms;
}

bool is_fault(std::string_view name) {
  return std::any_of(std::begin(table), std::end(table),
                     [name](const Fault& fault) { return name == fault.name; });
}

const Fault& find_fault(std::string_view name) {
  for (const Fault& fault : table)
    if (name == fault.name) return fault;
  throw ChoiceError(fmt::format("fault '{}'", name), "there is none of this name",
                    "Choose one of: " + names_of(table, [](const Fault& row) { return row.name; }));
}

const FaultForm& find_form(const Fault& fault, std::string_view name) {
  const auto forms = forms_of(fault);
  for (const FaultForm* const form : forms)
    if (name == form->name) return *form;
  throw ChoiceError(
      fmt::format("form '{}' of {}", name, fault.name), "there is none of this name",
      "Choose one of: " + names_of(forms, [](const FaultForm* form) { return form->name; }));
}

const FaultForm& right_twin(const FaultForm& form) {
  return *forms_of(find_fault(form.fault)).back();
}

const FaultForm& parse_form(std::string_view words) {
  const std::size_t colon = words.find(':');
  const Fault& fault = find_fault(words.substr(0, colon));
  return colon == std::string_view::npos ? *forms_of(fault).front()
                                         : find_form(fault, words.substr(colon + 1));
}

bool is_wrong_on_purpose(const Recording& recording) {
  return recording.primitive == recorded_as_fault &&
         std::any_of(std::begin(form_table), std::end(form_table), [&](const FaultForm& form) {
           return recording.variant == form.fault && recording.form == form.name &&
                  !form.is_right();
         });
}

std::string file_of(const FaultForm& form) {
  return fmt::format("gpu/faults/kernels/{}.cu", form.file);
}

bool FaultRun::shown_by(FaultCheck check) const {
  switch (check) {
    case FaultCheck::words:
      return wrong.has_value();
    case FaultCheck::report:
      return !report.empty();
    case FaultCheck::races:
      return !races.empty();
    case FaultCheck::none:
      break;
  }
  return false;
}

FaultRun run_fault(const FaultForm& form, CpuOptions options, unsigned interleave,
                   std::uint64_t input_seed) {
  const Fault& fault = find_fault(form.fault);
  options.lockstep = fault.lockstep;
  const auto device = open_recorded_device(options, interleave);
  const auto stream = device->create_stream();
  const Words host_items = input_of(fault, input_seed);
  Buffer<std::uint32_t> items(*device, fault.items);
  const Buffer<std::uint32_t> out(*device, fault.results);
  const Buffer<std::uint32_t> arrays[] = {{*device, fault.arrays[0].words},
                                          {*device, fault.arrays[1].words}};
  items.upload(*stream, host_items);
  std::vector<Region> regions;
  const auto name = [&](const char* text, const Buffer<std::uint32_t>& buffer) {
    if (buffer.size() > 0)
      regions.push_back({text, element_type<std::uint32_t>(), buffer.data(), buffer.bytes()});
  };
  name("items", items);
  name("out", out);
  for (std::size_t i = 0; i < 2; ++i) name(fault.arrays[i].name, arrays[i]);
  for (const Region& region : regions)
    if (region.data != items.data()) stream->fill(region.data, 0, region.bytes);

  FaultRun run;
  begin_recording();
  try {
    launch_recorded_fault(
        *stream, static_cast<unsigned>(&form - form_table),
        {items.data(), out.data(), arrays[0].data(), arrays[1].data(), fault.items});
    stream->synchronize();
  } catch (const Error& error) {
    if (!why_recording_is_full().empty()) {
      abandon_recording();
      throw;
    }
    run.report = error.what();
  } catch (...) {  // it was interrupted
    abandon_recording();
    throw;
  }
  run.recording = take_if_it_fits(regions);
  run.recording.primitive = recorded_as_fault;
  run.recording.variant = fault.name;
  run.recording.form = form.name;
  run.recording.distribution = "uniform";
  run.recording.items = fault.items;
  run.recording.input_seed = input_seed;
  run.races = find_races(run.recording);
  if (!run.report.empty()) return run;
  const Words expected = expected_of(fault, host_items);
  const Words found = out.download(*stream);
  for (std::uint32_t i = 0; i < found.size() && !run.wrong; ++i)
    if (found[i] != expected[i]) run.wrong = WrongWord{i, found[i], expected[i]};
  return run;
}

}  // namespace warpview
