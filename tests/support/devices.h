// The devices and sizes over which every variant is tested.
//
// Environment: WARPVIEW_TEST_LONG=1 runs the full product of sizes and schedules;
// WARPVIEW_TEST_MAX_SIZE=N leaves out larger sizes; WARPVIEW_TEST_SCHEDULES=N runs N of the four
// schedules of each warp size; WARPVIEW_TEST_BACKENDS=cpu,cuda,hip names the backends (default: cpu
// and every GPU backend that works here).
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/runtime/device.h"

namespace warpview::test {

struct TestDevice {
  std::string name;  // e.g. "cpu_warp64_seed3"
  std::shared_ptr<Device> device;
};

// Up to 4097 items: the CPU device at warp sizes 32 and 64, in order and shuffled, and every GPU.
// Beyond: one CPU device (warp size 32, in order), and every GPU.
const std::vector<TestDevice>& devices_for(std::size_t items);
// For tests of many cases, which alternate between them: the CPU device at both warp sizes with
// four schedules each, and every GPU.
const std::vector<TestDevice>& every_schedule();
// For tests that take long with few items too: a shuffled schedule of each warp size, and every
// GPU.
const std::vector<TestDevice>& few_devices();

// The CPU device in lockstep, and with late publications by three seeds (simt::Options); at warp
// sizes 32 and 64. None if the CPU device is not requested.
const std::vector<TestDevice>& devices_in_lockstep();
const std::vector<TestDevice>& devices_with_late_publications();

// 0, 1, and around the boundaries of warps and blocks, to 262 147, and 1 000 003 if there is a GPU.
// (Tile boundaries: tiles.h.)
std::vector<std::size_t> sizes();
// The sizes up to 65537, for tests of a primitive's own promises: the catalogue's test already runs
// the largest sizes. All with WARPVIEW_TEST_LONG.
std::vector<std::size_t> sizes_to_several_tiles();
// n, or WARPVIEW_TEST_MAX_SIZE if that is less; the same for several sizes, without duplicates.
std::size_t allowed(std::size_t n);
std::vector<std::size_t> allowed(std::initializer_list<std::size_t> sizes);

// A row of the catalogue as a test's parameter, printed as its name.
struct Row {
  VariantId index;
};
// The primitive's rows that some device here has.
std::vector<Row> rows_of(Primitive primitive);
std::string name_of(const Row& row);
// The given devices, and devices_for(items), that have the row.
std::vector<TestDevice> having(std::vector<TestDevice> devices, const Row& row);
std::vector<TestDevice> devices_for(std::size_t items, const Row& row);

}  // namespace warpview::test
