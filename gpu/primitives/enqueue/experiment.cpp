// The experiment of enqueue: the sorted contents of the queues, compared with the items that pass.
#include "gpu/primitives/enqueue/enqueue.h"

#include <algorithm>

#include "gpu/lab/experiment.h"

namespace warpview::lab {
namespace {

enum EnqueueFormIndex { half, few, most, up_to_two, split, too_small };
constexpr Form enqueue_forms[] = {
    {"half", "every second word enters the queue"},
    {"few", "one word of 64 enters"},
    {"most", "15 words of 16 enter"},
    {"up_to_two",
     "none, one or two words enter for each: a quarter, a half, a quarter of the input"},
    {"split", "every word enters one of two queues, every second the first"},
    {"too_small", "as half, into a queue that has room for half of what enters"},
};

class Enqueue : public Experiment {
 public:
  explicit Enqueue(const Setup& setup) : Experiment(setup), counts_(device_, 2) {
    const std::vector<std::uint32_t> host = words(setup);
    in_ = uploaded(setup, host);
    args_.in = in_.data();
    args_.n = n_;
    args_.below = setup.form == few         ? 1U << 26
                  : setup.form == most      ? 15U << 28
                  : setup.form == up_to_two ? 3U << 30
                                            : 1U << 31;
    if (is_readable(setup.distribution) && n_ > 0) {
      // As large a part of them as of all words, but at least one.
      std::vector<std::uint32_t> sorted = host;
      std::sort(sorted.begin(), sorted.end());
      const std::uint64_t passing = std::uint64_t{n_} * args_.below >> 32U;
      args_.below = sorted[std::max<std::uint64_t>(passing, 1) - 1] + 1;
    }
    args_.twice_below = 1U << 30;
    args_.mode = setup.form == up_to_two ? EnqueueMode::up_to_two
                 : setup.form == split   ? EnqueueMode::split
                                         : EnqueueMode::passing;

    for (const std::uint32_t item : host) {
      if (item < args_.below)
        front_.push_back(item);
      else if (args_.mode == EnqueueMode::split)
        back_.push_back(item);
      if (args_.mode == EnqueueMode::up_to_two && item < args_.twice_below) front_.push_back(~item);
    }
    std::sort(front_.begin(), front_.end());
    std::sort(back_.begin(), back_.end());

    const auto wanted = static_cast<std::uint32_t>(front_.size());
    args_.capacity = setup.form == too_small ? wanted / 2 : std::max(n_, wanted);
    queue_ = Buffer<std::uint32_t>(device_, std::size_t{args_.capacity} + guard_words);
    args_.queue = queue_.data();
    args_.counts = counts_.data();
  }

  void reset() override {
    stream_.fill(queue_.data() + args_.capacity, guard_byte, guard_words * sizeof(guard_word));
  }
  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::enqueue>(variant), stream_, args_);
  }
  // The queue may have any order; if it is too small, any of the items.
  std::string check(VariantId /*variant*/) override {
    const std::vector<std::uint32_t> want_counts = {static_cast<std::uint32_t>(front_.size()),
                                                    static_cast<std::uint32_t>(back_.size())};
    std::string wrong = first_difference(counts_.download(stream_), want_counts, "counts");
    if (!wrong.empty()) return wrong;
    std::vector<std::uint32_t> got = queue_.download(stream_);
    const auto guard = got.begin() + args_.capacity;
    if (std::any_of(guard, got.end(), [](std::uint32_t w) { return w != guard_word; }))
      return "words behind the end of the queue were written";
    const auto front_end = got.begin() + std::min<std::ptrdiff_t>(args_.capacity, front_size());
    std::sort(got.begin(), front_end);
    if (!std::includes(front_.begin(), front_.end(), got.begin(), front_end))
      return "the queue holds items that did not pass, or one twice";
    std::sort(front_end, guard);
    if (!std::equal(back_.begin(), back_.end(), front_end))
      return "the second queue does not hold the items that did not pass";
    return {};
  }
  std::vector<Region> outputs() override {
    return {region("queue", queue_, args_.capacity), region("counts", counts_)};
  }
  std::vector<Region> result() override {
    return {region("queue", queue_,
                   std::min<std::size_t>(args_.capacity, front_.size() + back_.size())),
            region("counts", counts_)};
  }

 protected:
  Traffic traffic() const override {
    const double stored = std::min<double>(
        args_.capacity, static_cast<double>(front_size()) + static_cast<double>(back_.size()));
    return {.item = 4, .value = n_ > 0 ? 4 * stored / n_ : 0};
  }

 private:
  static constexpr std::size_t guard_words = 64;
  static constexpr std::uint8_t guard_byte = 0xcd;
  static constexpr std::uint32_t guard_word = 0xcdcdcdcd;

  std::ptrdiff_t front_size() const { return static_cast<std::ptrdiff_t>(front_.size()); }

  std::vector<std::uint32_t> front_, back_;  // ascending
  EnqueueArgs args_;
  Buffer<std::uint32_t> in_, queue_, counts_;
};

std::string enqueue_why_not(VariantId variant, int form) {
  const unsigned traits = variant->traits;
  const auto has = [traits](unsigned trait) { return (traits & trait) != 0; };
  if (has(EnqueueTrait::only_splits))
    return form == split ? "" : "it fills two queues: every item enters one of them";
  if (form == split && !has(EnqueueTrait::splits)) return "it has one counter and one queue";
  if (form == up_to_two && !has(EnqueueTrait::two_items)) return "it counts one item per lane";
  if (form == too_small && !has(EnqueueTrait::bounded))
    return "it takes the queue to be large enough";
  return {};
}

// Forms but up_to_two, whose second words are complements.
std::optional<NumberRange> enqueue_numbers(int form) {
  if (form == up_to_two) return std::nullopt;
  return NumberRange{.least = 0, .most = INT32_MAX};
}

constexpr Distribution enqueue_distributions[] = {Distribution::uniform, Distribution::sorted,
                                                  Distribution::constant};

}  // namespace

const ExperimentKind& enqueue_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = enqueue_forms,
                                          .distributions = enqueue_distributions,
                                          .memory_each = 16,
                                          .make = make<Enqueue>,
                                          .why_not = enqueue_why_not,
                                          .numbers = enqueue_numbers};
  return kind;
}

}  // namespace warpview::lab
