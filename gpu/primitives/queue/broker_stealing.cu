// Several broker queues, between which items are stolen.
//
//   B. Kerbl, M. Kenzel, J. H. Mueller, D. Schmalstieg, M. Steinberger, "The Broker Queue: A Fast,
//   Linearizable FIFO Queue for Fine-Granular Work Distribution on the GPU", ICS 2018: Broker
//   Stealing Queue.
//
// All operations of one queue meet at its count and its ends. Here a block has a queue of its own,
// or shares it with every 16th, and goes to the others only where that refuses. What is given up is
// an order among all items. The queues share the places: there are no more of them than have four.
#include <algorithm>

#include "gpu/primitives/queue/use.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {
constexpr std::uint32_t most_queues = 16;
constexpr std::uint32_t fewest_places = 4;
}  // namespace

void queue_broker_stealing(Stream& stream, const QueueArgs& args, Scratch& scratch) {
  const std::uint32_t places = std::max(args.capacity, fewest_places);
  const std::uint32_t count = std::min(places / fewest_places, most_queues);
  const auto queues = queue::make_brokers(stream, scratch, count, places / count);
  if (scratch.measuring()) return;
  queue::use_and_drain(stream, args, queue::Stealing<std::uint32_t>{queues});
}

}  // namespace warpview::WARPVIEW_BACKEND
