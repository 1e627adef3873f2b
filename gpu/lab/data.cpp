#include "gpu/lab/data.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "gpu/runtime/error.h"

namespace warpview::lab {

const char* to_string(Distribution distribution) {
  switch (distribution) {
    case Distribution::uniform:
      return "uniform";
    case Distribution::few:
      return "few";
    case Distribution::skewed:
      return "skewed";
    case Distribution::sorted:
      return "sorted";
    case Distribution::reversed:
      return "reversed";
    case Distribution::constant:
      return "constant";
  }
  return "";
}

Distribution find_distribution(std::string_view name) {
  std::string names;
  for (const Distribution distribution : all_distributions) {
    if (name == to_string(distribution)) return distribution;
    if (!names.empty()) names += ", ";
    names += to_string(distribution);
  }
  throw Error("distribution \"" + std::string(name) + "\"", "there is no such distribution",
              "Choose one of " + names);
}

std::vector<std::uint64_t> integers(Distribution distribution, std::size_t n, int bits,
                                    std::uint64_t seed) {
  std::mt19937_64 random(seed * 6364136223846793005U + n);
  const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t one = random() & mask;
  std::uniform_real_distribution<double> exponent(0.0, static_cast<double>(bits));
  std::vector<std::uint64_t> values(n);
  for (std::uint64_t& value : values) {
    switch (distribution) {
      case Distribution::constant:
        value = one;
        break;
      case Distribution::few:
        value = random() % 5 * (mask / 5);
        break;
      case Distribution::skewed:
        value = static_cast<std::uint64_t>(std::exp2(exponent(random)) - 1.0) & mask;
        break;
      default:
        value = random() & mask;
    }
  }
  if (distribution == Distribution::sorted) std::sort(values.begin(), values.end());
  if (distribution == Distribution::reversed) std::sort(values.rbegin(), values.rend());
  return values;
}

std::vector<Aabb> boxes(Distribution distribution, std::size_t n, std::uint64_t seed) {
  const std::vector<std::uint64_t> along = integers(distribution, n, 24, seed);
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  std::uniform_real_distribution<float> place(0.0F, 1.0F);
  std::uniform_real_distribution<float> size(0.0F, 0.01F);
  std::vector<Aabb> result(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 corner{static_cast<float>(along[i]) * 0x1p-24F, place(random), place(random)};
    result[i] = {corner, corner + Vec3{size(random), size(random), size(random)}};
  }
  return result;
}

}  // namespace warpview::lab
