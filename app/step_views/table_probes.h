// The hash tables of recordings: their slots, the probes of each operation, and the keys' homes. A
// key's home is the first slot that the inserting lane probes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "gpu/recording/recording.h"

namespace warpview::step_views::table {

// What identifies the key of a slot.
enum class SlotKey : std::uint8_t {
  word,       // all of the slot
  high_word,  // the upper 32 bits; the lower are the value
  low_word    // the lower 32 bits; the upper are a hash
};

struct Layout {
  std::uint32_t array = 0;
  std::uint32_t slots = 0;     // from the array's first byte on
  unsigned slot_bytes = 4;     // 4 or 8
  unsigned element_bytes = 1;  // of the array
  std::uint64_t empty = 0;
  SlotKey key = SlotKey::word;
  unsigned group = 1;       // slots that one probe covers
  bool by_lanes = false;    // one lane for each slot of a group, which probe it together
  bool is_ordered = false;  // grows both ways from home, under locks
  std::uint32_t locks = 0;  // array; each lock is a word, 0 while taken, for slots_a_lock slots
  std::uint32_t locks_at = 0;
  std::uint32_t lock_count = 0;  // 0: there are none
};

// A recording of 10^6 events cannot fill more.
inline constexpr std::uint32_t most_slots = 1U << 20U;

// The tables of hash_map, hash_set, dedup and spatial_hash, of variants with their own kernels.
std::optional<Layout> layout_of(const Recording& recording);

// The bytes of a slot; none if it is empty or not cleared yet.
std::optional<std::uint64_t> content_of(const Layout& layout, std::span<const std::uint8_t> bytes,
                                        std::uint32_t slot);
std::uint64_t key_of(const Layout& layout, std::uint64_t content);

struct Probe {
  std::size_t event = 0;
  std::uint32_t slot = 0;
};

// A lane's search for one key.
struct Operation {
  std::uint32_t launch = 0, block = 0, thread = 0;
  std::uint32_t number = 0;   // the key's index: the lane, in the grid, that inserts or finds it
  std::vector<Probe> probes;  // each of another slot than the one before
  // The number of groups probed before event `end`.
  unsigned length(const Layout& layout, std::size_t end) const;
};

struct Home {
  std::uint32_t slot = 0;
  std::uint32_t number = 0;  // as of the operation that inserted the key
};

struct Run {
  Layout layout;
  std::vector<Operation> operations;
  std::unordered_map<std::uint64_t, Home> homes;  // by key
  std::vector<std::uint32_t> operation_of;        // by event: from 1; 0: none

  // Distance from a key's home in slots or groups; negative to the left.
  std::int64_t displacement(const Home& home, std::uint32_t slot) const;
};
Run run_of(const Recording& recording, const Layout& layout);

}  // namespace warpview::step_views::table
