// Matrix product on tensor cores: half in, float out.
//
//   CUDA C++ Programming Guide, Warp Matrix Functions.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// A warp multiplies small matrices as a whole: 16 x 16 ones by one instruction of PTX, which is two
// of the machine code on compute capability 9.0 and more on older ones. The operands are
// fragments, matrices of 16 x 16 spread over the warp's registers in a way that the hardware keeps
// to itself: one can load, multiply, add and store them, and nothing else.
//
// Otherwise the plan is that of the tiled product. A block of four warps owns 64 x 64 elements of c
// and stages tiles of a and b in shared memory, with zeros beyond the edges; each warp owns a
// quarter, 2 x 2 fragments, so that every fragment loaded is used twice. Fragments cannot be stored
// in part: they go through shared memory, from where the elements that exist are written.

#include "gpu/primitives/matrix/element.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <mma.h>

namespace warpview::WARPVIEW_BACKEND {

namespace {

constexpr unsigned fragment = 16;  // side of a fragment
constexpr unsigned side = 64;      // of the block's tile of c
constexpr unsigned depth = 32;     // of the tiles of a and b along the inner dimension
constexpr unsigned each = 2;       // a warp owns each x each fragments
constexpr unsigned warps_across = side / (each * fragment);
constexpr unsigned threads = 32 * warps_across * warps_across;
// Rows of shared memory are a little longer than the tile: rows then begin in different banks.
constexpr unsigned padding = 8;

union Tiles {
  struct {
    __half a[side][depth + padding];
    __half b[depth][side + padding];
  } in;
  float out[side][side + padding];
};

__device__ inline __half half_or_zero(const Half* m, std::uint32_t rows, std::uint32_t columns,
                                      std::uint32_t row, std::uint32_t column) {
  const bool exists = row < rows && column < columns;
  return __ushort_as_half(exists ? m[static_cast<std::size_t>(row) * columns + column].bits
                                 : std::uint16_t{0});
}

__global__ void __launch_bounds__(threads)
    multiply_tensor_cores_kernel(const Half* a, const Half* b, float* c, std::uint32_t rows,
                                 std::uint32_t inner, std::uint32_t columns) {
  using namespace nvcuda;
  __shared__ __align__(32) unsigned char memory[sizeof(Tiles)];
  Tiles& tiles = *reinterpret_cast<Tiles*>(memory);
  const std::uint32_t first_row = blockIdx.y * side;
  const std::uint32_t first_column = blockIdx.x * side;
  const unsigned warp_row = threadIdx.x / 32 / warps_across * each * fragment;
  const unsigned warp_column = threadIdx.x / 32 % warps_across * each * fragment;

  wmma::fragment<wmma::accumulator, fragment, fragment, fragment, float> sum[each][each];
  for (auto& row : sum)
    for (auto& one : row) wmma::fill_fragment(one, 0.0F);

  for (std::uint32_t begin = 0; begin < inner; begin += depth) {
    for (unsigned i = threadIdx.x; i < side * depth; i += threads) {
      tiles.in.a[i / depth][i % depth] =
          half_or_zero(a, rows, inner, first_row + i / depth, begin + i % depth);
      tiles.in.b[i / side][i % side] =
          half_or_zero(b, inner, columns, begin + i / side, first_column + i % side);
    }
    __syncthreads();
    UNROLL
    for (unsigned k = 0; k < depth; k += fragment) {
      wmma::fragment<wmma::matrix_a, fragment, fragment, fragment, __half, wmma::row_major>
          of_a[each];
      wmma::fragment<wmma::matrix_b, fragment, fragment, fragment, __half, wmma::row_major>
          of_b[each];
      UNROLL
      for (unsigned i = 0; i < each; ++i) {
        wmma::load_matrix_sync(of_a[i], &tiles.in.a[warp_row + i * fragment][k], depth + padding);
        wmma::load_matrix_sync(of_b[i], &tiles.in.b[k][warp_column + i * fragment], side + padding);
      }
      UNROLL
      for (unsigned i = 0; i < each; ++i) {
        UNROLL
        for (unsigned j = 0; j < each; ++j) wmma::mma_sync(sum[i][j], of_a[i], of_b[j], sum[i][j]);
      }
    }
    __syncthreads();
  }

  UNROLL
  for (unsigned i = 0; i < each; ++i) {
    UNROLL
    for (unsigned j = 0; j < each; ++j)
      wmma::store_matrix_sync(&tiles.out[warp_row + i * fragment][warp_column + j * fragment],
                              sum[i][j], side + padding, wmma::mem_row_major);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < side * side; i += threads) {
    const std::uint32_t row = first_row + i / side;
    const std::uint32_t column = first_column + i % side;
    if (row < rows && column < columns)
      c[static_cast<std::size_t>(row) * columns + column] = tiles.out[i / side][i % side];
  }
}

}  // namespace

void matrix_tensor_cores(Stream& stream, const MatrixArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  if (args.type != MatrixType::f16)
    throw Error("a matrix product on tensor cores", "its elements are of 32 bits",
                "Take 16-bit elements, or another variant");
  launch(stream, KERNEL(multiply_tensor_cores_kernel),
         Shape(matrix::grid_of_tiles(args, side), dim3(threads)), static_cast<const Half*>(args.a),
         static_cast<const Half*>(args.b), args.c, args.rows, args.inner, args.columns);
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
