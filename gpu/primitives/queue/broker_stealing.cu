// Several broker queues with work stealing between them.
//
//   B. Kerbl, M. Kenzel, J. H. Mueller, D. Schmalstieg, M. Steinberger, "The Broker Queue: A Fast,
//   Linearizable FIFO Queue for Fine-Granular Work Distribution on the GPU", ICS 2018: Broker
//   Stealing Queue.
//
// All operations of one queue contend for its count and its ends. Here a block has its own queue,
// or shares it with every 16th block, and goes to the others only where that refuses. The price is
// the lack of one order of all items. The queues share the places: there are only as many queues as
// get four places each.
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
