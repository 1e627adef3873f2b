#include "gpu/catalogue.h"

#include <stdexcept>

namespace warpview {
namespace {

constexpr Variant rows[] = {
#define VARIANT(primitive, name, function, available, launches, bytes, source, summary, file) \
  {Primitive::primitive,                                                                      \
   #name,                                                                                     \
   summary,                                                                                   \
   source,                                                                                    \
   file,                                                                                      \
   Availability::available,                                                                   \
   launches,                                                                                  \
   []([[maybe_unused]] double key, [[maybe_unused]] double passes) -> double { return bytes; }},
#include "gpu/catalogue.def"
#undef VARIANT
};
constexpr int row_count = static_cast<int>(std::size(rows));

struct PrimitiveInfo {
  const char* name;
  const char* title;
  const char* default_variant;
};

// In the order of `Primitive`.
constexpr std::array<PrimitiveInfo, primitive_count> primitives = {{
    {"scan", "prefix sum", "lookback"},
    {"dedup", "vertex de-duplication", "hash"},
    {"bounds", "bounds by reduction", "shuffle"},
    {"morton", "Morton codes", "bits30"},
    {"sort", "radix sort", "onesweep"},
    {"build", "BVH build", "karras"},
    {"refit", "BVH refit", "atomic"},
}};

constexpr const PrimitiveInfo& info(Primitive primitive) {
  return primitives[static_cast<std::size_t>(primitive)];
}

constexpr int find_row(Primitive primitive, std::string_view name) {
  for (int row = 0; row < row_count; ++row)
    if (rows[row].primitive == primitive && name == rows[row].name) return row;
  return -1;
}

constexpr bool every_default_has_a_row() {
  for (int p = 0; p < primitive_count; ++p)
    if (find_row(static_cast<Primitive>(p), primitives[p].default_variant) < 0) return false;
  return true;
}
static_assert(every_default_has_a_row(), "catalogue.def lacks the default variant of a primitive");

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

const char* availability_in_words(Availability available) {
  switch (available) {
    case Availability::everywhere:
      return "everywhere";
    case Availability::cuda_only:
      return "only on cuda";
    case Availability::hip_only:
      return "only on hip";
    case Availability::cpu_only:
      return "only on cpu";
  }
  return "nowhere";
}

bool is_available(const Variant& variant, Backend backend) {
  switch (variant.available) {
    case Availability::everywhere:
      return true;
    case Availability::cuda_only:
      return backend == Backend::cuda;
    case Availability::hip_only:
      return backend == Backend::hip;
    case Availability::cpu_only:
      return backend == Backend::cpu;
  }
  return false;
}

// The implementation of a row, cast back to its primitive's type.
template <class Function>
Function* get(const BackendTable& table, int row, Primitive primitive) {
  if (row < 0 || row >= row_count || rows[row].primitive != primitive)
    throw std::logic_error("row " + std::to_string(row) + " of the catalogue is no variant of " +
                           info(primitive).name);
  const BackendTable::Any function = table.functions[static_cast<std::size_t>(row)];
  if (!function)
    throw Error(std::string("variant ") + info(primitive).name + "=" + rows[row].name,
                std::string("it exists ") + availability_in_words(rows[row].available),
                std::string("Choose one of ") + names_of_variants(primitive));
  return reinterpret_cast<Function*>(function);
}

}  // namespace

std::span<const Variant> variants() { return rows; }

std::vector<int> variants_of(Primitive primitive) {
  std::vector<int> found;
  for (int row = 0; row < row_count; ++row)
    if (rows[row].primitive == primitive) found.push_back(row);
  return found;
}

int find_variant(Primitive primitive, std::string_view name) {
  const int row = find_row(primitive, name);
  if (row < 0)
    throw Error("variant \"" + std::string(name) + "\"",
                std::string(info(primitive).name) + " has no such variant",
                "Choose one of " + names_of_variants(primitive));
  return row;
}

int default_variant(Primitive primitive) {
  return find_row(primitive, info(primitive).default_variant);
}

const char* to_string(Primitive primitive) { return info(primitive).name; }

const char* title(Primitive primitive) { return info(primitive).title; }

Primitive find_primitive(std::string_view name) {
  std::string names;
  for (int p = 0; p < primitive_count; ++p) {
    if (name == primitives[static_cast<std::size_t>(p)].name) return static_cast<Primitive>(p);
    if (p > 0) names += ", ";
    names += primitives[static_cast<std::size_t>(p)].name;
  }
  throw Error("primitive \"" + std::string(name) + "\"", "there is no such primitive",
              "Choose one of " + names);
}

std::string why_unavailable(const Variant& variant, Backend backend) {
  if (is_available(variant, backend)) return {};
  return std::string("exists ") + availability_in_words(variant.available);
}

VariantChoice::VariantChoice() {
  for (int p = 0; p < primitive_count; ++p)
    row[static_cast<std::size_t>(p)] = default_variant(static_cast<Primitive>(p));
}

void VariantChoice::set(std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw Error("variant \"" + std::string(assignment) + "\"", "there is no '=' in it",
                "Write it as primitive=name, for example sort=onesweep");
  const Primitive primitive = find_primitive(assignment.substr(0, equals));
  (*this)[primitive] = find_variant(primitive, assignment.substr(equals + 1));
}

ScanFunction* BackendTable::scan(int row) const {
  return get<ScanFunction>(*this, row, Primitive::scan);
}
DedupFunction* BackendTable::dedup(int row) const {
  return get<DedupFunction>(*this, row, Primitive::dedup);
}
BoundsFunction* BackendTable::bounds(int row) const {
  return get<BoundsFunction>(*this, row, Primitive::bounds);
}
MortonFunction* BackendTable::morton(int row) const {
  return get<MortonFunction>(*this, row, Primitive::morton);
}
SortFunction* BackendTable::sort(int row) const {
  return get<SortFunction>(*this, row, Primitive::sort);
}
BuildFunction* BackendTable::build(int row) const {
  return get<BuildFunction>(*this, row, Primitive::build);
}
RefitFunction* BackendTable::refit(int row) const {
  return get<RefitFunction>(*this, row, Primitive::refit);
}

int morton_key_bits(int row) { return morton_code_bits(row) > 32 ? 64 : 32; }

int morton_code_bits(int row) { return row == find_row(Primitive::morton, "bits63") ? 63 : 30; }

bool build_fits(int row) { return row == find_row(Primitive::build, "apetrei"); }

}  // namespace warpview
