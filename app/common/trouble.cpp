#include "app/common/trouble.h"

#include <new>

namespace warpview {

std::string in_words(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return "the system gives the program no more memory. Close other programs, raise its limit "
           "(ulimit -v), or open something smaller";
  return error.what();
}

std::string in_words(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return in_words(known);
  }
}

}  // namespace warpview
