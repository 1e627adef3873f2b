#include "app/panels/page_view.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "app/panels/plot_view.h"
#include "app/panels/widgets.h"

namespace warpview {
namespace {

// Size of DejaVu Sans whose words are about as wide as Helvetica's.
constexpr float narrow_share = 0.88F;

ImU32 shade_of(const Shades& shades) {
  const unsigned rgb = shades.of(theme_in_use());
  return IM_COL32(rgb >> 16U & 0xffU, rgb >> 8U & 0xffU, rgb & 0xffU, 255);
}

const ImFont& font_of(const Fonts& fonts, PageFont font, float size) {
  const auto or_current = [](const ImFont* chosen) -> const ImFont& {
    return chosen != nullptr ? *chosen : *ImGui::GetFont();
  };
  if (font == PageFont::bold) return or_current(fonts.bold);
  if (font == PageFont::mono) return or_current(fonts.mono);
  const ImFont& regular = or_current(fonts.regular);
  const ImFont& small = or_current(fonts.small);
  // The nearer size stays sharper.
  return std::abs(small.FontSize - size) < std::abs(regular.FontSize - size) ? small : regular;
}

// Changes the vertices that `draw` adds to the list.
template <class Draw, class Change>
void draw_changed(ImDrawList& list, Draw&& draw, Change&& change) {
  const int first = list.VtxBuffer.Size;
  draw();
  for (int i = first; i < list.VtxBuffer.Size; ++i) change(list.VtxBuffer[i].pos);
}

void draw_italic(ImDrawList& list, const ImFont& font, float size, ImVec2 at, ImU32 colour,
                 std::string_view words) {
  constexpr float slant = 0.2F;
  const float baseline = at.y + font.Ascent * size / font.FontSize;
  draw_changed(
      list,
      [&] { list.AddText(&font, size, at, colour, words.data(), words.data() + words.size()); },
      [baseline](ImVec2& vertex) { vertex.x += slant * (baseline - vertex.y); });
}

void draw_line(ImDrawList& list, const FigureShape& shape, ImVec2 at, float scale) {
  std::vector<PlotVertex> line = shape.vertices;
  if (shape.closed) line.push_back(line.front());
  constexpr float dash_and_gap = 1.1F;  // of dashed()'s em
  const auto pieces = dashed(line, shape.dash > 0.0F ? PlotLine::dashed : PlotLine::solid,
                             shape.dash / dash_and_gap);
  std::vector<ImVec2> points;
  for (const std::vector<PlotVertex>& piece : pieces) {
    points.clear();
    for (const PlotVertex& v : piece) points.emplace_back(at.x + scale * v.x, at.y + scale * v.y);
    const bool is_ring = shape.closed && pieces.size() == 1;
    if (is_ring) points.pop_back();
    list.AddPolyline(points.data(), static_cast<int>(points.size()), shade_of(shape.colour),
                     is_ring ? ImDrawFlags_Closed : ImDrawFlags_None,
                     std::max(scale * shape.width, 1.0F));
  }
}

// The font that words of a drawing are drawn with, and its size.
std::pair<const ImFont*, float> font_of(const Fonts& fonts, const FigureShape& shape, float scale) {
  using Face = FigureShape::Face;
  const PageFont kind = shape.face == Face::mono ? PageFont::mono
                        : shape.bold             ? PageFont::bold
                                                 : PageFont::regular;
  const float size = scale * shape.size * (shape.face == Face::narrow ? narrow_share : 1.0F);
  return {&font_of(fonts, kind, size), size};
}

void draw_letters(ImDrawList& list, const FigureShape& shape, ImVec2 at, float scale,
                  const Fonts& fonts) {
  const auto [font, size] = font_of(fonts, shape, scale);
  const float left = extent_of(shape, fonts, scale).first;
  const PlotVertex& v = shape.vertices.front();
  const ImVec2 base{at.x + scale * v.x, at.y + scale * v.y};
  const ImVec2 corner{at.x + left, base.y - font->Ascent * size / font->FontSize};
  const char* const words = shape.words.data();
  const auto draw = [&, font = font, size = size] {
    list.AddText(font, size, corner, shade_of(shape.colour), words, words + shape.words.size());
  };
  if (!shape.is_upwards) return draw();
  draw_changed(list, draw, [base](ImVec2& vertex) {
    vertex = {base.x + vertex.y - base.y, base.y - (vertex.x - base.x)};
  });
}

void draw_shapes_of(ImDrawList& list, const Figure& figure, ImVec2 at, float scale,
                    const Fonts& fonts) {
  const ImVec2 end{at.x + scale * figure.width, at.y + scale * figure.height};
  list.PushClipRect(at, end, true);
  std::vector<ImVec2> points;
  for (const FigureShape& shape : figure.shapes) switch (shape.kind) {
      case FigureShape::Kind::fill:
        points.clear();
        for (const PlotVertex& v : shape.vertices)
          points.emplace_back(at.x + scale * v.x, at.y + scale * v.y);
        list.AddConvexPolyFilled(points.data(), static_cast<int>(points.size()),
                                 shade_of(shape.colour));
        break;
      case FigureShape::Kind::line:
        draw_line(list, shape, at, scale);
        break;
      case FigureShape::Kind::words:
        draw_letters(list, shape, at, scale, fonts);
        break;
    }
  list.PopClipRect();
}

// What a link does, for its tooltip.
std::string about_link(const std::string& link, const std::string& page) {
  const HandbookLink to = resolved(link, page);
  switch (to.kind) {
    case HandbookLink::Kind::heading:
      return "Heading: " + to.anchor;
    case HandbookLink::Kind::page:
      return "Page: " + to.target;
    case HandbookLink::Kind::source:
      return "Source: " + to.target;
    case HandbookLink::Kind::file:
      return "File: " + to.target;
    case HandbookLink::Kind::web:
      return to.target + "\nClick to copy the address";
  }
  return {};
}

class PagePainter {
 public:
  PagePainter(const PageLayout& layout, const Fonts& fonts, ImVec2 origin, ImU32 text)
      : layout_(layout),
        fonts_(fonts),
        origin_(origin),
        text_(text),
        list_(*ImGui::GetWindowDrawList()) {}

