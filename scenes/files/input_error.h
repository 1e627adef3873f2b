// What is wrong with what the user gave, as against with the device or an output.
#pragma once

#include "gpu/runtime/error.h"

namespace warpview {

// A file cannot be opened or parsed, or no scene can be made of what is in it (exit code 3 of the
// program).
class InputError : public Error {
 public:
  using Error::Error;
};

}  // namespace warpview
