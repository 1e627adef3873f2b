#include "gpu/catalogue.h"

#include <stdexcept>

namespace warpview {
namespace {

constexpr Variant rows[] = {
#define VARIANT(primitive, name, function, available, determinism, launches, bytes, source, \
                summary, file)                                                              \
  {Primitive::primitive,                                                                    \
   #name,                                                                                   \
   summary,                                                                                 \
   source,                                                                                  \
   file,                                                                                    \
   Availability::available,                                                                 \
   Determinism::determinism,                                                                \
   launches,                                                                                \
   [](const Traffic& traffic) -> double {                                                   \
     [[maybe_unused]] const auto [item, value, passes] = traffic;                           \
     return bytes;                                                                          \
   }},
#include "gpu/catalogue.def"
#undef VARIANT
};
constexpr int row_count = static_cast<int>(std::size(rows));

struct PrimitiveInfo {
  const char* name;
  const char* title;
  const char* default_variant;
};

constexpr std::array<PrimitiveInfo, primitive_count> primitives = {{
#define PRIMITIVE(name, Args, Function, default_variant, title) {#name, title, default_variant},
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

bool is_available(const Variant& variant, Backend backend) {
  switch (variant.available) {
    case Availability::everywhere:
      return true;
    case Availability::cuda_only:
    case Availability::cuda_70:
    case Availability::cuda_80:
      return backend == Backend::cuda;
    case Availability::cuda_and_cpu:
    case Availability::cuda_70_and_cpu:
      return backend == Backend::cuda || backend == Backend::cpu;
    case Availability::cuda_and_hip:
      return backend != Backend::cpu;
    case Availability::hip_only:
      return backend == Backend::hip;
    case Availability::cpu_only:
      return backend == Backend::cpu;
  }
  return false;
}

// Times ten, as DeviceInfo has it; 0 where any will do.
int least_compute_capability(Availability available) {
  switch (available) {
    case Availability::cuda_70:
    case Availability::cuda_70_and_cpu:
      return 70;
    case Availability::cuda_80:
      return 80;
    default:
      return 0;
  }
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

bool is_library(int row) {
  return std::string_view(rows[static_cast<std::size_t>(row)].name) == "library";
}

const char* in_words(Availability available) {
  switch (available) {
    case Availability::everywhere:
      return "everywhere";
    case Availability::cuda_only:
      return "cuda";
    case Availability::cuda_70:
      return "cuda, compute capability 7.0 or newer";
    case Availability::cuda_80:
      return "cuda, compute capability 8.0 or newer";
    case Availability::cuda_70_and_cpu:
      return "cuda, compute capability 7.0 or newer, and cpu";
    case Availability::cuda_and_cpu:
      return "cuda and cpu";
    case Availability::cuda_and_hip:
      return "cuda and hip";
    case Availability::hip_only:
      return "hip";
    case Availability::cpu_only:
      return "cpu";
  }
  return "nowhere";
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
  if (is_available(variant, backend)) return {};
  return std::string("exists only on ") + in_words(variant.available);
}

std::string why_unavailable(const Variant& variant, const DeviceInfo& device) {
  if (device.backend == Backend::cuda &&
      device.compute_capability < least_compute_capability(variant.available))
    return std::string("exists only on ") + in_words(variant.available) + "; this one has " +
           std::to_string(device.compute_capability / 10) + "." +
           std::to_string(device.compute_capability % 10);
  return why_unavailable(variant, device.backend);
}

VariantChoice::VariantChoice() {
  for (int p = 0; p < pipeline_primitive_count; ++p)
    row[static_cast<std::size_t>(p)] = default_variant(static_cast<Primitive>(p));
}

void VariantChoice::set(std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw Error("variant \"" + std::string(assignment) + "\"", "there is no '=' in it",
                "Write it as primitive=name, for example sort=onesweep");
  const Primitive primitive = find_primitive(assignment.substr(0, equals));
  if (!in_pipeline(primitive))
    throw Error("variant \"" + std::string(assignment) + "\"",
                std::string(info(primitive).name) + " is no stage of the mesh pipeline",
                "Its variants run side by side in the laboratory: warpview lab " +
                    std::string(info(primitive).name));
  (*this)[primitive] = find_variant(primitive, assignment.substr(equals + 1));
}

BackendTable::Any BackendTable::find(Primitive primitive, int row) const {
  if (row < 0 || row >= row_count || rows[row].primitive != primitive)
    throw std::logic_error("row " + std::to_string(row) + " of the catalogue is no variant of " +
                           info(primitive).name);
  const Any function = functions[static_cast<std::size_t>(row)];
  if (!function)
    throw Error(std::string("variant ") + info(primitive).name + "=" + rows[row].name,
                std::string("it exists only on ") + in_words(rows[row].available),
                std::string("Choose one of ") + names_of_variants(primitive));
  return function;
}

int morton_key_bits(int row) { return morton_code_bits(row) > 32 ? 64 : 32; }

int morton_code_bits(int row) { return row == find_row(Primitive::morton, "bits63") ? 63 : 30; }

bool build_fits(int row) { return row == find_row(Primitive::build, "apetrei"); }

}  // namespace warpview
