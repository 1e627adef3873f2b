// The lines of an OBJ file.
#pragma once

#include "scenes/files/polygon_block.h"
#include "scenes/files/text_lines.h"

namespace warpview {

// Reads the lines of `text`, which is changed where lines are joined.
PolygonBlock read_obj_block(TextBlock text);

}  // namespace warpview
