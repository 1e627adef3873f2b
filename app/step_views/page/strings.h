// Words of a page, each kept once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gpu/recording/bytes.h"

namespace warpview::step_views {

// Numbers words as they come. The words of a recording differ by their numbers most often
// ("word/3/17/0"), so each is written as a text with holes, and the numbers in its holes as
// differences from those of the word before with the same text.
class Strings {
 public:
  // The number of these words, from 0.
  std::uint32_t id(std::string_view words);
  // The words' number if they have one.
  std::optional<std::uint32_t> find(const std::string& words) const;
  std::string_view words(std::uint32_t id) const { return *words_[id]; }
  std::size_t bytes() const { return bytes_; }

  // The texts with holes; the number of words; the text of each; the numbers by text and hole, in
  // the order of words. A hole is byte 1.
  void write(ByteWriter& to) const;

  static constexpr char hole = '\1';
  // Longer numbers, and those that begin with a needless 0, stay in the text.
  static constexpr std::size_t most_digits = 9;

 private:
  std::unordered_map<std::string, std::uint32_t> ids_;
  std::vector<const std::string*> words_;  // keys of ids_
  std::unordered_map<std::string, std::uint32_t> text_ids_;
  std::vector<std::string> texts_;
  struct Hole {
    std::int64_t last = 0;
    ByteWriter numbers;
  };
  std::vector<std::vector<Hole>> holes_;  // by text
  std::vector<std::uint32_t> texts_of_;   // by word
  std::size_t bytes_ = 0;
};

// Adds a number that may be negative.
inline void add_signed(ByteWriter& to, std::int64_t value) {
  to.number(zigzag(static_cast<std::uint64_t>(value)));
}

}  // namespace warpview::step_views
