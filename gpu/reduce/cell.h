// A cell in memory that threads combine their values into by atomics, and the launches before and
// after: for atomic.cu and shuffle.cu.
#pragma once

#include "gpu/reduce/operators.h"

namespace warpview::WARPVIEW_BACKEND::reduce {

template <class Op>
__global__ void begin_cell_kernel(typename Op::Cell* cell) {
  if (threadIdx.x == 0) *cell = Op::to_cell(Op::identity());
}

template <class Op>
__global__ void end_cell_kernel(const typename Op::Cell* cell, typename Op::Value* out) {
  if (threadIdx.x == 0) *out = Op::from_cell(*cell);
}

// *out = what `kernel` combines into the cell.
template <class Op>
void through_cell(Stream& stream, const Op& op, std::uint32_t n,
                  Kernel<Op, std::uint32_t, typename Op::Cell*> kernel, Shape shape, void* out,
                  Workspace& workspace) {
  auto* cell = workspace.take<typename Op::Cell>(1);
  if (workspace.measuring()) return;
  launch(stream, KERNEL(begin_cell_kernel<Op>), Shape(1, 64), cell);
  launch(stream, kernel, shape, op, n, cell);
  launch(stream, KERNEL(end_cell_kernel<Op>), Shape(1, 64), cell,
         static_cast<typename Op::Value*>(out));
}

}  // namespace warpview::WARPVIEW_BACKEND::reduce
