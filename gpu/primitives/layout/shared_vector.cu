// A block's elements in shared memory as an array of structures, 8 or 16 bytes at a time.
//
//   CUDA C++ Programming Guide, Shared Memory: accesses of 8 bytes are served for half a warp at a
//   time, those of 16 bytes for a quarter.
//
// The threads served together access 32 adjacent words, one on each bank: elements of 2 and 4 words
// have no conflicts. Elements of 8 words are read as two halves, and neighbours' halves lie 8 words
// apart, which takes two passes. A single member is one word, as in shared_aos.cu, and takes no
// fewer passes than the vector would.

#include "gpu/primitives/layout/in_block.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

// One thread per element.
template <unsigned words>
__global__ void __launch_bounds__(layout::threads) shared_vector_kernel(layout::Work work) {
  constexpr unsigned size = layout::piece_words<words>;
  constexpr unsigned pieces = layout::pieces<words>;
  using Piece = layout::Piece<size>;
  __shared__ Piece shared[layout::threads * pieces];
  auto* const as_words = reinterpret_cast<std::uint32_t*>(shared);
  layout::change_in_block<layout::InStructures<words>, words>(
      work, as_words, [&](unsigned i, std::uint32_t round) {
        if (!work.all) {
          std::uint32_t& last = as_words[i * words + words - 1];
          last = layout_round(last, round);
          return;
        }
        Piece* const element = shared + i * pieces;
        Piece piece[pieces];
        UNROLL
        for (unsigned p = 0; p < pieces; ++p) piece[p] = element[p];
        UNROLL
        for (unsigned p = 0; p < pieces; ++p) {
          UNROLL
          for (unsigned w = 0; w < size; ++w)
            piece[p].word[w] = layout_round(piece[p].word[w], round);
          element[p] = piece[p];
        }
      });
}

}  // namespace

void layout_shared_vector(Stream& stream, const LayoutArgs& args, Scratch& scratch) {
  layout::run(stream, args, scratch,
              {KERNEL(shared_vector_kernel<2>), KERNEL(shared_vector_kernel<4>),
               KERNEL(shared_vector_kernel<8>)});
}

}  // namespace warpview::WARPVIEW_BACKEND
