// A page of the handbook, laid out on a surface of some width: where each piece of it is drawn.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/common/plot.h"
#include "app/handbook/figure.h"
#include "app/handbook/page.h"

namespace warpview {

enum class PageFont : std::uint8_t { regular, bold, mono };

struct PageSurface {
  float width = 0.0F;
  float em = 14.0F;  // of its font
  // Width of words in a font that is so high.
  std::function<float(PageFont font, float size, std::string_view words)> text_width;
  // A drawing by its name on the page; null: there is none.
  std::function<const Figure*(const std::string& file)> figure;
};

// Lines of words are no wider than this, in ems, so that they can be read. Tables, code and
// drawings may be.
inline constexpr float page_column = 56.0F;

struct PageLayout {
  // In one line, of one look.
  struct Words {
    PlotVertex at{};  // upper left
    float width = 0.0F;
    PageFont font = PageFont::regular;
    float size = 14.0F;
    bool italic = false;
    bool is_dim = false;
    int link = -1;  // a place in `links`; -1: none
    std::string text{};
  };
  enum class Ground : std::uint8_t { code, rule };
  struct Box {
    PlotBox box{};
    Ground ground = Ground::code;
  };
  struct Drawing {
    PlotBox box{};
    std::string file{};
    float scale = 1.0F;  // of its units
  };
  struct Anchor {
    std::string name{};
    float y = 0.0F;
  };

  float width = 0.0F;  // of the widest part, which may be wider than the surface
  float height = 0.0F;
  std::vector<Words> words{};
  std::vector<Box> boxes{};
  std::vector<Drawing> drawings{};
  std::vector<std::string> links{};  // targets; each piece of a link has the same place
  std::vector<Anchor> anchors{};     // headings, from above

  // Where the heading of that name is; none: there is none.
  std::optional<float> place_of(std::string_view anchor) const;
};

PageLayout lay_out(const Page& page, const PageSurface& surface);

// Words in lines, no wider than the surface.
PageLayout lay_out(const PageWords& words, const PageSurface& surface);

// The drawing at the page's scale, or smaller where the width has less room.
float figure_scale(const Figure& figure, float em, float width);

}  // namespace warpview
