// Matrix product, one thread per element.
//
// CUDA C++ Programming Guide, Shared Memory (the version without it).
//
// Each thread walks along a row of a and down a column of b. Neighbouring threads read neighbouring
// elements of b and the same element of a, so loads are coalesced or broadcast. But each element of
// a is loaded `columns` times and each of b `rows` times: two loads for every multiplication. The
// caches serve most of them, and the product is bound by loads, not by arithmetic.

#include "gpu/primitives/matrix/element.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned block_side = tile_extent(16, 8);  // per block: 16 x 16 elements of c

template <class In, class Out>
__global__ void __launch_bounds__(block_side* block_side)
    multiply_naive_kernel(const In* a, const In* b, Out* c, std::uint32_t rows, std::uint32_t inner,
                          std::uint32_t columns) {
  const std::uint32_t row = blockIdx.y * block_side + threadIdx.y;
  const std::uint32_t column = blockIdx.x * block_side + threadIdx.x;
  if (row >= rows || column >= columns) return;
  matrix::SumOf<Out> sum = 0;
  for (std::uint32_t k = 0; k < inner; ++k)
    sum += matrix::number(a[static_cast<std::size_t>(row) * inner + k]) *
           matrix::number(b[static_cast<std::size_t>(k) * columns + column]);
  matrix::store(&c[static_cast<std::size_t>(row) * columns + column], sum);
}

}  // namespace

void matrix_naive(Stream& stream, const MatrixArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  matrix::with_type<MatrixTrait::all>(
      args, [&]<class In, class Out>(const In* a, const In* b, Out* c) {
        launch(stream, KERNEL(multiply_naive_kernel<In, Out>),
               Shape(matrix::grid_of_tiles(args, block_side), dim3(block_side, block_side)), a, b,
               c, args.rows, args.inner, args.columns);
      });
}

}  // namespace warpview::WARPVIEW_BACKEND
