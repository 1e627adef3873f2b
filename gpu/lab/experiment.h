// An experiment: one primitive on input of a chosen size and distribution, run by any of its
// variants, and the expected result. The laboratory (its panel, `warpview lab`), the benchmark and
// the tests of every variant are made of experiments alone, so a primitive that has one is in all
// of them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/lab/busy.h"
#include "gpu/lab/data.h"
#include "gpu/lab/mesh_input.h"
#include "gpu/lab/stopwatch.h"
#include "gpu/runtime/counted_device.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/region.h"
#include "gpu/runtime/scratch_memory.h"

namespace warpview::lab {

// One way to use a primitive: its types, its operator, its mode.
struct Form {
  const char* name;     // "max_i32"; unique within the primitive
  const char* summary;  // for the user: "maximum of 32-bit signed integers"
  // Does the result depend on the order in which floating-point numbers are added?
  bool rounds = false;
  bool one_block = false;    // does one block do all of it, however many items there are?
  bool one_decides = false;  // may a result depend on some items only, as a maximum does?
};

// The parameters of an experiment. The device and the stream must outlive it.
struct Setup {
  Device& device;
  Stream& stream;
  std::uint32_t n;
  int form = 0;  // index into ExperimentKind::forms
  Distribution distribution = Distribution::uniform;
  std::uint64_t seed = 1;             // same seed, same input
  std::vector<std::int64_t> typed{};  // n numbers with Distribution::typed, else none
  // With Distribution::mesh, else null: of n items, as items_a_triangle() says.
  std::shared_ptr<const MeshInput> mesh{};
};

// The whole numbers that items of a form can be. A user types them, or Distribution::small makes
// them: from 0 to `small_most`, each equally likely.
struct NumberRange {
  std::int64_t least;
  std::int64_t most;
  std::int64_t small_most = 9;
};
inline constexpr NumberRange words_range = {0, UINT32_MAX};
inline constexpr NumberRange integers_range = {INT32_MIN, INT32_MAX};
inline constexpr NumberRange floats_range = {-(1 << 24), 1 << 24};  // those that are exact

// An event that is not part of the result, and how often it happened: {"retries", 12}.
struct Occurrence {
  const char* what;
  std::uint64_t times;
};

// A measurement of a run besides its output and its times: {"from load to load", 651, "ns"}.
struct Fact {
  const char* what;
  double value;
  const char* unit = "";
  bool operator==(const Fact& other) const {
    return std::string_view(what) == other.what && value == other.value &&
           std::string_view(unit) == other.unit;
  }
};

// The outcome of a verified run.
struct Outcome {
  VariantId variant;
  double ms = 0.0;                             // 0: it was not timed
  std::span<const LaunchRecord> launches{};    // of its first run
  std::span<const KernelCounters> counters{};  // of its kernels; empty where nothing counts
};

// Input in device memory, room for the output, and the expected result on the host.
class Experiment {
 public:
  virtual ~Experiment() = default;
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  // Queues what must precede each run and is not part of it: restores all input that a run
  // overwrites, whatever is there now.
  virtual void reset() {}
  // Queues what puts into the caches the data that should be there when a timed run begins, after
  // they were emptied.
  virtual void warm_caches() {}
  // Queues one run by the variant. Memory is allocated at a variant's first run only.
  virtual void run(VariantId variant) = 0;
  // Runs the variant once and says how its output first differs from what a plain sequential
  // reference gives; empty where it does not. Outputs and scratch memory are overwritten first,
  // before reset(): what an earlier run left there, of another variant perhaps, cannot pass for
  // this one's. Waits for the stream.
  std::string run_verified(VariantId variant) {
    return run_verified(variant, [this, variant] { run(variant); });
  }
  // The same for callers with something to do beside the run, which `work()` queues.
  std::string run_verified(VariantId variant, const std::function<void()>& work);
  // The output of the last run, without bytes that are undefined. Variants whose row says
  // `same_bits` leave the same bytes here at every run. Waits for the stream where the extent
  // depends on the data.
  virtual std::vector<Region> result() = 0;
  // All memory that a run writes except scratch memory, in whole arrays: however much of them is
  // written or compared, and input too where a run overwrites it.
  virtual std::vector<Region> outputs() = 0;
  // Input that recordings name; other input is "input", "input 2".
  virtual std::vector<Region> inputs() { return {}; }
  // The scratch memory that the last run took.
  const std::vector<Region>& scratch_arrays() const { return scratch_.arrays(); }

  // Where the rate of operations says more than bytes: how many a run performs, else 0; and their
  // outcomes in the last verified run.
  virtual double operations() const { return 0.0; }
  virtual std::vector<Occurrence> occurrences() const { return {}; }
  // What to report of the last verified run, or of its times.
  virtual std::vector<Fact> facts(const Outcome& /*outcome*/) const { return {}; }
  // Runs the variant once more, which waits for the stream, and tells when blocks were at work;
  // empty where that is not known. For kinds that say so (ExperimentKind::tells_busy).
  virtual Busy busy(VariantId /*variant*/) { return {}; }

  Device& device() const { return device_; }

  // Fewest bytes through device memory: what the problem needs, the same for all variants; and
  // what this variant moves.
  // Overridden where a form needs what the catalogue's expressions do not say.
  virtual double bytes_needed(Primitive primitive) const {
    return least_bytes(primitive, traffic()) * n_;
  }
  virtual double bytes_moved(VariantId variant) const {
    return variant->bytes_per_item(traffic()) * n_;
  }

 protected:
  explicit Experiment(const Setup& setup)
      : device_(setup.device), stream_(setup.stream), scratch_(setup.device), n_(setup.n) {}

