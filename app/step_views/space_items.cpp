// Triangles whose item is written once: Morton codes and prefixes; and reductions of their boxes.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>

#include "app/common/digits.h"
#include "app/step_views/arrays.h"
#include "app/step_views/names.h"
#include "app/step_views/space.h"
#include "app/step_views/words.h"

namespace warpview::step_views {

int ramp_ink(std::uint64_t place, std::uint64_t count) {
  const std::uint64_t step = count > 0 ? place * plot_ramp_colours / count : 0;
  return plot_ink::first_ramp +
         static_cast<int>(std::min<std::uint64_t>(step, plot_ramp_colours - 1));
}

std::optional<std::uint32_t> find_input(const Recording& recording, std::uint64_t bytes) {
  for (std::uint32_t i = 0; i < recording.arrays.size(); ++i) {
    const RecordedArray& array = recording.arrays[i];
    if (array.kind == ArrayKind::device && array.name.starts_with("input") && array.bytes == bytes)
      return i;
  }
  return std::nullopt;
}

void mark_reads(const Playback& at, std::uint32_t array, std::uint32_t item_bytes,
                std::uint32_t items_a_triangle, std::vector<SpaceTriangle>& triangles) {
  for (const RecordedEvent& event : at.last()) {
    if (!is_access(event.kind) || !is_read(event.kind) || event.subject != array) continue;
    const std::uint32_t triangle = event.offset / item_bytes / items_a_triangle;
    if (triangle < triangles.size()) triangles[triangle].is_read = true;
  }
}

namespace {

constexpr std::uint32_t bounds_bytes = 48;  // SceneBounds: the bounds of points, and of centres

// The integers of gpu/primitives/reduce/cell.h, whose order is that of floats.
float from_ordered(std::uint32_t ordered) {
  constexpr std::uint32_t sign = 0x80000000U;
  return std::bit_cast<float>((ordered & sign) != 0 ? ordered & ~sign : ~ordered);
}

// Each triangle has an element of an array, in its order.
class WrittenItems : public SpaceScene {
 public:
  WrittenItems(const Recording& recording, std::uint32_t array)
      : array_(array),
        boxes_(
            find_input(recording, std::uint64_t{triangle_box_bytes} * recording.mesh->triangles())),
        is_codes_(recording.primitive == "morton") {
    const std::uint32_t n = recording.mesh->triangles();
    const std::vector<std::uint8_t> after = contents_after(recording, array);
    const std::uint32_t width = recording.arrays[array].element_bytes;
    std::vector<std::uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return element_at(after, width, a) < element_at(after, width, b);
    });
    rank_.resize(n);
    for (std::uint32_t place = 0; place < n; ++place) rank_[order[place]] = place;
  }

  SpacePicture at(const Playback& at, const MeshPicture& mesh) const override {
    SpacePicture picture;
    picture.triangles.resize(mesh.triangles());
    std::size_t done = 0;
    std::vector<std::uint32_t> now;
    for (std::uint32_t t = 0; t < mesh.triangles(); ++t) {
      SpaceTriangle& triangle = picture.triangles[t];
      triangle.name = word_name({array_, t, 0});
      const auto event = at.last_write({array_, t, 0});
      if (!event) continue;
      ++done;
      triangle.ink = ramp_ink(rank_[t], rank_.size());
      triangle.opacity = 1.0F;
      if (!at.last_did(*event)) continue;
      triangle.is_written = true;
      now.push_back(t);
    }
    if (boxes_) mark_reads(at, *boxes_, triangle_box_bytes, 1, picture.triangles);
    picture.progress = fmt::format("{} of {} triangles have their {}.", group_digits(done),
                                   group_digits(mesh.triangles()), is_codes_ ? "code" : "prefix");
    if (!now.empty())
      picture.now = fmt::format("{} written for {}.", is_codes_ ? "Codes are" : "Prefixes are",
                                named_ranges("triangle", now, 4));
    return picture;
  }

  std::vector<KeyEntry> key() const override {
    std::vector<KeyEntry> entries = {
        {is_codes_ ? "no code yet" : "no prefix yet", filled(plot_ink::neutral, 0.3F)},
        {"written in this step", framed(ink::write)}};
    if (boxes_) entries.push_back({"box read in this step", framed(ink::read)});
    return entries;
  }
  std::string legend() const override {
    return is_codes_ ? "A triangle gets its colour when its Morton code is written. Colours follow "
                       "the order of the codes: triangles of close codes are close in space."
                     : "A triangle gets its colour when the prefix is written that is its place "
                       "among the triangles that are kept.";
  }
  bool has_ramp() const override { return true; }

