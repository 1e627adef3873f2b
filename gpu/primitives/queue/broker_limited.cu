// The broker that admits a limited number of operations at a time, a warp's together, and appends
// first.
//
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial: the broker's example. The queue is that of
//   B. Kerbl, M. Kenzel, J. H. Mueller, D. Schmalstieg, M. Steinberger, "The Broker Queue: A Fast,
//   Linearizable FIFO Queue for Fine-Granular Work Distribution on the GPU", ICS 2018.
//
// In broker.cu each thread changes the count by itself, so a full queue refuses an append even if
// the next lane wants to take. Here a warp's lanes ask together: one lane knows how many append and
// how many take, and admits as many as suit each other, by one compare-and-swap of a word with the
// count and the number of operations in flight. More appends than there are places are admitted if
// takes are admitted with them; these appends wait for the tickets that the takes issue.
#include <algorithm>

#include "gpu/primitives/queue/use.h"

namespace warpview::WARPVIEW_BACKEND {
namespace queue {
namespace {

// How many operations are in flight at most: three for each place, six for two places. No GPU runs
// as many threads as the bound.
__device__ inline std::int32_t most_in_flight(std::uint32_t capacity) {
  constexpr std::uint32_t bound = 1U << 24U;
  return static_cast<std::int32_t>(3 * (capacity < bound ? capacity : bound));
}

// What an admission says to the lanes that asked.
struct Grant {
  std::uint32_t appends, takes;     // so many of each, the lowest lanes first
  std::uint32_t is_full, is_empty;  // the ring was, so the other appends or takes are refused
};

// Appends first: the most appends for which there are places, or takes that make them, and then
// takes. `in_flight` more operations may begin; `count` items are promised.
__device__ inline Grant share_out(std::int32_t appends, std::int32_t takes, std::int32_t count,
                                  std::int32_t in_flight, std::int32_t capacity) {
  const auto least = [](std::int32_t a, std::int32_t b) { return a < b ? a : b; };
  const std::int32_t room = capacity - count;
  std::int32_t makers = 0;  // takes that make room for one more append each
  if (room < least(appends, in_flight))
    makers = least(takes, least(appends - room, (in_flight - room) / 2));
  const std::int32_t in = least(appends, least(room + makers, in_flight - makers));
  const std::int32_t out = least(takes, least(in_flight - in, count + in));
  return {static_cast<std::uint32_t>(in), static_cast<std::uint32_t>(out), 0, 0};
}

class LimitedBroker {
 public:
  using ItemType = std::uint32_t;

  HOST_DEVICE explicit LimitedBroker(const Brokers<std::uint32_t>& queues)
      : words_(queues.words),
        ring_(queues.words, queues.tickets, queues.ring, queues.capacity),
        capacity_(queues.capacity) {}

  // Lanes of a warp that call it together are admitted together. Appends the item, or takes one
  // into it. Returns false if the queue was full, or empty.
  __device__ bool operate(QueueWish wish, std::uint32_t& item,
                          std::uint32_t* retries = nullptr) const {
    enum class Stage { asks, waits, over };
    const Promises promises(words_, capacity_);
    const warp::LaneMask here = warp::active();
    Stage stage = wish == QueueWish::nothing ? Stage::over : Stage::asks;
    bool is_done = false;
    std::uint32_t number = 0;
    Spin spin;
    for (;;) {
      const warp::LaneMask appends =
          warp::ballot(here, stage == Stage::asks && wish == QueueWish::append);
      const warp::LaneMask takes =
          warp::ballot(here, stage == Stage::asks && wish == QueueWish::take);
      if ((appends | takes) != 0) {
        const Grant grant = admit(here, appends, takes);
        if (stage == Stage::asks) {
          const bool puts = wish == QueueWish::append;
          const unsigned rank = warp::count((puts ? appends : takes) & warp::lanes_before());
          if (rank < (puts ? grant.appends : grant.takes)) {
            number = puts ? promises.draw_tail() : promises.draw_head(1);
            stage = Stage::waits;
          } else if ((puts ? grant.is_full : grant.is_empty) != 0) {
            stage = Stage::over;
          }
        }
      }
      if (stage == Stage::waits && (wish == QueueWish::append ? ring_.try_fill(number, item)
                                                              : ring_.try_empty(number, item))) {
        atomicAdd(state(), std::uint64_t{0} - one_operation);
        is_done = true;
        stage = Stage::over;
      }
      if (!warp::any(here, stage != Stage::over)) return is_done;
      if (stage != Stage::over) {
        if (retries) ++*retries;
        spin.back_off();
      }
    }
  }

  __device__ bool try_take(std::uint32_t& item, std::uint32_t* retries = nullptr) const {
    return operate(QueueWish::take, item, retries);
  }

 private:
  static constexpr std::uint64_t one_operation = std::uint64_t{1} << 32U;

  // The count, and above it the operations in flight.
  __device__ std::uint64_t* state() const {
    return reinterpret_cast<std::uint64_t*>(&words_->count);
  }

  // The first lane that is here decides for all.
  __device__ Grant admit(warp::LaneMask here, warp::LaneMask appends, warp::LaneMask takes) const {
    const unsigned leader = warp::first(here);
    Grant grant = {};
    if (warp::lane() == leader) grant = ask(warp::count(appends), warp::count(takes));
    return warp::shuffle(here, grant, leader);
  }

  __device__ Grant ask(unsigned appends, unsigned takes) const {
    const auto capacity = static_cast<std::int32_t>(capacity_);
    for (;;) {
      const std::uint64_t now = load_relaxed(state());
      const auto count = static_cast<std::int32_t>(static_cast<std::uint32_t>(now));
      const auto running = static_cast<std::int32_t>(static_cast<std::uint32_t>(now >> 32U));
      Grant grant = share_out(static_cast<std::int32_t>(appends), static_cast<std::int32_t>(takes),
                              count, most_in_flight(capacity_) - running, capacity);
      const std::int32_t after =
          count + static_cast<std::int32_t>(grant.appends) - static_cast<std::int32_t>(grant.takes);
      if (grant.appends + grant.takes > 0) {
        const std::uint64_t next = (now & ~std::uint64_t{0xffffffffU}) +
                                   one_operation * (grant.appends + grant.takes) +
                                   static_cast<std::uint32_t>(after);
        if (atomicCAS(state(), now, next) != now) continue;
      }
      // The count may be ahead of the ring, whose ends alone say that it is full or empty.
      const std::int32_t held = Promises(words_, capacity_).held();
      grant.is_full = after >= capacity && held >= capacity ? 1 : 0;
      grant.is_empty = after <= 0 && held <= 0 ? 1 : 0;
      return grant;
    }
  }

  Words* words_;
  Broker<std::uint32_t> ring_;
  std::uint32_t capacity_;
};

}  // namespace
}  // namespace queue

void queue_broker_limited(Stream& stream, const QueueArgs& args, Scratch& scratch) {
  const auto queues = queue::make_brokers(stream, scratch, 1, std::max(args.capacity, 2U));
  if (scratch.measuring()) return;
  queue::use_and_drain(stream, args, queue::LimitedBroker(queues));
}

}  // namespace warpview::WARPVIEW_BACKEND
