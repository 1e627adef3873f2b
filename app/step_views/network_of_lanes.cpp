#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <set>
#include <utility>

#include "app/step_views/network_builders.h"

namespace warpview::step_views {
namespace {

// What a lane brings to a collective, and gets.
struct NetworkAnswer {
  std::size_t event = 0;
  std::uint32_t source = 0;  // a lane
  std::uint64_t brought = 0;
  std::uint64_t got = 0;
  std::uint8_t bytes = 4;
};

struct LaneCollective {
  EventKind kind = EventKind::shuffle;
  std::size_t event = 0;
  std::map<std::uint32_t, NetworkAnswer> answers{};  // by lane
  // Since the one before: what lanes have read from memory, the last that each has, by lane.
  std::map<std::uint32_t, std::size_t> reads{};
  // Before the next one: the first that each lane writes, into output if it does so.
  std::map<std::uint32_t, std::size_t> writes{};
};

template <class T>
std::uint64_t operator_sum(std::uint64_t a, std::uint64_t b) {
  if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<std::uint32_t>(std::bit_cast<float>(static_cast<std::uint32_t>(a)) +
                                        std::bit_cast<float>(static_cast<std::uint32_t>(b)));
  else
    return static_cast<T>(static_cast<T>(a) + static_cast<T>(b));
}
template <class T, bool largest>
std::uint64_t operator_best(std::uint64_t a, std::uint64_t b) {
  T x, y;
  if constexpr (std::is_same_v<T, float>) {
    x = std::bit_cast<float>(static_cast<std::uint32_t>(a));
    y = std::bit_cast<float>(static_cast<std::uint32_t>(b));
  } else {
    x = static_cast<T>(a);
    y = static_cast<T>(b);
  }
  return (x < y) == largest ? b : a;
}
std::uint64_t operator_and(std::uint64_t a, std::uint64_t b) { return a & b; }
std::uint64_t operator_or(std::uint64_t a, std::uint64_t b) { return a | b; }
std::uint64_t operator_xor(std::uint64_t a, std::uint64_t b) { return a ^ b; }

// The operators of block_scan and reduce whose operands are one register each.
using Combine = std::uint64_t (*)(std::uint64_t, std::uint64_t);
constexpr Combine register_operators[] = {operator_sum<std::uint32_t>,
                                          operator_sum<float>,
                                          operator_best<std::int32_t, false>,
                                          operator_best<std::int32_t, true>,
                                          operator_best<float, false>,
                                          operator_best<float, true>,
                                          operator_and,
                                          operator_or,
                                          operator_xor};

// Is a value what the operator makes of what the lane brought and got?
bool is_made_of(const NetworkAnswer& answer, std::uint64_t value, Combine combine) {
  return combine != nullptr && (value == combine(answer.brought, answer.got) ||
                                value == combine(answer.got, answer.brought));
}

// The operator that makes most of the values that change; null where none does.
Combine operator_of(const std::vector<LaneCollective>& all) {
  Combine found = nullptr;
  std::size_t most = 0;
  for (const Combine combine : register_operators) {
    std::size_t made = 0;
    for (std::size_t i = 0; i + 1 < all.size(); ++i)
      for (const auto& [lane, answer] : all[i].answers) {
        const auto next = all[i + 1].answers.find(lane);
        if (next == all[i + 1].answers.end()) continue;
        const std::uint64_t value = next->second.brought;
        if (value != answer.brought && is_made_of(answer, value, combine)) ++made;
      }
    if (made > most) {
      most = made;
      found = combine;
    }
  }
  return found;
}

using ShuffleStage = std::vector<const LaneCollective*>;

class LaneNetworks {
 public:
  LaneNetworks(const Recording& recording, const BlockEvents& block)
      : recording_(recording), block_(block) {}

  std::vector<Network> find() {
    for (const std::size_t i : block_.events) visit(i);
    std::vector<LaneCollective> shuffles;
    std::vector<Network> networks;
    for (const LaneCollective& each : collectives_)
      if (each.kind == EventKind::shuffle)
        shuffles.push_back(each);
      else if (Network ballot = network_of_ballot(each); ballot.items > 0)
        networks.push_back(std::move(ballot));
    combine_ = operator_of(shuffles);
    for (const ShuffleStage& stage : stages_of(shuffles)) networks.push_back(network_of(stage));
    return networks;
  }

