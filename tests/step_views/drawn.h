// Drawings of a view, for tests that look at their shapes.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/step_views/view.h"

namespace warpview::test {

// One view of a recording, at any step.
class Drawn {
 public:
  Drawn(std::string_view view, std::shared_ptr<const Recording> recording, float width = 900.0F,
        std::uint32_t block = 0);

  // Nothing is drawn of it before a step is chosen.
  Drawn& at(std::size_t step);
  const Playback& playback() const { return playback_; }
  std::size_t steps() const { return playback_.steps(); }
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

bool has_view(std::string_view view, const Recording& recording);

// Runs that are written down by hand: one launch of a kernel, a step for each access.
class WrittenRun {
 public:
  WrittenRun(std::string primitive, std::uint32_t blocks, std::uint32_t threads);
  // Device memory of zeros. Returns its index.
  std::uint32_t array(std::string name, std::string type, std::uint32_t element_bytes,
                      std::uint32_t elements);
  WrittenRun& begin(std::uint32_t block);
  WrittenRun& access(EventKind kind, std::uint32_t block, std::uint16_t thread, std::uint32_t array,
                     std::uint32_t offset, std::uint64_t value, std::uint8_t bytes = 4);
  WrittenRun& event(EventKind kind, std::uint32_t block, std::uint16_t thread);
  std::shared_ptr<const Recording> done() const {
    return std::make_shared<const Recording>(recording_);
  }
  Recording& recording() { return recording_; }

 private:
  Recording recording_;
};

}  // namespace warpview::test
