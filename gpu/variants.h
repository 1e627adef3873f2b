// The host function of every variant, for those that call one by name.
//
// A primitive that is built on another calls a variant of it in one of two ways. Where a scene or a
// panel may choose, the variant comes as an argument (DedupArgs::scan). Where the algorithm settles
// it, its function stands here.
#pragma once

#include "gpu/catalogue.h"
#include "gpu/runtime/kernel.h"

namespace warpview::WARPVIEW_BACKEND {

#define VARIANT(primitive, name, function, ...) FunctionOf<Primitive::primitive>::Type function;
#include "gpu/catalogue.def"
#undef VARIANT

}  // namespace warpview::WARPVIEW_BACKEND