  virtual Traffic traffic() const { return {}; }

  // The byte that outputs are overwritten with before a checked run. As an item it is an unlikely
  // result, as a count too large for any output.
  static constexpr std::uint8_t spoiled_byte = 0xcd;

  // Queues the overwriting of outputs that are not such arrays: a part of every element, or memory
  // inside of a variant.
  virtual void spoil_more() {}
  // How the output of the last run, which was by `variant`, first differs from the reference; empty
  // where it does not. Waits for the stream.
  virtual std::string check(VariantId variant) = 0;

  Device& device_;
  Stream& stream_;
  ScratchMemory scratch_;
  std::uint32_t n_;

 private:
  void spoil();
};

struct ExperimentKind {
  const char* items;                            // what n counts: "words"
  std::span<const Form> forms;                  // at least one; the first is the default
  std::span<const Distribution> distributions;  // at least one; the first is the default
  // Device memory per item at most, over all forms and variants: input, output and scratch.
  double memory_each;
  std::unique_ptr<Experiment> (*make)(const Setup& setup);
  // Where the work grows faster than the items: the most items that the CPU device is given.
  std::uint32_t most_on_cpu = 1U << 28U;
  // Do the variants differ in the host's part of a run? Then a run is timed from an idle device.
  Start start = Start::queued;
  // Why the variant cannot do a form; empty where it can. Null: every variant does every form.
  std::string (*why_not)(VariantId variant, int form) = nullptr;
  // The most items that the variant takes, where that is less than the primitive's limit; else 0.
  // Null: every variant takes as many.
  std::uint32_t (*most_items)(VariantId variant) = nullptr;
  // Does the variant do many times the work per item of another, from which it differs only in a
  // number or a loop? Tests give it fewer items. Null: none does.
  bool (*is_laborious)(VariantId variant) = nullptr;
  // Does the variant round otherwise than the reference, in each form? Then its results are
  // compared by tolerance, and low bits are not compared. Null: none does.
  bool (*rounds)(VariantId variant) = nullptr;
  // The numbers that items of a form are; none where they are something else. Null: in no form
  // are they numbers.
  std::optional<NumberRange> (*numbers)(int form) = nullptr;
  // How many items a triangle of a mesh becomes in this form; 0: the form takes no mesh. Null: no
  // form does.
  std::uint32_t (*items_a_triangle)(int form) = nullptr;
  const char* operations = "operations";  // what Experiment::operations counts
  bool tells_busy = false;                // does Experiment::busy support it?
};

const ExperimentKind& experiment(Primitive primitive);

// The most items that the variant takes.
std::uint32_t most_items(VariantId variant);

// Index of a form of a primitive by name. Error names the forms if there is no such form.
int find_form(Primitive primitive, std::string_view name);

// Why the variant cannot run this form with n items on this device, in one sentence; empty if it
// can.
std::string why_not(VariantId variant, int form, const DeviceInfo& device, std::uint32_t n = 0);

// The numbers that items of a form are, if they are any.
std::optional<NumberRange> number_range(Primitive primitive, int form);

// How many items a triangle of a mesh becomes; 0: the form takes no mesh.
std::uint32_t items_a_triangle(Primitive primitive, int form);

// --- for implementations of experiments

// The items as numbers, of a setup whose distribution is `typed` or `small`; none for others.
// Typed ones are within the range.
std::optional<std::vector<std::int64_t>> given_numbers(const Setup& setup,
                                                       const NumberRange& range);
// The items of a form that takes words_range: given numbers, or the distribution's 32-bit words.
std::vector<std::uint32_t> words(const Setup& setup);
inline std::optional<NumberRange> takes_words(int /*form*/) { return words_range; }
// The items of a form whose items are boxes: those of the mesh's triangles, or the distribution's.
std::vector<Aabb> boxes(const Setup& setup);
// For kinds whose first form has one item for each triangle, and whose other forms take no mesh.
inline std::uint32_t one_a_triangle(int form) { return form == 0 ? 1 : 0; }

template <class T>
Buffer<T> uploaded(const Setup& setup, const std::vector<T>& host) {
  Buffer<T> buffer(setup.device, host.size());
  buffer.upload(setup.stream, host);
  setup.stream.synchronize();
  return buffer;
}

// The first `count` elements of an array, all by default. `name` is a literal.
template <class T>
Region region(std::string_view name, const Buffer<T>& buffer, std::size_t count = SIZE_MAX) {
  return {name, element_type<T>(), buffer.data(), std::min(count, buffer.size()) * sizeof(T)};
}
template <class T>
Region region(std::string_view name, std::vector<T>& on_host) {
  return {name, element_type<T>(), on_host.data(), on_host.size() * sizeof(T), true};
}

// Where two arrays first differ, bit by bit (T has no padding): "sums differ from the reference at
// place 3"; empty where they do not.
template <class T>
std::string first_difference(std::span<const T> got, std::span<const T> want, const char* what) {
  if (got.size() != want.size())
    return std::to_string(got.size()) + " " + what + " instead of " + std::to_string(want.size());
  for (std::size_t i = 0; i < want.size(); ++i)
    if (std::memcmp(&got[i], &want[i], sizeof(T)) != 0)  // NOLINT: bits are what is meant
      return std::string(what) + " differ from the reference at index " + std::to_string(i) +
             " of " + std::to_string(want.size());
  return {};
}
template <class T>
std::string first_difference(const std::vector<T>& got, const std::vector<T>& want,
                             const char* what) {
  return first_difference(std::span<const T>(got), std::span<const T>(want), what);
}

template <class T>
std::unique_ptr<Experiment> make(const Setup& setup) {
  return std::make_unique<T>(setup);
}

}  // namespace warpview::lab
