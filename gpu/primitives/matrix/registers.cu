// Matrix product, tiled in shared memory and again in registers.
//
// V. Volkov, J. Demmel, "Benchmarking GPUs to Tune Dense Linear Algebra", SC 2008.
//
// With a tile in shared memory, the product is bound by reading it: two loads for every
// multiplication. Here a thread computes 4 x 4 elements of c at once. For each step of the inner
// dimension it loads 4 elements of a and 4 of b into registers and makes 16 products of them, half
// a load for each. The block's tile grows to 64 x 64, so that a and b are fetched from memory 64
// times less often than by the naive product.

#include "gpu/primitives/matrix/element.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned c_side = tile_extent(64, 16);    // of the tile of c
constexpr unsigned slice = tile_extent(16, 8);      // of a and b, along the inner dimension
constexpr unsigned per_thread = tile_extent(4, 2);  // a thread's elements, in each direction
constexpr unsigned across = c_side / per_thread;
constexpr unsigned registers_threads = across * across;

template <class T>
__global__ void __launch_bounds__(registers_threads)
    multiply_registers_kernel(const T* a, const T* b, float* c, std::uint32_t rows,
                              std::uint32_t inner, std::uint32_t columns) {
  // a is stored transposed, so that a thread's elements of a step lie in one row. The extra column
  // keeps a warp's stores, a row apart, from conflicting in one bank.
  __shared__ float tile_a[slice][c_side + 1];
  __shared__ float tile_b[slice][c_side];
  const std::uint32_t first_row = blockIdx.y * c_side;
  const std::uint32_t first_column = blockIdx.x * c_side;
  const unsigned x = threadIdx.x % across;
  const unsigned y = threadIdx.x / across;

  float sum[per_thread][per_thread] = {};
  for (std::uint32_t begin = 0; begin < inner; begin += slice) {
    for (unsigned i = threadIdx.x; i < c_side * slice; i += registers_threads) {
      tile_a[i % slice][i / slice] =
          matrix::element(a, rows, inner, first_row + i / slice, begin + i % slice);
      tile_b[i / c_side][i % c_side] =
          matrix::element(b, inner, columns, begin + i / c_side, first_column + i % c_side);
    }
    __syncthreads();
    UNROLL
    for (unsigned k = 0; k < slice; ++k) {
      float of_a[per_thread];
      float of_b[per_thread];
      // A thread's rows and columns are `across` apart: neighbours read neighbouring banks.
      UNROLL
      for (unsigned i = 0; i < per_thread; ++i) {
        of_a[i] = tile_a[k][y + i * across];
        of_b[i] = tile_b[k][x + i * across];
      }
      UNROLL
      for (unsigned i = 0; i < per_thread; ++i) {
        UNROLL
        for (unsigned j = 0; j < per_thread; ++j) sum[i][j] += of_a[i] * of_b[j];
      }
    }
    __syncthreads();
  }

  UNROLL
  for (unsigned i = 0; i < per_thread; ++i) {
    UNROLL
    for (unsigned j = 0; j < per_thread; ++j) {
      const std::uint32_t row = first_row + y + i * across;
      const std::uint32_t column = first_column + x + j * across;
      if (row < rows && column < columns)
        c[static_cast<std::size_t>(row) * columns + column] = sum[i][j];
    }
  }
}

}  // namespace

void matrix_registers(Stream& stream, const MatrixArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  constexpr unsigned types = MatrixTrait::f32 | MatrixTrait::f16;
  matrix::with_type<types>(args, [&]<class T>(const T* a, const T* b, float* c) {
    launch(stream, KERNEL(multiply_registers_kernel<T>),
           Shape(matrix::grid_of_tiles(args, c_side), dim3(registers_threads)), a, b, c, args.rows,
           args.inner, args.columns);
  });
}

}  // namespace warpview::WARPVIEW_BACKEND
