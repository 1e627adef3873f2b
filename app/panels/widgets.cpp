#include "app/panels/widgets.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/common/plot.h"
#include "app/panels/format.h"
#include "app/step_views/paragraph.h"

namespace warpview {
namespace {

const char* end_of(std::string_view s) { return s.data() + s.size(); }

ImVec2 size_of(std::string_view s) { return ImGui::CalcTextSize(s.data(), end_of(s)); }

bool continues_letter(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

// At most `keep` bytes of `s` and some dots, cut between letters.
std::string shortened(const std::string& s, std::size_t keep, Cut cut) {
  std::size_t head = cut == Cut::end ? keep : keep / 3;
  std::size_t tail = s.size() - (keep - head);
  while (head > 0 && continues_letter(s[head])) --head;
  while (tail < s.size() && continues_letter(s[tail])) ++tail;
  return s.substr(0, head) + "..." + s.substr(tail);
}

// Marks the point of a curve that is nearest to the mouse along x; none where the last item, which
// shows it, is not under the mouse. Which it is.
std::optional<std::size_t> mark_hovered(const std::vector<ImVec2>& points, ImVec2 at, ImVec2 size) {
  if (points.empty() || !ImGui::IsItemHovered()) return {};
  const float x = ImGui::GetIO().MousePos.x;
  auto nearest = std::min_element(
      points.begin(), points.end(),
      [x](const ImVec2& a, const ImVec2& b) { return std::abs(a.x - x) < std::abs(b.x - x); });
  // The ends may lie closer to others than pixels do, and are what one looks for most.
  if (x + 1.0F >= points.back().x)
    nearest = points.end() - 1;
  else if (x - 1.0F <= points.front().x)
    nearest = points.begin();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  list->AddLine({nearest->x, at.y}, {nearest->x, at.y + size.y}, colour::dim);
  if (std::isfinite(nearest->y)) list->AddCircleFilled(*nearest, 0.2F * em(), colour::text);
  return static_cast<std::size_t>(nearest - points.begin());
}

// "the last run", "3 runs ago".
std::string ago_in_words(std::size_t ago, const char* noun) {
  return ago == 0 ? std::string("the last ") + noun : format_count(ago, noun) + " ago";
}

// The area between a line and `bottom`, in a paler `c`.
void fill_below(const std::vector<ImVec2>& line, float bottom, ImU32 c) {
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const ImDrawListFlags flags = list->Flags;
  list->Flags &= ~ImDrawListFlags_AntiAliasedFill;  // or the seams between its parts would show
  for (std::size_t i = 1; i < line.size(); ++i)
    list->AddQuadFilled(line[i - 1], line[i], {line[i].x, bottom}, {line[i - 1].x, bottom},
                        paler(c));
  list->Flags = flags;
}

}  // namespace

bool begin_dialog(const char* title, bool& open, float ems) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5F * display.x, 0.5F * display.y}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(ems * em(), 0.94F * display.x), 0.0F});
  return ImGui::BeginPopupModal(title, &open,
                                ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoResize);
}

bool end_dialog(const char* does, bool enabled, bool& open) {
  const float button = 6.0F * em();
  ImGui::SetCursorPosX(ImGui::GetWindowContentRegionMax().x - 2.0F * button -
                       ImGui::GetStyle().ItemSpacing.x);
  if (ui::button("Cancel", {button, 0.0F}) ||
      ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape)))
    open = false;
  ImGui::SameLine();
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ui::button(does, {button, 0.0F});
  ImGui::EndDisabled();
  if (pressed) open = false;
  if (!open) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return pressed;
}

float settings_unit(const Fonts& fonts) {
  const ImFont* const font = fonts.regular != nullptr ? fonts.regular : ImGui::GetFont();
  return font->FontSize * ImGui::GetIO().FontGlobalScale / usual_em;
}

void text(std::string_view s) {
  ImGui::TextUnformatted(s.data(), end_of(s));
  meet_with_item(s);
}

void coloured_text(ImU32 c, std::string_view s) {
  ImGui::PushStyleColor(ImGuiCol_Text, c);
  text(s);
  ImGui::PopStyleColor();
}

std::string broken_at_spaces(std::string_view s, float width) {
  const PlotSurface surface{.em = em(),
                            .text_width = [](std::string_view words) { return size_of(words).x; }};
  std::string lines;
  while (true) {
    const std::size_t end = std::min(s.find('\n'), s.size());
    lines += fmt::format(
        "{}", fmt::join(step_views::wrapped(surface, s.substr(0, end), width / em()), "\n"));
    if (end == s.size()) return lines;
    lines += '\n';
    s.remove_prefix(end + 1);
  }
}

