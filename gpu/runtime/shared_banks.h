// How shared memory serves the lanes of a warp. Banks are 4 bytes wide, and successive words lie in
// successive banks. As many lanes are served together as there are banks, fewer where each asks for
// several words. Words of one bank are served one after the other. A word that several lanes ask
// for is served once, unless each of them changes it. docs/counters.md describes it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace warpview {

inline constexpr unsigned bank_bytes = 4;
inline constexpr unsigned most_banks = 32;

// One lane's part of an instruction of its warp.
struct LaneAccess {
  unsigned lane = 0;
  std::uint64_t address = 0;  // in bytes
};

struct BankCost {
  std::uint64_t turns = 0;  // transactions
  unsigned degree = 0;      // of conflict: the most turns that lanes served together need
};

// A word at the time when its bank serves it.
struct ServedWord {
  std::uint64_t word = 0;                 // its address over bank_bytes
  unsigned first_lane = 0, end_lane = 0;  // it serves lanes of these numbers alone
  std::uint64_t turn = 0;                 // from 0, since the instruction began
};

// The lanes' accesses by ascending lane, each of `bytes`. Calls served(ServedWord) for each word,
// or for each lane that changes it.
template <class Served>
BankCost serve_from_banks(std::span<const LaneAccess> accesses, unsigned bytes, bool is_atomic,
                          unsigned banks, Served&& served) {
  const unsigned together = std::max(1U, banks * bank_bytes / std::max(bank_bytes, bytes));
  BankCost cost;
  std::vector<std::uint64_t> words;
  for (std::size_t i = 0; i < accesses.size();) {
    const unsigned group = accesses[i].lane / together;
    words.clear();
    for (; i < accesses.size() && accesses[i].lane / together == group; ++i)
      for (std::uint64_t word = accesses[i].address / bank_bytes;
           word <= (accesses[i].address + bytes - 1) / bank_bytes; ++word)
        words.push_back(word);
    if (!is_atomic) {
      std::sort(words.begin(), words.end());
      words.erase(std::unique(words.begin(), words.end()), words.end());
    }
    std::array<unsigned, most_banks> in_bank{};
    unsigned degree = 0;
    for (const std::uint64_t word : words) {
      const unsigned turn = in_bank[word % banks]++;
      served(ServedWord{word, group * together, (group + 1) * together, cost.turns + turn});
      degree = std::max(degree, turn + 1);
    }
    cost.turns += degree;
    cost.degree = std::max(cost.degree, degree);
  }
  return cost;
}

}  // namespace warpview
