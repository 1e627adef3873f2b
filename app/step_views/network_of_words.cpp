#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <tuple>

#include "app/step_views/arrays.h"
#include "app/step_views/network_builders.h"

namespace warpview::step_views {
namespace {

// A row's place in time: the barriers of the block before it, those of the warp since, and the
// writes within that it waits for.
using RowKey = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

struct WordRead {
  std::uint32_t column;
  std::size_t event;
  std::optional<RowKey> row;  // in which the word was written; none before all rows
};

struct WordWriter {
  std::vector<WordRead> pending{};             // words that it has read since its last write
  std::vector<WordRead> last_group{};          // those before that write, in this interval
  std::deque<std::uint64_t> items{};           // values from device memory, not written yet
  std::optional<std::uint32_t> last_column{};  // that it wrote
};

std::optional<std::uint32_t> most_written_array(const Recording& recording,
                                                const BlockEvents& block) {
  std::map<std::uint32_t, std::size_t> writes;
  for (const std::size_t i : block.events) {
    const RecordedEvent& event = recording.events[i];
    if (event.kind == EventKind::write && recording.arrays[event.subject].kind == ArrayKind::shared)
      ++writes[event.subject];
  }
  const auto most =
      std::ranges::max_element(writes, {}, [](const auto& each) { return each.second; });
  if (most == writes.end()) return std::nullopt;
  return most->first;
}

class WordNetwork {
 public:
  WordNetwork(const Recording& recording, const BlockEvents& block, std::uint32_t array)
      : recording_(recording), block_(block), array_(array) {
    const RecordedArray& words = recording.arrays[array];
    const std::uint32_t count = elements_of(words);
    half_ = is_two_buffers(count) ? count / 2 : count;
  }

  Network find() {
    for (const std::size_t i : block_.events) visit(i);
    Network network{.launch = block_.launch, .block = block_.block};
    for (auto& [key, row] : rows_) network.rows.push_back(std::move(row));
    if (!outputs_.cells.empty()) network.rows.push_back(place_outputs());
    if (network.rows.empty()) return network;
    name_rows(network);
    for (const NetworkRow& row : network.rows)
      if (!row.cells.empty())
        network.columns = std::max(network.columns, row.cells.rbegin()->first + 1);
    network.items = items_;
    network.by_thread = by_thread_;
    return network;
  }

 private:
  // Do the intervals between barriers write the halves of the array in turn?
  bool is_two_buffers(std::uint32_t count) const {
    if (count % 2 != 0) return false;
    std::array<bool, 2> interval{}, ever{};
    for (const std::size_t i : block_.events) {
      const RecordedEvent& event = recording_.events[i];
      if (event.kind == EventKind::barrier) interval = {};
      if (event.kind != EventKind::write || event.subject != array_) continue;
      const std::size_t half = element_of(event) < count / 2 ? 0 : 1;
      interval[half] = ever[half] = true;
      if (interval[0] && interval[1]) return false;
    }
    return ever[0] && ever[1];
  }

  std::uint32_t element_of(const RecordedEvent& event) const {
    return event.offset / recording_.arrays[event.subject].element_bytes;
  }
  std::uint32_t column_of(const RecordedEvent& event) const { return element_of(event) % half_; }

  std::optional<RowKey> row_of(std::uint32_t column) const {
    const auto found = written_.find(column);
    return found == written_.end() ? std::nullopt : std::optional(found->second);
  }

  void visit(std::size_t index) {
    const RecordedEvent& event = recording_.events[index];
    if (event.kind == EventKind::barrier) {
      ++barriers_;
      syncs_.clear();
      for (auto& [number, thread] : threads_) thread.last_group.clear();
    } else if (event.kind == EventKind::sync) {
      ++syncs_[event.thread / recording_.warp_size];
    } else if (is_access(event.kind) && !event.continues) {
      access(event, index);
    }
  }

  void access(const RecordedEvent& event, std::size_t index) {
    WordWriter& thread = threads_[event.thread];
    const RecordedArray& array = recording_.arrays[event.subject];
    if (event.subject == array_ && is_read(event.kind))
      thread.pending.push_back({column_of(event), index, row_of(column_of(event))});
    else if (event.subject == array_)
      write(thread, event, index);
    else if (array.kind == ArrayKind::device && is_read(event.kind))
      thread.items.push_back(event.value);
    else if (array.kind == ArrayKind::device && is_output(array))
      output(thread, event, index);
  }

