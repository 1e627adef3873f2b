// What is read of an SVG file, and what becomes of bad ones.
#include <gtest/gtest.h>

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
        "<g transform='scale(.1)translate(0 1)'><svg y='-1'><circle r='5'/></svg></g>"}) {
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
  EXPECT_EQ(fill_of("fill='url(#a)'"), 0x80808080U);
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
      "<path stroke='red' d='M0 0L1 1H0z'/><path fill='url(#g)' d='M0 0L1 1H0z'/>"
      "<path clip-path='url(#c)' d='M0 0L1 1H0z'/><path d='M0 0L1 1H0 nonsense'/>"
      "<path transform='nonsense' d='M0 0L1 1H0z'/><circle r='1q'/><path d='M1e300 0L1 1H0z'/>");
  EXPECT_EQ(mesh.picture.paths.size(), 6U);
  for (const char* part :
       {"style sheets", "<text> is left out (2 times, first: words)", "<use>", "<image>", "Strokes",
        "Gradients", "clip-path", "Path data", "Transforms", "Lengths", "not finite"})
    EXPECT_EQ(count_warnings(mesh, part), 1) << part;
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

// Entities stand for nothing, and no other file is opened.
TEST(SvgLoader, EntitiesAreNotExpanded) {
  std::string laughs = "<!DOCTYPE svg [<!ENTITY l0 'M0 0L1 1H0z'>";
  for (int i = 1; i < 30; ++i) {
    laughs += "<!ENTITY l" + std::to_string(i) + " '";
    for (int k = 0; k < 10; ++k) laughs += "&l" + std::to_string(i - 1) + ";";
    laughs += "'>";
  }
  laughs += "<!ENTITY file SYSTEM 'file:///etc/passwd'>]>";
  const Mesh mesh = read_text(laughs +
                              "<svg viewBox='0 0 1 1'><path d='&l29;'/><path id='&file;' "
                              "d='M0 0L1 1H0z'/></svg>");
  ASSERT_EQ(mesh.picture.paths.size(), 2U);
  EXPECT_EQ(mesh.picture.names[1], "&file;");
  EXPECT_EQ(count_warnings(mesh, "Path data"), 1);
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
  EXPECT_NE(error({.scene = "cloth", .files = {{file}}}).find("the scene cloth is made of meshes"),
            std::string::npos);
  EXPECT_NE(error({.scene = "svg", .files = {{file}, {file}}}).find("alone"), std::string::npos);
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
