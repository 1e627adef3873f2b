// A bucket that aggregates small tasks: a consumer takes four together, or none.
//
//   B. Kerbl, M. Kenzel, D. Schmalstieg, H.-P. Seidel, M. Steinberger, "Hierarchical Bucket Queuing
//   for Fine-Grained Priority Scheduling on the GPU", Computer Graphics Forum (Eurographics), 2017:
//   aggregation.
//
// A task for 64 threads may spawn tasks for 16. A block of 64 that took one of these would leave
// three quarters of its threads idle. Instead it takes four, consecutive in the ring, by one
// promise and one number. Here one thread takes for four.
#include <algorithm>

#include "gpu/primitives/queue/use.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {
constexpr unsigned together = 4;
}  // namespace

void queue_bucket_aggregating(Stream& stream, const QueueArgs& args, Scratch& scratch) {
  const auto queues = queue::make_brokers(stream, scratch, 1, std::max(args.capacity, together));
  if (scratch.measuring()) return;
  queue::use_and_drain<together>(
      stream, args,
      queue::Broker<std::uint32_t>(queues.words, queues.tickets, queues.ring, queues.capacity));
}

}  // namespace warpview::WARPVIEW_BACKEND
