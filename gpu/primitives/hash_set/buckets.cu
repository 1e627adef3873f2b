// Hash set by buckets of a sector, one lane per key: see buckets.h.
#include "gpu/primitives/hash_set/buckets.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void insert_buckets_kernel(HashSetArgs args) {
  const std::uint32_t i = global_thread();
  const std::uint32_t key = i < args.n ? args.keys[i] : hash_set::taken;
  hash_set::Answer answer = hash_set::Answer::no_room;
  if (key < hash_set::taken) answer = hash_set::Buckets(args.set).insert<false>(hash_set::mix(key));
  hash_set::write_answer(args, i, answer);
}

__global__ void find_buckets_kernel(HashSetArgs args) {
  const std::uint32_t i = global_thread();
  const std::uint32_t key = i < args.n ? args.keys[i] : hash_set::taken;
  const bool found = key < hash_set::taken && hash_set::Buckets(args.set).find(hash_set::mix(key));
  hash_set::write_bit(args.found, i, args.n, found);
}

}  // namespace

void hash_set_buckets(Stream& stream, const HashSetArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  if (args.operation == SetOperation::list) return hash_set::list(stream, args);
  if (args.operation == SetOperation::insert)
    launch(stream, KERNEL(insert_buckets_kernel), one_thread_each(args.n), args);
  else
    launch(stream, KERNEL(find_buckets_kernel), one_thread_each(args.n), args);
}

}  // namespace warpview::WARPVIEW_BACKEND
