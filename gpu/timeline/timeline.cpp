#include "gpu/timeline/timeline.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "gpu/runtime/statistics.h"
#include "gpu/runtime/suggestion.h"

namespace warpview {
namespace {

constexpr std::size_t most_times_in_a_frame = 64;
constexpr std::size_t most_graphs = 16;

// Is the wish for this stage, by its name or its primitive's?
bool answers(const VariantWishes::Wish& wish, const StageInfo& info) {
  return info.primitive && (wish.stage == info.name || wish.stage == to_string(*info.primitive));
}

// Pairs of events, one for each run of a stage in a frame.
class RunTimes {
 public:
  void begin(Stream& stream) {
    if (runs_ >= most_times_in_a_frame) return;
    if (runs_ == pairs_.size()) {
      Device& device = stream.device();
      pairs_.push_back({device.create_event(), device.create_event()});
    }
    stream.record(*pairs_[runs_].begin);
  }
  // Only completed runs count.
  void end(Stream& stream) {
    ++runs_;
    stream.record(*pairs_[std::min(runs_, most_times_in_a_frame) - 1].end);
  }

  std::size_t runs() const { return runs_; }
  // A graph recorded the events of this many runs.
  void replayed(std::size_t runs) { runs_ = runs; }
  // The stream must have passed them.
  double take_milliseconds() {
    double sum = 0.0;
    for (std::size_t i = 0; i < std::min(runs_, most_times_in_a_frame); ++i)
      sum += pairs_[i].end->milliseconds_since(*pairs_[i].begin);
    runs_ = 0;
    return sum;
  }

