// Triangles whose keys are sorted: each has the colour of its key's place.
#include <fmt/format.h>

#include <algorithm>

#include "app/common/digits.h"
#include "app/step_views/arrays.h"
#include "app/step_views/names.h"
#include "app/step_views/space.h"
#include "app/step_views/words.h"

namespace warpview::step_views {
namespace {

// A value, which is a triangle, is written to an element of an array.
struct Move {
  std::size_t event;
  std::uint32_t triangle;
  Word word;
};

class SortedTriangles : public SpaceScene {
 public:
  SortedTriangles(const Recording& recording, std::uint32_t out)
      : triangles_(recording.mesh->triangles()), out_(out), last_(triangles_, no_move) {
    for (const RecordedArray& array : recording.arrays)
      is_values_.push_back(array.kind == ArrayKind::device && array.element_bytes == 4 &&
                           array.name.starts_with("values") && elements_of(array) >= triangles_);
    find_moves(recording);
    for (std::size_t i = 0; i < moves_.size(); ++i) last_[moves_[i].triangle] = i;
    find_order();
  }

  SpacePicture at(const Playback& at, const MeshPicture& mesh) const override {
    SpacePicture picture;
    picture.triangles.resize(mesh.triangles());
    std::vector<std::optional<Word>> word(triangles_);
    std::vector<std::uint32_t> now;
    std::size_t done = 0;
    for (std::size_t i = 0; i < moves_.size() && moves_[i].event < at.executed(); ++i) {
      const Move& move = moves_[i];
      word[move.triangle] = move.word;
      if (last_[move.triangle] == i) ++done;
      if (at.last_did(move.event)) now.push_back(move.triangle);
    }
    for (std::uint32_t t = 0; t < mesh.triangles(); ++t) {
      SpaceTriangle& triangle = picture.triangles[t];
      triangle.ink = ramp_ink(word[t] ? word[t]->element : t, triangles_);
      triangle.opacity = 1.0F;
      triangle.name = word_name(word[t].value_or(Word{out_, place_after(t), 0}));
    }
    for (const std::uint32_t t : now) picture.triangles[t].is_written = true;
    add_curve(at, mesh, picture);
    picture.progress =
        done == 0 ? "No key is in its final place yet: only the last pass over a key puts it there."
                  : fmt::format("{} of {} keys are in their final place.", group_digits(done),
                                group_digits(triangles_));
    if (!now.empty())
      picture.now = fmt::format("The keys of {} move to {}.", named_ranges("triangle", now, 3),
                                places_of(now, word));
    return picture;
  }

  std::vector<KeyEntry> key() const override {
    return {{"key written in this step", framed(ink::write)},
            {"curve in the order of sorted keys", [](Sketch& sketch, PlotBox box) {
               sketch.line({box.x, box.y + 0.5F * box.height},
                           {box.right(), box.y + 0.5F * box.height}, plot_ink::text, 0.14F);
             }}};
  }
  std::string legend() const override {
    return "A triangle has the colour of its key's place in the array: at first its own number, "
           "then wherever a pass writes the key. Keys are Morton codes, so in the end close "
           "places are close in space.";
  }
  bool has_ramp() const override { return true; }

 private:
  static constexpr std::size_t no_move = ~std::size_t{0};

  void find_moves(const Recording& recording) {
    const auto add = [&](std::size_t event, std::uint32_t array, std::size_t element,
                         std::uint64_t value) {
      if (element < triangles_ && value < triangles_)
        moves_.push_back({event,
                          static_cast<std::uint32_t>(value),
                          {array, static_cast<std::uint32_t>(element), 0}});
    };
    for (std::size_t i = 0; i < recording.events.size(); ++i) {
      const RecordedEvent& event = recording.events[i];
      if (is_host_write(event.kind)) {
        const RecordedPatch& patch = recording.patches[event.subject];
        if (!is_values_[patch.array] || event.kind == EventKind::fill) continue;
        for (std::size_t k = 0; k + 4 <= patch.bytes.size(); k += 4)
          add(i, patch.array, patch.offset / 4 + k / 4, number_at<std::uint32_t>(patch.bytes, k));
      } else if (is_access(event.kind) && !is_read(event.kind) && is_values_[event.subject] &&
                 event.bytes == 4) {
        add(i, event.subject, event.offset / 4, event.value);
      }
    }
  }
  void find_order() {
    order_.assign(triangles_, triangles_);
    for (std::uint32_t t = 0; t < triangles_; ++t)
      if (last_[t] != no_move) order_[moves_[last_[t]].word.element] = t;
  }
  std::uint32_t place_after(std::uint32_t triangle) const {
    return last_[triangle] == no_move ? triangle : moves_[last_[triangle]].word.element;
  }
  bool is_final(const Playback& at, std::uint32_t triangle) const {
    return triangle < triangles_ && last_[triangle] != no_move &&
           moves_[last_[triangle]].event < at.executed();
  }
  void add_curve(const Playback& at, const MeshPicture& mesh, SpacePicture& picture) const {
    for (std::uint32_t place = 0; place + 1 < triangles_; ++place)
      if (is_final(at, order_[place]) && is_final(at, order_[place + 1]))
        picture.lines.push_back({.from = mesh.centre(order_[place]),
                                 .to = mesh.centre(order_[place + 1]),
                                 .width = 0.08F,
                                 .opacity = 0.9F});
  }
  static std::string places_of(const std::vector<std::uint32_t>& triangles,
                               const std::vector<std::optional<Word>>& word) {
    std::vector<std::uint32_t> places;
    places.reserve(triangles.size());
    for (const std::uint32_t t : triangles) places.push_back(word[t]->element);
    std::sort(places.begin(), places.end());
    return named_ranges("place", places, 3);
  }

  std::uint32_t triangles_;
  std::uint32_t out_;
  std::vector<bool> is_values_;       // by array
  std::vector<Move> moves_;           // in the order of events
  std::vector<std::size_t> last_;     // by triangle: its last move
  std::vector<std::uint32_t> order_;  // triangles by their place at the end
};

}  // namespace

std::unique_ptr<SpaceScene> sort_scene(const Recording& recording) {
  if (recording.primitive != "sort") return nullptr;
  const auto out = find_array(recording, "values_out", 4, recording.mesh->triangles());
  return out ? std::make_unique<SortedTriangles>(recording, *out) : nullptr;
}

}  // namespace warpview::step_views
