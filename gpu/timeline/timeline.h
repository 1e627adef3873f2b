// Stages as data: what runs on a stream, which variant does it, how long it takes, and the frames
// that repeat it.
//
// Code that computes something in several stages owns a Timeline and adds a stage for each. Panels,
// reports, `--variant` and the benchmark know stages only from here.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/runtime/device.h"
#include "gpu/runtime/scratch_memory.h"

namespace warpview {

// The index of a stage within its timeline, in the order of addition from 0.
enum class StageId : int {};
constexpr std::size_t index_of(StageId stage) { return static_cast<std::size_t>(stage); }

// The arguments of a step's function.
template <class Function>
struct ArgumentsOf;
template <class Args>
struct ArgumentsOf<Runs<Args>> {
  using Type = Args;
};

// What a stage's function is given: once to measure its scratch memory, and at every run.
class StageRun {
 public:
  StageRun(Stream& stream, Scratch& scratch, std::optional<VariantId> variant,
           std::uint32_t number = 0)
      : stream_(stream), scratch_(scratch), variant_(variant), number_(number) {}

  Stream& stream() const { return stream_; }
  // How often the frame has run this stage before; 0 outside of frames.
  std::uint32_t number() const { return number_; }
  // While measuring, nothing may be queued, and addresses in arguments need not be valid.
  bool measuring() const { return scratch_.measuring(); }

  VariantId variant() const { return variant_.value(); }  // that is chosen for this stage
  // Runs it; it is one of primitive `primitive`.
  template <Primitive primitive, class Args>
  void run(const Args& args) const {
    stream_.device().table().get<primitive>(variant_.value())(stream_, args, scratch_);
  }
  // Runs a variant of `primitive` that something else chose.
  template <Primitive primitive, class Args>
  void run_variant(VariantId variant, const Args& args) const {
    stream_.device().table().get<primitive>(variant)(stream_, args, scratch_);
  }
  template <Step step, class Args>
  void run(const Args& args) const {
    stream_.device().table().step<step>()(stream_, args, scratch_);
  }

 private:
  Stream& stream_;
  Scratch& scratch_;
  std::optional<VariantId> variant_;
  std::uint32_t number_;
};

// What is chosen for the stages of a timeline, by stage; none where there is one way.
using StageVariants = std::vector<std::optional<VariantId>>;

// What a run of a stage works on: for reports.
struct StageWork {
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;  // the fewest that go through device memory

  friend StageWork operator+(const StageWork& a, const StageWork& b) {
    return {a.items + b.items, a.bytes + b.bytes};
  }
};

struct StageInfo {
  std::string name;        // "sort", or "a.sort" of part `a`; unique in its timeline
  std::string title;       // for the user: "Sort"
  const char* about = "";  // what it does, in a sentence for the user
  // The primitive whose variants may be chosen for it; none: it has no variants.
  std::optional<Primitive> primitive{};
  // The variant that it begins with, unless another one is wished for; null: the primitive's
  // default on the timeline's device.
  const char* initial = nullptr;
  // Queues one run. Called with a measuring StageRun as well, see Scratch. It may read the choices
  // of other stages from the timeline; a choice there then plans this stage again.
  std::function<void(const StageRun&)> queue{};
  // The work of the last run, by the counts of the last collect(), which asks for it.
  std::function<StageWork()> work{};
  // Why a variant of `primitive` cannot do what this stage asks of it, in a sentence; empty where
  // it can. Beside what the catalogue says of the variant. It may depend on the choices of earlier
  // stages.
  std::function<std::string(VariantId variant)> why_not{};
  // The stage that does this one's work too, as variants are chosen now; none where it runs itself.
  std::function<std::optional<StageId>()> done_by{};
  // Does it wait for its stream, with the variants that are chosen now? Then no graph can contain
  // it, and frames are launched piece by piece.
  std::function<bool()> waits{};
  // Does it work on the triangles of a mesh file alone, as lab::MeshInput makes its primitive's
  // input?
  bool of_mesh = false;
  // May it run again on its own output, without changing it?
  bool repeatable = true;
};

// The times of a stage over its last frames, from device events. A frame in which it ran several
// times counts as one time, the sum. The first run after a choice is cold: code, caches and clocks
// are not ready yet, which may well take ten times as long. Its time is kept separately.
class StageTimes {
 public:
  static constexpr std::size_t kept = 120;

