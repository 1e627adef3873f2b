// Stacks and jumps: the only part of the executor that knows how a computation is suspended.
//
// On x86-64 a jump is a dozen instructions of this project. Elsewhere, and under the sanitizers, it
// is Boost.Context's, which saves more than a lane can change: the modes of floating-point
// arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(WARPVIEW_SANITIZE_THREAD)
#define WARPVIEW_OWN_JUMPS 1
#else
#define WARPVIEW_OWN_JUMPS 0
#endif

namespace warpview::simt {

// One stack with a guard page below it: an overrun faults instead of corrupting its neighbour.
class Stack {
 private:
#if defined(__SANITIZE_ADDRESS__) || defined(WARPVIEW_SANITIZE_THREAD)
  // Instrumented frames are several times larger, and ThreadSanitizer writes its reports on them.
  static constexpr std::size_t stack_bytes = 256 * 1024;
#else
  static constexpr std::size_t stack_bytes = 64 * 1024;
#endif
  static constexpr std::size_t guard_bytes = 4096;

 public:
  static constexpr std::size_t footprint = guard_bytes + stack_bytes;  // of address space

  explicit Stack(std::size_t colour);  // std::bad_alloc when the system has no room for it
  Stack(Stack&& other) noexcept;
  Stack& operator=(Stack&&) = delete;
  ~Stack();

  // Where a fresh context starts. Stacks of one pool start at different cache sets ("colours"),
  // because otherwise the hot top of all of them would compete for the same few sets.
  std::byte* top() const { return top_; }
  std::byte* bottom() const;
  std::size_t usable() const { return static_cast<std::size_t>(top_ - bottom()); }
  // Clears the sanitizer's shadow of a context that was dropped half-way.
  void forget_frames() const;

 private:
  std::byte* memory_ = nullptr;
  std::byte* top_ = nullptr;
};

// A suspended computation: where to jump, and the stack it runs on (for AddressSanitizer, which
// must be notified of each change of stack).
struct Fiber {
  void* context = nullptr;    // where its registers lie, on its stack
  std::uint64_t result = 0;   // for the context that resumes it: the answer to its request
  void (*entry)() = nullptr;  // what a fresh context calls; unused once it has started
  const void* stack_bottom = nullptr;
  std::size_t stack_size = 0;
  void* fake_stack = nullptr;
};

// A context on `stack` that will call entry() when first resumed; entry must never return.
Fiber make_fiber(const Stack& stack, void (*entry)());

#if WARPVIEW_OWN_JUMPS
// Layout of a suspended context: six registers on its stack, and below them the address at which it
// goes on. The unwind information lets an exception pass through (memory for a stack may be
// refused).
#define WARPVIEW_PUSH(name) \
  "  pushq %" name "\n  .cfi_adjust_cfa_offset 8\n  .cfi_rel_offset %" name ", 0\n"
#define WARPVIEW_POP(name) \
  "  popq %" name "\n  .cfi_adjust_cfa_offset -8\n  .cfi_restore %" name "\n"
#define WARPVIEW_PUSH_REGISTERS \
  WARPVIEW_PUSH("rbp")          \
  WARPVIEW_PUSH("rbx")          \
  WARPVIEW_PUSH("r12") WARPVIEW_PUSH("r13") WARPVIEW_PUSH("r14") WARPVIEW_PUSH("r15")
#define WARPVIEW_POP_REGISTERS \
  WARPVIEW_POP("r15")          \
  WARPVIEW_POP("r14")          \
  WARPVIEW_POP("r13") WARPVIEW_POP("r12") WARPVIEW_POP("rbx") WARPVIEW_POP("rbp")
#define WARPVIEW_FUNCTION(name, body)                                                          \
  asm(".text\n.balign 16\n.hidden " name "\n.globl " name "\n.type " name ", @function\n" name \
      ":\n  .cfi_startproc\n" body "  .cfi_endproc\n.size " name ", .-" name "\n")

// Suspends the caller, whose registers then lie at `*from`, and resumes `to`, whose own call
// returns `result`.
extern "C" void warpview_switch_stacks(void** from, void* to, std::uint64_t result);
#endif

// Suspends the caller into `from` and resumes `to`. Returns when something resumes `from`.
#if WARPVIEW_OWN_JUMPS
inline void jump(Fiber& from, Fiber& to) {
  warpview_switch_stacks(&from.context, to.context, to.result);
}
#else
void jump(Fiber& from, Fiber& to);
#endif
// Resumes `to`; the caller's stack is given up.
[[noreturn]] void leave(Fiber& to);

}  // namespace warpview::simt
