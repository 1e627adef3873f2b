// Bucket queues: a broker queue for each level of priority.
//
//   B. Kerbl, M. Kenzel, D. Schmalstieg, H.-P. Seidel, M. Steinberger, "Hierarchical Bucket Queuing
//   for Fine-Grained Priority Scheduling on the GPU", Computer Graphics Forum (Eurographics), 2017.
//
// The queue is in brokers.h, here with 2 levels and with 8. The levels share the places requested,
// at least two each, so one of them may be full while others have room.
#include <algorithm>

#include "gpu/primitives/queue/use.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// Files items by their level.
struct ByLevel {
  queue::Buckets<std::uint32_t> buckets;

  __device__ bool try_append(std::uint32_t item, std::uint32_t* retries = nullptr) const {
    return buckets.try_append(queue_level(item, buckets.levels.count), item, retries);
  }
  __device__ bool try_take(std::uint32_t& item, std::uint32_t* retries = nullptr) const {
    return buckets.try_take(item, retries);
  }
};

void use_buckets(Stream& stream, const QueueArgs& args, Scratch& scratch, std::uint32_t levels) {
  const auto queues =
      queue::make_brokers(stream, scratch, levels, std::max(args.capacity / levels, 2U));
  if (scratch.measuring()) return;
  queue::use_and_drain(stream, args, ByLevel{{queues}});
}

}  // namespace

void queue_bucket_2(Stream& stream, const QueueArgs& args, Scratch& scratch) {
  use_buckets(stream, args, scratch, 2);
}
void queue_bucket_8(Stream& stream, const QueueArgs& args, Scratch& scratch) {
  use_buckets(stream, args, scratch, 8);
}

}  // namespace warpview::WARPVIEW_BACKEND