  void write(WordWriter& thread, const RecordedEvent& event, std::size_t index) {
    const std::uint32_t column = column_of(event);
    const bool is_item = take_item(thread, event.value);
    std::vector<WordRead> sources = sources_of(thread, event, column);
    RowKey key = {barriers_, syncs_[event.thread / recording_.warp_size], 0};
    // Behind what was written in this interval and is read or replaced.
    const auto go_behind = [&key](const std::optional<RowKey>& before) {
      if (before && *before >= key) std::get<2>(key) = std::get<2>(*before) + 1;
    };
    go_behind(row_of(column));
    for (const WordRead& source : sources) go_behind(source.row);
    written_[column] = key;
    NetworkRow& row = rows_[key];
    row.cells[column] = cell_of(event, index, sources);
    if (is_item) {
      row.kind = NetworkRow::Kind::input;
      items_ = std::max(items_, column + 1);
    }
    thread.last_column = column;
    thread.last_group = std::move(sources);
    thread.pending.clear();
  }

  // Is what a thread writes an item, or the sum of the items that it has read?
  bool take_item(WordWriter& thread, std::uint64_t value) {
    if (thread.items.empty()) return false;
    if (thread.items.front() == value) {
      thread.items.pop_front();
    } else {
      by_thread_ = true;
      thread.items.clear();
    }
    return true;
  }

  std::vector<WordRead> sources_of(const WordWriter& thread, const RecordedEvent& event,
                                   std::uint32_t column) const {
    std::vector<WordRead> sources = thread.pending;
    if (sources.empty()) {  // a word that it has read before, or nothing of the array
      for (const WordRead& read : thread.last_group)
        if (recording_.events[read.event].value == event.value) return {read};
      return {};
    }
    // It kept in a register what it wrote there.
    const bool reads_itself =
        std::ranges::any_of(sources, [&](const WordRead& read) { return read.column == column; });
    if (thread.last_column == column && !reads_itself)
      sources.push_back({column, sources.front().event, row_of(column)});
    return sources;
  }

  NetworkCell cell_of(const RecordedEvent& event, std::size_t index,
                      const std::vector<WordRead>& sources) const {
    NetworkCell cell{.value = event.value,
                     .bytes = event.bytes,
                     .event = index,
                     .thread = event.thread,
                     .is_word = true,
                     .array = event.subject,
                     .element = element_of(event)};
    for (const WordRead& read : sources)
      if (std::ranges::none_of(cell.arrows,
                               [&](const NetworkArrow& each) { return each.from == read.column; }))
        cell.arrows.push_back({.from = read.column, .event = read.event});
    std::ranges::sort(cell.arrows, {}, &NetworkArrow::from);
    return cell;
  }

  // By element of the output, until all of them are known.
  void output(WordWriter& thread, const RecordedEvent& event, std::size_t index) {
    outputs_.cells[element_of(event)] = cell_of(event, index, thread.pending);
    thread.pending.clear();
  }
  // A block's outputs begin at its first; a single one is where its value comes from.
  NetworkRow place_outputs() {
    NetworkRow row{.kind = NetworkRow::Kind::output};
    const std::uint32_t first = outputs_.cells.begin()->first;
    for (auto& [element, cell] : outputs_.cells) {
      const bool is_single = outputs_.cells.size() == 1 && !cell.arrows.empty();
      row.cells[is_single ? cell.arrows.front().from : element - first] = std::move(cell);
    }
    return row;
  }

  static void name_rows(Network& network) {
    network.rows.front().kind = NetworkRow::Kind::input;
    for (std::size_t i = 1; i < network.rows.size(); ++i) {
      NetworkRow& row = network.rows[i];
      if (row.kind == NetworkRow::Kind::output) continue;
      const bool has_set = std::ranges::any_of(
          row.cells, [](const auto& each) { return each.second.arrows.empty(); });
      row.kind = has_set ? NetworkRow::Kind::set : NetworkRow::Kind::step;
    }
  }

  const Recording& recording_;
  const BlockEvents& block_;
  std::uint32_t array_;
  std::uint32_t half_ = 1;
  std::uint32_t barriers_ = 0;
  std::uint32_t items_ = 0;
  bool by_thread_ = false;
  std::map<std::uint32_t, std::uint32_t> syncs_;  // by warp, since the last barrier
  std::map<std::uint32_t, WordWriter> threads_;
  std::map<std::uint32_t, RowKey> written_;  // by column
  std::map<RowKey, NetworkRow> rows_;
  NetworkRow outputs_;
};

}  // namespace

bool is_output(const RecordedArray& array) {
  return array.name == "out" || array.name == "partial" || array.name == "cell";
}

Network network_of_words(const Recording& recording, const BlockEvents& block) {
  const auto array = most_written_array(recording, block);
  if (!array || recording.arrays[*array].element_bytes > 8) return {};
  return WordNetwork(recording, block, *array).find();
}

}  // namespace warpview::step_views
