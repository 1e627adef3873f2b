#include "tests/planted_faults/mutants.h"

#include <iostream>
#include <set>

#include "gpu/lab/experiment.h"
#include "gpu/primitives/scan/scan.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/runtime/cpu/cpu_device.h"
#include "tests/support/small_device.h"

#define MUTANT(name, primitive, variant, items)                 \
  namespace warpview::name {                                    \
  FunctionOf<Primitive::primitive>::Type primitive##_##variant; \
  }
#include "mutants.def"
#undef MUTANT

// Sound rows that a mutant falls back to where its blocks find no room, which the CPU device always
// has.
#define FALLS_BACK(mutant, Args, row)                            \
  namespace warpview::cpu {                                      \
  void row(Stream& stream, const Args& args, Scratch& scratch);  \
  }                                                              \
  namespace warpview::mutant {                                   \
  void row(Stream& stream, const Args& args, Scratch& scratch) { \
    cpu::row(stream, args, scratch);                             \
  }                                                              \
  }
FALLS_BACK(sums_without_release, ScanArgs, scan_lookback_shared)
FALLS_BACK(sums_without_release, ScanArgs, scan_reduce_then_scan)
FALLS_BACK(sums_without_acquire, ScanArgs, scan_lookback_shared)
FALLS_BACK(sums_without_acquire, ScanArgs, scan_reduce_then_scan)
FALLS_BACK(arrival_without_barrier, ScanArgs, scan_lookback_shared)
FALLS_BACK(arrival_without_barrier, ScanArgs, scan_reduce_then_scan)
FALLS_BACK(asked_too_early, ScanArgs, scan_lookback_shared)
FALLS_BACK(asked_too_early, ScanArgs, scan_reduce_then_scan)
FALLS_BACK(meeting_without_release, SortArgs, sort_onesweep)
FALLS_BACK(meeting_without_acquire, SortArgs, sort_onesweep)
#undef FALLS_BACK

namespace warpview::test {
namespace {

struct Mutant {
  const char* name;
  Primitive primitive;
  const char* variant;
  std::uint32_t items;
  BackendTable::Any function;
};

const Mutant mutants[] = {
#define MUTANT(name, primitive, variant, items)  \
  {#name, Primitive::primitive, #variant, items, \
   reinterpret_cast<BackendTable::Any>(&warpview::name::primitive##_##variant)},
#include "mutants.def"
#undef MUTANT
};

void run_often(VariantId variant, BackendTable::Any function, std::uint32_t items) {
  const lab::ExperimentKind& kind = lab::experiment(variant->primitive);
  // A mutant ends with its first report.
  const std::uint64_t seeds = function ? 20 : 8;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SmallDevice device(open_cpu_device({.warp_size = seed % 2 == 0 ? 64U : 32U,
                                        .seed = seed,
                                        .workers = 4,
                                        .late_publications = seed > seeds * 4 / 5}));
    if (function) device.replace_variant(variant, function);
    const auto stream = device.create_stream();
    for (int form = 0; form < static_cast<int>(kind.forms.size()); ++form) {
      if (!lab::why_not(variant, form, device.info()).empty()) continue;
      const auto experiment =
          kind.make({.device = device, .stream = *stream, .n = items, .form = form});
      std::string difference;
      try {
        difference = experiment->run_verified(variant);
      } catch (const Error& error) {
        difference = error.what();
      }
      if (difference.empty()) continue;
      std::cout << difference << '\n';
      return;
    }
  }
}

}  // namespace

bool run_row(const std::string& name) {
  for (const Mutant& mutant : mutants)
    if (name == mutant.name) {
      run_often(find_variant(mutant.primitive, mutant.variant), mutant.function, mutant.items);
      return true;
    }
  const std::size_t equals = name.find('=');
  if (equals == std::string::npos) return false;
  const VariantId variant =
      find_variant(find_primitive(name.substr(0, equals)), name.substr(equals + 1));
  std::set<std::uint32_t> sizes;
  for (const Mutant& mutant : mutants)
    if (variant == find_variant(mutant.primitive, mutant.variant)) sizes.insert(mutant.items);
  for (const std::uint32_t items : sizes) run_often(variant, nullptr, items);
  return !sizes.empty();
}

}  // namespace warpview::test
