// The experiment of pools: stretches of words reversed through buffers from a pool.
#include "gpu/primitives/pool/pool.h"

#include <algorithm>
#include <string_view>

#include "gpu/lab/experiment.h"

namespace warpview::lab {
namespace {

enum PoolFormIndex { plenty, scarce, four };
constexpr Form pool_forms[] = {
    {"plenty", "a buffer for every stretch, up to 16 384: more than warps are resident"},
    {"scarce", "64 buffers: on a GPU most warps wait"},
    {"four", "four buffers for all warps"},
};

class Pool : public Experiment {
 public:
  explicit Pool(const Setup& setup)
      : Experiment(setup),
        buffers_(setup.form == four     ? 4
                 : setup.form == scarce ? 64
                                        : std::clamp(n_ / pool_stretch + 1, 1U, 16'384U)),
        out_(device_, n_),
        clashes_(device_, 1) {
    want_ = words(setup);
    in_ = uploaded(setup, want_);
    for (auto begin = want_.begin(); begin != want_.end();) {
      const auto end = begin + std::min<std::ptrdiff_t>(pool_stretch, want_.end() - begin);
      std::reverse(begin, end);
      begin = end;
    }
  }

  void run(VariantId variant) override {
    scratch_.run(device_.table().get<Primitive::pool>(variant), stream_,
                 PoolArgs{.in = in_.data(),
                          .out = out_.data(),
                          .n = n_,
                          .buffers = buffers_,
                          .clashes = clashes_.data()});
  }
  std::string check(VariantId /*variant*/) override {
    if (const std::uint32_t clashes = clashes_.download(stream_).front(); clashes != 0)
      return std::to_string(clashes) + " owners of a buffer were not alone with it";
    return first_difference(out_.download(stream_), want_, "words");
  }
  std::vector<Region> outputs() override {
    return {region("out", out_), region("clashes", clashes_)};
  }
  std::vector<Region> result() override {
    return {region("out", out_), region("clashes", clashes_)};
  }

 protected:
  Traffic traffic() const override { return {.item = 4, .value = 4}; }

 private:
  std::uint32_t buffers_;
  std::vector<std::uint32_t> want_;
  Buffer<std::uint32_t> in_, out_, clashes_;
};

std::string pool_why_not(VariantId variant, int form) {
  if (form != plenty && (variant->traits & PoolTrait::no_pool) != 0)
    return "it has as many buffers as it asks for";
  return {};
}

std::uint32_t pool_most_of_variant(VariantId variant) {
  return std::string_view(variant->name) == "malloc" ? pool_malloc_words : 0;
}

}  // namespace

const ExperimentKind& pool_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = pool_forms,
                                          .distributions = only_uniform,
                                          .memory_each = 13,
                                          .make = make<Pool>,
                                          .why_not = pool_why_not,
                                          .most_items = pool_most_of_variant,
                                          .numbers = takes_words};
  return kind;
}

}  // namespace warpview::lab
