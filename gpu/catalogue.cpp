#include "gpu/catalogue.h"

#include <stdexcept>

#include "gpu/primitives/block_scan/block_scan.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/primitives/enqueue/enqueue.h"
#include "gpu/primitives/l2/l2.h"
#include "gpu/primitives/layout/layout.h"
#include "gpu/primitives/matrix/matrix.h"
#include "gpu/primitives/memory/memory.h"
#include "gpu/primitives/pool/pool.h"
#include "gpu/primitives/queue/queue.h"
#include "gpu/primitives/reduce/reduce.h"
#include "gpu/primitives/reuse/reuse.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/primitives/spatial_hash/spatial_hash.h"
#include "gpu/runtime/suggestion.h"

namespace warpview {
namespace {

// Where to read a variant: in the file of its name, unless its row names another.
constexpr const char* file_of(const char* by_name) { return by_name; }
constexpr const char* file_of(const char* /*by_name*/, const char* by_row) { return by_row; }

constexpr Variant rows[] = {
#define VARIANT(primitive, name, function, where, determinism, traits, launches, bytes, source, \
                summary, ...)                                                                   \
  {Primitive::primitive,                                                                        \
   #name,                                                                                       \
   summary,                                                                                     \
   source,                                                                                      \
   file_of("gpu/primitives/" #primitive "/" #name ".cu" __VA_OPT__(, ) __VA_ARGS__),            \
   available::where,                                                                            \
   Determinism::determinism,                                                                    \
   traits,                                                                                      \
   launches,                                                                                    \
   [](const Traffic& traffic) -> double {                                                       \
     [[maybe_unused]] const auto [item, value, passes] = traffic;                               \
     return bytes;                                                                              \
   }},
#include "gpu/catalogue.def"
#undef VARIANT
};
constexpr int row_count = static_cast<int>(std::size(rows));

// The names of each primitive's default variants.
struct Defaults {
  // NOLINTNEXTLINE(google-explicit-constructor): a column of gpu/primitives.def
  constexpr Defaults(const char* everywhere) : on_gpus(everywhere), on_cpu(everywhere) {}
  constexpr Defaults(const char* gpus, const char* cpu) : on_gpus(gpus), on_cpu(cpu) {}
  const char* on_gpus;
  const char* on_cpu;
};

struct PrimitiveInfo {
  const char* name;
  const char* title;
  Defaults defaults;
  double (*bytes_needed)(const Traffic& traffic);
};

constexpr std::array<PrimitiveInfo, primitive_count> primitives = {{
#define PRIMITIVE(name, Args, Function, defaults, most_items, needed, title) \
  {#name, title, defaults, [](const Traffic& traffic) -> double {            \
     [[maybe_unused]] const auto [item, value, passes] = traffic;            \
     return needed;                                                          \
   }},
#include "gpu/primitives.def"
#undef PRIMITIVE
}};

constexpr const PrimitiveInfo& info(Primitive primitive) {
  return primitives[static_cast<std::size_t>(primitive)];
}

constexpr int find_row(Primitive primitive, std::string_view name) {
  for (int row = 0; row < row_count; ++row)
    if (rows[row].primitive == primitive && name == rows[row].name) return row;
  return -1;
}

constexpr int default_row(Primitive primitive, Backend backend) {
  const Defaults& defaults = info(primitive).defaults;
  return find_row(primitive, backend == Backend::cpu ? defaults.on_cpu : defaults.on_gpus);
}

constexpr bool every_default_is_there() {
  for (int p = 0; p < primitive_count; ++p)
    for (const Backend backend : {Backend::cuda, Backend::hip, Backend::cpu}) {
      const int row = default_row(static_cast<Primitive>(p), backend);
      if (row < 0 || !rows[row].available.on(backend)) return false;
    }
  return true;
}
static_assert(every_default_is_there(),
              "catalogue.def lacks the default variant of a primitive, or a backend does");

constexpr bool rows_stand_together() {
  for (int row = 1; row < row_count; ++row) {
    if (rows[row].primitive == rows[row - 1].primitive) continue;
    for (int earlier = 0; earlier < row - 1; ++earlier)
      if (rows[earlier].primitive == rows[row].primitive) return false;
  }
  return true;
}
static_assert(rows_stand_together(), "rows of one primitive must stand together in catalogue.def");

// "a, b, c"
std::string names_of_variants(Primitive primitive) {
  std::string names;
  for (const int row : variants_of(primitive)) {
    if (!names.empty()) names += ", ";
    names += rows[row].name;
  }
  return names;
}

// "8.0" of 80.
std::string capability_in_words(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

}  // namespace

std::span<const Variant> variants() { return rows; }

const Variant& variant_at(int row) { return rows[static_cast<std::size_t>(row)]; }

std::vector<int> variants_of(Primitive primitive) {
  std::vector<int> found;
  for (int row = 0; row < row_count; ++row)
    if (rows[row].primitive == primitive) found.push_back(row);
  return found;
}

int find_variant(Primitive primitive, std::string_view name) {
  const int row = find_row(primitive, name);
  if (row < 0) {
    std::vector<std::string_view> names;
    for (const int other : variants_of(primitive)) names.emplace_back(rows[other].name);
    throw ChoiceError("variant \"" + std::string(name) + "\"",
                      std::string(info(primitive).name) + " has no such variant",
                      did_you_mean(name, names) + "Choose one of " + names_of_variants(primitive));
  }
  return row;
}

int default_variant(Primitive primitive, Backend backend) {
  return default_row(primitive, backend);
}

const char* to_string(Primitive primitive) { return info(primitive).name; }

const char* title(Primitive primitive) { return info(primitive).title; }

Primitive find_primitive(std::string_view name) {
  std::vector<std::string_view> known;
  std::string names;
  for (int p = 0; p < primitive_count; ++p) {
    if (name == primitives[static_cast<std::size_t>(p)].name) return static_cast<Primitive>(p);
    known.emplace_back(primitives[static_cast<std::size_t>(p)].name);
    names += (p > 0 ? ", " : "") + std::string(known.back());
  }
  throw ChoiceError("primitive \"" + std::string(name) + "\"", "there is no such primitive",
                    did_you_mean(name, known) + "Choose one of " + names);
}

double least_bytes(Primitive primitive, const Traffic& traffic) {
  return info(primitive).bytes_needed(traffic);
}

bool is_library(int row) {
  return std::string_view(rows[static_cast<std::size_t>(row)].name) == "library";
}

std::string in_words(const Availability& available) {
  if (available.cuda && available.hip && available.cpu) return "everywhere";
  std::string words;
  for (const Backend backend : {Backend::cuda, Backend::hip, Backend::cpu}) {
    if (!available.on(backend)) continue;
    if (!words.empty())
      words += backend == Backend::cpu && available.capability > 0 ? ", and " : " and ";
    words += to_string(backend);
    if (backend == Backend::cuda && available.capability > 0)
      words += ", compute capability " + capability_in_words(available.capability) + " or newer";
  }
  return words;
}

const char* in_words(Determinism determinism) {
  switch (determinism) {
    case Determinism::same_bits:
      return "same bits from run to run";
    case Determinism::rounding_varies:
      return "rounding of floating-point sums varies from run to run";
    case Determinism::order_varies:
      return "order varies from run to run";
  }
  return "";
}

std::string why_unavailable(const Variant& variant, Backend backend) {
  if (variant.available.on(backend)) return {};
  return "exists only on " + in_words(variant.available);
}

std::string why_unavailable(const Variant& variant, const DeviceInfo& device) {
  if (device.backend == Backend::cuda && device.compute_capability < variant.available.capability)
    return "exists only on " + in_words(variant.available) + "; this one has " +
           capability_in_words(device.compute_capability);
  if (device.backend == Backend::cuda && device.compiled_for < variant.available.capability)
    return "exists only on " + in_words(variant.available) + "; this program was built for " +
           capability_in_words(device.compiled_for) + " (CUDAARCHS)";
  if (device.lockstep && variant.available.independent_lanes)
    return "needs independent thread scheduling; here the lanes of a warp advance in lockstep";
  return why_unavailable(variant, device.backend);
}

std::string why_unavailable(int row, const Device& device) {
  std::string why = why_unavailable(variant_at(row), device.info());
  if (why.empty() && !device.table().functions[static_cast<std::size_t>(row)])
    why = "is not on this device";
  return why;
}

BackendTable::Any BackendTable::find(Primitive primitive, int row) const {
  if (row < 0 || row >= row_count || rows[row].primitive != primitive)
    throw std::logic_error("row " + std::to_string(row) + " of the catalogue is not a variant of " +
                           info(primitive).name);
  const Any function = functions[static_cast<std::size_t>(row)];
  if (!function)
    throw Error(std::string("variant ") + info(primitive).name + "=" + rows[row].name,
                "it exists only on " + in_words(rows[row].available),
                std::string("Choose one of ") + names_of_variants(primitive));
  return function;
}

}  // namespace warpview
