// Collects what this backend implements: every row of the catalogue, and the steps.
#include "gpu/backend_table.h"

#include <algorithm>
#include <array>

#include "gpu/limits.h"
#include "gpu/primitives/block_scan/block_scan.h"
#include "gpu/primitives/branches/branches.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/primitives/chain/chain.h"
#include "gpu/primitives/collapse/wide_tree.h"
#include "gpu/primitives/counter/counter.h"
#include "gpu/primitives/dedup/dedup.h"
#include "gpu/primitives/enqueue/enqueue.h"
#include "gpu/primitives/expand/expand.h"
#include "gpu/primitives/hash_map/hash_map.h"
#include "gpu/primitives/hash_set/hash_set.h"
#include "gpu/primitives/l2/l2.h"
#include "gpu/primitives/latency/latency.h"
#include "gpu/primitives/layout/layout.h"
#include "gpu/primitives/lock/lock.h"
#include "gpu/primitives/matrix/matrix.h"
#include "gpu/primitives/memory/memory.h"
#include "gpu/primitives/morton/morton.h"
#include "gpu/primitives/optimise/optimise.h"
#include "gpu/primitives/partition/partition.h"
#include "gpu/primitives/persistent/persistent.h"
#include "gpu/primitives/pool/pool.h"
#include "gpu/primitives/queue/queue.h"
#include "gpu/primitives/reduce/reduce.h"
#include "gpu/primitives/reduce_by_key/reduce_by_key.h"
#include "gpu/primitives/reuse/reuse.h"
#include "gpu/primitives/run_length/run_length.h"
#include "gpu/primitives/scan/scan.h"
#include "gpu/primitives/schedule/schedule.h"
#include "gpu/primitives/select/select.h"
#include "gpu/primitives/signal/signal.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/primitives/spatial_hash/spatial_hash.h"
#include "gpu/primitives/staging/staging.h"
#include "gpu/primitives/trace/trace.h"
#include "gpu/primitives/vote/vote.h"
#include "gpu/variants.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cub/version.cuh>
#elif defined(WARPVIEW_BACKEND_HIP)
#include <rocprim/rocprim_version.hpp>
#else
#include <tbb/version.h>
#endif

namespace warpview::WARPVIEW_BACKEND {

#define STEP(name, Args) Runs<Args> name;
#include "gpu/steps.def"
#undef STEP

namespace {

// How many items the arguments ask for; for a matrix product, the elements of its largest matrix.
template <class Args>
std::uint64_t items_of(const Args& args) {
  return args.n;
}
std::uint64_t items_of(const BuildArgs& args) { return args.bvh.capacity; }
std::uint64_t items_of(const RefitArgs& args) { return args.bvh.capacity; }
std::uint64_t items_of(const OptimiseArgs& args) { return args.bvh.capacity; }
std::uint64_t items_of(const CollapseArgs& args) { return args.bvh.capacity; }
std::uint64_t items_of(const MatrixArgs& args) {
  const std::uint64_t rows = args.rows;
  const std::uint64_t columns = args.columns;
  return std::max({rows * args.inner, args.inner * columns, rows * columns});
}

// Wraps a variant's function: refuses more items than the primitive takes.
template <Primitive, auto function>
struct Limited;
template <Primitive primitive, class Result, class Args, class... Memory,
          Result (*function)(Stream&, const Args&, Memory&...)>
struct Limited<primitive, function> {
  static Result call(Stream& stream, const Args& args, Memory&... memory) {
    check_items(primitive, items_of(args));
    return function(stream, args, memory...);
  }
};

// "name 1.2.3"
std::string version_in_words(std::string words, const std::array<int, 3>& version) {
  return words + std::to_string(version[0]) + "." + std::to_string(version[1]) + "." +
         std::to_string(version[2]);
}

// What the figures of a device depend on besides the device.
std::string compiler_and_library() {
#if defined(WARPVIEW_BACKEND_CUDA)
  return version_in_words("nvcc ",
                          {__CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__}) +
         version_in_words(", CUB ",
                          {CUB_VERSION / 100000, CUB_VERSION / 100 % 1000, CUB_VERSION % 100});
#elif defined(WARPVIEW_BACKEND_HIP)
  return version_in_words("hipcc ", {HIP_VERSION_MAJOR, HIP_VERSION_MINOR, HIP_VERSION_PATCH}) +
         version_in_words(", rocPRIM ",
                          {ROCPRIM_VERSION_MAJOR, ROCPRIM_VERSION_MINOR, ROCPRIM_VERSION_PATCH});
#else
#if defined(__clang__)
  const std::string compiler = "clang ";
#else
  const std::string compiler = "GCC ";
#endif
  return compiler + __VERSION__ +
         version_in_words(", oneTBB ", {TBB_VERSION_MAJOR, TBB_VERSION_MINOR, TBB_VERSION_PATCH});
#endif
}

// A function in a discarded branch needs no definition on this backend.
BackendTable make_table() {
  static constexpr char module = 0;
  BackendTable table;
  table.module = &module;
  table.built_with = compiler_and_library();
#define VARIANT(primitive, name, title, function, where, ...)                                  \
  if constexpr (available::where.on(Backend::WARPVIEW_BACKEND))                                \
    table.functions.push_back(                                                                 \
        reinterpret_cast<BackendTable::Any>(&Limited<Primitive::primitive, &function>::call)); \
  else                                                                                         \
    table.functions.push_back(nullptr);
#include "gpu/catalogue.def"
#undef VARIANT
#define STEP(name, Args) table.steps.push_back(reinterpret_cast<BackendTable::Any>(&name));
#include "gpu/steps.def"
#undef STEP
  return table;
}

}  // namespace

const BackendTable& backend_table() {
  static const BackendTable table = make_table();
  return table;
}

}  // namespace warpview::WARPVIEW_BACKEND
