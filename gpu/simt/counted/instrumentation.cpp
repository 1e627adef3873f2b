// What instrumented code reports, as counts: accesses (gpu/simt/instrumented/calls.h) and, by
// -fsanitize-coverage=trace-pc, basic blocks.
#include "gpu/simt/counted/recorder.h"
#include "gpu/simt/instrumented/calls.h"

namespace warpview::simt::instrumented {

// Loads and stores that are atomic are accesses like others.
void on_access(const void* site, const volatile void* address, std::size_t bytes, EventKind kind) {
  const bool is_modified = kind >= EventKind::add && kind <= EventKind::modify;
  counting::access(site, address, bytes,
                   is_modified ? counting::Kind::atomic : counting::Kind::access);
}

void on_fence(const void* /*site*/) {}

}  // namespace warpview::simt::instrumented

// NOLINTNEXTLINE(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp)
extern "C" void __sanitizer_cov_trace_pc() {
  warpview::simt::counting::basic_block(__builtin_return_address(0));
}
