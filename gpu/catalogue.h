// The catalogue: every primitive, every variant, and what each backend implements of them.
//
// gpu/primitives.def lists the primitives, gpu/catalogue.def their variants, gpu/steps.def the
// kernels between primitives. Combo boxes, `--variant`, the laboratory, the tests' parameter lists,
// the benchmark's rows and the index of docs/primitives are made from `variants()`;
// `Device::table()` gives the functions behind them. A program can add variants while it runs
// (`Device::catalogue()`): all of these list an added variant as they list a built-in one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/runtime/device.h"
#include "gpu/runtime/prepared.h"
#include "gpu/runtime/scratch.h"

namespace warpview {

#define PRIMITIVE(name, Args, ...) struct Args;
#include "gpu/primitives.def"
#undef PRIMITIVE
#define STEP(name, Args) struct Args;
#include "gpu/steps.def"
#undef STEP

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

enum class Step {
#define STEP(name, ...) name,
#include "gpu/steps.def"
#undef STEP
};

// Types of host functions. A function that Runs is called once with a measuring Scratch and then
// with memory; it allocates nothing and never synchronises, so that it can be captured in a graph.
// A function that Prepares does once what need not be done at each run (a graph, managed memory)
// and returns an object that runs.
template <class Args>
using Runs = void(Stream&, const Args&, Scratch&);
template <class Args>
using Prepares = std::unique_ptr<Prepared>(Stream&, const Args&);

// The function type of a primitive's variants, and of a step.
template <Primitive>
struct FunctionOf;
#define PRIMITIVE(name, Args, Function, ...) \
  template <>                                \
  struct FunctionOf<Primitive::name> {       \
    using Type = Function<Args>;             \
  };
#include "gpu/primitives.def"
#undef PRIMITIVE
template <Step>
struct StepOf;
#define STEP(name, Args)      \
  template <>                 \
  struct StepOf<Step::name> { \
    using Type = Runs<Args>;  \
  };
#include "gpu/steps.def"
#undef STEP

// Where a variant exists.
struct Availability {
  bool cuda = false;
  bool hip = false;
  bool cpu = false;
  int capability = 0;  // of cuda, times ten: the lowest compute capability; 0: any
  // Does it need independent thread scheduling, so that a lane makes progress whatever the others
  // wait for?
  bool independent_lanes = false;
  bool by_host = false;  // is it host code, which launches no kernel?

  constexpr bool on(Backend backend) const {
    return backend == Backend::cuda ? cuda : backend == Backend::hip ? hip : cpu;
  }
};
namespace available {
inline constexpr Availability everywhere{.cuda = true, .hip = true, .cpu = true};
inline constexpr Availability cuda_only{.cuda = true};
inline constexpr Availability cuda_70{.cuda = true, .capability = 70};
inline constexpr Availability cuda_72{.cuda = true, .capability = 72};
inline constexpr Availability cuda_80{.cuda = true, .capability = 80};
inline constexpr Availability independent_lanes{
    .cuda = true, .cpu = true, .capability = 70, .independent_lanes = true};
inline constexpr Availability cuda_and_cpu{.cuda = true, .cpu = true};
inline constexpr Availability cuda_and_hip{.cuda = true, .hip = true};
inline constexpr Availability cpu_host{.cpu = true, .by_host = true};
}  // namespace available

// Does a variant give the same bits from run to run, for the same input on the same device?
enum class Determinism {
  same_bits,
  rounding_varies,  // floating-point sums are added in another order; otherwise the same bits
  order_varies      // the same items, in another order or other places
};

// What the size of an item depends on; see gpu/catalogue.def.
struct Traffic {
  double item = 4.0;
  double value = 4.0;
  double passes = 4.0;
};

struct Variant;

// A variant of the catalogue. Variants are never removed, so an id stays valid until the program
// ends, and is the same for every device.
class VariantId {
 public:
  constexpr explicit VariantId(std::uint32_t index) : index_(index) {}

  // Its place among variants(), whatever the primitive.
  constexpr std::uint32_t index() const { return index_; }
  const Variant& operator*() const;
  const Variant* operator->() const { return &**this; }

