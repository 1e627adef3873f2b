// The workers of a launch on one OS thread: each is a fiber, and gives up its turn at points that
// the executor names. A block's shared memory is thread-local, so it is put away while others run.
#include <cstring>
#include <deque>
#include <utility>
#include <vector>

#include "gpu/recording/recording.h"
#include "gpu/simt/counting.h"
#include "gpu/simt/recorded/recorder.h"
#include "gpu/simt/worker.h"

namespace warpview::simt {
namespace {

// A worker, and what of it lies in variables of the OS thread while it runs.
struct Seat {
  Worker* worker = nullptr;
  Fiber context;
  Lane* lane = nullptr;
  bool late = false;
  std::vector<std::byte> shared_memory;
  bool has_turns = true;
};

struct Turns {
  Job* job = nullptr;
  std::vector<Seat> seats;
  std::deque<Stack> stacks;  // one a seat, kept from launch to launch
  unsigned current = 0;
  Fiber host;
  Bytes thread_local_bytes{};
  Random random{1};
};

Turns& turns() {
  static Turns instance;
  return instance;
}

template <class Visit>
void each_shared_variable(Visit visit) {
  Turns& t = turns();
  std::size_t at = 0;
  for (const SharedVariable& variable : t.job->shared_variables) {
    std::byte* const begin = t.thread_local_bytes.begin + variable.offset;
    visit(begin, at, variable.bytes);
    at += variable.bytes;
  }
}

void put_away(Seat& seat) {
  seat.lane = current_lane;
  seat.late = publications_are_late;
  each_shared_variable([&](std::byte* variable, std::size_t at, std::size_t bytes) {
    std::memcpy(seat.shared_memory.data() + at, variable, bytes);
  });
}

void bring_out(unsigned number) {
  Turns& t = turns();
  Seat& seat = t.seats[number];
  t.current = number;
  worker = seat.worker;
  current_lane = seat.lane;
  publications_are_late = seat.late;
  each_shared_variable([&](std::byte* variable, std::size_t at, std::size_t bytes) {
    std::memcpy(variable, seat.shared_memory.data() + at, bytes);
  });
}

// Another worker that has turns: by the seed, or in turn. `number` itself where there is none.
unsigned other_than(unsigned number) {
  Turns& t = turns();
  const auto count = static_cast<unsigned>(t.seats.size());
  const unsigned first = recording::interleave() == 0 ? 1 : 1 + t.random.below(count);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned other = (number + first + i) % count;
    if (other != number && t.seats[other].has_turns) return other;
  }
  return number;
}

void seat_entry() {
  Turns& t = turns();
  t.seats[t.current].worker->run_blocks(*t.job);
}

}  // namespace

namespace recording {

static_assert(max_concurrent_blocks <= Recording::most_resident, "its files would be refused");

unsigned resident_blocks(const Options& options) {
  if (interleave() == 0) return 1;
  return options.workers == 0 ? max_concurrent_blocks
                              : std::min(options.workers, max_concurrent_blocks);
}

void run_in_turns(Job& job) {
  Turns& t = turns();
  t.job = &job;
  t.random = Random(job.options.seed + 1);
  t.thread_local_bytes = thread_local_memory();
  std::size_t bytes = 0;
  for (const SharedVariable& variable : job.shared_variables) bytes += variable.bytes;
  t.seats.clear();
  t.seats.resize(job.worker_count);
  for (std::size_t i = 0; i < t.seats.size(); ++i) {
    if (t.stacks.size() <= i) t.stacks.emplace_back(i);
    Seat& seat = t.seats[i];
    seat.worker = job.workers[i];
    seat.worker->idle_rounds.store(0);  // equal runs give up a spin at the same point
    seat.context = make_fiber(t.stacks[i], &seat_entry);
    seat.shared_memory.resize(bytes);
  }
  bring_out(0);
  jump(t.host, t.seats[0].context);
  t.job = nullptr;
}

}  // namespace recording

namespace counting {

void take_turn(unsigned /*worker*/) {}  // it runs, so it has it

void pass_turn(unsigned number) {
  const unsigned next = other_than(number);
  if (next == number) return;
  Turns& t = turns();
  put_away(t.seats[number]);
  bring_out(next);
  jump(t.seats[number].context, t.seats[next].context);
}

void give_up_turn(unsigned number) {
  Turns& t = turns();
  t.seats[number].has_turns = false;
  const unsigned next = other_than(number);
  if (next == number) leave(t.host);
  bring_out(next);
  leave(t.seats[next].context);
}

}  // namespace counting
}  // namespace warpview::simt
