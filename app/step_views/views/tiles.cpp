// The tiles of a scan in one pass: what each has published, which block works on it, and the
// look-backs.
//
// D. Merrill, M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016; its
// letters: X (nothing published), A (aggregate), P (prefix).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "app/step_views/key.h"
#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"
#include "app/step_views/tile_faces.h"
#include "app/step_views/tile_states.h"

namespace warpview::step_views {
namespace {

// What a launch ever needs room for. With that room nothing moves while it plays.
struct Room {
  std::size_t letters = 0;  // of the widest value of a tile
  std::size_t rows = 0;     // of blocks that run at once
};

std::size_t most_at_once(const std::vector<TileBlock>& blocks) {
  std::size_t most = 0;
  for (const TileBlock& one : blocks) {
    const auto runs = [&one](const TileBlock& each) {
      return each.begin <= one.begin && each.end > one.begin;
    };
    most = std::max(most, static_cast<std::size_t>(std::ranges::count_if(blocks, runs)));
  }
  return most;
}

// What is drawn of one launch at one step.
class TilesPicture {
 public:
  TilesPicture(const TiledLaunch& launch, Room room, const Playback& at, const StepFocus& focus,
               const PlotSurface& surface)
      : launch_(launch),
        room_(room),
        at_(at),
        focus_(focus),
        surface_(surface),
        sketch_(surface),
        now_(at.executed()) {
    for (const TileBlock& block : launch.blocks) {
      if (block.begin >= now_) continue;
      if (block.tile && knows_tile(block)) block_of_[*block.tile] = &block;
      if (block.end >= now_) running_.push_back(&block);
    }
    std::stable_sort(
        running_.begin(), running_.end(),
        [this](const TileBlock* a, const TileBlock* b) { return tile_of(*a) < tile_of(*b); });
    if (!at.recording().blocks.empty()) recorded_ = tiles_of_blocks(launch);
    choose_columns();
    if (launch.has_scanner)
      for (const TileBlock& block : launch.blocks) find_tiles_of(block);
  }

  StepDrawing draw() {
    key();
    counts();
    header();
    rows();
    history();
    return sketch_.take(y_);
  }

 private:
  using Kind = TileAction::Kind;

  bool is_turn() const { return launch_.layout == TileLayout::turn; }
  float width_of(std::string_view words) const { return Sketch::width_of(surface_, words); }

  bool knows_tile(const TileBlock& block) const {
    const auto ticket =
        std::find_if(block.actions.begin(), block.actions.end(),
                     [](const TileAction& action) { return action.kind == Kind::ticket; });
    return ticket != block.actions.end() && ticket->event < now_;
  }
  // The tile that a block works on; behind all others while it has none.
  std::uint32_t tile_of(const TileBlock& block) const {
    if (block.tile) return knows_tile(block) ? *block.tile : UINT32_MAX;
    for (std::size_t i = block.done(now_); i-- > 0;)
      if (!launch_.is_scanner(block) &&
          (block.actions[i].kind == Kind::look || block.actions[i].kind == Kind::publish))
        return block.actions[i].tile;
    return UINT32_MAX;
  }
  // With a scanner, tiles are dealt to the workers round-robin.
  void find_tiles_of(const TileBlock& block) {
    if (block.begin >= now_ || launch_.is_scanner(block) || launch_.grid < 2) return;
    for (std::uint32_t i = 0; i < columns_.count; ++i)
      if ((columns_.first + i) % (launch_.grid - 1) == block.block)
        block_of_[columns_.first + i] = &block;
  }

  bool is_recorded(std::uint32_t tile) const { return !recorded_ || recorded_->contains(tile); }
  // The tile around which tiles are shown while no block runs.
  std::uint32_t resting_tile() const {
    const bool is_over = now_ >= launch_.end;
    if (!recorded_ || recorded_->empty()) return is_over ? launch_.tiles : 0;
    std::uint32_t tile = is_over ? *recorded_->rbegin() : *recorded_->begin();
    if (!is_over)
      for (const TileBlock& block : launch_.blocks)
        if (block.tile && block.end < now_) tile = *block.tile;
    return tile;
  }

