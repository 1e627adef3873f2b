// The experiment of memory: words to a kernel and back, compared with the expected results.
#include "gpu/primitives/memory/memory.h"

#include <map>
#include <string_view>

#include "gpu/lab/experiment.h"

namespace warpview::lab {
namespace {

constexpr Form memory_forms[] = {
    {"round_trip", "to the device, through a kernel, and back"},
    {"table", "host and device read the same words, in four turns each"},
    {"table_preferred", "the same, with the advice that they live on the device"},
    {"table_accessed_by", "the same, with the advice that the device has them mapped"},
    {"table_read_mostly", "the same, with the advice that each side may have a copy"},
    {"turns", "host and device touch every page, in four turns each"},
    {"turns_preferred", "the same, with the advice that they live on the device"},
    {"turns_accessed_by", "the same, with the advice that the device has them mapped"},
    {"turns_read_mostly", "the same, with the advice that each side may have a copy"},
};
MemoryTask task_of(int form) {
  return form == 0 ? MemoryTask::round_trip : form < 5 ? MemoryTask::table : MemoryTask::turns;
}
MemoryAdvice advice_of(int form) {
  return form == 0 ? MemoryAdvice::none : static_cast<MemoryAdvice>((form - 1) % 4);
}

class Memory : public Experiment {
 public:
  explicit Memory(const Setup& setup)
      : Experiment(setup),
        task_(task_of(setup.form)),
        advice_(advice_of(setup.form)),
        out_(n_),
        want_(n_) {
    const auto wide = integers(setup.distribution, n_, 32, setup.seed);
    in_.assign(wide.begin(), wide.end());
    std::uint32_t added = 1;
    if (task_ == MemoryTask::table)
      for (std::size_t i = 0; i < n_; i += memory_page) added += in_[i];
    for (std::uint32_t i = 0; i < n_; ++i) {
      want_[i] = 3 * in_[i] + added;
      if (task_ != MemoryTask::turns) continue;
      const std::uint32_t touched = i % memory_page == 0 ? 1 : 0;
      want_[i] += touched;
      for (std::uint32_t turn = 1; turn < memory_turns; ++turn)
        want_[i] = 3 * want_[i] + 1 + touched;
    }
  }

  void reset() override {
    for (const auto& [of, prepared] : prepared_) prepared->reset();
  }
  void run(VariantId variant) override {
    auto& prepared = prepared_[variant];
    if (!prepared) {
      prepared = device_.table().get<Primitive::memory>(variant)(
          stream_,
          {.task = task_, .advice = advice_, .in = in_.data(), .out = out_.data(), .n = n_});
      prepared->spoil(spoiled_byte);  // first: the input of `turns` lies where its output will be
      prepared->reset();
    }
    last_ = variant;
    prepared->run();
    is_fetched_ = false;
  }
  std::string check(VariantId /*variant*/) override {
    fetch();
    return first_difference(out_, want_, "words");
  }
  std::vector<Region> result() override {
    fetch();
    return outputs();
  }

  std::vector<Region> outputs() override { return {region("out", out_)}; }
  void spoil_more() override {
    for (const auto& [of, prepared] : prepared_) prepared->spoil(spoiled_byte);
  }

 private:
  // Brings the last run's output to the host.
  void fetch() {
    if (is_fetched_) return;
    prepared_.at(*last_)->fetch();
    stream_.synchronize();
    is_fetched_ = true;
  }

  MemoryTask task_;
  MemoryAdvice advice_;
  std::vector<std::uint32_t> in_, out_, want_;
  bool is_fetched_ = false;
  std::optional<VariantId> last_{};  // the variant that ran last
  std::map<VariantId, std::unique_ptr<Prepared>> prepared_;
};

std::string why_not_memory(VariantId variant, int form) {
  const unsigned traits = variant->traits;
  if ((traits & MemoryTrait::only_turns) != 0)
    return task_of(form) != MemoryTask::turns      ? "its threads do nothing but turns"
           : advice_of(form) != MemoryAdvice::none ? "takes no advice: its arrays belong to streams"
                                                   : "";
  if (task_of(form) != MemoryTask::round_trip && (traits & MemoryTrait::takes_turns) == 0)
    return "does round trips alone";
  if (advice_of(form) != MemoryAdvice::none && (traits & MemoryTrait::advised) == 0)
    return "takes no advice: what it copies does not move by itself";
  return {};
}

std::uint32_t most_of_memory_variant(VariantId variant) {
  return std::string_view(variant->name) == "static" ? memory_static_words : 0;
}

}  // namespace

const ExperimentKind& memory_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = memory_forms,
                                          .distributions = only_uniform,
                                          .memory_each = 68,
                                          .make = make<Memory>,
                                          .start = Start::idle,
                                          .why_not = why_not_memory,
                                          .most_items = most_of_memory_variant};
  return kind;
}

}  // namespace warpview::lab
