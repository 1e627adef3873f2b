#include "tests/counters/patterns.h"

#include "gpu/backend_table.h"
#include "gpu/warp/warp.h"

namespace warpview::cpu {

// The module has no variants.
const BackendTable& backend_table() {
  static const BackendTable none;
  return none;
}

namespace {

__global__ void strided_kernel(const std::uint32_t* in, std::uint32_t* out, std::uint32_t stride) {
  out[threadIdx.x] = in[threadIdx.x * stride];
}

struct alignas(16) Four {
  std::uint32_t word[4];
};
__global__ void wide_kernel(const Four* in, Four* out) { out[threadIdx.x] = in[threadIdx.x]; }

constexpr std::uint32_t shared_bytes = 2048 * 4;

template <class Word>
__global__ void shared_strided_kernel(Word* out, std::uint32_t stride) {
  constexpr std::uint32_t count = shared_bytes / sizeof(Word);
  __shared__ Word words[count];
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) words[i] = i;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x * stride];
}

__global__ void atomics_kernel(std::uint32_t* word) {
  atomicAdd(word, 1U);
  __syncthreads();
  __syncthreads();
  if (threadIdx.x % 2 == 0) atomicMax(word, 0U);
  __syncthreads();
}

__global__ void collectives_kernel(std::uint32_t* out) {
  std::uint32_t value = threadIdx.x;
  for (unsigned step = 1; step < 32; step *= 2)
    value += warp::shuffle(warp::all_lanes(), value, (warp::lane() + step) % 32);
  const auto odd = warp::ballot(warp::all_lanes(), value % 2 != 0);
  out[threadIdx.x] = value + warp::count(odd);
}

__global__ void two_ways_kernel(std::uint32_t* out, std::uint32_t together) {
  const std::uint32_t i = threadIdx.x;
  if (i / together % 2 == 0)
    out[i] = i;
  else
    atomicAdd(&out[i], i);
}

__global__ void loop_kernel(std::uint32_t* out, std::uint32_t different) {
  const std::uint32_t i = threadIdx.x;
  for (std::uint32_t round = 0; round <= i % different; ++round) out[i + 32 * round] = round;
}

__global__ void grid_barrier_kernel(std::uint32_t* arrived, std::uint32_t rounds) {
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(arrived, 1U);
      while (load_acquire(arrived) < round * gridDim.x) backoff();
    }
    __syncthreads();
  }
}

constexpr test::Patterns patterns = {
    .strided =
        [](Stream& stream, std::uint32_t* memory, std::uint32_t stride) {
          launch(stream, KERNEL(strided_kernel), {1, 32}, memory, memory + 8192, stride);
        },
    .wide =
        [](Stream& stream, std::uint32_t* memory) {
          auto* const four = reinterpret_cast<Four*>(memory);
          launch(stream, KERNEL(wide_kernel), {1, 32}, four, four + 1024);
        },
    .shared_strided =
        [](Stream& stream, std::uint32_t* memory, std::uint32_t stride, unsigned threads) {
          launch(stream, KERNEL(shared_strided_kernel<std::uint32_t>), {1, threads}, memory,
                 stride);
        },
    .shared_wide =
        [](Stream& stream, std::uint32_t* memory, std::uint32_t stride) {
          launch(stream, KERNEL(shared_strided_kernel<std::uint64_t>), {1, 32},
                 reinterpret_cast<std::uint64_t*>(memory), stride);
        },
    .atomics =
        [](Stream& stream, std::uint32_t* memory) {
          launch(stream, KERNEL(atomics_kernel), {4, 64}, memory);
        },
    .collectives =
        [](Stream& stream, std::uint32_t* memory) {
          launch(stream, KERNEL(collectives_kernel), {1, 64}, memory);
        },
    .two_ways =
        [](Stream& stream, std::uint32_t* memory, std::uint32_t together) {
          launch(stream, KERNEL(two_ways_kernel), {1, 64}, memory, together);
        },
    .loop =
        [](Stream& stream, std::uint32_t* memory, std::uint32_t different) {
          launch(stream, KERNEL(loop_kernel), {1, 32}, memory, different);
        },
    .grid_barrier =
        [](Stream& stream, std::uint32_t* memory, unsigned blocks, std::uint32_t rounds) {
          launch_concurrent(stream, KERNEL(grid_barrier_kernel), {blocks, 32}, memory, rounds);
        },
};

}  // namespace
}  // namespace warpview::cpu

extern "C" [[gnu::visibility("default")]] const warpview::test::Patterns* warpview_patterns() {
  return &warpview::cpu::patterns;
}
