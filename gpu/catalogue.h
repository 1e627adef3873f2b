// The catalogue: every primitive, every variant, and what each backend implements of them.
//
// The primitives stand in gpu/primitives.def, their variants in gpu/catalogue.def. Combo boxes,
// `--variant`, the laboratory, the tests' parameter lists, the benchmark's rows and the index of
// docs/primitives are made from `variants()`; `Device::table()` gives the functions behind them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/bvh/bvh.h"
#include "gpu/dedup/dedup.h"
#include "gpu/hash/hash_map.h"
#include "gpu/l2/l2.h"
#include "gpu/morton/morton.h"
#include "gpu/pipeline/mesh_kernels.h"
#include "gpu/reduce/reduce.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/prepared.h"
#include "gpu/runtime/workspace.h"
#include "gpu/scan/scan.h"
#include "gpu/sort/sort.h"

namespace warpview {

#define PRIMITIVE(name, Args, ...) struct Args;
#include "gpu/primitives.def"
#undef PRIMITIVE

enum class Primitive {
#define PRIMITIVE(name, ...) name,
#include "gpu/primitives.def"
#undef PRIMITIVE
};
inline constexpr int primitive_count = 0
#define PRIMITIVE(...) +1
#include "gpu/primitives.def"
#undef PRIMITIVE
    ;
// The mesh pipeline's stages choose among the variants of the first ones.
inline constexpr int pipeline_primitive_count = 7;
constexpr bool in_pipeline(Primitive primitive) {
  return static_cast<int>(primitive) < pipeline_primitive_count;
}

// Types of host functions. One that Runs is called once with a measuring Workspace and then with
// memory; it allocates nothing and never synchronises, so that it can be captured in a graph. One
// that Prepares does once what need not be done at each run (a graph, managed memory) and gives
// what runs.
template <class Args>
using Runs = void(Stream&, const Args&, Workspace&);
template <class Args>
using Prepares = std::unique_ptr<Prepared>(Stream&, const Args&);

// The function type of a primitive's variants.
template <Primitive>
struct FunctionOf;
#define PRIMITIVE(name, Args, Function, ...) \
  template <>                                \
  struct FunctionOf<Primitive::name> {       \
    using Type = Function<Args>;             \
  };
#include "gpu/primitives.def"
#undef PRIMITIVE

enum class Availability {
  everywhere,
  cuda_only,
  cuda_70,          // cuda, compute capability 7.0 or newer
  cuda_80,          // cuda, compute capability 8.0 or newer
  cuda_70_and_cpu,  // lanes of a warp make progress on their own
  cuda_and_cpu,
  cuda_and_hip,
  hip_only,
  cpu_only
};

// Does a variant give the same bits from run to run, for the same input on the same device?
enum class Determinism {
  same_bits,
  rounding_varies,  // floating-point sums are added up in another order; else the same bits
  order_varies      // the same items, in another order or other places
};

// What the bytes of an item depend on; see gpu/catalogue.def.
struct Traffic {
  double item = 4.0;
  double value = 4.0;
  double passes = 4.0;
};

struct Variant {
  Primitive primitive;
  const char* name;
  const char* summary;
  const char* source;
  const char* file;
  Availability available;
  Determinism determinism;
  int launches;  // 0: depends on the size or on the library
  // Fewest bytes an item that go through device memory.
  double (*bytes_per_item)(const Traffic& traffic);
};

// All rows, in the order of catalogue.def. The index of a row is its identity in BackendTable.
std::span<const Variant> variants();
// The rows of one primitive, as indices into variants().
std::vector<int> variants_of(Primitive primitive);
// Index of a row by names. Error names the primitive's variants when there is none such.
int find_variant(Primitive primitive, std::string_view name);
int default_variant(Primitive primitive);
// Is it the vendor's, the yardstick of the others?
bool is_library(int row);

const char* to_string(Primitive primitive);
// One line for people: "radix sort".
const char* title(Primitive primitive);
// Error names the primitives when there is none such.
Primitive find_primitive(std::string_view name);

// "cuda, compute capability 8.0 or newer"
const char* in_words(Availability available);
// "same bits from run to run"
const char* in_words(Determinism determinism);

// Why a variant cannot run, in one sentence; empty where it can. On a backend some device may.
std::string why_unavailable(const Variant& variant, Backend backend);
std::string why_unavailable(const Variant& variant, const DeviceInfo& device);

// One scheme: the chosen row of every primitive of the mesh pipeline.
struct VariantChoice {
  std::array<int, pipeline_primitive_count> row;

  VariantChoice();  // the defaults
  // Of a primitive that is in_pipeline(); std::out_of_range of another.
  int operator[](Primitive p) const { return row.at(static_cast<std::size_t>(p)); }
  int& operator[](Primitive p) { return row.at(static_cast<std::size_t>(p)); }
  bool operator==(const VariantChoice&) const = default;
  // Parses "primitive=name".
  void set(std::string_view assignment);
};

// Function pointers of one backend: a row's implementation, by its index in variants() (null where
// not available), and the pipeline kernels.
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

  // The function of row `row`, which must be a variant of `primitive`. Error when this backend has
  // none.
  template <Primitive primitive>
  typename FunctionOf<primitive>::Type* get(int row) const {
    return reinterpret_cast<typename FunctionOf<primitive>::Type*>(find(primitive, row));
  }

 private:
  Any find(Primitive primitive, int row) const;
};

// Properties of variants that the pipeline must know.
int morton_key_bits(int row);   // 32 or 64: type of the codes
int morton_code_bits(int row);  // 30 or 63: how many of them are used
bool build_fits(int row);       // does the builder compute boxes too?

}  // namespace warpview
