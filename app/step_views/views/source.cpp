// The source lines of the step that was executed last, and the lanes at each line.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "app/common/source_files.h"
#include "app/step_views/names.h"
#include "app/step_views/paragraph.h"
#include "app/step_views/words.h"
#include "kernel_source.h"

namespace warpview::step_views {
namespace {

// The lines of an embedded file; empty if the program does not hold it.
std::vector<std::string_view> lines_of_file(std::string_view file) {
  const auto names = kernel_source_names();
  if (std::find(names.begin(), names.end(), file) == names.end()) return {};
  std::vector<std::string_view> lines;
  for (std::string_view text = kernel_source(file); !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

class Source : public StepView {
 public:
  explicit Source(const Recording& recording) {
    for (const RecordedPlace& place : recording.places)
      for (const SourceLine& call : place.chain)
        if (!files_.contains(call.file)) files_[call.file] = lines_of_file(call.file);
    has_lines_ = std::any_of(
        recording.places.begin(), recording.places.end(),
        [](const RecordedPlace& place) { return place.code != 0 && !place.chain.empty(); });
    const auto names = kernel_source_names();
    const std::vector<std::string> all(names.begin(), names.end());
    for (const RecordedLaunch& launch : recording.launches) {
      kernels_.push_back(find_kernel(all, launch.kernel));
      if (kernels_.back() && !files_.contains(kernels_.back()->file))
        files_[kernels_.back()->file] = lines_of_file(kernels_.back()->file);
    }
  }

  StepDrawing draw(const Playback& at, const StepFocus& /*focus*/,
                   const PlotSurface& surface) const override {
    Sketch sketch(surface);
    const Page page{sketch, surface, at};
    const auto& chain = chain_of(at);
    if (chain.empty()) return draw_kernel(page);
    float y = 0.0F;
    for (std::size_t i = chain.size(); i-- > 0;) {
      const SourceLine& call = chain[i];
      std::string words = fmt::format("{}:{}", call.file, call.line);
      if (!call.function.empty())
        words = fmt::format("{}  {}:{}", short_function(call.function),
                            call.file.substr(call.file.rfind('/') + 1), call.line);
      sketch.text({0.0F, y}, cut_to(surface, std::move(words), sketch.width()), plot_ink::dim)
          .name = line_name(call);
      y = draw_lines(page, y + plot_line_height, call.file, call.line, i == 0 ? around : 0) + 0.2F;
    }
    return sketch.take(y);
  }

  std::string legend() const override {
    return "The source line of this step, below the calls that lead to it. The squares beside a "
           "line are the lanes of the warp whose last access is there.";
  }

 private:
  static constexpr std::uint32_t around = 3;  // lines before and after
  struct Page {
    Sketch& sketch;
    const PlotSurface& surface;
    const Playback& at;
  };

  // The calls of the step that was executed last.
  static const std::vector<SourceLine>& chain_of(const Playback& at) {
    for (const RecordedEvent& event : at.last())
      if (const auto& chain = at.recording().chain(event.place); !chain.empty()) return chain;
    return at.recording().chain(0);
  }

  // What is known without a line: the kernel.
  StepDrawing draw_kernel(const Page& page) const {
    Sketch& sketch = page.sketch;
    float y = 0.0F;
    const auto say = [&](const std::string& words, int ink) {
      y += draw_paragraph(sketch, page.surface, {0.0F, y}, words, ink);
    };
    const auto launch = page.at.launch();
    if (page.at.last().empty() || is_patch(page.at.last().front().kind) || !launch) {
      say(sentence_of(page.at), plot_ink::text);
      return sketch.take(y);
    }
    say(has_lines_ ? "This step has no source line."
                   : "The recording has no source lines (no debug information).",
        plot_ink::dim);
    say(fmt::format("Kernel: {}", page.at.recording().launches[*launch].kernel), plot_ink::text);
    if (const auto& kernel = kernels_[*launch]) {
      const auto line = static_cast<std::uint32_t>(kernel->line) + 1;
      say(fmt::format("defined in {}:{}", kernel->file, line), plot_ink::dim);
      y = draw_lines(page, y, kernel->file, line, around);
    }
    return sketch.take(y);
  }

  // The lanes of the step's warp whose innermost line is this one.
  static std::vector<std::uint32_t> lanes_at(const Playback& at, const std::string& file,
                                             std::uint32_t line) {
    std::vector<std::uint32_t> lanes;
    if (at.last().empty()) return lanes;
    const RecordedEvent& head = at.last().front();
    const PlayedBlock* const block = at.block(head.block);
    if (block == nullptr) return lanes;
    const std::uint32_t warp_size = at.recording().warp_size;
    const std::size_t first = head.thread / warp_size * warp_size;
    std::set<std::size_t> acting;  // also lanes that exit behind their access
    for (const RecordedEvent& event : at.last())
      if (is_access(event.kind)) acting.insert(event.thread);
    for (std::size_t i = first; i < std::min<std::size_t>(first + warp_size, block->lanes.size());
         ++i) {
      if (block->lanes[i].state == LaneState::exited && !acting.contains(i)) continue;
      const auto& chain = at.recording().chain(block->lanes[i].place);
      if (!chain.empty() && chain.front().line == line && chain.front().file == file)
        lanes.push_back(static_cast<std::uint32_t>(i - first));
    }
    return lanes;
  }

  // A square for each lane of the warp, or their number where there is no room.
  static void draw_mask(const Page& page, float y, float width,
                        const std::vector<std::uint32_t>& lanes, const std::string& name) {
    if (lanes.empty()) return;
    const std::uint32_t warp = page.at.recording().warp_size;
    const float side = width / static_cast<float>(warp);
    if (constexpr float least = 0.2F; side < least) {
      page.sketch.text({0.0F, y}, fmt::format("{}x", lanes.size()), plot_ink::text).name = name;
      return;
    }
    for (std::uint32_t i = 0; i < warp; ++i)
      page.sketch.box(
          {side * static_cast<float>(i), y + 0.3F, 0.75F * side, 0.7F},
          std::binary_search(lanes.begin(), lanes.end(), i) ? plot_ink::text : plot_ink::grid, 1.0F,
          name);
  }

  // The current line whole, in bold, and of words that are too wide what fits; of others what fits.
  static std::vector<std::string> parts_of(const Page& page, const std::string& words, float room,
                                           bool is_current) {
    if (!is_current) return {cut_to(page.surface, words, room)};
    const float bold_room = room / Sketch::bold_is_wider;
    std::vector<std::string> parts = wrapped(page.surface, words, bold_room);
    for (std::string& part : parts) part = cut_to(page.surface, std::move(part), bold_room);
    return parts;
  }

  float draw_lines(const Page& page, float y, const std::string& file, std::uint32_t line,
                   std::uint32_t reach) const {
    const auto found = files_.find(file);
    if (found == files_.end() || line == 0 || line > found->second.size()) return y;
    const auto& lines = found->second;
    const std::uint32_t first = line > reach ? line - reach : 1;
    const auto last =
        static_cast<std::uint32_t>(std::min<std::size_t>(std::size_t{line} + reach, lines.size()));
    std::size_t indent = 1000;
    for (std::uint32_t i = first; i <= last; ++i)
      if (indent_of(lines[i - 1]) < lines[i - 1].size())
        indent = std::min(indent, indent_of(lines[i - 1]));
    const float mask = page.sketch.is_narrow() ? 2.2F : 8.0F;
    const float number = mask + 0.4F + Sketch::width_of(page.surface, fmt::format("{}", last));
    const float left = number + 0.5F;
    for (std::uint32_t i = first; i <= last; ++i) {
      const SourceLine here{.function = {}, .file = file, .line = i};
      const std::string name = line_name(here);
      const std::string_view text = lines[i - 1];
      const std::size_t spaces = indent_of(text);
      const float x = std::min(left + 0.5F * static_cast<float>(spaces - std::min(indent, spaces)),
                               0.8F * page.sketch.width());
      const float room = page.sketch.width() - x;
      const std::string words(text.substr(spaces));
      const std::vector<std::string> parts = parts_of(page, words, room, i == line);
      if (i == line)
        page.sketch.box({left - 0.2F, y, page.sketch.width() - left + 0.2F,
                         plot_line_height * static_cast<float>(parts.size())},
                        ink::current, 0.2F, name);
      draw_mask(page, y, mask, lanes_at(page.at, file, i), name);
      page.sketch.text({number, y}, fmt::format("{}", i), plot_ink::dim, PlotShape::Align::right)
          .name = name;
      for (const std::string& part : parts) {
        if (!part.empty())
          page.sketch
              .text({x, y}, part, i == line ? plot_ink::text : plot_ink::dim,
                    PlotShape::Align::left, i == line)
              .name = name;
        y += plot_line_height;
      }
    }
    return y;
  }

  std::map<std::string, std::vector<std::string_view>> files_;
  std::vector<std::optional<KernelPlace>> kernels_;  // by launch
  bool has_lines_ = false;  // of the kernels' code; the executor always knows its own
};

}  // namespace

bool is_for_source(const Recording& recording) { return !recording.launches.empty(); }
std::unique_ptr<StepView> make_source(const std::shared_ptr<const Recording>& recording) {
  return std::make_unique<Source>(*recording);
}

}  // namespace warpview::step_views
