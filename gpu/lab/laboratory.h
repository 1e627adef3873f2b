// Runs all variants of a primitive on the same input, one after the other, and returns their
// results.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gpu/lab/experiment.h"
#include "gpu/runtime/counted_device.h"

namespace warpview::lab {

struct Question {
  Primitive primitive = Primitive::scan;
  int form = 0;
  Distribution distribution = Distribution::uniform;
  std::uint32_t n = 1U << 20U;
  std::uint64_t seed = 1;
  std::vector<std::int64_t> typed{};  // the n items, with Distribution::typed; else none
  // With Distribution::mesh, of n items; else null. Equal questions have the same object.
  std::shared_ptr<const MeshInput> mesh{};
  bool operator==(const Question&) const = default;
};

// Takes these numbers as the input.
void type_input(Question& question, std::vector<std::int64_t> numbers);
// Takes what the question's form makes of the mesh's triangles as the input.
void take_mesh(Question& question, std::shared_ptr<const MeshInput> mesh);
// Why the form does not take the question's input, in a sentence; empty if it does.
std::string why_not_input(const Question& question);
// The distribution of recordings, which are read number by number: `small` where the form's items
// are numbers and the variant does something with small ones, else the primitive's first.
Distribution recorded_distribution(VariantId variant, int form);

// Makes the question's input and its reference. Device and stream must outlive them. Error if the
// form does not take the input.
std::unique_ptr<Experiment> make_experiment(Device& device, Stream& stream,
                                            const Question& question);

// Time of the library's variant in the same series.
struct LibraryTimes {
  double ms = 0.0;  // 0: none
  double quartile_1_ms = 0.0;
  double quartile_3_ms = 0.0;
  int runs = 0;
};

struct Answer {
  Question question;
  std::optional<VariantId> variant{};
  std::string why_not{};     // it cannot run here; the rest is then empty
  std::string difference{};  // from the reference, or the device's complaint; it is then not timed
  bool verified = false;     // compared, and no difference
  double ms = 0.0;           // median of `runs`, with cold caches; 0: not timed
  double quartile_1_ms = 0.0;  // a quarter of the runs took less
  double quartile_3_ms = 0.0;
  int runs = 0;                // that were timed, fewer where a run takes long
  double bytes = 0.0;          // that the problem needs at least: the same for all variants
  double bytes_moved = 0.0;    // by this variant at least
  double copy_gb_per_s = 0.0;  // rate of a copy that moves `bytes`, with cold caches too
  LibraryTimes library{};
  double operations = 0.0;                // of a run; 0: the primitive is not measured by
                                          // operations
  std::vector<Occurrence> occurrences{};  // in the run that was verified
  std::vector<Fact> facts{};              // the experiment's other measurements
  Busy busy{};  // of one more run, after those that were timed; empty: not known
  // Launches of the first run. Kernels that a vendor's library launches by itself are not among
  // them.
  std::vector<LaunchRecord> launches{};
  std::vector<Region> scratch{};  // arrays of scratch memory that a run takes, without addresses.
                                  // Empty: it takes none, or is not verified
  // Counts of the first run, where the device counts. Empty: no kernel ran, but perhaps host code.
  std::vector<KernelCounters> counters{};

  // Rate over the bytes that the problem needs: a variant that moves more does not gain by it.
  double gb_per_s() const { return ms > 0.0 ? bytes / ms * 1e-6 : 0.0; }
  // Ratio of the bytes that the variant moves to those that the problem needs.
  double moves() const { return bytes > 0.0 ? bytes_moved / bytes : 0.0; }
  double copy_share() const { return copy_gb_per_s > 0.0 ? gb_per_s() / copy_gb_per_s : 0.0; }
  double operations_per_s() const { return ms > 0.0 ? operations / ms * 1e3 : 0.0; }
  // Above 1: faster than the library.
  double of_library() const { return ms > 0.0 ? library.ms / ms : 0.0; }
};

// The most items of a primitive that fit into the free memory of the device and of the host, a
// power of two, at most 2^28.
std::uint32_t most_items(Primitive primitive, const Device& device);

class Laboratory {
 public:
  // `runs`: the most timed runs of a variant; 0: as suits the device. A slow variant is timed less
  // often, but at least three times.
  explicit Laboratory(Device& device, int runs = 0);

  // Takes a question: makes its input and its reference. Frees first what an earlier question
  // allocated. Error if the input does not fit into the device's memory.
  void ask(const Question& question);
  // Those to answer for, the library's first: the others are compared with it.
  const std::vector<VariantId>& variants() const { return variants_; }
  // Runs one variant once and compares its output with the reference. Never throws for what the
  // device says: that is the answer's `difference`.
  Answer verify(VariantId variant);
  // Verifies, and then times what was right.
  Answer measure(VariantId variant);
  // Both of it for all variants.
  std::vector<Answer> answer(const Question& question);

  // Called between runs, where it is set: should the laboratory stop? The answer then covers the
  // runs that were timed, perhaps none. An Interruptible of the calling thread
  // (gpu/runtime/cpu/interruption.h) stops it sooner, by its exception; the rest can be asked for
  // again.
  std::function<bool()> stop;

  // Are variants that need independent thread scheduling run where lanes advance in lockstep? The
  // device's report is then their answer.
  bool in_spite_of_lockstep = false;

  // The experiment that answers the last question. There must have been a question.
  Experiment& experiment() { return *experiment_; }
  Device& device() { return device_; }
  Stream& stream() { return *stream_; }

 private:
  Device& device_;
  int runs_;
  std::unique_ptr<Stream> stream_;
  Stopwatch stopwatch_;
  CopyRate copy_;
  Question question_;
  std::vector<VariantId> variants_;
  std::unique_ptr<Experiment> experiment_;
  LibraryTimes library_;
};

}  // namespace warpview::lab
