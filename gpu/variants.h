// The host function of every variant, for callers that name one.
//
// A primitive that is built on another calls a variant of it in one of two ways. Where a scene or a
// panel may choose, the variant is an argument (DedupArgs::scan). Where the algorithm fixes it, its
// function stands here.
#pragma once

#include "gpu/catalogue.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {

#define VARIANT(primitive, name, title, function, ...) \
  FunctionOf<Primitive::primitive>::Type function;
#include "gpu/catalogue.def"
#undef VARIANT

}  // namespace warpview::WARPVIEW_BACKEND
