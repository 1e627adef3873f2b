// Matrix product on tensor cores, in each of the integer and float formats that CUDA offers.
//
//   CUDA C++ Programming Guide, Warp Matrix Functions: element types and matrix sizes.
//   M. Kenzel, B. Kerbl, M. Winter, M. Steinberger, "CUDA and Applications to Task-based
//   Programming", Eurographics 2021 tutorial.
//
// A warp multiplies small matrices as a whole: one PTX instruction multiplies 16 x 16 ones. The
// operands are fragments, matrices distributed over the warp's registers in an unspecified layout:
// code can load, multiply, add and store them, and nothing else. By format:
//
//   a and b          c        fragments of a and b    from
//   binary16         float    16 x 16, 16 x 16        7.0
//   binary16         binary16 16 x 16, 16 x 16        7.0
//   bytes            int32    16 x 16, 16 x 16        7.2
//   tf32 of floats   float    16 x 8,  8 x 16         8.0
//
// Otherwise this is the tiled product. A block of four warps owns 64 x 64 elements of c and stages
// tiles of a and b in shared memory, with zeros beyond the edges. Each warp owns a quarter, 2 x 2
// fragments, so that every loaded fragment is used twice. A fragment cannot be stored in part: it
// goes through shared memory, from where the elements that exist are written.
//
// In shared memory the tiles are strips as wide as a fragment. Each fragment thus begins at a
// multiple of 32 bytes, as its load requires, for any size of element. Rows are 16 bytes longer
// than the strip is wide, so that they begin in different banks.

#include "gpu/primitives/matrix/element.h"

#if defined(WARPVIEW_BACKEND_CUDA)

#include <mma.h>

