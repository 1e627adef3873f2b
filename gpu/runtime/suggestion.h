// "Did you mean ...?" for unknown words.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpview {

// The word of `known` that is most similar to `word`, by typing errors: letters that are missing,
// too many, wrong or swapped, in small letters or large. Empty if none is similar: in a word of up
// to 3 letters one may be wrong, in longer ones a third.
std::string_view likest_word(std::string_view word, std::span<const std::string_view> known);

// "Did you mean sort? ", to precede the list of choices; empty if no word is similar.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace warpview
