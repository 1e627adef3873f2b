// Kernels with one fault each, for the CPU device under sanitizers: planted_faults FAULT. Lanes
// meet at a barrier before it, so that the fault happens on a fiber's stack as in real kernels. The
// kernels for ThreadSanitizer also exist without their fault, and must then pass without a report.
// Forms of gpu/faults/faults.def are run, too: "missing_barrier=raw". Faulty versions of the
// catalogue's own kernels are in mutants.h.
#define WARPVIEW_BACKEND_CPU
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "gpu/faults/faults.h"
#include "gpu/faults/kernels/launch.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/kernel.h"
#include "gpu/warp/warp.h"
#include "tests/planted_faults/mutants.h"

namespace warpview::cpu {
namespace {

constexpr unsigned lanes = 64;

// The last lane writes past the end of the buffer.
__global__ void overrun_kernel(std::uint32_t* words) {
  __syncthreads();
  words[threadIdx.x + 1] = threadIdx.x;
}

// The last lane writes past the end of the block's shared memory.
__global__ void shared_overrun_kernel(std::uint32_t* words) {
  __shared__ std::uint32_t shared[lanes];
  shared[threadIdx.x + (words[0] == 0 ? 1 : 0)] = threadIdx.x;
  __syncthreads();
  words[threadIdx.x] = shared[threadIdx.x];
}

// The last lane's sum is too large for its type.
__global__ void overflow_kernel(std::uint32_t* words) {
  __syncthreads();
  const int near_the_limit = 2'147'483'647 - static_cast<int>(lanes) + 2;
  words[threadIdx.x] = static_cast<std::uint32_t>(near_the_limit + static_cast<int>(threadIdx.x));
}

// Exchanges within a warp. A faulty sync leaves out the half of the warp that the other half reads
// from.
template <bool faulty>
__global__ void warp_exchange_kernel(std::uint32_t* words) {
  __shared__ std::uint32_t shared[lanes];
  const unsigned half = warp::size() / 2;
  const warp::LaneMask low = (warp::LaneMask{1} << half) - 1;
  const warp::LaneMask mine = warp::lane() < half ? low : low << half;
  __syncthreads();
  shared[threadIdx.x] = threadIdx.x;
  warp::sync(faulty ? mine : warp::all_lanes());
  words[threadIdx.x] = shared[threadIdx.x ^ half];
}

// Neighbours of a warp meet in a collective. Unless it is a sync it orders no memory.
enum class Meeting { ballot, shuffle, both_and_sync };
template <Meeting meeting>
__global__ void collective_kernel(std::uint32_t* words) {
  __shared__ std::uint32_t shared[lanes];
  __syncthreads();
  shared[threadIdx.x] = threadIdx.x;
  std::uint32_t value = 0;
  if (meeting != Meeting::shuffle && warp::any(warp::all_lanes(), threadIdx.x == 0)) value = 1;
  if (meeting != Meeting::ballot) value += warp::shuffle_xor(warp::all_lanes(), threadIdx.x, 1);
  if (meeting == Meeting::both_and_sync) warp::sync(warp::all_lanes());
  words[threadIdx.x] = shared[threadIdx.x ^ 1U] + value;
}

// A sync orders nothing between warps.
__global__ void other_warp_kernel(std::uint32_t* words) {
  __shared__ std::uint32_t shared[lanes];
  __syncthreads();
  shared[threadIdx.x] = threadIdx.x;
  warp::sync(warp::all_lanes());
  words[threadIdx.x] = shared[lanes - 1 - threadIdx.x];
}

// The block that gets the first of two tickets writes a word for the other and sets a flag. It
// stays until the other has read the word: otherwise one OS thread might run both, one after the
// other. It publishes by a release and an acquire; a relaxed load is not an acquire.
template <bool faulty>
__global__ void release_kernel(std::uint32_t* words) {
  __shared__ std::uint32_t ticket;
  std::uint32_t* published = &words[1];
  std::uint32_t* consumed = &words[2];
  std::uint32_t* datum = &words[lanes - 1];
  if (threadIdx.x == 0) ticket = atomicAdd(&words[0], 1U);
  __syncthreads();
  if (threadIdx.x != 0) return;
  if (ticket == 0) {
    *datum = 1;
    store_release(published, 1U);
    while (load_relaxed(consumed) == 0) backoff();
  } else {
    while ((faulty ? load_relaxed(published) : load_acquire(published)) == 0) backoff();
    words[lanes - 2] = *datum;
    store_relaxed(consumed, 1U);
  }
}

// Runs a form of a fault several times, as not every schedule shows it. False if the name is not
// that of a fault.
bool run_form(const std::string& name) {
  const std::size_t equals = std::min(name.find('='), name.size());
  if (!is_fault(name.substr(0, equals))) return false;
  const Fault& fault = find_fault(name.substr(0, equals));
  const FaultForm& form = find_form(fault, name.substr(std::min(equals + 1, name.size())));
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const auto device = open_cpu_device({.seed = seed, .workers = 4, .lockstep = fault.lockstep});
    const auto stream = device->create_stream();
    const auto zeros = [&](std::uint32_t words) {
      Buffer<std::uint32_t> buffer(*device, words);
      if (words > 0) stream->fill(buffer.data(), 0, buffer.bytes());
      return buffer;
    };
    Buffer<std::uint32_t> items(*device, fault.items);
    items.upload(*stream, std::vector<std::uint32_t>(fault.items, 1));
    const auto out = zeros(fault.results);
    const auto first = zeros(fault.arrays[0].words);
    const auto second = zeros(fault.arrays[1].words);
    launch_fault(*stream, static_cast<unsigned>(&form - fault_forms().data()),
                 {items.data(), out.data(), first.data(), second.data(), fault.items});
    stream->synchronize();
  }
  std::cout << "nothing was reported\n";
  return true;
}

int commit_fault(const std::string& fault) {
  const auto device = open_cpu_device();
  const auto stream = device->create_stream();
  const Buffer<std::uint32_t> words(*device, lanes);
  stream->fill(words.data(), 0, words.bytes());
  const Shape one_block(dim3(1), dim3(lanes));
  const Shape two_blocks(dim3(2), dim3(lanes));
  const auto run = [&](auto kernel) { launch(*stream, kernel, one_block, words.data()); };
  const auto run_two = [&](auto kernel) {
    launch_concurrent(*stream, kernel, two_blocks, words.data());
  };
  if (fault == "overrun")
    run(KERNEL(overrun_kernel));
  else if (fault == "shared_overrun")
    run(KERNEL(shared_overrun_kernel));
  else if (fault == "overflow")
    run(KERNEL(overflow_kernel));
  else if (fault == "narrow_sync")
    run(KERNEL(warp_exchange_kernel<true>));
  else if (fault == "sync")
    run(KERNEL(warp_exchange_kernel<false>));
  else if (fault == "other_warp")
    run(KERNEL(other_warp_kernel));
  else if (fault == "only_shuffle")
    run(KERNEL(collective_kernel<Meeting::shuffle>));
  else if (fault == "only_ballot")
    run(KERNEL(collective_kernel<Meeting::ballot>));
  else if (fault == "collectives_and_sync")
    run(KERNEL(collective_kernel<Meeting::both_and_sync>));
  else if (fault == "no_acquire")
    run_two(KERNEL(release_kernel<true>));
  else if (fault == "acquire")
    run_two(KERNEL(release_kernel<false>));
  else
    return 2;
  std::cout << "nothing was reported; the last word is " << words.download(*stream).back() << '\n';
  return 0;
}

}  // namespace
}  // namespace warpview::cpu

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  if (warpview::cpu::run_form(argv[1]) || warpview::test::run_row(argv[1])) return 0;
  return warpview::cpu::commit_fault(argv[1]);
}