 private:
  std::uint32_t array_;
  std::optional<std::uint32_t> boxes_;
  bool is_codes_;
  std::vector<std::uint32_t> rank_;  // of each triangle's item
};

// Boxes are read, and bounds of some of them are written.
class Bounds : public SpaceScene {
 public:
  Bounds(const Recording& recording, std::uint32_t boxes) : boxes_(boxes) {
    for (std::uint32_t i = 0; i < recording.arrays.size(); ++i) {
      const RecordedArray& array = recording.arrays[i];
      if (array.kind == ArrayKind::device && array.element_bytes == bounds_bytes &&
          array.bytes / bounds_bytes <= most_bounds)
        bounds_.push_back(i);
    }
  }

  SpacePicture at(const Playback& at, const MeshPicture& mesh) const override {
    SpacePicture picture;
    picture.triangles.resize(mesh.triangles());
    const std::uint32_t width = at.recording().arrays[boxes_].element_bytes;
    std::size_t read = 0;
    for (std::uint32_t t = 0; t < mesh.triangles(); ++t) {
      const std::uint32_t word = t * triangle_box_bytes / width;
      picture.triangles[t].name = word_name({boxes_, word, 0});
      if (!at.last_access({boxes_, word, 0})) continue;
      ++read;
      picture.triangles[t].ink = plot_ink::first_ramp + plot_ramp_colours / 2;
      picture.triangles[t].opacity = 0.9F;
    }
    mark_reads(at, boxes_, triangle_box_bytes, 1, picture.triangles);
    for (const std::uint32_t array : bounds_) add_bounds(at, mesh, array, picture);
    picture.progress = fmt::format("The boxes of {} of {} triangles have been read.",
                                   group_digits(read), group_digits(mesh.triangles()));
    return picture;
  }

  std::vector<KeyEntry> key() const override {
    return {{"not read", filled(plot_ink::neutral, 0.3F)},
            {"box read", filled(plot_ink::first_ramp + plot_ramp_colours / 2, 0.9F)},
            {"read in this step", framed(ink::read)},
            {"bounds", framed(plot_ink::text)},
            {"bounds written in this step", framed(ink::write)}};
  }
  bool has_boxes() const override { return true; }
  std::string legend() const override {
    return "A triangle gets its colour when a lane reads its box. A box is drawn when the bounds "
           "of some triangles are written to device memory.";
  }

 private:
  static constexpr std::uint32_t most_bounds = 64;

  // Does the host prepare memory, and compute nothing?
  static bool is_preparation(EventKind kind) {
    return kind == EventKind::fill || kind == EventKind::upload;
  }
  static void add_bounds(const Playback& at, const MeshPicture& mesh, std::uint32_t array,
                         SpacePicture& picture) {
    const auto bytes = at.contents(array);
    const bool is_ordered = at.recording().arrays[array].type.starts_with("Cell<");
    const auto coordinate = [&](std::size_t offset) {
      return is_ordered ? from_ordered(number_at<std::uint32_t>(bytes, offset))
                        : number_at<float>(bytes, offset);
    };
    for (std::uint32_t i = 0; i < bytes.size() / bounds_bytes; ++i) {
      const auto event = at.last_write({array, i, 0});
      if (!event || is_preparation(at.recording().events[*event].kind)) continue;
      Box3 box;
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t offset = std::size_t{i} * bounds_bytes + 4 * k;
        box.low.at(k) = coordinate(offset);
        box.high.at(k) = coordinate(offset + 12);
      }
      if (!mesh.bounds().contains(box)) continue;  // empty, or of a file that was changed
      picture.boxes.push_back({.box = box,
                               .ink = at.last_did(*event) ? ink::write : plot_ink::text,
                               .name = word_name({array, i, 0})});
    }
  }

  std::uint32_t boxes_;
  std::vector<std::uint32_t> bounds_;  // arrays
};

}  // namespace

std::unique_ptr<SpaceScene> item_scene(const Recording& recording) {
  const std::uint32_t n = recording.mesh->triangles();
  if (recording.primitive == "reduce") {
    const auto boxes = find_input(recording, std::uint64_t{triangle_box_bytes} * n);
    return boxes ? std::make_unique<Bounds>(recording, *boxes) : nullptr;
  }
  if (recording.primitive != "morton" && recording.primitive != "scan") return nullptr;
  const auto array = find_array(recording, recording.primitive == "morton" ? "codes" : "out", 0, n);
  return array ? std::make_unique<WrittenItems>(recording, *array) : nullptr;
}

}  // namespace warpview::step_views