 private:
  void visit(std::size_t index) {
    const RecordedEvent& event = recording_.events[index];
    if (event.thread >= recording_.warp_size) return;
    if (event.kind == EventKind::shuffle || event.kind == EventKind::ballot) {
      LaneCollective next{.kind = event.kind, .event = index};
      next.reads = std::exchange(reads_, {});
      collectives_.push_back(std::move(next));
      answered_ = true;
    } else if (is_collective(event.kind)) {
      answered_ = false;
    } else if (event.kind == EventKind::answer && answered_ && !event.continues) {
      collectives_.back().answers[event.thread] = {.event = index,
                                                   .source = event.offset,
                                                   .brought = event.other,
                                                   .got = event.value,
                                                   .bytes = event.bytes};
    } else if (is_access(event.kind) && is_read(event.kind)) {
      constexpr unsigned least = 4;  // bytes of a value; smaller ones are flags
      if (event.bytes >= least) reads_[event.thread] = index;
    } else if (is_access(event.kind) && !collectives_.empty()) {
      const auto is_result = [&](std::size_t write) {
        return is_output(recording_.arrays[recording_.events[write].subject]);
      };
      const auto [first, is_new] = collectives_.back().writes.try_emplace(event.thread, index);
      if (!is_new && is_result(index) && !is_result(first->second)) first->second = index;
    }
  }

  // Collectives in a row, each of which goes on with the values of the one before. One that goes on
  // with an earlier row belongs to it: the warp has kept these values meanwhile.
  std::vector<ShuffleStage> stages_of(const std::vector<LaneCollective>& shuffles) const {
    std::vector<ShuffleStage> stages;
    for (const LaneCollective& next : shuffles) {
      const bool is_loaded = brings_what_it_read(next);
      const auto goes_on = [&](const ShuffleStage& stage) {
        return !is_loaded && std::ranges::all_of(stage.back()->answers, [&](const auto& before) {
          const auto found = next.answers.find(before.first);
          return found != next.answers.end() &&
                 (found->second.brought == before.second.brought ||
                  is_made_of(before.second, found->second.brought, combine_));
        });
      };
      const auto stage = std::find_if(stages.rbegin(), stages.rend(), goes_on);
      if (stage != stages.rend())
        stage->push_back(&next);
      else
        stages.push_back({&next});
    }
    return stages;
  }

  // Have lanes read memory before it, and does each of them bring what it read?
  bool brings_what_it_read(const LaneCollective& next) const {
    return !next.reads.empty() && std::ranges::all_of(next.reads, [&](const auto& read) {
      const auto answer = next.answers.find(read.first);
      return answer != next.answers.end() &&
             answer->second.brought == recording_.events[read.second].value;
    });
  }

  Network network_of(const ShuffleStage& stage) {
    Network network = begin_network(*stage.front());
    for (std::size_t i = 0; i + 1 < stage.size(); ++i) {
      NetworkRow row;
      for (const auto& [lane, answer] : stage[i]->answers)
        if (const auto next = stage[i + 1]->answers.find(lane); next != stage[i + 1]->answers.end())
          row.cells[lane] = cell_after(lane, answer, next->second.brought);
      network.rows.push_back(std::move(row));
    }
    const LaneCollective& last = *stage.back();
    if (NetworkRow moved = moved_to_output(last); !moved.cells.empty()) {
      network.rows.push_back(std::move(moved));
      return network;
    }
    NetworkRow row;
    for (const auto& [lane, answer] : last.answers)
      if (combine_ != nullptr) row.cells[lane] = cell_after(lane, answer, last_value(lane, last));
    network.rows.push_back(std::move(row));
    if (NetworkRow results = results_after(last); !results.cells.empty())
      network.rows.push_back(std::move(results));
    return network;
  }

  // A lane's register after the last collective: what it stores, if that follows from its values.
  // One that has read itself combines nothing.
  std::uint64_t last_value(std::uint32_t lane, const LaneCollective& last) const {
    const NetworkAnswer& answer = last.answers.at(lane);
    if (const auto write = last.writes.find(lane); write != last.writes.end()) {
      const RecordedEvent& event = recording_.events[write->second];
      const bool is_plain = !is_atomic(event.kind) && event.bytes == answer.bytes;
      if (is_plain && (event.value == answer.brought || is_made_of(answer, event.value, combine_)))
        return event.value;
    }
    return answer.source == lane ? answer.brought : combine_(answer.got, answer.brought);
  }

  // What lanes store or add into output.
  NetworkRow results_after(const LaneCollective& last) const {
    NetworkRow row{.kind = NetworkRow::Kind::output};
    for (const auto& [lane, index] : last.writes) {
      if (!is_output(recording_.arrays[recording_.events[index].subject])) continue;
      row.cells[lane] = output_cell(index);
      row.cells[lane].arrows.push_back({.from = lane, .event = index});
    }
    return row;
  }

