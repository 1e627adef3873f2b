// Hash table from keys to 32-bit values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace warpview {

class Stream;
class Scratch;

// No key of a table and no value has all bits set: an empty slot holds that, and it is the value of
// an absent key.
inline constexpr std::uint32_t no_value = ~std::uint32_t{0};

// A table of `slots` slots, each of which may hold one key and its value, in the caller's memory.
// The same variant must do all operations on a table, from its clearing on.
struct HashTable {
  int key_bits = 32;            // 32 or 64
  std::uint32_t slots = 0;      // a multiple of 4, at least 4
  std::byte* memory = nullptr;  // device memory, aligned to 16 bytes, hash_table_bytes() of it
  std::shared_ptr<void> host;   // a library's table on the host instead
};

// The slots that give `keys` keys the load factor `load` (0 to 1), or the largest number of slots.
constexpr std::uint32_t hash_table_slots(std::uint32_t keys, double load) {
  constexpr double most = 0xfffffff8;
  const double asked = static_cast<double>(keys) / load;
  return (static_cast<std::uint32_t>((asked < most ? asked : most) / 4.0) + 1) * 4;
}

// One lock guards this many slots; see gpu/primitives/hash_map/bidirectional.h.
inline constexpr std::uint32_t slots_a_lock = 32;

constexpr std::size_t hash_table_bytes(int key_bits, std::uint32_t slots) {
  const std::size_t slot_bytes = key_bits == 32 ? 8 : 12;
  return slots * slot_bytes + (slots / slots_a_lock + 1) * sizeof(std::uint32_t);
}

// Queues the clearing of a table. A library's own table is dropped at once.
void clear(Stream& stream, HashTable& table);

enum class HashOperation {
  insert,          // every key with its value; the smallest of a repeated key's values
  find,            // results[i]: the value of keys[i], or no_value
  find_or_insert,  // results[i]: the value of keys[i]; an absent key is inserted with
                   // values[i] (which of a repeated key's values varies)
  count,           // adds 1 to the value of each key, starting at 0
  list             // the content of the table, in any order
};

// `keys`, `values` and `results` have n elements. A key is u32 or u64, like the table's keys.
struct HashMapArgs {
  HashOperation operation = HashOperation::insert;
  HashTable* table = nullptr;             // a measuring call needs its slots, too
  const void* keys = nullptr;             // all operations but list
  const std::uint32_t* values = nullptr;  // insert, find_or_insert
  std::uint32_t* results = nullptr;       // find, find_or_insert
  std::uint32_t n = 0;                    // at most 2^31 - 1
  // insert, find_or_insert, count: the number of the n keys that were absent and did not fit, or
  // were the reserved key. Device memory, one element. All others are in the table. Finding that a
  // key does not fit may take probing every slot.
  std::uint32_t* not_fitted = nullptr;
  // list: room for as many pairs as the table has slots.
  void* listed_keys = nullptr;
  std::uint32_t* listed_values = nullptr;
  std::uint32_t* listed_count = nullptr;  // device memory, one element
};

}  // namespace warpview
