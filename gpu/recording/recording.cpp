#include "gpu/recording/recording.h"

#include <iterator>

namespace warpview {

const char* to_string(EventKind kind) {
  constexpr const char* names[] = {"launch",
                                   "block_begin",
                                   "block_end",
                                   "step",
                                   "read",
                                   "write",
                                   "load_relaxed",
                                   "load_acquire",
                                   "store_relaxed",
                                   "store_release",
                                   "add",
                                   "subtract",
                                   "bit_and",
                                   "bit_or",
                                   "bit_xor",
                                   "exchange",
                                   "compare_exchange",
                                   "modify",
                                   "fence",
                                   "arrive",
                                   "barrier",
                                   "sync",
                                   "ballot",
                                   "match",
                                   "shuffle",
                                   "active",
                                   "answer",
                                   "back_off",
                                   "exit",
                                   "fill",
                                   "copy",
                                   "upload",
                                   "host"};
  static_assert(std::size(names) == event_kinds);
  return names[static_cast<unsigned>(kind)];
}

}  // namespace warpview
