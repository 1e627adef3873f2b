#include "app/common/fuzzy.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

namespace warpview {
namespace {

using Places = std::vector<std::size_t>;

std::string lower(std::string_view s) {
  std::string out(s);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool begins_word(std::string_view text, std::size_t at) {
  return at == 0 || std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0;
}

Places run(std::size_t from, std::size_t length) {
  Places places(length);
  for (std::size_t i = 0; i < length; ++i) places[i] = from + i;
  return places;
}

// Places the letters in order: each at its next occurrence or, with `by_words`, at the next one
// that continues the piece or begins a word.
std::optional<Places> in_order(std::string_view word, std::string_view text, bool by_words) {
  Places places;
  std::size_t from = 0;
  for (const char letter : word) {
    std::size_t at = text.find(letter, from);
    if (by_words) {
      const bool goes_on = !places.empty() && at == places.back() + 1;
      std::size_t first = at;
      while (first != std::string_view::npos && !goes_on && !begins_word(text, first))
        first = text.find(letter, first + 1);
      if (first != std::string_view::npos) at = first;
    }
    if (at == std::string_view::npos) return std::nullopt;
    places.push_back(at);
    from = at + 1;
  }
  return places;
}

constexpr int tier = 1000;

// Pieces cost most, then the distance from the beginning of the text.
int score_of(int tiers, const Places& places) {
  int pieces = 1;
  for (std::size_t i = 1; i < places.size(); ++i) pieces += places[i] != places[i - 1] + 1 ? 1 : 0;
  const auto begin = static_cast<int>(std::min<std::size_t>(places.front(), 99));
  return tiers * tier - 20 * std::min(pieces, 40) - begin;
}

std::optional<FuzzyMatch> match_word(std::string_view word, std::string_view text) {
  std::size_t inside = std::string_view::npos;
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const Places places = run(at, word.size());
    if (begins_word(text, at)) return FuzzyMatch{score_of(3, places), places};
    inside = std::min(inside, at);
  }
  if (inside != std::string_view::npos) {
    const Places places = run(inside, word.size());
    return FuzzyMatch{score_of(2, places), places};
  }
  auto places = in_order(word, text, true);
  if (!places) places = in_order(word, text, false);
  if (!places) return std::nullopt;
  return FuzzyMatch{score_of(1, *places), *places};
}

}  // namespace

std::optional<FuzzyMatch> fuzzy_match(std::string_view typed, std::string_view text) {
  const std::string wanted = lower(typed);
  const std::string in = lower(text);
  FuzzyMatch all{.score = 4 * tier};
  std::size_t at = 0;
  while ((at = wanted.find_first_not_of(' ', at)) != std::string::npos) {
    const std::size_t end = std::min(wanted.find(' ', at), wanted.size());
    const auto word = match_word(std::string_view(wanted).substr(at, end - at), in);
    if (!word) return std::nullopt;
    all.score = std::min(all.score, word->score);  // as good as its worst word
    all.places.insert(all.places.end(), word->places.begin(), word->places.end());
    at = end;
  }
  std::sort(all.places.begin(), all.places.end());
  all.places.erase(std::unique(all.places.begin(), all.places.end()), all.places.end());
  return all;
}

}  // namespace warpview
