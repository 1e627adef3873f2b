// The most items that each primitive takes: no variant takes one more, and at the limit no number
// wraps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "gpu/lab/experiment.h"
#include "gpu/limits.h"
#include "gpu/primitives/block_scan/block_scan.h"
#include "gpu/primitives/branches/branches.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/primitives/chain/chain.h"
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
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

// Arguments for this many items, without memory: all that a measuring Scratch needs.
template <class Args>
Args arguments(const BackendTable& table, std::uint32_t items) {
  Args args{};
  if constexpr (requires { args.bvh; }) args.bvh.capacity = items;
  if constexpr (requires { args.n; }) args.n = items;
  if constexpr (requires { args.rows; }) {
    args.rows = items;
    args.inner = args.columns = 1;
  }
  if constexpr (requires { args.scan; })
    args.scan = table.get<Primitive::scan>(default_variant(Primitive::scan, Backend::cpu));
  if constexpr (requires { args.sort; })
    args.sort = table.get<Primitive::sort>(default_variant(Primitive::sort, Backend::cpu));
  if constexpr (requires { args.banks; }) args.operation = BlockScanOperation::sum_bits;
  if constexpr (std::is_same_v<Args, HashMapArgs>) {
    static HashTable hash_table;
    hash_table.slots = std::max(items / 4 * 4, 4U);
    args.table = &hash_table;
  }
  if constexpr (requires { args.cell_side; }) {
    args.radius = args.cell_side = 1.0F;
    args.slots = cell_slots(items);
    args.box = {{0, 0, 0}, {10, 10, 10}};
  }
  return args;
}

template <Primitive primitive, class Args>
void check_limit(Device& device) {
  using Function = typename FunctionOf<primitive>::Type;
  const BackendTable& table = device.table();
  const auto stream = device.create_stream();
  // The scratch memory for this many items.
  const auto measured = [&](Function* function, std::uint32_t items) {
    Scratch scratch;
    if constexpr (std::is_same_v<Function, Runs<Args>>)
      function(*stream, arguments<Args>(table, items), scratch);
    else
      function(*stream, arguments<Args>(table, items));
    return scratch.used();
  };
  for (const VariantId variant : variants_of(primitive)) {
    if (!why_unavailable(*variant, device.info()).empty()) continue;
    SCOPED_TRACE(std::string(to_string(primitive)) + "=" + variant->name);
    const std::uint32_t most = lab::most_items(variant);
    EXPECT_LE(most, limit_of(primitive));
    Function* const function = table.get<primitive>(variant);
    EXPECT_THROW(measured(function, most + 1), Error);
    EXPECT_THROW(measured(function, std::numeric_limits<std::uint32_t>::max()), Error);
    EXPECT_FALSE(lab::why_not(variant, 0, device.info(), most + 1).empty());
    // Variants that prepare would allocate memory now.
    if constexpr (std::is_same_v<Function, Runs<Args>>) {
      std::size_t half = 0;
      std::size_t all = 0;
      EXPECT_NO_THROW(half = measured(function, most / 2));
      EXPECT_NO_THROW(all = measured(function, most));
      // About twice as much where the memory grows with the items, otherwise as much as for half of
      // them.
      if (half > 1U << 20U) {
        EXPECT_GT(all, half + half / 2);
      }
      EXPECT_GE(all, half);
    }
  }
}

TEST(Limits, HoldForEveryVariant) {
  for (const TestDevice& on : devices_for(100'000)) {
    SCOPED_TRACE(on.name);
#define PRIMITIVE(name, Args, ...) check_limit<Primitive::name, Args>(*on.device);
#include "gpu/primitives.def"
#undef PRIMITIVE
  }
}

TEST(Limits, ErrorsNameTheRequestAndTheRemedy) {
  try {
    check_items(Primitive::scan, 1ULL << 31U);
    ADD_FAILURE() << "was not refused";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "prefix sum of 2147483648 items: every variant takes 2147483647 at most. Give it "
                 "fewer, or the input in parts");
  }
  EXPECT_NO_THROW(check_items(Primitive::scan, (1ULL << 31U) - 1));
}

}  // namespace
}  // namespace warpview::test
