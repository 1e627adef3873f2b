// Fuzzy search: the letters typed occur in the text in that order, with others between them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace warpview {

struct FuzzyMatch {
  // Larger is better. A typed word that begins a word of the text beats one that is a part of it,
  // and that beats letters in order. Among equals fewer pieces win, then an earlier beginning.
  int score = 0;
  std::vector<std::size_t> places{};  // of the letters in the text, ascending
};

// Each word of `typed` is looked for by itself, upper and lower case alike. None: a word's letters
// are not in the text, in order. Nothing typed matches anything.
std::optional<FuzzyMatch> fuzzy_match(std::string_view typed, std::string_view text);

}  // namespace warpview
