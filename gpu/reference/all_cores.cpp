#include "gpu/reference/all_cores.h"

#include <tbb/parallel_for.h>

#include "gpu/runtime/cpu/interruption.h"

namespace warpview::reference {

void for_each_block(std::size_t n, const std::function<void(std::size_t, std::size_t)>& work,
                    Cores cores) {
  const std::size_t blocks = (n + block_items - 1) / block_items;
  const Interruptible* const interruptible = Interruptible::here();
  const auto one = [&](std::size_t block) {
    if (interruptible) interruptible->ask();
    work(block * block_items, std::min(n, (block + 1) * block_items));
  };
  if (takes_all(cores, n))
    tbb::parallel_for(std::size_t{0}, blocks, one);
  else
    for (std::size_t block = 0; block < blocks; ++block) one(block);
}

}  // namespace warpview::reference
