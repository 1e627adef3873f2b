#include "gpu/lab/experiment.h"
#include "gpu/reference/reference.h"

namespace warpview::lab {
namespace {

constexpr Form forms[] = {{"boxes", "bounds of boxes and of their centres"}};

class Bounds : public Experiment {
 public:
  explicit Bounds(const Setup& setup) : Experiment(setup), out_(device_, 1) {
    const std::vector<Aabb> host = boxes(setup.distribution, n_, setup.seed);
    want_ = {reference::bounds(host)};
    boxes_ = uploaded(setup, host);
  }

  void run(int row) override {
    scratch_.run(device_.table().get<Primitive::bounds>(row), stream_,
                 BoundsArgs{.boxes = boxes_.data(), .n = n_, .out = out_.data()});
  }
  std::string check(int /*row*/) override {
    return first_difference(out_.download(stream_), want_, "bounds");
  }
  std::vector<Region> result() override { return {region(out_)}; }

 private:
  std::vector<SceneBounds> want_;
  Buffer<Aabb> boxes_;
  Buffer<SceneBounds> out_;
};

}  // namespace

const ExperimentKind& bounds_experiment() {
  static constexpr ExperimentKind kind = {.items = "boxes",
                                          .forms = forms,
                                          .distributions = all_distributions,
                                          .memory_each = 25,
                                          .make = make<Bounds>};
  return kind;
}

}  // namespace warpview::lab
