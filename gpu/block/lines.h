// Writes by whole lines of memory, wherever the first word lies.
#pragma once

#include "gpu/warp/warp.h"

namespace warpview::WARPVIEW_BACKEND::block {

// Calls visit(i) for each i < count, by the lanes of a warp. `out` is the address of i = 0. Each
// iteration writes one line of memory, or the part of it that lies in the range.
template <class Visit>
__device__ inline void visit_by_lines(const std::uint32_t* out, std::uint32_t count, Visit visit) {
  const auto in_line =
      static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(out) / sizeof(std::uint32_t)) %
      warp::size();
  for (std::uint32_t i = warp::lane(); i < in_line + count; i += warp::size())
    if (i >= in_line) visit(i - in_line);
}

}  // namespace warpview::WARPVIEW_BACKEND::block
