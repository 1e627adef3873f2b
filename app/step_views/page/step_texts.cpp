#include "app/step_views/page/step_texts.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "app/step_views/words.h"

namespace warpview::step_views {
namespace {

bool is_of_a_block(const Recording& recording, std::string_view name) {
  if (name.starts_with("lane/")) return true;
  if (!name.starts_with("word/")) return false;
  std::uint32_t array = 0;
  std::from_chars(name.data() + 5, name.data() + name.size(), array);
  return array < recording.arrays.size() && recording.arrays[array].kind == ArrayKind::shared;
}

}  // namespace

void StepTexts::take(std::vector<std::uint32_t>& names, const std::string& name) const {
  const auto id = strings_.find(name);
  if (id && shown_.contains(*id)) names.push_back(*id);
}

void StepTexts::add(Playback& at, const std::vector<std::uint32_t>& new_names) {
  for (const std::uint32_t name : new_names)
    if (shown_.insert(name).second && is_of_a_block(at.recording(), strings_.words(name)))
      of_blocks_.push_back(name);
  words_.add(strings_.id(sentence_of(at)));
  add_mark(at);
  const std::vector<std::uint32_t> names = touched(at, new_names);
  add_abouts(at, names);
  add_links(at, names);
}

void StepTexts::add_mark(Playback& at) {
  const std::size_t position = at.at();
  std::uint32_t mark = 0;
  std::uint32_t block = 0;
  if (position > 0) {
    const RecordedEvent& head = at.last().front();
    if (head.kind != EventKind::launch && !is_patch(head.kind)) block = head.block + 1;
    for (std::size_t i = 0; i < page_landmarks.size(); ++i)
      if (next_[i] == position) mark |= 1U << i;
  }
  for (std::size_t i = 0; i < page_landmarks.size(); ++i)
    if (position == 0 || next_[i] == position) next_[i] = at.find(page_landmarks[i], true);
  blocks_.add(block);
  marks_.add(mark);
}

// The names of which something else can be said than at the step before.
std::vector<std::uint32_t> StepTexts::touched(const Playback& at,
                                              const std::vector<std::uint32_t>& new_names) const {
  std::vector<std::uint32_t> names = new_names;
  const Recording& recording = at.recording();
  for (const RecordedEvent& event : at.last()) {
    if (event.kind == EventKind::launch || event.kind == EventKind::block_begin ||
        event.kind == EventKind::block_end) {
      names.insert(names.end(), of_blocks_.begin(), of_blocks_.end());
    } else if (is_patch(event.kind)) {
      const RecordedPatch& patch = recording.patches[event.subject];
      const std::size_t each = recording.arrays[patch.array].element_bytes;
      for (std::size_t i = patch.offset / each; i * each < patch.offset + patch.bytes.size(); ++i)
        take(names, word_name({patch.array, static_cast<std::uint32_t>(i), 0}));
    } else if (event.kind == EventKind::barrier) {
      if (const PlayedBlock* const block = at.block(event.block))
        for (std::uint32_t i = 0; i < block->lanes.size(); ++i)
          take(names, lane_name(event.block, i));
    } else {
      take(names, lane_name(event.block, event.thread));
      if (is_access(event.kind))
        for_each_word(recording, event, [&](const Word& word) { take(names, word_name(word)); });
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

void StepTexts::add_abouts(const Playback& at, const std::vector<std::uint32_t>& names) {
  std::uint32_t count = 0;
  for (const std::uint32_t name : names) {
    std::vector<std::uint32_t> lines;
    for (const std::string& line : about(at, std::string(strings_.words(name))))
      lines.push_back(strings_.id(line));
    std::vector<std::uint32_t>& before = abouts_[name];
    if (before == lines) continue;
    ++count;
    about_names_.add(name);
    about_sizes_.number(lines.size());
    about_lines_.resize(std::max(about_lines_.size(), lines.size()));
    for (std::size_t i = 0; i < lines.size(); ++i) about_lines_[i].add(lines[i]);
    before = std::move(lines);
  }
  about_counts_.add(count);
}

void StepTexts::add_links(const Playback& at, const std::vector<std::uint32_t>& names) {
  std::uint32_t links = 0;
  std::uint32_t moves = 0;
  for (const std::uint32_t lane : names) {
    const std::string name(strings_.words(lane));
    if (!name.starts_with("lane/")) continue;
    std::uint32_t line = 0;
    for (const std::string& other : related_names(at, name)) {
      const auto id = strings_.find(other);
      if (other == name || !id || !shown_.contains(*id)) continue;
      if (other.starts_with("line/")) {
        line = *id + 1;
      } else {
        ++links;
        link_names_.add(lane);
        link_names_.add(*id);
      }
    }
    std::uint32_t& before = standing_[lane];
    if (before == line) continue;
    before = line;
    ++moves;
    move_names_.add(lane);
    move_names_.add(line);
  }
  link_counts_.add(links);
  move_counts_.add(moves);
}

std::size_t StepTexts::bytes() const {
  std::size_t lines = 0;
  for (const Column& column : about_lines_) lines += column.bytes.bytes.size();
  return lines + words_.bytes.bytes.size() + about_names_.bytes.bytes.size() +
         link_names_.bytes.bytes.size() + move_names_.bytes.bytes.size();
}

void StepTexts::write(ByteWriter& to) const {
  const auto append = [&to](const ByteWriter& from) {
    to.bytes.insert(to.bytes.end(), from.bytes.begin(), from.bytes.end());
  };
  for (const Column* column : {&words_, &blocks_, &marks_, &about_counts_, &about_names_})
    append(column->bytes);
  append(about_sizes_);
  to.number(about_lines_.size());
  for (const Column& column : about_lines_) append(column.bytes);
  for (const Column* column : {&link_counts_, &link_names_, &move_counts_, &move_names_})
    append(column->bytes);
}

}  // namespace warpview::step_views