void paragraph(ImU32 c, std::string_view s) {
  ImGui::PushTextWrapPos(0.0F);  // of words that are longer than a line
  coloured_text(c, broken_at_spaces(s, ImGui::GetContentRegionAvail().x));
  ImGui::PopTextWrapPos();
}

void text_to_right(ImU32 c, std::string_view s) {
  const float slack = ImGui::GetContentRegionAvail().x - size_of(s).x;
  if (slack > 0.0F) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + slack);
  coloured_text(c, s);
}

void beside_if_it_fits(float width, float spacing) {
  ImGui::SameLine(0.0F, spacing);
  if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

std::string elided(const std::string& s, float width, Cut cut) {
  if (size_of(s).x <= width) return s;
  // The longest cut that fits, by bisection over the bytes kept.
  std::size_t fits = 0;
  std::size_t too_long = s.size();
  while (fits + 1 < too_long) {
    const std::size_t middle = (fits + too_long) / 2;
    (size_of(shortened(s, middle, cut)).x <= width ? fits : too_long) = middle;
  }
  return shortened(s, fits, cut);
}

void show_whole(const std::string& s) {
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(40.0F * em());
  text(s);
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

void whole_as_tooltip(const std::string& s) {
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) show_whole(s);
}

void elided_text(const std::string& s, float width, Cut cut) {
  const std::string shown = elided(s, width, cut);
  text(shown);
  if (shown != s) whole_as_tooltip(s);
}

std::string elided_label(const std::string& label, float width) {
  const std::string words = label.substr(0, label.find("##"));
  const std::string shown = elided(words, width, Cut::end);
  return shown == words ? label : shown + "###" + label;
}

bool elided_checkbox(const std::string& label, float width, bool* on) {
  const float box = ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x;
  const std::string shown = elided_label(label, width - box);
  const bool changed = ui::checkbox(shown.c_str(), on);
  if (shown != label) whole_as_tooltip(label);
  return changed;
}

void tooltip(const Fonts& fonts, std::string_view head, std::span<const std::string> paragraphs,
             const std::function<void()>& below) {
  for (const std::string& each : paragraphs) {
    if (each.empty()) continue;
    ui::note_about(each);
    break;
  }
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  ImGui::BeginTooltip();
  const float end = 28.0F * em();
  const float width = end - ImGui::GetCursorPosX();
  ImGui::PushTextWrapPos(end);
  if (!head.empty()) {
    const FontScope bold(fonts.bold);
    text(head);
  }
  for (const std::string& paragraph : paragraphs)
    if (!paragraph.empty())
      coloured_text(head.empty() ? colour::text : colour::dim, broken_at_spaces(paragraph, width));
  ImGui::PopTextWrapPos();
  if (below) below();
  ImGui::EndTooltip();
}

void begin_overlay(const char* name, ImVec2 padding, ImGuiWindowFlags more) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1.0F, 1.0F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0F);
  ImGui::SetNextWindowBgAlpha(overlay_alpha);
  ImGui::Begin(name, nullptr,
               more | ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoNav);
  ImGui::PopStyleVar(3);
}

bool begin_centred(const char* name, bool* open, float width, float height, ImGuiWindowFlags more) {
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({0.5F * display.x, 0.5F * display.y}, ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(width * em(), 0.94F * display.x), height * display.y},
                           ImGuiCond_Appearing);
  return ImGui::Begin(name, open,
                      more | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse);
}

ImU32 colour_of(const Change& change) {
  return change.direction < 0 ? colour::good : change.direction > 0 ? colour::warning : colour::dim;
}

void clip_over_columns(float end) {
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const ImVec2 from = list->GetClipRectMin();  // of the column
  const ImVec2 to = list->GetClipRectMax();
  list->PushClipRect(from, {end, to.y}, false);
}

float end_of_columns() {
  const ImRect& inside = ImGui::GetCurrentWindow()->InnerClipRect;
  return std::min(ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x, inside.Max.x);
}