namespace warpview::WARPVIEW_BACKEND {

namespace {

namespace wmma = nvcuda::wmma;

constexpr unsigned fragment = 16;  // side of a fragment of c
constexpr unsigned side = 64;      // of the block's tile of c
constexpr unsigned depth = 32;     // of the tiles of a and b along the inner dimension
constexpr unsigned each = 2;       // a warp owns each x each fragments
constexpr unsigned warps_across = side / (each * fragment);
constexpr unsigned threads = 32 * warps_across * warps_across;
constexpr unsigned padding_bytes = 16;

// A format:
//
//   In, Out          elements of a and b, and of c, in memory
//   Staged           type of a's and b's elements in shared memory
//   Element, Sum     types of the fragments' elements
//   inner_side       side of a's and b's fragments along the inner dimension
//   stage(element)   converts an element of a or b for shared memory

struct HalvesToFloats {
  using In = Half;
  using Staged = __half;
  using Element = __half;
  using Sum = float;
  using Out = float;
  static constexpr unsigned inner_side = 16;
  __device__ static __half stage(Half x) { return __ushort_as_half(x.bits); }
  __device__ static float stored(float sum) { return sum; }
};
struct HalvesToHalves : HalvesToFloats {
  using Sum = __half;
  using Out = Half;
  __device__ static Half stored(__half sum) { return {__half_as_ushort(sum)}; }
};
struct BytesToInts {
  using In = std::int8_t;
  using Staged = signed char;
  using Element = signed char;
  using Sum = int;
  using Out = std::int32_t;
  static constexpr unsigned inner_side = 16;
  __device__ static signed char stage(std::int8_t x) { return x; }
  __device__ static std::int32_t stored(int sum) { return sum; }
};
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
struct Tf32ToFloats {
  using In = matrix::Tf32;
  using Staged = float;
  using Element = wmma::precision::tf32;
  using Sum = float;
  using Out = float;
  static constexpr unsigned inner_side = 8;
  __device__ static float stage(matrix::Tf32 x) { return wmma::__float_to_tf32(x.value); }
  __device__ static float stored(float sum) { return sum; }
};
#endif

template <class Format>
union Tiles {
  static constexpr unsigned padding = padding_bytes / sizeof(typename Format::Staged);
  struct {
    typename Format::Staged a[depth / Format::inner_side][side][Format::inner_side + padding];
    typename Format::Staged b[side / fragment][depth][fragment + padding];
  } in;
  typename Format::Sum out[side][side + padding_bytes / sizeof(typename Format::Sum)];
};

// An element of the matrix, or zero outside of it.
template <class Format>
__device__ inline typename Format::Staged staged(const typename Format::In* m, std::uint32_t rows,
                                                 std::uint32_t columns, std::uint32_t row,
                                                 std::uint32_t column) {
  const bool exists = row < rows && column < columns;
  return Format::stage(exists ? m[static_cast<std::size_t>(row) * columns + column]
                              : typename Format::In{});
}

// The block's part of the product.
template <class Format>
__device__ inline void multiply_fragments(const typename Format::In* a,
                                          const typename Format::In* b, typename Format::Out* c,
                                          std::uint32_t rows, std::uint32_t inner,
                                          std::uint32_t columns) {
  constexpr unsigned inner_side = Format::inner_side;
  using FragmentOfA = wmma::fragment<wmma::matrix_a, fragment, fragment, inner_side,
                                     typename Format::Element, wmma::row_major>;
  using FragmentOfB = wmma::fragment<wmma::matrix_b, fragment, fragment, inner_side,
                                     typename Format::Element, wmma::row_major>;
  using Sums =
      wmma::fragment<wmma::accumulator, fragment, fragment, inner_side, typename Format::Sum>;
  constexpr unsigned pitch_a = sizeof(Tiles<Format>{}.in.a[0][0]) / sizeof(typename Format::Staged);
  constexpr unsigned pitch_b = sizeof(Tiles<Format>{}.in.b[0][0]) / sizeof(typename Format::Staged);
  constexpr unsigned pitch_out = sizeof(Tiles<Format>{}.out[0]) / sizeof(typename Format::Sum);

  __shared__ __align__(32) unsigned char memory[sizeof(Tiles<Format>)];
  auto& tiles = *reinterpret_cast<Tiles<Format>*>(memory);
  const std::uint32_t first_row = blockIdx.y * side;
  const std::uint32_t first_column = blockIdx.x * side;
  const unsigned warp_row = threadIdx.x / 32 / warps_across * each * fragment;
  const unsigned warp_strip = threadIdx.x / 32 % warps_across * each;

  Sums sum[each][each];
  for (auto& row : sum)
    for (auto& one : row) wmma::fill_fragment(one, typename Format::Sum(0));

  for (std::uint32_t begin = 0; begin < inner; begin += depth) {
    for (unsigned i = threadIdx.x; i < side * depth; i += threads) {
      const unsigned k = i % depth;
      const unsigned column = i % side;
      tiles.in.a[k / inner_side][i / depth][k % inner_side] =
          staged<Format>(a, rows, inner, first_row + i / depth, begin + k);
      tiles.in.b[column / fragment][i / side][column % fragment] =
          staged<Format>(b, inner, columns, begin + i / side, first_column + column);
    }
    __syncthreads();
    UNROLL
    for (unsigned k = 0; k < depth / inner_side; ++k) {
      FragmentOfA of_a[each];
      FragmentOfB of_b[each];
      UNROLL
      for (unsigned i = 0; i < each; ++i) {
        wmma::load_matrix_sync(of_a[i], tiles.in.a[k][warp_row + i * fragment], pitch_a);
        wmma::load_matrix_sync(of_b[i], tiles.in.b[warp_strip + i][k * inner_side], pitch_b);
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
      wmma::store_matrix_sync(&tiles.out[warp_row + i * fragment][(warp_strip + j) * fragment],
                              sum[i][j], pitch_out, wmma::mem_row_major);
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < side * side; i += threads) {
    const std::uint32_t row = first_row + i / side;
    const std::uint32_t column = first_column + i % side;
    if (row < rows && column < columns)
      c[static_cast<std::size_t>(row) * columns + column] =
          Format::stored(tiles.out[i / side][i % side]);
  }
}

template <class Format>
__global__ void __launch_bounds__(threads)
    multiply_tensor_cores_kernel(const Half* a, const Half* b, typename Format::Out* c,
                                 std::uint32_t rows, std::uint32_t inner, std::uint32_t columns) {
  multiply_fragments<Format>(a, b, c, rows, inner, columns);
}

// Devices without the instructions never reach these two: the catalogue offers the variants only to
// devices that have them.
__global__ void __launch_bounds__(threads)
    multiply_tensor_cores_i8_kernel(const std::int8_t* a, const std::int8_t* b, std::int32_t* c,
                                    std::uint32_t rows, std::uint32_t inner,
                                    std::uint32_t columns) {
#if __CUDA_ARCH__ >= 720
  multiply_fragments<BytesToInts>(a, b, c, rows, inner, columns);
#endif
}
__global__ void __launch_bounds__(threads)
    multiply_tensor_cores_tf32_kernel(const matrix::Tf32* a, const matrix::Tf32* b, float* c,
                                      std::uint32_t rows, std::uint32_t inner,
                                      std::uint32_t columns) {
#if __CUDA_ARCH__ >= 800
  multiply_fragments<Tf32ToFloats>(a, b, c, rows, inner, columns);
#endif
}

Shape shape_of(const MatrixArgs& args) {
  return {matrix::grid_of_tiles(args, side), dim3(threads)};
}

}  // namespace

void matrix_tensor_cores(Stream& stream, const MatrixArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  constexpr unsigned types = MatrixTrait::f16 | MatrixTrait::f16_f16;
  matrix::with_type<types>(args, [&]<class Out>(const Half* a, const Half* b, Out* c) {
    using Format = std::conditional_t<std::is_same_v<Out, float>, HalvesToFloats, HalvesToHalves>;
    launch(stream, KERNEL(multiply_tensor_cores_kernel<Format>), shape_of(args), a, b, c, args.rows,
           args.inner, args.columns);
  });
}

void matrix_tensor_cores_i8(Stream& stream, const MatrixArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  matrix::with_type<MatrixTrait::i8_i32>(
      args, [&](const std::int8_t* a, const std::int8_t* b, std::int32_t* c) {
        launch(stream, KERNEL(multiply_tensor_cores_i8_kernel), shape_of(args), a, b, c, args.rows,
               args.inner, args.columns);
      });
}

void matrix_tensor_cores_tf32(Stream& stream, const MatrixArgs& args, Scratch& scratch) {
  if (scratch.measuring()) return;
  matrix::with_type<MatrixTrait::tf32>(
      args, [&](const matrix::Tf32* a, const matrix::Tf32* b, float* c) {
        launch(stream, KERNEL(multiply_tensor_cores_tf32_kernel), shape_of(args), a, b, c,
               args.rows, args.inner, args.columns);
      });
}

}  // namespace warpview::WARPVIEW_BACKEND

#endif
