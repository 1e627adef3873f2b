#include "gpu/runtime/suggestion.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace warpview {
namespace {

// Edit distance of the words, ignoring case (Damerau and Levenshtein, without a second change of
// letters that were swapped).
std::size_t distance(std::string_view a, std::string_view b) {
  const auto same = [](char left, char right) {
    return std::tolower(static_cast<unsigned char>(left)) ==
           std::tolower(static_cast<unsigned char>(right));
  };
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& {
    return table[i * width + j];
  };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = at(i - 1, j - 1) + (same(a[i - 1], b[j - 1]) ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, changed});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return at(a.size(), b.size());
}

}  // namespace

std::string_view likest_word(std::string_view word, std::span<const std::string_view> known) {
  constexpr std::size_t longest = 64;  // length of what a user types
  if (word.size() > longest) return {};
  std::string_view likest;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string_view candidate : known) {
    const std::size_t difference = distance(word, candidate);
    // A word whose letters are all wrong is another word.
    if (difference >= least || difference >= candidate.size()) continue;
    least = difference;
    likest = candidate;
  }
  return likest;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  const std::string_view likest = likest_word(word, known);
  return likest.empty() ? "" : "Did you mean " + std::string(likest) + "? ";
}

}  // namespace warpview
