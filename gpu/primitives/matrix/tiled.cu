// Matrix product, tiled in shared memory.
//
// CUDA C++ Programming Guide, Shared Memory.
//
// A block owns a tile of c and steps along the inner dimension. It copies a tile of a and one of b
// into shared memory, one element of each per thread, and then every thread uses 16 of both. A
// block thus fetches an element once, not once per thread: 16 times fewer loads from memory.
//
// Where the sizes are not multiples of the tile, zeros fill the tiles at the edges, and add
// nothing. Every thread takes part in every barrier, and only elements that exist are written.

#include "gpu/primitives/matrix/element.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned tile_side = tile_extent(16, 8);

template <class T>
__global__ void __launch_bounds__(tile_side* tile_side)
    multiply_tiled_kernel(const T* a, const T* b, float* c, std::uint32_t rows, std::uint32_t inner,
                          std::uint32_t columns) {
  __shared__ float tile_a[tile_side][tile_side];
  __shared__ float tile_b[tile_side][tile_side];
  const std::uint32_t x = threadIdx.x;
  const std::uint32_t y = threadIdx.y;
  const std::uint32_t row = blockIdx.y * tile_side + y;
  const std::uint32_t column = blockIdx.x * tile_side + x;
  float sum = 0.0F;
  for (std::uint32_t begin = 0; begin < inner; begin += tile_side) {
    tile_a[y][x] = matrix::element(a, rows, inner, row, begin + x);
    tile_b[y][x] = matrix::element(b, inner, columns, begin + y, column);
    __syncthreads();  // both tiles have arrived
    UNROLL
    for (unsigned k = 0; k < tile_side; ++k) sum += tile_a[y][k] * tile_b[k][x];
    __syncthreads();  // all threads have read: the next tiles may replace them
  }
  if (row < rows && column < columns) c[static_cast<std::size_t>(row) * columns + column] = sum;
}

}  // namespace

void matrix_tiled(Stream& stream, const MatrixArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  constexpr unsigned types = MatrixTrait::f32 | MatrixTrait::f16;
  matrix::with_type<types>(args, [&]<class T>(const T* a, const T* b, float* c) {
    launch(stream, KERNEL(multiply_tiled_kernel<T>),
           Shape(matrix::grid_of_tiles(args, tile_side), dim3(tile_side, tile_side)), a, b, c,
           args.rows, args.inner, args.columns);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
