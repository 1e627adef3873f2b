// The queues as building blocks: items of several words, queues in shared memory, order, refusals,
// numbers that wrap.
#define WARPVIEW_BACKEND_CPU
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "gpu/primitives/queue/brokers.h"
#include "gpu/primitives/queue/index.h"
#include "gpu/runtime/cpu/cpu_device.h"

namespace warpview::cpu {
namespace {

using queue::Broker;
using queue::Brokers;
using queue::Refusal;
using queue::Words;

struct QueueSchedule {
  unsigned warp_size;
  std::uint64_t seed;
  bool lockstep = false;
  bool late = false;
};
void PrintTo(const QueueSchedule& s, std::ostream* out) {
  *out << "warp " << s.warp_size << " seed " << s.seed << (s.lockstep ? " in lockstep" : "")
       << (s.late ? " late" : "");
}

class Queues : public testing::TestWithParam<QueueSchedule> {
 protected:
  std::unique_ptr<Device> device = open_cpu_device({.warp_size = GetParam().warp_size,
                                                    .seed = GetParam().seed,
                                                    .workers = 4,
                                                    .lockstep = GetParam().lockstep,
                                                    .late_publications = GetParam().late});
  std::unique_ptr<Stream> stream = device->create_stream();
};

INSTANTIATE_TEST_SUITE_P(Schedules, Queues,
                         testing::Values(QueueSchedule{32, 0}, QueueSchedule{64, 1},
                                         QueueSchedule{32, 2}, QueueSchedule{32, 3, true},
                                         QueueSchedule{64, 4, true},
                                         QueueSchedule{32, 5, false, true},
                                         QueueSchedule{64, 6, true, true}),
                         [](const auto& schedule) { return std::to_string(schedule.param.seed); });

// The memory of some brokers, empty.
template <class Item>
struct Memory {
  explicit Memory(std::uint32_t places, std::uint32_t queues = 1)
      : capacity(places), words(queues), tickets(queues * places), ring(queues * places) {}

  template <Refusal refusal = Refusal::checked>
  Broker<Item, refusal> broker() {
    return {words.data(), tickets.data(), ring.data(), capacity};
  }
  Brokers<Item> brokers() {
    return {words.data(), tickets.data(), ring.data(), capacity,
            static_cast<std::uint32_t>(words.size())};
  }

