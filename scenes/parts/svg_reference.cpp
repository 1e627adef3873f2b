#include "scenes/parts/svg_reference.h"

#include <algorithm>
#include <limits>

#include "gpu/applications/svg_edges.h"

namespace warpview {
namespace {

std::int64_t svg_floor_div(std::int64_t a, std::int64_t b) {
  const std::int64_t quotient = a / b;
  return quotient * b > a ? quotient - 1 : quotient;
}

// Which samples of a rectangle are inside.
class SvgInside {
 public:
  // Tiles [column, column + columns) x [row, row + rows).
  SvgInside(const SvgView& view, std::uint32_t column, std::uint32_t row, std::uint32_t columns,
            std::uint32_t rows)
      : along_(svg_tile * view.side),
        left_(column * along_),
        top_(row * along_),
        width_(std::min(columns * along_, view.width * view.side - left_)),
        height_(std::min(rows * along_, view.height * view.side - top_)),
        winding_(std::size_t{width_ + 1} * height_, 0) {}

  // Notes by how much the winding number changes to the right of an edge, in each row that it
  // crosses: from the first sample on that is not left of where it does.
  void add(const SvgEdge& edge) {
    const std::int64_t unit = svg_unit;
    const std::int64_t middle = unit / 2;
    const bool is_down = edge.by > edge.ay;
    const std::int64_t low = std::min(edge.ay, edge.by);
    const std::int64_t high = std::max(edge.ay, edge.by);
    // Rows whose samples' y is at least `low` and less than `high`.
    const std::int64_t first = std::max(svg_floor_div(low - middle + unit - 1, unit), top());
    const std::int64_t end =
        std::min(svg_floor_div(high - middle + unit - 1, unit), top() + height());
    for (std::int64_t row = first; row < end; ++row) {
      const std::int64_t y = row * unit + middle;
      std::int64_t dx = edge.bx - edge.ax;
      std::int64_t dy = edge.by - edge.ay;
      if (dy < 0) {
        dx = -dx;
        dy = -dy;
      }
      const std::int64_t at = edge.ay > edge.by ? edge.by : edge.ay;
      const std::int64_t from = edge.ay > edge.by ? edge.bx : edge.ax;
      // Where it crosses, rounded up: samples with no smaller x are right of it.
      const std::int64_t x = from - svg_floor_div(-(y - at) * dx, dy);
      const std::int64_t sample =
          std::clamp<std::int64_t>(svg_floor_div(x - middle + unit - 1, unit) - left_, 0, width_);
      winding_[static_cast<std::size_t>(row - top_) * (width_ + 1) +
               static_cast<std::size_t>(sample)] += is_down ? 1 : -1;
    }
  }
  void sum() {
    for (std::size_t i = 1; i < winding_.size(); ++i)
      if (i % (width_ + 1) != 0) winding_[i] += winding_[i - 1];
  }

  // Coverage mask of a tile.
  std::array<std::uint32_t, svg_mask_words(4)> mask(std::uint32_t column, std::uint32_t row,
                                                    SvgRule rule) const {
    std::array<std::uint32_t, svg_mask_words(4)> mask{};
    for (std::uint32_t y = 0; y < along_; ++y)
      for (std::uint32_t x = 0; x < along_; ++x) {
        const std::uint32_t at_x = column * along_ + x - left_;
        const std::uint32_t at_y = row * along_ + y - top_;
        if (at_x >= width_ || at_y >= height_) continue;
        const std::int32_t winding = winding_[std::size_t{at_y} * (width_ + 1) + at_x];
        const std::uint32_t sample = y * along_ + x;
        if (rule == SvgRule::even_odd ? winding % 2 != 0 : winding != 0)
          mask[sample / 32] |= 1U << sample % 32;
      }
    return mask;
  }

 private:
  std::int64_t top() const { return top_; }
  std::int64_t height() const { return height_; }

  std::uint32_t along_;  // samples along a tile's side
  std::uint32_t left_, top_, width_, height_;
  std::vector<std::int32_t> winding_;
};

class SvgOneByOne {
 public:
  SvgOneByOne(const SvgView& view, SvgReference& result) : view_(view), result_(result) {}

