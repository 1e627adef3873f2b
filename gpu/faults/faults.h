// Kernels that are wrong on purpose, each beside its right twin, and how a wrong one shows itself.
// gpu/faults/faults.def lists them, docs/faults.md describes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/recording/races.h"
#include "gpu/runtime/recorded_device.h"

namespace warpview {

// The name of a primitive that recordings of faults have.
inline constexpr std::string_view recorded_as_fault = "faults";

// What shows a fault.
enum class FaultCheck : std::uint8_t {
  none,    // nothing: it is the right twin
  words,   // wrong words in the result
  report,  // the executor reports lanes that can never go on
  races,   // the recording has data races, though the result is right
};
const char* in_words(FaultCheck check);  // "wrong words in the result"

struct FaultForm {
  const char* fault;
  const char* name;  // "right": the twin
  const char* file;  // of its kernel, without folder and ending
  FaultCheck check;
  const char* answer;
  bool is_right() const { return check == FaultCheck::none; }
};

struct Fault {
  const char* name;
  const char* title;  // what the kernel computes, without a hint of the fault
  std::uint32_t items, results;
  struct Array {
    const char* name;  // null: there is none
    std::uint32_t words;
  } arrays[2];
  bool lockstep;
  const char* task;
  const char* source;
};

// In the order of faults.def.
std::span<const Fault> faults();
std::span<const FaultForm> fault_forms();
std::vector<const FaultForm*> forms_of(const Fault& fault);
bool is_fault(std::string_view name);
// ChoiceError names what there is.
const Fault& find_fault(std::string_view name);
const FaultForm& find_form(const Fault& fault, std::string_view name);
// "missing_barrier:raw", or without a form the first: "missing_barrier".
const FaultForm& parse_form(std::string_view words);
const FaultForm& right_twin(const FaultForm& form);
// Is it a run of a form other than the right twin?
bool is_wrong_on_purpose(const Recording& recording);
// The file of its kernel, as the sources are named: "gpu/faults/kernels/sum_wrong.cu".
std::string file_of(const FaultForm& form);

struct WrongWord {
  std::uint32_t index = 0, is = 0, expected = 0;
};

struct FaultRun {
  std::string report;              // of the executor; empty: the run came to its end
  std::optional<WrongWord> wrong;  // the result's first, if the run came to its end
  std::vector<Race> races;
  // Without events where a run that does not end has more than a recording holds. The places have
  // no lines yet.
  Recording recording;

  bool fails() const { return !report.empty() || wrong; }
  // Does the check show the fault in this run?
  bool shown_by(FaultCheck check) const;
};

// Runs a form once on a recorded device that `options` describe, whose lockstep the fault decides.
// The input depends on `input_seed` alone. UnavailableError if the module is missing.
// An interruption passes through.
FaultRun run_fault(const FaultForm& form, CpuOptions options, unsigned interleave,
                   std::uint64_t input_seed);

}  // namespace warpview
