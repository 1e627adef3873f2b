#include "gpu/lab/series.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpview::lab {

std::vector<std::uint32_t> powers_of_two(int first, int last) {
  std::vector<std::uint32_t> sizes;
  for (int exponent = first; exponent <= last; ++exponent)
    sizes.push_back(std::uint32_t{1} << static_cast<unsigned>(exponent));
  return sizes;
}

int largest_power(Primitive primitive, std::uint32_t fits) {
  std::uint32_t most = 1;
  for (const VariantId variant : variants_of(primitive)) most = std::max(most, most_items(variant));
  return static_cast<int>(std::bit_width(std::min(most, fits))) - 1;
}

std::vector<Question> at_sizes(Question question, const std::vector<std::uint32_t>& sizes) {
  std::vector<Question> questions;
  questions.reserve(sizes.size());
  for (const std::uint32_t n : sizes) {
    question.n = n;
    questions.push_back(question);
  }
  return questions;
}

void answer(Laboratory& laboratory, const Question& question, const Audience& audience) {
  const auto stopped = [&laboratory] { return laboratory.stop && laboratory.stop(); };
  laboratory.ask(question);
  for (const VariantId variant : laboratory.variants()) {
    if (stopped()) return;
    if (audience.wants && !audience.wants(variant)) continue;
    if (audience.begin) audience.begin(question, variant);
    Answer given = audience.only_verify ? laboratory.verify(variant) : laboratory.measure(variant);
    // Of a variant that was stopped before its first timed run there is nothing to tell.
    if (stopped() && !audience.only_verify && given.verified && given.runs == 0) return;
    if (audience.tell) audience.tell(std::move(given));
  }
}

}  // namespace warpview::lab