  void draw(Handbook* handbook) {
    for (const PageLayout::Box& each : layout_.boxes) draw_box(each);
    for (const PageLayout::Drawing& each : layout_.drawings)
      if (const Figure* const figure = handbook != nullptr ? handbook->figure(each.file) : nullptr;
          figure != nullptr && is_seen(each.box.y, each.box.height))
        draw_shapes_of(list_, *figure, place({each.box.x, each.box.y}), each.scale, fonts_);
    for (const PageLayout::Words& each : layout_.words)
      if (is_seen(each.at.y, each.size)) draw_words(each);
  }

  // Places the widgets of the page's links; the one that was clicked.
  std::optional<std::string> links(const std::string& page) {
    std::optional<std::string> clicked;
    int number = 0;
    for (const PageLayout::Words& each : layout_.words) {
      ++number;
      if (each.link < 0) continue;
      ImGui::PushID(number);
      ImGui::SetCursorScreenPos(place(each.at));
      const std::string& target = layout_.links[static_cast<std::size_t>(each.link)];
      if (ui::invisible_button(each.text.c_str(), {std::max(each.width, 1.0F), 1.15F * each.size}))
        clicked = target;
      if (ImGui::IsItemHovered()) {
        hovered_ = each.link;
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        ImGui::SetTooltip("%s", about_link(target, page).c_str());
      }
      ImGui::PopID();
    }
    underline();
    return clicked;
  }

 private:
  ImVec2 place(PlotVertex v) const { return {origin_.x + v.x, origin_.y + v.y}; }
  bool is_seen(float y, float height) const {
    return origin_.y + y < list_.GetClipRectMax().y &&
           origin_.y + y + height > list_.GetClipRectMin().y;
  }

