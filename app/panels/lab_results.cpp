// The laboratory's bar chart: the fastest on top, the library's time as a line through all rows.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/common/lab_csv.h"
#include "app/common/lab_operations.h"
#include "app/common/shell_command.h"
#include "app/common/sweep_plot.h"
#include "app/panels/commands.h"
#include "app/panels/format.h"
#include "app/panels/kind_colours.h"
#include "app/panels/parts.h"
#include "app/panels/variant_names.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

// As in the plot of a sweep.
ImU32 library_colour() { return colour_of_part(0); }

// In the order of the chart.
enum class Kind { timed, wrong, under_way, waiting, not_here };

struct Bar {
  VariantId variant;
  const lab::Answer* answer;  // null: none yet
  Kind kind;
};

Kind kind_of(const lab::Answer* answer, bool under_way) {
  if (answer == nullptr) return under_way ? Kind::under_way : Kind::waiting;
  if (!answer->why_not.empty()) return Kind::not_here;
  return answer->difference.empty() && answer->ms > 0.0 ? Kind::timed : Kind::wrong;
}

// Before the first answer the variants to come stand there already.
std::vector<Bar> bars_of(const LabModel& lab) {
  const LabSeries& times = lab.shown(LabTask::results);
  const bool is_timing = lab.busy() && lab.task == LabTask::results;
  std::vector<Bar> bars;
  for (const VariantId variant :
       times.variants.empty() ? variants_of(lab.question.primitive) : times.variants) {
    const auto answer =
        std::find_if(times.answers.begin(), times.answers.end(),
                     [variant](const lab::Answer& each) { return each.variant == variant; });
    const lab::Answer* const found = answer == times.answers.end() ? nullptr : &*answer;
    bars.push_back({variant, found, kind_of(found, is_timing && variant == lab.variant)});
  }
  std::stable_sort(bars.begin(), bars.end(), [](const Bar& a, const Bar& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    return a.kind == Kind::timed && a.answer->ms < b.answer->ms;
  });
  return bars;
}

// What the chart's lengths mean.
struct Scale {
  double most_ms = 0.0;     // at the end of the time column; what takes longer is cut off
  double most_share = 1.0;  // at the end of the other
  double library_ms = 0.0;  // 0: it was not timed
  double library_share = 0.0;
  double least_ms = 0.0;
};

Scale scale_of(const std::vector<Bar>& bars) {
  // On the cpu device the library is the host's own: far faster than what runs lane by lane.
  constexpr double most_over_least = 12.0;
  Scale scale;
  double least_of_ours = 0.0;
  for (const Bar& bar : bars) {
    if (bar.kind != Kind::timed) continue;
    if (scale.least_ms == 0.0) scale.least_ms = bar.answer->ms;
    scale.most_ms = std::max(scale.most_ms, bar.answer->ms);
    scale.most_share = std::max(scale.most_share, bar.answer->copy_share());
    if (is_library(bar.variant)) {
      scale.library_ms = bar.answer->ms;
      scale.library_share = bar.answer->copy_share();
    } else if (least_of_ours == 0.0) {
      least_of_ours = bar.answer->ms;
    }
  }
  if (least_of_ours > 0.0) scale.most_ms = std::min(scale.most_ms, most_over_least * least_of_ours);
  return scale;
}

// Columns, in the window's units from the left of a row.
struct Columns {
  float name, time, time_bar, share, share_bar, ratio, end;
  bool has_shares;  // of memcpy bandwidth

  Columns(float width, bool has_shares_) : has_shares(has_shares_) {
    const float number = 5.2F * em();
    end = width;
    name = 0.8F * em();
    ratio = width - 9.5F * em();
    time = std::min(13.5F * em(), 0.3F * width);
    const float each = has_shares ? 0.5F * (ratio - time) : ratio - time;
    time_bar = time + number;
    share = time + each;
    share_bar = share + 4.2F * em();
  }
  // Names take all of it.
  static Columns of_names(float width) {
    Columns columns(width, false);
    columns.time = columns.time_bar = columns.ratio = columns.end = width;
    return columns;
  }
};

// Draws into one row, whose upper left is `at`.
class RowPainter {
 public:
  RowPainter(const PanelState& state, const Columns& columns, const Scale& scale, ImVec2 at,
             float height, bool emulated)
      : state_(state),
        columns_(columns),
        scale_(scale),
        at_(at),
        height_(height),
        emulated_(emulated),
        list_(ImGui::GetWindowDrawList()) {}

