#include "gpu/reference/all_cores.h"

#include <tbb/parallel_for.h>

#include "gpu/runtime/cpu/interruption.h"

namespace warpview::reference {

void for_each_task(std::size_t tasks, const std::function<void(std::size_t)>& work, bool at_once) {
  const Interruptible* const interruptible = Interruptible::here();
  const auto one = [&](std::size_t task) {
    if (interruptible) interruptible->ask();
    work(task);
  };
  if (at_once)
    tbb::parallel_for(std::size_t{0}, tasks, one);
  else
    for (std::size_t task = 0; task < tasks; ++task) one(task);
}

void for_each_block(std::size_t n, const std::function<void(std::size_t, std::size_t)>& work,
                    Cores cores) {
  for_each_task(
      (n + block_items - 1) / block_items,
      [&](std::size_t block) { work(block * block_items, std::min(n, (block + 1) * block_items)); },
      takes_all(cores, n));
}

// A counting sort: each block counts its items of each part, a scan over the counts of all blocks
// gives places, and each block stores its items there.
Parts::Parts(std::size_t n, const std::function<std::uint32_t(std::uint32_t)>& part_of, Cores cores)
    : numbers_(n), begin_(count + 1) {
  const std::size_t blocks = (n + block_items - 1) / block_items;
  std::vector<std::uint32_t> place(blocks * count);  // [blocks, parts]
  for_each_block(
      n,
      [&](std::size_t begin, std::size_t end) {
        std::uint32_t* const counts = &place[begin / block_items * count];
        for (std::size_t i = begin; i < end; ++i) ++counts[part_of(static_cast<std::uint32_t>(i))];
      },
      cores);
  std::uint32_t sum = 0;
  for (std::size_t part = 0; part < count; ++part) {
    begin_[part] = sum;
    for (std::size_t block = 0; block < blocks; ++block)
      sum += std::exchange(place[block * count + part], sum);
  }
  begin_[count] = sum;
  for_each_block(
      n,
      [&](std::size_t begin, std::size_t end) {
        std::uint32_t* const places = &place[begin / block_items * count];
        for (std::size_t i = begin; i < end; ++i) {
          const auto number = static_cast<std::uint32_t>(i);
          numbers_[places[part_of(number)]++] = number;
        }
      },
      cores);
}

std::string first_complaint(std::size_t n, const std::function<std::string(std::size_t)>& check,
                            Cores cores) {
  std::vector<std::string> first((n + block_items - 1) / block_items);
  for_each_block(
      n,
      [&](std::size_t begin, std::size_t end) {
        std::string& complaint = first[begin / block_items];
        for (std::size_t i = begin; i < end && complaint.empty(); ++i) complaint = check(i);
      },
      cores);
  const auto any =
      std::find_if(first.begin(), first.end(), [](const auto& text) { return !text.empty(); });
  return any == first.end() ? "" : *any;
}

}  // namespace warpview::reference
