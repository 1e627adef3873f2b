// The catalogue: every primitive, every variant, and what each backend implements of them.
//
// The rows stand in gpu/catalogue.def. Combo boxes, `--variant`, the tests' parameter lists and the
// benchmark's rows are made from `variants()`; `Device::table()` gives the functions behind them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/bvh/bvh.h"
#include "gpu/dedup/dedup.h"
#include "gpu/morton/morton.h"
#include "gpu/pipeline/mesh_kernels.h"
#include "gpu/reduce/bounds.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/workspace.h"
#include "gpu/scan/scan.h"
#include "gpu/sort/sort.h"

namespace warpview {

// In the order of the pipeline.
enum class Primitive { scan, dedup, bounds, morton, sort, build, refit };
inline constexpr int primitive_count = 7;

enum class Availability { everywhere, cuda_only, hip_only, cpu_only };

struct Variant {
  Primitive primitive;
  const char* name;
  const char* summary;
  const char* source;
  const char* file;
  Availability available;
  int launches;  // 0: depends on the size or on the library
  // Fewest bytes an item for keys of `key` bytes sorted by `passes` 8-bit digits.
  double (*bytes_per_item)(double key, double passes);
};

// All rows, in the order of catalogue.def. The index of a row is its identity in BackendTable.
std::span<const Variant> variants();
// The rows of one primitive, as indices into variants().
std::vector<int> variants_of(Primitive primitive);
// Index of a row by names. Error names the primitive's variants when there is none such.
int find_variant(Primitive primitive, std::string_view name);
int default_variant(Primitive primitive);

const char* to_string(Primitive primitive);
// One line for people: "radix sort".
const char* title(Primitive primitive);
// Error names the primitives when there is none such.
Primitive find_primitive(std::string_view name);

// Why a variant cannot run on a backend, in one sentence; empty where it can.
std::string why_unavailable(const Variant& variant, Backend backend);

// One scheme: the chosen row of every primitive.
struct VariantChoice {
  std::array<int, primitive_count> row;

  VariantChoice();  // the defaults
  int operator[](Primitive p) const { return row[static_cast<std::size_t>(p)]; }
  int& operator[](Primitive p) { return row[static_cast<std::size_t>(p)]; }
  bool operator==(const VariantChoice&) const = default;
  // Parses "primitive=name".
  void set(std::string_view assignment);
};

// Function pointers of one backend: a row's implementation, by its index in variants(), in the
// array of its primitive's type (null elsewhere and where not available), and the pipeline kernels.
struct BackendTable {
  using Any = void (*)();
  std::vector<Any> functions;  // by row; cast back by `get`

  void (*drop)(Stream&, const DropArgs&, Workspace&) = nullptr;
  void (*triangle_boxes)(Stream&, const TriangleBoxArgs&) = nullptr;
  void (*deform)(Stream&, const DeformArgs&) = nullptr;
  void (*tree_statistics)(Stream&, const TreeStatisticsArgs&) = nullptr;
  void (*write_mesh)(Stream&, const WriteMeshArgs&) = nullptr;
  void (*write_boxes)(Stream&, const WriteBoxesArgs&) = nullptr;
  void (*write_curve)(Stream&, const WriteCurveArgs&) = nullptr;

  // The function of row `row`, which must be a row of a primitive with this function type.
  // Error when this backend has none.
  ScanFunction* scan(int row) const;
  DedupFunction* dedup(int row) const;
  BoundsFunction* bounds(int row) const;
  MortonFunction* morton(int row) const;
  SortFunction* sort(int row) const;
  BuildFunction* build(int row) const;
  RefitFunction* refit(int row) const;
};

// Properties of variants that the pipeline must know.
int morton_key_bits(int row);   // 32 or 64: type of the codes
int morton_code_bits(int row);  // 30 or 63: how many of them are used
bool build_fits(int row);       // does the builder compute boxes too?

}  // namespace warpview
