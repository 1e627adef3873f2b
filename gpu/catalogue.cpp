#include "gpu/catalogue.h"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>

#include "gpu/primitives/block_scan/block_scan.h"
#include "gpu/primitives/build/bvh.h"
#include "gpu/primitives/collapse/wide_tree.h"
#include "gpu/primitives/enqueue/enqueue.h"
#include "gpu/primitives/l2/l2.h"
#include "gpu/primitives/layout/layout.h"
#include "gpu/primitives/matrix/matrix.h"
#include "gpu/primitives/memory/memory.h"
#include "gpu/primitives/optimise/optimise.h"
#include "gpu/primitives/pool/pool.h"
#include "gpu/primitives/queue/queue.h"
#include "gpu/primitives/reduce/reduce.h"
#include "gpu/primitives/reuse/reuse.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/primitives/spatial_hash/spatial_hash.h"
#include "gpu/primitives/trace/trace.h"
#include "gpu/runtime/suggestion.h"

namespace warpview {
namespace {

// Where to read a variant: in the file of its name, unless its row names another.
constexpr const char* file_of(const char* by_name) { return by_name; }
constexpr const char* file_of(const char* /*by_name*/, const char* by_row) { return by_row; }

constexpr Variant rows[] = {
#define VARIANT(primitive, name, title, function, where, determinism, traits, launches, bytes, \
                source, summary, ...)                                                          \
  {Primitive::primitive,                                                                       \
   #name,                                                                                      \
   title,                                                                                      \
   summary,                                                                                    \
   source,                                                                                     \
   file_of("gpu/primitives/" #primitive "/" #name ".cu" __VA_OPT__(, ) __VA_ARGS__),           \
   available::where,                                                                           \
   Determinism::determinism,                                                                   \
   traits,                                                                                     \
   launches,                                                                                   \
   [](const Traffic& traffic) -> double {                                                      \
     [[maybe_unused]] const auto [item, value, passes] = traffic;                              \
     return bytes;                                                                             \
   }},
#include "gpu/catalogue.def"
#undef VARIANT
};
constexpr std::uint32_t row_count = std::size(rows);

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

constexpr std::optional<VariantId> find_row(Primitive primitive, std::string_view name) {
  for (std::uint32_t i = 0; i < row_count; ++i)
    if (rows[i].primitive == primitive && name == rows[i].name) return VariantId(i);
  return {};
}

constexpr std::optional<VariantId> default_row(Primitive primitive, Backend backend) {
  const Defaults& defaults = info(primitive).defaults;
  return find_row(primitive, backend == Backend::cpu ? defaults.on_cpu : defaults.on_gpus);
}

constexpr bool every_default_is_there() {
  for (int p = 0; p < primitive_count; ++p)
    for (const Backend backend : {Backend::cuda, Backend::hip, Backend::cpu}) {
      const std::optional<VariantId> row = default_row(static_cast<Primitive>(p), backend);
      if (!row || !rows[row->index()].available.on(backend)) return false;
    }
  return true;
}
static_assert(every_default_is_there(),
              "catalogue.def lacks the default variant of a primitive, or a backend does");

constexpr bool rows_stand_together() {
  for (std::uint32_t row = 1; row < row_count; ++row) {
    if (rows[row].primitive == rows[row - 1].primitive) continue;
    for (std::uint32_t earlier = 0; earlier < row - 1; ++earlier)
      if (rows[earlier].primitive == rows[row].primitive) return false;
  }
  return true;
}
static_assert(rows_stand_together(), "rows of one primitive must stand together in catalogue.def");

constexpr bool titles_are_short_and_differ() {
  constexpr std::size_t most_letters = 22;
  for (const Variant& row : rows) {
    if (std::string_view(row.title).size() > most_letters) return false;
    for (const Variant& other : rows)
      if (&other != &row && other.primitive == row.primitive &&
          std::string_view(other.title) == row.title)
        return false;
  }
  return true;
}
static_assert(titles_are_short_and_differ(), "titles in catalogue.def are too long, or two agree");

// Variants that were added. Addresses of elements stay.
struct AddedVariants {
  std::shared_mutex mutex;
  std::deque<Variant> variants;
  std::deque<std::string> texts;  // that their names and descriptions point into
  std::map<std::pair<const void*, VariantId>, BackendTable::Any> functions;  // by module

