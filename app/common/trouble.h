// Failures in words for the user.
#pragma once

#include <exception>
#include <string>
#include <system_error>
#include <utility>

#include "gpu/runtime/error.h"

namespace warpview {

// Returns what to tell the user: an Error's own words, or words for std::bad_alloc and others.
std::string in_words(const std::exception& error);
std::string in_words(const std::exception_ptr& error);  // of a standard exception

// Lowers the priority of the calling thread, and of those that it starts, below the window's: on
// few cores, computing would otherwise block the window.
void give_way_to_the_window();

// Starts a thread of this type, with a lower priority than the window. Error if the system refuses.
template <class Thread, class Function>
Thread start_thread(Function&& function) {
  try {
    return Thread([function = std::forward<Function>(function)]() mutable {
      give_way_to_the_window();
      function();
    });
  } catch (const std::system_error& error) {
    throw Error("a thread", "the system refused it: " + error.code().message(),
                "Raise the limit on threads (ulimit -u, pids.max of the container) or on memory "
                "(ulimit -v), or close other programs");
  }
}

}  // namespace warpview
