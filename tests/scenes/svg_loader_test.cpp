// What is read of an SVG file, and what becomes of bad ones.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "scenes/description.h"
#include "scenes/files/open_mesh.h"
#include "scenes/files/svg_loader.h"
#include "scenes/files/svg_values.h"
#include "tests/scenes/support.h"

namespace warpview::test {
namespace {

Mesh read_text(const std::string& text) {
  LoadControl control;
  return read_svg(text, "a.svg", control);
}
// Inside of a page of 2 x 2, so that the world is as large, with y up.
Mesh page_of(const std::string& text) {
  return read_text("<svg xmlns='http://www.w3.org/2000/svg' viewBox='-1 -1 2 2'>" + text +
                   "</svg>");
}
const SvgPath& only_path(const Mesh& mesh) {
  EXPECT_EQ(mesh.picture.paths.size(), 2U);
  return mesh.picture.paths.back();
}
// The bounding box of the last path's control points.
Aabb box_of_last(const Mesh& mesh) {
  Aabb box = Aabb::empty();
  const SvgPath& path = mesh.picture.paths.back();
  for (std::uint32_t i = 0; i < path.count; ++i)
    for (int k = 0; k < 4; ++k) {
      const SvgSegment& segment = mesh.picture.segments[path.first + i];
      const Vec3 place{segment.x[k], segment.y[k], 0.0F};
      box = merge(box, {place, place});
    }
  return box;
}
// `wanted` is the lowest x and y, then the highest, with y down as in the file.
void expect_box(const std::string& text, std::array<float, 4> wanted) {
  SCOPED_TRACE(text);
  const Mesh mesh = page_of(text);
  ASSERT_EQ(mesh.picture.paths.size(), 2U);
  EXPECT_TRUE(mesh.warnings.empty()) << mesh.warnings.front();
  const Aabb box = box_of_last(mesh);
  EXPECT_NEAR(box.min.x, wanted[0], 1e-5F);
  EXPECT_NEAR(-box.max.y, wanted[1], 1e-5F);
  EXPECT_NEAR(box.max.x, wanted[2], 1e-5F);
  EXPECT_NEAR(-box.min.y, wanted[3], 1e-5F);
}
std::uint32_t fill_of(const std::string& text) {
  const Mesh mesh = page_of(text);
  return mesh.picture.paths.size() == 2 ? mesh.picture.paths[1].fill : 0;
}
std::string error_of_text(const std::string& text) {
  try {
    read_text(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_sound_picture(const PathPicture& picture) {
  ASSERT_GE(picture.paths.size(), 1U);
  ASSERT_EQ(picture.names.size(), picture.paths.size());
  for (const SvgPath& path : picture.paths) {
    ASSERT_LE(std::size_t{path.first} + path.count, picture.segments.size());
    for (std::uint32_t i = 0; i < path.count; ++i) {
      const SvgSegment& segment = picture.segments[path.first + i];
      ASSERT_LE(static_cast<unsigned>(segment.kind), 2U);
      for (int k = 0; k < 4; ++k)
        ASSERT_TRUE(std::abs(segment.x[k]) <= svg_farthest &&
                    std::abs(segment.y[k]) <= svg_farthest);
    }
  }
}

TEST(SvgLoader, ReadsLinesAndCurves) {
  const Mesh mesh = page_of("<path d='m-.5-.5h1v1H-.5z q.1.2.3.4 t.1 0 C0 0 0 0 .5.5 s.1.1.2.2'/>");
  const SvgPath& path = only_path(mesh);
  std::string kinds;
  for (std::uint32_t i = 0; i < path.count; ++i)
    kinds += "lqc"[static_cast<int>(mesh.picture.segments[path.first + i].kind)];
  EXPECT_EQ(kinds, "llllqqccl");
  const SvgSegment& first = mesh.picture.segments[path.first];
  EXPECT_EQ(first.x[0], -0.5F);
  EXPECT_EQ(first.y[0], 0.5F);  // y goes up in the world
  EXPECT_EQ(first.x[1], 0.5F);
  const SvgSegment& last = mesh.picture.segments[path.first + path.count - 1];
  EXPECT_EQ(last.x[1], -0.5F);  // closed
  EXPECT_EQ(last.y[1], 0.5F);
  EXPECT_TRUE(mesh.warnings.empty());
}

TEST(SvgLoader, ReadsShapes) {
  for (const std::string shape :
       {"<rect x='-.5' y='-.5' width='1' height='1'/>", "<circle r='.5'/>",
        "<rect x='-.5' y='-.5' width='1' height='1' rx='.2'/>", "<ellipse rx='.5' ry='.5'/>",
        "<polygon points='-.5,-.5 .5 -.5 .5,.5,-.5,.5'/>",
        "<polyline points='-.5,-.5 .5 -.5 .5,.5,-.5,.5'/>",
        "<path d='M-.5 0A.5.5 0 0 1 .5 0A.5.5 0 1 1-.5 0'/>",
        "<g transform='scale(.1)translate(0 1)'><svg y='-1' overflow='visible'><circle "
        "r='5'/></svg></g>"}) {
    SCOPED_TRACE(shape);
    const Mesh mesh = page_of(shape);
    const SvgPath& path = only_path(mesh);
    float low = 9, high = -9;
    for (std::uint32_t i = 0; i < path.count; ++i)
      for (const float y : mesh.picture.segments[path.first + i].y) {
        low = std::min(low, y);
        high = std::max(high, y);
      }
    EXPECT_NEAR(low, -0.5F, 0.05F);
    EXPECT_NEAR(high, 0.5F, 0.05F);
    EXPECT_TRUE(mesh.warnings.empty());
    expect_sound_picture(mesh.picture);
  }
  for (const std::string nothing :
       {"<rect width='1' height='0'/>", "<circle r='-1'/>", "<path/>", "<polygon/>", "<g/>",
        "<circle r='1' fill='none'/>", "<circle r='1' opacity='0'/>",
        "<g display='none'><circle r='1'/></g>", "<circle r='1' visibility='hidden'/>",
        "<defs><circle r='1'/></defs>", "<title>circle</title>"})
    EXPECT_EQ(page_of(nothing).picture.paths.size(), 1U) << nothing;
}

TEST(SvgLoader, ReadsFills) {
  const auto fill_of = [](const std::string& attributes) {
    return only_path(page_of("<g fill='#00ff00' color='blue' opacity='.5'><circle r='1' " +
                             attributes + "/></g>"))
        .fill;
  };
  EXPECT_EQ(fill_of(""), 0x8000ff00U);
  EXPECT_EQ(fill_of("fill='#123'"), 0x80332211U);
  EXPECT_EQ(fill_of("fill='#102030'"), 0x80302010U);
  EXPECT_EQ(fill_of("fill='rgb(1, 2,3)'"), 0x80030201U);
  EXPECT_EQ(fill_of("fill='rgb(100%,0%,0%)'"), 0x800000ffU);
  EXPECT_EQ(fill_of("fill='orange'"), 0x8000a5ffU);
  EXPECT_EQ(fill_of("fill='currentColor'"), 0x80ff0000U);
  EXPECT_EQ(fill_of("fill='inherit'"), 0x8000ff00U);
  EXPECT_EQ(fill_of("fill='url(#a) red'"), 0x800000ffU);
  EXPECT_EQ(fill_of("fill='url(there.svg#a)'"), 0x80808080U);
  EXPECT_EQ(fill_of("fill='nonsense'"), 0x8000ff00U);
  EXPECT_EQ(fill_of("fill='re\xe4'"), 0x8000ff00U);  // no letters that grammars may not see
  EXPECT_EQ(fill_of("fill-opacity='50%'"), 0x4000ff00U);
  EXPECT_EQ(fill_of("opacity='.5' style='opacity: 1; fill : red !important;;x'"), 0x800000ffU);
  const auto rule_of = [](const std::string& attributes) {
    return only_path(page_of("<g fill-rule='evenodd'><circle r='1' " + attributes + "/></g>")).rule;
  };
  EXPECT_EQ(rule_of(""), SvgRule::even_odd);
  EXPECT_EQ(rule_of("style='fill-rule:nonzero'"), SvgRule::nonzero);
}

// CSS colours are read without a warning.
TEST(SvgLoader, ReadsColours) {
  const std::array<std::pair<const char*, std::uint32_t>, 30> colours = {{
      {"#1234", 0x44332211U},
      {"#10203080", 0x80302010U},
      {"rgba(255, 0, 0, .5)", 0x800000ffU},
      {"rgb(255 0 0)", 0xff0000ffU},
      {"rgb(255 0 0 / 50%)", 0x800000ffU},
      {"rgb(100% 0% 50% / .25)", 0x408000ffU},
      {"rgb(300, -20, 128)", 0xff8000ffU},
      {"rgb(120%, 0%, 0%)", 0xff0000ffU},
      {"rgba(1, 2, 3, 7)", 0xff030201U},
      {"RGB(1, 2, 3)", 0xff030201U},
      {"rgb( 1.6 , 2 , 3 )", 0xff030202U},
      {"hsl(0, 100%, 50%)", 0xff0000ffU},
      {"hsl(120, 100%, 25%)", 0xff008000U},
      {"hsl(-120deg 100% 50%)", 0xffff0000U},
      {"hsl(0.5turn 100% 50%)", 0xffffff00U},
      {"hsla(240, 100%, 50%, 50%)", 0x80ff0000U},
      {"hsl(60 100 50 / .5)", 0x8000ffffU},
      {"hsl(3.14159265rad, 100%, 50%)", 0xffffff00U},
      {"hsl(0, 0%, 300%)", 0xffffffffU},
      {"rebeccapurple", 0xff993366U},
      {"Orange", 0xff00a5ffU},
      {"transparent", 0U},
      {"rgb(1 2 3 / 0)", 0U},
      {"#cd853f icc-color(acmecmyk, .1, .2, .3, .4)", 0xff3f85cdU},
      {"initial", 0xff000000U},
      {"url(#missing)", 0U},
      {"url('#missing') #123", 0xff332211U},
      {"url( \"#missing\" )none", 0U},
      {"url(#missing) currentColor", 0xffff0000U},
      {"url(#other) red", 0xff0000ffU},
  }};
  for (const auto& [text, wanted] : colours) {
    for (const std::string quote : {"\"", "'"}) {
      if (std::string_view(text).find(quote) != std::string_view::npos) continue;
      const std::string fill = "fill=" + quote + text + quote;
      EXPECT_EQ(fill_of("<g id='other' color='blue'><circle r='1' " + fill + "/></g>"), wanted)
          << fill;
      EXPECT_TRUE(page_of("<circle id='other' r='1' " + fill + "/>").warnings.empty()) << fill;
    }
  }
  EXPECT_EQ(fill_of("<circle r='1' fill='rgb(1 2 3 / .5)' fill-opacity='.5' opacity='.5'/>"),
            0x20030201U);
  EXPECT_EQ(fill_of("<circle r='1' fill='currentColor' color='#0f08' fill-opacity='.5'/>"),
            0x4400ff00U);
  for (const char* bad :
       {"#12", "#12345", "#ggg", "#+12", "rgb(1,2)", "rgb(1,2,3,4,5)", "rgb(1 2 3", "rgb(1,,2,3)",
        "rgb(1px,2,3)", "hsl(1%,2%,3%)", "hsl(1km 2% 3%)", "rgb(1,2,3)x", "hue", "rgb(nan,0,0)",
        "rgb(1/2/3)", "red blue", "rgb()"})
    EXPECT_EQ(count_warnings(page_of("<circle r='1' fill='" + std::string(bad) + "'/>"), "Colours"),
              1)
        << bad;
}

// An existing gradient gives a warning, also if it is defined later. Fallbacks are used.
TEST(SvgLoader, TellsOfGradientsThatAreThere) {
  for (const char* paint : {"linearGradient", "radialGradient", "pattern"}) {
    const std::string there = "<defs><" + std::string(paint) + " id='a'/></defs>";
    const Mesh mesh = page_of("<circle r='1' fill='url(#a)'/>" + there);
    EXPECT_EQ(only_path(mesh).fill, 0xff808080U);
    EXPECT_EQ(count_warnings(mesh, "Gradients"), 1);
    EXPECT_EQ(fill_of("<circle r='1' fill='url(#a) lime'/>" + there), 0xff00ff00U);
    EXPECT_EQ(fill_of("<circle r='1' fill='url(#a) none'/>" + there), 0U);
  }
}

// One of several values of a property wins.
TEST(SvgLoader, CascadesDeclarations) {
  const auto of = [](const std::string& attributes) {
    return fill_of("<circle r='1' " + attributes + "/>");
  };
  EXPECT_EQ(of("fill='blue' style='/* a:b; */fill:red'"), 0xff0000ffU);
  EXPECT_EQ(of("style='fill/**/:/* ; */red/*'"), 0xff0000ffU);
  EXPECT_EQ(of("fill='blue' style='fill:red !important;fill:lime'"), 0xff0000ffU);
  EXPECT_EQ(of("style='fill:red! IMPORTANT;fill:lime!important;fill:blue'"), 0xff00ff00U);
  EXPECT_EQ(of("style='FILL:Red'"), 0xff0000ffU);
  EXPECT_EQ(of("style='a:url(\";fill:blue;\");b:(;fill:blue);fill:red'"), 0xff0000ffU);
  EXPECT_EQ(of("display='none' style='display:inline'"), 0xff000000U);
  EXPECT_EQ(of("style='display:inline;display:none'"), 0U);
  EXPECT_EQ(of("opacity='.5' style='opacity:.25;opacity:1'"), 0xff000000U);
  EXPECT_EQ(of("fill='inherit' style='fill-opacity:.5'"), 0x80000000U);
  expect_box("<rect style='x:-.5px;y:-.25;width:25%;height:1px' width='9' height='9'/>",
             {-0.5F, -0.25F, 0.0F, 0.75F});
  const Mesh mesh = page_of("<circle r='1' style='nonsense;;fill:red'/>");
  EXPECT_EQ(only_path(mesh).fill, 0xff0000ffU);
  EXPECT_EQ(count_warnings(mesh, "Declarations"), 1);
}

// `currentColor` is the filled element's own `color`, in any order of declarations: elements
// inherit the keyword (CSS Color 4).
TEST(SvgLoader, CurrentColorIsTheElementsOwn) {
  EXPECT_EQ(fill_of("<circle r='1' style='fill:currentColor;color:red'/>"), 0xff0000ffU);
  EXPECT_EQ(fill_of("<circle r='1' fill='currentColor' style='color:red'/>"), 0xff0000ffU);
  EXPECT_EQ(fill_of("<circle r='1' style='fill:CURRENTCOLOR' color='red'/>"), 0xff0000ffU);
  EXPECT_EQ(fill_of("<g fill='currentColor' color='red'><circle r='1' color='blue'/></g>"),
            0xffff0000U);
  EXPECT_EQ(fill_of("<g color='red'><g color='currentColor'><circle r='1' "
                    "fill='currentColor'/></g></g>"),
            0xff0000ffU);
}

// A nested <svg> has a viewport of its own: viewBox, percentages and clip.
TEST(SvgLoader, NestedViewports) {
  expect_box(
      "<svg x='-.5' y='-.5' width='1' height='1' viewBox='0 0 10 10'>"
      "<rect width='10' height='10'/></svg>",
      {-0.5F, -0.5F, 0.5F, 0.5F});
  expect_box("<svg x='-.5' y='-.5' width='1' height='.5'><rect width='9' height='9'/></svg>",
             {-0.5F, -0.5F, 0.5F, 0.0F});
  expect_box("<svg width='1' height='.5'><rect width='50%' height='100%'/></svg>",
             {0.0F, 0.0F, 0.5F, 0.5F});
  expect_box("<svg width='1' height='1' viewBox='0 0 8 8'><rect width='50%' height='25%'/></svg>",
             {0.0F, 0.0F, 0.5F, 0.25F});
  // A viewport is as large as the outer one by default.
  expect_box("<svg x='-1' y='-1'><rect width='50%' height='25%'/></svg>",
             {-1.0F, -1.0F, 0.0F, -0.5F});
  expect_box("<svg width='25%' height='50%'><rect width='9' height='9'/></svg>",
             {0.0F, 0.0F, 0.5F, 1.0F});
  for (const char* shown : {"overflow='visible'", "style='overflow:auto'"})
    expect_box("<svg width='.25' height='.25' " + std::string(shown) +
                   "><rect width='.5' height='.5'/></svg>",
               {0.0F, 0.0F, 0.5F, 0.5F});
  // Clips intersect.
  expect_box(
      "<svg width='.5' height='.5'><svg x='.25' y='-.25' width='.5' height='.5'>"
      "<rect x='-1' y='-1' width='9' height='9'/></svg></svg>",
      {0.25F, 0.0F, 0.5F, 0.25F});
  for (const char* nothing :
       {"<svg width='0'><rect width='1' height='1'/></svg>",
        "<svg viewBox='0 0 0 5'><rect width='1' height='1'/></svg>",
        "<svg width='.5' height='.5'><rect x='.6' width='.2' height='.2'/></svg>",
        "<svg width='.5' height='.5' transform='scale(0)'><rect width='.2' height='.2'/></svg>"}) {
    const Mesh mesh = page_of(nothing);
    EXPECT_EQ(mesh.picture.paths.size(), 1U) << nothing;
    EXPECT_TRUE(mesh.warnings.empty()) << nothing;
  }
}

TEST(SvgLoader, FitsViewBoxesIntoViewports) {
  const auto of = [](const std::string& fitting) {
    return "<svg width='1' height='.5' viewBox='0 0 10 10' overflow='visible' " + fitting +
           "><rect width='10' height='10'/></svg>";
  };
  expect_box(of(""), {0.25F, 0.0F, 0.75F, 0.5F});
  expect_box(of("preserveAspectRatio='xMidYMid meet'"), {0.25F, 0.0F, 0.75F, 0.5F});
  expect_box(of("preserveAspectRatio='xMinYMin'"), {0.0F, 0.0F, 0.5F, 0.5F});
  expect_box(of("preserveAspectRatio='xMaxYMin meet'"), {0.5F, 0.0F, 1.0F, 0.5F});
  expect_box(of("preserveAspectRatio='xMidYMid slice'"), {0.0F, -0.25F, 1.0F, 0.75F});
  expect_box(of("preserveAspectRatio='xMinYMin slice'"), {0.0F, 0.0F, 1.0F, 1.0F});
  expect_box(of("preserveAspectRatio='xMinYMax slice'"), {0.0F, -0.5F, 1.0F, 0.5F});
  expect_box(of("preserveAspectRatio='none'"), {0.0F, 0.0F, 1.0F, 0.5F});
  for (const char* bad : {"xMidYmid", "xMidYMid grow", "meet", "xMidYMid meet slice"})
    EXPECT_EQ(count_warnings(page_of(of("preserveAspectRatio='" + std::string(bad) + "'")),
                             "preserveAspectRatio"),
              1)
        << bad;
}

// A rotated viewport clips along its own sides, and curves stay curves.
TEST(SvgLoader, ClipsToTurnedViewports) {
  const float far = std::sqrt(0.5F);
  expect_box(
      "<g transform='rotate(45)'><svg x='-.5' y='-.5' width='1' height='1'>"
      "<rect x='-2' y='-2' width='4' height='4'/></svg></g>",
      {-far, -far, far, far});
  expect_box(
      "<g transform='scale(-1 1)'><svg width='.5' height='1'>"
      "<rect x='-2' y='-2' width='4' height='4'/></svg></g>",
      {-0.5F, 0.0F, 0.0F, 1.0F});
  const Mesh mesh = page_of("<svg width='1' height='1'><circle r='.5'/></svg>");
  const SvgPath& path = only_path(mesh);
  std::size_t curves = 0;
  for (std::uint32_t i = 0; i < path.count; ++i)
    curves += mesh.picture.segments[path.first + i].kind == SvgCurve::cubic ? 1U : 0U;
  EXPECT_EQ(curves, 1U);
  const Aabb box = box_of_last(mesh);
  EXPECT_EQ(box.min.x, 0.0F);
  EXPECT_EQ(box.max.y, 0.0F);
}

// Paths are clipped to the page, which does not change.
TEST(SvgLoader, ClipsToThePage) {
  expect_box("<rect x='-9' y='-9' width='9' height='9'/>", {-1.0F, -1.0F, 0.0F, 0.0F});
  expect_box("<path d='M-1e9 0L1e9 0L0 1e9z'/>", {-1.0F, 0.0F, 1.0F, 1.0F});
  const Mesh beside = page_of("<rect x='2' y='2' width='9' height='9'/>");
  EXPECT_EQ(beside.picture.paths.size(), 1U);
  EXPECT_EQ(beside.picture.page.max.x, 1.0F);
  EXPECT_TRUE(beside.warnings.empty());
  // A file without a page gets one around its shapes.
  const Mesh mesh = read_text("<svg><rect x='-7' width='5' height='10'/></svg>");
  EXPECT_EQ(mesh.picture.paths.size(), 2U);
}

// A <switch> draws its first child whose conditions hold; the language is English.
TEST(SvgLoader, SwitchDrawsOneChild) {
  const auto drawn = [](const std::string& text) {
    const Mesh mesh = page_of("<switch>" + text + "</switch>");
    EXPECT_TRUE(mesh.warnings.empty()) << text;
    std::string names;
    for (std::size_t i = 1; i < mesh.picture.names.size(); ++i) names += mesh.picture.names[i];
    return names;
  };
  const auto circle = [](const std::string& id, const std::string& condition) {
    return "<circle r='1' id='" + id + "' " + condition + "/>";
  };
  const std::string last = circle("b", "");
  EXPECT_EQ(drawn(circle("a", "systemLanguage='xx'") + last), "b");
  EXPECT_EQ(drawn(circle("a", "systemLanguage=''") + last), "b");
  EXPECT_EQ(drawn(circle("a", "systemLanguage='english'") + last), "b");
  EXPECT_EQ(drawn(circle("a", "systemLanguage='de, en-US'") + last), "a");
  EXPECT_EQ(drawn(circle("a", "systemLanguage='EN'") + last), "a");
  EXPECT_EQ(drawn(circle("a", "requiredExtensions='http://ns.adobe.com/x'") + last), "b");
  EXPECT_EQ(drawn(circle("a", "requiredExtensions=''") + last), "a");
  EXPECT_EQ(
      drawn(circle("a", "requiredFeatures='http://www.w3.org/TR/SVG11/feature#Shape'") + last),
      "a");
  EXPECT_EQ(drawn(circle("a",
                         "requiredFeatures='http://www.w3.org/TR/SVG11/feature#Shape "
                         "http://www.w3.org/TR/SVG11/feature#Extensibility'") +
                  last),
            "b");
  EXPECT_EQ(drawn("<title>x</title><desc/>" + circle("a", "display='none'") + last), "");
  EXPECT_EQ(drawn("<g>" + circle("a", "") + "</g>" + last), "a");
  EXPECT_EQ(drawn(circle("a", "systemLanguage='xx'")), "");
  // Outside a <switch> such an element gives a warning.
  const Mesh mesh = page_of(circle("a", "systemLanguage='xx'") + last);
  EXPECT_EQ(only_path(mesh).count, 4U);
  EXPECT_EQ(count_warnings(mesh, "for other languages"), 1);
}

TEST(SvgLoader, ElementsOfOtherNamespacesAreNoShapes) {
  const auto paths = [](const std::string& text) {
    return read_text(text).picture.paths.size() - 1;
  };
  const std::string svg = "'http://www.w3.org/2000/svg'";
  const std::string box = "viewBox='0 0 9 9'";
  EXPECT_EQ(paths("<svg xmlns=" + svg + " xmlns:i='http://ns.adobe.com/x' " + box +
                  "><i:rect width='9' height='9'/><i:g><rect width='9' height='9'/></i:g></svg>"),
            0U);
  EXPECT_EQ(paths("<s:svg xmlns:s=" + svg + " xmlns='http://other' " + box +
                  "><s:rect width='9' height='9'/><rect width='9' height='9'/></s:svg>"),
            1U);
  EXPECT_EQ(paths("<svg xmlns=" + svg + " " + box +
                  "><g xmlns='http://other'><rect width='9' height='9'/><s:rect width='9' "
                  "height='9' xmlns:s=" +
                  svg + "/></g><rect width='9' height='9'/><a:rect width='9' height='9'/></svg>"),
            1U);
  EXPECT_EQ(paths("<svg " + box + "><svg:rect width='9' height='9'/></svg>"), 1U);
  EXPECT_EQ(paths("<svg " + box +
                  "><switch><i:rect xmlns:i='x'/><rect width='9' height='9'/>"
                  "</switch></svg>"),
            1U);
  const Mesh old = read_text("<svg xmlns='http://www.w3.org/TR/1999/svg' " + box +
                             "><rect width='9' height='9'/></svg>");
  EXPECT_EQ(old.picture.paths.size(), 2U);
  EXPECT_EQ(count_warnings(old, "namespace"), 1);
}

// An em is the element's own font size.
TEST(SvgLoader, LengthsGoByTheFontsSize) {
  expect_box("<g font-size='.25'><rect width='2em' height='1ex'/></g>", {0, 0, 0.5F, 0.125F});
  expect_box("<g font-size='.25'><rect font-size='2em' width='1em' height='1'/></g>",
             {0, 0, 0.5F, 1.0F});
  expect_box("<g style='font-size:.5px'><rect font-size='50%' width='2em' height='1'/></g>",
             {0, 0, 0.5F, 1.0F});
  expect_box("<g style='font: italic 700 .25px/2 serif'><rect width='2em' height='1'/></g>",
             {0, 0, 0.5F, 1.0F});
  expect_box("<g transform='scale(.01)'><rect font-size='large' width='1em' height='1rem'/></g>",
             {0, 0, 0.18F, 0.16F});
  const Mesh root = read_text(
      "<svg font-size='30' viewBox='0 0 100 100'><g font-size='1'>"
      "<rect width='1rem' height='1em'/></g></svg>");
  EXPECT_NEAR(box_of_last(root).max.x, 2.0F * 30 / 100 - 1, 1e-5F);
  EXPECT_EQ(count_warnings(page_of("<g font-size='calc(1)'/>"), "Font sizes"), 1);
}

TEST(SvgLoader, RadiiThatAreLeftOutAreTheOtherOne) {
  expect_box("<ellipse rx='.5'/>", {-0.5F, -0.5F, 0.5F, 0.5F});
  expect_box("<ellipse ry='.5' rx='auto'/>", {-0.5F, -0.5F, 0.5F, 0.5F});
  expect_box("<ellipse rx='.5' ry='.25'/>", {-0.5F, -0.25F, 0.5F, 0.25F});
  EXPECT_EQ(page_of("<ellipse/><ellipse rx='0'/><ellipse rx='1' ry='0'/>").picture.paths.size(),
            1U);
  EXPECT_EQ(only_path(page_of("<rect width='1' height='1' rx='auto' ry='.1'/>")).count, 8U);
}

// Transforms are read in the syntax of attributes and of CSS.
TEST(SvgLoader, ReadsTransforms) {
  const auto of = [](const std::string& transform) {
    return "<rect width='.5' height='.25' " + transform + "/>";
  };
  const std::array<float, 4> moved = {0.25F, 0.5F, 0.75F, 0.75F};
  for (const char* text : {"translate(.25,.5)", "translate(.25 .5),", "translate ( .25 , .5 )",
                           " translate(.25) , translate(0,.5)", "matrix(1 0 0 1 .25 .5)",
                           "translate(.25-.5)translate(0 1)rotate(0 1 2)"})
    expect_box(of("transform='" + std::string(text) + "'"), moved);
  for (const char* text :
       {"translate(.25px, .5px)", "translateX(.25px) translateY(.5px)", "TRANSLATE(.25px,.5px)"})
    expect_box(of("transform='scale(3)' style='transform:" + std::string(text) + "'"), moved);
  expect_box(of("transform='scale(3)' style='transform:none'"), {0, 0, 0.5F, 0.25F});
  for (const char* text : {"rotate(90)", "rotate(90deg)", "rotate(100grad)", "rotate(.25turn)",
                           "rotate(1.57079633rad)", "rotate(90, 0 0)"})
    expect_box(of("transform='" + std::string(text) + "'"), {-0.25F, 0, 0, 0.5F});
  expect_box(of("transform='rotate(180 .25 .125)'"), {0, 0, 0.5F, 0.25F});
  expect_box(of("transform='scale(1 2)'"), {0, 0, 0.5F, 0.5F});
  expect_box(of("transform='scale(2)'"), {0, 0, 1.0F, 0.5F});
  expect_box(of("style='transform:scaleX(2) scaleY(3)'"), {0, 0, 1.0F, 0.75F});
  expect_box(of("transform='skewX(45)'"), {0, 0, 0.75F, 0.25F});
  expect_box(of("transform='skewY(45)'"), {0, 0, 0.5F, 0.75F});
  for (const char* bad : {"translate(1,2", "translate()", "turn(3)", "scale(1 2 3)", "rotate(1 2)",
                          "translate(,1)", "translate(10%)", "rotate3d(1,1,1,45deg)", "(1)",
                          "matrix(1 2 3)", "translate(1)x", "translate(1 2 3 4 5 6 7 8)"})
    EXPECT_EQ(count_warnings(page_of(of("transform='" + std::string(bad) + "'")), "Transforms"), 1)
        << bad;
}

TEST(SvgLoader, FindsThePage) {
  const auto sides = [](const std::string& text) {
    const Aabb page = read_text(text).picture.page;
    return std::pair(page.max.x - page.min.x, page.max.y - page.min.y);
  };
  EXPECT_EQ(sides("<svg viewBox='5 5 400 100'/>"), std::pair(2.0F, 0.5F));
  EXPECT_EQ(sides("<svg width='1in' height='48px'/>"), std::pair(2.0F, 1.0F));
  EXPECT_EQ(sides("<svg/>"), std::pair(2.0F, 1.0F));
  EXPECT_EQ(sides("<svg viewBox='0 0 0 9'><rect x='7' width='5' height='10'/></svg>"),
            std::pair(1.0F, 2.0F));
}

TEST(SvgLoader, TellsWhatIsLeftOut) {
  const Mesh mesh = page_of(
      "<style>x{}</style><text id='words'>a</text><text/><use href='#x'/><image "
      "href='/etc/passwd'/>"
      "<linearGradient id='g'/><path stroke='red' d='M0 0L1 1H0z'/><path fill='url(#g)' d='M0 0L1 "
      "1H0z'/>"
      "<path clip-path='url(#c)' d='M0 0L1 1H0z'/><path d='M0 0L1 1H0 nonsense'/>"
      "<path transform='nonsense' d='M0 0L1 1H0z'/><circle r='1ell'/><path d='M1e300 0L1 1H0z'/>");
  EXPECT_EQ(mesh.picture.paths.size(), 6U);
  for (const char* part :
       {"style sheets", "<text> is ignored (2 times, first: words)", "<use>", "<image>", "Strokes",
        "Gradients", "clip-path", "Path data", "Transforms", "Lengths", "not finite"})
    EXPECT_EQ(count_warnings(mesh, part), 1) << part;
}

// Each kind of property that changes a picture and is left out gives a warning.
TEST(SvgLoader, TellsPropertiesThatAreLeftOut) {
  for (const char* attributes :
       {"marker-start='url(#m)'", "style='marker:url(#m)'", "style='mix-blend-mode:multiply'",
        "transform-origin='5 5'", "style='transform-origin:center'", "style='rotate:45deg'",
        "style='scale:2'", "clip='rect(0 0 1 1)'", "filter='blur(2px)'", "class='a'",
        "fill-opacity='much'", "opacity='var(--a)'"}) {
    const Mesh mesh = page_of("<circle r='1' " + std::string(attributes) + "/>");
    EXPECT_EQ(only_path(mesh).fill, 0xff000000U) << attributes;
    EXPECT_EQ(mesh.warnings.size(), 1U) << attributes;
  }
  for (const char* attributes :
       {"marker='none'", "style='clip-path:none;mask:none;filter:none;clip:auto'",
        "transform-origin='0 0'", "style='transform-origin:0px 0%;rotate:none'", "rotate='45'",
        "stroke='none'", "opacity='1'", "fill-opacity='inherit'",
        "style='mix-blend-mode:normal'"}) {
    const Mesh mesh = page_of("<circle r='1' " + std::string(attributes) + "/>");
    EXPECT_TRUE(mesh.warnings.empty()) << attributes;
  }
}

TEST(SvgLoader, BadFilesAreErrors) {
  for (const std::string text : {"", "   ", "no xml", "<svg", "<svg>", "<svg><g></svg>",
                                 "<svg><path d='</svg>", "<html><svg/></html>", "<svg/", "\xff\xfe",
                                 "<?xml version='1.0'?>", "v 0 0 0\nf 1 1 1\n"}) {
    const std::string error = error_of_text(text);
    EXPECT_NE(error.find("a.svg"), std::string::npos) << text << ": " << error;
  }
  EXPECT_NE(error_of_text("<svg>\n\n<g></svg>").find("a.svg:3"), std::string::npos);
  EXPECT_NE(error_of_text("<html/>").find("<html>"), std::string::npos);
}

// Entities declared in the file are expanded, in attributes and between elements.
TEST(SvgLoader, ReplacesItsOwnEntities) {
  const std::string head =
      "<?xml version='1.0'?><!-- <!DOCTYPE svg [<!ENTITY st0 'fill:blue'>]> --><!DOCTYPE svg "
      "PUBLIC "
      "'-//W3C//DTD SVG 1.1//EN' 'svg11.dtd' [<!-- <!ENTITY st0 'fill:blue'> --><?x <!ENTITY st0 "
      "'fill:blue'>?>\n<!ELEMENT a (b)><!ATTLIST a b CDATA '>'>%other;<!ENTITY % st0 'fill:blue'>"
      "<!ENTITY st0 \"fill:&c;;stroke:none\" ><!ENTITY st0 'fill:blue'><!ENTITY c 'red'>"
      "<!ENTITY ns 'http://www.w3.org/2000/svg'><!ENTITY quote '\"&c;>&lt;'>"
      "<!ENTITY shape '<circle id=\"in\" r=\".5\" fill=\"&c;\"/>'><!ENTITY empty ''>]>"
      "<svg xmlns='&ns;' viewBox='-1 -1 2 2'>";
  const auto read = [&head](const std::string& text) { return read_text(head + text + "</svg>"); };
  const auto fill = [&read](const std::string& text) { return only_path(read(text)).fill; };
  EXPECT_EQ(fill("<circle r='1' style='&st0;'/>"), 0xff0000ffU);
  EXPECT_EQ(fill("<circle r='1' fill='&c;'/>"), 0xff0000ffU);
  EXPECT_EQ(fill("<circle r='1&empty;' fill='&#114;&#x65;d'/>"), 0xff0000ffU);
  EXPECT_EQ(fill("&shape;<!-- &shape; --><?a &shape;?><title><![CDATA[&shape;]]></title>"),
            0xff0000ffU);
  EXPECT_EQ(read("<circle r='1' id='&amp;c; &quote;'/>").picture.names[1], "&c; \"red><");
  EXPECT_EQ(read("<circle r='1' id='&none; & &c'/>").picture.names[1], "&none; & &c");
  EXPECT_TRUE(read("<circle r='1' style='&st0;'/>&shape;").warnings.empty());
  EXPECT_NE(error_of_text(head + "\n\n<g>").find("a.svg:4"), std::string::npos);
}

// No other file is opened, and there are limits.
TEST(SvgLoader, EntitiesHaveLimits) {
  std::string laughs = "<!DOCTYPE svg [<!ENTITY l0 'M0 0L1 1H0z'>";
  for (int i = 1; i < 30; ++i) {
    laughs += "<!ENTITY l" + std::to_string(i) + " '";
    for (int k = 0; k < 10; ++k) laughs += "&l" + std::to_string(i - 1) + ";";
    laughs += "'>";
  }
  laughs += "<!ENTITY wide '" + std::string(3000, ' ') + "'>";
  laughs += "<!ENTITY self 'a&self;'><!ENTITY file SYSTEM 'file:///etc/passwd'>]>";
  const auto path = [](const std::string& id, const std::string& data) {
    return "<path id='" + id + "' d='" + data + "'/>";
  };
  const Mesh mesh = read_text(laughs + "<svg viewBox='0 0 1 1'>" + path("&file;", "M0 0L1 1H0z") +
                              path("&self;", "&l0;") + path("deep", "&l29;") + "</svg>");
  ASSERT_EQ(mesh.picture.paths.size(), 3U);
  EXPECT_EQ(mesh.picture.names[1], "&file;");
  EXPECT_EQ(mesh.picture.names[2], "a&self;");
  EXPECT_EQ(count_warnings(mesh, "Entities of other files"), 1);
  EXPECT_EQ(count_warnings(mesh, "contain themselves"), 1);
  EXPECT_EQ(count_warnings(mesh, "16 levels"), 1);
  EXPECT_EQ(count_warnings(mesh, "Path data"), 1);
  // The limit holds for all references together.
  std::string many = laughs + "<svg viewBox='0 0 1 1'>";
  for (int i = 0; i < 3000; ++i) many += path("", "&wide;");
  const Mesh wide = read_text(many + path("", "M0 0L1 1H0z") + "</svg>");
  EXPECT_EQ(wide.picture.paths.size(), 2U);
  EXPECT_EQ(count_warnings(wide, "16 levels"), 1);
  for (const char* bad :
       {"<!DOCTYPE svg [", "<!DOCTYPE svg [<!ENTITY", "<!DOCTYPE svg [<!ENTITY a",
        "<!DOCTYPE svg [<!ENTITY a 'b", "<!DOCTYPE svg [<!ENTITY a 'b'>",
        "<!DOCTYPE svg [<!ENTITY a 'b'>]", "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg a='",
        "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg a='&", "<!DOCTYPE svg [<!X '",
        "<!DOCTYPE svg [<!ENTITY a '<g>'>]><svg>&a;</svg>"})
    EXPECT_FALSE(error_of_text(bad).empty()) << bad;
}

TEST(SvgLoader, DeepAndHugeFilesAreRead) {
  std::string deep = "<svg>";
  for (int i = 0; i < 100000; ++i) deep += "<g>";
  deep += "<circle r='1'/>";
  for (int i = 0; i < 100000; ++i) deep += "</g>";
  const Mesh mesh = read_text(deep + "</svg>");
  EXPECT_EQ(mesh.picture.paths.size(), 1U);
  EXPECT_EQ(count_warnings(mesh, "256"), 1);

  const std::string digits(100000, '9');
  for (const std::string& d : std::vector<std::string>{
           "M" + digits + " 0L1 1z", "M0 0L1e" + digits + " 1z", "M0 0L." + digits + " 1H1z",
           "M0 0A0 0 0 0 0 1 1A1e30 1e-30 9 1 1 0 0z", "M0 0A1e300 1e300 1e300 1 0 1e300 1 0 0z",
           "M0 0L1 1\xff\x80 2H1z", std::string(50000, 'M'), "M0 0" + std::string(50000, 'z'),
           "M0 0a1 1 0 11 0 0z"})
    expect_sound_picture(page_of("<path d='" + d + "'/>").picture);
  for (const std::string transform : {"scale(1e308) scale(1e308)", "rotate(1e300)",
                                      "matrix(0 0 0 0 0 0)", "skewX(90)", "translate(1e400)"})
    expect_sound_picture(page_of("<circle r='1' transform='" + transform + "'/>").picture);
  expect_sound_picture(read_text("<svg viewBox='0 0 1e-300 1e-300'><circle r='1'/></svg>").picture);
  expect_sound_picture(read_text("<svg viewBox='0 0 1e300 1e300'><circle r='1'/></svg>").picture);

  std::string nested = "<svg viewBox='0 0 9 9'>";
  for (int i = 0; i < 1000; ++i) nested += i % 2 == 0 ? "<switch>" : "<svg viewBox='0 0 8 8'>";
  for (int i = 999; i >= 0; --i) nested += i % 2 == 0 ? "</switch>" : "</svg>";
  EXPECT_EQ(count_warnings(read_text(nested + "</svg>"), "256"), 1);
  for (const std::string box : {"1e300 1e300", "1e-300 1e-300", "1 1e300"})
    for (const std::string transform :
         {"scale(1)", "scale(1e300)", "scale(1e-300)", "skewX(89.999)"})
      expect_sound_picture(page_of("<g transform='" + transform + "'><svg viewBox='0 0 " + box +
                                   "'><circle r='1'/><circle r='1e300'/></svg></g>")
                               .picture);

  LoadControl control;
  EXPECT_THROW(read_svg("<svg/>", "a.svg", control, {.memory = 16}), Error);
  control.cancel();
  std::string many = "<svg>";
  for (int i = 0; i < 3000; ++i) many += "<g/>";
  EXPECT_THROW(read_svg(many + "</svg>", "a.svg", control), LoadCancelled);
}

TEST(SvgLoader, FilesAreOpenedByTheirNames) {
  const TempDir dir;
  const std::string file =
      dir.write("One.SVG", "<svg viewBox='0 0 1 1'><circle r='1'/></svg>").string();
  const std::string cube = dir.write("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").string();
  const auto load_of = [](SceneDescription description) {
    LoadControl control;
    return load_meshes(description, control);
  };
  EXPECT_EQ(std::string(kind_of({.files = {{file}}}).name), "svg");
  const Mesh mesh = load_of({.files = {{file}}});
  EXPECT_TRUE(mesh.is_picture());
  EXPECT_EQ(mesh.name, "One");
  EXPECT_TRUE(load_of({.scene = "svg"}).is_picture());
  EXPECT_FALSE(load_of({.scene = "svg", .files = {{cube}}}).is_picture());
  const auto error = [&load_of](const SceneDescription& description) -> std::string {
    try {
      load_of(description);
    } catch (const Error& found) {
      return found.what();
    }
    return "";
  };
  EXPECT_NE(error({.scene = "cloth", .files = {{file}}}).find("the scene cloth takes meshes"),
            std::string::npos);
  EXPECT_NE(error({.scene = "svg", .files = {{file}, {file}}}).find("cannot be combined"),
            std::string::npos);
  Transform moved;
  moved.m[3] = 1.0F;
  EXPECT_NE(error({.scene = "svg", .files = {{file, moved}}}).find("transform"), std::string::npos);
  EXPECT_NE(error({.scene = "svg", .files = {{(dir / "none.svg").string()}}}).find("none.svg"),
            std::string::npos);
}

TEST(SvgLoader, TheEmblemIsWhole) {
  const Mesh emblem = make_emblem();
  EXPECT_TRUE(emblem.warnings.empty()) << emblem.warnings.front();
  EXPECT_GT(emblem.picture.paths.size(), 20U);
  expect_sound_picture(emblem.picture);
}

}  // namespace
}  // namespace warpview::test
