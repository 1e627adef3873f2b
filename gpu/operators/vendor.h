// This project's operators as the vendors' own function objects. CUB selects its tuning by their
// types: an equivalent functor of another type gets the tuning for unknown operators.
#pragma once

#include "gpu/operators/numbers.h"
#include "gpu/runtime/kernel.h"

#if defined(WARPVIEW_BACKEND_CUDA)
#include <cub/version.cuh>
#if CUB_VERSION >= 300000
#include <cuda/functional>
#include <cuda/std/functional>
#else
#include <cub/thread/thread_operators.cuh>
#endif
#elif defined(WARPVIEW_BACKEND_HIP)
#include <rocprim/functional.hpp>
#endif

namespace warpview::WARPVIEW_BACKEND {

// The vendor's function object for an operator, or this project's where the vendor has none.
template <class Operator>
struct OfVendor {
  using Type = Combine<Operator>;
};

#if defined(WARPVIEW_BACKEND_CUDA) && CUB_VERSION >= 300000
template <class T>
struct OfVendor<Sum<T>> {
  using Type = ::cuda::std::plus<>;
};
template <class T>
struct OfVendor<Min<T>> {
  using Type = ::cuda::minimum<>;
};
template <class T>
struct OfVendor<Max<T>> {
  using Type = ::cuda::maximum<>;
};
#elif defined(WARPVIEW_BACKEND_CUDA)
template <class T>
struct OfVendor<Sum<T>> {
  using Type = cub::Sum;
};
template <class T>
struct OfVendor<Min<T>> {
  using Type = cub::Min;
};
template <class T>
struct OfVendor<Max<T>> {
  using Type = cub::Max;
};
#elif defined(WARPVIEW_BACKEND_HIP)
template <class T>
struct OfVendor<Sum<T>> {
  using Type = rocprim::plus<T>;
};
template <class T>
struct OfVendor<Min<T>> {
  using Type = rocprim::minimum<T>;
};
template <class T>
struct OfVendor<Max<T>> {
  using Type = rocprim::maximum<T>;
};
#endif

template <class Operator>
using VendorOperator = typename OfVendor<Operator>::Type;

}  // namespace warpview::WARPVIEW_BACKEND
