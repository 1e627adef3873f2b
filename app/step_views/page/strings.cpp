#include "app/step_views/page/strings.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace warpview::step_views {
namespace {

bool is_digit(char c) { return '0' <= c && c <= '9'; }

// The words without their numbers, which are appended to `numbers`.
std::string with_holes(std::string_view words, std::vector<std::int64_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < words.size();) {
    if (!is_digit(words[i])) {
      // What would be read as a hole.
      text += words[i] == Strings::hole ? ' ' : words[i];
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < words.size() && is_digit(words[end])) ++end;
    const std::string_view digits = words.substr(i, end - i);
    if (digits.size() > Strings::most_digits || (digits.size() > 1 && digits.front() == '0')) {
      text += digits;
    } else {
      std::int64_t number = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
      numbers.push_back(number);
      text += Strings::hole;
    }
    i = end;
  }
  return text;
}

}  // namespace

std::uint32_t Strings::id(std::string_view words) {
  const auto [known, is_new] =
      ids_.try_emplace(std::string(words), static_cast<std::uint32_t>(ids_.size()));
  if (!is_new) return known->second;
  words_.push_back(&known->first);
  std::vector<std::int64_t> numbers;
  const auto [text, is_new_text] = text_ids_.try_emplace(
      with_holes(words, numbers), static_cast<std::uint32_t>(text_ids_.size()));
  if (is_new_text) {
    texts_.push_back(text->first);
    holes_.emplace_back(numbers.size());
    bytes_ += text->first.size();
  }
  texts_of_.push_back(text->second);
  bytes_ += 1 + 2 * numbers.size();
  std::vector<Hole>& holes = holes_[text->second];
  for (std::size_t i = 0; i < numbers.size(); ++i)
    add_signed(holes[i].numbers, numbers[i] - std::exchange(holes[i].last, numbers[i]));
  return known->second;
}

std::optional<std::uint32_t> Strings::find(const std::string& words) const {
  const auto known = ids_.find(words);
  return known == ids_.end() ? std::nullopt : std::optional(known->second);
}

void Strings::write(ByteWriter& to) const {
  to.number(texts_.size());
  for (const std::string& text : texts_) to.text(text);
  to.number(texts_of_.size());
  for (const std::uint32_t text : texts_of_) to.number(text);
  for (const std::vector<Hole>& holes : holes_)
    for (const Hole& each : holes)
      to.bytes.insert(to.bytes.end(), each.numbers.bytes.begin(), each.numbers.bytes.end());
}

}  // namespace warpview::step_views
