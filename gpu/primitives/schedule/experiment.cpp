// The experiment of schedulers: trees of work, whose leaves have the same sum in any order.
#include <algorithm>
#include <array>
#include <bit>
#include <map>

#include "gpu/lab/experiment.h"
#include "gpu/primitives/schedule/schedule.h"

namespace warpview::lab {
namespace {

enum ScheduleFormIndex { homogeneous, heterogeneous, narrow, wide };
constexpr Form schedule_forms[] = {
    {"homogeneous", "items of one kind, for one lane each, with 1 to 4 children"},
    {"heterogeneous", "three kinds, the third with 20 KiB of shared memory and many registers"},
    {"narrow", "three kinds in chains: up to 256 items at a time"},
    {"wide", "three kinds, 4 children each, as many trees as there are 16 items"},
};
constexpr bool is_large(int form) { return form == heterogeneous; }

// Small trees while there are few items, then larger trees.
std::uint32_t trees_of(int form, std::uint32_t n) {
  constexpr std::array most = {1U << 12U, 1U << 14U, 1U << 8U, ~0U};
  constexpr std::uint32_t size = 16;
  return std::min((n + size - 1) / size, most[static_cast<std::size_t>(form)]);
}

ScheduleShape shape_of(int form, Backend backend) {
  ScheduleShape shape;
  if (form != homogeneous) {  // of sixteen items: ten, five and one
    shape.of_a = 160;
    shape.of_a_or_b = 240;
  }
  if (form == narrow) shape.most_children = 1;
  if (form == wide) shape.fewest_children = 4;
  // For the heterogeneous forms, so many steps that each kind has its share of the time. The CPU
  // device executes lane by lane what a GPU does in almost no time.
  constexpr std::uint32_t of_unlike[] = {256, 128, 16};
  for (unsigned kind = 0; kind < schedule_kinds; ++kind)
    shape.steps[kind] = backend == Backend::cpu ? 1 : is_large(form) ? of_unlike[kind] : 64;
  return shape;
}

// The sum over the steps of all chains of an item. Each step is factor x + summand, and so is a
// sequence of steps, with another factor and summand. These are computed once for all items of a
// kind, in place of step-by-step arithmetic.
class Digest {
 public:
  Digest(const ScheduleShape& shape, unsigned kind, bool large)
      : chains_(schedule_workers[kind] * schedule_chains(kind, large)) {
    for (std::uint32_t s = 0; s < shape.steps[kind]; ++s) {
      factor_ *= schedule_factor;
      summand_ = schedule_factor * summand_ + schedule_summand;
    }
  }
  std::uint32_t of(std::uint64_t key) const {
    const std::uint32_t numbers = chains_ * (chains_ - 1) / 2;  // 0 + 1 + ... of the chains
    return factor_ * (chains_ * static_cast<std::uint32_t>(key) + numbers) + chains_ * summand_;
  }

 private:
  std::uint32_t chains_;
  std::uint32_t factor_ = 1;
  std::uint32_t summand_ = 0;
};

class Schedule : public Experiment {
 public:
  explicit Schedule(const Setup& setup)
      : Experiment(setup),
        sums_(device_, schedule_sums),
        counts_(device_, schedule_sums),
        status_(device_, 1),
        want_sums_(schedule_sums),
        want_counts_(schedule_sums) {
    args_.n = n_;
    args_.trees = trees_of(setup.form, n_);
    args_.shape = shape_of(setup.form, device_.info().backend);
    args_.large = is_large(setup.form);
    const std::vector<std::uint64_t> keys =
        integers(setup.distribution, args_.trees, 64, setup.seed);
    do_one_by_one(keys);
    keys_ = uploaded(setup, keys);
    args_.keys = keys_.data();
    constexpr std::uint32_t fewest_places = 256;
    for (unsigned kind = 0; kind < schedule_kinds; ++kind)
      args_.capacity[kind] = std::bit_ceil(std::max(want_executed_[kind], fewest_places));
    constexpr std::uint32_t enough = 1U << 11U;  // 192 items per level of a tree, and several trees
    args_.stack = std::clamp(n_, 1U, enough);
    args_.sums = sums_.data();
    args_.counts = counts_.data();
    args_.status = status_.data();
    args_.trace = &trace_;
    args_.report = &report_;
  }

