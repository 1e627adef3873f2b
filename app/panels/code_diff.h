// Two program texts as one, with the lines marked in which they differ.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "app/panels/code_view.h"

namespace warpview {

// The lines of both texts in order: lines of `before` alone are marked as removed, lines of `after`
// alone as added, and the numbers are those of the line's own text; of a common line, which is
// shown as `after` has it, those of `after`. `key` maps a line of `before` to the text by which it
// is compared. Takes time and memory of the product of the lines' numbers: for short texts.
// The longest common subsequence: Wagner, Fischer, The String-to-String Correction Problem, 1974.
Code difference(
    std::string_view before, std::string_view after,
    const std::function<std::string(std::string_view)>& key = [](std::string_view line) {
      return std::string(line);
    });

}  // namespace warpview
