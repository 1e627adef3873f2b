#include "gpu/recording/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

std::string_view without_spaces_around(std::string_view words) {
  const auto is_space = [](char letter) { return letter == ' ' || letter == '\t'; };
  while (!words.empty() && is_space(words.front())) words.remove_prefix(1);
  while (!words.empty() && is_space(words.back())) words.remove_suffix(1);
  return words;
}

std::optional<std::uint32_t> block_number(std::string_view words) {
  words = without_spaces_around(words);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(words.data(), words.data() + words.size(), number);
  constexpr std::uint32_t most = 0x7ffffffe;  // of the largest grid
  if (error != std::errc{} || end != words.data() + words.size() || number > most) return {};
  return number;
}

}  // namespace

BlockRanges parse_blocks(std::string_view words) {
  BlockRanges blocks;
  if (without_spaces_around(words).empty()) return blocks;
  for (std::string_view left = words;;) {
    const std::size_t comma = left.find(',');
    const std::string_view range = left.substr(0, comma);
    const std::size_t dash = range.find('-');
    const auto first = block_number(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : block_number(range.substr(dash + 1));
    if (!first || !last || *first > *last)
      throw ChoiceError(
          fmt::format("'{}' is no block and no ascending range of blocks. Write "
                      "numbers and ranges, such as 0,3-5",
                      without_spaces_around(range)));
    blocks.push_back({*first, *last});
    if (comma == std::string_view::npos) break;
    left.remove_prefix(comma + 1);
  }
  std::sort(blocks.begin(), blocks.end(),
            [](const BlockRange& a, const BlockRange& b) { return a.first < b.first; });
  BlockRanges merged;
  for (const BlockRange& range : blocks) {
    if (!merged.empty() && range.first <= merged.back().last + 1)
      merged.back().last = std::max(merged.back().last, range.last);
    else
      merged.push_back(range);
  }
  return merged;
}

std::string in_words(const BlockRanges& blocks) {
  std::string words;
  for (const BlockRange& range : blocks) {
    if (!words.empty()) words += ',';
    words += range.first == range.last ? fmt::format("{}", range.first)
                                       : fmt::format("{}-{}", range.first, range.last);
  }
  return words;
}

const char* to_string(EventKind kind) {
  constexpr const char* names[] = {"launch",
                                   "block_begin",
                                   "block_end",
                                   "step",
                                   "read",
                                   "write",
                                   "load_relaxed",
                                   "load_acquire",
                                   "store_relaxed",
                                   "store_release",
                                   "add",
                                   "subtract",
                                   "bit_and",
                                   "bit_or",
                                   "bit_xor",
                                   "exchange",
                                   "compare_exchange",
                                   "modify",
                                   "fence",
                                   "arrive",
                                   "barrier",
                                   "sync",
                                   "ballot",
                                   "match",
                                   "shuffle",
                                   "active",
                                   "answer",
                                   "back_off",
                                   "exit",
                                   "fill",
                                   "copy",
                                   "upload",
                                   "host",
                                   "others"};
  static_assert(std::size(names) == event_kinds);
  return names[static_cast<unsigned>(kind)];
}

}  // namespace warpview
