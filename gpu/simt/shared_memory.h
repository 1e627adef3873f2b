// Where an OS thread has the shared memory of the blocks that it runs.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace warpview::simt {

struct Bytes {
  std::byte* begin;
  std::byte* end;
  bool holds(const void* byte) const {
    return !std::less<>()(byte, static_cast<const void*>(begin)) &&
           std::less<>()(byte, static_cast<const void*>(end));
  }
};

// This OS thread's thread-local variables of the program or module that contains this function: its
// shared memory and little else.
Bytes thread_local_memory();

// One of a kernel's `__shared__` variables: its offset in the thread-local memory, its size, and
// its symbol.
struct SharedVariable {
  std::size_t offset;
  std::size_t bytes;
  std::string_view symbol = {};  // has static storage
};
// The shared variables of all kernels of this name, whatever their template arguments. They are
// found by their symbols: none in a stripped program.
std::vector<SharedVariable> shared_variables_of(const char* kernel);

}  // namespace warpview::simt
