#include "scenes/files/json_lines.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>
#include <unordered_map>
#include <utility>
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

// What the document may take, about.
constexpr std::size_t most_bytes = std::size_t{64} << 20U;

// Follows the parser through the document and builds it, with the line of each value.
class Builder : public nlohmann::json_sax<Json> {
 public:
  explicit Builder(const Reading& reading) : reading_(reading) {}

  bool null() override { return value(nullptr); }
  bool boolean(bool is_true) override { return value(is_true); }
  bool number_integer(number_integer_t number) override { return value(number); }
  bool number_unsigned(number_unsigned_t number) override { return value(number); }
  bool number_float(number_float_t number, const string_t&) override { return value(number); }
  bool string(string_t& text) override { return is_text(text) && value(std::move(text)); }
  bool binary(binary_t&) override { return false; }  // JSON has none
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    if (!is_text(name)) return false;
    Level& level = open_.back();
    if (const auto [first, is_new] = level.keys.try_emplace(name, reading_.line); !is_new)
      return refuse(
          fmt::format("the key \"{}\" is already in line {}", shortened(name), first->second),
          "Keep one of them");
    level.key = std::move(name);
    level.line = reading_.line;
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    return refuse_syntax(shortened(e.what()));
  }

  JsonNode take() { return std::move(root_); }
  // Why the document was refused; empty where it was not.
  const std::string& found() const { return found_; }
  const std::string& remedy() const { return remedy_; }

 private:
  // An object or array that has not ended.
  struct Level {
    JsonNode* node;
    std::unordered_map<std::string, int> keys{};  // so far, with their lines
    std::string key{};                            // of the member that comes
    int line = 1;                                 // of that
  };

  bool refuse(std::string found, std::string remedy) {
    found_ = std::move(found);
    remedy_ = std::move(remedy);
    return false;
  }
  bool refuse_syntax(const std::string& why) {
    return refuse(fmt::format("is not JSON{}", why.empty() ? "" : " (" + why + ")"),
                  "Fix it there; docs/scene-files.md describes the format");
  }
  // Paths and names end where a NUL character stands, and so would messages.
  bool is_text(const string_t& text) {
    return text.find('\0') == string_t::npos ||
           refuse("a string contains a NUL character (\\u0000), which no name or path can contain",
                  "Remove it");
  }
  // Adds what begins here.
  JsonNode* add(Json value) {
    JsonNode node{.line = reading_.line, .value = std::move(value)};
    if (open_.empty()) {
      root_ = std::move(node);
      return &root_;
    }
    Level& level = open_.back();
    if (level.node->value.is_object()) {
      node.line = level.line;
      node.key = std::move(level.key);
    }
    bytes_ += sizeof(JsonNode) + 2 * node.key.size();
    if (bytes_ > most_bytes) {
      refuse("contains too many values, or too long names of them",
             "A scene file names meshes; it does not contain them");
      return nullptr;
    }
    return &level.node->children.emplace_back(std::move(node));
  }
  bool value(Json value) { return add(std::move(value)) != nullptr; }
  bool open(Json empty) {
    constexpr std::size_t deepest = 64;
    if (open_.size() == deepest)
      return refuse_syntax(fmt::format("nested more than {} deep", deepest));
    JsonNode* const node = add(std::move(empty));
    if (node) open_.push_back({node});
    return node != nullptr;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const Reading& reading_;
  JsonNode root_;
  std::vector<Level> open_;  // a node stays in its place while one of its children is open
  std::size_t bytes_ = 0;    // of the document, about
  std::string found_, remedy_;
};

std::string read_text(const std::filesystem::path& path) {
  constexpr std::size_t most = std::size_t{16} << 20U;
  InputFile file(path);
  std::string text;
  std::vector<char> block(std::size_t{1} << 16U);
  while (const std::size_t got = file.read(block)) {
    text.append(block.data(), got);
    if (text.size() > most)
      throw Error(shortened(path.string()), fmt::format("is larger than {} MiB", most >> 20U),
                  "A scene file names meshes; it does not contain them");
  }
  return text;
}

}  // namespace

JsonNode read_json(const std::filesystem::path& path) {
  const std::string text = read_text(path);
  if (text.empty()) throw_empty(path);
  Reading reading;
  Builder builder(reading);
  const CountingIterator begin{text.data(), &reading};
  const CountingIterator end{text.data() + text.size(), &reading};
  if (!Json::sax_parse(begin, end, &builder))
    throw Error(fmt::format("{}:{}", shortened(path.string()), reading.line), builder.found(),
                builder.remedy());
  return builder.take();
}

}  // namespace warpview
