// Lets a caller stop long work between its pieces.
//
// Kernels have host functions of a fixed signature, and references are plain loops: neither takes a
// parameter by which it could be stopped. So the caller registers a check on the calling thread,
// and long work calls it at its interruption points: the CPU device before each kernel, copy and
// allocation, host loops between blocks of their items.
#pragma once

#include <exception>
#include <functional>

namespace warpview {

// Not an Error: nothing is wrong.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "it was stopped"; }
};

// While it lives, each interruption_point() of its thread calls `ask`, which throws an Interrupted
// to end the work. Enclosing Interruptibles are asked too.
class Interruptible {
 public:
  explicit Interruptible(std::function<void()> ask);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  void ask() const;

  // The innermost of this thread; null: there is none. For work that is spread over other threads,
  // which then ask on this one's behalf.
  static const Interruptible* here();

 private:
  std::function<void()> ask_;
  const Interruptible* outer_;
};

void interruption_point();

// In a module with a copy of this code: its points are those of the program from now on.
void forward_interruption_points(void (*to)());

}  // namespace warpview