  void paint(const Bar& bar) {
    const Variant& variant = *bar.variant;
    const bool here = bar.kind == Kind::timed || bar.kind == Kind::wrong;
    ImU32 name = bar.kind == Kind::not_here ? colour::faint : colour::dim;
    if (here) name = bar.kind == Kind::wrong ? colour::error : colour::text;
    put(state_.fonts.bold, columns_.name, top(), columns_.time - 0.6F * em(), name, variant.title);
    if (here) mark(colour_of_plot(plot_ink_of(series_of(bar.variant))));
    const float end = bar.kind == Kind::timed ? columns_.ratio : columns_.end;
    put(state_.fonts.small, columns_.name, bottom(), end,
        bar.kind == Kind::not_here ? colour::faint : colour::dim,
        fmt::format("{}: {}", variant.name, variant.summary));
    switch (bar.kind) {
      case Kind::timed:
        times(*bar.answer, is_library(bar.variant));
        break;
      case Kind::wrong:
        put(state_.fonts.regular, columns_.time, top(), columns_.end, colour::error,
            "Wrong: " + bar.answer->difference);
        break;
      case Kind::not_here:
        put(state_.fonts.regular, columns_.time, top(), columns_.end, colour::dim,
            "Unavailable: " + bar.answer->why_not);
        break;
      case Kind::under_way:
        put(state_.fonts.regular, columns_.time, top(), columns_.end, colour::accent,
            "verifying and timing ...");
        break;
      case Kind::waiting:
        put(state_.fonts.regular, columns_.time, top(), columns_.end, colour::faint, "-");
        break;
    }
  }

  // The library's time and share, through this row.
  void lines() {
    if (scale_.library_ms > 0.0 && scale_.library_ms <= scale_.most_ms)
      line(columns_.time_bar, time_width(), scale_.library_ms / scale_.most_ms);
    if (columns_.has_shares && scale_.library_share > 0.0)
      line(columns_.share_bar, share_width(), scale_.library_share / scale_.most_share);
  }

 private:
  // A thin line's thickness, at every scale.
  static float hair() { return std::max(em() / usual_em, 1.0F); }
  float top() const { return at_.y + 0.3F * em(); }
  float bottom() const { return at_.y + 1.65F * em(); }
  float time_width() const { return columns_.share - columns_.time_bar - 1.2F * em(); }
  float share_width() const { return columns_.ratio - columns_.share_bar - 0.8F * em(); }

  // Cut with dots before `end`: the row's tooltip has all of it.
  void put(ImFont* font, float x, float y, float end, ImU32 c, const std::string& words) {
    const FontScope scope(font);
    // More lines than one would stand in what is below.
    list_->PushClipRect({at_.x + x, at_.y}, {at_.x + end, at_.y + height_}, true);
    list_->AddText({at_.x + x, y}, c, elided(words, end - x, Cut::end).c_str());
    list_->PopClipRect();
  }
  void put_to_right(ImFont* font, float end, float y, ImU32 c, const std::string& words) {
    const FontScope scope(font);
    list_->AddText({at_.x + end - ImGui::CalcTextSize(words.c_str()).x, y}, c, words.c_str());
  }

  void times(const lab::Answer& answer, bool library) {
    const ImU32 c = library ? library_colour() : colour_of_kind((*answer.variant)->primitive);
    const bool fastest = answer.ms <= scale_.least_ms;
    ImFont* const number = fastest ? state_.fonts.bold : state_.fonts.regular;
    put_to_right(number, columns_.time_bar - 0.6F * em(), top(), colour::text,
                 format_milliseconds(answer.ms));
    const double length = answer.ms / scale_.most_ms;
    bar(columns_.time_bar, time_width(), length, c);
    if (columns_.has_shares) share(answer, number, c);
    if (library)
      put_to_right(state_.fonts.small, columns_.end, top(), colour::dim,
                   emulated_ ? native_in_words : "library");
    else
      ratio(against_library(answer));
  }

  void share(const lab::Answer& answer, ImFont* number, ImU32 c) {
    put_to_right(number, columns_.share_bar - 0.6F * em(), top(), colour::text,
                 format_percent(answer.copy_share()));
    track(columns_.share_bar, share_width() / static_cast<float>(scale_.most_share));
    bar(columns_.share_bar, share_width(), answer.copy_share() / scale_.most_share, c);
  }

