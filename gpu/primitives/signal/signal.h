// Words handed over between the host and a kernel, while the kernel runs.
#pragma once

#include <cstdint>

#include "gpu/runtime/tile_extent.h"

namespace warpview {

// The direction of the messages. The device computes 3 x + 1 of each word x.
enum class SignalWay : std::uint32_t {
  round_trips,  // the host sends one and waits for the answer before it sends the next
  to_host,      // the device sends all, one after another, and the host takes each as it arrives
  to_device     // the host sends all, one after another, and the device takes each as it arrives
};

// Words are handed over in at most this many messages, of as many words each as that takes.
inline constexpr std::uint32_t most_messages = agreed_extent(1024U, 16U);
constexpr std::uint32_t words_a_message(std::uint32_t n) {
  return n / most_messages + (n % most_messages != 0 ? 1 : 0);
}
constexpr std::uint32_t messages_of(std::uint32_t n) {
  return n == 0 ? 0 : (n - 1) / words_a_message(n) + 1;
}

// out[i] = 3 in[i] + 1, modulo 2^32, for two host arrays that do not overlap. A variant takes the
// input when it is prepared or reset. A run is over when the host has received what was sent to it;
// `fetch` copies the rest to `out`.
struct SignalArgs {
  SignalWay way = SignalWay::round_trips;
  const std::uint32_t* in = nullptr;
  std::uint32_t* out = nullptr;
  std::uint32_t n = 0;  // at most 2^31 - 1
};

}  // namespace warpview
