#include "gpu/runtime/cpu/thread_stacks.h"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>

#include <cstddef>

#include "gpu/runtime/error.h"
#include "gpu/simt/shared_memory.h"

namespace warpview {

void widen_thread_stacks() {
  constexpr std::size_t least = std::size_t{4} << 20U;
  const simt::Bytes variables = simt::thread_local_memory();
  const std::size_t needed = least + static_cast<std::size_t>(variables.end - variables.begin);
  pthread_attr_t attributes;
  if (pthread_getattr_default_np(&attributes) != 0) return;
  std::size_t bytes = 0;
  // Where the system refuses, threads have the stacks that they would have had.
  if (pthread_attr_getstacksize(&attributes, &bytes) == 0 && bytes < needed &&
      pthread_attr_setstacksize(&attributes, needed) == 0)
    pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

void require_stack() {
  constexpr rlim_t least = rlim_t{256} << 10U;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= least) return;
  throw UnavailableError("the stack",
                         fmt::format("the program needs one of {} KiB, and the limit is {} KiB",
                                     least >> 10U, limit.rlim_cur >> 10U),
                         "Raise it (ulimit -s)");
}

}  // namespace warpview