  friend constexpr bool operator==(VariantId a, VariantId b) { return a.index_ == b.index_; }
  friend constexpr bool operator<(VariantId a, VariantId b) { return a.index_ < b.index_; }

 private:
  std::uint32_t index_;
};

struct Variant {
  Primitive primitive;
  const char* name;          // on the command line and in reports: "count_scan_reorder"
  const char* title = name;  // for the user: "Count, scan, reorder"
  const char* summary;
  const char* source;
  const char* file;
  Availability available;
  Determinism determinism;
  unsigned traits;  // the primitive's header says what they mean
  int launches;     // 0: depends on the size or on the library
  // Fewest bytes per item that this variant moves through device memory: by its own algorithm,
  // which may move more than the problem needs.
  double (*bytes_per_item)(const Traffic& traffic);
};

// Every variant: the built-in ones in the order of catalogue.def, then those that were added.
std::vector<VariantId> variants();
std::vector<VariantId> variants_of(Primitive primitive);
// By names. ChoiceError names the primitive's variants when there is none such.
VariantId find_variant(Primitive primitive, std::string_view name);
// What the program starts with on such devices.
VariantId default_variant(Primitive primitive, Backend backend);
// Fewest bytes per item that the problem needs, one number for all variants: input read once,
// output written once.
double least_bytes(Primitive primitive, const Traffic& traffic);
// Is it the vendor's, the yardstick of the others?
bool is_library(VariantId variant);
// Is it the host's own code on this backend, where kernels are emulated?
bool runs_on_host(VariantId variant, Backend backend);

const char* to_string(Primitive primitive);
// One line for the user: "radix sort".
const char* title(Primitive primitive);
// ChoiceError names the primitives if there is no such primitive.
Primitive find_primitive(std::string_view name);

// "cuda, compute capability 8.0 or newer"
std::string in_words(const Availability& available);
// "same bits from run to run"
const char* in_words(Determinism determinism);

// Why a variant cannot run, in one sentence; empty if it can. Given a backend: on every device of
// it.
std::string why_unavailable(const Variant& variant, Backend backend);
std::string why_unavailable(const Variant& variant, const DeviceInfo& device);
// On this device, whose table may lack it, too.
std::string why_unavailable(VariantId variant, const Device& device);

// Function pointers of one backend: the implementation of each variant, and the steps.
struct BackendTable {
  using Any = void (*)();
  std::vector<Any> functions;    // of the built-in variants, by index; null: not available here
  std::vector<Any> steps;        // by Step; cast back by `step`
  std::string built_with;        // compiler and library: "nvcc 13.0.88, CCCL 3.0.1"
  const void* module = nullptr;  // that it was compiled into: an address of its own for each

  // The function of a variant of `primitive`. Error when this backend has none.
  template <Primitive primitive>
  typename FunctionOf<primitive>::Type* get(VariantId variant) const {
    return reinterpret_cast<typename FunctionOf<primitive>::Type*>(find(primitive, variant));
  }
  bool has(VariantId variant) const { return any(variant) != nullptr; }
  template <Step which>
  typename StepOf<which>::Type* step() const {
    return reinterpret_cast<typename StepOf<which>::Type*>(steps[static_cast<std::size_t>(which)]);
  }

 private:
  Any any(VariantId variant) const;  // null: not available here
  Any find(Primitive primitive, VariantId variant) const;
};

// What a device can run, for programs that add to it.
class Catalogue {
 public:
  explicit Catalogue(const Device& device) : device_(device) {}

  // Adds a variant of `primitive`, or replaces the function of the one that was added by this name
  // before. It is available on this device and all others that share its table; `function` must
  // stay as long as the program. Safe while other threads use the catalogue. ChoiceError where a
  // built-in variant has that name.
  template <Primitive primitive>
  VariantId add(const Variant& variant, typename FunctionOf<primitive>::Type* function) {
    return add(primitive, variant, reinterpret_cast<BackendTable::Any>(function));
  }

 private:
  VariantId add(Primitive primitive, const Variant& variant, BackendTable::Any function);

  const Device& device_;
};

}  // namespace warpview
