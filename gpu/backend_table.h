// The function table of each backend that is linked into this program or module.
// Defined in gpu/backend_table.cu, once per backend.
#pragma once

#include "gpu/catalogue.h"

namespace warpview {

namespace cuda {
const BackendTable& backend_table();
}
namespace hip {
const BackendTable& backend_table();
}
namespace cpu {
const BackendTable& backend_table();
}

}  // namespace warpview
