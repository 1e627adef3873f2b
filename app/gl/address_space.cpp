#include "app/gl/address_space.h"

#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <limits>
#include <string_view>

#include "gpu/runtime/cpu/address_space.h"
#include "gpu/runtime/error.h"

namespace warpview {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;

volatile std::sig_atomic_t code_after_crash = 1;

// Nothing but what a signal's handler may call.
void tell_of_crash(int /*signal*/) {
  constexpr std::string_view text =
      "warpview: a library failed, most likely because an allocation was refused. Raise the limit "
      "of the address space (ulimit -v) and start again\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
  _exit(code_after_crash);
}

bool is_limited() { return address_space_available() != std::numeric_limits<std::uint64_t>::max(); }

}  // namespace

void require_address_space_for_gl() {
  // Mesa's software rasteriser takes about 550 MiB for code, stacks and heaps of its threads.
  constexpr std::uint64_t needed = 640 * mebibyte;
  const std::uint64_t left = address_space_available();
  if (left >= needed) return;
  throw UnavailableError("OpenGL 4.5",
                         fmt::format("its driver needs about {} MiB of address space, and the "
                                     "limit leaves {} MiB",
                                     needed / mebibyte, left / mebibyte),
                         "Raise it (ulimit -v)");
}

void share_heap_under_limit() {
#if defined(M_ARENA_MAX)
  if (is_limited()) mallopt(M_ARENA_MAX, 1);
#endif
}

void explain_crashes_under_limit(int exit_code) {
  if (!is_limited()) return;
  code_after_crash = exit_code;
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT}) std::signal(signal, tell_of_crash);
}

}  // namespace warpview
