// How large the stacks of threads are.
#pragma once

namespace warpview {

// Threads that are started from now on, libraries' own included, have a stack of at least 4 MiB
// beside the program's thread-local variables, unless they ask for another size. glibc takes these
// variables out of a thread's stack, and shared memory of the CPU device's kernels is among them:
// more than a small `ulimit -s` gives, or than the 2 MiB that a thread gets where there is no
// limit. Called before there are threads.
void widen_thread_stacks();

// UnavailableError where the limit (`ulimit -s`) leaves the first thread too little of a stack.
void require_stack();

}  // namespace warpview
