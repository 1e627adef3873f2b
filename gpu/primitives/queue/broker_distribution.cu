// The broker queue that trusts its count: Broker Work Distribution.
//
//   B. Kerbl, M. Kenzel, J. H. Mueller, D. Schmalstieg, M. Steinberger, "The Broker Queue: A Fast,
//   Linearizable FIFO Queue for Fine-Granular Work Distribution on the GPU", ICS 2018.
//
// This is broker.cu without the check of the ring: what the count refuses is refused at once. The
// count may be ahead of the ring, so the queue may report empty while it holds an item that is
// promised to another thread. Items still come first in, first out. This suffices where a thread
// that finds nothing tries again anyway.
#include <algorithm>

#include "gpu/primitives/queue/use.h"

namespace warpview::WARPVIEW_BACKEND {

void queue_broker_distribution(Stream& stream, const QueueArgs& args, Scratch& scratch) {
  using Queue = queue::Broker<std::uint32_t, queue::Refusal::at_once>;
  const auto queues = queue::make_brokers(stream, scratch, 1, std::max(args.capacity, 2U));
  if (scratch.measuring()) return;
  queue::use_and_drain(stream, args,
                       Queue(queues.words, queues.tickets, queues.ring, queues.capacity));
}

}  // namespace warpview::WARPVIEW_BACKEND