  void choose_columns() {
    columns_.left = sketch_.is_narrow() ? 3.8F : 19.0F;
    const float room = sketch_.width() - columns_.left;
    constexpr float least = 1.6F, most = 6.5F;
    columns_.count =
        std::clamp(static_cast<std::uint32_t>(room / least), 1U, std::max(launch_.tiles, 1U));
    columns_.each = std::min(room / static_cast<float>(columns_.count), most);
    if (columns_.count == launch_.tiles) return;
    // As many as fit, from one that is still worked on.
    std::uint32_t from = resting_tile();
    for (const TileBlock* block : running_)
      if (const std::uint32_t tile = tile_of(*block); tile != UINT32_MAX) {
        from = tile;
        break;
      }
    const std::uint32_t half = std::max(columns_.count / 2, 1U);
    from = from / half * half;
    columns_.first = std::min(from > half ? from - half : 0, launch_.tiles - columns_.count);
  }

  // ---- what is published

  TileFlag flag_of(std::uint32_t tile) const {
    return now_ <= launch_.begin ? TileFlag::nothing : tile_at(launch_, at_, tile).flag;
  }
  const TileFace& face_of(TileFlag flag) const {
    if (is_turn()) return flag == TileFlag::prefix ? turn_face : waits_face;
    return flag == TileFlag::nothing     ? nothing_face
           : flag == TileFlag::aggregate ? aggregate_face
           : launch_.has_scanner         ? exclusive_face
                                         : prefix_face;
  }
  const TileFace& face_of_tile(std::uint32_t tile) const {
    if (!is_turn()) return face_of(flag_of(tile));
    const std::uint32_t turn = now_ <= launch_.begin ? 0 : turn_at(launch_, at_);
    if (tile < turn) return passed_face;
    const auto found = block_of_.find(tile);
    if (found == block_of_.end()) return works_face;
    const auto& actions = found->second->actions;
    const bool looks = std::any_of(
        actions.begin(), actions.begin() + static_cast<std::ptrdiff_t>(found->second->done(now_)),
        [](const TileAction& action) { return action.kind == Kind::look; });
    return !looks ? works_face : tile == turn ? turn_face : waits_face;
  }
  // The face of a tile that no recorded block has, or has yet; null for other tiles.
  const TileFace* faint_face_of(std::uint32_t tile) const {
    if (block_of_.contains(tile)) return nullptr;
    if (is_recorded(tile)) return &unstarted_face;
    const TileFace& face = face_of_tile(tile);
    return &face == &nothing_face || &face == &works_face ? &unrecorded_face : &face;
  }

  void letter(const PlotBox& box, const TileFace& face, const std::string& name,
              bool faint = false) {
    sketch_.box(box, face.ink, faint ? 0.4F * face.opacity : face.opacity, name);
    sketch_
        .text({box.x + 0.5F * box.width, box.y + 0.5F * (box.height - plot_line_height)},
              face.letter, faint ? plot_ink::dim : plot_ink::text, PlotShape::Align::middle, !faint)
        .name = name;
  }

  // ---- parts, from top to bottom

  void key() {
    const std::array<const TileFace*, 4> turns = {&works_face, &waits_face, &turn_face,
                                                  &passed_face};
    const std::array<const TileFace*, 3> flags = {&nothing_face, &aggregate_face,
                                                  &face_of(TileFlag::prefix)};
    std::vector<KeyEntry> entries;
    const auto add = [&](const TileFace& face, bool faint = false) {
      entries.push_back({face.words, [this, &face, faint](Sketch&, PlotBox box) {
                           letter(box, face, {}, faint);
                         }});
    };
    if (is_turn())
      for (const TileFace* face : turns) add(*face);
    else
      for (const TileFace* face : flags)
        if (!(launch_.is_chained && face == &aggregate_face)) add(*face);
    add(unstarted_face, true);
    if (recorded_) add(unrecorded_face, true);
    y_ += draw_key(sketch_, surface_, {0.0F, y_}, entries) + 0.4F;
  }

