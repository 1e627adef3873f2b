// Drawings of a view, for tests that look at their shapes.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/step_views/view.h"

namespace warpview::test {

// 14 units an em, a letter 0.6 ems wide.
PlotSurface step_surface(float width = 900.0F);

const StepViewRow& view_named(std::string_view name);

// Fails where a shape is beside the surface or below the drawing.
void expect_inside(const StepDrawing& drawing, const PlotSurface& surface);

// What a view draws of the step at which the playback stands.
StepDrawing drawn(std::string_view view, const Playback& at, std::uint32_t block = 0,
                  float width = 900.0F);
std::vector<const PlotShape*> named(const StepDrawing& drawing, std::string_view name,
                                    PlotShape::Kind kind);
// All texts, a line each.
std::string texts_of(const StepDrawing& drawing);
bool says(const StepDrawing& drawing, std::string_view words);

// One view of a recording, at any step.
class Drawn {
 public:
  Drawn(std::string_view view, std::shared_ptr<const Recording> recording, float width = 900.0F,
        std::uint32_t block = 0);

  // Nothing is drawn of it before a step is chosen.
  Drawn& at(std::size_t step);
  const Playback& playback() const { return playback_; }
  std::size_t steps() const { return playback_.steps(); }
  const StepDrawing& drawing() const { return drawing_; }
  const PlotSurface& surface() const { return surface_; }
  const std::vector<PlotShape>& shapes() const { return drawing_.shapes; }

  // The words of all texts with a part like this.
  std::vector<std::string> texts_with(std::string_view part) const;
  bool says(std::string_view part) const { return !texts_with(part).empty(); }
  // The words that are drawn of a name, by the first of its texts.
  std::string text_of(std::string_view name) const;
  // The names of shapes of this ink that begin so.
  std::set<std::string> names_of(int ink, std::string_view begin) const;
  std::size_t count(int ink, PlotShape::Kind kind) const;

 private:
  std::shared_ptr<const Recording> recording_;
  std::unique_ptr<StepView> view_;
  Playback playback_;
  PlotSurface surface_;
  StepFocus focus_;
  StepDrawing drawing_;
};

}  // namespace warpview::test
