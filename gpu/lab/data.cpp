#include "gpu/lab/data.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <random>
#include <string>

#include "gpu/reference/all_cores.h"
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
    case Distribution::small:
      return "small";
    case Distribution::typed:
      return "typed";
    case Distribution::mesh:
      return "mesh";
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
  if (name == to_string(Distribution::small)) return Distribution::small;
  names += ", ";
  names += to_string(Distribution::small);
  throw Error("distribution \"" + std::string(name) + "\"", "there is no distribution of this name",
              "Choose one of " + names);
}

std::vector<std::int64_t> typed_numbers(std::string_view text) {
  const auto refuse = [&](const std::string& why) {
    throw Error("the numbers \"" + std::string(text) + "\"", why,
                "Write whole numbers with commas between them, such as 8,1,7,4,6,3,5,2");
  };
  constexpr std::string_view between = ", \t\n";
  std::vector<std::int64_t> numbers;
  for (std::size_t at = text.find_first_not_of(between); at != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(between, at), text.size());
    const std::string_view word = text.substr(at, end - at);
    std::int64_t number = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || stop != word.data() + word.size())
      refuse("\"" + std::string(word) + "\" is not a whole number");
    numbers.push_back(number);
    at = text.find_first_not_of(between, end);
  }
  if (numbers.empty()) refuse("the list has no numbers");
  if (numbers.size() > most_typed)
    refuse("there are " + std::to_string(numbers.size()) + ", and at most " +
           std::to_string(most_typed) + " are taken");
  return numbers;
}

namespace {

// Size of a block of items, so that blocks can be made side by side: the values do not depend on
// the number of cores.
std::mt19937_64 generator(std::uint64_t seed, std::size_t n, std::size_t begin) {
  const auto words = [](std::uint64_t x) {
    return std::array{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(x >> 32U)};
  };
  const auto a = words(seed);
  const auto b = words(n);
  const auto c = words(begin);
  std::seed_seq all = {a[0], a[1], b[0], b[1], c[0], c[1]};
  return std::mt19937_64(all);
}

}  // namespace

std::vector<std::uint64_t> integers(Distribution distribution, std::size_t n, int bits,
                                    std::uint64_t seed) {
  const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  const std::uint64_t one = generator(seed, n, n)() & mask;
  std::vector<std::uint64_t> values(n);
  reference::for_each_block(n, [&](std::size_t begin, std::size_t end) {
    std::mt19937_64 random = generator(seed, n, begin);
    std::uniform_real_distribution<double> exponent(0.0, static_cast<double>(bits));
    for (std::size_t i = begin; i < end; ++i) {
      switch (distribution) {
        case Distribution::constant:
          values[i] = one;
          break;
        case Distribution::few:
          values[i] = random() % 5 * (mask / 5);
          break;
        case Distribution::skewed:
          values[i] = static_cast<std::uint64_t>(std::exp2(exponent(random)) - 1.0) & mask;
          break;
        default:
          values[i] = random() & mask;
      }
    }
  });
  if (distribution == Distribution::sorted)
    reference::sort_items(values.begin(), values.end(), std::less<>());
  if (distribution == Distribution::reversed)
    reference::sort_items(values.begin(), values.end(), std::greater<>());
  return values;
}

std::vector<Aabb> boxes(Distribution distribution, std::size_t n, std::uint64_t seed) {
  const std::vector<std::uint64_t> along = integers(distribution, n, 24, seed);
  std::vector<Aabb> result(n);
  reference::for_each_block(n, [&](std::size_t begin, std::size_t end) {
    std::mt19937_64 random = generator(seed + 1, n, begin);
    std::uniform_real_distribution<float> place(0.0F, 1.0F);
    std::uniform_real_distribution<float> size(0.0F, 0.01F);
    for (std::size_t i = begin; i < end; ++i) {
      const Vec3 corner{static_cast<float>(along[i]) * 0x1p-24F, place(random), place(random)};
      result[i] = {corner, corner + Vec3{size(random), size(random), size(random)}};
    }
  });
  return result;
}

}  // namespace warpview::lab
