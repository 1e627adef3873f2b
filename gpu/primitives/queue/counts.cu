// No queue: the baseline of the queues.
//
// Each operation adds to one count, which all share, and draws a number from one of two ends in one
// word: the least that a queue's promises cost, without waiting and without handing anything over.
// An operation waits for the first result before the second, as a queue has to. The drawn numbers
// are what is "taken".
#include "gpu/primitives/queue/use.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct Counts {
  queue::Words* words;

  // The count never gets this far from 0, nor a number this large; but the draw depends on both.
  static constexpr std::int32_t far = 0x7fffffff;

  __device__ bool try_append(std::uint32_t /*item*/, std::uint32_t* /*retries*/) const {
    if (static_cast<std::int32_t>(atomicAdd(&words->count, 1U)) == far) return false;
    return atomicAdd(&words->tail, 1U) != queue_nothing;
  }
  __device__ bool try_take(std::uint32_t& number, std::uint32_t* /*retries*/) const {
    if (static_cast<std::int32_t>(atomicSub(&words->count, 1U)) == -far) return false;
    number = atomicAdd(&words->head, 1U);
    return true;
  }
};

}  // namespace

void queue_counts(Stream& stream, const QueueArgs& args, Scratch& scratch) {
  auto* words = scratch.take<queue::Words>(1, "words");
  if (scratch.measuring()) return;
  stream.fill(words, 0, sizeof *words);
  queue::use(stream, args, Counts{words});
  stream.copy(args.left_count, &words->count, sizeof words->count, Copy::device_to_device);
}

}  // namespace warpview::WARPVIEW_BACKEND
