#include "scenes/files/json_lines.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <vector>

#include "gpu/runtime/error.h"

namespace warpview {
namespace {

using Json = nlohmann::ordered_json;

// Where the parser is: the line of the last character that it took. After a number it has taken one
// more, which may be the end of its line.
struct Reading {
  int line = 1;
  bool line_ended = false;
};

// The parser copies its iterators, so the place lies elsewhere.
struct CountingIterator {
  using difference_type = std::ptrdiff_t;
  using value_type = char;
  using pointer = const char*;
  using reference = const char&;
  using iterator_category = std::input_iterator_tag;

  const char* at = nullptr;
  Reading* reading = nullptr;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    if (reading->line_ended) ++reading->line;
    reading->line_ended = *at == '\n';
    ++at;
    return *this;
  }
  bool operator==(const CountingIterator& other) const { return at == other.at; }
  bool operator!=(const CountingIterator& other) const { return at != other.at; }
};

// Follows the parser through the document and notes on which line each value begins.
class Places : public nlohmann::json_sax<Json> {
 public:
  Places(const Reading& reading, std::map<std::string, int>& lines)
      : reading_(reading), lines_(lines) {}

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return open(false); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    open_.back().key = name;
    lines_[pointer()] = reading_.line;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    message = e.what();
    return false;
  }

  std::string message;  // of the parser; empty: none

 private:
  struct Level {
    bool is_array;
    std::size_t index = 0;
    std::string key{};
  };

  std::string pointer() const {
    std::string text;
    for (const Level& level : open_)
      text += "/" + (level.is_array ? std::to_string(level.index) : escaped_key(level.key));
    return text;
  }
  bool value() {
    lines_.try_emplace(pointer(), reading_.line);
    if (!open_.empty() && open_.back().is_array) ++open_.back().index;
    return true;
  }
  bool open(bool is_array) {
    constexpr std::size_t deepest = 64;
    lines_.try_emplace(pointer(), reading_.line);
    if (open_.size() == deepest) {
      message = fmt::format("nested more than {} deep", deepest);
      return false;
    }
    open_.push_back({is_array});
    return true;
  }
  bool close() {
    open_.pop_back();
    if (!open_.empty() && open_.back().is_array) ++open_.back().index;
    return true;
  }

  const Reading& reading_;
  std::map<std::string, int>& lines_;
  std::vector<Level> open_;
};

std::string read_text(const std::filesystem::path& path) {
  constexpr std::uintmax_t most = 16U << 20U;
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure))
    throw Error(path.string(), "is a directory", "Name a file inside it");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(path.string(), "cannot be opened", "Check the path and its permissions");
  std::string text;
  std::vector<char> block(1U << 16U);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > most)
      throw Error(path.string(), fmt::format("holds more than {} MiB", most >> 20U),
                  "A scene file names meshes, it does not hold them");
  }
  return text;
}

}  // namespace

std::string escaped_key(const std::string& key) {
  std::string text;
  for (const char c : key) {
    if (c == '~')
      text += "~0";
    else if (c == '/')
      text += "~1";
    else
      text += c;
  }
  return text;
}

JsonLines::JsonLines(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  Reading reading;
  Places places(reading, lines_);
  const CountingIterator begin{text.data(), &reading};
  const CountingIterator end{text.data() + text.size(), &reading};
  if (!Json::sax_parse(begin, end, &places) || !places.message.empty())
    throw Error(fmt::format("{}:{}", path.string(), reading.line),
                "is not JSON" + (places.message.empty() ? "" : " (" + places.message + ")"),
                "Mend it there; docs/scene-files.md shows the format");
  root_ = Json::parse(text);
}

int JsonLines::line_of(const std::string& pointer) const {
  const auto found = lines_.find(pointer);
  return found == lines_.end() ? 1 : found->second;
}

}  // namespace warpview
