#include "app/step_views/radix_passes.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "app/common/source_files.h"
#include "app/step_views/arrays.h"

namespace warpview::step_views::radix {
namespace {

std::uint32_t grid_of(const Recording& recording, std::string_view kernel) {
  for (const RecordedLaunch& launch : recording.launches)
    if (bare_name(launch.kernel) == kernel) return launch.grid[0];
  return 0;
}

std::uint32_t launches_of(const Recording& recording, std::string_view kernel) {
  return static_cast<std::uint32_t>(
      std::count_if(recording.launches.begin(), recording.launches.end(),
                    [&](const RecordedLaunch& each) { return bare_name(each.kernel) == kernel; }));
}

// Onesweep's words: begins[pass][digit], tickets, turns, a counter, states[pass][tile][digit].
struct SweepWords {
  std::uint32_t array = 0, passes = 0, tiles = 0, digits = 0;
  std::uint32_t begins() const { return passes * digits; }
  std::uint32_t states() const { return passes * (digits + 2) + 1; }
};

std::optional<SweepWords> sweep_words(const Recording& recording) {
  const auto array = find_array(recording, "counts_and_states", 0);
  SweepWords words{.array = array.value_or(0),
                   .passes = launches_of(recording, "onesweep_kernel"),
                   .tiles = grid_of(recording, "onesweep_kernel"),
                   .digits = 0};
  if (!array || words.passes == 0 || words.tiles == 0) return {};
  if (recording.arrays[*array].element_bytes != 4) return {};
  const std::uint64_t count = elements_of(recording.arrays[*array]);
  if (count < 2 * words.passes + 1) return {};
  words.digits = static_cast<std::uint32_t>((count - 1 - 2 * words.passes) / words.passes /
                                            (std::uint64_t{words.tiles} + 1));
  if (std::uint64_t{words.states()} + std::uint64_t{words.passes} * words.tiles * words.digits !=
      count)
    return {};
  return words;
}

// How many values a digit has: the kernels' arrays have room for so many counts.
std::uint32_t digit_values_of(const Recording& recording) {
  std::uint32_t values = 0;
  if (const auto sweep = sweep_words(recording)) {
    values = sweep->digits;
  } else if (const auto counts = find_array(recording, "counts", 0)) {
    std::uint32_t tiles = grid_of(recording, "count_kernel");
    if (const auto parts = find_array(recording, "parts", 0); parts && tiles == 0)
      tiles = elements_of(recording.arrays[*parts]);
    if (tiles > 0) values = elements_of(recording.arrays[*counts]) / tiles;
  } else if (const auto words = find_array(recording, "counts_and_ticket", 0)) {
    // Two digits share a word.
    if (const std::uint32_t tiles = grid_of(recording, "resident_sort_kernel"); tiles > 0)
      values = 2 * ((elements_of(recording.arrays[*words]) - 1) / tiles);
  }
  return values >= 2 && values <= 256 && std::has_single_bit(values) ? values : 0;
}

// How keys become unsigned integers in the same order, by the form's name (Order in
// gpu/primitives/sort/digits.h).
class KeyOrder {
 public:
  KeyOrder(const Recording& recording, unsigned key_bits) {
    const std::string& form = recording.form;
    const std::uint64_t all = key_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << 32U) - 1;
    highest_ = std::uint64_t{1} << (key_bits - 1);
    const bool is_float = form.find("f32") != std::string::npos;
    if (is_float || form.find("i32") != std::string::npos) flip_ = highest_;
    if (is_float) flip_negative_ = all ^ highest_;
    if (form.find("descending") != std::string::npos) flip_ ^= all;
  }
  std::uint64_t map(std::uint64_t key) const {
    return ((key & highest_) != 0 ? key ^ flip_negative_ : key) ^ flip_;
  }
  // Are they one key, mapped or not?
  bool same(std::uint64_t a, std::uint64_t b) const { return a == b || map(a) == b || a == map(b); }

