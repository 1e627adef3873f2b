// A map from keys to values for references: one std::unordered_map or, for very many items, one for
// each part of the keys by hash; all cores fill these at once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gpu/reference/all_cores.h"

namespace warpview::reference {

class KeyValues {
 public:
  using Map = std::unordered_map<std::uint64_t, std::uint32_t>;
  using Pairs = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

  // Calls add(map, i) for the number i of each key, where `map` is the one for keys[i]; calls for
  // equal keys come in order.
  KeyValues(std::span<const std::uint64_t> keys,
            const std::function<void(Map&, std::uint32_t)>& add,
            Cores cores = Cores::as_many_as_pay);

  std::optional<std::uint32_t> find(std::uint64_t key) const;
  // All entries, by key.
  Pairs pairs() const;

 private:
  std::size_t map_of(std::uint64_t key) const;

  std::vector<Map> maps_;  // one, or one per part
};

}  // namespace warpview::reference
