// What a loader tells of a file: one warning for each kind of trouble, the weightiest first.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenes/files/text_lines.h"

namespace warpview {

// The weightiest first.
enum class Weight : std::uint8_t {
  geometry,  // a part of the mesh is missing
  files,     // a file that is named is missing, broken or in an unusual place
  left_out,  // the file says something that is not drawn
  remark
};

class Warnings {
 public:
  void add(Weight weight, std::string text) { all_.push_back({weight, std::move(text)}); }

  // By weight; warnings of one weight stay in the order in which they came.
  std::vector<std::string> take() {
    std::stable_sort(all_.begin(), all_.end(),
                     [](const Warning& a, const Warning& b) { return a.weight < b.weight; });
    std::vector<std::string> texts;
    texts.reserve(all_.size());
    for (Warning& warning : all_) texts.push_back(std::move(warning.text));
    all_.clear();
    return texts;
  }

 private:
  struct Warning {
    Weight weight;
    std::string text;
  };
  std::vector<Warning> all_;
};

// A kind of trouble: how often it came, and the first few things it came with. Their names are the
// caller's to shorten.
class Trouble {
 public:
  void add(std::string_view what) {
    constexpr std::uint64_t most_named = 3;
    if (count_ < most_named) named_ += (count_ > 0 ? ", " : "") + std::string(what);
    if (count_ == most_named) named_ += ", ...";
    ++count_;
  }
  // "<count> <one or several> <what of them>: <names>".
  void warn(Warnings& warnings, Weight weight, std::string_view one, std::string_view several,
            std::string_view what) const {
    if (count_ > 0)
      warnings.add(weight, fmt::format("{} {}: {}", counted(count_, one, several), what, named_));
  }

 private:
  std::uint64_t count_ = 0;
  std::string named_;
};

}  // namespace warpview
