// Names of shapes: what a shape of a view stands for.
//
// "lane/BLOCK/THREAD", "word/ARRAY/ELEMENT/BLOCK" (BLOCK is 0 for device memory) and
// "line/FILE:LINE"; other names are the views' own. Shapes without a name cannot be pointed at.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/recording/playback.h"

namespace warpview::step_views {

std::string lane_name(std::uint32_t block, std::uint32_t thread);
std::string word_name(const Word& word);
std::string line_name(const SourceLine& line);

// The words that an access touches.
template <class Each>
void for_each_word(const Recording& recording, const RecordedEvent& event, Each&& each) {
  const RecordedArray& array = recording.arrays[event.subject];
  const std::uint32_t block = array.kind == ArrayKind::shared ? event.block : 0;
  const std::uint32_t last = (event.offset + event.bytes - 1U) / array.element_bytes;
  for (std::uint32_t i = event.offset / array.element_bytes; i <= last; ++i)
    each(Word{event.subject, i, block});
}

// What is to light up with what is pointed at: the name itself; of a lane its line and the words of
// its last access; of a word the lanes of the last step that access it; of a line the lanes that
// stand there.
std::vector<std::string> related_names(const Playback& at, std::string_view name);
// What a tooltip says of it, a line each; empty for a name that nothing is known of. Of a word: its
// value, the lane, the step and the line that wrote it last.
std::vector<std::string> about(const Playback& at, std::string_view name);

// An element's value in its array's type: "42", "-3", "0.5"; of a structure its words in
// hexadecimal.
std::string value_of(const RecordedArray& array, std::span<const std::uint8_t> element);

}  // namespace warpview::step_views
