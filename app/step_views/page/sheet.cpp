#include "app/step_views/page/sheet.h"

#include <fmt/format.h>

#include <cmath>
#include <string_view>
#include <utility>

#include "app/common/digits.h"
#include "app/common/plot_svg.h"
#include "app/step_views/paragraph.h"
#include "app/step_views/words.h"
#include "gpu/faults/faults.h"
#include "gpu/runtime/error.h"

namespace warpview::step_views {
namespace {

// A page of shapes that grows downwards.
class Sheet {
 public:
  explicit Sheet(const PlotSurface& surface) : surface_(surface) {}

  float height() const { return height_; }
  const std::vector<PlotShape>& shapes() const { return shapes_; }

  void gap(float ems) { height_ += ems * surface_.em; }
  void add(StepDrawing drawing) {
    for (PlotShape& shape : drawing.shapes) {
      for (PlotVertex& v : shape.vertices) v.y += height_;
      shapes_.push_back(std::move(shape));
    }
    height_ += drawing.height;
  }
  // In as many lines as they take.
  void words(std::string_view text, int ink, bool bold = false) {
    Sketch sketch(surface_);
    const float height = draw_paragraph(sketch, surface_, {0.0F, 0.0F}, text, ink, bold);
    add(sketch.take(height));
  }

 private:
  const PlotSurface& surface_;
  float height_ = 0.0F;
  std::vector<PlotShape> shapes_;
};

}  // namespace

std::vector<ShownView> views_of(const std::shared_ptr<const Recording>& recording) {
  std::vector<ShownView> views;
  for (const StepViewRow& row : all_step_views())
    if (row.is_for(*recording)) views.push_back({.row = &row, .view = row.make(recording)});
  if (views.empty())
    throw Error("drawing the recording", "no view has something to show of it",
                "Choose a variant that launches kernels, and items");
  return views;
}

std::string run_in_words(const Recording& recording) {
  return fmt::format("{} {}, {}{}, {} items, warps of {}, seed {}{}", recording.primitive,
                     recording.variant, recording.form,
                     is_wrong_on_purpose(recording) ? " (wrong on purpose)" : "",
                     group_digits(recording.items), recording.warp_size, recording.seed,
                     recording.blocks.empty() ? "" : ", blocks " + in_words(recording.blocks));
}

void check_step(const Playback& playback, std::size_t step) {
  if (step > playback.steps())
    throw Error(fmt::format("--step {}", step),
                fmt::format("the recording has {} steps", playback.steps()),
                "Choose an earlier one");
}

std::string step_as_svg(const std::shared_ptr<const Recording>& recording,
                        std::optional<std::uint32_t> step, std::string_view note) {
  const std::vector<ShownView> views = views_of(recording);
  Playback playback(recording);
  const std::size_t to = step.value_or(static_cast<std::uint32_t>(playback.steps() / 2));
  check_step(playback, to);
  playback.seek(to);
  const PlotSurface surface = svg_surface(900.0F, 600.0F);
  Sheet sheet(surface);
  const std::string title = run_in_words(*recording);
  sheet.words(title, plot_ink::text, true);
  if (!note.empty()) sheet.words(note, plot_ink::text);
  sheet.words(fmt::format("Step {} of {}. {}", to, playback.steps(), sentence_of(playback)),
              plot_ink::text);
  for (const ShownView& each : views) {
    sheet.gap(1.2F);
    sheet.words(each.row->title, plot_ink::text, true);
    sheet.gap(0.3F);
    sheet.add(each.view->draw(playback, focus_of(playback), surface));
    sheet.gap(0.3F);
    sheet.words(each.view->legend(), plot_ink::dim);
  }
  return svg_document(title, sheet.shapes(), surface.width + 2.0F * svg_margin,
                      std::ceil(sheet.height()) + 2.0F * svg_margin);
}

}  // namespace warpview::step_views
