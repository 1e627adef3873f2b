// The experiment of Morton codes, compared with reference::morton_bits30 and morton_bits63.
#include "gpu/lab/experiment.h"
#include "gpu/primitives/morton/morton.h"
#include "gpu/reference/reference.h"

namespace warpview::lab {
namespace {

constexpr Form morton_forms[] = {{"boxes", "codes of boxes' centres"}};

class Morton : public Experiment {
 public:
  explicit Morton(const Setup& setup)
      : Experiment(setup),
        host_(boxes(setup)),
        bounds_on_host_(reference::bounds(host_)),
        boxes_(uploaded(setup, host_)),
        count_(uploaded<std::uint32_t>(setup, {n_})),
        bounds_(uploaded<SceneBounds>(setup, {bounds_on_host_})),
        codes_(device_, n_) {}

  void run(VariantId variant) override {
    is_wide_ = morton_key_bits(variant->traits) == 64;
    scratch_.run(device_.table().get<Primitive::morton>(variant), stream_,
                 MortonArgs{.boxes = boxes_.data(),
                            .count = count_.data(),
                            .n = n_,
                            .bounds = bounds_.data(),
                            .codes = codes_.data()});
  }
  std::string check(VariantId variant) override {
    const Aabb& domain = bounds_on_host_.centres;
    if (morton_key_bits(variant->traits) == 64)
      return first_difference(codes_.download(stream_), reference::morton_bits63(host_, n_, domain),
                              "codes");
    std::vector<std::uint32_t> narrow(n_);
    if (n_ > 0)
      stream_.copy(narrow.data(), codes_.data(), n_ * sizeof(std::uint32_t), Copy::device_to_host);
    stream_.synchronize();
    return first_difference(narrow, reference::morton_bits30(host_, n_, domain), "codes");
  }
  std::vector<Region> outputs() override {
    return {{"codes", code_type(), codes_.data(), codes_.bytes()}};
  }
  std::vector<Region> result() override {
    return {{"codes", code_type(), codes_.data(), n_ * code_type().bytes}};
  }

 private:
  ElementType code_type() const {
    return is_wide_ ? element_type<std::uint64_t>() : element_type<std::uint32_t>();
  }

  bool is_wide_ = false;  // codes of the last run: 64 bits
  std::vector<Aabb> host_;
  SceneBounds bounds_on_host_;
  Buffer<Aabb> boxes_;
  Buffer<std::uint32_t> count_;
  Buffer<SceneBounds> bounds_;
  Buffer<std::uint64_t> codes_;  // room for either width
};

}  // namespace

const ExperimentKind& morton_experiment() {
  static constexpr ExperimentKind kind = {.items = "boxes",
                                          .forms = morton_forms,
                                          .distributions = all_distributions,
                                          .memory_each = 32,
                                          .make = make<Morton>,
                                          .items_a_triangle = one_a_triangle};
  return kind;
}

}  // namespace warpview::lab
