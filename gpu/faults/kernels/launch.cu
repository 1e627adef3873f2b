#include "gpu/faults/kernels/launch.h"

#include "gpu/runtime/kernel.h"

namespace warpview {
namespace WARPVIEW_BACKEND {

#define FAULT(...)
#define FAULT_FORM(fault, form, ...) void fault##_##form(Stream& stream, const FaultArgs& args);
#include "gpu/faults/faults.def"

}  // namespace WARPVIEW_BACKEND

void launch_fault(Stream& stream, unsigned form, const FaultArgs& args) {
  constexpr void (*forms[])(Stream&, const FaultArgs&) = {
#define FAULT(...)
#define FAULT_FORM(fault, form, ...) &WARPVIEW_BACKEND::fault##_##form,
#include "gpu/faults/faults.def"
  };
  forms[form](stream, args);
}

}  // namespace warpview
