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

// The names to highlight together with a name: the name itself, and for a lane its source line and
// the words of its last access; for a word the lanes of the last step that access it; for a line
// the lanes whose last access is there.
std::vector<std::string> related_names(const Playback& at, std::string_view name);
// The lines of the tooltip of a name; empty for an unknown one. For a word: its value, and the
// lane, the step and the source line that wrote it last.
std::vector<std::string> about(const Playback& at, std::string_view name);

// The fields of a structure of gpu/runtime/vec.h or gpu/primitives/build/bvh.h, a letter for each
// of its words: f of a float, u of an unsigned integer. Empty for other types.
std::string_view fields_of(const RecordedArray& array);
// An element's value in its array's type: "42", "-3", "0.5"; of a structure its fields, or its
// words in hexadecimal if they are unknown. A dot is a word that nothing has written.
std::string value_of(const RecordedArray& array, std::span<const std::uint8_t> element);

}  // namespace warpview::step_views
