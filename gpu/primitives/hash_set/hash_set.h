// Hash set of 31-bit keys.
#pragma once

#include <cstdint>

namespace warpview {

class Stream;
class Scratch;

// A set of `slots` slots of 4 bytes, each of which may hold one key, in the caller's memory. The
// same variant must do all operations on a set, from its clearing on.
struct HashSet {
  std::uint32_t slots = 0;          // a multiple of slots_a_bucket, at least one bucket
  std::uint32_t* memory = nullptr;  // device memory, aligned to 32 bytes, 4 * slots bytes
};

// The slots of a sector of memory, 32 bytes.
inline constexpr std::uint32_t slots_a_bucket = 8;
// The bits of a key. The highest bit of a slot says that it is taken.
inline constexpr int set_key_bits = 31;

// The slots that give `keys` keys the load factor `load` (0 to 1), or the largest number of slots.
constexpr std::uint32_t hash_set_slots(std::uint32_t keys, double load) {
  constexpr double most = 0xfffffff0;
  const double asked = static_cast<double>(keys) / load;
  return (static_cast<std::uint32_t>((asked < most ? asked : most) / slots_a_bucket) + 1) *
         slots_a_bucket;
}

// Queues the clearing of a set.
void clear(Stream& stream, const HashSet& set);

enum class SetOperation {
  insert,  // inserts each key that is absent; of equal keys one
  find,    // which keys are there
  list     // the keys of the set, in any order
};

// Words that hold one bit for each of n keys: bit i % 32 of word i / 32 is key i's.
constexpr std::uint32_t words_of_bits(std::uint32_t n) { return n / 32 + (n % 32 != 0); }

struct HashSetArgs {
  SetOperation operation = SetOperation::insert;
  HashSet set;
  const std::uint32_t* keys = nullptr;  // below 2^31; others are neither inserted nor found
  std::uint32_t n = 0;                  // at most 2^31 - 1
  // The answers, words_of_bits(n) words each, bits from n on 0.
  std::uint32_t* found = nullptr;  // find: present. insert: was present, or an equal key came first
  std::uint32_t* no_room = nullptr;  // insert: neither present nor inserted: the set is full
  // list: room for as many keys as the set has slots.
  std::uint32_t* listed_keys = nullptr;
  std::uint32_t* listed_count = nullptr;  // device memory, one element
};

}  // namespace warpview