  // From the library: the ratio above its interval. Emulated against native it takes no side.
  void ratio(const Change& change) {
    const ImU32 c = emulated_ ? ImU32{colour::dim} : colour_of(change);
    put_to_right(state_.fonts.regular, columns_.end, top(), c, change.headline);
    put_to_right(state_.fonts.small, columns_.end, bottom(), colour::dim, change.interval);
  }

  // As far as memcpy bandwidth.
  void track(float x, float width) {
    const float y = top() + 0.1F * em();
    list_->AddRectFilled({at_.x + x, y}, {at_.x + x + width, y + 0.85F * em()}, colour::track,
                         2.0F);
  }

  // In the colour of the variant's curve in the other tabs.
  void mark(ImU32 c) {
    list_->AddCircleFilled({at_.x + 0.35F * em(), top() + 0.55F * em()}, 0.24F * em(), c);
  }

  void bar(float x, float width, double length, ImU32 c) {
    const float left = at_.x + x;
    const float y = top() + 0.1F * em();
    const float thickness = 0.85F * em();
    const bool cut = length > 1.0;
    const float end = left + static_cast<float>(std::clamp(length, 0.0, 1.0)) * width;
    list_->AddRectFilled({left, y}, {std::max(end, left + 2.0F * hair()), y + thickness}, c, 2.0F);
    if (!cut) return;
    // Torn off: the bar goes on beyond the column.
    const ImU32 gap = ImGui::GetColorU32(ImGuiCol_WindowBg);
    for (const float from_end : {1.3F, 0.8F}) {
      const float tear = end - from_end * em();
      list_->AddLine({tear, y + thickness}, {tear + 0.35F * em(), y}, gap, 0.18F * em());
    }
  }

  void line(float x, float width, double length) {
    const float at = at_.x + x + static_cast<float>(length) * width;
    list_->AddLine({at, at_.y + 0.1F * em()}, {at, at_.y + 1.55F * em()}, library_colour(), hair());
  }

  const PanelState& state_;
  const Columns& columns_;
  const Scale& scale_;
  ImVec2 at_;
  float height_;
  bool emulated_;
  ImDrawList* list_;
};

std::string launches_of(const Variant& variant, const lab::Answer* answer) {
  if (answer != nullptr && !answer->launches.empty() && !is_library(*answer->variant)) {
    int count = 0;
    for (const LaunchRecord& record : answer->launches) count += record.count;
    return group_digits(static_cast<std::uint64_t>(count)) +
           (count == 1 ? " kernel launch" : " kernel launches");
  }
  if (variant.launches == 0) return "launches vary with the size or the library";
  return fmt::format("{} kernel launch{}", variant.launches, variant.launches == 1 ? "" : "es");
}

void describe(const PanelState& state, const Bar& bar, bool emulated) {
  const Variant& variant = *bar.variant;
  const lab::Answer* const answer = bar.answer;
  std::vector<std::string> about = {variant.summary, variant.source, variant.file};
  about.push_back(
      fmt::format("Result: {}; {}.", in_words(variant.determinism), launches_of(variant, answer)));
  if (answer != nullptr && bar.kind == Kind::timed) {
    about.push_back(
        fmt::format("Median of {}: {} ms, quartiles {} and {}. Minimum bytes: {}, which gives {}; "
                    "a memcpy of as many bytes reaches {}. This variant moves {:.2f}x the minimum.",
                    format_count(static_cast<std::uint64_t>(answer->runs), "run"),
                    format_milliseconds(answer->ms), format_milliseconds(answer->quartile_1_ms),
                    format_milliseconds(answer->quartile_3_ms),
                    format_bytes(static_cast<std::uint64_t>(answer->bytes)),
                    format_bandwidth(answer->gb_per_s()), format_bandwidth(answer->copy_gb_per_s),
                    answer->moves()));
    if (const Change change = against_library(*answer); !change.headline.empty())
      about.push_back(fmt::format("library -> {}: {}{}. {}", variant.title, change.words(),
                                  emulated ? ", from native to emulated" : "", about_ratios));
    for (const std::string& words : {lab_operations(*answer), lab_facts(*answer)})
      if (!words.empty()) about.push_back(words + ".");
  }
  if (bar.kind == Kind::wrong) about.push_back("Wrong: " + answer->difference);
  if (bar.kind == Kind::not_here) about.push_back("Unavailable: " + answer->why_not);
  about.emplace_back("Click to show its code.");
  tooltip(state.fonts, full_name(variant), about);
}

