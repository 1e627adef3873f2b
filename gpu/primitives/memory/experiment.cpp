// The experiment of ways of memory: words to a kernel and back, beside what it makes of them.
#include "gpu/primitives/memory/memory.h"

#include <map>

#include "gpu/lab/experiment.h"

namespace warpview::lab {
namespace {

constexpr Form forms[] = {{"round_trip", "to the device, through a kernel, and back"}};

class Memory : public Experiment {
 public:
  explicit Memory(const Setup& setup)
      : Experiment(setup), out_(n_), want_(n_), shown_(device_, n_) {
    const auto wide = integers(setup.distribution, n_, 32, setup.seed);
    in_.assign(wide.begin(), wide.end());
    for (std::uint32_t i = 0; i < n_; ++i) want_[i] = 3 * in_[i] + 1;
  }

  void reset() override {
    for (const auto& [row, prepared] : prepared_) prepared->reset();
  }
  void run(int row) override {
    auto& prepared = prepared_[row];
    if (!prepared) {
      prepared = device_.table().get<Primitive::memory>(row)(
          stream_, {.in = in_.data(), .out = out_.data(), .n = n_});
      prepared->reset();
      prepared->spoil(spoiled_byte);
    }
    row_ = row;
    prepared->run();
    is_shown_ = false;
  }
  std::string check(int /*row*/) override {
    show();
    return first_difference(shown_.download(stream_), want_, "words");
  }
  std::vector<Region> result() override {
    show();
    return {region(shown_)};
  }

  std::vector<Region> outputs() override { return {region(shown_)}; }
  void spoil_more() override {
    for (const auto& [row, prepared] : prepared_) prepared->spoil(spoiled_byte);
    stream_.synchronize();  // the last copy into it
    if (n_ > 0) std::memset(out_.data(), spoiled_byte, out_.size() * sizeof(out_[0]));
  }

 private:
  // The output is the host's; experiments show theirs in device memory.
  void show() {
    if (is_shown_) return;
    prepared_.at(row_)->fetch();
    stream_.synchronize();
    shown_.upload(stream_, out_);
    stream_.synchronize();
    is_shown_ = true;
  }

  std::vector<std::uint32_t> in_, out_, want_;
  Buffer<std::uint32_t> shown_;
  bool is_shown_ = false;
  int row_ = -1;                                       // that ran last
  std::map<int, std::unique_ptr<Prepared>> prepared_;  // by row
};

}  // namespace

const ExperimentKind& memory_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = forms,
                                          .distributions = only_uniform,
                                          .memory_each = 44,
                                          .make = make<Memory>,
                                          .start = Start::idle};
  return kind;
}

}  // namespace warpview::lab
