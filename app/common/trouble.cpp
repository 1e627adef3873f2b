#include "app/common/trouble.h"

#include <sys/resource.h>

#include <algorithm>
#include <new>

namespace warpview {

std::string in_words(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return "the program is out of memory. Close other programs, raise its limit (ulimit -v), or "
           "open something smaller";
  return error.what();
}

std::string in_words(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return in_words(known);
  }
}

// On Linux, niceness is per thread. A thread that is already nicer stays so: as root, this would
// otherwise lower its niceness.
void give_way_to_the_window() {
  constexpr int behind_the_window = 10;
  setpriority(PRIO_PROCESS, 0, std::max(behind_the_window, getpriority(PRIO_PROCESS, 0)));
}

}  // namespace warpview
