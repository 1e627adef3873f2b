// The window's icon: packaging/warpview.svg, which is also what is installed.
#pragma once

#include <vector>

namespace warpview {

struct Icon {
  int size = 0;                     // pixels a side
  std::vector<unsigned char> rgba;  // rows from the top
};

Icon draw_icon(int size);

}  // namespace warpview
