#include "scenes/files/json_lines.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <vector>

#include "gpu/runtime/error.h"
#include "scenes/files/input_file.h"
#include "scenes/files/text_lines.h"

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
    return note(true);
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    message = shortened(e.what());
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
  // What is here begins on this line. A key has been noted already, where it stands.
  bool note(bool is_key = false) {
    constexpr std::size_t most_bytes = std::size_t{64} << 20U;
    constexpr std::size_t bytes_beside = 128;  // of an entry, about
    std::string here = pointer();
    bytes_ += here.size() + bytes_beside;
    if (bytes_ > most_bytes) {
      message = "too many values, or too long names of them";
      return false;
    }
    if (is_key)
      lines_.insert_or_assign(std::move(here), reading_.line);  // the last of a name counts
    else
      lines_.try_emplace(std::move(here), reading_.line);
    return true;
  }
  bool value() {
    const bool noted = note();
    if (!open_.empty() && open_.back().is_array) ++open_.back().index;
    return noted;
  }
  bool open(bool is_array) {
    constexpr std::size_t deepest = 64;
    if (!note()) return false;
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
  std::size_t bytes_ = 0;  // that lines_ takes, about
};

std::string read_text(const std::filesystem::path& path) {
  constexpr std::size_t most = std::size_t{16} << 20U;
  InputFile file(path);
  std::string text;
  std::vector<char> block(std::size_t{1} << 16U);
  while (const std::size_t got = file.read(block)) {
    text.append(block.data(), got);
    if (text.size() > most)
      throw Error(shortened(path.string()), fmt::format("holds more than {} MiB", most >> 20U),
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
    throw Error(fmt::format("{}:{}", shortened(path.string()), reading.line),
                "is not JSON" + (places.message.empty() ? "" : " (" + places.message + ")"),
                "Mend it there; docs/scene-files.md shows the format");
  root_ = Json::parse(text);
}

int JsonLines::line_of(const std::string& pointer) const {
  const auto found = lines_.find(pointer);
  return found == lines_.end() ? 1 : found->second;
}

}  // namespace warpview
