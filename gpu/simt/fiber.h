// Stacks and jumps: the only part of the executor that knows Boost.Context and AddressSanitizer.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <vector>

namespace warpview::simt {

// One stack with a guard page below it: an overrun faults instead of corrupting its neighbour.
class Stack {
 public:
  explicit Stack(std::size_t colour);  // std::bad_alloc when the system has no room for it
  Stack(Stack&& other) noexcept;
  Stack& operator=(Stack&&) = delete;
  ~Stack();

  // Where a fresh context starts. Stacks of one pool start at different cache sets ("colours"),
  // else the hot top of all of them would compete for the same few.
  std::byte* top() const { return top_; }
  std::byte* bottom() const;
  std::size_t usable() const { return static_cast<std::size_t>(top_ - bottom()); }
  // Forgets what a context that was dropped half-way left in the sanitizer's shadow.
  void forget_frames() const;

 private:
  std::byte* memory_ = nullptr;
  std::byte* top_ = nullptr;
};

// A suspended computation: where to jump, and the stack it runs on (for AddressSanitizer, which
// must be told of each change of stack).
struct Fiber {
  boost::context::detail::fcontext_t context = nullptr;
  void (*entry)() = nullptr;  // what a fresh context calls; unused once it has started
  const void* stack_bottom = nullptr;
  std::size_t stack_size = 0;
  void* fake_stack = nullptr;
};

// A context on `stack` that will call entry() when first resumed; entry must never return.
Fiber make_fiber(const Stack& stack, void (*entry)());

// Suspends the caller into `from` and resumes `to`. Returns when something resumes `from`.
void jump(Fiber& from, Fiber& to);
// Resumes `to`; the caller's stack is given up.
[[noreturn]] void leave(Fiber& to);

}  // namespace warpview::simt