void draw_bar(const PanelState& state, LabView& view, const Bar& bar, const Scale& scale,
              const Columns& columns, bool emulated) {
  const float height = 3.0F * em();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string id = fmt::format("##{}", bar.variant->name);
  if (ui::selectable(id.c_str(), view.variant == bar.variant, ImGuiSelectableFlags_None,
                     {0.0F, height})) {
    view.variant = bar.variant;
    view.open = LabTask::code;
  }
  describe(state, bar, emulated);
  RowPainter painter(state, columns, scale, at, height, emulated);
  painter.paint(bar);
  if (bar.kind == Kind::timed && !is_library(bar.variant)) painter.lines();
}

void draw_header(const PanelState& state, const Columns& columns, bool library) {
  const FontScope small(state.fonts.small);
  const float left = ImGui::GetCursorPosX();
  const auto head = [left](float x, const char* words) {
    ImGui::SameLine(left + x);
    coloured_text(colour::dim, words);
  };
  ImGui::NewLine();
  head(columns.name, "Variant");
  head(columns.time, columns.has_shares ? "Time, ms: shorter is better" : "Emulation time, ms");
  if (columns.has_shares) head(columns.share, "Of memcpy bandwidth");
  const char* const against =
      columns.has_shares ? "Library -> variant" : "Native library -> variant";
  if (library) head(columns.end - ImGui::CalcTextSize(against).x, against);
}

void draw_footer(const Model& model, PanelState& state) {
  const std::vector<lab::Answer>& answers = model.lab.shown(LabTask::results).answers;
  ImGui::BeginDisabled(answers.empty());
  if (ui::button("Copy as CSV")) {
    ImGui::SetClipboardText(lab_csv(answers).c_str());
    state.lab.copied = ImGui::GetTime();
  }
  ImGui::SameLine();
  if (ui::button("Copy as command")) {
    ImGui::SetClipboardText(shell_command(lab_command(model)).c_str());
    state.lab.copied = ImGui::GetTime();
  }
  ImGui::EndDisabled();
  ImGui::SameLine();
  const FontScope small(state.fonts.small);
  if (shows_copied(state)) {
    ImGui::AlignTextToFramePadding();
    coloured_text(colour::good, copied_in_words);
    return;
  }
  if (is_emulated(model)) {
    paragraph(colour::dim,
              "Median times with cold caches. Kernels are emulated, the library (thin lines) is "
              "native code: compare counts, not speed.");
    return;
  }
  paragraph(colour::dim,
            "Median times with cold caches, by the device's clock. Share = (minimum bytes / time) "
            "/ memcpy bandwidth, both with cold caches. Thin lines: the library.");
}

// Before anything was timed: the variants that there are, and what Run will show of them.
void draw_before(Model& model, PanelState& state, const std::vector<Bar>& bars) {
  const auto draw_names = [&](float height) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0.0F, 0.0F));
    ImGui::BeginChild("bars", {0.0F, height});
    scroll_by_keys("##scroll");
    const Columns columns = Columns::of_names(ImGui::GetContentRegionAvail().x);
    for (const Bar& bar : bars) draw_bar(state, state.lab, bar, {}, columns, is_emulated(model));
    ImGui::EndChild();
    ImGui::PopStyleVar();
  };
  draw_empty_task(model, state, LabTask::results,
                  {.above = draw_names,
                   .sentence = "Run times these variants on the same input, beside the vendor's "
                               "library, and draws a bar for each. Each is verified first.",
                   .about = "Times every variant on the input that is chosen above."});
}

}  // namespace

void draw_lab_results(Model& model, PanelState& state) {
  const std::vector<Bar> bars = bars_of(model.lab);
  if (model.lab.shown(LabTask::results).answers.empty() && !model.lab.busy())
    return draw_before(model, state, bars);
  const Scale scale = scale_of(bars);
  const float footer = 3.4F * em();
  const float scrollbar = ImGui::GetStyle().ScrollbarSize;
  const bool emulated = is_emulated(model);
  const Columns columns(ImGui::GetContentRegionAvail().x - scrollbar, !emulated);
  draw_header(state, columns, scale.library_ms > 0.0);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0.0F, 0.0F));
  ImGui::BeginChild("bars", {0.0F, std::max(ImGui::GetContentRegionAvail().y - footer, em())});
  scroll_by_keys("##scroll");
  for (const Bar& bar : bars) draw_bar(state, state.lab, bar, scale, columns, emulated);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::Dummy({0.0F, 0.2F * em()});
  draw_footer(model, state);
}

}  // namespace warpview