  void add(std::uint32_t number, const SvgPath& path, const SvgEdgesOfPath& of) {
    result_.edges += of.edges.size();
    const std::int64_t units = svg_tile_units(view_);
    const auto within = [units](std::int64_t at, std::int64_t count) {
      return std::clamp<std::int64_t>(svg_floor_div(at, units), 0, count - 1);
    };
    const SvgOutline& box = of.outline;
    if (of.edges.empty() || box.high_x < 0 || box.high_y < 0 ||
        box.low_x >= units * view_.columns || box.low_y >= units * view_.rows)
      return;
    const auto column = static_cast<std::uint32_t>(within(box.low_x, view_.columns));
    const auto row = static_cast<std::uint32_t>(within(box.low_y, view_.rows));
    const auto columns = static_cast<std::uint32_t>(within(box.high_x, view_.columns)) - column + 1;
    const auto rows = static_cast<std::uint32_t>(within(box.high_y, view_.rows)) - row + 1;
    SvgInside inside(view_, column, row, columns, rows);
    for (const SvgEdge& edge : of.edges) inside.add(edge);
    inside.sum();
    path_ = number;
    rule_ = path.rule;
    inside_ = &inside;
    if (columns == 1 && rows == 1)
      rasterise(of.edges, column, row, columns, rows, 0);
    else
      cut(of.edges, column, row, columns, rows, 0);
  }

 private:
  void cut(const std::vector<SvgEdge>& edges, std::uint32_t column, std::uint32_t row,
           std::uint32_t columns, std::uint32_t rows, std::uint32_t level) {
    const SvgCut how = svg_cut(columns, rows);
    ++result_.executed[static_cast<std::size_t>(how.work)];
    for (std::uint32_t y = 0; y < rows; y += how.height)
      for (std::uint32_t x = 0; x < columns; x += how.width)
        cell(edges, column + x, row + y, std::min(how.width, columns - x),
             std::min(how.height, rows - y), how, level + 1);
  }
  void cell(const std::vector<SvgEdge>& edges, std::uint32_t column, std::uint32_t row,
            std::uint32_t columns, std::uint32_t rows, const SvgCut& how, std::uint32_t level) {
    const auto units = static_cast<std::int32_t>(svg_tile_units(view_));
    const auto x = static_cast<std::int32_t>(column) * units;
    const auto y = static_cast<std::int32_t>(row) * units;
    std::vector<SvgEdge> touching;
    for (const SvgEdge& edge : edges)
      if (svg_touches(edge, x, y, x + static_cast<std::int32_t>(how.width) * units,
                      y + static_cast<std::int32_t>(how.height) * units))
        touching.push_back(edge);
    if (!touching.empty() && (columns > 1 || rows > 1))
      return cut(touching, column, row, columns, rows, level);
    rasterise(touching, column, row, columns, rows, level);
  }
  // Tiles that are full, or empty, where no edge touches them; else one.
  void rasterise(const std::vector<SvgEdge>& touching, std::uint32_t column, std::uint32_t row,
                 std::uint32_t columns, std::uint32_t rows, std::uint32_t level) {
    if (!touching.empty()) ++result_.executed[static_cast<std::size_t>(SvgWork::fine)];
    for (std::uint32_t j = 0; j < rows; ++j)
      for (std::uint32_t i = 0; i < columns; ++i) {
        const SvgCoverage found{svg_key((row + j) * view_.columns + column + i, path_), level,
                                static_cast<std::uint32_t>(touching.size()),
                                inside_->mask(column + i, row + j, rule_)};
        if (std::any_of(found.mask.begin(), found.mask.end(), [](auto word) { return word != 0; }))
          result_.covered.push_back(found);
      }
  }

