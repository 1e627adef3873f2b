// The experiment of votes: blocks' answers about their tiles, compared with counts by a loop.
#include "gpu/primitives/vote/vote.h"

#include <algorithm>

#include "gpu/lab/experiment.h"

namespace warpview::lab {
namespace {

// In the order of warpview::Vote.
constexpr Form vote_forms[] = {
    {"count", "how many words of each tile pass; half of all do"},
    {"all", "do all words of a tile pass? About half of the tiles say yes"},
    {"any", "does any word of a tile pass? About half of the tiles say yes"},
};

// Chosen so that `share` of the words pass, as far as the distribution allows.
std::uint32_t limit_for(std::vector<std::uint32_t> words, double share) {
  if (words.empty()) return 0;
  const auto rank = static_cast<std::ptrdiff_t>(share * static_cast<double>(words.size()));
  std::nth_element(words.begin(), words.begin() + rank, words.end());
  return words[static_cast<std::size_t>(rank)];
}

class Votes : public Experiment {
 public:
  explicit Votes(const Setup& setup)
      : Experiment(setup),
        vote_(static_cast<Vote>(setup.form)),
        out_(device_, (n_ + vote_tile_size - 1) / vote_tile_size) {
    const auto wide = integers(setup.distribution, n_, 32, setup.seed);
    const std::vector<std::uint32_t> host(wide.begin(), wide.end());
    constexpr double rare = 0.69 / vote_tile_size;  // every other tile of uniform words has one
    limit_ = limit_for(host, vote_ == Vote::count ? 0.5 : vote_ == Vote::all ? 1.0 - rare : rare);
    for (std::size_t begin = 0; begin < host.size(); begin += vote_tile_size) {
      const std::size_t end = std::min<std::size_t>(begin + vote_tile_size, host.size());
      std::uint32_t passed = 0;
      for (std::size_t i = begin; i < end; ++i) passed += host[i] < limit_ ? 1 : 0;
      want_.push_back(vote_ == Vote::count ? passed
                      : vote_ == Vote::all ? (passed == end - begin ? 1 : 0)
                                           : (passed > 0 ? 1 : 0));
    }
    in_ = uploaded(setup, host);
  }

  void run(VariantId variant) override {
    scratch_.run(
        device_.table().get<Primitive::vote>(variant), stream_,
        VoteArgs{.vote = vote_, .in = in_.data(), .n = n_, .limit = limit_, .out = out_.data()});
  }
  std::string check(VariantId /*variant*/) override {
    return first_difference(out_.download(stream_), want_, "answers");
  }
  std::vector<Region> outputs() override { return {region("out", out_)}; }
  std::vector<Region> result() override { return {region("out", out_)}; }

 private:
  Vote vote_;
  std::uint32_t limit_ = 0;
  std::vector<std::uint32_t> want_;
  Buffer<std::uint32_t> in_, out_;
};

}  // namespace

const ExperimentKind& vote_experiment() {
  static constexpr ExperimentKind kind = {.items = "words",
                                          .forms = vote_forms,
                                          .distributions = all_distributions,
                                          .memory_each = 4.1,
                                          .make = make<Votes>};
  return kind;
}

}  // namespace warpview::lab
