// What all variants of layout share: the argument of their kernels, and the launch.
#pragma once

#include <string>

#include "gpu/primitives/layout/layout.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND::layout {

inline constexpr unsigned threads = tile_extent(256, 64);  // per block, one for each element

struct Work {
  std::uint32_t* elements;
  std::uint32_t n;
  bool all;
  std::uint32_t rounds;
};

// A variant's kernels, one for each size of elements.
struct Kernels {
  Kernel<Work> of_2_words;
  Kernel<Work> of_4_words;
  Kernel<Work> of_8_words;
};

inline void run(Stream& stream, const LayoutArgs& args, const Scratch& scratch,
                const Kernels& kernels) {
  if (args.words != 2 && args.words != 4 && args.words != 8)
    throw Error("elements of " + std::to_string(args.words) + " words",
                "there are kernels for 2, 4 and 8", "Choose one of these");
  if (reinterpret_cast<std::uintptr_t>(args.elements) % 16 != 0)
    throw Error("elements at an address that is no multiple of 16 bytes",
                "some variants read 16 bytes at a time", "Let them begin at such an address");
  if (scratch.measuring()) return;
  launch(stream,
         args.words == 2   ? kernels.of_2_words
         : args.words == 4 ? kernels.of_4_words
                           : kernels.of_8_words,
         one_thread_each(args.n, threads),
         Work{.elements = args.elements, .n = args.n, .all = args.all, .rounds = args.rounds});
}

// A member after all rounds.
__device__ inline std::uint32_t changed(std::uint32_t member, std::uint32_t rounds) {
  for (std::uint32_t round = 0; round < rounds; ++round) member = layout_round(member, round);
  return member;
}

// Words that one instruction reads or writes.
template <unsigned words>
struct alignas(4 * words) Piece {
  std::uint32_t word[words];
};
// An element is one piece of 8 or 16 bytes, or two of 16.
template <unsigned words>
inline constexpr unsigned piece_words = words < 4 ? words : 4;
template <unsigned words>
inline constexpr unsigned pieces = words / piece_words<words>;

}  // namespace warpview::WARPVIEW_BACKEND::layout