 private:
  struct Pair {
    std::unique_ptr<Event> begin, end;
  };
  std::vector<Pair> pairs_;
  std::size_t runs_ = 0;
};

}  // namespace

double StageTimes::median() const {
  return milliseconds_.empty() ? last()
                               : warpview::median({milliseconds_.begin(), milliseconds_.end()});
}

double StageTimes::least() const {
  return milliseconds_.empty() ? last()
                               : *std::min_element(milliseconds_.begin(), milliseconds_.end());
}

std::uint64_t StageTimes::bytes() const {
  if (bytes_.empty()) return cold_ ? cold_bytes_ : 0;
  std::vector<std::uint64_t> sorted(bytes_.begin(), bytes_.end());
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

void StageTimes::add(double milliseconds, std::uint64_t bytes) {
  ++taken_;
  if (!std::exchange(is_warm_, true)) {
    cold_ = milliseconds;
    cold_bytes_ = bytes;
    return;
  }
  milliseconds_.push_back(milliseconds);
  bytes_.push_back(bytes);
  if (milliseconds_.size() <= kept) return;
  milliseconds_.pop_front();
  bytes_.pop_front();
}

void StageTimes::forget() {
  cold_.reset();
  milliseconds_.clear();
  bytes_.clear();
}

void StageTimes::begin_anew() {
  forget();
  is_warm_ = false;
}

void VariantWishes::add(std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw ChoiceError("variant \"" + std::string(assignment) + "\"", "there is no '=' in it",
                      "Write it as STAGE=NAME or PRIMITIVE=NAME, for example sort=onesweep");
  add(std::string(assignment.substr(0, equals)), std::string(assignment.substr(equals + 1)));
}

void VariantWishes::add(std::string stage, std::string variant) {
  wishes_.push_back({std::move(stage), std::move(variant)});
}

// --- values and read-backs

ValueRing::ValueRing(Device& device, Stream& stream, std::size_t bytes)
    : device_(device), stream_(stream), bytes_(bytes) {
  for (std::size_t i = 0; i < blocks; ++i) copied_.push_back(device.create_event());
  memory_ = device.allocate(bytes);
  try {
    pinned_ = static_cast<std::byte*>(device.allocate_pinned(blocks * bytes));
  } catch (...) {
    device.release(memory_);
    throw;
  }
  stream.fill(memory_, 0, bytes);
}

ValueRing::~ValueRing() {
  device_.release_pinned(pinned_);
  device_.release(memory_);
}

void ValueRing::set(const void* value) {
  copied_[next_]->synchronize();  // long passed, unless the host runs frames ahead of the device
  std::byte* const block = pinned_ + next_ * bytes_;
  std::memcpy(block, value, bytes_);
  stream_.copy(memory_, block, bytes_, Copy::host_to_device);
  stream_.record(*copied_[next_]);
  next_ = (next_ + 1) % blocks;
}

ReadBackBlock::ReadBackBlock(Device& device, const void* source, std::size_t bytes)
    : device_(device),
      source_(source),
      pinned_(device.allocate_pinned(bytes)),
      value_((bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t)),
      bytes_(bytes) {
  std::memset(pinned_, 0, bytes);
}

ReadBackBlock::~ReadBackBlock() { device_.release_pinned(pinned_); }

void ReadBackBlock::queue(Stream& stream) {
  stream.copy(pinned_, source_, bytes_, Copy::device_to_host);
}

void ReadBackBlock::take() { std::memcpy(value_.data(), pinned_, bytes_); }

// --- the timeline

struct Timeline::Stage {
  StageInfo info;
  std::optional<VariantId> variant{};
  RunTimes running;
  std::size_t runs_in_frame = 0;
  std::uint32_t queued = 0;  // how often the frame that is being queued has run it
  StageTimes times;
  StageWork work{};  // of the last run that was timed

  StageWork work_now() const { return info.work ? info.work() : StageWork{}; }
};

// A frame as a graph, and how often each stage runs in it.
struct Timeline::Captured {
  Timing timing{};
  std::unique_ptr<AnyPlan> plan;
  std::unique_ptr<Graph> graph;
  std::vector<std::size_t> runs;  // by stage
  std::uint64_t last_used = 0;
};

Timeline::Timeline(Device& device, VariantWishes wishes)
    : device_(device),
      stream_(device.create_stream()),
      wishes_(std::move(wishes)),
      scratch_(device),
      frame_begin_(device.create_event()),
      frame_end_(device.create_event()) {}

Timeline::~Timeline() {
  try {
    stream_->synchronize();  // nothing may still use what is freed now
  } catch (const Error&) {
    // The device failed earlier; the caller that asked it for a result got the error.
  }
}

StageId Timeline::add(StageInfo info) {
  const auto id = static_cast<StageId>(stages_.size());
  auto stage = std::make_unique<Stage>();
  stage->info = std::move(info);
  stages_.push_back(std::move(stage));
  Stage& added = at(id);
  if (!added.info.primitive) return id;

  added.variant = chosen_by(wishes_, id);
  if (const std::string why = why_not(id, *added.variant); !why.empty()) {
    const auto& wishes = wishes_.all();
    const bool is_wished = std::any_of(wishes.begin(), wishes.end(),
                                       [&](const auto& wish) { return answers(wish, added.info); });
    const std::optional<VariantId> other = is_wished ? std::nullopt : first_that_can(id);
    if (!other)
      throw ChoiceError(
          "variant " + added.info.name + "=" + variant(id).name + " on " + device_.info().name,
          "the variant " + why, "See --list-variants");
    added.variant = other;
  }
  return id;
}

std::optional<VariantId> Timeline::first_that_can(StageId stage) const {
  for (const VariantId variant : variants_of(at(stage).info.primitive.value()))
    if (why_not(stage, variant).empty()) return variant;
  return {};
}

const StageInfo& Timeline::info(StageId stage) const { return at(stage).info; }

std::optional<StageId> Timeline::find(std::string_view name) const {
  for (std::size_t i = 0; i < stages_.size(); ++i)
    if (stages_[i]->info.name == name) return static_cast<StageId>(i);
  return {};
}

void Timeline::refuse_unknown_wishes(const VariantWishes& wishes) const {
  for (const VariantWishes::Wish& wish : wishes.all()) {
    std::string names;
    std::vector<std::string_view> known;
    bool answered = false;
    for (const auto& stage : stages_) {
      if (!stage->info.primitive) continue;
      known.insert(known.end(), {stage->info.name, to_string(*stage->info.primitive)});
      answered |= wish.stage == stage->info.name || wish.stage == to_string(*stage->info.primitive);
      names += (names.empty() ? "" : ", ") + stage->info.name;
      if (stage->info.name != to_string(*stage->info.primitive))
        names += std::string(" (") + to_string(*stage->info.primitive) + ")";
    }
    if (!answered)
      throw ChoiceError(
          "variant \"" + wish.stage + "=" + wish.variant + "\"",
          "no stage with variants has this name or runs this primitive",
          did_you_mean(wish.stage, known) +
              (names.empty() ? "No stage of this scene has variants" : "The stages are " + names));
  }
}

std::optional<VariantId> Timeline::chosen(StageId stage) const { return at(stage).variant; }

std::optional<VariantId> Timeline::chosen_by(const VariantWishes& wishes, StageId stage) const {
  const StageInfo& info = at(stage).info;
  if (!info.primitive) return {};
  const Primitive primitive = *info.primitive;
  VariantId variant = info.initial ? find_variant(primitive, info.initial)
                                   : default_variant(primitive, device_.info().backend);
  for (const VariantWishes::Wish& wish : wishes.all())
    if (answers(wish, info)) variant = find_variant(primitive, wish.variant);
  return variant;
}

StageVariants Timeline::choices() const {
  StageVariants choices;
  for (const auto& stage : stages_) choices.push_back(stage->variant);
  return choices;
}

std::string Timeline::why_not(StageId stage, VariantId variant) const {
  std::string why = why_unavailable(variant, device_);
  if (why.empty() && at(stage).info.why_not) why = at(stage).info.why_not(variant);
  return why;
}

void Timeline::choose(const StageVariants& variants) {
  if (variants.size() != stages_.size())
    throw std::logic_error("a choice of " + std::to_string(variants.size()) + " variants for " +
                           std::to_string(stages_.size()) + " stages");
  const StageVariants before = choices();
  if (variants == before) return;
  collect();  // the scratch memory may be replaced: nothing may still use it
  const auto set = [this](const StageVariants& to) {
    for (std::size_t i = 0; i < to.size(); ++i)
      if (stages_[i]->info.primitive) stages_[i]->variant = to[i];
  };
  set(variants);
  try {
    settle(before);
    reserve_scratch();
  } catch (const Error&) {  // refused, or out of memory: keep the previous choice
    set(before);
    reserve_scratch();
    throw;
  }
  forget_graphs();
  for (std::size_t i = 0; i < variants.size(); ++i)
    if (stages_[i]->variant != before[i]) stages_[i]->times.begin_anew();
}

void Timeline::begin_anew(StageId stage) {
  stages_[static_cast<std::size_t>(stage)]->times.begin_anew();
}

void Timeline::settle(const StageVariants& before) {
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    Stage& stage = *stages_[i];
    if (!stage.info.primitive) continue;
    const auto id = static_cast<StageId>(i);
    const std::string why = why_not(id, stage.variant.value());
    if (why.empty()) continue;
    const bool is_new = stage.variant != before[i];
    const std::optional<VariantId> other = is_new ? std::nullopt : first_that_can(id);
    if (!other)
      throw Error("variant " + stage.info.name + "=" + (*stage.variant)->name + " on " +
                      device_.info().name,
                  "the variant " + why, "Choose another one");
    stage.variant = other;
  }
}

std::uint64_t Timeline::scratch_bytes() {
  std::size_t most = 0;
  for (const auto& stage : stages_) {
    Scratch measure;
    stage->info.queue(StageRun(*stream_, measure, stage->variant));
    most = std::max(most, measure.used());
  }
  return most;
}

void Timeline::reserve_scratch() { scratch_.reserve(scratch_bytes()); }

ValueRing* Timeline::make_values(std::size_t bytes) {
  return values_.emplace_back(std::make_unique<ValueRing>(device_, *stream_, bytes)).get();
}

const ReadBackBlock* Timeline::make_read_back(const void* device, std::size_t bytes) {
  return read_backs_.emplace_back(std::make_unique<ReadBackBlock>(device_, device, bytes)).get();
}

void Timeline::run(StageId id) {
  if (!timed_stages_) {
    run_untimed(id);
    return;
  }
  Stage& stage = at(id);
  if (before_stage_) before_stage_(stage.info);
  Scratch scratch = scratch_.scratch();
  stage.running.begin(*stream_);
  stage.info.queue(next_run(stage, scratch));
  stage.running.end(*stream_);
}

void Timeline::run_untimed(StageId id) {
  Stage& stage = at(id);
  if (before_stage_) before_stage_(stage.info);
  Scratch scratch = scratch_.scratch();
  stage.info.queue(next_run(stage, scratch));
  stage.times.warm();
}

StageRun Timeline::next_run(Stage& stage, Scratch& scratch) {
  return {*stream_, scratch, stage.variant, in_frame_ ? stage.queued++ : 0};
}

void Timeline::queue_read_backs() {
  for (const auto& block : read_backs_) block->queue(*stream_);
}

void Timeline::queue_frame(std::unique_ptr<AnyPlan> plan, Timing timing,
                           const std::function<void()>& queue) {
  ++frames_;
  frame_recorded_ = false;
  const bool waits = std::any_of(stages_.begin(), stages_.end(), [](const auto& stage) {
    return stage->info.waits && stage->info.waits();
  });
  replays_ = graphs_allowed_ && !waits && (timing == Timing::whole || device_.events_in_graphs());
  forget_runs();
  try {
    const Captured* const graph = replays_ ? captured(std::move(plan), timing, queue) : nullptr;
    stream_->record(*frame_begin_);
    if (graph) {
      stream_->launch(*graph->graph);
      for (std::size_t i = 0; i < stages_.size(); ++i) stages_[i]->running.replayed(graph->runs[i]);
    } else {
      queue_whole(timing, queue);
    }
  } catch (...) {
    forget_runs();  // their events were not recorded
    throw;
  }
  stream_->record(*frame_end_);
  frame_recorded_ = true;
  for (const auto& stage : stages_) stage->runs_in_frame = stage->running.runs();
}

void Timeline::queue_whole(Timing timing, const std::function<void()>& queue) {
  struct InFrame {
    Timeline& timeline;
    ~InFrame() {
      timeline.timed_stages_ = true;
      timeline.in_frame_ = false;
    }
  } const in_frame{*this};
  timed_stages_ = timing == Timing::stages;
  in_frame_ = true;
  for (const auto& stage : stages_) stage->queued = 0;
  queue();
  queue_read_backs();
}

const Timeline::Captured* Timeline::captured(std::unique_ptr<AnyPlan> plan, Timing timing,
                                             const std::function<void()>& queue) {
  const auto known = std::find_if(graphs_.begin(), graphs_.end(), [&](const auto& graph) {
    return graph->timing == timing && graph->plan->equals(*plan);
  });
  if (known != graphs_.end()) {
    (*known)->last_used = frames_;
    return known->get();
  }
  if (graphs_.size() >= most_graphs) {
    stream_->synchronize();  // it may be running
    graphs_.erase(
        std::min_element(graphs_.begin(), graphs_.end(),
                         [](const auto& a, const auto& b) { return a->last_used < b->last_used; }));
  }
  auto made = std::make_unique<Captured>();
  made->timing = timing;
  made->plan = std::move(plan);
  stream_->begin_capture();
  try {
    queue_whole(timing, queue);
  } catch (...) {
    try {
      stream_->end_capture();
    } catch (const Error&) {
      // An error from inside the capture says more.
    }
    throw;
  }
  made->graph = stream_->end_capture();
  for (const auto& stage : stages_) made->runs.push_back(stage->running.runs());
  made->last_used = frames_;
  ++captures_;
  return graphs_.emplace_back(std::move(made)).get();
}

void Timeline::forget_runs() {
  for (const auto& stage : stages_) stage->running.replayed(0);
}

void Timeline::forget_graphs() {
  if (graphs_.empty()) return;
  stream_->synchronize();
  graphs_.clear();
}

void Timeline::collect() {
  stream_->synchronize();
  for (const auto& block : read_backs_) block->take();
  for (const auto& stage : stages_) {
    if (stage->running.runs() == 0) continue;
    stage->work = stage->work_now();
    stage->times.add(stage->running.take_milliseconds(), stage->work.bytes);
  }
  if (std::exchange(frame_recorded_, false))
    frame_times_.add(frame_end_->milliseconds_since(*frame_begin_));
}

void Timeline::forget_times() {
  collect();
  for (const auto& stage : stages_) stage->times.forget();
  frame_times_.forget();
}

void Timeline::forget_frame_times() {
  collect();
  for (const auto& stage : stages_)
    if (stage->runs_in_frame > 0) stage->times.forget();
  frame_times_.forget();
}

std::vector<StageResult> Timeline::stage_results() const {
  std::vector<StageResult> results;
  for (std::size_t i = 0; i < stages_.size(); ++i) {
    const Stage& stage = *stages_[i];
    const StageTimes& times = stage.times;
    StageResult result{
        .stage = static_cast<StageId>(i),
        .name = stage.info.name,
        .title = stage.info.title,
        .about = stage.info.about,
        .primitive = stage.info.primitive,
        .variant = stage.variant,
        .work = times.empty() ? stage.work_now() : StageWork{stage.work.items, times.bytes()},
        .milliseconds = {times.milliseconds().begin(), times.milliseconds().end()},
        .cold_ms = times.cold(),
        .last_ms = times.last(),
        .median_ms = times.median(),
        .least_ms = times.least(),
        .runs = static_cast<int>(stage.runs_in_frame),
        .of_mesh = stage.info.of_mesh,
        .repeatable = stage.info.repeatable};
    if (result.median_ms > 0.0)
      result.gb_per_s = static_cast<double>(result.work.bytes) / result.median_ms * 1e-6;
    if (stage.info.done_by)
      if (const auto other = stage.info.done_by()) result.done_by = info(*other).name;
    results.push_back(std::move(result));
  }
  for (const StageResult& result : results)
    for (StageResult& other : results)
      if (other.name == result.done_by) other.fused.push_back(result.title);
  return results;
}

const StageTimes& Timeline::times(StageId stage) const { return at(stage).times; }

}  // namespace warpview
