#include "gpu/simt/fiber.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <new>
#include <utility>

#if !WARPVIEW_OWN_JUMPS
#include <boost/context/detail/fcontext.hpp>
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace warpview::simt {

namespace {

constexpr std::size_t colours = 31;        // prime: neighbours differ in every bit of the set index
constexpr std::size_t colour_bytes = 128;  // two cache lines, what the prefetcher takes at once

}  // namespace

Stack::Stack(std::size_t colour) {
  void* memory = mmap(nullptr, footprint, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  if (mprotect(memory, guard_bytes, PROT_NONE) != 0) {  // too many mappings
    munmap(memory, footprint);
    throw std::bad_alloc();
  }
  memory_ = static_cast<std::byte*>(memory);
  top_ = memory_ + footprint - colour % colours * colour_bytes;
}

Stack::Stack(Stack&& other) noexcept
    : memory_(std::exchange(other.memory_, nullptr)), top_(std::exchange(other.top_, nullptr)) {}

Stack::~Stack() {
  if (!memory_) return;
  forget_frames();
  munmap(memory_, footprint);
}

std::byte* Stack::bottom() const { return memory_ + guard_bytes; }

void Stack::forget_frames() const {
#if defined(__SANITIZE_ADDRESS__)
  ASAN_UNPOISON_MEMORY_REGION(bottom(), stack_bytes);
#endif
}

#if WARPVIEW_OWN_JUMPS

WARPVIEW_FUNCTION("warpview_switch_stacks",
                  WARPVIEW_PUSH_REGISTERS  //
                  "  movq %rsp, (%rdi)\n"  //
                  "  movq %rsi, %rsp\n"    //
                  WARPVIEW_POP_REGISTERS   //
                  "  movq %rdx, %rax\n"    //
                  "  ret\n");

// Where a fresh context begins, with its function in rbx.
WARPVIEW_FUNCTION("warpview_begin_context",
                  "  .cfi_undefined rip\n"  //
                  "  call *%rbx\n"          //
                  "  ud2\n");
extern "C" void warpview_begin_context();

Fiber make_fiber(const Stack& stack, void (*entry)()) {
  struct Registers {
    void* r15_to_r12[4];
    void (*rbx)();
    void* rbp;
    void (*returns_to)();
    void* none[2];  // the caller begins on a multiple of 16, and has no caller
  };
  static_assert(sizeof(Registers) == 72);
  std::byte* const top = stack.top() - reinterpret_cast<std::uintptr_t>(stack.top()) % 16;
  auto* const registers = reinterpret_cast<Registers*>(top - sizeof(Registers));
  *registers = {{}, entry, nullptr, &warpview_begin_context, {}};
  Fiber fiber;
  fiber.context = registers;
  return fiber;
}

void leave(Fiber& to) {
  void* nobody = nullptr;
  warpview_switch_stacks(&nobody, to.context, to.result);
  __builtin_unreachable();
}

#else

namespace {

// The fiber that jumped last on this OS thread: the resumed context stores the jumper's context in
// it.
thread_local constinit Fiber* departed = nullptr;

void arrive(boost::context::detail::transfer_t from, [[maybe_unused]] void* fake_stack) {
#if defined(__SANITIZE_ADDRESS__)
  const void* bottom = nullptr;
  std::size_t size = 0;
  __sanitizer_finish_switch_fiber(fake_stack, &bottom, &size);
  if (departed && !departed->stack_bottom) {  // an OS thread's own stack, seen for the first time
    departed->stack_bottom = bottom;
    departed->stack_size = size;
  }
#endif
  if (departed) departed->context = from.fctx;
}

void start(boost::context::detail::transfer_t from) {
  arrive(from, nullptr);
  static_cast<Fiber*>(from.data)->entry();
}

}  // namespace

Fiber make_fiber(const Stack& stack, void (*entry)()) {
  Fiber fiber;
  fiber.context = boost::context::detail::make_fcontext(stack.top(), stack.usable(), &start);
  fiber.entry = entry;
  fiber.stack_bottom = stack.bottom();
  fiber.stack_size = stack.usable();
  return fiber;
}

void jump(Fiber& from, Fiber& to) {
  departed = &from;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&from.fake_stack, to.stack_bottom, to.stack_size);
#endif
  const auto back = boost::context::detail::jump_fcontext(to.context, &to);
  arrive(back, from.fake_stack);
}

void leave(Fiber& to) {
  departed = nullptr;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(nullptr, to.stack_bottom, to.stack_size);
#endif
  boost::context::detail::jump_fcontext(to.context, &to);
  __builtin_unreachable();
}

#endif

}  // namespace warpview::simt
