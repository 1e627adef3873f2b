// Hash map of a library: oneTBB's concurrent_hash_map, on the cpu device only.
//
// Neither CUDA's toolkit nor ROCm has a hash table (NVIDIA's cuCollections is a separate project),
// so on a GPU there is no vendor's baseline. oneTBB's table allocates its own memory, chains
// entries in buckets and grows: it is never full.
#include "gpu/primitives/hash_map/hash_map.h"
#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CPU)

#include <tbb/blocked_range.h>
#include <tbb/concurrent_hash_map.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>

namespace warpview::WARPVIEW_BACKEND {

namespace {

using Map = tbb::concurrent_hash_map<std::uint64_t, std::uint32_t>;
constexpr std::uint64_t reserved_key = ~std::uint64_t{0};

// A key of either width, widened; the reserved key of one becomes that of the other.
std::uint64_t key_at(const HashMapArgs& args, std::size_t i) {
  if (args.table->key_bits == 64) return static_cast<const std::uint64_t*>(args.keys)[i];
  const std::uint32_t key = static_cast<const std::uint32_t*>(args.keys)[i];
  return key == ~std::uint32_t{0} ? reserved_key : key;
}

void insert(Map& map, const HashMapArgs& args, std::size_t i) {
  const std::uint64_t key = key_at(args, i);
  const bool count = args.operation == HashOperation::count;
  const std::uint32_t value = count ? 0 : args.values[i];
  if (key == reserved_key) {
    std::atomic_ref(*args.not_fitted).fetch_add(1, std::memory_order_relaxed);
    if (args.operation == HashOperation::find_or_insert) args.results[i] = no_value;
    return;
  }
  Map::accessor at;
  map.insert(at, {key, value});
  if (count) ++at->second;
  if (args.operation == HashOperation::insert) at->second = std::min(at->second, value);
  if (args.operation == HashOperation::find_or_insert) args.results[i] = at->second;
}

void find(const Map& map, const HashMapArgs& args, std::size_t i) {
  Map::const_accessor at;
  args.results[i] = map.find(at, key_at(args, i)) ? at->second : no_value;
}

void list(const Map& map, const HashMapArgs& args) {
  std::uint32_t place = 0;
  for (const auto& [key, value] : map) {
    if (args.table->key_bits == 32)
      static_cast<std::uint32_t*>(args.listed_keys)[place] = static_cast<std::uint32_t>(key);
    else
      static_cast<std::uint64_t*>(args.listed_keys)[place] = key;
    args.listed_values[place++] = value;
  }
  *args.listed_count = place;
}

}  // namespace

void hash_map_library(Stream& stream, const HashMapArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  if (!args.table->host) args.table->host = std::make_shared<Map>();
  run_host(stream, [args, map = std::static_pointer_cast<Map>(args.table->host)] {
    if (args.operation == HashOperation::list) {
      list(*map, args);
      return;
    }
    const bool only_find = args.operation == HashOperation::find;
    if (!only_find) *args.not_fitted = 0;
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, args.n, 1024), [&](const auto& range) {
      for (std::size_t i = range.begin(); i != range.end(); ++i) {
        if (only_find)
          find(*map, args, i);
        else
          insert(*map, args, i);
      }
    });
  });
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