void line_over_columns(const std::string& words, ImU32 c, float indent,
                       const std::string& shorter) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float end = end_of_columns();
  const ImVec2 corner{end, at.y + ImGui::GetTextLineHeight()};
  const float room = end - at.x - indent;
  const bool is_long = !shorter.empty() && ImGui::CalcTextSize(words.c_str()).x > room;
  const std::string cut = elided(is_long ? shorter : words, room, Cut::end);
  ImDrawList* const list = ImGui::GetWindowDrawList();
  clip_over_columns(end);
  list->AddText({at.x + indent, at.y}, c, cut.c_str());
  list->PopClipRect();
  ImGui::Dummy({em(), ImGui::GetTextLineHeight()});
  const bool is_pointed_at =
      ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, corner, false);
  if (cut != words && is_pointed_at) show_whole(words);
}

bool asks_for_page() {
  return ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled) &&
         ImGui::IsMouseClicked(ImGuiMouseButton_Right);
}

bool link(const char* words, float width, const char* id) {
  text(elided(words, width, Cut::end));
  const ImVec2 begin = ImGui::GetItemRectMin();
  const ImVec2 end = ImGui::GetItemRectMax();
  ImGui::SetCursorScreenPos(begin);
  const bool clicked =
      ui::invisible_button(id != nullptr ? id : words,
                           {std::max(end.x - begin.x, 1.0F), std::max(end.y - begin.y, 1.0F)});
  if (ImGui::IsItemHovered()) {
    ImGui::GetWindowDrawList()->AddLine({begin.x, end.y}, end, colour::accent);
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  return clicked;
}

void section(const Fonts& fonts, const char* title) {
  ImGui::Dummy({0.0F, 0.25F * em()});
  {
    const FontScope bold(fonts.bold);
    text(title);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine(at, {at.x + ImGui::GetContentRegionAvail().x, at.y},
                                      colour::line);
  ImGui::Dummy({0.0F, 0.1F * em()});
}

void property(const char* label, std::string_view value) {
  coloured_text(colour::dim, label);
  ImGui::SameLine(0.0F, 0.6F * em());
  const std::string whole(value);
  const std::string shown = elided(whole, ImGui::GetContentRegionAvail().x, Cut::middle);
  text_to_right(colour::text, shown);
  if (shown != whole) whole_as_tooltip(whole);
}

float pill_width(const char* label) { return ImGui::CalcTextSize(label).x + em(); }

void pill(const char* label, ImU32 c, bool filled) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{pill_width(label), 1.2F * em()};
  const ImVec2 corner{at.x + size.x, at.y + size.y};
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const float rounding = 0.5F * size.y;
  if (filled)
    list->AddRectFilled(at, corner, c, rounding);
  else
    list->AddRect(at, corner, c, rounding);
  list->AddText({at.x + 0.5F * em(), at.y + 0.1F * em()}, filled ? text_on(c) : c, label);
  ImGui::Dummy(size);
}

bool segments(const char* id, std::span<const char* const> labels, int& chosen, float width) {
  bool changed = false;
  const auto count = static_cast<int>(labels.size());
  const float gap = 2.0F;
  const float each = (width - gap * static_cast<float>(count - 1)) / static_cast<float>(count);
  ui::push_id(id);
  for (int i = 0; i < count; ++i) {
    if (i > 0) ImGui::SameLine(0.0F, gap);
    const bool active = i == chosen;
    if (active) {
      ImGui::PushStyleColor(ImGuiCol_Button, colour::chosen);
      ImGui::PushStyleColor(ImGuiCol_ButtonHovered, colour::chosen_hovered);
    }
    if (ui::button(labels[static_cast<std::size_t>(i)], {each, 0.0F}) && !active) {
      chosen = i;
      changed = true;
    }
    if (active) ImGui::PopStyleColor(2);
  }
  ui::pop_id();
  return changed;
}

namespace {

// Words that run downwards from `at`, their letters' feet at the left.
void text_downwards(ImVec2 at, ImU32 c, const char* words) {
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const int first = list->VtxBuffer.Size;
  // They are laid out to the left, then turned: what has no room in the window is left out before.
  const ImVec2 flat{at.x - ImGui::CalcTextSize(words).x, at.y};
  ImGui::PushClipRect({0.0F, 0.0F}, ImGui::GetIO().DisplaySize, false);
  list->AddText(flat, c, words);
  for (int i = first; i < list->VtxBuffer.Size; ++i) {
    ImVec2& corner = list->VtxBuffer[i].pos;
    corner = {at.x - (corner.y - flat.y), at.y + (corner.x - flat.x)};
  }
  ImGui::PopClipRect();
}

}  // namespace

bool side_tab(const char* label, bool open, float width) {
  const ImVec2 words = ImGui::CalcTextSize(label);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size{width, words.x + 1.6F * em()};
  const bool pressed = ui::tab_button(label, open, size);
  const bool hovered = ImGui::IsItemHovered();
  const ImU32 back = ImGui::GetColorU32(hovered ? ImGuiCol_TabHovered
                                        : open  ? ImGuiCol_TabActive
                                                : ImGuiCol_Tab);
  ImDrawList* const list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, back);
  text_downwards({std::floor(at.x + 0.5F * (size.x + words.y)), std::floor(at.y + 0.8F * em())},
                 open || hovered ? colour::text : colour::dim, label);
  return pressed;
}