  // Where lanes store the other lane's value, or their own, instead of what the operator makes of
  // both: what they store.
  NetworkRow moved_to_output(const LaneCollective& last) const {
    NetworkRow row{.kind = NetworkRow::Kind::output};
    std::size_t others = 0, own = 0, made = 0;
    for (const auto& [lane, index] : last.writes) {
      const RecordedEvent& event = recording_.events[index];
      const auto found = last.answers.find(lane);
      if (found == last.answers.end() || event.kind != EventKind::write ||
          !is_output(recording_.arrays[event.subject]))
        continue;
      const NetworkAnswer& answer = found->second;
      row.cells[lane] = output_cell(index);
      if (event.value == answer.got && event.value != answer.brought) ++others;
      if (event.value == answer.brought && event.value != answer.got) ++own;
      if (is_made_of(answer, event.value, combine_)) ++made;
    }
    if (made == row.cells.size()) return {};
    for (auto& [lane, cell] : row.cells) {
      const NetworkAnswer& answer = last.answers.at(lane);
      const bool from_other = others > own;
      if (cell.value == (from_other ? answer.got : answer.brought))
        cell.arrows.push_back({.from = from_other ? answer.source : lane, .event = answer.event});
    }
    return row;
  }
  NetworkCell output_cell(std::size_t index) const {
    const RecordedEvent& event = recording_.events[index];
    return {.value = event.value,
            .bytes = event.bytes,
            .event = index,
            .thread = event.thread,
            .is_word = true,
            .array = event.subject,
            .element = event.offset / recording_.arrays[event.subject].element_bytes};
  }

  // The values that lanes bring to the first collective.
  Network begin_network(const LaneCollective& first) const {
    Network network{.launch = block_.launch, .block = block_.block, .of_lanes = true};
    NetworkRow input{.kind = NetworkRow::Kind::input};
    for (const auto& [lane, answer] : first.answers) {
      const auto read = first.reads.find(lane);
      const bool has_read = read != first.reads.end();
      input.cells[lane] = {.value = answer.brought,
                           .bytes = answer.bytes,
                           .event = has_read ? read->second : first.event,
                           .thread = lane};
      network.columns = std::max(network.columns, lane + 1);
      if (!has_read) continue;
      network.items = std::max(network.items, lane + 1);
      if (recording_.events[read->second].value != answer.brought) network.by_thread = true;
      const RecordedArray& array = recording_.arrays[recording_.events[read->second].subject];
      if (array.kind == ArrayKind::shared || array.name == "partial") network.from = array.name;
    }
    network.rows.push_back(std::move(input));
    return network;
  }

  NetworkCell cell_after(std::uint32_t lane, const NetworkAnswer& answer,
                         std::uint64_t value) const {
    NetworkCell cell{.value = value, .bytes = answer.bytes, .event = answer.event, .thread = lane};
    cell.arrows.push_back({.from = lane, .event = answer.event});
    if (answer.source != lane)
      cell.arrows.push_back({.from = answer.source, .event = answer.event});
    std::ranges::sort(cell.arrows, {}, &NetworkArrow::from);
    return cell;
  }

  // Bits, and how many are set before each.
  Network network_of_ballot(const LaneCollective& ballot) {
    Network network = begin_network(ballot);
    network.by_ballot = true;
    NetworkRow counts{.kind = NetworkRow::Kind::output};
    for (const auto& [lane, answer] : ballot.answers) {
      network.ballot = answer.got;
      const auto found = outputs().find(lane);
      if (found != outputs().end()) counts.cells[lane] = output_cell(found->second);
    }
    if (counts.cells.empty()) network.items = 0;
    network.rows.push_back(std::move(counts));
    return network;
  }

  // The first warp's writes to the output, by lane.
  const std::map<std::uint32_t, std::size_t>& outputs() {
    if (outputs_.empty())
      for (const std::size_t i : block_.events) {
        const RecordedEvent& event = recording_.events[i];
        if (event.kind == EventKind::write && event.thread < recording_.warp_size &&
            is_output(recording_.arrays[event.subject]))
          outputs_[event.thread] = i;
      }
    return outputs_;
  }

  const Recording& recording_;
  const BlockEvents& block_;
  std::vector<LaneCollective> collectives_;
  std::map<std::uint32_t, std::size_t> reads_, outputs_;
  bool answered_ = false;  // do answers belong to the last of the collectives?
  Combine combine_ = nullptr;
};

}  // namespace

std::vector<Network> networks_of_lanes(const Recording& recording, const BlockEvents& block) {
  return LaneNetworks(recording, block).find();
}

}  // namespace warpview::step_views