  // How many looks there were until now, by what they found.
  void counts() {
    std::array<unsigned, 3> found{};
    for (const TileBlock& block : launch_.blocks)
      for (std::size_t i = 0; i < block.done(now_); ++i)
        if (block.actions[i].kind == Kind::look)
          ++found.at(static_cast<std::size_t>(block.actions[i].flag));
    std::string words;
    if (is_turn())
      words = turn_line(found[0]);
    else if (launch_.is_chained)
      words = fmt::format("Look-backs so far: {} X, {} P", found[0], found[2]);
    else
      words = fmt::format("Look-backs so far: {} X, {} A, {} P", found[0], found[1], found[2]);
    if (launch_.layout == TileLayout::digit)
      words = fmt::format("Digit {}. {}", launch_.digit, words);
    lines_of(words, plot_ink::text);
    if (launch_.layout == TileLayout::stretch)
      lines_of("Value: number of runs that begin, sum of the last run", plot_ink::dim);
    if (launch_.layout == TileLayout::heads)
      lines_of("Value: number of runs that begin, index after the last run's first item",
               plot_ink::dim);
    if (columns_.count < launch_.tiles)
      lines_of(fmt::format("Tiles {} to {} of {}", columns_.first,
                           columns_.first + columns_.count - 1, launch_.tiles),
               plot_ink::dim);
    y_ += 0.3F;
  }
  // One line, or three where it is narrow: a line that wraps when its numbers grow would move all
  // below it.
  std::string turn_line(unsigned earlier) {
    const std::array sentences = {fmt::format("Turn: {}.", turn_words()),
                                  fmt::format("Its exclusive prefix: {}.", turn_sum()),
                                  fmt::format("Reads of an earlier turn: {}.", earlier)};
    if (!sketch_.is_narrow()) return fmt::format("{}", fmt::join(sentences, " "));
    lines_of(sentences[0], plot_ink::text);
    lines_of(sentences[1], plot_ink::text);
    return sentences[2];
  }
  std::string turn_words() const {
    const std::uint32_t turn = now_ <= launch_.begin ? 0 : turn_at(launch_, at_);
    return turn < launch_.tiles ? fmt::format("tile {}", turn) : "all tiles done";
  }
  std::string turn_sum() const {
    const bool has = now_ > launch_.begin && turn_at(launch_, at_) > 0;
    return has ? sum_at(launch_, at_) : "0";
  }
  void lines_of(std::string_view words, int ink) {
    y_ += draw_paragraph(sketch_, surface_, {0.0F, y_}, words, ink);
  }

  void label(std::string words) { sketch_.text({0.0F, y_}, std::move(words), plot_ink::dim); }

  void header() {
    const std::uint32_t end = columns_.first + columns_.count;
    label("Tile");
    const bool every = width_of(fmt::format("{}", end)) + 0.3F < columns_.each;
    for (std::uint32_t t = columns_.first; t < end; ++t)
      if (every || t % 4 == 0)
        sketch_.text({columns_.middle(t), y_}, fmt::format("{}", t), plot_ink::text,
                     PlotShape::Align::middle, true);
    y_ += plot_line_height + 0.1F;
    label("State");
    for (std::uint32_t t = columns_.first; t < end; ++t) {
      const TileFace* const faint = faint_face_of(t);
      letter(columns_.box(t, y_), faint ? *faint : face_of_tile(t), state_name(t),
             faint != nullptr);
    }
    y_ += plot_line_height + 0.1F;
    if (!is_turn()) values();
    label("Block");
    for (std::uint32_t t = columns_.first; t < end; ++t) block_of(t);
    y_ += plot_line_height + 0.4F;
  }
  std::string state_name(std::uint32_t tile) const { return word_name(launch_.word_of(tile)); }