void draw_splitter(const ui::Splitter& splitter, ImVec2 from, ImVec2 to) {
  if (!splitter.held && !splitter.hovered) return;
  const ImU32 c =
      ImGui::GetColorU32(splitter.held ? ImGuiCol_SeparatorActive : ImGuiCol_SeparatorHovered);
  ImGui::GetWindowDrawList()->AddLine(from, to, c, std::max(std::round(0.2F * em()), 1.0F));
}

namespace {

// "3 more above, 17 more below": rows of a list that scrolls; empty: all are seen.
std::string hidden_rows_in_words() {
  const float row = ImGui::GetTextLineHeightWithSpacing();
  const auto words = [row](float hidden, const char* where) {
    const auto rows = static_cast<std::uint64_t>(std::max(std::round(hidden / row), 0.0F));
    return rows == 0 ? "" : fmt::format("{} more {}", group_digits(rows), where);
  };
  const std::string above = words(ImGui::GetScrollY(), "above");
  const std::string below = words(ImGui::GetScrollMaxY() - ImGui::GetScrollY(), "below");
  return above + (above.empty() || below.empty() ? "" : ", ") + below;
}

float height_of_hidden_rows() { return ImGui::GetTextLineHeight() + 0.5F * em(); }

// At the end of the list that is not the combo box's.
void draw_hidden_rows(const std::string& words) {
  const ImVec2 at = ImGui::GetWindowPos();
  const ImVec2 size = ImGui::GetWindowSize();
  const bool opens_down = ImGui::GetCurrentWindow()->AutoPosLastDirection == ImGuiDir_Down;
  const float height = height_of_hidden_rows();
  const ImVec2 from{at.x, opens_down ? at.y + size.y : at.y - height};
  const ImVec2 to{at.x + size.x, from.y + height};
  ImDrawList* const list = ImGui::GetWindowDrawList();
  list->PushClipRectFullScreen();
  list->AddRectFilled(from, to, ImGui::GetColorU32(ImGuiCol_PopupBg));
  list->AddRect(from, to, ImGui::GetColorU32(ImGuiCol_Border));
  list->AddText({from.x + ImGui::GetStyle().WindowPadding.x, from.y + 0.25F * em()}, colour::dim,
                words.c_str());
  list->PopClipRect();
}

}  // namespace

bool begin_combo(const char* id, const char* preview, float width) {
  ImGui::SetNextItemWidth(width);
  const float width_of_words =
      ImGui::CalcItemWidth() - 2.0F * ImGui::GetStyle().FramePadding.x - 0.9F * em();
  const std::string shown = elided(preview, width_of_words, Cut::end);
  const float above = ImGui::GetCursorScreenPos().y;
  const float below = ImGui::GetIO().DisplaySize.y - above - ImGui::GetFrameHeight();
  const float room = std::max(above, below) - height_of_hidden_rows() - 0.5F * em();
  ImGui::SetNextWindowSizeConstraints({0.0F, 0.0F}, {FLT_MAX, std::max(room, 4.0F * em())});
  const bool open = ui::begin_combo(id, shown.c_str(),
                                    ImGuiComboFlags_HeightLargest | ImGuiComboFlags_NoArrowButton);
  if (open) return true;
  if (shown != preview) whole_as_tooltip(preview);
  // A slimmer arrow than ImGui's leaves room for the longer names.
  const ImVec2 from = ImGui::GetItemRectMin();
  const ImVec2 to = ImGui::GetItemRectMax();
  const float r = 0.22F * em();
  const ImVec2 at{to.x - 0.3F * em() - r, 0.5F * (from.y + to.y)};
  ImGui::GetWindowDrawList()->AddTriangleFilled({at.x - r, at.y - 0.5F * r},
                                                {at.x + r, at.y - 0.5F * r},
                                                {at.x, at.y + 0.7F * r}, colour::dim);
  return false;
}

