#include "gpu/simt/executor.h"

#include <fmt/format.h>

#include <new>
#include <string>

#include "gpu/simt/counting.h"
#include "gpu/simt/pool.h"

namespace warpview::simt {

thread_local constinit Lane* current_lane = nullptr;
thread_local constinit bool publications_are_late = false;

namespace {
// How often lanes of a launch are made late: all blocks come to a halt before each time.
constexpr int most_lateness = 256;
}  // namespace

void run(const Options& options, const Launch& launch, void (*body)(const void*),
         const void* context) {
  const std::uint64_t threads = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
  const std::uint64_t blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
  if (worker && current_lane)
    throw Error(fmt::format("kernel {} was launched from inside a kernel", launch.kernel),
                "the CPU device has no dynamic parallelism", "Launch it from host code");
  if (threads == 0 || threads > max_block || blocks > 0x7fffffffU)
    throw Error(
        fmt::format("kernel {} was launched with {} blocks of {} threads", launch.kernel, blocks,
                    threads),
        fmt::format("a block has 1 to {} threads, a grid at most 2^31 - 1 blocks", max_block),
        "Choose another shape");
  if (launch.concurrent && blocks > max_concurrent_blocks)
    throw Error(
        fmt::format("kernel {} was launched with {} concurrent blocks", launch.kernel, blocks),
        fmt::format("the CPU device holds {} at a time", max_concurrent_blocks),
        "Size the grid by the occupancy query");
  if (launch.host && blocks > 1)
    throw Error(fmt::format("kernel {} was launched with {} blocks concurrent with host work",
                            launch.kernel, blocks),
                "the host alternates with a single block", "Launch a single block");
  if (blocks == 0) return;
  const bool large = threads > most_lanes_of_any_block;
  if (launch.concurrent && large)
    throw Error(
        fmt::format("kernel {} was launched with concurrent blocks of {} threads", launch.kernel,
                    threads),
        fmt::format("under ThreadSanitizer such blocks have at most {}", most_lanes_of_any_block),
        "Choose smaller blocks, or a build without it");

  const unsigned most =
      launch.concurrent
          ? max_concurrent_blocks
          : std::min(workers_asked_for(options), workers_that_fit(static_cast<unsigned>(threads)));
  Job job{.options = options,
          .launch = launch,
          .body = body,
          .context = context,
          .block_count = static_cast<unsigned>(blocks),
          .block_order = {},
          .worker_count = static_cast<unsigned>(std::min<std::uint64_t>(most, blocks)),
          .workers = {},
          .shared_variables = {},
          .starved = 0,
          .epoch = 0,
          .lateness_left = most_lateness,
          .sleep_mutex = {},
          .woken = {},
          .error_mutex = {},
          .error = {},
          .thrown = {}};
  if (options.seed != 0 || recording::on) job.shared_variables = shared_variables_of(launch.kernel);
  if (options.seed != 0) {
    Random random(options.seed);
    job.block_order.resize(blocks);
    for (unsigned i = 0; i < blocks; ++i) {
      job.block_order[i] = i;
      std::swap(job.block_order[i], job.block_order[random.below(i + 1)]);
    }
  }
  // Where lanes take the last memory, the message still has some.
  std::string for_message;
  for_message.reserve(4096);
  Pool::instance().run(job);
  current_lane = nullptr;
  if (!job.error.empty()) throw Error(job.error);
  try {
    if (job.thrown) std::rethrow_exception(job.thrown);
  } catch (const std::bad_alloc&) {
    std::string().swap(for_message);
    throw Error(
        fmt::format("memory for the lanes of kernel {}, in blocks of {}", launch.kernel, threads),
        "the system refuses more memory or more mappings",
        "Close other programs, or raise the limits (ulimit -v, sysctl vm.max_map_count)");
  }
}

LaneMask warp_active(Where where) {
  const Call call;
  return worker->gather(Wait::active, where);
}
void back_off(Where where) {
  const Call call;
  worker->back_off(where);
}
LaneMask begin_spin(Where where) {
  if (!worker->in_lockstep()) return 0;
  const Call call;
  return worker->gather(Wait::loop_begin, where);
}
void end_spin(LaneMask together, Where where) {
  if (together == 0) return;
  const Call call;
  worker->end_loop(together, where);
}
// Not a Call: a lane that spins over an atomic must not pass for one that backs off.
void come_late(const void* word) {
  worker->enter();
  worker->come_late(word);
  worker->go_back_to_kernel();
}
void note_change() {
  if (!worker) return;
  if (current_lane) current_lane->looks = 0;
  worker->changed_for_all();
}
void report_spin(Where where) {
  worker->enter();
  worker->report_spin(where);
}

}  // namespace warpview::simt
