// The experiment of queues: every item is taken once or left over, and in order where the queue
// promises an order.
#include <algorithm>
#include <array>
#include <bit>

#include "gpu/lab/experiment.h"
#include "gpu/primitives/queue/queue.h"

namespace warpview::lab {
namespace {

enum QueueFormIndex { balanced, fill_then_drain, producers, tiny_2, tiny_8, empty, six_and_two };
constexpr Form queue_forms[] = {
    {"balanced", "each thread appends and takes by turns, into room for an item of each"},
    {"fill_then_drain", "each thread appends all that it has, and then takes as many"},
    {"producers", "every other warp appends, the rest take"},
    {"tiny_2", "as balanced, into two places"},
    {"tiny_8", "as balanced, into eight places"},
    {"empty", "ten takes for each item"},
    {"six_and_two", "of eight threads six append and two take, into two places"},
};

constexpr std::uint32_t fewest_turns = 4;  // per thread, while there are few threads
constexpr std::uint32_t most_threads = 1U << 16U;

QueueArgs args_of(int form, std::uint32_t n) {
  const std::uint32_t turns = form == six_and_two ? 1 : fewest_turns;
  const std::uint32_t threads = std::clamp((n + turns - 1) / turns, 1U, most_threads);
  return {.n = n,
          .threads = threads,
          .order = form == fill_then_drain ? QueueOrder::appends_first
                   : form == producers     ? QueueOrder::by_warps
                   : form == six_and_two   ? QueueOrder::six_and_two
                                           : QueueOrder::alternating,
          .every = form == empty ? 10U : 1U,
          .capacity = form == tiny_2            ? 2U
                      : form == six_and_two     ? 2U
                      : form == tiny_8          ? 8U
                      : form == fill_then_drain ? std::bit_ceil(std::max(n, 2U))
                                                : std::bit_ceil(std::max(threads, 2U))};
}

class Queue : public Experiment {
 public:
  explicit Queue(const Setup& setup)
      : Experiment(setup),
        args_(args_of(setup.form, n_)),
        appended_(device_, n_),
        taken_(device_, n_),
        left_(device_, queue_room(args_.capacity)),
        left_count_(device_, 1),
        retries_(device_, 1) {
    args_.appended = appended_.data();
    args_.taken = taken_.data();
    args_.left = left_.data();
    args_.left_count = left_count_.data();
    args_.retries = retries_.data();
    // What each turn requests.
    const auto warp_size = static_cast<std::uint32_t>(device_.info().warp_size);
    asks_.resize(n_);
    for (std::uint32_t i = 0; i < n_; ++i) {
      const bool one_role =
          args_.order == QueueOrder::by_warps || args_.order == QueueOrder::six_and_two;
      const bool appender = queue_thread_appends(args_.order, i % args_.threads, warp_size);
      asks_[i] = {.append = i % args_.every == 0 && (!one_role || appender),
                  .take = !one_role || !appender};
      appends_ += asks_[i].append ? 1 : 0;
      takes_ += asks_[i].take ? 1 : 0;
    }
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::queue>(variant), stream_, args_);
  }
  std::string check(VariantId variant) override {
    const unsigned traits = variant->traits;
    const std::vector<std::uint32_t> appended = appended_.download(stream_);
    const std::vector<std::uint32_t> taken = taken_.download(stream_);
    std::string wrong = check_asked(appended, taken);
    if (!wrong.empty()) return wrong;
    if ((traits & QueueTrait::only_counts) != 0) return check_counts(taken);
    wrong = check_items(appended, taken);
    if (wrong.empty() && (traits & QueueTrait::fifo) != 0) wrong = check_order(taken, traits);
    if (wrong.empty() && (traits & QueueTrait::linearizable) != 0 && nothing_to_refuse() &&
        failed_ + refused_ > 0)
      wrong = std::to_string(refused_) + " appends and " + std::to_string(failed_) +
              " takes were refused, while there was room and an item for each";
    return wrong;
  }
  std::vector<Region> outputs() override {
    return {region("taken", taken_), region("appended", appended_), region("left", left_),
            region("left_count", left_count_), region("retries", retries_)};
  }
  std::vector<Region> result() override {
    return {region("taken", taken_), region("appended", appended_), region("left", left_),
            region("left_count", left_count_)};
  }

  double operations() const override { return static_cast<double>(appends_ + takes_); }
  std::vector<Occurrence> occurrences() const override {
    return {{"failed takes", failed_}, {"refused appends", refused_}, {"retries", tried_again_}};
  }

 protected:
  Traffic traffic() const override { return {.item = 4, .value = 4}; }

 private:
  struct Asks {
    bool append, take;
  };

  // No turn does what it did not request. Counts the refusals.
  std::string check_asked(const std::vector<std::uint32_t>& appended,
                          const std::vector<std::uint32_t>& taken) {
    refused_ = failed_ = 0;
    tried_again_ = retries_.download(stream_).front();
    for (std::uint32_t i = 0; i < n_; ++i) {
      const auto in_turn = [i](const char* what) { return what + std::to_string(i); };
      if (appended[i] > 1) return in_turn("it is not told whether an item was appended in turn ");
      if (appended[i] == 1 && !asks_[i].append) return in_turn("an item was appended in turn ");
      if (taken[i] != queue_nothing && !asks_[i].take) return in_turn("an item was taken in turn ");
      refused_ += asks_[i].append && appended[i] == 0 ? 1 : 0;
      failed_ += asks_[i].take && taken[i] == queue_nothing ? 1 : 0;
    }
    return {};
  }