  void block_of(std::uint32_t tile) {
    const auto found = block_of_.find(tile);
    const std::string words =
        found != block_of_.end() ? fmt::format("{}", found->second->block) : "-";
    if (width_of(words) > columns_.each) return;
    const bool runs = found != block_of_.end() && found->second->end >= now_;
    sketch_.text({columns_.middle(tile), y_}, words, runs ? plot_ink::text : plot_ink::dim,
                 PlotShape::Align::middle);
  }

  // What tiles have published: neighbours in lines of their own where they are wide.
  void values() {
    const std::uint32_t end = columns_.first + columns_.count;
    std::map<std::uint32_t, std::string> all;
    float widest = 0.0F;
    if (now_ > launch_.begin)
      for (std::uint32_t t = columns_.first; t < end; ++t) {
        all[t] = tile_at(launch_, at_, t).value;
        widest = std::max(widest, width_of(all[t]));
      }
    widest = std::max(widest, width_of(std::string(room_.letters, '0')));
    // Values at the ends are drawn nearer to the middle than their columns are.
    const float moved = std::max(0.5F * (widest - columns_.each), 0.0F);
    const auto lines = static_cast<unsigned>((widest + 0.4F + moved) / columns_.each) + 1;
    if (lines > 4) return;
    label("Value");
    for (const auto& [t, words] : all) {
      if (words.empty()) continue;
      const float half = 0.5F * width_of(words);
      const float x = std::clamp(columns_.middle(t), columns_.left + half - 0.2F,
                                 std::max(sketch_.width() - half, columns_.left + half));
      sketch_
          .text({x, y_ + plot_line_height * static_cast<float>(t % lines)}, words, plot_ink::text,
                PlotShape::Align::middle)
          .name = state_name(t);
    }
    y_ += plot_line_height * static_cast<float>(lines) + 0.1F;
  }

  // ---- a block that runs

  std::string words_of(const TileBlock& block) const {
    const TileAction* const action = action_of(launch_, block, now_);
    if (action == nullptr) return "begins";
    switch (action->kind) {
      case Kind::ticket:
        return fmt::format("takes tile {}", action->tile);
      case Kind::load:
        return "loads";
      case Kind::scan:
        return "scans";
      case Kind::publish:
        return is_turn() ? "passes on the turn"
                         : fmt::format("publishes {}", face_of(action->flag).letter);
      case Kind::write:
        return "writes";
      case Kind::look:
        break;
    }
    if (is_turn())
      return action->flag == TileFlag::prefix
                 ? "has the turn"
                 : fmt::format("waits: tile {} has the turn", action->tile);
    return look_words(block, *action);
  }
  std::string look_words(const TileBlock& block, const TileAction& last) const {
    if (launch_.looks_at_own(block))
      return last.flag == TileFlag::prefix ? "has its prefix" : "waits for the scanner";
    const auto walk = walk_of(launch_, block, now_);
    // The nearest that is not ready, unless a prefix is nearer.
    const auto stop = std::find_if(walk.rbegin(), walk.rend(), [&](const auto& each) {
      return each.second->flag == TileFlag::nothing ||
             (each.second->flag == TileFlag::prefix && !launch_.is_scanner(block));
    });
    if (stop != walk.rend())
      return stop->second->flag == TileFlag::nothing
                 ? fmt::format("waits for tile {}: X", stop->first)
                 : look_back(stop->first, TileFlag::prefix);
    return look_back(last.tile, last.flag);
  }
  std::string look_back(std::uint32_t tile, TileFlag flag) const {
    return fmt::format("looks back at tile {}: {}", tile, face_of(flag).letter);
  }