  const char* keep(const char* text) {
    texts.emplace_back(text ? text : "");
    return texts.back().c_str();
  }
};
AddedVariants& added_variants() {
  static AddedVariants added;
  return added;
}

// "a, b, c"
std::string names_of_variants(Primitive primitive) {
  std::string names;
  for (const VariantId variant : variants_of(primitive)) {
    if (!names.empty()) names += ", ";
    names += variant->name;
  }
  return names;
}

// "8.0" of 80.
std::string capability_in_words(int capability) {
  return std::to_string(capability / 10) + "." + std::to_string(capability % 10);
}

}  // namespace

const Variant& VariantId::operator*() const {
  if (index_ < row_count) return rows[index_];
  AddedVariants& added = added_variants();
  const std::shared_lock lock(added.mutex);
  return added.variants.at(index_ - row_count);
}

std::vector<VariantId> variants() {
  AddedVariants& added = added_variants();
  const std::shared_lock lock(added.mutex);
  std::vector<VariantId> all;
  for (std::uint32_t i = 0; i < row_count + added.variants.size(); ++i) all.emplace_back(i);
  return all;
}

std::vector<VariantId> variants_of(Primitive primitive) {
  std::vector<VariantId> found;
  for (const VariantId variant : variants())
    if (variant->primitive == primitive) found.push_back(variant);
  return found;
}

VariantId find_variant(Primitive primitive, std::string_view name) {
  std::vector<std::string_view> names;
  for (const VariantId variant : variants_of(primitive)) {
    if (name == variant->name) return variant;
    names.emplace_back(variant->name);
  }
  throw ChoiceError("variant \"" + std::string(name) + "\"",
                    std::string(info(primitive).name) + " has no such variant",
                    did_you_mean(name, names) + "Choose one of " + names_of_variants(primitive));
}

VariantId default_variant(Primitive primitive, Backend backend) {
  return *default_row(primitive, backend);
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

bool is_library(VariantId variant) { return std::string_view(variant->name) == "library"; }
bool runs_on_host(VariantId variant, Backend backend) {
  return backend == Backend::cpu && (is_library(variant) || variant->available.by_host);
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

std::string why_unavailable(VariantId variant, const Device& device) {
  std::string why = why_unavailable(*variant, device.info());
  if (why.empty() && !device.table().has(variant)) why = "is not on this device";
  return why;
}

BackendTable::Any BackendTable::any(VariantId variant) const {
  if (variant.index() < functions.size()) return functions[variant.index()];
  AddedVariants& added = added_variants();
  const std::shared_lock lock(added.mutex);
  const auto found = added.functions.find({module, variant});
  return found == added.functions.end() ? nullptr : found->second;
}

BackendTable::Any BackendTable::find(Primitive primitive, VariantId variant) const {
  if (variant->primitive != primitive)
    throw std::logic_error(std::string("variant ") + variant->name + " is none of " +
                           info(primitive).name);
  const Any function = any(variant);
  if (!function)
    throw Error(std::string("variant ") + info(primitive).name + "=" + variant->name,
                "it exists only on " + in_words(variant->available),
                std::string("Choose one of ") + names_of_variants(primitive));
  return function;
}

VariantId Catalogue::add(Primitive primitive, const Variant& variant, BackendTable::Any function) {
  if (find_row(primitive, variant.name))
    throw ChoiceError(std::string("a variant ") + info(primitive).name + "=" + variant.name,
                      "a built-in variant has this name", "Add it by another name");
  const Backend backend = device_.info().backend;
  AddedVariants& added = added_variants();
  const std::unique_lock lock(added.mutex);
  auto place = std::find_if(added.variants.begin(), added.variants.end(), [&](const Variant& each) {
    return each.primitive == primitive && std::string_view(each.name) == variant.name;
  });
  if (place == added.variants.end()) {
    added.variants.push_back(variant);
    place = std::prev(added.variants.end());
    place->primitive = primitive;
    place->available = {};
    for (const char** text : {&place->name, &place->summary, &place->source, &place->file})
      *text = added.keep(*text);
  }
  (backend == Backend::cuda  ? place->available.cuda
   : backend == Backend::hip ? place->available.hip
                             : place->available.cpu) = true;
  const VariantId id(row_count + static_cast<std::uint32_t>(place - added.variants.begin()));
  added.functions[{device_.table().module, id}] = function;
  return id;
}

Catalogue Device::catalogue() const { return Catalogue(*this); }

}  // namespace warpview
