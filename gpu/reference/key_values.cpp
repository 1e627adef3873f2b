#include "gpu/reference/key_values.h"

#include <algorithm>
#include <functional>

namespace warpview::reference {

namespace {

std::uint32_t part_of_key(std::uint64_t key) { return Parts::of_hash(key * 0x9e3779b97f4a7c15ULL); }

}  // namespace

KeyValues::KeyValues(std::span<const std::uint64_t> keys,
                     const std::function<void(Map&, std::uint32_t)>& add, Cores cores) {
  if (!takes_all(cores, keys.size())) {
    maps_.resize(1);
    for (std::uint32_t i = 0; i < keys.size(); ++i) add(maps_.front(), i);
    return;
  }
  maps_.resize(Parts::count);
  const Parts parts(
      keys.size(), [&](std::uint32_t i) { return part_of_key(keys[i]); }, cores);
  for_each_task(
      Parts::count,
      [&](std::size_t part) {
        for (const std::uint32_t i : parts.part(part)) add(maps_[part], i);
      },
      true);
}

std::size_t KeyValues::map_of(std::uint64_t key) const {
  return maps_.size() == 1 ? 0 : part_of_key(key);
}

std::optional<std::uint32_t> KeyValues::find(std::uint64_t key) const {
  const Map& map = maps_[map_of(key)];
  const auto found = map.find(key);
  if (found == map.end()) return std::nullopt;
  return found->second;
}

KeyValues::Pairs KeyValues::pairs() const {
  std::vector<std::size_t> begin(maps_.size() + 1);
  for (std::size_t i = 0; i < maps_.size(); ++i) begin[i + 1] = begin[i] + maps_[i].size();
  Pairs result(begin.back());
  for_each_task(
      maps_.size(),
      [&](std::size_t i) {
        std::copy(maps_[i].begin(), maps_[i].end(),
                  result.begin() + static_cast<std::ptrdiff_t>(begin[i]));
      },
      maps_.size() > 1);
  sort_items(result.begin(), result.end(), std::less<>());
  return result;
}

}  // namespace warpview::reference
