// An array of structures, read and written 8 or 16 bytes at a time.
//
//   CUDA C++ Programming Guide, Device Memory Accesses: an access of 8 or 16 bytes is one
//   instruction if the address is a multiple of them.
//
// An element is one vector, or two of 16 bytes: a warp's instruction uses all bytes of the sectors
// that it touches, or half of them, and there are fewer instructions. A single member is one word,
// as in aos.cu.

#include "gpu/primitives/layout/work.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One thread per element.
template <unsigned words>
__global__ void __launch_bounds__(layout::threads) vector_kernel(layout::Work work) {
  using layout::changed;
  constexpr unsigned size = layout::piece_words<words>;
  constexpr unsigned pieces = layout::pieces<words>;
  const std::uint32_t i = global_thread();
  if (i >= work.n) return;
  if (!work.all) {
    std::uint32_t& last = work.elements[std::size_t{i} * words + words - 1];
    last = changed(last, work.rounds);
    return;
  }
  auto* const element =
      reinterpret_cast<layout::Piece<size>*>(work.elements) + std::size_t{i} * pieces;
  layout::Piece<size> piece[pieces];
  UNROLL
  for (unsigned p = 0; p < pieces; ++p) piece[p] = element[p];
  UNROLL
  for (unsigned p = 0; p < pieces; ++p) {
    UNROLL
    for (unsigned w = 0; w < size; ++w) piece[p].word[w] = changed(piece[p].word[w], work.rounds);
    element[p] = piece[p];
  }
}

}  // namespace

void layout_vector(Stream& stream, const LayoutArgs& args, Scratch& scratch) {
  layout::run(stream, args, scratch,
              {KERNEL(vector_kernel<2>), KERNEL(vector_kernel<4>), KERNEL(vector_kernel<8>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
