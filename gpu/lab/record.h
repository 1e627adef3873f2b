// Records one run of a variant on the device that records.
#pragma once

#include <cstdint>
#include <string>

#include "gpu/lab/laboratory.h"
#include "gpu/recording/recording.h"

namespace warpview::lab {

// Items of a recording that is to be looked at: few enough to be seen, and several tiles where the
// primitive has tiles that wait for each other.
std::uint32_t usual_recorded_items(Primitive primitive);

struct Recorded {
  Recording recording;
  std::string difference;  // of the run's result from the reference; empty: none
};

// Makes the question's input on a device of open_recorded_device, runs the variant once, compares
// its result and returns what it did. Of a mesh, half of the triangles are taken until a recording
// holds the run. Error if the variant cannot run there, if its kernels are misused, if it has none
// of `blocks`, or if a recording does not hold the run: the run then stops, smaller sizes are
// tried, and the message names the largest of them that fits.
//
// `blocks`: events of other blocks are left out (begin_recording()).
Recorded record(Device& device, const Question& asked, VariantId variant,
                const BlockRanges& blocks = {});

}  // namespace warpview::lab