  std::uint32_t capacity;
  std::vector<Words> words;
  std::vector<std::uint32_t> tickets;
  std::vector<Item> ring;
};

struct Large {
  std::uint32_t word[8];
};

// The contents of an item are also written elsewhere, by plain stores, before it is appended.
__global__ void pass_on_kernel(Broker<Large> broker, std::uint32_t* elsewhere,
                               std::uint32_t* taken) {
  const std::uint32_t i = global_thread();
  Large item{};
  for (std::uint32_t k = 0; k < 8; ++k) item.word[k] = i * 8 + k;
  elsewhere[i] = i + 1000;
  taken[i] = queue::Index::nothing;
  if (!broker.try_append(item)) return;
  if (!broker.try_take(item)) return;
  const std::uint32_t from = item.word[0] / 8;
  bool whole = elsewhere[from] == from + 1000;
  for (std::uint32_t k = 0; k < 8; ++k) whole = whole && item.word[k] == from * 8 + k;
  if (whole) taken[i] = from;
}

TEST_P(Queues, PassItemsOfSeveralWordsAndEarlierWrites) {
  constexpr std::uint32_t n = 512;
  Memory<Large> memory(n);
  std::vector<std::uint32_t> elsewhere(n), taken(n);
  launch(*stream, KERNEL(pass_on_kernel), Shape(n / 128, 128), memory.broker(), elsewhere.data(),
         taken.data());
  std::sort(taken.begin(), taken.end());
  for (std::uint32_t i = 0; i < n; ++i) ASSERT_EQ(taken[i], i);
}

// Eight places for 128 threads, in shared memory.
__global__ void shared_kernel(std::uint32_t rounds, std::uint32_t* appended, std::uint32_t* taken) {
  constexpr std::uint32_t capacity = 8;
  __shared__ Words words[1];
  __shared__ std::uint32_t tickets[capacity];
  __shared__ std::uint32_t ring[capacity];
  if (threadIdx.x == 0) words[0] = {};
  if (threadIdx.x < capacity) tickets[threadIdx.x] = 0;
  __syncthreads();
  const Broker<std::uint32_t> broker(words, tickets, ring, capacity);
  for (std::uint32_t r = 0; r < rounds; ++r) {
    const std::uint32_t item = (blockIdx.x * rounds + r) * blockDim.x + threadIdx.x;
    appended[item] = broker.try_append(item) ? 1 : 0;
    std::uint32_t out = 0;
    if (broker.try_take(out)) atomicAdd(&taken[out], 1U);
  }
  __syncthreads();
  std::uint32_t out = 0;
  if (threadIdx.x == 0)
    while (broker.try_take(out)) atomicAdd(&taken[out], 1U);
}

TEST_P(Queues, WorkInSharedMemory) {
  constexpr std::uint32_t rounds = 5;
  std::vector<std::uint32_t> appended(3 * rounds * 128), taken(appended.size());
  launch(*stream, KERNEL(shared_kernel), Shape(3, 128), rounds, appended.data(), taken.data());
  EXPECT_EQ(appended, taken);
  EXPECT_GE(std::count(appended.begin(), appended.end(), 1U), 24);
}

// Thread 0 takes until it has `rounds` items of each of the others, which try until they succeed.
template <class Queue>
__global__ void one_taker_kernel(Queue queue, std::uint32_t rounds, std::uint32_t* taken) {
  const std::uint32_t t = global_thread();
  const std::uint32_t others = gridDim.x * blockDim.x - 1;
  std::uint32_t done = 0;
  const std::uint32_t all = t == 0 ? others * rounds : rounds;
  for (Spin spin; warp::any(warp::all_lanes(), done < all);) {
    if (done == all) continue;
    if (t == 0) {
      if (queue.try_take(taken[done])) ++done;
    } else if (queue.try_append(t * rounds + done)) {
      ++done;
    }
    spin.back_off();
  }
}

template <class Queue>
void expect_order(Stream& stream, Queue queue) {
  constexpr std::uint32_t threads = 128;
  constexpr std::uint32_t rounds = 4;
  std::vector<std::uint32_t> taken((threads - 1) * rounds);
  launch(stream, KERNEL(one_taker_kernel<Queue>), Shape(threads / 64, 64), queue, rounds,
         taken.data());
  std::map<std::uint32_t, std::uint32_t> next;  // by thread
  for (const std::uint32_t item : taken) ASSERT_EQ(item % rounds, next[item / rounds]++) << item;
  ASSERT_EQ(next.size(), threads - 1);
}

TEST_P(Queues, GiveOneConsumerEachThreadsItemsInOrder) {
  for (const std::uint32_t capacity : {2U, 64U}) {
    SCOPED_TRACE(capacity);
    expect_order(*stream, Memory<std::uint32_t>(capacity).broker());
    expect_order(*stream, Memory<std::uint32_t>(capacity).broker<Refusal::at_once>());
  }
}

// A block claims for all its threads, each of which takes one; all append again what they took.
__global__ void claim_kernel(Broker<std::uint32_t> broker, std::uint32_t rounds,
                             std::uint32_t* taken) {
  __shared__ std::uint32_t first;
  __shared__ std::uint32_t count;
  for (std::uint32_t r = 0; r < rounds; ++r) {
    if (threadIdx.x == 0) count = broker.claim(1, blockDim.x, first);
    __syncthreads();
    const bool mine = threadIdx.x < count;
    std::uint32_t item = 0;
    if (mine) broker.take_claimed(first + threadIdx.x, item);
    __syncthreads();
    if (mine) {
      atomicAdd(&taken[item], 1U);
      broker.try_append(item);
    }
  }
}

TEST_P(Queues, GiveABlockTheItemsThatOneThreadClaimed) {
  constexpr std::uint32_t capacity = 64;
  constexpr std::uint32_t items = 40;
  Memory<std::uint32_t> memory(capacity);
  memory.words[0].count = memory.words[0].tail = items;
  for (std::uint32_t i = 0; i < items; ++i) {
    memory.tickets[i] = 1;
    memory.ring[i] = i;
  }
  std::vector<std::uint32_t> taken(items);
  launch(*stream, KERNEL(claim_kernel), Shape(4, 64), memory.broker(), 5U, taken.data());
  EXPECT_EQ(memory.words[0].count, items);
  EXPECT_EQ(memory.words[0].tail - memory.words[0].head, items);
  std::vector<bool> there(items);
  for (std::uint32_t i = memory.words[0].head; i != memory.words[0].tail; ++i)
    there[memory.ring[i % capacity]] = true;
  EXPECT_EQ(std::count(there.begin(), there.end(), true), items);
  EXPECT_GE(*std::min_element(taken.begin(), taken.end()), 1U);
}

__global__ void claim_alone_kernel(Broker<std::uint32_t> broker, std::uint32_t* got) {
  std::uint32_t first = 0;
  got[0] = broker.claim(1, 64, first);
  for (std::uint32_t i = 0; i < 10; ++i) broker.try_append(i);
  got[1] = broker.claim(11, 64, first);
  got[2] = broker.claim(3, 4, first);
  got[3] = broker.claim(6, 64, first);
  got[4] = first;
  got[5] = static_cast<std::uint32_t>(broker.count());
}

TEST_P(Queues, ClaimTheAvailableItemsWithinBounds) {
  Memory<std::uint32_t> memory(64);
  std::vector<std::uint32_t> got(6);
  launch(*stream, KERNEL(claim_alone_kernel), Shape(1, 1), memory.broker(), got.data());
  EXPECT_EQ(got, (std::vector<std::uint32_t>{0, 0, 4, 6, 4, 0}));
}

// One thread alone: until the queue refuses.
template <class Queue>
__global__ void fill_and_empty_kernel(Queue queue, std::uint32_t first, std::uint32_t* items,
                                      std::uint32_t* counts) {
  std::uint32_t item = 0;
  counts[0] = queue.try_take(item) ? 1 : 0;
  for (counts[1] = 0; counts[1] < 100 && queue.try_append(first + counts[1]);) ++counts[1];
  for (counts[2] = 0; counts[2] < 100 && queue.try_take(items[counts[2]]);) ++counts[2];
}

template <class Queue>
void expect_capacity(Stream& stream, Queue queue, std::uint32_t capacity) {
  for (std::uint32_t round = 0; round < 3; ++round) {
    std::vector<std::uint32_t> items(100), counts(3);
    launch(stream, KERNEL(fill_and_empty_kernel<Queue>), Shape(1, 1), queue, round * 100,
           items.data(), counts.data());
    EXPECT_EQ(counts, (std::vector<std::uint32_t>{0, capacity, capacity}));
    for (std::uint32_t i = 0; i < capacity; ++i) EXPECT_EQ(items[i], round * 100 + i);
  }
}

TEST_P(Queues, RefuseWhenFullOrEmpty) {
  for (const std::uint32_t capacity : {2U, 4U, 64U}) {
    SCOPED_TRACE(capacity);
    Memory<std::uint32_t> memory(capacity);
    expect_capacity(*stream, memory.broker(), capacity);
    Memory<std::uint32_t> at_once(capacity);
    expect_capacity(*stream, at_once.broker<Refusal::at_once>(), capacity);
    std::vector<Words> words(1);
    std::vector<std::uint32_t> places(capacity, queue::Index::nothing);
    expect_capacity(*stream, queue::Index(words.data(), places.data(), capacity), capacity);
  }
}

TEST_P(Queues, WorkWhenTheirNumbersWrap) {
  constexpr std::uint32_t capacity = 4;
  Memory<std::uint32_t> memory(capacity);
  memory.words[0].head = memory.words[0].tail = 0xfffffffdU;
  memory.tickets = {0, 0xfffffffcU, 0xfffffffcU, 0xfffffffcU};
  expect_capacity(*stream, memory.broker(), capacity);
  EXPECT_EQ(memory.words[0].tail, 3 * capacity - 3);
  Memory<std::uint32_t> ordered(capacity);
  ordered.words[0].head = ordered.words[0].tail = 0xfffffffdU;
  ordered.tickets = {0, 0xfffffffcU, 0xfffffffcU, 0xfffffffcU};
  expect_order(*stream, ordered.broker());
}

// Blocks of one thread each: the first append an item, the others take one.
template <class Queue>
__global__ void once_each_kernel(Queue queue, unsigned appenders, std::uint32_t* done) {
  std::uint32_t item = 0;
  if (blockIdx.x < appenders)
    done[blockIdx.x] = queue.try_append(blockIdx.x) ? 1 : 0;
  else
    done[blockIdx.x] = queue.try_take(item) ? 1 : 0;
}

// One of two places is occupied. Failed attempts hide from others how many items there are, and no
// further thread arrives that could make up for one that gave up: a thread would wait for ever.
TEST(QueuesOfFew, LetNoThreadWaitForAFailedAttempt) {
  using Queue = Broker<std::uint32_t, Refusal::at_once>;
  constexpr unsigned threads = 5;
  for (std::uint64_t seed = 1; seed <= 500; ++seed)
    for (const unsigned appenders : {2U, 3U}) {
      SCOPED_TRACE(std::to_string(appenders) + " append, seed " + std::to_string(seed));
      const auto device =
          open_cpu_device({.seed = seed, .workers = threads, .late_publications = true});
      const auto stream = device->create_stream();
      Memory<std::uint32_t> memory(2);
      memory.words[0].count = memory.words[0].tail = 1;
      memory.tickets[0] = 1;
      std::vector<std::uint32_t> done(threads);
      launch(*stream, KERNEL(once_each_kernel<Queue>), Shape(threads, 1),
             memory.broker<Refusal::at_once>(), appenders, done.data());
      std::uint32_t left = 1;
      for (unsigned t = 0; t < threads; ++t) left += t < appenders ? done[t] : 0 - done[t];
      ASSERT_LE(left, 2U);
      ASSERT_EQ(memory.words[0].count, left);
      ASSERT_EQ(memory.words[0].tail - memory.words[0].head, left);
    }
}

__global__ void together_kernel(Broker<std::uint32_t> broker, std::uint32_t* items,
                                std::uint32_t* taken) {
  std::uint32_t four[4];
  for (std::uint32_t i = 0; i < 11; ++i) {
    broker.try_append(i);
    taken[i] = broker.try_take_together(four) ? 1 : 0;
    for (std::uint32_t k = 0; k < 4 && taken[i] == 1; ++k) items[i - 3 + k] = four[k];
  }
}

TEST_P(Queues, GiveSeveralItemsTogetherOrNone) {
  Memory<std::uint32_t> memory(4);
  std::vector<std::uint32_t> items(11, 99), taken(11);
  launch(*stream, KERNEL(together_kernel), Shape(1, 1), memory.broker(), items.data(),
         taken.data());
  EXPECT_EQ(taken, (std::vector<std::uint32_t>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(items, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7, 99, 99, 99}));
}

__global__ void levels_kernel(queue::Buckets<std::uint32_t> buckets, bool last_first,
                              std::uint32_t* items) {
  for (std::uint32_t i = 0; i < 12; ++i) buckets.try_append(i * 7 % 3, i);
  for (std::uint32_t i = 0; i < 12; ++i) {
    if (last_first)
      buckets.try_take(items[i], [](std::uint32_t k) { return 2 - k; });
    else
      buckets.try_take(items[i]);
  }
}

TEST_P(Queues, TakeFromLevelsInTheRequestedOrder) {
  for (const bool last_first : {false, true}) {
    Memory<std::uint32_t> memory(8, 3);
    std::vector<std::uint32_t> items(12), want;
    launch(*stream, KERNEL(levels_kernel), Shape(1, 1),
           queue::Buckets<std::uint32_t>{memory.brokers()}, last_first, items.data());
    for (std::uint32_t k = 0; k < 3; ++k)
      for (std::uint32_t i = 0; i < 12; ++i)
        if (i * 7 % 3 == (last_first ? 2 - k : k)) want.push_back(i);
    EXPECT_EQ(items, want);
  }
}

// Block 1 finds what block 0 appends, though it has its own queue.
__global__ void steal_kernel(queue::Stealing<std::uint32_t> queues, bool appends,
                             std::uint32_t* counts) {
  std::uint32_t item = 0;
  if (appends && blockIdx.x == 0)
    while (counts[0] < 100 && queues.try_append(counts[0])) ++counts[0];
  if (!appends && blockIdx.x == 1)
    while (counts[1] < 100 && queues.try_take(item)) ++counts[1];
}

TEST_P(Queues, StealIfABlocksOwnQueueRefuses) {
  Memory<std::uint32_t> memory(4, 4);
  std::vector<std::uint32_t> counts(2);
  for (const bool appends : {true, false})
    launch(*stream, KERNEL(steal_kernel), Shape(2, 1),
           queue::Stealing<std::uint32_t>{memory.brokers()}, appends, counts.data());
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{16, 16}));
}

}  // namespace
}  // namespace warpview::cpu
