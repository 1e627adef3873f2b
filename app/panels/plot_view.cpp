#include "app/panels/plot_view.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace warpview {
namespace {

ImU32 shape_colour(const PlotShape& shape, Theme theme) {
  const PlotColour c = plot_colour(shape.ink, theme);
  return IM_COL32(c.red, c.green, c.blue, static_cast<int>(std::lround(255.0F * shape.opacity)));
}

// ---- The picture: ImGui's triangles, filled one by one ------------------------------------------

struct Rgba {
  float r, g, b, a;
};

// A font atlas: how opaque a place of it is, between its texels.
class Coverage {
 public:
  explicit Coverage(ImFontAtlas& atlas) { atlas.GetTexDataAsAlpha8(&texels_, &width_, &height_); }

  float at(float u, float v) const {
    const float x = u * static_cast<float>(width_) - 0.5F;
    const float y = v * static_cast<float>(height_) - 0.5F;
    const float left = std::floor(x);
    const float top = std::floor(y);
    const float dx = x - left;
    const float dy = y - top;
    const int i = static_cast<int>(left);
    const int j = static_cast<int>(top);
    return (1.0F - dy) * ((1.0F - dx) * texel(i, j) + dx * texel(i + 1, j)) +
           dy * ((1.0F - dx) * texel(i, j + 1) + dx * texel(i + 1, j + 1));
  }

 private:
  float texel(int i, int j) const {
    i = std::clamp(i, 0, width_ - 1);
    j = std::clamp(j, 0, height_ - 1);
    return static_cast<float>(texels_[j * width_ + i]) / 255.0F;
  }
  unsigned char* texels_ = nullptr;
  int width_ = 0;
  int height_ = 0;
};

Rgba rgba_of(ImU32 c) {
  const auto channel = [c](unsigned shift) { return static_cast<float>((c >> shift) & 0xffU); };
  return {channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT),
          channel(IM_COL32_A_SHIFT) / 255.0F};
}

class Canvas {
 public:
  Canvas(int width, int height, PlotColour paper, const Coverage& coverage)
      : picture_{width, height, {}}, coverage_(coverage) {
    picture_.rgba.reserve(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (int i = 0; i < width * height; ++i)
      picture_.rgba.insert(picture_.rgba.end(), {paper.red, paper.green, paper.blue, 255});
  }

  void draw(const ImDrawList& list) {
    for (const ImDrawCmd& command : list.CmdBuffer)
      for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
        const auto vertex = [&](unsigned k) -> const ImDrawVert& {
          const auto at = static_cast<int>(command.IdxOffset + i + k);
          return list.VtxBuffer[static_cast<int>(command.VtxOffset + list.IdxBuffer[at])];
        };
        triangle(vertex(0), vertex(1), vertex(2));
      }
  }

  Picture take() { return std::move(picture_); }

 private:
  // Twice the area of a triangle; its sign says which way around.
  static float area(ImVec2 a, ImVec2 b, ImVec2 c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  }
  // One of two triangles that share an edge owns the pixels on it: the upper, or the left.
  static bool owns_edge(ImVec2 from, ImVec2 to) {
    return to.y < from.y || (to.y == from.y && to.x > from.x);
  }

  void triangle(const ImDrawVert& a, const ImDrawVert& first, const ImDrawVert& second) {
    const bool turned = area(a.pos, first.pos, second.pos) < 0.0F;
    const ImDrawVert& b = turned ? second : first;
    const ImDrawVert& c = turned ? first : second;
    const float whole = area(a.pos, b.pos, c.pos);
    if (!(whole > 0.0F)) return;
    const auto [low_x, high_x] = std::minmax({a.pos.x, b.pos.x, c.pos.x});
    const auto [low_y, high_y] = std::minmax({a.pos.y, b.pos.y, c.pos.y});
    const auto inside = [](float at, int size) {
      return static_cast<int>(std::clamp(at, 0.0F, static_cast<float>(size - 1)));
    };
    const bool owns_a = owns_edge(b.pos, c.pos);
    const bool owns_b = owns_edge(c.pos, a.pos);
    const bool owns_c = owns_edge(a.pos, b.pos);
    for (int y = inside(low_y, picture_.height); y <= inside(high_y, picture_.height); ++y)
      for (int x = inside(low_x, picture_.width); x <= inside(high_x, picture_.width); ++x) {
        const ImVec2 p{static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F};
        const float of_a = area(b.pos, c.pos, p);
        const float of_b = area(c.pos, a.pos, p);
        const float of_c = area(a.pos, b.pos, p);
        if (of_a < 0.0F || of_b < 0.0F || of_c < 0.0F || (of_a == 0.0F && !owns_a) ||
            (of_b == 0.0F && !owns_b) || (of_c == 0.0F && !owns_c))
          continue;
        shade(x, y, a, b, c, {of_a / whole, of_b / whole, of_c / whole});
      }
  }

