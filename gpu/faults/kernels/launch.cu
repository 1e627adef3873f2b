#include "gpu/faults/kernels/launch.h"

#include "gpu/runtime/kernel.h"

namespace warpview {
namespace WARPVIEW_BACKEND {

#define FAULT(...)
#define FAULT_FORM(fault, form, file, ...) void file(Stream& stream, const FaultArgs& args);
#include "gpu/faults/faults.def"

}  // namespace WARPVIEW_BACKEND

void launch_fault(Stream& stream, unsigned form, const FaultArgs& args) {
  constexpr void (*forms[])(Stream&, const FaultArgs&) = {
#define FAULT(...)
#define FAULT_FORM(fault, form, file, ...) &WARPVIEW_BACKEND::file,
#include "gpu/faults/faults.def"
  };
  forms[form](stream, args);
}

}  // namespace warpview
