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

__global__ void shared_strided_kernel(std::uint32_t* out, std::uint32_t stride) {
  __shared__ std::uint32_t words[32 * 32];
  for (std::uint32_t i = threadIdx.x; i < 32 * 32; i += 32) words[i] = i;
  __syncthreads();
  out[threadIdx.x] = words[threadIdx.x * stride];
}

__global__ void up_sweep_kernel(std::uint32_t* sum, std::uint32_t leaves, std::uint32_t padding) {
  __shared__ std::uint32_t tree[1024];
  const auto place = [padding](std::uint32_t i) { return padding > 0 ? i + i / padding : i; };
  const std::uint32_t i = threadIdx.x;
  tree[place(i)] = 1;
  tree[place(i + leaves / 2)] = 1;
  std::uint32_t distance = 1;
  for (std::uint32_t pairs = leaves / 2; pairs > 0; pairs /= 2) {
    __syncthreads();
    if (i < pairs) {
      tree[place((2 * i + 2) * distance - 1)] += tree[place((2 * i + 1) * distance - 1)];
      simt::note_operator();
    }
    distance *= 2;
  }
  __syncthreads();
  if (i == 0) *sum = tree[place(leaves - 1)];
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
        [](Stream& stream, std::uint32_t* memory, std::uint32_t stride) {
          launch(stream, KERNEL(shared_strided_kernel), {1, 32}, memory, stride);
        },
    .up_sweep =
        [](Stream& stream, std::uint32_t* memory, std::uint32_t leaves, std::uint32_t padding) {
          launch(stream, KERNEL(up_sweep_kernel), {1, leaves / 2}, memory, leaves, padding);
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