  const std::deque<double>& milliseconds() const { return milliseconds_; }  // warm, oldest first
  std::optional<double> cold() const { return cold_; }  // none: it was forgotten, or took no time
  std::size_t count() const { return milliseconds_.size() + (cold_ ? 1 : 0); }
  bool empty() const { return count() == 0; }
  // Statistics of the warm runs; of the cold one if there is no other; 0 if there are none.
  double median() const;
  double least() const;
  // Median of the bytes of the runs that median() is of.
  std::uint64_t bytes() const;
  double last() const { return milliseconds_.empty() ? cold_.value_or(0.0) : milliseconds_.back(); }
  std::uint64_t taken() const { return taken_; }  // in all, those that were forgotten included

  void add(double milliseconds, std::uint64_t bytes = 0);
  // It ran without being timed: later runs are warm.
  void warm() { is_warm_ = true; }
  // Forgets the times only: a warm stage stays warm.
  void forget();
  // Something else runs from now on.
  void begin_anew();

 private:
  bool is_warm_ = false;
  std::optional<double> cold_;
  std::uint64_t cold_bytes_ = 0;
  std::uint64_t taken_ = 0;
  std::deque<double> milliseconds_;
  std::deque<std::uint64_t> bytes_;  // by warm run
};

// How a stage goes: what panels, report and benchmark show of it.
struct StageResult {
  StageId stage{};
  std::string name{}, title{};
  const char* about = "";  // as StageInfo::about
  std::optional<Primitive> primitive{};
  std::optional<VariantId> variant{};  // as chosen now; none: there is one way
  // Of the last run. The bytes are the median of the timed runs, as the time is, so that their
  // quotient is of one and the same work.
  StageWork work{};
  std::vector<float> milliseconds{};  // last frames, oldest first; of warm runs
  std::optional<double> cold_ms{};    // the first run, which is slower
  double last_ms = 0.0;
  double median_ms = 0.0;
  double least_ms = 0.0;
  double gb_per_s = 0.0;  // of the median, which is the cold run's where there is no other
  int runs = 0;           // in the last frame; 0: it is not part of one
  bool of_mesh = false;   // as StageInfo::of_mesh
  bool repeatable = true;
  std::string done_by{};             // the stage that did its work too; then it has no times
  std::vector<std::string> fused{};  // titles of the stages whose work it did too

  // What is known where the scene is, beside its timeline.
  double copy_share = 0.0;    // gb_per_s over a copy that moves as many bytes; 0: not known yet
  bool repeats_alone = true;  // and would leave the scene as it is now

  bool has_times() const { return cold_ms || !milliseconds.empty(); }
  bool is_cold() const { return cold_ms && milliseconds.empty(); }
  // Times of the warm runs, or of the cold one where there is no other.
  std::vector<double> times() const {
    if (is_cold()) return {*cold_ms};
    return {milliseconds.begin(), milliseconds.end()};
  }
};

// Variants asked for by name, before stages with variants exist.
class VariantWishes {
 public:
  // "sort=onesweep" for all stages of a primitive, "a.sort=onesweep" for one stage. Later wishes
  // override earlier ones. ChoiceError if there is no '='.
  void add(std::string_view assignment);
  void add(std::string stage, std::string variant);

  struct Wish {
    std::string stage;  // or a primitive
    std::string variant;
  };
  const std::vector<Wish>& all() const { return wishes_; }

 private:
  std::vector<Wish> wishes_;
};

// What is timed in a frame.
enum class Timing {
  stages,  // each stage, and the whole
  whole    // the whole alone: events between stages cost time themselves
};

// A value that changes from frame to frame, for kernels to read in device memory. Made by
// Timeline::values().
class ValueRing;
// Results that are read back at the end of each frame. Made by Timeline::read_back().
class ReadBackBlock;

template <class T>
class FrameValues {
 public:
  FrameValues() = default;
  explicit FrameValues(ValueRing* block) : block_(block) {}
  const T* device() const;
  // Queues the copy to the device; not to be called while a frame is being queued. Values that
  // earlier frames still read are not overwritten.
  void set(const T& value);

 private:
  ValueRing* block_ = nullptr;
};

template <class T>
class ReadBack {
 public:
  ReadBack() = default;
  explicit ReadBack(const ReadBackBlock* block) : block_(block) {}
  // The values of the last collect(); zeros before.
  const T& operator[](std::size_t index) const;
  const T& operator*() const { return (*this)[0]; }
  const T* operator->() const { return &(*this)[0]; }

