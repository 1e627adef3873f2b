#include "tests/step_views/drawn.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/runtime/error.h"

namespace warpview::test {
const StepViewRow& view_named(std::string_view name) {
  for (const StepViewRow& row : all_step_views())
    if (row.name == name) return row;
  throw Error("a view", "there is none of this name", std::string(name));
}

PlotSurface step_surface(float width) {
  constexpr float em = 14.0F;
  return {.width = width, .height = 400.0F, .em = em, .text_width = [](std::string_view words) {
            return 0.6F * em * static_cast<float>(words.size());
          }};
}

void expect_inside(const StepDrawing& drawing, const PlotSurface& surface) {
  for (const PlotShape& shape : drawing.shapes)
    for (const PlotVertex& v : shape.vertices) {
      ASSERT_GE(v.x, -0.5F) << shape.name << shape.words;
      ASSERT_LE(v.x, surface.width + 0.5F) << shape.name << shape.words;
      ASSERT_GE(v.y, -0.5F) << shape.name << shape.words;
      ASSERT_LE(v.y, drawing.height + 0.5F) << shape.name << shape.words;
    }
}

StepDrawing drawn(std::string_view view, const Playback& at, std::uint32_t block, float width) {
  const auto recording = std::make_shared<const Recording>(at.recording());
  return view_named(view).make(recording)->draw(at, {.block = block}, step_surface(width));
}

std::vector<const PlotShape*> named(const StepDrawing& drawing, std::string_view name,
                                    PlotShape::Kind kind) {
  std::vector<const PlotShape*> shapes;
  for (const PlotShape& shape : drawing.shapes)
    if (shape.name == name && shape.kind == kind) shapes.push_back(&shape);
  return shapes;
}

std::string texts_of(const StepDrawing& drawing) {
  std::string all;
  for (const PlotShape& shape : drawing.shapes)
    if (shape.kind == PlotShape::Kind::text) all += shape.words + "\n";
  return all;
}

bool says(const StepDrawing& drawing, std::string_view words) {
  return texts_of(drawing).find(words) != std::string::npos;
}

Drawn::Drawn(std::string_view view, std::shared_ptr<const Recording> recording, float width,
             std::uint32_t block)
    : recording_(std::move(recording)),
      view_(view_named(view).make(recording_)),
      playback_(recording_),
      surface_(step_surface(width)),
      focus_{.block = block} {}

Drawn& Drawn::at(std::size_t step) {
  playback_.seek(step);
  drawing_ = view_->draw(playback_, focus_, surface_);
  return *this;
}

std::vector<std::string> Drawn::texts_with(std::string_view part) const {
  std::vector<std::string> texts;
  for (const PlotShape& shape : shapes())
    if (shape.words.find(part) != std::string::npos) texts.push_back(shape.words);
  return texts;
}

std::string Drawn::text_of(std::string_view name) const {
  for (const PlotShape& shape : shapes())
    if (shape.name == name && !shape.words.empty()) return shape.words;
  return {};
}

std::set<std::string> Drawn::names_of(int ink, std::string_view begin) const {
  std::set<std::string> names;
  for (const PlotShape& shape : shapes())
    if (shape.ink == ink && shape.name.starts_with(begin)) names.insert(shape.name);
  return names;
}

std::size_t Drawn::count(int ink, PlotShape::Kind kind) const {
  return static_cast<std::size_t>(std::count_if(
      shapes().begin(), shapes().end(),
      [&](const PlotShape& shape) { return shape.ink == ink && shape.kind == kind; }));
}

}  // namespace warpview::test
