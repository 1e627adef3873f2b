// Drivers of OpenGL in a small address space.
#pragma once

namespace warpview {

// UnavailableError where a limit of the address space leaves too little for a driver: many end the
// program where they are refused memory.
void require_address_space_for_gl();

// If the address space is limited: a crash, which is then most likely a library's that was refused
// memory, ends the program with a message and `exit_code`. Elsewhere nothing is changed.
void explain_crashes_under_limit(int exit_code);

// If the address space is limited: all threads share one heap. glibc gives each a heap of its own
// of 64 MiB of addresses, so that a dozen would take what a scene needs. Called before there are
// threads.
void share_heap_under_limit();

}  // namespace warpview