 private:
  const ReadBackBlock* block_ = nullptr;
};

class Timeline {
 public:
  // Wishes that match no stage are ignored.
  explicit Timeline(Device& device, VariantWishes wishes = {});
  ~Timeline();
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  Device& device() const { return device_; }
  Stream& stream() const { return *stream_; }

  // --- stages

  // Chooses the default variant, or the wished one. ChoiceError if there is no such variant or it
  // is not available here.
  StageId add(StageInfo info);
  std::size_t size() const { return stages_.size(); }
  const StageInfo& info(StageId stage) const;
  std::optional<StageId> find(std::string_view name) const;
  // ChoiceError if a wish matches no stage: it names the existing stages.
  void refuse_unknown_wishes(const VariantWishes& wishes) const;

  // What is chosen for a stage; none where there is one way.
  std::optional<VariantId> chosen(StageId stage) const;
  // What a stage would begin with by these wishes, whether or not it can be chosen; none where
  // there is one way.
  std::optional<VariantId> chosen_by(const VariantWishes& wishes, StageId stage) const;
  // There must be a choice.
  const Variant& variant(StageId stage) const { return *chosen(stage).value(); }
  StageVariants choices() const;
  // Why a variant cannot be chosen for a stage, in one sentence; empty where it can.
  std::string why_not(StageId stage, VariantId variant) const;
  // Chooses for all stages at once, or for none: Error where a variant is not available or no
  // memory is left for its scratch. A stage whose variant stays, and which cannot do any more what
  // another stage's choice asks for, takes the first that can. Waits for the stream. Forgets times
  // of stages that change.
  void choose(const StageVariants& variants);

  // --- memory

  // Scratch memory that the stages need as chosen. Launches nothing.
  std::uint64_t scratch_bytes();
  // Allocates that memory. Called after all stages are added, before the first run.
  void reserve_scratch();

  // A value for kernels. T is copied byte by byte.
  template <class T>
  FrameValues<T> values();
  // `count` elements of `device` are read back at the end of each frame and by queue_read_backs().
  template <class T>
  ReadBack<T> read_back(const T* device, std::size_t count = 1);

  // --- running

  // Queues a stage and times it. A stage may run up to 64 times in a frame, each run timed
  // separately; if it runs more often, the last time extends to the end of the last run, with all
  // work between.
  void run(StageId id);
  // Queues a stage for its output, without timing it.
  void run_untimed(StageId id);
  // Queues a step outside of stages, one that needs no scratch memory.
  template <Step step>
  void run_step(const typename ArgumentsOf<typename StepOf<step>::Type>::Type& args) {
    Scratch none(nullptr, 0);
    device_.table().step<step>()(*stream_, args, none);
  }
  // Has `before` called before each stage that is run, on the thread that runs it; null: nothing.
  // What it throws, run() throws.
  void watch(std::function<void(const StageInfo&)> before) { before_stage_ = std::move(before); }
  // Queues the copies of what is read back. Frames do so themselves.
  void queue_read_backs();

  // Queues a frame: whatever `queue` runs. A plan's frame is captured into a graph when the plan is
  // first seen, and replayed for each equal plan from then on, where the device allows. Plans are
  // copied and compared by ==, and those of different types differ. So a plan is a value that holds
  // all that `queue` depends on: addresses, launch bounds, stages; scenes/planned.h sees to it.
  // Choices need not be in it. `queue` is not called for a replay: what it changes on the host then
  // stays. Does not wait; times of an earlier frame that was not collected are lost.
  template <class Plan = std::vector<std::uint64_t>>
  void frame(const Plan& plan, Timing timing, const std::function<void()>& queue) {
    queue_frame(std::make_unique<PlanOf<Plan>>(plan), timing, queue);
  }
  bool replays() const { return replays_; }             // was the last frame a graph?
  std::uint64_t captures() const { return captures_; }  // graphs that were captured so far
  // Without graphs each frame is launched piece by piece.
  void allow_graphs(bool allowed) { graphs_allowed_ = allowed; }
  // Forgets captured graphs, because memory that they name is gone.
  void forget_graphs();

  // Waits for the stream, then takes in what was read back, and the times with their work.
  void collect();
  void forget_times();
  // Forgets the times of a stage that does something else from now on.
  void begin_anew(StageId stage);
  // Forgets the times of the last frame's stages, because it differs from the frames to come.
  void forget_frame_times();

  // --- results, as of the last collect()

