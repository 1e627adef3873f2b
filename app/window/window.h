// The viewer's window.
#pragma once

#include "app/model.h"
#include "app/options.h"

namespace warpview {

// Opens a window on the options' scene and runs until the user closes it, or for options.frames
// frames. What goes wrong with a scene is told in the window. Returns the program's exit code.
// UnavailableError, before anything is shown, when there is no display, no OpenGL 4.5, or no device
// as the options ask for.
int run_window(Model& model, const Options& options);

}  // namespace warpview
