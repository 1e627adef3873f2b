#include "app/step_views/page/page.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "app/common/digits.h"
#include "app/common/plot_svg.h"
#include "app/step_views/page/scene.h"
#include "app/step_views/page/sheet.h"
#include "app/step_views/page/step_texts.h"
#include "app/step_views/words.h"
#include "gpu/runtime/error.h"
#include "page_file.h"

namespace warpview::step_views {
namespace {

constexpr unsigned version = 1;
constexpr float page_height = 700.0F;  // of what can be seen at once

std::vector<std::uint8_t> deflated(const std::vector<std::uint8_t>& bytes) {
  uLongf size = compressBound(bytes.size());
  std::vector<std::uint8_t> out(size);
  if (compress2(out.data(), &size, bytes.data(), bytes.size(), 9) != Z_OK)
    throw Error("writing a page", "zlib cannot be used", "Close other programs");
  out.resize(size);
  return out;
}

// The length of the text that holds so many bytes.
constexpr std::size_t base64_bytes(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

// `share`: of the recording that a page holds.
[[noreturn]] void refuse(const Recording& recording, const std::string& why, double share) {
  // A little less, in two digits, so that it fits.
  double items = 0.9 * share * recording.items;
  const double unit =
      std::pow(10.0, std::max(std::floor(std::log10(std::max(items, 1.0))) - 1, 0.0));
  items = std::floor(items / unit) * unit;
  throw Error("writing a page", "the recording is too long: " + why,
              fmt::format("Record about {} items, or write a .wvrec file",
                          group_digits(static_cast<std::uint64_t>(std::max(items, 1.0)))));
}

// What the player reads, of steps that come one after another.
class PageData {
 public:
  explicit PageData(const std::vector<ShownView>& views) : views_(views) {
    for (std::size_t i = 0; i < page_widths.size() * views.size(); ++i)
      scenes_.emplace_back(tables_);
  }

  // Adds the playback's step.
  void add(Playback& at) {
    const StepFocus focus = focus_of(at);
    std::vector<std::uint32_t> names;
    std::size_t scene = 0;
    for (const float width : page_widths) {
      const PlotSurface surface = svg_surface(width, page_height);
      for (const ShownView& each : views_) {
        scenes_[scene].add(each.view->draw(at, focus, surface));
        const auto more = scenes_[scene++].new_names();
        names.insert(names.end(), more.begin(), more.end());
      }
    }
    texts_.add(at, names);
  }

  // About as many will be written.
  std::size_t bytes() const {
    std::size_t bytes = tables_.strings.bytes() + texts_.bytes();
    for (const Scene& scene : scenes_) bytes += scene.bytes();
    return bytes;
  }

  std::vector<std::uint8_t> written(std::size_t steps) {
    ByteWriter rest;
    tables_.write(rest);
    rest.number(steps);
    texts_.write(rest);
    rest.number(page_widths.size());
    for (std::size_t i = 0; i < page_widths.size(); ++i) write_views(rest, i);
    ByteWriter all;
    all.number(version);
    tables_.strings.write(all);
    all.bytes.insert(all.bytes.end(), rest.bytes.begin(), rest.bytes.end());
    return std::move(all.bytes);
  }

 private:
  void write_views(ByteWriter& to, std::size_t width) {
    to.number(static_cast<std::uint64_t>(page_widths[width]));
    to.number(views_.size());
    for (std::size_t i = 0; i < views_.size(); ++i) {
      to.number(tables_.strings.id(views_[i].row->title));
      to.number(tables_.strings.id(views_[i].view->legend()));
      ByteWriter scene;
      scenes_[width * views_.size() + i].write(scene);
      to.data(scene.bytes);
    }
  }

  const std::vector<ShownView>& views_;
  ShapeTables tables_;
  StepTexts texts_{tables_.strings};
  std::vector<Scene> scenes_;  // all views of the first width, then of the next
};

// Throws if a page of a long run would be too large for certain: drawing all steps may take
// minutes.
void refuse_long_run(const std::shared_ptr<const Recording>& recording) {
  constexpr std::size_t quick = 2000;  // steps
  if (Playback(recording).steps() < quick) return;
  const PageEstimate estimate = estimated_page(recording);
  const double share = std::min(most_page_data / estimate.data, most_page_bytes / estimate.page);
  if (share * page_estimate_margin < 1.0)
    refuse(*recording,
           fmt::format("the page would have about {} MiB, and may have {}",
                       std::lround(estimate.page / (1U << 20U)), most_page_bytes >> 20U),
           share);
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve(bytes.size() / 3 * 4 + 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(bytes.size() - i, 3);
    unsigned bits = 0;
    for (std::size_t k = 0; k < 3; ++k) bits = bits << 8U | (k < count ? bytes[i + k] : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= count ? letters[bits >> (18 - 6 * k) & 63U] : '=';
  }
  return text;
}

// Colours of the page around the views, as variables of its style sheet.
std::string page_colours() {
  std::string text;
  for (const Theme theme : {Theme::light, Theme::dark}) {
    text += theme == Theme::dark ? "@media(prefers-color-scheme:dark){:root{" : ":root{";
    for (const auto& [name, ink] : {std::pair{"paper", plot_ink::paper},
                                    {"text", plot_ink::text},
                                    {"dim", plot_ink::dim},
                                    {"grid", plot_ink::grid}})
      text += fmt::format("--{}:{};", name, svg_colour(ink, theme));
    text += theme == Theme::dark ? "}}" : "}";
  }
  return text;
}

// A view at one step, for readers without JavaScript. `largest`: of its SVG in bytes.
std::string still(const ShownView& shown, const Playback& at, std::size_t width, std::size_t index,
                  std::size_t largest) {
  const PlotSurface surface = svg_surface(page_widths[width], page_height);
  const StepDrawing drawing = shown.view->draw(at, focus_of(at), surface);
  std::string shapes = shapes_as_svg(drawing.shapes);
  if (shapes.size() > largest)
    return fmt::format(
        "<section><h2>{}</h2><p>Too large to be shown without JavaScript.</p>"
        "</section>\n",
        svg_escaped(shown.row->title));
  const std::string legend = svg_escaped(shown.view->legend());
  return fmt::format(
      "<section><h2 id=\"still{0}\">{1}</h2><svg viewBox=\"0 0 {2} {3}\" role=\"img\" "
      "aria-labelledby=\"still{0}\"><desc>{4}</desc>{5}</svg><p>{4}</p></section>\n",
      width * 100 + index, svg_escaped(shown.row->title), page_widths[width],
      std::ceil(drawing.height), legend, shapes);
}

std::string stills(const std::shared_ptr<const Recording>& recording, const Playback& at) {
  const std::vector<ShownView> views = views_of(recording);
  std::string text;
  for (std::size_t width = 0; width < page_widths.size(); ++width) {
    std::size_t left = 32000;  // bytes of all views
    text += width == 0 ? "<div class=\"narrow\">\n" : "<div class=\"wide\">\n";
    for (std::size_t i = 0; i < views.size(); ++i) {
      const std::string one = still(views[i], at, width, i, left);
      left -= std::min(left, one.size());
      text += one;
    }
    text += "</div>\n";
  }
  return text;
}

// The template with what each {{name}} stands for.
std::string fill_in(std::string_view page,
                    std::initializer_list<std::pair<std::string_view, std::string>> parts) {
  std::string text;
  while (true) {
    const std::size_t begin = page.find("{{");
    text += page.substr(0, begin);
    if (begin == std::string_view::npos) return text;
    page.remove_prefix(begin + 2);
    const std::size_t end = page.find("}}");
    const std::string_view name = page.substr(0, end);
    for (const auto& [each, words] : parts)
      if (each == name) text += words;
    page.remove_prefix(end + 2);
  }
}

}  // namespace

std::vector<std::uint8_t> page_data(const std::shared_ptr<const Recording>& recording,
                                    std::size_t most) {
  const std::vector<ShownView> views = views_of(recording);
  Playback at(recording);
  PageData data(views);
  const auto refuse_after = [&](std::size_t step) {
    refuse(*recording,
           fmt::format("a page holds about {} of its {} steps", group_digits(step),
                       group_digits(at.steps())),
           static_cast<double>(step) / static_cast<double>(at.steps()));
  };
  for (std::size_t step = 0; step <= at.steps(); ++step) {
    at.seek(step);
    data.add(at);
    if (data.bytes() > most) refuse_after(step);
  }
  std::vector<std::uint8_t> written = data.written(at.steps());
  if (written.size() > most) refuse_after(at.steps() * most / written.size());
  return written;
}

PageEstimate estimated_page(const std::shared_ptr<const Recording>& recording) {
  constexpr std::size_t stretches = 32, each = 8;
  const std::vector<ShownView> views = views_of(recording);
  Playback at(recording);
  PageData data(views);
  std::size_t grown = 0, positions = 0;
  for (std::size_t i = 0; i < stretches; ++i) {
    const std::size_t first = at.steps() * i / stretches;
    at.seek(first);
    data.add(at);  // differs from the last one by more than a step
    const std::size_t before = data.bytes();
    for (std::size_t k = 1; k <= each; ++k) {
      at.seek(std::min(first + k, at.steps()));
      data.add(at);
    }
    grown += data.bytes() - before;
    positions += 1 + each;
  }
  const std::vector<std::uint8_t> sample = data.written(positions - 1);
  const double all = static_cast<double>(grown) / (stretches * each) *
                     static_cast<double>(std::max<std::size_t>(at.steps(), 1));
  const double text = static_cast<double>(base64_bytes(deflated(sample).size()));
  return {.data = all, .page = all * text / static_cast<double>(sample.size())};
}

std::string recording_as_page(const std::shared_ptr<const Recording>& recording,
                              std::optional<std::uint32_t> first, std::string_view note) {
  Playback playback(recording);
  const std::uint32_t step = first.value_or(0);
  check_step(playback, step);
  refuse_long_run(recording);
  playback.seek(step);
  std::string page = fill_in(
      page_file("page.html"),
      {{"title", svg_escaped(run_in_words(*recording))},
       {"note", note.empty() ? "" : "<p>" + svg_escaped(note) + "</p>"},
       {"style", page_colours() + svg_ink_rules() + std::string(page_file("player.css"))},
       {"words", svg_escaped(fmt::format("Step {} of {}. {}", step, playback.steps(),
                                         sentence_of(playback)))},
       {"step", std::to_string(step)},
       {"steps", std::to_string(playback.steps())},
       {"stills", stills(recording, playback)},
       {"data", base64(deflated(page_data(recording)))},
       {"player", std::string(page_file("recording.js")) + std::string(page_file("player.js"))}});
  if (page.size() > most_page_bytes)
    refuse(*recording,
           fmt::format("the page would have {} bytes, and may have {}", group_digits(page.size()),
                       group_digits(most_page_bytes)),
           static_cast<double>(most_page_bytes) / static_cast<double>(page.size()));
  return page;
}

}  // namespace warpview::step_views
