// Hash table from keys to 32-bit values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace warpview {

class Stream;
class Scratch;

// No key of a table and no value has all bits set: that is what an empty slot holds, and what a key
// that is not there has for a value.
inline constexpr std::uint32_t no_value = ~std::uint32_t{0};

// A table of `slots` slots, each of which may hold one key and its value, in memory of the caller.
// All operations on a table, from the clearing on, are by the same variant.
struct HashTable {
  int key_bits = 32;            // 32 or 64
  std::uint32_t slots = 0;      // a multiple of 4, at least 4
  std::byte* memory = nullptr;  // device memory, aligned to 16 bytes, hash_table_bytes() of it
  std::shared_ptr<void> host;   // what a library keeps on the host instead
};

// Slots for `keys` keys that then fill `load` of the table (0 to 1), or the most that there can be.
constexpr std::uint32_t hash_table_slots(std::uint32_t keys, double load) {
  constexpr double most = 0xfffffff8;
  const double asked = static_cast<double>(keys) / load;
  return (static_cast<std::uint32_t>((asked < most ? asked : most) / 4.0) + 1) * 4;
}

// A word of locks guards this many slots; see gpu/primitives/hash_map/bidirectional.h.
inline constexpr std::uint32_t slots_a_lock = 32;

constexpr std::size_t hash_table_bytes(int key_bits, std::uint32_t slots) {
  const std::size_t slot_bytes = key_bits == 32 ? 8 : 12;
  return slots * slot_bytes + (slots / slots_a_lock + 1) * sizeof(std::uint32_t);
}

// Queues what makes a table empty. A library's own table is dropped at once.
void clear(Stream& stream, HashTable& table);

enum class HashOperation {
  insert,  // every key with its value; of a key that comes more than once, the smallest value
  find,    // results[i]: the value of keys[i], or no_value
  find_or_insert,  // results[i]: the value of keys[i]; a key that is not there comes in with
                   // values[i] (which of its values, where it comes more than once, is left to
                   // chance)
  count,           // adds 1 to the value of each key, which begins at 0
  list             // what the table holds, in any order
};

// `keys`, `values` and `results` have n elements. A key is u32 or u64, as the table's are.
struct HashMapArgs {
  HashOperation operation = HashOperation::insert;
  HashTable* table = nullptr;             // measuring asks for its slots, too
  const void* keys = nullptr;             // all operations but list
  const std::uint32_t* values = nullptr;  // insert, find_or_insert
  std::uint32_t* results = nullptr;       // find, find_or_insert
  std::uint32_t n = 0;                    // at most 2^31 - 1
  // insert, find_or_insert, count: how many of the n keys were not there and did not fit, or were
  // the reserved key. Device memory, one element. The rest is in the table all the same; to be told
  // that a key does not fit may take a look at every slot.
  std::uint32_t* not_fitted = nullptr;
  // list: room for as many pairs as the table has slots.
  void* listed_keys = nullptr;
  std::uint32_t* listed_values = nullptr;
  std::uint32_t* listed_count = nullptr;  // device memory, one element
};

}  // namespace warpview
