// Reads the videos that the program writes.
#pragma once

#include <string>
#include <vector>

#include "app/render/screenshot.h"

namespace warpview::test {

struct DecodedFrame {
  Picture picture;  // as it is shown, over all that was there before
  int milliseconds = 0;
};

// Was the library there when this was built?
bool can_decode(const std::string& file);
// Does the video begin again after its last frame? Throws as decoded().
bool repeats_for_ever(const std::string& file);
// The frames of a .webp or .gif. Throws std::runtime_error where it is none.
std::vector<DecodedFrame> decoded(const std::string& file);

}  // namespace warpview::test
