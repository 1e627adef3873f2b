// The broker queue: promises in front of a ring with tickets.
//
//   B. Kerbl, M. Kenzel, J. H. Mueller, D. Schmalstieg, M. Steinberger, "The Broker Queue: A Fast,
//   Linearizable FIFO Queue for Fine-Granular Work Distribution on the GPU", ICS 2018.
//
// The queue is in broker.h. Before it reports full or empty it checks the ring itself, and repeats
// this while the count and the ring disagree.
#include "gpu/primitives/queue/broker.h"

#include <algorithm>

#include "gpu/primitives/queue/use.h"

namespace warpview::WARPVIEW_BACKEND {

void queue_broker(Stream& stream, const QueueArgs& args, Scratch& scratch) {
  const auto queues = queue::make_brokers(stream, scratch, 1, std::max(args.capacity, 2U));
  if (scratch.measuring()) return;
  queue::use_and_drain(
      stream, args,
      queue::Broker<std::uint32_t>(queues.words, queues.tickets, queues.ring, queues.capacity));
}

}  // namespace warpview::WARPVIEW_BACKEND
