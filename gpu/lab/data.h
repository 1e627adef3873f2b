// Input for experiments, by distribution.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gpu/runtime/vec.h"

namespace warpview::lab {

enum class Distribution {
  uniform,   // every value equally likely
  few,       // five distinct values, in any order
  skewed,    // value v with probability about 1 / v: a few values make up most
  sorted,    // uniform, ascending
  reversed,  // uniform, descending
  constant,  // one value
  // For inputs that are followed by eye (NumberRange in gpu/lab/experiment.h):
  small,  // small whole numbers, in any order
  typed,  // the numbers that the user typed
  mesh    // made from the triangles of a mesh (gpu/lab/mesh_input.h)
};
constexpr bool is_readable(Distribution distribution) {
  return distribution == Distribution::small || distribution == Distribution::typed;
}
// The distributions of random values of any size.
inline constexpr Distribution all_distributions[] = {
    Distribution::uniform, Distribution::few,      Distribution::skewed,
    Distribution::sorted,  Distribution::reversed, Distribution::constant};
inline constexpr Distribution only_uniform[] = {Distribution::uniform};

const char* to_string(Distribution distribution);
// One of all_distributions, or `small`. Error names them if there is no such distribution.
Distribution find_distribution(std::string_view name);

// The most numbers that an input of typed ones has.
inline constexpr std::size_t most_typed = 64;
// Whole numbers that are separated by commas or spaces: "8, 1, 7". Error if there is none, more
// than most_typed, or a word that is no number of 64 bits.
std::vector<std::int64_t> typed_numbers(std::string_view text);

// n unsigned integers of `bits` bits (1 to 64). `distribution` is one of all_distributions.
std::vector<std::uint64_t> integers(Distribution distribution, std::size_t n, int bits,
                                    std::uint64_t seed);
// n whole numbers in [-1000, 1000] as T: sums of up to 2^13 of them are exact in a float.
template <class T>
std::vector<T> small_numbers(Distribution distribution, std::size_t n, std::uint64_t seed) {
  const std::vector<std::uint64_t> wide = integers(distribution, n, 16, seed);
  std::vector<T> numbers(n);
  for (std::size_t i = 0; i < n; ++i)
    numbers[i] = static_cast<T>(static_cast<int>(wide[i] % 2001) - 1000);
  return numbers;
}
// Small boxes in the unit cube, with their centres distributed along x by `distribution`.
std::vector<Aabb> boxes(Distribution distribution, std::size_t n, std::uint64_t seed);

}  // namespace warpview::lab
