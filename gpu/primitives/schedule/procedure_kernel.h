// The kernels of a single procedure, each shaped for it, which a scheduling host or kernel
// launches.
#pragma once

#include <algorithm>

#include "gpu/primitives/schedule/work.h"

namespace warpview::WARPVIEW_BACKEND::schedule {

// Spawns the items of the input, one thread for each input.
template <class Application>
__global__ void __launch_bounds__(usual_block)
    begin_kernel(Application application, std::uint32_t inputs, Queues<Application> queues) {
  const std::uint32_t i = global_thread();
  if (i < inputs) application.begin(i, ToQueues<Application>{queues});
}

// Each block takes a batch of P, executes it and exits: the launch has as many blocks as there are
// batches. A kernel that `stays` goes on as long as items of P are pending.
//
// A block waits only for items that will come, or for others to finish theirs, so blocks may start
// in any order, as many at a time as are resident.
template <class Application, class P>
__global__ void __launch_bounds__(block_of<P>)
    procedure_kernel(Application application, Queues<Application> queues, bool stays) {
  __shared__ Batch batch;
  __shared__ Workspace<P, block_of<P>> space;
  Stretch stretch(queues.trace, number_of<P, typename Application::Procedures>);
  do {
    if (threadIdx.x == 0) {
      std::uint32_t failed = 0;
      batch.count = 0;
      for (Spin spin; !queues.template claim<P>(1, batch_of<P, block_of<P>>, batch);) {
        stretch.end();
        ++failed;
        if (!stays || load_relaxed(&queues.template pending_of<P>()) == 0) break;
        spin.back_off();
      }
      if (failed > 0) atomicAdd(&queues.status->failed_takes, failed);
      if (batch.count > 0)
        stretch.begin(batch.procedure, batch.count, [&] { return queues.template queued<P>(); });
    }
    __syncthreads();
    if (batch.count == 0) return;
    const auto from = queues.template level<P>(batch.level);
    execute<P>(
        application, space, batch.count,
        [&](unsigned i, typename P::Item& item) { from.take_claimed(batch.first + i, item); },
        ToQueues<Application>{queues});
    __syncthreads();
    if (threadIdx.x == 0) queues.template finish<P>(batch.count);
  } while (stays);
  if (threadIdx.x == 0) stretch.end();
}

// --- on the host

template <class Application>
void count_launch(const Run<Application>& run) {
  if (run.settings.report) ++run.settings.report->launches;
}

// The resident blocks of a kernel; also recorded in the report. On the CPU device: the threads that
// run blocks.
template <class Application, class... Parameters>
std::uint32_t resident(const Run<Application>& run, void (*kernel)(Parameters...), unsigned threads,
                       unsigned number) {
  const std::uint32_t blocks = std::max(concurrent_blocks(run.stream, kernel, threads), 1U);
  if (run.settings.report) {
    const DeviceInfo& device = run.stream.device().info();
    run.settings.report->places[number] = device.backend == Backend::cpu
                                              ? static_cast<std::uint32_t>(device.multiprocessors)
                                              : blocks;
  }
  return blocks;
}
template <class Application>
std::uint32_t at_most(const Run<Application>& run, std::uint32_t places) {
  const std::uint32_t most = run.settings.most_blocks;
  return most > 0 && most < places ? most : places;
}

// Starts a run: empties the queues, and queues the items of the input.
template <class Application>
void launch_begin(const Run<Application>& run, const Queues<Application>& queues) {
  clear(run.stream, queues);
  if (run.inputs == 0) return;
  launch(run.stream, KERNEL(begin_kernel<Application>), one_thread_each(run.inputs, usual_block),
         run.application, run.inputs, queues);
  count_launch(run);
}

// Launches P's kernel with as many blocks as there are batches.
template <class P, class Application>
void launch_procedure(Stream& stream, const Run<Application>& run,
                      const Queues<Application>& queues, std::uint32_t blocks) {
  const auto kernel = &procedure_kernel<Application, P>;
  if (run.settings.trace.stretches) resident(run, kernel, block_of<P>, queues.template number<P>);
  launch(stream, Kernel{kernel, P::name}, Shape(blocks, block_of<P>), run.application, queues,
         false);
  count_launch(run);
}

// The host's view of the queues while no kernel runs.
template <class Application>
class Levels {
 public:
  // Waits for the stream.
  Levels(const Run<Application>& run, const Queues<Application>& queues)
      : run_(run), queues_(queues) {
    if (!run.host)
      throw Error("a scheduler that looks at its queues from the host", "it was given no HostLoop",
                  "Give it one in schedule::Run");
    constexpr std::size_t bytes = Queues<Application>::queue_count * sizeof(queue::Words);
    auto* const memory = static_cast<std::byte*>(run.host->memory(bytes + sizeof(ScheduleStatus)));
    words_ = reinterpret_cast<queue::Words*>(memory);
    status_ = reinterpret_cast<ScheduleStatus*>(memory + bytes);
  }

  // Copies the status and the fill levels of all queues here, or the fill levels of one procedure's
  // queues, and waits for the copy.
  void look() {
    run_.stream.copy(status_, queues_.status, sizeof *status_, Copy::device_to_host);
    look(0, Queues<Application>::queue_count);
  }
  template <class P>
  void look_at() {
    look(first<P>(), P::levels);
  }

  const ScheduleStatus& status() const { return *status_; }

  // Whether any items are queued.
  bool any() const {
    return std::any_of(words_, words_ + Queues<Application>::queue_count,
                       [](const queue::Words& words) { return words.count > 0; });
  }
  // The blocks that take all items of P, with batches of one level.
  template <class P>
  std::uint32_t batches() const {
    std::uint32_t sum = 0;
    for (unsigned i = 0; i < P::levels; ++i)
      sum += ceil_div(words_[first<P>() + i].count, std::uint32_t{batch_of<P, block_of<P>>});
    return sum;
  }

 private:
  template <class P>
  unsigned first() const {
    return static_cast<unsigned>(static_cast<const QueueOf<P>&>(queues_).levels.words -
                                 queues_.words);
  }
  void look(unsigned begin, unsigned count) {
    run_.stream.copy(words_ + begin, queues_.words + begin, count * sizeof *words_,
                     Copy::device_to_host);
    run_.stream.synchronize();
    if (run_.settings.report) ++run_.settings.report->synchronisations;
  }

  const Run<Application>& run_;
  const Queues<Application>& queues_;
  queue::Words* words_ = nullptr;
  ScheduleStatus* status_ = nullptr;
};

}  // namespace warpview::WARPVIEW_BACKEND::schedule