 private:
  std::uint64_t highest_ = 0, flip_ = 0, flip_negative_ = 0;
};

// A key in a lane's registers.
struct Held {
  std::uint64_t value = 0;
  std::uint32_t key = 0;  // its place in the pass' input
  bool used = false;      // written on
};

struct Lane {
  std::size_t pass = 0, launch = 0;  // that the rest is of; passes from 1
  std::vector<std::uint32_t> read;   // keys, in the order in which the lane read them
  std::size_t counted = 0;
  std::deque<Held> held;
  void hold(std::uint64_t value, std::uint32_t key) {
    constexpr std::size_t most = 96;  // more than a lane has registers for
    held.push_back({value, key, false});
    if (held.size() > most) held.pop_front();
  }
};

enum class KernelKind : std::uint8_t {
  other,
  histogram,
  count,
  scan,
  reorder,
  sweep,
  resident,
  finish,
  split
};

KernelKind kind_of(std::string_view kernel) {
  kernel = bare_name(kernel);
  if (kernel == "histogram_kernel") return KernelKind::histogram;
  if (kernel == "count_kernel" || kernel == "count_segments_kernel") return KernelKind::count;
  if (kernel == "reorder_kernel" || kernel == "reorder_segments_kernel") return KernelKind::reorder;
  if (kernel == "onesweep_kernel") return KernelKind::sweep;
  if (kernel == "resident_sort_kernel") return KernelKind::resident;
  if (kernel == "bucket_kernel" || kernel == "finish_runs_kernel") return KernelKind::finish;
  if (kernel == "split_segments_kernel" || kernel == "begin_segments_kernel")
    return KernelKind::split;
  return kernel.find("scan") != std::string_view::npos ||
                 kernel.find("add") != std::string_view::npos
             ? KernelKind::scan
             : KernelKind::other;
}

bool begins_pass(KernelKind kind) {
  return kind == KernelKind::count || kind == KernelKind::sweep || kind == KernelKind::finish ||
         kind == KernelKind::resident;
}

class Reader {
 public:
  Reader(const Recording& recording, std::uint32_t keys_out, std::uint32_t digit_values)
      : recording_(recording),
        key_bytes_(recording.arrays[keys_out].element_bytes),
        n_(elements_of(recording.arrays[keys_out])),
        order_(recording, 8 * key_bytes_),
        sweep_(sweep_words(recording)),
        counts_(find_array(recording, "counts", 0)) {
    sort_.digit_values = digit_values;
    sort_.key_bits = 8 * key_bytes_;
    for (const RecordedArray& array : recording.arrays) {
      const bool named =
          array.name == "keys" || array.name == "keys_out" || array.name.starts_with("input");
      is_keys_.push_back(named && array.kind == ArrayKind::device &&
                         array.element_bytes == key_bytes_ && elements_of(array) == n_);
    }
  }

  RadixSort read() {
    for (std::size_t i = 0; i < recording_.events.size(); ++i) {
      const RecordedEvent& event = recording_.events[i];
      if (event.kind == EventKind::launch)
        begin_launch(i, event.subject);
      else if (is_access(event.kind))
        read_access(i, event);
      else if (event.kind == EventKind::match)
        begin_ranking(i, event);
    }
    end_pass(recording_.events.size());
    return std::move(sort_);
  }

 private:
  void begin_launch(std::size_t i, std::uint32_t launch) {
    launch_ = launch;
    kind_ = kind_of(recording_.launches[launch].kernel);
    if (begins_pass(kind_)) begin_pass(i);
  }
  void begin_pass(std::size_t i) {
    end_pass(i);
    if (sort_.passes.size() > most_sort_passes) return;
    sort_.passes.push_back({.begin = i, .finishes = kind_ == KernelKind::finish, .keys = {}});
    pass_ = &sort_.passes.back();
    ++number_;
    grid_ = recording_.launches[launch_].grid[0];
    origins_.clear();
    open_.clear();
    has_in_ = has_out_ = false;
  }
  // Passes that moved nothing are none: launches for digits that all keys share, and for buckets
  // that do not exist.
  void end_pass(std::size_t i);
  void find_shift();

  Lane& lane(const RecordedEvent& event) {
    Lane& found = lanes_[std::uint64_t{event.block} << 16U | event.thread];
    if (found.pass != number_ || found.launch != launch_)
      found = {.pass = number_, .launch = launch_, .read = {}, .held = {}};
    return found;
  }
  void set_phase(std::size_t i, std::uint32_t block, SortPhase phase) {
    if (sort_.changes.empty() || sort_.changes.back().block != block ||
        sort_.changes.back().phase != phase)
      sort_.changes.push_back({i, block, phase});
  }

