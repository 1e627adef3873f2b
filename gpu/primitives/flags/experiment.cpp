// The experiment of look-back flags: a scan with each kind of flag, compared with reference::scan.
#include <algorithm>

#include "gpu/lab/experiment.h"
#include "gpu/operators/numbers.h"
#include "gpu/primitives/scan/scan.h"
#include "gpu/reference/all_cores.h"

namespace warpview::lab {
namespace {

constexpr Form flags_forms[] = {{"sum_u32", "exclusive prefix sum of words"}};

class Flags : public Experiment {
 public:
  explicit Flags(const Setup& setup) : Experiment(setup), out_(device_, n_) {
    const std::vector<std::uint32_t> host = words(setup);
    want_ = reference::scan(std::span<const std::uint32_t>(host), false, SumU32::identity(),
                            SumU32::combine);
    in_ = uploaded(setup, host);
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::flags>(variant), stream_,
                 ScanArgs{.in = in_.data(), .out = out_.data(), .n = n_});
  }
  std::string check(VariantId /*variant*/) override {
    return first_difference(out_.download(stream_), want_, "sums");
  }
  std::vector<Region> outputs() override { return {region("out", out_)}; }
  std::vector<Region> result() override { return {region("out", out_)}; }

 private:
  std::vector<std::uint32_t> want_;
  Buffer<std::uint32_t> in_, out_;
};

}  // namespace

const ExperimentKind& flags_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = flags_forms,
                                          .distributions = only_uniform,
                                          .memory_each = 9,
                                          .make = make<Flags>,
                                          .numbers = takes_words};
  return kind;
}

}  // namespace warpview::lab
