#include "app/step_views/page/scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpview::step_views {
namespace {

std::int32_t tenths(float units) {
  return static_cast<std::int32_t>(std::lround(page_steps_in_a_unit * units));
}
std::uint32_t hundredths(float value) {
  return static_cast<std::uint32_t>(std::lround(100.0F * std::max(value, 0.0F)));
}

void append(ByteWriter& to, const ByteWriter& from) {
  to.bytes.insert(to.bytes.end(), from.bytes.begin(), from.bytes.end());
}

}  // namespace

std::uint32_t ShapeTables::style(const PlotShape& shape) {
  const Style style = {static_cast<std::uint32_t>(shape.kind),
                       static_cast<std::uint32_t>(shape.ink),
                       hundredths(shape.opacity),
                       shape.kind == PlotShape::Kind::line ? hundredths(shape.width) : 0,
                       static_cast<std::uint32_t>(shape.line),
                       static_cast<std::uint32_t>(shape.align),
                       shape.bold ? 1U : 0U};
  const auto [known, is_new] =
      styles_.try_emplace(style, static_cast<std::uint32_t>(styles_.size()));
  if (is_new) styles_in_order_.push_back(style);
  return known->second;
}

std::uint32_t ShapeTables::outline(Outline outline) {
  const auto [known, is_new] =
      outlines_.try_emplace(std::move(outline), static_cast<std::uint32_t>(outlines_.size()));
  if (is_new) outlines_in_order_.push_back(known->first);
  return known->second;
}

void ShapeTables::write(ByteWriter& to) const {
  to.number(styles_in_order_.size());
  for (const Style& style : styles_in_order_)
    for (const std::uint32_t part : style) to.number(part);
  to.number(outlines_in_order_.size());
  for (const Outline& outline : outlines_in_order_) {
    to.number(outline.size() / 2);
    for (const std::int32_t part : outline) add_signed(to, part);
  }
}

std::size_t Scene::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = 0;
  for (const std::uint32_t part : key) hash = (hash ^ part) * 0x9e3779b97f4a7c15U + (hash >> 29U);
  return hash;
}

std::uint32_t Scene::id_of(const PlotShape& shape) {
  const PlotVertex at = shape.vertices.empty() ? PlotVertex{} : shape.vertices.front();
  ShapeTables::Outline outline;
  for (std::size_t i = 1; i < shape.vertices.size(); ++i) {
    outline.push_back(tenths(shape.vertices[i].x) - tenths(shape.vertices[i - 1].x));
    outline.push_back(tenths(shape.vertices[i].y) - tenths(shape.vertices[i - 1].y));
  }
  Strings& strings = tables_.strings;
  const Key key = {tables_.style(shape),
                   tables_.outline(std::move(outline)),
                   static_cast<std::uint32_t>(tenths(at.x)),
                   static_cast<std::uint32_t>(tenths(at.y)),
                   shape.words.empty() ? 0 : strings.id(shape.words) + 1,
                   shape.name.empty() ? 0 : strings.id(shape.name) + 1};
  const auto [known, is_new] = ids_.try_emplace(key, static_cast<std::uint32_t>(ids_.size()));
  if (is_new) {
    for (std::size_t i = 0; i < key.size(); ++i) {
      const auto difference = static_cast<std::int32_t>(key[i] - last_[i]);
      if (i < words_column)
        add_signed(columns_[i], difference);
      else
        columns_[i].number(
            key[i] == 0 ? 0 : 1 + zigzag(static_cast<std::uint64_t>(std::int64_t{difference})));
      if (i < words_column || key[i] != 0) last_[i] = key[i];
    }
    if (key[5] != 0) new_names_.push_back(key[5] - 1);
    place_now_.push_back(0);
    place_next_.push_back(0);
  }
  return known->second;
}

void Scene::add(const StepDrawing& drawing) {
  height_ = std::max(height_, drawing.height);
  new_names_.clear();
  std::vector<std::uint32_t> next;
  next.reserve(drawing.shapes.size());
  for (const PlotShape& shape : drawing.shapes) next.push_back(id_of(shape));
  for (std::uint32_t i = 0; i < next.size(); ++i) place_next_[next[i]] = i + 1;
  add_edits(next);
  for (const std::uint32_t id : now_) place_now_[id] = 0;
  for (const std::uint32_t id : next) place_next_[id] = 0;
  now_ = std::move(next);
  for (std::uint32_t i = 0; i < now_.size(); ++i) place_now_[now_[i]] = i + 1;
}

// What both drawings have in one order stays, as far as it is found in one pass.
void Scene::add_edits(const std::vector<std::uint32_t>& next) {
  std::size_t i = 0;
  std::size_t j = 0;
  std::size_t kept = 0;
  std::size_t edits = 0;
  while (true) {
    const std::size_t from_i = i;
    const std::size_t from_j = j;
    while (i < now_.size() || j < next.size()) {
      if (i == now_.size()) {
        ++j;
      } else if (j == next.size()) {
        ++i;
      } else if (now_[i] == next[j]) {
        break;
      } else if (place_next_[now_[i]] <= j) {
        ++i;  // comes no more
      } else if (place_now_[next[j]] <= i) {
        ++j;  // is new
      } else if (place_next_[now_[i]] - j < place_now_[next[j]] - i) {
        ++j;
      } else {
        ++i;
      }
    }
    if (i != from_i || j != from_j) {
      ++edits;
      edits_.number(kept);
      edits_.number(i - from_i);
      edits_.number(j - from_j);
      for (std::size_t k = from_j; k < j; ++k) {
        add_signed(added_, std::int64_t{next[k]} - last_added_);
        last_added_ = next[k] + 1;
      }
      kept = 0;
    }
    if (i == now_.size() && j == next.size()) break;
    ++i;
    ++j;
    ++kept;
  }
  edit_counts_.number(edits);
}

std::size_t Scene::bytes() const {
  std::size_t bytes = edit_counts_.bytes.size() + edits_.bytes.size() + added_.bytes.size();
  for (const ByteWriter& column : columns_) bytes += column.bytes.size();
  return bytes;
}

void Scene::write(ByteWriter& to) const {
  to.number(static_cast<std::uint64_t>(std::ceil(height_)));
  to.number(ids_.size());
  for (const ByteWriter& column : columns_) append(to, column);
  append(to, edit_counts_);
  append(to, edits_);
  append(to, added_);
}

}  // namespace warpview::step_views