  const SvgView& view_;
  SvgReference& result_;
  std::uint32_t path_ = 0;
  SvgRule rule_{};
  const SvgInside* inside_ = nullptr;
};

}  // namespace

SvgEdgesOfPath svg_edges_of(const SvgPath& path, std::span<const SvgSegment> segments,
                            const SvgView& view) {
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  SvgEdgesOfPath of{{}, {0, 0, most, most, least, least}};
  for (const SvgSegment& segment : segments.subspan(path.first, path.count))
    svg_each_edge(
        view, segment, {}, [&](const SvgEdge& edge) { of.edges.push_back(edge); },
        [&](std::int32_t x, std::int32_t y) {
          SvgOutline& box = of.outline;
          box.low_x = std::min(box.low_x, x);
          box.low_y = std::min(box.low_y, y);
          box.high_x = std::max(box.high_x, x);
          box.high_y = std::max(box.high_y, y);
        });
  of.outline.count = static_cast<std::uint32_t>(of.edges.size());
  return of;
}

SvgReference svg_one_by_one(std::span<const SvgPath> paths, std::span<const SvgSegment> segments,
                            const SvgView& view) {
  SvgReference result;
  SvgOneByOne all(view, result);
  for (std::uint32_t i = 0; i < paths.size(); ++i) {
    const SvgEdgesOfPath of = svg_edges_of(paths[i], segments, view);
    if (i < view.first)
      result.edges += of.edges.size();
    else
      all.add(i, paths[i], of);
  }
  std::sort(result.covered.begin(), result.covered.end(),
            [](const SvgCoverage& a, const SvgCoverage& b) { return a.key < b.key; });
  return result;
}

SvgCoverage svg_coverage(const SvgView& view, std::uint64_t key, const SvgRecord& record,
                         const std::uint32_t* mask) {
  SvgCoverage found{key, record.level, record.edges, {}};
  if (record.mask != svg_full) {
    std::copy_n(mask, svg_mask_words(view.side), found.mask.begin());
    return found;
  }
  const auto tile = static_cast<std::uint32_t>(key >> 20U);
  const std::uint32_t along = svg_tile * view.side;
  const std::uint32_t width = std::min(along, view.width * view.side - tile % view.columns * along);
  const std::uint32_t height =
      std::min(along, view.height * view.side - tile / view.columns * along);
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x)
      found.mask[(y * along + x) / 32] |= 1U << (y * along + x) % 32;
  return found;
}

std::vector<std::uint32_t> svg_pixels(std::span<const SvgCoverage> covered,
                                      std::span<const SvgPath> paths, const SvgView& view) {
  std::vector<std::uint32_t> pixels(std::size_t{view.width} * view.height);
  const std::uint32_t along = svg_tile * view.side;
  std::size_t first = 0;
  for (std::uint32_t tile = 0; tile < view.columns * view.rows; ++tile) {
    std::size_t end = first;
    std::uint32_t edges = 0;
    while (end < covered.size() && covered[end].key < svg_key(tile + 1, 0))
      edges += covered[end++].edges;
    for (std::uint32_t i = 0; i < svg_tile * svg_tile; ++i) {
      const std::uint32_t x = i % svg_tile;
      const std::uint32_t y = i / svg_tile;
      const std::uint32_t pixel_x = tile % view.columns * svg_tile + x;
      const std::uint32_t pixel_y = tile / view.columns * svg_tile + y;
      if (pixel_x >= view.width || pixel_y >= view.height) continue;
      SvgPaint sum{0.0F, 0.0F, 0.0F, 0.0F};
      for (std::uint32_t k = 0; k < view.side * view.side; ++k) {
        const std::uint32_t sample =
            (y * view.side + k / view.side) * along + x * view.side + k % view.side;
        SvgPaint paint{0.0F, 0.0F, 0.0F, 0.0F};
        for (std::size_t at = first; at < end; ++at) {
          if ((covered[at].mask[sample / 32] >> sample % 32 & 1U) == 0) continue;
          const auto path = static_cast<std::uint32_t>(covered[at].key & (svg_most_paths - 1));
          svg_paint_over(paint, svg_paint(svg_record_colour(view.colouring, paths[path].fill, path,
                                                            covered[at].level)));
        }
        sum = {sum.red + paint.red, sum.green + paint.green, sum.blue + paint.blue,
               sum.alpha + paint.alpha};
      }
      pixels[std::size_t{pixel_y} * view.width + pixel_x] =
          view.colouring == SvgColouring::edges ? svg_edges_colour(edges)
                                                : svg_pixel(sum, view.side * view.side);
    }
    first = end;
  }
  return pixels;
}

}  // namespace warpview
