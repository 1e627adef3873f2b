#include "scenes/files/texture_statement.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "scenes/files/text_lines.h"

namespace warpview {
namespace {

constexpr char quote = '"';

// What the values of an option are.
enum class OptionValues { on_or_off, numbers, word };

struct TextureOption {
  std::string_view name;
  OptionValues values;
  std::size_t least, most;  // how many
  // What it says where it asks for nothing special; what has no such value is never drawn.
  std::array<std::string_view, 3> usual = {};
};

// The options of the MTL format, and -colorspace, which came later.
constexpr std::array<TextureOption, 14> texture_options = {{
    {"-o", OptionValues::numbers, 1, 3, {"0", "0", "0"}},
    {"-s", OptionValues::numbers, 1, 3, {"1", "1", "1"}},
    {"-t", OptionValues::numbers, 1, 3, {"0", "0", "0"}},
    {"-mm", OptionValues::numbers, 2, 2, {"0", "1"}},
    {"-bm", OptionValues::numbers, 1, 1, {"1"}},
    {"-boost", OptionValues::numbers, 1, 1, {"0"}},
    {"-texres", OptionValues::numbers, 1, 1},
    {"-blendu", OptionValues::on_or_off, 1, 1, {"on"}},
    {"-blendv", OptionValues::on_or_off, 1, 1, {"on"}},
    {"-clamp", OptionValues::on_or_off, 1, 1, {"off"}},
    {"-cc", OptionValues::on_or_off, 1, 1, {"off"}},
    {"-imfchan", OptionValues::word, 1, 1},
    {"-type", OptionValues::word, 1, 1},
    {"-colorspace", OptionValues::word, 1, 1, {"sRGB"}},
}};

bool is_value(OptionValues kind, std::string_view word) {
  switch (kind) {
    case OptionValues::on_or_off:
      return word == "on" || word == "off";
    case OptionValues::numbers:
      return is_number(word);
    case OptionValues::word:
      return !word.empty();
  }
  return false;
}

// One read, option by option.
class StatementReader {
 public:
  explicit StatementReader(std::string_view rest) : rest_(trimmed(rest)) {}

  TextureStatement read() {
    while (read_option()) {
    }
    statement_.file = rest_;
    return std::move(statement_);
  }

 private:
  // False where no option stands at the front of what is left.
  bool read_option() {
    std::string_view behind = rest_;
    const std::string_view name = next_word(behind);
    const auto* const option =
        std::find_if(texture_options.begin(), texture_options.end(),
                     [name](const TextureOption& each) { return each.name == name; });
    if (option == texture_options.end()) return false;
    std::array<std::string_view, 3> values;
    std::size_t count = 0;
    rest_ = trimmed(behind);
    while (count < option->most) {
      const std::string_view value = next_word(behind);
      if (!is_value(option->values, value) || trimmed(behind).empty()) break;
      values[count++] = value;
      rest_ = trimmed(behind);
    }
    if (count < option->least)
      statement_.lacks_values = true;
    else
      apply(*option, values, count);
    return true;
  }

  void apply(const TextureOption& option, const std::array<std::string_view, 3>& values,
             std::size_t count) {
    std::array<float, 3> numbers{};
    for (std::size_t i = 0; option.values == OptionValues::numbers && i < option.most; ++i) {
      const auto number = finite_number(i < count ? values[i] : option.usual[i]);
      if (!number) {
        statement_.lacks_values = true;
        return;
      }
      numbers[i] = *number;
    }
    if (option.name == "-o")
      statement_.placement.offset = {numbers[0], numbers[1]};
    else if (option.name == "-s")
      statement_.placement.scale = {numbers[0], numbers[1]};
    else if (option.name == "-clamp")
      statement_.placement.is_clamped = values[0] == "on";
    else if (!is_usual(option, values, count))
      note_undrawn(option.name);
  }

  void note_undrawn(std::string_view option) {
    std::vector<std::string>& noted = statement_.undrawn_options;
    if (std::find(noted.begin(), noted.end(), option) == noted.end()) noted.emplace_back(option);
  }

  static bool is_usual(const TextureOption& option, const std::array<std::string_view, 3>& values,
                       std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const bool same = option.values == OptionValues::numbers
                            ? !option.usual[i].empty() &&
                                  finite_number(values[i]) == finite_number(option.usual[i])
                            : values[i] == option.usual[i];
      if (!same) return false;
    }
    return true;
  }

  std::string_view rest_;
  TextureStatement statement_;
};

}  // namespace

TextureStatement read_texture_statement(std::string_view rest) {
  return StatementReader(rest).read();
}

std::vector<std::string> names_in(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return {};
  if (text.front() == quote) {
    const std::string_view name = next_name(text);
    if (name.empty()) return {};
    return {std::string(name)};
  }
  if (text.front() == '#' && text.find_first_of(" \t") != std::string_view::npos) return {};
  std::vector<std::string> names = {std::string(text)};
  for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    if (at == 0 || !is_blank(text[at - 1])) continue;
    names.emplace_back(trimmed(text.substr(0, at)));
    break;
  }
  return names;
}

std::string_view next_name(std::string_view& text) {
  text = trimmed(text);
  if (text.empty() || text.front() != quote) {
    const std::string_view word = next_word(text);
    if (!word.starts_with('#')) return word;
    text = {};
    return {};
  }
  text.remove_prefix(1);
  const std::size_t end = std::min(text.find(quote), text.size());
  const std::string_view name = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return name;
}

}  // namespace warpview