  std::vector<StageResult> stage_results() const;
  const StageTimes& times(StageId stage) const;
  const StageTimes& frame_times() const { return frame_times_; }

 private:
  struct Stage;
  struct Captured;
  struct AnyPlan {
    virtual ~AnyPlan() = default;
    virtual bool equals(const AnyPlan& other) const = 0;
  };
  template <class Plan>
  struct PlanOf final : AnyPlan {
    explicit PlanOf(Plan of) : plan(std::move(of)) {}
    bool equals(const AnyPlan& other) const override {
      const auto* const same_type = dynamic_cast<const PlanOf*>(&other);
      return same_type && same_type->plan == plan;
    }
    Plan plan;
  };

  void queue_frame(std::unique_ptr<AnyPlan> plan, Timing timing,
                   const std::function<void()>& queue);
  ValueRing* make_values(std::size_t bytes);
  const ReadBackBlock* make_read_back(const void* device, std::size_t bytes);
  Stage& at(StageId stage) const { return *stages_[index_of(stage)]; }
  // A variant of the stage's primitive that can do what is asked of it, if there is one.
  std::optional<VariantId> first_that_can(StageId stage) const;
  // After a choice: refuses new variants that cannot do what is asked of them, and replaces others.
  void settle(const StageVariants& before);
  void queue_whole(Timing timing, const std::function<void()>& queue);
  void forget_runs();
  StageRun next_run(Stage& stage, Scratch& scratch);
  const Captured* captured(std::unique_ptr<AnyPlan> plan, Timing timing,
                           const std::function<void()>& queue);

  Device& device_;
  std::unique_ptr<Stream> stream_;
  VariantWishes wishes_;
  std::vector<std::unique_ptr<Stage>> stages_;
  std::function<void(const StageInfo&)> before_stage_;
  ScratchMemory scratch_;
  std::vector<std::unique_ptr<ValueRing>> values_;
  std::vector<std::unique_ptr<ReadBackBlock>> read_backs_;

  std::unique_ptr<Event> frame_begin_, frame_end_;
  bool frame_recorded_ = false;
  bool timed_stages_ = true;  // does run() take times?
  bool in_frame_ = false;     // is a frame being queued?
  StageTimes frame_times_;
  std::vector<std::unique_ptr<Captured>> graphs_;
  std::uint64_t frames_ = 0;
  std::uint64_t captures_ = 0;
  bool graphs_allowed_ = true;
  bool replays_ = false;
};

// --- the rest is how values travel

// A ring of page-locked blocks, so that the host may write one while copies of earlier ones are in
// flight, and the block in device memory that they are copied to.
class ValueRing {
 public:
  ValueRing(Device& device, Stream& stream, std::size_t bytes);
  ~ValueRing();
  ValueRing(const ValueRing&) = delete;
  ValueRing& operator=(const ValueRing&) = delete;

  const void* device() const { return memory_; }
  void set(const void* value);

 private:
  static constexpr std::size_t blocks = 4;

  Device& device_;
  Stream& stream_;
  std::size_t bytes_;
  void* memory_ = nullptr;
  std::byte* pinned_ = nullptr;  // [blocks * bytes]
  std::vector<std::unique_ptr<Event>> copied_;
  std::size_t next_ = 0;
};

class ReadBackBlock {
 public:
  ReadBackBlock(Device& device, const void* source, std::size_t bytes);
  ~ReadBackBlock();
  ReadBackBlock(const ReadBackBlock&) = delete;
  ReadBackBlock& operator=(const ReadBackBlock&) = delete;

  const void* value() const { return value_.data(); }
  void queue(Stream& stream);
  void take();  // what was read back is now the value

 private:
  Device& device_;
  const void* source_;
  void* pinned_ = nullptr;
  std::vector<std::max_align_t> value_;
  std::size_t bytes_;
};

template <class T>
const T* FrameValues<T>::device() const {
  return static_cast<const T*>(block_->device());
}
template <class T>
void FrameValues<T>::set(const T& value) {
  block_->set(&value);
}
template <class T>
const T& ReadBack<T>::operator[](std::size_t index) const {
  return static_cast<const T*>(block_->value())[index];
}
template <class T>
FrameValues<T> Timeline::values() {
  static_assert(std::is_trivially_copyable_v<T>);
  return FrameValues<T>(make_values(sizeof(T)));
}
template <class T>
ReadBack<T> Timeline::read_back(const T* device, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>);
  return ReadBack<T>(make_read_back(device, count * sizeof(T)));
}

}  // namespace warpview