  void rows() {
    const float lines = sketch_.is_narrow() ? 2.0F : 1.0F;
    const float end = y_ + static_cast<float>(room_.rows) * (lines * plot_line_height + below_row);
    for (const TileBlock* block : running_) row(*block);
    y_ = end;
  }
  void row(const TileBlock& block) {
    const std::uint32_t tile = tile_of(block);
    const bool is_scanner = launch_.is_scanner(block);
    const std::string lane = lane_name(block.block, 0);
    sketch_
        .text({0.0F, y_},
              fmt::format("{} {}: {}", is_scanner ? "Scanner" : "Block", block.block,
                          words_of(block)),
              plot_ink::text, PlotShape::Align::left, block.block == focus_.block)
        .name = lane;
    if (sketch_.is_narrow()) y_ += plot_line_height;
    const auto walk = walk_of(launch_, block, now_);
    const bool has_own = tile != UINT32_MAX && columns_.has(tile);
    const float middle = y_ + 0.5F * plot_line_height;
    const float from = is_scanner              ? columns_.right()
                       : has_own               ? columns_.box(tile, y_).x
                       : tile < columns_.first ? columns_.left
                                               : columns_.right();
    for (const auto& [looked, action] : walk) {
      if (looked == tile || !columns_.has(looked)) continue;
      const bool is_new = at_.last_did(action->event);
      const PlotBox box = columns_.box(looked, y_);
      if (!is_scanner)
        sketch_.arrow({from, middle}, {from > box.x ? box.right() : box.x, middle},
                      is_new ? ink::read : plot_ink::neutral, is_new ? 0.16F : 0.08F,
                      state_name(looked));
    }
    if (!is_turn())
      for (const auto& [looked, action] : walk)
        if (looked != tile && columns_.has(looked)) seen(looked, *action);
    if (has_own) own(block, tile, walk);
    y_ += plot_line_height + below_row;
  }
  // What a walk found, on paper: lines to farther tiles pass behind it.
  void seen(std::uint32_t tile, const TileAction& action) {
    PlotBox box = columns_.box(tile, y_);
    sketch_.box(box, plot_ink::paper);
    letter(box, face_of(action.flag), state_name(tile));
  }
  void own(const TileBlock& block, std::uint32_t tile,
           const std::map<std::uint32_t, const TileAction*>& walk) {
    const PlotBox box = columns_.box(tile, y_);
    const std::string lane = lane_name(block.block, 0);
    sketch_.box(box, plot_ink::paper, 1.0F, lane);
    const auto found = walk.find(tile);
    if (found != walk.end() && !is_turn())
      letter(box, face_of(found->second->flag), lane);
    else if (const std::string number = fmt::format("{}", tile); width_of(number) < box.width)
      sketch_.text({columns_.middle(tile), y_}, number, plot_ink::text, PlotShape::Align::middle)
          .name = lane;
    sketch_.frame(box, block.block == focus_.block ? plot_ink::text : plot_ink::neutral, 0.12F,
                  lane);
  }

  // ---- space and time