  void read_access(std::size_t i, const RecordedEvent& event);
  void read_key(std::size_t i, const RecordedEvent& event);
  void write_key(std::size_t i, const RecordedEvent& event);
  void access_shared(std::size_t i, const RecordedEvent& event);
  void access_words(std::size_t i, const RecordedEvent& event);
  void access_sweep(std::size_t i, const RecordedEvent& event, std::uint32_t element);
  void begin_ranking(std::size_t i, const RecordedEvent& event);
  void end_ranking(std::size_t i, const RecordedEvent& event) {
    const auto found = open_.find({event.block, first_thread(event)});
    if (found == open_.end()) return;
    sort_.rankings[found->second].end = i;
    open_.erase(found);
  }
  std::uint32_t first_thread(const RecordedEvent& event) const {
    return event.thread / recording_.warp_size * recording_.warp_size;
  }

  const Recording& recording_;
  std::uint32_t key_bytes_, n_;
  KeyOrder order_;
  std::optional<SweepWords> sweep_;
  std::optional<std::uint32_t> counts_;
  std::vector<bool> is_keys_;  // by array
  RadixSort sort_{};

  std::uint32_t launch_ = 0, grid_ = 1;
  KernelKind kind_ = KernelKind::other;
  SortPass* pass_ = nullptr;
  std::size_t number_ = 0;  // of passes begun
  bool has_in_ = false, has_out_ = false;
  std::unordered_map<std::uint64_t, Lane> lanes_;  // by block and thread
  // By array and block: the key that each word of shared memory holds, from 1.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> origins_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> open_;  // rankings, by warp
  // Onesweep: what a tile has published, [tile * digits + digit] of the pass.
  std::vector<std::uint64_t> aggregates_, prefixes_;
  // The state that a lane has published a prefix in, by block and thread.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> last_state_;
};

void Reader::read_access(std::size_t i, const RecordedEvent& event) {
  if (recording_.arrays[event.subject].kind == ArrayKind::shared) return access_shared(i, event);
  if (is_keys_[event.subject] && event.bytes == key_bytes_ && kind_ != KernelKind::histogram)
    return is_read(event.kind) ? read_key(i, event) : write_key(i, event);
  access_words(i, event);
}

void Reader::read_key(std::size_t i, const RecordedEvent& event) {
  // Persistent blocks go on in the same launch: they read what the pass before wrote.
  if (kind_ == KernelKind::resident && has_out_ && event.subject == pass_->out) begin_pass(i);
  if (pass_ == nullptr) return;
  if (!has_in_) {
    has_in_ = true;
    pass_->in = event.subject;
    pass_->keys.resize(n_);
  }
  if (event.subject != pass_->in) return;
  const std::uint32_t place = event.offset / key_bytes_;
  PassKey& key = pass_->keys[place];
  if (key.value.event == Brought::never) {
    key.value = {i, event.value};
    key.tile = event.block;
  }
  Lane& reader = lane(event);
  reader.read.push_back(place);
  reader.hold(event.value, place);
  if (pass_->finishes)
    set_phase(i, event.block, SortPhase::finish);
  else if (kind_ != KernelKind::reorder)
    set_phase(i, event.block, SortPhase::count);
}

void Reader::write_key(std::size_t i, const RecordedEvent& event) {
  if (pass_ == nullptr || !has_in_) return;
  if (!has_out_) {
    has_out_ = true;
    pass_->out = event.subject;
  }
  if (event.subject != pass_->out) return;
  end_ranking(i, event);
  set_phase(i, event.block, pass_->finishes ? SortPhase::finish : SortPhase::move);
  // The key is what the lane has read last and not written on.
  Lane& writer = lane(event);
  const auto held = std::find_if(writer.held.rbegin(), writer.held.rend(), [&](const Held& each) {
    return !each.used && order_.same(each.value, event.value);
  });
  if (held == writer.held.rend()) return;
  held->used = true;
  pass_->keys[held->key].to = {i, event.offset / key_bytes_};
}

void Reader::access_shared(std::size_t i, const RecordedEvent& event) {
  const RecordedArray& array = recording_.arrays[event.subject];
  if (kind_ == KernelKind::histogram) {
    if (array.name != "mine") return;
    const std::uint32_t element = event.offset / array.element_bytes;
    set_phase(i, event.block, SortPhase::count_all);
    if (event.kind == EventKind::add && element < most_sort_passes * sort_.digit_values)
      sort_.counted_all.push_back({i, element});
    return;
  }
  if (pass_ == nullptr || !has_in_) return;
  Lane& its = lane(event);
  if (event.kind == EventKind::add && event.bytes == 4) {
    if (its.counted < its.read.size() && !pass_->finishes) {
      PassKey& key = pass_->keys[its.read[its.counted]];
      if (key.digit.event == Brought::never) key.digit = {i, event.offset / 4 % sort_.digit_values};
    }
    ++its.counted;
    return;
  }
  if (event.kind == EventKind::write) end_ranking(i, event);
  if (event.bytes != key_bytes_ || event.offset % 4 != 0) return;
  auto& origins = origins_[{event.subject, event.block}];
  origins.resize(array.bytes / 4 + 1);
  std::uint32_t& origin = origins[event.offset / 4];
  if (is_read(event.kind)) {
    if (origin != 0) its.hold(event.value, origin - 1);
    return;
  }
  origin = 0;
  for (Held& held : its.held) {
    if (held.used || !order_.same(held.value, event.value)) continue;
    held.used = true;
    origin = held.key + 1;
    if (!pass_->finishes) set_phase(i, event.block, SortPhase::move);
    return;
  }
}

void Reader::access_words(std::size_t i, const RecordedEvent& event) {
  const std::uint32_t element = event.offset / 4;
  if (kind_ == KernelKind::split) set_phase(i, event.block, SortPhase::split);
  if (sweep_ && event.subject == sweep_->array && event.bytes == 4) access_sweep(i, event, element);
  if (kind_ == KernelKind::resident &&
      recording_.arrays[event.subject].name == "counts_and_ticket" && event.bytes == 4)
    set_phase(i, event.block, SortPhase::look_back);
  if (pass_ == nullptr || !counts_ || event.subject != *counts_ || event.bytes != 4) return;
  if (kind_ == KernelKind::scan) set_phase(i, event.block, SortPhase::scan);
  if (kind_ != KernelKind::scan || is_read(event.kind)) return;
  // Segments that are split again lie in the list in any order: their offsets are not read here.
  const std::size_t count = std::size_t{grid_} * sort_.digit_values;
  if (count > elements_of(recording_.arrays[*counts_])) return;
  if (element >= count || (recording_.variant == "msd_segments" && number_ > 1)) return;
  pass_->offsets.resize(count);
  pass_->offsets[element] = {i, event.value};
}

void Reader::access_sweep(std::size_t i, const RecordedEvent& event, std::uint32_t element) {
  const std::uint32_t digits = sweep_->digits;
  if (kind_ != KernelKind::sweep || pass_ == nullptr) return;
  const std::size_t words = std::size_t{sweep_->tiles} * digits;
  if (pass_->offsets.empty()) {
    pass_->offsets.resize(words);
    aggregates_.assign(words, 0);
    prefixes_.assign(words, 0);
  }
  if (element >= sweep_->states()) {
    const std::size_t state = (element - sweep_->states()) % words;
    if (has_in_) set_phase(i, event.block, SortPhase::look_back);
    constexpr std::uint64_t value_bits = (1U << 30U) - 1;
    if (event.kind != EventKind::store_relaxed) return;
    (event.value >> 30U == 1 ? aggregates_ : prefixes_)[state] = event.value & value_bits;
    if (event.value >> 30U != 1) last_state_[{event.block, event.thread}] = state;
    return;
  }
  // to = begins[digit] + the keys in tiles before, which the block has published with its own.
  if (element >= sweep_->begins() || !is_read(event.kind)) return;
  const auto state = last_state_.find({event.block, event.thread});
  if (state == last_state_.end() || state->second % digits != element % digits) return;
  const std::size_t tile = state->second / digits;
  pass_->offsets[std::size_t{element % digits} * sweep_->tiles + tile] = {
      i, event.value + prefixes_[state->second] - aggregates_[state->second]};
}

void Reader::begin_ranking(std::size_t i, const RecordedEvent& event) {
  if (pass_ == nullptr || !has_in_) return;
  end_ranking(i, event);
  open_[{event.block, first_thread(event)}] = sort_.rankings.size();
  sort_.rankings.push_back({i, recording_.events.size(), event.block, first_thread(event)});
  if (!pass_->finishes) set_phase(i, event.block, SortPhase::rank);
}

void Reader::end_pass(std::size_t i) {
  if (pass_ == nullptr) return;
  pass_->end = i;
  for (const auto& [warp, ranking] : open_) sort_.rankings[ranking].end = i;
  open_.clear();
  last_state_.clear();
  if (!has_in_ || !has_out_) {
    sort_.passes.pop_back();
  } else {
    pass_->tiles = std::max(grid_, 1U);
    // Tickets number Onesweep's tiles: they are equal stretches of the input.
    if (sweep_) {
      std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> of_block;
      for (std::uint32_t place = 0; place < n_; ++place) {
        const PassKey& key = pass_->keys[place];
        if (key.value.event == Brought::never) continue;
        auto& [first, last] = of_block.try_emplace(key.tile, place, place).first->second;
        last = place;
      }
      std::uint32_t size = 1;
      for (const auto& [block, range] : of_block)
        size = std::max(size, range.second - range.first + 1);
      for (std::uint32_t place = 0; place < n_; ++place) pass_->keys[place].tile = place / size;
    }
    find_shift();
  }
  pass_ = nullptr;
}

// The lowest bit of the digits that were counted. Passes by rising digits are as many bits apart.
void Reader::find_shift() {
  if (pass_->finishes) return;
  const bool first = sort_.passes.size() == 1;
  const auto fits = [&](unsigned shift) {
    return std::all_of(pass_->keys.begin(), pass_->keys.end(), [&](const PassKey& key) {
      if (key.value.event == Brought::never || key.digit.event == Brought::never) return true;
      const std::uint64_t mapped = first ? order_.map(key.value.value) : key.value.value;
      return (mapped >> shift & (sort_.digit_values - 1)) == key.digit.value;
    });
  };
  const auto width = static_cast<unsigned>(std::countr_zero(sort_.digit_values));
  if (!first && sort_.passes[sort_.passes.size() - 2].shift) {
    const unsigned next = *sort_.passes[sort_.passes.size() - 2].shift + width;
    if (next < sort_.key_bits && fits(next)) {
      pass_->shift = next;
      return;
    }
  }
  for (unsigned shift = 0; shift < sort_.key_bits && !pass_->shift; ++shift)
    if (fits(shift)) pass_->shift = shift;
}

}  // namespace

