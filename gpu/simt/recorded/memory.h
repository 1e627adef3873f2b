// The memory that a recording is about: device memory, as it is allocated and released, and the
// shared variables of the running kernel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "gpu/recording/recording.h"
#include "gpu/runtime/region.h"
#include "gpu/simt/recorded/recorder.h"
#include "gpu/simt/shared_memory.h"

namespace warpview::simt::recording {

inline const std::uint8_t* bytes_at(Address address) {
  return reinterpret_cast<const std::uint8_t*>(address);  // NOLINT(performance-no-int-to-ptr)
}

// An allocation, or a shared variable.
struct Object {
  Address begin = 0;  // of a shared variable: its offset in thread-local memory
  std::size_t bytes = 0;
  ArrayKind kind = ArrayKind::device;
  std::string name = {};   // of a shared variable
  bool is_pinned = false;  // the host accesses it, too
  bool is_touched = false;
  bool is_released = false;
  std::vector<std::uint8_t> before = {}, after = {};
  // Where something else than events and patches may change it, pinned memory and a recording that
  // is limited to blocks: the contents that they lead to.
  std::vector<std::uint8_t> played = {};
};

// Where an address lies.
struct Spot {
  std::uint32_t object;
  std::uint32_t offset;
  bool is_global;
};

class Memory {
 public:
  void allocated(Address begin, std::size_t bytes);
  void pinned(Address begin);
  void released(Address begin);
  void begin_launch(const char* kernel);

  // Empty where it is neither global nor shared. Error where it is shared memory of an unknown
  // variable.
  std::optional<Spot> find(Address address);
  std::optional<Spot> find_device(Address address) const;

  // From here on contents count. `limited`: `played` is kept.
  void begin_recording(bool limited);
  // Called before each access to the object: keeps its contents before the first. Returns false if
  // that is too much.
  bool touch(std::uint32_t number);
  // Notes that as many bytes of contents are kept. Are they still few enough?
  bool keep(std::size_t bytes);

  std::vector<Object> objects;
  const std::map<Address, std::uint32_t>& live() const { return live_; }

 private:
  std::map<Address, std::uint32_t> live_;  // allocations
  std::unordered_map<std::string, std::uint32_t> shared_;
  struct Variable {
    Address begin, end;
    std::uint32_t object;
  };
  std::vector<Variable> variables_;  // of the running kernel, by their addresses
  Bytes thread_local_bytes_{};
  bool limited_ = false;
  std::size_t kept_ = 0;  // bytes of contents
};

// Calls visit(begin, end) for the parts of [begin, end) in which `now` differs from `before`: whole
// words of 8 bytes, counted from `begin`.
template <class Visit>
void each_change(const std::uint8_t* before, const std::uint8_t* now, std::size_t begin,
                 std::size_t end, Visit visit) {
  constexpr std::size_t word = 8;
  const auto differs = [&](std::size_t at) {
    return std::memcmp(before + at, now + at, std::min(word, end - at)) != 0;
  };
  for (std::size_t at = begin; at < end;) {
    std::size_t next = at;
    while (next < end && differs(next)) next = std::min(next + word, end);
    if (next > at) visit(at, next);
    at = next + word;
  }
}

// Names the arrays of a recording whose events have objects as their subjects, and splits
// allocations into the regions that lie in them. Events and patches then name arrays.
void name_arrays(Recording& recording, std::vector<Object>& objects,
                 const std::vector<Region>& regions);

}  // namespace warpview::simt::recording
