#include "scenes/files/svg_entities.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace warpview {
namespace {

constexpr std::string_view xml_blanks = " \t\r\n";
constexpr int most_entities_in_another = 16;

// Reads a text from front to back.
class XmlCursor {
 public:
  explicit XmlCursor(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  std::size_t place() const { return at_; }
  char front() const { return text_[at_]; }
  bool starts_with(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  // Removes at most `count` bytes from the front and returns them.
  std::string_view take(std::size_t count) {
    const std::string_view taken = text_.substr(at_, count);
    at_ += taken.size();
    return taken;
  }
  bool skip(std::string_view word) {
    if (!starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(xml_blanks, at_), text_.size()); }
  // Returns the text before a word and skips both. Without the word it is the rest.
  std::string_view take_until(std::string_view word) {
    const std::size_t end = std::min(text_.find(word, at_), text_.size());
    const std::string_view taken = text_.substr(at_, end - at_);
    at_ = std::min(end + word.size(), text_.size());
    return taken;
  }
  std::string_view take_until_any_of(std::string_view characters) {
    return take(std::min(text_.find_first_of(characters, at_), text_.size()) - at_);
  }
  // Skips a comment or a processing instruction.
  bool skip_aside() {
    if (skip("<!--"))
      take_until("-->");
    else if (skip("<?"))
      take_until("?>");
    else
      return false;
    return true;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

struct Entity {
  std::string_view replacement;
  bool is_elsewhere = false;  // in another file
  int uses = 0;               // replacements in progress: a second one would never end
};

class EntityReader {
 public:
  using Tell = std::function<void(const std::string& what, std::string_view entity)>;
  EntityReader(std::string_view xml, const Tell& tell)
      : in_(xml), tell_(tell), most_bytes_(most_entity_bytes(xml.size())) {}

  std::string expand() {
    read_prolog();
    if (entities_.empty()) return {};
    out_.append(before_);
    while (!in_.at_end()) content();
    return std::move(out_);
  }

 private:
  void read_prolog() {
    XmlCursor all = in_;
    in_.skip("\xef\xbb\xbf");
    do in_.skip_blanks();
    while (in_.skip_aside());
    if (in_.skip("<!DOCTYPE")) {
      in_.take_until_any_of("[>");
      if (in_.skip("[")) read_declarations();
    }
    before_ = all.take(in_.place());
  }
  void read_declarations() {
    while (!in_.at_end()) {
      in_.skip_blanks();
      if (in_.skip("]")) return;
      if (in_.skip_aside()) continue;
      if (in_.skip("<!ENTITY"))
        read_entity();
      else if (in_.starts_with("<!"))
        skip_declaration();
      else
        in_.take(1);  // a parameter entity such as %name;
    }
  }
  // Skips to the closing ">"; one in quotes does not close.
  void skip_declaration() {
    while (!in_.at_end()) {
      in_.take_until_any_of("'\">");
      if (in_.skip(">")) return;
      in_.take_until(in_.take(1));
    }
  }
  void read_entity() {
    in_.skip_blanks();
    const std::string_view name = in_.take_until_any_of(" \t\r\n'\">%");
    in_.skip_blanks();
    Entity entity;
    if (in_.starts_with("'") || in_.starts_with("\""))
      entity.replacement = in_.take_until(in_.take(1));
    else
      entity.is_elsewhere = in_.starts_with("SYSTEM") || in_.starts_with("PUBLIC");
    skip_declaration();
    // XML: the first declaration of a name wins.
    if (!name.empty()) entities_.emplace(name, entity);
  }

  // Copies one item of the document: text, a reference, a tag, a comment or a CDATA section.
  void content() {
    const std::size_t from = in_.place();
    XmlCursor verbatim = in_;
    const auto copy_to_here = [&] { out_.append(verbatim.take(in_.place() - from)); };
    if (in_.skip_aside()) return copy_to_here();
    if (in_.skip("<![CDATA[")) {
      in_.take_until("]]>");
      return copy_to_here();
    }
    if (in_.skip("&")) return reference(in_, false, 0);
    if (in_.starts_with("<")) return tag();
    out_.append(in_.take_until_any_of("<&"));
  }
  void tag() {
    while (!in_.at_end()) {
      out_.append(in_.take_until_any_of("'\">"));
      const std::string_view mark = in_.take(1);
      out_.append(mark);
      if (mark == ">") return;
      XmlCursor value(in_.take_until(mark));
      replace(value, true, 0);
      out_.append(mark);
    }
  }

  // Copies a text and replaces its references. A replacement inside an attribute's value has its
  // quotes and brackets escaped, because they must not end the value.
  void replace(XmlCursor text, bool is_value, int depth) {
    while (!text.at_end()) {
      out_.append(text.take_until_any_of(is_value && depth > 0 ? "&'\"<" : "&"));
      if (text.at_end()) return;
      const char c = text.take(1).front();
      if (c == '&')
        reference(text, is_value, depth);
      else
        out_.append(c == '<' ? "&lt;" : c == '"' ? "&quot;" : "&apos;");
    }
  }
  // `text` stands behind the "&".
  void reference(XmlCursor& text, bool is_value, int depth) {
    XmlCursor behind = text;
    const std::string_view name = behind.take_until_any_of(";&<>'\" \t\r\n");
    const auto found = entities_.find(name);
    const bool is_declared = behind.skip(";") && found != entities_.end();
    const std::string trouble = is_declared ? why_not(found->second, depth) : "";
    if (!trouble.empty()) tell_(trouble, name);
    if (!is_declared || !trouble.empty()) {
      out_.append("&");
      return;
    }
    Entity& entity = found->second;
    text = behind;
    bytes_ += entity.replacement.size() + 1;
    ++entity.uses;
    replace(XmlCursor(entity.replacement), is_value, depth + 1);
    --entity.uses;
  }
  std::string why_not(const Entity& entity, int depth) const {
    if (entity.is_elsewhere) return "Entities of other files are not expanded";
    if (entity.uses > 0) return "Entities that contain themselves are not expanded";
    if (depth >= most_entities_in_another || bytes_ + entity.replacement.size() > most_bytes_)
      return fmt::format("Entities are not expanded beyond {} levels or {} bytes",
                         most_entities_in_another, most_bytes_);
    return {};
  }

  XmlCursor in_;
  const Tell& tell_;
  std::string_view before_;  // everything up to the end of the declarations
  std::map<std::string_view, Entity> entities_;
  std::string out_;
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;  // of all replacements, so far
};

}  // namespace

std::string expand_entities(
    std::string_view xml,
    const std::function<void(const std::string& what, std::string_view entity)>& tell) {
  return EntityReader(xml, tell).expand();
}

}  // namespace warpview
