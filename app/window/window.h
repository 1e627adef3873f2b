// The viewer's window.
#pragma once

#include "app/options.h"
#include "app/workspace.h"

namespace warpview {

// Opens a window on the options' scene and runs until the user closes it, or for options.frames
// frames. What goes wrong with a scene is told in the window. Returns the program's exit code.
// UnavailableError, before anything is shown, when there is no display, no OpenGL 4.5, or no device
// as the options ask for.
int run_window(WorkspaceModel& workspace, const Options& options);

}  // namespace warpview
