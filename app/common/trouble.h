// What the system refuses, for people.
#pragma once

#include <exception>
#include <string>
#include <system_error>
#include <utility>

#include "gpu/runtime/error.h"

namespace warpview {

// What to tell the user of it: of an Error what it says; std::bad_alloc says nothing of itself.
std::string in_words(const std::exception& error);
std::string in_words(const std::exception_ptr& error);  // of a standard exception

// The calling thread, and those that it starts, wait for the cores behind the window's thread:
// where there are few, what computes would keep it from answering.
void give_way_to_the_window();

// Starts a thread of this type, which gives way to the window. Error where the system refuses it.
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
