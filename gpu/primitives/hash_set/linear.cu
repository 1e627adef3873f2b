// Hash set by linear probing, one lane per key.
//
//   D. Knuth, The Art of Computer Programming 3, section 6.4, algorithm L.
//   D. Meister, A. Yoshimura, C.-C. Kao, "GPU Programming Primitives for Computer Graphics",
//   SIGGRAPH Asia 2023 course: Linear probing.
//
// It uses the probing of the maps (gpu/primitives/hash_map/linear.h) over slots of 4 bytes: a key
// without a value needs no more, and twice as many slots share a sector of memory.
#include "gpu/primitives/hash_map/linear.h"
#include "gpu/primitives/hash_set/slots.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// A key in the form of an entry for linear.h.
struct SlotEntry {
  using Held = std::uint32_t;

  std::uint32_t* memory;
  std::uint32_t slots;
  std::uint32_t hash;
  bool changing;  // other threads may write meanwhile

  __device__ std::uint32_t home(std::uint32_t places) const { return hash_set::home(hash, places); }
  __device__ Held look(std::uint32_t slot) const {
    return changing ? load_relaxed(&memory[slot]) : memory[slot];
  }
  __device__ bool is_empty(Held held) const { return held == hash_set::empty; }
  __device__ bool is_same(Held held) const { return held == (hash_set::taken | hash); }
  __device__ Held claim(std::uint32_t slot) const {
    return atomicCAS(&memory[slot], hash_set::empty, hash_set::taken | hash);
  }
};

__global__ void insert_slots_kernel(HashSetArgs args) {
  const std::uint32_t i = global_thread();
  const std::uint32_t key = i < args.n ? args.keys[i] : hash_set::taken;
  hash_set::Answer answer = hash_set::Answer::no_room;
  if (key < hash_set::taken) {
    const auto found =
        hash::find_or_claim(SlotEntry{args.set.memory, args.set.slots, hash_set::mix(key), true});
    if (found.slot < args.set.slots)
      answer = found.claimed ? hash_set::Answer::inserted : hash_set::Answer::found;
  }
  hash_set::write_answer(args, i, answer);
}

__global__ void find_slots_kernel(HashSetArgs args) {
  const std::uint32_t i = global_thread();
  const std::uint32_t key = i < args.n ? args.keys[i] : hash_set::taken;
  bool found = false;
  if (key < hash_set::taken)
    found = hash::find(SlotEntry{args.set.memory, args.set.slots, hash_set::mix(key), false}) <
            args.set.slots;
  hash_set::write_bit(args.found, i, args.n, found);
}

}  // namespace

void hash_set_linear(Stream& stream, const HashSetArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  if (args.operation == SetOperation::list) return hash_set::list(stream, args);
  if (args.operation == SetOperation::insert)
    launch(stream, KERNEL(insert_slots_kernel), one_thread_each(args.n), args);
  else
    launch(stream, KERNEL(find_slots_kernel), one_thread_each(args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