  void run(VariantId variant) override {
    auto& prepared = prepared_[variant];
    if (!prepared) prepared = device_.table().get<Primitive::schedule>(variant)(stream_, args_);
    prepared->run();
  }
  std::string check(VariantId /*variant*/) override {
    const ScheduleStatus status = status_.download(stream_).front();
    last_ = {{"failed takes", status.failed_takes},
             {"launches", report_.launches + status.launches},
             {"host synchronisations", report_.synchronisations}};
    for (unsigned kind = 0; kind < schedule_kinds; ++kind) {
      const std::string of_kind = std::string(" items of kind ") + "abc"[kind];
      if (status.refused[kind] != 0)
        return std::to_string(status.refused[kind]) + of_kind + " were refused";
      if (status.executed[kind] != want_executed_[kind])
        return std::to_string(status.executed[kind]) + of_kind + " were executed instead of " +
               std::to_string(want_executed_[kind]);
    }
    std::string difference =
        first_difference(counts_.download(stream_), want_counts_, "counts of leaves");
    if (difference.empty())
      difference = first_difference(sums_.download(stream_), want_sums_, "sums");
    return difference;
  }
  std::vector<Region> outputs() override {
    return {region("sums", sums_), region("counts", counts_), region("status", status_)};
  }
  std::vector<Region> result() override {
    return {region("sums", sums_), region("counts", counts_), executed()};
  }

  double operations() const override { return n_; }
  std::vector<Occurrence> occurrences() const override { return last_; }
  Busy busy(VariantId variant) override;

 protected:
  // The emitting lane writes an item and the executing lane reads it.
  Traffic traffic() const override { return {.item = sizeof(ScheduleItem)}; }
  void spoil_more() override {
    for (const auto& [of, prepared] : prepared_) prepared->spoil(spoiled_byte);
  }

 private:
  Region executed() const {
    return {"executed", element_type<std::uint32_t>(), &status_.data()->executed,
            schedule_kinds * sizeof(std::uint32_t)};
  }
  // The reference: one item after another, last in, first out.
  void do_one_by_one(const std::vector<std::uint64_t>& keys) {
    std::vector<Digest> digests;
    for (unsigned kind = 0; kind < schedule_kinds; ++kind)
      digests.emplace_back(args_.shape, kind, args_.large);
    std::vector<ScheduleItem> items;
    for (std::uint32_t tree = 0; tree < args_.trees; ++tree) {
      items.push_back({keys[tree], schedule_share(n_, args_.trees, tree), 0});
      while (!items.empty()) {
        const ScheduleItem item = items.back();
        items.pop_back();
        const unsigned kind = schedule_kind(args_.shape, item.key);
        ++want_executed_[kind];
        const std::uint64_t value = schedule_value(item, digests[kind].of(item.key));
        const std::uint32_t children = schedule_children(args_.shape, item, value);
        for (std::uint32_t i = 0; i < children; ++i)
          items.push_back(schedule_child(item, value, children, i));
        if (children > 0) continue;
        want_sums_[schedule_place(item.key)] += value;
        ++want_counts_[schedule_place(item.key)];
      }
    }
  }

  ScheduleArgs args_;
  ScheduleTrace trace_;
  ScheduleReport report_;
  Buffer<std::uint64_t> keys_, sums_;
  Buffer<std::uint32_t> counts_;
  Buffer<ScheduleStatus> status_;
  std::vector<std::uint64_t> want_sums_;
  std::vector<std::uint32_t> want_counts_;
  std::array<std::uint32_t, schedule_kinds> want_executed_{};
  std::vector<Occurrence> last_;
  std::map<VariantId, std::unique_ptr<Prepared>> prepared_;
};

// One more run, which records the busy stretches.
Busy Schedule::busy(VariantId variant) {
  // A batch has an item or more, and a block of run_to_completion spawns a tree or more at a time.
  constexpr std::uint32_t most = 1U << 22U;
  const std::uint32_t room = std::clamp(n_ + args_.trees, 1U << 12U, most);
  const Buffer<BusyStretch> stretches(device_, room);
  const Buffer<std::uint32_t> count(device_, 1);
  // Whatever the run's outcome, the buffers that it records into are freed afterwards.
  struct Reset {
    ScheduleTrace& trace;
    ~Reset() { trace = {}; }
  } const reset{trace_};
  trace_ = {stretches.data(), count.data(), room};
  run(variant);
  stream_.synchronize();
  const std::uint32_t noted = count.download(stream_).front();
  if (noted > room) return {};
  std::vector<BusyBlock> blocks;
  for (const BusyStretch& stretch : stretches.download(stream_, noted))
    blocks.push_back({.begin_ns = stretch.begin,
                      .end_ns = stretch.begin + stretch.nanoseconds,
                      .share = 1.0 / std::max(report_.places[stretch.kernel], 1U)});
  return busy_of(blocks);
}

}  // namespace

const ExperimentKind& schedule_experiment() {
  static constexpr ExperimentKind kind = {.items = "items",
                                          .forms = schedule_forms,
                                          .distributions = only_uniform,
                                          .memory_each = 160,
                                          .make = make<Schedule>,
                                          .most_on_cpu = 1U << 14U,
                                          .start = Start::idle,
                                          .operations = "items",
                                          .tells_busy = true};
  return kind;
}

}  // namespace warpview::lab
