// Fuzzy search: the typed letters occur in the text in order, possibly with others between them.
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

// Searches for each word of `typed` separately, ignoring case. Returns none if some word's letters
// are not in the text in order. An empty `typed` matches every text.
std::optional<FuzzyMatch> fuzzy_match(std::string_view typed, std::string_view text);

}  // namespace warpview
