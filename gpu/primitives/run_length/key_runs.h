// Keys in runs: the input of the experiments of run-length encoding and reduce by key.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "gpu/lab/experiment.h"

namespace warpview::lab {

// Keys of 8 bits, or those that are given: sorted ones make long runs. A mean above 1, a power of
// two, repeats each key until it has that average count, whatever run length the distribution gives
// it; typed keys stay as they are.
inline std::vector<std::uint32_t> key_runs(const Setup& setup, std::uint32_t mean) {
  std::vector<std::uint32_t> keys(setup.n);
  if (const auto given = given_numbers(setup, words_range))
    std::copy(given->begin(), given->end(), keys.begin());
  else
    std::ranges::copy(integers(setup.distribution, setup.n, 8, setup.seed), keys.begin());
  if (mean <= 1 || setup.distribution == Distribution::typed) return keys;
  const auto begins = integers(Distribution::uniform, setup.n,
                               static_cast<int>(std::bit_width(mean - 1)), setup.seed + 2);
  for (std::size_t i = 1; i < keys.size(); ++i)
    if (begins[i] != 0) keys[i] = keys[i - 1];
  return keys;
}

}  // namespace warpview::lab
