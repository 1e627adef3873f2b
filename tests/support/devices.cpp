#include "tests/support/devices.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "gpu/runtime/backends.h"
#include "gpu/runtime/cpu/cpu_device.h"

namespace warpview::test {

namespace {

bool flag(const char* name) {
  const char* value = std::getenv(name);
  return value && *value && std::string(value) != "0";
}

std::uint64_t number(const char* name, std::uint64_t otherwise) {
  const char* value = std::getenv(name);
  return value ? std::strtoull(value, nullptr, 10) : otherwise;
}

bool wanted(const std::string& backend) {
  const char* value = std::getenv("WARPVIEW_TEST_BACKENDS");
  return !value || ("," + std::string(value) + ",").find("," + backend + ",") != std::string::npos;
}

struct Devices {
  std::vector<TestDevice> every_schedule;
  std::vector<TestDevice> two_schedules;  // of each warp size
  std::vector<TestDevice> one_schedule;   // of each warp size
  std::vector<TestDevice> once;

  Devices() {
    if (wanted("cpu")) {
      // If fewer are requested, those that shuffle; 0 runs everything in order.
      constexpr std::uint64_t schedules = 4;
      const std::uint64_t left_out =
          schedules -
          std::clamp<std::uint64_t>(number("WARPVIEW_TEST_SCHEDULES", schedules), 1, schedules);
      for (const unsigned warp_size : {32U, 64U}) {
        for (std::uint64_t seed = left_out; seed < schedules; ++seed)
          every_schedule.push_back(
              {"cpu_warp" + std::to_string(warp_size) + "_seed" + std::to_string(seed),
               open_cpu_device({.warp_size = warp_size, .seed = seed})});
        const auto begin = every_schedule.end() - static_cast<std::ptrdiff_t>(schedules - left_out);
        two_schedules.push_back(*begin);
        if (schedules - left_out > 1) two_schedules.push_back(every_schedule.back());
        one_schedule.push_back(every_schedule.back());
      }
      once.push_back(every_schedule.front());
    }
    for (const BackendStatus& status : list_backends()) {
      if (status.backend == Backend::cpu || !status.usable || !wanted(to_string(status.backend)))
        continue;
      const TestDevice gpu{to_string(status.backend), open_device(status.backend, 0, {})};
      every_schedule.push_back(gpu);
      two_schedules.push_back(gpu);
      one_schedule.push_back(gpu);
      once.push_back(gpu);
    }
  }
};

const Devices& devices() {
  static const Devices opened;
  return opened;
}

}  // namespace

const std::vector<TestDevice>& devices_for(std::size_t items) {
  if (flag("WARPVIEW_TEST_LONG")) return devices().every_schedule;
  return items <= 4097 ? devices().two_schedules : devices().once;
}

const std::vector<TestDevice>& every_schedule() { return devices().every_schedule; }

const std::vector<TestDevice>& few_devices() {
  return flag("WARPVIEW_TEST_LONG") ? devices().every_schedule : devices().one_schedule;
}

const std::vector<TestDevice>& devices_in_lockstep() {
  static const std::vector<TestDevice> devices = [] {
    std::vector<TestDevice> opened;
    if (wanted("cpu"))
      for (const unsigned warp_size : {32U, 64U})
        opened.push_back({"cpu_warp" + std::to_string(warp_size) + "_lockstep",
                          open_cpu_device({.warp_size = warp_size, .lockstep = true})});
    return opened;
  }();
  return devices;
}

const std::vector<TestDevice>& devices_with_late_publications() {
  static const std::vector<TestDevice> devices = [] {
    std::vector<TestDevice> opened;
    if (wanted("cpu"))
      for (std::uint64_t seed = 1; seed <= 3; ++seed)
        opened.push_back({"cpu_late_seed" + std::to_string(seed),
                          open_cpu_device({.warp_size = seed % 2 != 0 ? 32U : 64U,
                                           .seed = seed,
                                           .late_publications = true})});
    return opened;
  }();
  return devices;
}

std::vector<std::size_t> sizes() {
  std::vector<std::size_t> all = {0,   1,   2,    31,   32,   33,   63,   64,   65,   255,
                                  256, 257, 1023, 1024, 1025, 4095, 4096, 4097, 65537};
  // More blocks than are resident at a time: a GPU needs more items for that than the CPU device.
  const auto& once = devices().once;
  const bool on_gpu = std::any_of(once.begin(), once.end(), [](const TestDevice& on) {
    return on.device->info().backend != Backend::cpu;
  });
  all.push_back(on_gpu || flag("WARPVIEW_TEST_LONG") ? 1000003 : 262147);
  std::erase_if(all, [](std::size_t n) { return n > allowed(n); });
  return all;
}

std::vector<std::size_t> sizes_to_several_tiles() {
  std::vector<std::size_t> some = sizes();
  if (!flag("WARPVIEW_TEST_LONG")) std::erase_if(some, [](std::size_t n) { return n > 65537; });
  return some;
}

std::size_t allowed(std::size_t n) {
  return std::min<std::size_t>(n, number("WARPVIEW_TEST_MAX_SIZE", n));
}

std::vector<std::size_t> allowed(std::initializer_list<std::size_t> sizes) {
  std::set<std::size_t> each;
  for (const std::size_t n : sizes) each.insert(allowed(n));
  return {each.begin(), each.end()};
}

std::vector<Row> rows_of(Primitive primitive) {
  std::vector<Row> rows;
  for (const VariantId index : variants_of(primitive))
    if (!devices_for(0, Row{index}).empty()) rows.push_back({index});
  return rows;
}

std::vector<TestDevice> having(std::vector<TestDevice> devices, const Row& row) {
  std::erase_if(devices, [&variant = *row.index](const TestDevice& on) {
    return !why_unavailable(variant, on.device->info()).empty();
  });
  return devices;
}

std::vector<TestDevice> devices_for(std::size_t items, const Row& row) {
  return having(devices_for(items), row);
}

std::string name_of(const Row& row) { return row.index->name; }

}  // namespace warpview::test