void end_combo() {
  if (const std::string words = hidden_rows_in_words(); !words.empty()) draw_hidden_rows(words);
  ImGui::EndCombo();
}

void sparkline(std::span<const float> values, float median, ImVec2 size, ImU32 c) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, colour::track, 3.0F);
  ImGui::Dummy(size);
  if (values.size() < 2) return;

  constexpr std::size_t shown = 120;
  if (values.size() > shown) values = values.last(shown);
  const float largest = *std::max_element(values.begin(), values.end());
  const float top = std::min(1.1F * largest, 3.0F * std::max(median, 1e-6F));
  const auto height = [&](float value) {
    return at.y + size.y - 1.0F - std::clamp(value / top, 0.0F, 1.0F) * (size.y - 3.0F);
  };
  const float step = size.x / static_cast<float>(shown - 1);
  const float left = at.x + size.x - step * static_cast<float>(values.size() - 1);
  std::vector<ImVec2> points(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    points[i] = {left + step * static_cast<float>(i), height(values[i])};

  list->PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
  fill_below(points, at.y + size.y, c);
  list->AddLine({at.x, height(median)}, {at.x + size.x, height(median)}, colour::faint);
  list->AddPolyline(points.data(), static_cast<int>(points.size()), c, ImDrawFlags_None, 1.25F);
  const auto hovered = mark_hovered(points, at, size);
  list->PopClipRect();
  if (hovered)
    show_whole(format_milliseconds(double{values[*hovered]}) + " ms, " +
               ago_in_words(values.size() - 1 - *hovered, "run"));
}

void plot(const Fonts& fonts, std::span<const float> values, const char* unit, ImVec2 size,
          ImU32 c) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, colour::track, 3.0F);
  ImGui::Dummy(size);
  if (values.empty()) return;

  constexpr std::size_t shown = 240;
  if (values.size() > shown) values = values.last(shown);
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const bool from_zero = *least >= 0.0F && *least < 0.5F * *most;
  const float low = from_zero ? 0.0F : *least;
  const float range = *most - low;
  const float inset = 2.0F;
  const auto place = [&](std::size_t i) {
    const float step = size.x / static_cast<float>(shown - 1);
    const float share = range > 0.0F ? (values[i] - low) / range : 0.5F;  // a level line
    return ImVec2(at.x + size.x - step * static_cast<float>(values.size() - 1 - i),
                  at.y + size.y - inset - share * (size.y - 2.0F * inset));
  };
  list->PushClipRect(at, {at.x + size.x, at.y + size.y}, true);
  std::vector<ImVec2> points(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) points[i] = place(i);
  fill_below(points, at.y + size.y, c);
  list->AddPolyline(points.data(), static_cast<int>(points.size()), c, ImDrawFlags_None, 1.25F);
  const FontScope small(fonts.small);
  const float margin = 0.3F * em();
  // Over the line, on translucent ground: the line shows, and the numbers can be read.
  const ImU32 ground = (colour::track & ~IM_COL32_A_MASK) | (0xb0U << IM_COL32_A_SHIFT);
  const auto tell = [&](float y, const std::string& text) {
    const ImVec2 extent = ImGui::CalcTextSize(text.c_str());
    list->AddRectFilled({at.x, y}, {at.x + extent.x + 2.0F * margin, y + extent.y}, ground, 3.0F);
    list->AddText({at.x + margin, y}, colour::dim, text.c_str());
  };
  tell(at.y, format_number(*most));
  if (range > 0.0F) tell(at.y + size.y - em() - 1.0F, format_number(low));
  const auto hovered = mark_hovered(points, at, size);
  list->PopClipRect();
  if (hovered)
    show_whole(format_number(double{values[*hovered]}) + (*unit ? std::string(" ") + unit : "") +
               ", " + ago_in_words(values.size() - 1 - *hovered, "frame"));
}

void bar(float fraction, ImVec2 size, ImU32 c) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* const list = ImGui::GetWindowDrawList();
  const float rounding = 0.5F * size.y;
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, colour::track, rounding);
  // Narrower than its rounding it could not be drawn.
  const float width = std::clamp(fraction, 0.0F, 1.0F) * size.x;
  if (width > 0.0F)
    list->AddRectFilled(at, {at.x + std::max(width, size.y), at.y + size.y}, c, rounding);
  ImGui::Dummy(size);
}

}  // namespace warpview
