// The viewer's window.
#pragma once

#include "app/model.h"
#include "app/options.h"
#include "gpu/runtime/error.h"

namespace warpview {

// There is no display, or no OpenGL 4.5 on it.
class NoWindowError : public UnavailableError {
 public:
  using UnavailableError::UnavailableError;
};

// Opens a window on the options' scene and runs until the user closes it, or for options.frames
// frames. What goes wrong with a scene is told in the window. Returns the program's exit code.
// Before anything is shown: NoWindowError, and UnavailableError when there is no device as the
// options ask for.
int run_window(Model& model, const Options& options);

}  // namespace warpview
