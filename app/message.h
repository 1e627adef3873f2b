// Something to tell the user.
#pragma once

#include <string>

namespace warpview {

struct Message {
  enum class Kind { info, warning, error };
  Kind kind = Kind::info;
  std::string text;
};

}  // namespace warpview
