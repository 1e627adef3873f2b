// Writes down what the lanes of the recorded build do.
//
// All of it happens on one OS thread. An access is announced before it is made, and written down
// with its value by the next hook that is called: its lane makes it without being interrupted.
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/recording/recording.h"
#include "gpu/runtime/recorded_device.h"
#include "gpu/simt/executor.h"

namespace warpview::simt::recording {

using Address = std::uintptr_t;

// Writes down the last access, if that has still to be done.
void complete_access();
// The schedule has chosen lanes of the running block for their next access.
void step(unsigned first_thread, LaneMask chosen, LaneMask live, Address place);

// Lanes advance access by access, and after one in `interleave` of them the seed chooses what goes
// on; 0: lanes run to their next meeting, and blocks one after another.
void set_interleave(unsigned interleave);
unsigned interleave();

void begin(const BlockRanges& blocks);
// Why a recording does not hold the run so far; null: it does.
const char* why_full();
// Throws that as an Error, if it does not.
void refuse_if_full();
Recording take(const std::vector<Region>& regions);
void abandon();

}  // namespace warpview::simt::recording
