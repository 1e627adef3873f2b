// The places in the kernels' code that a recording names.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gpu/recording/recording.h"
#include "gpu/simt/recorded/recorder.h"

namespace warpview::simt::recording {

// Finds the number of a place in the table, and adds it if it is new.
class Places {
 public:
  // For a new recording. Its first place is none.
  void begin(std::vector<RecordedPlace>& table);
  // The return address of a hook's call.
  std::uint32_t of_code(Address code, std::vector<RecordedPlace>& table);
  // A line that the executor knows. `file` is compared by its address.
  std::uint32_t of_line(const char* file, int line, std::vector<RecordedPlace>& table);

 private:
  std::unordered_map<Address, std::uint32_t> code_;
  std::unordered_map<const char*, std::unordered_map<int, std::uint32_t>> lines_;
};

}  // namespace warpview::simt::recording
