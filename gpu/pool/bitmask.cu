// A free buffer by the first bit that is clear.
//
// Course GPU Programming Primitives for Computer Graphics, SIGGRAPH Asia 2023.
//
// A bit a buffer, 32 of them a word: one read says of 32 buffers which are free, and finding the
// first of them takes an instruction. An atomic or sets its bit; the old word tells whether it was
// clear, and if it was not, which others still are. In exchange, warps that use different buffers
// of a word meet at that word. Which word a warp begins with is the hash of its number.
#include "gpu/pool/use.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

struct FirstClearBit {
  static constexpr const char* kernel_name = "pool_bitmask_kernel";
  static constexpr std::uint32_t bits = 32;

  std::uint32_t* words;  // a set bit: taken
  std::uint32_t count;   // buffers

  __device__ std::uint32_t word_count() const { return ceil_div(count, bits); }
  // The bits of a word behind which there is a buffer.
  __device__ std::uint32_t existing(std::uint32_t word) const {
    const std::uint32_t rest = count - word * bits;
    return rest >= bits ? ~0U : (1U << rest) - 1;
  }

  __device__ std::uint32_t take(std::uint32_t warp_number) const {
    std::uint32_t buffer = 0;
    if (warp::lane() == 0) {
      const std::uint32_t begin = pool::hashed(warp_number, word_count());
      std::uint32_t word = begin;
      std::uint32_t taken = load_relaxed(&words[word]);
      for (;;) {
        const std::uint32_t free = ~taken & existing(word);
        if (free != 0) {
          const std::uint32_t bit = free & (~free + 1);  // the lowest
          taken = atomicOr(&words[word], bit);
          if ((taken & bit) == 0) {
            buffer = word * bits + warp::first(bit);
            break;
          }
          continue;  // another was faster; `taken` is what it left
        }
        word = word + 1 < word_count() ? word + 1 : 0;
        if (word == begin) backoff();
        taken = load_relaxed(&words[word]);
      }
    }
    return pool::taken_by(0, buffer);
  }

  __device__ void give_back(std::uint32_t buffer) const {
    pool::done_with();
    if (warp::lane() == 0) atomicAnd(&words[buffer / bits], ~(1U << buffer % bits));
  }
};

}  // namespace

void pool_bitmask(Stream& stream, const PoolArgs& args, Workspace& workspace) {
  pool::reverse_stretches<FirstClearBit>(stream, args, workspace,
                                         ceil_div(args.buffers, FirstClearBit::bits));
}

}  // namespace warpview::WARPVIEW_BACKEND
