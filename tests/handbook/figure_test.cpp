#include "app/handbook/figure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "gpu/runtime/error.h"
#include "handbook_file.h"

namespace warpview {
namespace {

using ShapeKind = FigureShape::Kind;

std::string drawing(const std::string& inside, const std::string& attributes = "") {
  return R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50" )" + attributes + ">" +
         inside + "</svg>";
}

Figure figure(const std::string& inside, const std::string& attributes = "") {
  return read_figure(drawing(inside, attributes));
}

std::size_t count(const Figure& of, ShapeKind kind) {
  return static_cast<std::size_t>(
      std::count_if(of.shapes.begin(), of.shapes.end(),
                    [kind](const FigureShape& shape) { return shape.kind == kind; }));
}

std::size_t count(std::string_view text, std::string_view of) {
  std::size_t n = 0;
  for (std::size_t at = text.find(of); at != std::string_view::npos; at = text.find(of, at + 1))
    ++n;
  return n;
}

std::size_t count_drawings() {
  const auto names = handbook_file_names();
  return static_cast<std::size_t>(std::count_if(
      names.begin(), names.end(), [](std::string_view name) { return name.ends_with(".svg"); }));
}

TEST(Figure, EveryDrawingOfTheHandbookIsReadWhole) {
  ASSERT_GT(count_drawings(), 30U);
  for (const std::string_view name : handbook_file_names()) {
    if (!name.ends_with(".svg")) continue;
    const std::string_view svg = handbook_file(name);
    const Figure read = read_figure(svg);
    EXPECT_TRUE(read.skipped.empty()) << name << ": " << read.skipped.front();
    EXPECT_EQ(count(read, ShapeKind::words), count(svg, "<text") - count(svg, "></text>")) << name;
    const std::size_t outlines = count(svg, "<rect") + count(svg, "<circle") + count(svg, "<line") +
                                 count(svg, "<polygon") + count(svg, "<path") -
                                 count(svg, "<marker");
    EXPECT_GE(count(read, ShapeKind::fill) + count(read, ShapeKind::line), outlines) << name;
    for (const FigureShape& shape : read.shapes)
      for (const PlotVertex& v : shape.vertices) {
        ASSERT_TRUE(v.x >= -1.0F && v.x <= read.width + 1.0F) << name << ' ' << shape.words;
        ASSERT_TRUE(v.y >= -1.0F && v.y <= read.height + 1.0F) << name << ' ' << shape.words;
      }
  }
}

TEST(Figure, ReadsShapes) {
  const Figure read = figure(
      R"(<title>Two &amp; three</title>
         <rect x="10" y="5" width="20" height="10" fill="#ff0000" stroke="#0000ff" stroke-width="2"/>
         <circle cx="50" cy="25" r="5" fill="none" stroke="#00ff00"/>
         <line x1="0" y1="1" x2="4" y2="1" stroke="#000000" stroke-dasharray="4 3"/>
         <polygon points="0,0 10,0 5,8" fill="#123456"/>
         <path d="M0 0 H10 V5 L2,3 C2 4 3 5 4 6 M1 1L2 2Z" fill="none" stroke="#000000"/>)",
      R"(stroke-width="1.4")");
  EXPECT_TRUE(read.skipped.empty());
  EXPECT_EQ(read.description, "Two & three");
  EXPECT_EQ(read.width, 100.0F);
  EXPECT_EQ(read.height, 50.0F);
  ASSERT_EQ(read.shapes.size(), 7U);
  EXPECT_EQ(read.shapes[0].kind, ShapeKind::fill);
  EXPECT_EQ(read.shapes[0].colour.light, 0xff0000U);
  EXPECT_EQ(read.shapes[0].vertices.size(), 4U);
  EXPECT_EQ(read.shapes[1].kind, ShapeKind::line);
  EXPECT_TRUE(read.shapes[1].closed);
  EXPECT_EQ(read.shapes[1].width, 2.0F);
  EXPECT_EQ(read.shapes[2].width, 1.4F) << "inherited";
  for (const PlotVertex& v : read.shapes[2].vertices)
    EXPECT_NEAR(std::hypot(v.x - 50.0F, v.y - 25.0F), 5.0F, 1e-3F);
  EXPECT_EQ(read.shapes[3].dash, 7.0F);
  EXPECT_EQ(read.shapes[4].vertices.size(), 3U);
  const FigureShape& path = read.shapes[5];
  ASSERT_GT(path.vertices.size(), 8U);
  EXPECT_EQ(path.vertices[1].x, 10.0F);
  EXPECT_EQ(path.vertices[2].y, 5.0F);
  EXPECT_EQ(path.vertices[3].x, 2.0F);
  EXPECT_NEAR(path.vertices.back().y, 6.0F, 1e-4F);
  EXPECT_FALSE(path.closed);
  EXPECT_TRUE(read.shapes[6].closed);
}

TEST(Figure, GroupsMoveWhatIsInThem) {
  const Figure read = figure(
      R"svg(<g transform="translate(10 20)"><path d="M1 1l2 3h4v5" fill="none" stroke="#000000"/>
            <g><text x="1" y="2">a</text></g></g><text x="1" y="2">b</text>)svg");
  EXPECT_TRUE(read.skipped.empty());
  ASSERT_EQ(read.shapes.size(), 3U);
  EXPECT_EQ(read.shapes[0].vertices[0].x, 11.0F);
  EXPECT_EQ(read.shapes[0].vertices[3].x, 17.0F);
  EXPECT_EQ(read.shapes[0].vertices[3].y, 29.0F);
  EXPECT_EQ(read.shapes[1].vertices[0].y, 22.0F);
  EXPECT_EQ(read.shapes[2].vertices[0].y, 2.0F);
}

TEST(Figure, ReadsWords) {
  const Figure read = figure(
      R"svg(<text x="3" y="4" font-size="11" text-anchor="middle" font-weight="bold"
                  fill="#010203">a &lt; b</text>
            <text x="3" y="4" font-family="DejaVu Sans Mono, monospace" text-anchor="end">c</text>
            <text x="10" y="0" transform="translate(20 30) rotate(-90)">up</text>)svg",
      R"svg(font-size="15" fill="#1f2933")svg");
  EXPECT_TRUE(read.skipped.empty());
  ASSERT_EQ(read.shapes.size(), 3U);
  EXPECT_EQ(read.shapes[0].words, "a < b");
  EXPECT_EQ(read.shapes[0].size, 11.0F);
  EXPECT_EQ(read.shapes[0].align, PlotShape::Align::middle);
  EXPECT_TRUE(read.shapes[0].bold);
  EXPECT_EQ(read.shapes[0].colour.light, 0x010203U);
  EXPECT_EQ(read.shapes[1].size, 15.0F);
  EXPECT_EQ(read.shapes[1].colour.light, 0x1f2933U);
  EXPECT_EQ(read.shapes[1].face, FigureShape::Face::mono);
  EXPECT_EQ(read.shapes[0].face, FigureShape::Face::narrow);
  EXPECT_EQ(read.shapes[1].align, PlotShape::Align::right);
  EXPECT_TRUE(read.shapes[2].is_upwards);
  EXPECT_NEAR(read.shapes[2].vertices[0].x, 20.0F, 1e-4F);
  EXPECT_NEAR(read.shapes[2].vertices[0].y, 20.0F, 1e-4F);
}

TEST(Figure, MarkersEndLines) {
  const Figure read = figure(
      R"svg(<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="4"
                          markerHeight="4" orient="auto"><path d="M0 0L8 4L0 8z" fill="#ff0000"/>
            </marker></defs>
            <line x1="20" y1="10" x2="20" y2="40" stroke="#000000" stroke-width="2"
                  marker-end="url(#a)"/>)svg");
  EXPECT_TRUE(read.skipped.empty());
  ASSERT_EQ(read.shapes.size(), 2U);
  const FigureShape& head = read.shapes[0];
  EXPECT_EQ(head.colour.light, 0xff0000U);
  ASSERT_EQ(head.vertices.size(), 3U);
  // A unit of the marker is one here, and it points down.
  EXPECT_NEAR(head.vertices[1].x, 20.0F, 1e-4F);
  EXPECT_NEAR(head.vertices[1].y, 41.0F, 1e-4F);
  EXPECT_NEAR(head.vertices[0].x, 24.0F, 1e-4F);
  EXPECT_NEAR(head.vertices[0].y, 33.0F, 1e-4F);
}

TEST(Figure, StyleSheetsHaveBothThemes) {
  const Figure read = figure(
      R"(<style>text{fill:#1f2933} .line{stroke:#616e7c;fill:none} .dim{fill:#616e7c}
         @media (prefers-color-scheme: dark){ text{fill:#e4e9ee} .line{stroke:#9fb0c0} }</style>
         <text x="1" y="1">a</text><text x="1" y="1" class="dim">b</text>
         <path class="line" d="M0 0L1 1L1 0"/>)");
  ASSERT_EQ(read.shapes.size(), 3U);
  EXPECT_EQ(read.shapes[0].colour.light, 0x1f2933U);
  EXPECT_EQ(read.shapes[0].colour.dark, 0xe4e9eeU);
  EXPECT_EQ(read.shapes[1].colour.light, 0x616e7cU);
  EXPECT_EQ(read.shapes[1].colour.dark, 0x616e7cU) << "a class before an element";
  EXPECT_EQ(read.shapes[2].kind, ShapeKind::line);
  EXPECT_EQ(read.shapes[2].colour.dark, 0x9fb0c0U);
}

double luminance(unsigned colour) {
  const auto linear = [colour](unsigned shift) {
    const double c = static_cast<double>(colour >> shift & 0xffU) / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
}
double contrast(unsigned a, unsigned b) {
  const double high = std::max(luminance(a), luminance(b));
  const double low = std::min(luminance(a), luminance(b));
  return (high + 0.05) / (low + 0.05);
}

// What can be read on white paper can be read on dark paper, and on the fills.
TEST(Figure, ColoursAreTurnedAroundForDarkGrounds) {
  const unsigned paper = dark_shade_of(0xffffff);
  EXPECT_LT(luminance(paper), 0.02);
  for (const unsigned fill : {0xffffffU, 0xdce9f5U, 0xeef1f4U, 0xdcefe3U, 0xfbe9d3U})
    EXPECT_GE(contrast(dark_shade_of(0x1f2933), dark_shade_of(fill)), 7.0) << std::hex << fill;
  for (const unsigned ink : {0x1f2933U, 0x2f6fb0U, 0x3a8f5cU, 0xd9822bU, 0x7b8794U, 0x9aa5b1U})
    EXPECT_GE(contrast(dark_shade_of(ink), paper), std::min(4.5, contrast(ink, 0xffffff)))
        << std::hex << ink;
}

// The fill that is drawn below words, at the middle of their first letters; white without one.
Shades ground_of(const Figure& figure, std::size_t words) {
  const FigureShape& shape = figure.shapes[words];
  const PlotVertex at{shape.vertices[0].x, shape.vertices[0].y - 0.35F * shape.size};
  Shades ground{.dark = dark_shade_of(0xffffff), .light = 0xffffff};
  for (std::size_t i = 0; i < words; ++i) {
    const FigureShape& below = figure.shapes[i];
    if (below.kind != ShapeKind::fill) continue;
    bool has_left = false, has_right = false;
    for (std::size_t k = 0; k < below.vertices.size(); ++k) {
      const PlotVertex a = below.vertices[k];
      const PlotVertex b = below.vertices[(k + 1) % below.vertices.size()];
      const float side = (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x);
      has_left |= side > 0.0F;
      has_right |= side < 0.0F;
    }
    if (!has_left || !has_right) ground = below.colour;
  }
  return ground;
}

TEST(Figure, WordsOfTheHandbookCanBeReadInBothThemes) {
  for (const std::string_view name : handbook_file_names()) {
    if (!name.ends_with(".svg")) continue;
    const Figure read = read_figure(handbook_file(name));
    for (std::size_t i = 0; i < read.shapes.size(); ++i) {
      const FigureShape& shape = read.shapes[i];
      if (shape.kind != ShapeKind::words || shape.is_upwards) continue;
      const Shades ground = ground_of(read, i);
      for (const Theme theme : {Theme::dark, Theme::light})
        EXPECT_GE(contrast(shape.colour.of(theme), ground.of(theme)), 4.5)
            << name << ": " << shape.words << std::hex << " " << shape.colour.of(theme) << " on "
            << ground.of(theme);
    }
  }
}

TEST(Figure, TellsWhatItSkips) {
  const auto skipped = [](const std::string& inside) {
    const Figure read = figure(inside);
    return read.skipped.empty() ? std::string() : read.skipped.front();
  };
  EXPECT_EQ(skipped("<ellipse rx='1'/>"), "element ellipse");
  EXPECT_EQ(skipped("<path d='M0 0 q1 1 2 2' fill='none' stroke='#000000'/>"), "path data");
  EXPECT_EQ(skipped("<path d='L1 1'/>"), "path data");
  EXPECT_EQ(skipped("<path d='Z'/>"), "path data");
  EXPECT_EQ(skipped("<path d='M0 0 L 1'/>"), "path data");
  EXPECT_EQ(skipped("<path d='M0 0 L1e999 0'/>"), "path data");
  EXPECT_EQ(skipped("<polygon points='0,0 9,0 3,3 0,9'/>"), "a fill that is not convex");
  EXPECT_EQ(skipped("<rect width='10%' height='1'/>"), "width of rect");
  EXPECT_EQ(skipped("<text x='1' transform='rotate(45)'>a</text>"), "transform of text");
  EXPECT_EQ(skipped("<text x='1'><tspan>a</tspan></text>"), "element tspan");
  EXPECT_EQ(skipped("<line x2='3' stroke='#000000' marker-end='url(#none)'/>"), "a marker");
  EXPECT_EQ(skipped("<g transform='scale(2)'/>"), "a group");
  EXPECT_EQ(skipped("<g fill='#123456'/>"), "fill of a group");
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "<g>";
  for (int i = 0; i < 100; ++i) deep += "</g>";
  EXPECT_EQ(skipped(deep), "a group");
  EXPECT_EQ(skipped("<path d=''/>"), "");
}

TEST(Figure, RefusesWhatIsNoDrawing) {
  for (const char* const text :
       {"", "<", "words", "<html/>", "<svg/>", "<svg viewBox='0 0 0 9'/>", "<svg viewBox='a'/>",
        "<svg viewBox='0 0 1e999 9'/>", "<svg viewBox='5 5 9 9'/>"})
    EXPECT_THROW(read_figure(text), Error) << text;
  std::string many;
  for (std::size_t i = 0; i <= Figure::most_shapes; ++i) many += "<rect width='1' height='1'/>";
  EXPECT_THROW(read_figure(drawing(many)), Error);
}

// Truncated anywhere a drawing is refused or read, and nothing else happens.
TEST(Figure, SurvivesTruncation) {
  const std::string whole(handbook_file("hash_map.svg"));
  for (std::size_t size = 0; size < whole.size(); size += 37) {
    try {
      read_figure(whole.substr(0, size));
      ADD_FAILURE() << size;
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace warpview
