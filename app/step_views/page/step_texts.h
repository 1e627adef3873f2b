// The texts of a page: a sentence for each step, and the tooltips of its shapes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "app/step_views/names.h"
#include "app/step_views/page/strings.h"

namespace warpview::step_views {

// What a page can jump to, as bits of a step's mark, the lowest first.
inline constexpr std::array page_landmarks = {Landmark::barrier, Landmark::publish,
                                              Landmark::conflict, Landmark::divergence,
                                              Landmark::launch};

class StepTexts {
 public:
  explicit StepTexts(Strings& strings) : strings_(strings) {}

  // At the next step, from 0 on. `new_names`: of shapes that no step before has shown, as numbers
  // of strings.
  void add(Playback& at, const std::vector<std::uint32_t>& new_names);
  std::size_t bytes() const;

  // Each of these for all positions, 0 to steps():
  //   the step in words;
  //   the block of the step + 1, 0 if it is of none;
  //   the step's mark, by page_landmarks;
  //   names of which about() says something else than before: how many; the names; of each how
  //     many lines; the largest number of lines; the first line of all that have one, the second
  //     line of all that have two, and so on;
  //   lanes and words of the step, which light up together: how many pairs; of each both names;
  //   lanes that come to another line: how many; of each its name and the line's name + 1, or 0.
  // Words and names are numbers of strings, as differences from the one before.
  void write(ByteWriter& to) const;

 private:
  struct Column {
    ByteWriter bytes;
    std::uint32_t last = 0;
    void add(std::uint32_t value) {
      add_signed(bytes, std::int64_t{value} - last);
      last = value;
    }
  };

  void add_mark(Playback& at);
  std::vector<std::uint32_t> touched(const Playback& at,
                                     const std::vector<std::uint32_t>& new_names) const;
  void add_abouts(const Playback& at, const std::vector<std::uint32_t>& names);
  void add_links(const Playback& at, const std::vector<std::uint32_t>& names);
  // Appends the number of a name that a shape has.
  void take(std::vector<std::uint32_t>& names, const std::string& name) const;

  Strings& strings_;
  std::unordered_set<std::uint32_t> shown_;  // names of shapes so far
  std::vector<std::uint32_t> of_blocks_;     // those that end with a block: lanes, shared words
  std::array<std::optional<std::size_t>, page_landmarks.size()> next_{};  // of each landmark
  std::map<std::uint32_t, std::vector<std::uint32_t>> abouts_;            // lines, by name
  std::map<std::uint32_t, std::uint32_t> standing_;                       // lines + 1, by lane
  Column words_, blocks_, marks_, about_counts_, about_names_;
  std::vector<Column> about_lines_;  // the first lines, the second ones ...
  Column link_counts_, link_names_, move_counts_, move_names_;
  ByteWriter about_sizes_;
};

}  // namespace warpview::step_views