  void draw_box(const PageLayout::Box& each) {
    const ImVec2 from = place({each.box.x, each.box.y});
    const ImVec2 to = place({each.box.right(), each.box.bottom()});
    const bool is_rule = each.ground == PageLayout::Ground::rule;
    if (is_seen(each.box.y, each.box.height))
      list_.AddRectFilled(from, to, is_rule ? ImU32{colour::line} : ImU32{colour::wash},
                          is_rule ? 0.0F : 3.0F);
  }

  void draw_words(const PageLayout::Words& each) {
    const ImFont& font = font_of(fonts_, each.font, each.size);
    const ImU32 colour = each.link >= 0 ? ImU32{colour::accent}
                         : each.is_dim  ? ImU32{colour::dim}
                                        : text_;
    const ImVec2 at = place(each.at);
    const ImVec2 whole{std::round(at.x), std::round(at.y)};
    if (each.italic)
      draw_italic(list_, font, each.size, whole, colour, each.text);
    else
      list_.AddText(&font, each.size, whole, colour, each.text.data(),
                    each.text.data() + each.text.size());
    meet_with_item(each.text);
  }

  // All pieces of the link under the mouse.
  void underline() {
    if (hovered_ < 0) return;
    for (const PageLayout::Words& each : layout_.words)
      if (each.link == hovered_) {
        const ImVec2 at = place({each.at.x, each.at.y + 1.12F * each.size});
        list_.AddLine(at, {at.x + each.width, at.y}, colour::accent);
      }
  }

  const PageLayout& layout_;
  const Fonts& fonts_;
  ImVec2 origin_;
  ImU32 text_;
  ImDrawList& list_;
  int hovered_ = -1;
};

// Takes the room of what is drawn there.
void take_room(ImVec2 origin, float width, float height) {
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({std::max(width, 1.0F), std::max(height, 1.0F)});
}

}  // namespace

std::pair<float, float> extent_of(const FigureShape& words, const Fonts& fonts, float scale) {
  const auto [font, size] = font_of(fonts, words, scale);
  const float width = width_of(*font, size, words.words);
  const float at = scale * words.vertices.front().x;
  const float left = words.align == PlotShape::Align::left     ? at
                     : words.align == PlotShape::Align::middle ? at - 0.5F * width
                                                               : at - width;
  return {left, left + width};
}

PageSurface page_surface(const Fonts& fonts, float width, Handbook* handbook) {
  return {.width = width,
          .em = em(),
          .text_width =
              [fonts](PageFont font, float size, std::string_view words) {
                return width_of(font_of(fonts, font, size), size, words);
              },
          .figure =
              [handbook](const std::string& file) {
                return handbook != nullptr ? handbook->figure(file) : nullptr;
              }};
}

std::optional<std::string> draw_page(PageView& view, const Page& page, const std::string& name,
                                     Handbook& handbook, const Fonts& fonts, float width) {
  if (view.page != &page || view.width != width || view.em != em())
    view = {.page = &page,
            .width = width,
            .em = em(),
            .layout = lay_out(page, page_surface(fonts, width, &handbook))};
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  take_room(origin, view.layout.width, view.layout.height);
  const ImVec2 below = ImGui::GetCursorScreenPos();
  PagePainter painter(view.layout, fonts, origin, colour::text);
  painter.draw(&handbook);
  auto clicked = painter.links(name);
  ImGui::SetCursorScreenPos(below);
  return clicked;
}

void draw_words(const PageWords& words, const Fonts& fonts, float width, ImU32 colour) {
  const PageLayout layout = lay_out(words, page_surface(fonts, width, nullptr));
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  take_room(origin, layout.width, layout.height);
  PagePainter(layout, fonts, origin, colour).draw(nullptr);
}

void draw_figure(const Figure& figure, const Fonts& fonts, float width) {
  const float scale = figure_scale(figure, em(), width);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  take_room(origin, scale * figure.width, scale * figure.height);
  draw_shapes_of(*ImGui::GetWindowDrawList(), figure, origin, scale, fonts);
}

}  // namespace warpview
