// How colours look, and how far apart they are, for viewers with full or reduced colour vision.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace warpview {

using Rgb = std::array<double, 3>;  // linear, from 0 to 1

// The colour that displays show for an sRGB value from 0 to 1.
inline Rgb decoded(Rgb c) {
  for (double& x : c) x = x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4);
  return c;
}

inline double luminance(const Rgb& c) { return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]; }

// The contrast ratio of the Web Content Accessibility Guidelines.
inline double contrast(const Rgb& a, const Rgb& b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

inline Rgb times(const std::array<Rgb, 3>& matrix, const Rgb& v) {
  Rgb result{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) result[i] += matrix[i][j] * v[j];
  return result;
}

// Viewers with all receptors, or without those for red, green or blue (Machado, Oliveira and
// Fernandes 2009).
inline constexpr std::array<std::array<Rgb, 3>, 4> eyes = {{{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                                            {{{0.152286, 1.052583, -0.204868},
                                                              {0.114503, 0.786281, 0.099216},
                                                              {-0.003882, -0.048116, 1.051998}}},
                                                            {{{0.367322, 0.860646, -0.227968},
                                                              {0.280085, 0.672501, 0.047413},
                                                              {-0.011820, 0.042940, 0.968881}}},
                                                            {{{1.255528, -0.076749, -0.178779},
                                                              {-0.078411, 0.930809, 0.147602},
                                                              {0.004733, 0.691367, 0.303900}}}}};

// In the Oklab space (Ottosson 2020), where distances are perceptual.
inline Rgb oklab(Rgb c) {
  for (double& x : c) x = std::clamp(x, 0.0, 1.0);
  Rgb lms = times({{{0.4122214708, 0.5363325363, 0.0514459929},
                    {0.2119034982, 0.6806995451, 0.1073969566},
                    {0.0883024619, 0.2817188376, 0.6299787005}}},
                  c);
  for (double& x : lms) x = std::cbrt(x);
  return times({{{0.2104542553, 0.7936177850, -0.0040720468},
                 {1.9779984951, -2.4285922050, 0.4505937099},
                 {0.0259040371, 0.7827717662, -0.8086757660}}},
               lms);
}

// The viewer for whom two colours look most alike.
inline double least_distance(const Rgb& a, const Rgb& b) {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& eye : eyes) {
    const Rgb one = oklab(times(eye, a));
    const Rgb other = oklab(times(eye, b));
    least = std::min(least, std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]));
  }
  return least;
}

}  // namespace warpview
