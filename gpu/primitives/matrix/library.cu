// The vendor's matrix product, the baseline: cuBLAS; on the CPU device a plain blocked product over
// oneTBB.
//
// cuBLAS is loaded at its first use, so that the program starts where it is not installed.

#if !defined(WARPVIEW_BACKEND_HIP)

#include "gpu/primitives/matrix/element.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cublas_v2.h>
#include <dlfcn.h>

#include <map>
#include <mutex>
#include <string>
#else
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <vector>
#endif

namespace warpview::WARPVIEW_BACKEND {

namespace matrix {
namespace {
// cuBLAS multiplies bytes, too, but only of sizes that are multiples of 4.
constexpr unsigned library_types =
    MatrixTrait::f32 | MatrixTrait::f16 | MatrixTrait::f16_f16 | MatrixTrait::tf32;
}  // namespace
}  // namespace matrix

#if defined(WARPVIEW_BACKEND_CUDA)

namespace {

// The cuBLAS functions used here.
struct Cublas {
  using Gemm = cublasStatus_t(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                              const void*, const void*, cudaDataType, int, const void*,
                              cudaDataType, int, const void*, void*, cudaDataType, int,
                              cublasComputeType_t, cublasGemmAlgo_t);

  decltype(&cublasCreate_v2) create;
  decltype(&cublasSetStream_v2) set_stream;
  Gemm* gemm;

  // Throws Error when it is not installed.
  static const Cublas& loaded() {
    static const Cublas library;
    return library;
  }

 private:
  Cublas() {
    const std::string name = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);
    void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libcublas.so", RTLD_NOW | RTLD_LOCAL);
    if (!library)
      throw Error("cuBLAS's matrix product", name + " was not found",
                  "Install the CUDA toolkit's cuBLAS, or name its folder in LD_LIBRARY_PATH");
    find(library, "cublasCreate_v2", create);
    find(library, "cublasSetStream_v2", set_stream);
    find(library, "cublasGemmEx", gemm);
  }
  template <class Function>
  static void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (!function)
      throw Error("cuBLAS's matrix product", std::string("its library has no ") + name,
                  "Install the cuBLAS of the CUDA toolkit that this program was built with");
  }
};

void check_cublas(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Error(call, "cuBLAS answered " + std::to_string(static_cast<int>(status)),
                "Choose another variant");
}

// One per device and host thread, kept to the end of the program: creation is slow and waits for
// the device.
cublasHandle_t handle_of(int device) {
  thread_local std::map<int, cublasHandle_t> handles;
  const auto [place, is_new] = handles.try_emplace(device, nullptr);
  if (is_new || !place->second)
    check_cublas(Cublas::loaded().create(&place->second), "cublasCreate");
  return place->second;
}

}  // namespace

void matrix_library(Stream& stream, const MatrixArgs& args, Scratch& scratch) {
  const GpuStream queue = native(stream);
  cublasHandle_t handle = handle_of(stream.device().info().index);
  if (scratch.measuring() || args.rows == 0 || args.columns == 0) return;
  if (!multiplies(matrix::library_types, args.type)) matrix::refuse();
  if (args.inner == 0) {
    stream.fill(args.c, 0, std::size_t{args.rows} * args.columns * bytes_of_output(args.type));
    return;
  }
  check_cublas(Cublas::loaded().set_stream(handle, queue), "cublasSetStream");
  const cudaDataType type = bytes_of_input(args.type) == 4 ? CUDA_R_32F : CUDA_R_16F;
  const cudaDataType type_of_c = bytes_of_output(args.type) == 4 ? CUDA_R_32F : CUDA_R_16F;
  const cublasComputeType_t sums =
      args.type == MatrixType::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
  const auto rows = static_cast<int>(args.rows);
  const auto inner = static_cast<int>(args.inner);
  const auto columns = static_cast<int>(args.columns);
  const float one = 1.0F;
  const float zero = 0.0F;
  // cuBLAS is column-major: it sees our matrices transposed, and c' = b' a'.
  check_cublas(Cublas::loaded().gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, columns, rows, inner, &one,
                                     args.b, type, columns, args.a, type, inner, &zero, args.c,
                                     type_of_c, columns, sums, CUBLAS_GEMM_DEFAULT),
               "cublasGemmEx");
}

#else

namespace {

// Rows of c per task, with blocks of b that stay in the cache while they are used.
template <class In, class Out>
void multiply_rows(const In* a, const In* b, Out* c, const MatrixArgs& args, std::uint32_t begin,
                   std::uint32_t end) {
  constexpr std::uint32_t depth = 64;
  const std::size_t columns = args.columns;
  std::vector<float> sums((end - begin) * columns);
  std::vector<float> block(depth * columns);
  for (std::uint32_t first = 0; first < args.inner; first += depth) {
    const std::uint32_t last = std::min(first + depth, args.inner);
    for (std::size_t i = 0; i < (last - first) * columns; ++i)
      block[i] = matrix::number(b[first * columns + i]);
    for (std::uint32_t row = begin; row < end; ++row) {
      float* out = &sums[(row - begin) * columns];
      for (std::uint32_t k = first; k < last; ++k) {
        const float factor = matrix::number(a[std::size_t{row} * args.inner + k]);
        const float* in = &block[(k - first) * columns];
        for (std::size_t column = 0; column < columns; ++column) out[column] += factor * in[column];
      }
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) matrix::store(&c[begin * columns + i], sums[i]);
}

}  // namespace

void matrix_library(Stream& stream, const MatrixArgs& args, Scratch& scratch) {
  if (scratch.measuring() || args.columns == 0) return;
  run_host(stream, [args] {
    matrix::with_type<matrix::library_types>(args, [&](const auto* a, const auto* b, auto* c) {
      using Range = tbb::blocked_range<std::uint32_t>;
      tbb::parallel_for(Range(0, args.rows, 64), [&](const Range& rows) {
        multiply_rows(a, b, c, args, rows.begin(), rows.end());
      });
    });
  });
}

#endif

}  // namespace warpview::WARPVIEW_BACKEND

#endif