  void shade(int x, int y, const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c,
             std::array<float, 3> part) {
    const auto mixed = [&part](float of_a, float of_b, float of_c) {
      return part[0] * of_a + part[1] * of_b + part[2] * of_c;
    };
    const Rgba ca = rgba_of(a.col);
    const Rgba cb = rgba_of(b.col);
    const Rgba cc = rgba_of(c.col);
    const float alpha = mixed(ca.a, cb.a, cc.a) *
                        coverage_.at(mixed(a.uv.x, b.uv.x, c.uv.x), mixed(a.uv.y, b.uv.y, c.uv.y));
    std::uint8_t* const pixel =
        &picture_.rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture_.width) +
                            static_cast<std::size_t>(x))];
    const std::array<float, 3> colour = {mixed(ca.r, cb.r, cc.r), mixed(ca.g, cb.g, cc.g),
                                         mixed(ca.b, cb.b, cc.b)};
    for (std::size_t i = 0; i < colour.size(); ++i)
      pixel[i] = static_cast<std::uint8_t>(
          std::lround(static_cast<float>(pixel[i]) * (1.0F - alpha) + colour[i] * alpha));
  }

  Picture picture_;
  const Coverage& coverage_;
};

}  // namespace

float width_of(const ImFont& font, float size, std::string_view words) {
  return font.CalcTextSizeA(size, FLT_MAX, 0.0F, words.data(), words.data() + words.size()).x;
}

void draw_shapes(ImDrawList& list, std::span<const PlotShape> shapes, ImVec2 at, const Fonts& fonts,
                 float em, Theme theme) {
  std::vector<ImVec2> points;
  const auto place = [&points, at](std::span<const PlotVertex> vertices) {
    points.clear();
    for (const PlotVertex& each : vertices) points.emplace_back(at.x + each.x, at.y + each.y);
    return static_cast<int>(points.size());
  };
  for (const PlotShape& shape : shapes) {
    const ImU32 colour = shape_colour(shape, theme);
    switch (shape.kind) {
      case PlotShape::Kind::line:
        for (const std::vector<PlotVertex>& each : dashed(shape.vertices, shape.line, em)) {
          const int count = place(each);
          // ImGui's lines run through the middles of pixels.
          if (shape.width <= 1.0F)
            for (ImVec2& point : points)
              point = {std::floor(point.x) + 0.5F, std::floor(point.y) + 0.5F};
          list.AddPolyline(points.data(), count, colour, ImDrawFlags_None, shape.width);
        }
        break;
      case PlotShape::Kind::polygon: {
        const int count = place(shape.vertices);
        // Between translucent neighbours soft edges would show as seams.
        const ImDrawListFlags flags = list.Flags;
        if (shape.opacity < 1.0F) list.Flags &= ~ImDrawListFlags_AntiAliasedFill;
        list.AddConvexPolyFilled(points.data(), count, colour);
        list.Flags = flags;
        break;
      }
      case PlotShape::Kind::text: {
        const ImFont* const font = shape.bold ? fonts.bold : fonts.regular;
        const float width = width_of(*font, em, shape.words);
        const float shift = shape.align == PlotShape::Align::left     ? 0.0F
                            : shape.align == PlotShape::Align::middle ? 0.5F * width
                                                                      : width;
        const PlotVertex corner = shape.vertices.front();
        list.AddText(font, em, {std::round(at.x + corner.x - shift), std::round(at.y + corner.y)},
                     colour, shape.words.data(), shape.words.data() + shape.words.size());
        break;
      }
    }
  }
}

Picture plot_picture(const Plot& plot, int width, int height, Theme theme) {
  // The words keep their size beside a picture of 900 pixels.
  const float scale = std::clamp(static_cast<float>(width) / 900.0F, 0.5F, 4.0F);
  ImFontAtlas atlas;
  const Fonts fonts = load_fonts(atlas, scale, 1.0F);
  const Coverage coverage(atlas);
  ImDrawListSharedData shared;
  shared.TexUvWhitePixel = atlas.TexUvWhitePixel;
  shared.TexUvLines = atlas.TexUvLines;
  shared.ClipRectFullscreen = {0.0F, 0.0F, static_cast<float>(width), static_cast<float>(height)};
  shared.InitialFlags = ImDrawListFlags_AntiAliasedLines | ImDrawListFlags_AntiAliasedFill |
                        ImDrawListFlags_AllowVtxOffset;
  ImDrawList list(&shared);
  list._ResetForNewFrame();
  list.PushTextureID(atlas.TexID);
  list.PushClipRectFullScreen();

  const float em = fonts.regular->FontSize;
  const float margin = 1.1F * em;
  const PlotSurface surface{
      .width = static_cast<float>(width) - 2.0F * margin,
      .height = static_cast<float>(height) - 2.0F * margin,
      .em = em,
      .text_width = [&](std::string_view words) { return width_of(*fonts.regular, em, words); }};
  draw_shapes(list, plot_shapes(plot, lay_out(plot, surface), surface), {margin, margin}, fonts, em,
              theme);
  Canvas canvas(width, height, plot_colour(plot_ink::paper, theme), coverage);
  canvas.draw(list);
  return canvas.take();
}

}  // namespace warpview