  // The numbers from 0 on, once each.
  std::string check_counts(const std::vector<std::uint32_t>& taken) {
    if (refused_ + failed_ > 0) return "an operation was refused where there is no queue";
    std::vector<bool> drawn(takes_);
    for (const std::uint32_t number : taken) {
      if (number == queue_nothing) continue;
      if (number >= takes_ || drawn[number])
        return "the number " + std::to_string(number) + " was drawn twice, or is too large";
      drawn[number] = true;
    }
    if (left_count_.download(stream_).front() != static_cast<std::uint32_t>(appends_ - takes_))
      return "the count is not what was added to it";
    for (const std::uint32_t item : left_.download(stream_))
      if (item != queue_nothing) return "an item is left where there is no queue";
    return {};
  }

  // Every item appended was taken or is left, exactly once; there are no others.
  std::string check_items(const std::vector<std::uint32_t>& appended,
                          const std::vector<std::uint32_t>& taken) {
    const std::vector<std::uint32_t> left = left_.download(stream_);
    const auto is_item = [](std::uint32_t item) { return item != queue_nothing; };
    std::vector<std::uint32_t> came_out;
    std::copy_if(left.begin(), left.end(), std::back_inserter(came_out), is_item);
    if (came_out.size() != left_count_.download(stream_).front() ||
        !std::equal(came_out.begin(), came_out.end(), left.begin()))
      return "the items that are left are not as many as was counted, or not side by side";
    std::copy_if(taken.begin(), taken.end(), std::back_inserter(came_out), is_item);
    std::vector<bool> seen(n_);
    for (const std::uint32_t item : came_out) {
      if (item >= n_ || appended[item] == 0)
        return "the item " + std::to_string(item) + " came out and was never appended";
      if (seen[item]) return "the item " + std::to_string(item) + " came out twice";
      seen[item] = true;
    }
    const std::size_t out = came_out.size();
    if (const std::size_t in = appends_ - refused_; out != in)
      return std::to_string(in - out) + " of " + std::to_string(in) + " items never came out";
    return {};
  }

  // A consumer receives the items that one thread appended at one level in their order.
  std::string check_order(const std::vector<std::uint32_t>& taken, unsigned traits) const {
    const std::uint32_t levels = (traits & QueueTrait::two_levels) != 0     ? 2
                                 : (traits & QueueTrait::eight_levels) != 0 ? 8
                                                                            : 1;
    const std::uint32_t together = (traits & QueueTrait::takes_four) != 0 ? 4 : 1;
    std::vector<std::array<std::uint32_t, 3>> items;  // its appender's thread and level; it
    for (std::uint32_t taker = 0; taker < args_.threads; taker += together) {
      items.clear();
      for (std::uint32_t first = taker; first < n_; first += args_.threads)
        for (std::uint32_t k = 0; k < together && taker + k < args_.threads && first + k < n_; ++k)
          if (const std::uint32_t item = taken[first + k]; item != queue_nothing)
            items.push_back({item % args_.threads, queue_level(item, levels), item});
      const auto by_who = [](const auto& a, const auto& b) {
        return std::pair(a[0], a[1]) < std::pair(b[0], b[1]);
      };
      std::stable_sort(items.begin(), items.end(), by_who);
      for (std::size_t k = 1; k < items.size(); ++k)
        if (!by_who(items[k - 1], items[k]) && items[k - 1][2] > items[k][2])
          return "thread " + std::to_string(taker) + " took the item " +
                 std::to_string(items[k - 1][2]) + " before the item " +
                 std::to_string(items[k][2]) + ", which the same thread had appended earlier";
    }
    return {};
  }

  // Whether each thread finds room for what it appends, and an item when it takes, whatever the
  // others do: it does where it has appended before, and there is room for all items not yet taken.
  bool nothing_to_refuse() const {
    return args_.every == 1 &&
           ((args_.order == QueueOrder::alternating && args_.capacity >= args_.threads) ||
            (args_.order == QueueOrder::appends_first && args_.capacity >= n_));
  }

  QueueArgs args_;
  Buffer<std::uint32_t> appended_, taken_, left_, left_count_;
  Buffer<std::uint64_t> retries_;
  std::vector<Asks> asks_;
  std::size_t appends_ = 0, takes_ = 0;  // requested
  std::size_t refused_ = 0, failed_ = 0;
  std::uint64_t tried_again_ = 0;
};

std::uint32_t queue_most_of_variant(VariantId variant) {
  return std::string_view(variant->name) == "locked" ? most_locked_turns : 0;
}

std::string why_not_form(VariantId variant, int form) {
  const bool takes_four = (variant->traits & QueueTrait::takes_four) != 0;
  return takes_four && form == six_and_two ? "it takes for four threads side by side, not for two"
                                           : "";
}

}  // namespace

const ExperimentKind& queue_experiment() {
  static constexpr ExperimentKind kind = {.items = "turns",
                                          .forms = queue_forms,
                                          .distributions = only_uniform,
                                          .memory_each = 40,
                                          .make = make<Queue>,
                                          .most_on_cpu = 1U << 18U,
                                          .why_not = why_not_form,
                                          .most_items = queue_most_of_variant};
  return kind;
}

}  // namespace warpview::lab
