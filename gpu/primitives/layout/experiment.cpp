// The experiment of layouts: members updated in place, compared with a plain loop.
#include "gpu/primitives/layout/layout.h"

#include <array>

#include "gpu/lab/experiment.h"

namespace warpview::lab {
namespace {

constexpr Form layout_forms[] = {
    {"one_4", "one member of elements of 4 words"}, {"all_4", "all members of elements of 4 words"},
    {"one_2", "one member of elements of 2 words"}, {"all_2", "all members of elements of 2 words"},
    {"one_8", "one member of elements of 8 words"}, {"all_8", "all members of elements of 8 words"},
    {"one_2_often", "as one_2, 16 times over"},     {"one_4_often", "as one_4, 16 times over"},
    {"one_8_often", "as one_8, 16 times over"},     {"all_4_often", "as all_4, 16 times over"},
    {"all_8_often", "as all_8, 16 times over"},
};
struct Work {
  std::uint32_t words;
  bool all;
  std::uint32_t rounds;
};
constexpr Work works[] = {{4, false, 1},  {4, true, 1},  {2, false, 1},  {2, true, 1},
                          {8, false, 1},  {8, true, 1},  {2, false, 16}, {4, false, 16},
                          {8, false, 16}, {4, true, 16}, {8, true, 16}};
static_assert(std::size(works) == std::size(layout_forms));

constexpr Layout layouts[] = {Layout::structures, Layout::arrays, Layout::tiles};

class Layouts : public Experiment {
 public:
  explicit Layouts(const Setup& setup) : Experiment(setup), work_(works[setup.form]) {
    const auto wide = integers(setup.distribution, std::size_t{n_} * work_.words, 32, setup.seed);
    before_.assign(wide.begin(), wide.end());
    after_ = before_;
    for (std::size_t i = 0; i < after_.size(); ++i)
      if (work_.all || i % work_.words == work_.words - 1)
        for (std::uint32_t round = 0; round < work_.rounds; ++round)
          after_[i] = layout_round(after_[i], round);
    for (const Layout layout : layouts) {
      Lying& lying = of(layout);
      lying.before = uploaded(setup, laid_out(layout, before_));
      lying.elements = Buffer<std::uint32_t>(device_, lying.before.size());
    }
  }

  // Resets every layout: any variant may be next.
  void reset() override {
    for (const Lying& lying : lying_)
      stream_.copy(lying.elements.data(), lying.before.data(), lying.before.bytes(),
                   Copy::device_to_device);
  }
  void run(VariantId variant) override {
    last_ = layout_of(variant);
    scratch_.run(device_.table().get<Primitive::layout>(variant), stream_,
                 LayoutArgs{.elements = of(last_).elements.data(),
                            .n = n_,
                            .words = work_.words,
                            .all = work_.all,
                            .rounds = work_.rounds});
  }
  std::string check(VariantId variant) override {
    const Layout layout = layout_of(variant);
    return first_difference(of(layout).elements.download(stream_), laid_out(layout, after_),
                            "words");
  }
  std::vector<Region> outputs() override {
    std::vector<Region> all;
    for (const Lying& lying : lying_) all.push_back(region("elements", lying.elements));
    return all;
  }
  std::vector<Region> result() override { return {region("elements", of(last_).elements)}; }

 protected:
  Traffic traffic() const override {
    return {.item = 4.0 * work_.words, .value = work_.all ? 4.0 * work_.words : 4.0};
  }

 private:
  struct Lying {
    Buffer<std::uint32_t> before, elements;
  };

  static Layout layout_of(VariantId variant) { return static_cast<Layout>(variant->traits); }
  Lying& of(Layout layout) { return lying_[static_cast<std::size_t>(layout)]; }
  // Converts structures to another layout. Unused words of the last tile are 0.
  std::vector<std::uint32_t> laid_out(Layout layout,
                                      const std::vector<std::uint32_t>& structures) const {
    if (layout == Layout::structures) return structures;
    std::vector<std::uint32_t> words(layout_words(layout, n_, work_.words));
    for (std::size_t i = 0; i < n_; ++i)
      for (std::uint32_t m = 0; m < work_.words; ++m)
        words[layout_place(layout, n_, work_.words, i, m)] = structures[i * work_.words + m];
    return words;
  }

  Work work_;
  std::vector<std::uint32_t> before_, after_;  // structures
  std::array<Lying, std::size(layouts)> lying_;
  Layout last_ = Layout::structures;  // the layout of the last run
};

}  // namespace

const ExperimentKind& layout_experiment() {
  static constexpr ExperimentKind kind = {.items = "elements",
                                          .forms = layout_forms,
                                          .distributions = only_uniform,
                                          .memory_each = 2 * std::size(layouts) * 32.0 + 8,
                                          .make = make<Layouts>,
                                          .most_on_cpu = 1U << 19U};
  return kind;
}

}  // namespace warpview::lab
