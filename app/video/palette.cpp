#include "app/video/palette.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace warpview {
namespace {

constexpr int channels = 3;
constexpr std::size_t pixel_bytes = 4;

// Colours are counted by their upper bits.
constexpr unsigned kept_bits = 5;
constexpr unsigned dropped_bits = 8 - kept_bits;
constexpr std::size_t cells = std::size_t{1} << (channels * kept_bits);

std::size_t cell_of(unsigned r, unsigned g, unsigned b) {
  return ((r >> dropped_bits) << (2 * kept_bits)) | ((g >> dropped_bits) << kept_bits) |
         (b >> dropped_bits);
}

// The pixels of a cell.
struct Bin {
  double weight = 0.0;
  std::array<double, channels> mean{};
};

// Bins that share a colour.
struct Box {
  std::span<Bin> bins;
  std::array<double, channels> mean{};
  double weight = 0.0;
  double error = 0.0;    // sum of squared distances to the mean along `axis`
  std::size_t axis = 0;  // of the largest error
};

Box box_of(std::span<Bin> bins) {
  Box box{.bins = bins};
  for (const Bin& bin : bins) {
    box.weight += bin.weight;
    for (std::size_t c = 0; c < channels; ++c) box.mean[c] += bin.weight * bin.mean[c];
  }
  for (double& mean : box.mean) mean /= box.weight;
  for (std::size_t c = 0; c < channels; ++c) {
    double error = 0.0;
    for (const Bin& bin : bins) {
      const double way = bin.mean[c] - box.mean[c];
      error += bin.weight * way * way;
    }
    if (error <= box.error) continue;
    box.error = error;
    box.axis = c;
  }
  return box;
}

std::vector<Bin> bins_of(const Picture& picture, const std::vector<bool>& counts) {
  std::vector<Bin> bins(cells);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (!counts[i]) continue;
    const std::uint8_t* const pixel = &picture.rgba[pixel_bytes * i];
    Bin& bin = bins[cell_of(pixel[0], pixel[1], pixel[2])];
    bin.weight += 1.0;
    for (std::size_t c = 0; c < channels; ++c) bin.mean[c] += pixel[c];
  }
  std::erase_if(bins, [](const Bin& bin) { return bin.weight == 0.0; });
  for (Bin& bin : bins)
    for (double& mean : bin.mean) mean /= bin.weight;
  return bins;
}

// Finds the nearest colour of a palette, and caches it for each cell of a finer grid.
class Nearest {
 public:
  explicit Nearest(const std::vector<Colour8>& palette)
      : palette_(palette), known_(std::size_t{1} << (channels * bits), unknown) {}

  std::uint8_t operator()(int r, int g, int b) {
    constexpr int drop = 8 - bits;
    const auto at =
        static_cast<std::size_t>(((r >> drop) << (2 * bits)) | ((g >> drop) << bits) | (b >> drop));
    if (known_[at] == unknown) known_[at] = search(r, g, b);
    return static_cast<std::uint8_t>(known_[at]);
  }

 private:
  static constexpr int bits = 6;
  static constexpr std::int16_t unknown = -1;

  std::int16_t search(int r, int g, int b) const {
    int least = std::numeric_limits<int>::max();
    std::size_t best = 0;
    for (std::size_t i = 0; i < palette_.size(); ++i) {
      const int dr = palette_[i].r - r;
      const int dg = palette_[i].g - g;
      const int db = palette_[i].b - b;
      const int distance = dr * dr + dg * dg + db * db;
      if (distance >= least) continue;
      least = distance;
      best = i;
    }
    return static_cast<std::int16_t>(best);
  }

  const std::vector<Colour8>& palette_;
  std::vector<std::int16_t> known_;
};

}  // namespace

std::vector<Colour8> palette_of(const Picture& picture, const std::vector<bool>& counts,
                                std::size_t most) {
  std::vector<Bin> bins = bins_of(picture, counts);
  if (bins.empty()) return {Colour8{}};
  std::vector<Box> boxes = {box_of(bins)};
  while (boxes.size() < most) {
    const auto worst = std::max_element(
        boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.error < b.error; });
    if (worst->error <= 0.0) break;
    const Box box = *worst;
    const auto middle = std::partition(box.bins.begin(), box.bins.end(), [&box](const Bin& bin) {
      return bin.mean[box.axis] <= box.mean[box.axis];
    });
    const auto left = static_cast<std::size_t>(middle - box.bins.begin());
    if (left == 0 || left == box.bins.size()) break;  // all at the mean, but for rounding
    *worst = box_of(box.bins.first(left));
    boxes.push_back(box_of(box.bins.subspan(left)));
  }
  std::vector<Colour8> palette;
  palette.reserve(boxes.size());
  const auto byte = [](double value) { return static_cast<std::uint8_t>(std::lround(value)); };
  for (const Box& box : boxes)
    palette.push_back({byte(box.mean[0]), byte(box.mean[1]), byte(box.mean[2])});
  return palette;
}

std::vector<std::uint8_t> dithered(const Picture& picture, const std::vector<bool>& counts,
                                   const PixelArea& area, const std::vector<Colour8>& palette,
                                   std::uint8_t other) {
  Nearest nearest(palette);
  const auto width = static_cast<std::size_t>(area.width);
  std::vector<std::uint8_t> indices(width * static_cast<std::size_t>(area.height), other);
  // Diffused error in sixteenths of a level, of this row and the next, with a pixel more at both
  // ends.
  using Row = std::vector<std::array<int, channels>>;
  Row now(width + 2);
  Row next(width + 2);
  constexpr int whole = 16;
  for (int y = 0; y < area.height; ++y) {
    std::fill(next.begin(), next.end(), std::array<int, channels>{});
    for (std::size_t x = 0; x < width; ++x) {
      const std::size_t pixel =
          static_cast<std::size_t>(area.top + y) * static_cast<std::size_t>(picture.width) +
          static_cast<std::size_t>(area.left) + x;
      if (!counts[pixel]) continue;
      std::array<int, channels> wanted{};
      for (std::size_t c = 0; c < channels; ++c)
        wanted[c] =
            std::clamp(picture.rgba[pixel_bytes * pixel + c] + now[x + 1][c] / whole, 0, 255);
      const std::uint8_t index = nearest(wanted[0], wanted[1], wanted[2]);
      indices[static_cast<std::size_t>(y) * width + x] = index;
      const Colour8 given = palette[index];
      const std::array<int, channels> left = {wanted[0] - given.r, wanted[1] - given.g,
                                              wanted[2] - given.b};
      for (std::size_t c = 0; c < channels; ++c) {
        now[x + 2][c] += 7 * left[c];
        next[x][c] += 3 * left[c];
        next[x + 1][c] += 5 * left[c];
        next[x + 2][c] += left[c];
      }
    }
    now.swap(next);
  }
  return indices;
}

}  // namespace warpview
