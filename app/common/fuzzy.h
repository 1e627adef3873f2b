// Search as one types: the letters of what is wanted, in order, with others between them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace warpview {

struct FuzzyMatch {
  // Larger is better: all words typed begin words of the text; else they are parts of it; else its
  // letters are there, in order. Within each, letters side by side and near the beginning count.
  int score = 0;
  std::vector<std::size_t> places{};  // of the letters in the text, ascending
};

// Each word of `typed` is looked for by itself, upper and lower case alike. None: a word's letters
// are not in the text, in order. Nothing typed matches anything.
std::optional<FuzzyMatch> fuzzy_match(std::string_view typed, std::string_view text);

}  // namespace warpview
