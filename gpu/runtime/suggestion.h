// "Did you mean ...?" for words that are not known.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace warpview {

// The word of `known` that is likest to `word`, by what a hand does wrong: letters that are
// missing, too many, wrong or swapped, in small letters or large. Empty where none is like it: of a
// word of up to 3 letters one may be wrong, of longer ones a third.
std::string_view likest_word(std::string_view word, std::span<const std::string_view> known);

// "Did you mean sort? ", to stand before what there is; empty where no word is like it.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

}  // namespace warpview