  void history() {
    y_ += 0.4F;
    y_ += draw_paragraph(sketch_, surface_, {0.0F, y_},
                         "Time runs down; the line is the current step.", plot_ink::dim);
    y_ += draw_key(sketch_, surface_, {0.0F, y_},
                   {{"the tile's block has ended", filled(prefix_face.ink, ended_opacity)}}) +
          0.3F;
    const float height = 12.0F;
    const std::size_t first = at_.step_of(launch_.begin);
    const std::size_t last =
        launch_.end < at_.recording().events.size() ? at_.step_of(launch_.end) : at_.steps();
    const auto place = [&](std::size_t step) {
      const auto done = static_cast<float>(std::clamp(step, first, last) - first);
      return y_ + height * done / static_cast<float>(std::max<std::size_t>(last - first, 1));
    };
    const auto at_event = [&](std::size_t event) { return place(at_.step_of(event)); };
    for (const auto& each : tile_times(launch_)) {
      const std::uint32_t tile = each.first;
      const TileTimes& of = each.second;
      if (!columns_.has(tile)) continue;
      const auto piece = [&](std::optional<std::size_t> from, std::optional<std::size_t> to,
                             const TileFace& face, float opacity) {
        if (!from) return;
        const float top = at_event(*from);
        const float bottom = to ? at_event(*to) : y_ + height;
        PlotBox box = columns_.box(tile, top);
        box.height = bottom - top;
        if (box.height > 0.0F) sketch_.box(box, face.ink, opacity, state_name(tile));
      };
      const auto published = of.aggregate ? of.aggregate : of.prefix;
      piece(of.begin, published, nothing_face, 1.0F);
      piece(of.aggregate, of.prefix, aggregate_face, aggregate_face.opacity);
      piece(of.prefix, of.end ? of.end : of.prefix, prefix_face, prefix_face.opacity);
      piece(of.end ? of.end : of.prefix, {}, prefix_face, ended_opacity);
    }
    now_line(place(at_.at()), height, first, last);
    y_ += height + 0.3F;
  }
  // Before and after the launch there is no line.
  void now_line(float y, float height, std::size_t first, std::size_t last) {
    const bool is_now = first <= at_.at() && at_.at() <= last;
    if (is_now) sketch_.line({columns_.left, y}, {columns_.right(), y}, plot_ink::text, 0.12F);
    const float x = columns_.left - 0.3F;
    const auto step = [&](float at, std::size_t number, int ink) {
      sketch_.text({x, at}, fmt::format("{}", number), ink, PlotShape::Align::right);
    };
    const float end = y_ + height - plot_line_height;
    const float here = std::clamp(y - 0.5F * plot_line_height, y_, end);
    if (!is_now || here > y_ + plot_line_height) step(y_, first, plot_ink::dim);
    if (!is_now || here < end - plot_line_height) step(end, last, plot_ink::dim);
    if (is_now) step(here, at_.at(), plot_ink::text);
  }

  static constexpr float below_row = 0.25F;

  const TiledLaunch& launch_;
  Room room_;
  const Playback& at_;
  const StepFocus& focus_;
  const PlotSurface& surface_;
  Sketch sketch_;
  std::size_t now_;  // events that were executed
  float y_ = 0.0F;
  TileColumns columns_;
  std::optional<std::set<std::uint32_t>> recorded_;  // tiles, if only some blocks are recorded
  std::vector<const TileBlock*> running_;
  std::map<std::uint32_t, const TileBlock*> block_of_;  // by tile
};

class Tiles : public StepView {
 public:
  explicit Tiles(const std::shared_ptr<const Recording>& recording)
      : launches_(launches_of_tiles(*recording)) {
    Playback at(recording);
    for (const TiledLaunch& launch : launches_)
      rooms_.push_back({.letters = widest_value(at, launch), .rows = most_at_once(launch.blocks)});
  }

  StepDrawing draw(const Playback& at, const StepFocus& focus,
                   const PlotSurface& surface) const override {
    std::size_t shown = 0;
    for (std::size_t i = 0; i < launches_.size(); ++i)
      if (at.launch() && launches_[i].launch <= *at.launch()) shown = i;
    return TilesPicture(launches_[shown], rooms_[shown], at, focus, surface).draw();
  }

  std::string legend() const override {
    return "Each column is a tile and each row a resident block. The framed box is the block's "
           "tile; arrows lead to the tiles whose states it has read, with the states it found.";
  }

 private:
  std::vector<TiledLaunch> launches_;
  std::vector<Room> rooms_;  // by launch
};

}  // namespace

bool is_for_tiles(const Recording& recording) { return !launches_of_tiles(recording).empty(); }
std::unique_ptr<StepView> make_tiles(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<Tiles>(recording);
}

}  // namespace warpview::step_views
