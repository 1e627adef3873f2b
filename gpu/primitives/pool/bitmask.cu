// Finds a free buffer by the first clear bit.
//
// The marks of hashed.cu become bits: one bit per buffer, 32 of them per word. One read shows which
// of 32 buffers are free, and one instruction finds the first of them. An atomicOr sets its bit;
// the old word tells whether it was clear, and if not, which others still are. In exchange, warps
// that use different buffers of a word contend for that word. A hash of the warp's index chooses
// the word that it starts at.
#include "gpu/primitives/pool/use.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr std::uint32_t bits = 32;  // per word

// The bits of a word that stand for one of `count` buffers.
__device__ inline std::uint32_t existing(std::uint32_t word, std::uint32_t count) {
  const std::uint32_t rest = count - word * bits;
  return rest >= bits ? ~0U : (1U << rest) - 1;
}

// Waits until one of `count` buffers is free and takes it, for a whole warp; returns its index. A
// bit is set while its buffer is taken. The search starts at word `begin` and wraps around.
__device__ inline std::uint32_t take_clear_bit(std::uint32_t begin, std::uint32_t* words,
                                               std::uint32_t count) {
  std::uint32_t buffer = 0;
  if (warp::lane() == 0) {
    std::uint32_t word = begin;
    std::uint32_t taken = load_relaxed(&words[word]);
    for (Spin spin;;) {
      const std::uint32_t free = ~taken & existing(word, count);
      if (free != 0) {
        const std::uint32_t bit = free & (~free + 1);  // the lowest
        taken = atomicOr(&words[word], bit);
        if ((taken & bit) == 0) {
          buffer = word * bits + warp::first(bit);
          break;
        }
        continue;  // another warp was faster; `taken` is what it left
      }
      word = word + 1 < ceil_div(count, bits) ? word + 1 : 0;
      if (word == begin) spin.back_off();
      taken = load_relaxed(&words[word]);
    }
  }
  return pool::taken_by(0, buffer);
}

__global__ void pool_bitmask_kernel(PoolArgs args, pool::Buffers buffers, std::uint32_t* words) {
  if (!pool::Stretch::exists(args)) return;
  const pool::Stretch stretch(args);
  const std::uint32_t begin = pool::hashed(stretch.warp_number, ceil_div(args.buffers, bits));
  const std::uint32_t buffer = take_clear_bit(begin, words, args.buffers);
  stretch.reverse_in(buffers, buffer, args);
  pool::done_with();
  if (warp::lane() == 0) atomicAnd(&words[buffer / bits], ~(1U << buffer % bits));
}

}  // namespace

void pool_bitmask(Stream& stream, const PoolArgs& args, Scratch& scratch) {
  pool::with_pool(stream, args, scratch, ceil_div(args.buffers, bits), KERNEL(pool_bitmask_kernel));
}

}  // namespace warpview::WARPVIEW_BACKEND