const RadixSort::Change* RadixSort::change_at(std::size_t event) const {
  const auto after =
      std::upper_bound(changes.begin(), changes.end(), event,
                       [](std::size_t at, const Change& change) { return at < change.event; });
  return after == changes.begin() ? nullptr : &*(after - 1);
}

const Ranking* RadixSort::ranking_at(std::size_t event, std::uint32_t block) const {
  auto ranking =
      std::upper_bound(rankings.begin(), rankings.end(), event,
                       [](std::size_t at, const Ranking& each) { return at < each.begin; });
  while (ranking != rankings.begin()) {
    --ranking;
    if (ranking->block == block) return event < ranking->end ? &*ranking : nullptr;
  }
  return nullptr;
}

const SortPass& RadixSort::pass_at(std::size_t event) const {
  const auto after =
      std::upper_bound(passes.begin(), passes.end(), event,
                       [](std::size_t at, const SortPass& pass) { return at < pass.begin; });
  return after == passes.begin() ? passes.front() : *(after - 1);
}

std::optional<RadixSort> radix_sort_of(const Recording& recording) {
  if (recording.primitive != "sort" || recording.launches.empty()) return {};
  const auto keys_out = find_array(recording, "keys_out", 0);
  if (!keys_out) return {};
  const RecordedArray& array = recording.arrays[*keys_out];
  if ((array.element_bytes != 4 && array.element_bytes != 8) || array.bytes == 0 ||
      elements_of(array) > most_sorted_keys)
    return {};
  const std::uint32_t values = digit_values_of(recording);
  if (values == 0) return {};
  RadixSort sort = Reader(recording, *keys_out, values).read();
  const bool fits = !sort.passes.empty() && sort.passes.size() <= most_sort_passes;
  return fits ? std::optional(std::move(sort)) : std::nullopt;
}

}  // namespace warpview::step_views::radix
