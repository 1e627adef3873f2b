// A queue of indices that are handed over by atomic exchange.
//
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: Index queue.
//
// The queue is in index.h.
#include "gpu/primitives/queue/index.h"

#include "gpu/primitives/queue/use.h"

namespace warpview::WARPVIEW_BACKEND {

void queue_index(Stream& stream, const QueueArgs& args, Scratch& scratch) {
  auto* words = scratch.take<queue::Words>(1, "words");
  auto* places = scratch.take<std::uint32_t>(args.capacity, "places");
  if (scratch.measuring()) return;
  stream.fill(words, 0, sizeof *words);
  stream.fill(places, 0xff, args.capacity * sizeof(std::uint32_t));  // Index::nothing
  queue::use_and_drain(stream, args, queue::Index(words, places, args.capacity));
}

}  // namespace warpview::WARPVIEW_BACKEND
