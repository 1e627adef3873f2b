// What every device promises in gpu/runtime/device.h, on every backend that works here.
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

#include "gpu/lab/laboratory.h"
#include "gpu/runtime/backends.h"
#include "gpu/runtime/buffer.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

std::vector<std::uint32_t> counting(std::size_t n) {
  std::vector<std::uint32_t> values(n);
  std::iota(values.begin(), values.end(), 0U);
  return values;
}

TEST(Device, CopiesAndCountsTheBytes) {
  for (const TestDevice& on : devices_for(1)) {
    const auto stream = on.device->create_stream();
    const auto host = counting(1000);
    Buffer<std::uint32_t> a(*on.device, host.size());
    Buffer<std::uint32_t> b(*on.device, host.size());
    const TransferCount& transfers = on.device->transfers;
    const std::uint64_t to_device = transfers.to_device;
    const std::uint64_t to_host = transfers.to_host;
    a.upload(*stream, host);
    stream->copy(b.data(), a.data(), a.bytes(), Copy::device_to_device);
    EXPECT_EQ(b.download(*stream), host) << on.name;
    EXPECT_EQ(transfers.to_device - to_device, 4000U) << on.name;
    EXPECT_EQ(transfers.to_host - to_host, 4000U) << on.name;
  }
}

TEST(Device, MemoryIsAligned) {
  for (const TestDevice& on : devices_for(1)) {
    for (const std::size_t bytes : {1, 100, 4096}) {
      void* memory = on.device->allocate(bytes);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 256, 0U) << on.name;
      on.device->release(memory);
    }
  }
}

TEST(Device, RefusesMoreMemoryThanThereIs) {
  for (const TestDevice& on : devices_for(1)) {
    EXPECT_THROW(on.device->allocate(std::size_t{1} << 46U), Error) << on.name;
    // The device still works afterwards.
    Buffer<std::uint32_t> buffer(*on.device, 16);
    const auto stream = on.device->create_stream();
    stream->fill(buffer.data(), 0xff, buffer.bytes());
    EXPECT_EQ(buffer.download(*stream), std::vector<std::uint32_t>(16, ~0U)) << on.name;
  }
}

TEST(Device, EventsMeasureTime) {
  for (const TestDevice& on : devices_for(1)) {
    const auto stream = on.device->create_stream();
    const auto start = on.device->create_event();
    const auto end = on.device->create_event();
    EXPECT_TRUE(start->ready()) << "an event never recorded, " << on.name;
    Buffer<std::byte> buffer(*on.device, 1U << 20U);
    stream->record(*start);
    stream->fill(buffer.data(), 1, buffer.bytes());
    stream->record(*end);
    end->synchronize();
    EXPECT_TRUE(start->ready() && end->ready()) << on.name;
    EXPECT_GE(end->milliseconds_since(*start), 0.0) << on.name;
  }
}

// Kernels of a prefix sum: what the log says of them is plausible, and nothing is logged without a
// recording.
TEST(Device, LogsLaunchesWhileRecording) {
  for (const TestDevice& on : devices_for(1)) {
    lab::Laboratory laboratory(*on.device, 1);
    laboratory.ask({.primitive = Primitive::scan, .n = 1U << 16U});
    LaunchLog& log = on.device->launches;
    for (const VariantId variant : laboratory.variants()) {
      const lab::Answer answer = laboratory.measure(variant);
      EXPECT_FALSE(log.recording());
      if (!answer.why_not.empty() || is_library(variant)) continue;
      int launches = 0;
      for (const LaunchRecord& record : answer.launches) {
        launches += record.count;
        EXPECT_FALSE(record.kernel.empty());
        EXPECT_GT(record.grid[0] * record.block[0], 0U) << record.kernel;
        if (on.device->info().backend == Backend::cpu) continue;
        EXPECT_GT(record.registers, 0) << record.kernel;
        EXPECT_GE(record.shared_bytes, 0) << record.kernel;
        EXPECT_GT(record.blocks_per_multiprocessor, 0) << record.kernel;
        EXPECT_GT(record.occupancy, 0.0) << record.kernel;
        EXPECT_LE(record.occupancy, 1.0) << record.kernel;
      }
      EXPECT_GE(launches, 1) << on.name << ' ' << variant->name;
    }
    EXPECT_TRUE(log.take().empty());
  }
}

TEST(Device, GraphsReplayWithTheirEventsAndTransfers) {
  for (const TestDevice& on : devices_for(1)) {
    const auto stream = on.device->create_stream();
    const auto start = on.device->create_event();
    const auto end = on.device->create_event();
    Buffer<std::uint32_t> buffer(*on.device, 256);
    auto* pinned = static_cast<std::uint32_t*>(on.device->allocate_pinned(buffer.bytes()));
    stream->fill(buffer.data(), 0, buffer.bytes());

    stream->begin_capture();
    if (on.device->events_in_graphs())
      stream->record(*start);
    else
      EXPECT_THROW(stream->record(*start), Error) << on.name;
    stream->fill(buffer.data(), 0x11, buffer.bytes() / 2);
    stream->copy(pinned, buffer.data(), buffer.bytes(), Copy::device_to_host);
    if (on.device->events_in_graphs()) stream->record(*end);
    const auto graph = stream->end_capture();
    EXPECT_EQ(buffer.download(*stream), std::vector<std::uint32_t>(256, 0)) << on.name;

    const std::uint64_t to_host = on.device->transfers.to_host;
    for (int replay = 0; replay < 3; ++replay) {
      stream->fill(buffer.data(), 0, buffer.bytes());
      stream->launch(*graph);
      stream->synchronize();
      EXPECT_EQ(pinned[0], 0x11111111U) << on.name;
      EXPECT_EQ(pinned[127], 0x11111111U) << on.name;
      EXPECT_EQ(pinned[128], 0U) << on.name;
      if (on.device->events_in_graphs()) {
        EXPECT_TRUE(end->ready()) << on.name;
        EXPECT_GE(end->milliseconds_since(*start), 0.0) << on.name;
      }
    }
    EXPECT_EQ(on.device->transfers.to_host - to_host, 3 * buffer.bytes()) << on.name;
    on.device->release_pinned(pinned);
  }
}

TEST(Backends, ListsAllThreeWithReasons) {
  const auto statuses = list_backends();
  ASSERT_EQ(statuses.size(), 3U);
  for (const BackendStatus& status : statuses) {
    EXPECT_EQ(status.why.empty(), status.usable) << to_string(status.backend);
    EXPECT_TRUE(status.built || !status.usable);
    if (status.usable) {
      EXPECT_FALSE(status.devices.empty()) << to_string(status.backend);
    }
  }
  EXPECT_EQ(statuses.back().backend, Backend::cpu);
  EXPECT_TRUE(statuses.back().usable);
}

TEST(Backends, NameTheOptionThatBuildsThemIfAbsent) {
  for (const BackendStatus& status : list_backends()) {
    if (status.built) continue;
    const std::string name = to_string(status.backend);
    EXPECT_NE(status.why.find("this program was built"), std::string::npos) << status.why;
    EXPECT_NE(status.why.find("./run --" + name), std::string::npos) << status.why;
  }
}

TEST(Backends, OpenIfTheyWorkAndAreRefusedOtherwise) {
  for (const BackendStatus& status : list_backends()) {
    if (status.usable) {
      EXPECT_EQ(open_device(status.backend)->info().backend, status.backend);
    } else {
      EXPECT_THROW(open_device(status.backend), UnavailableError) << to_string(status.backend);
    }
    EXPECT_THROW(open_device(status.backend, 99), UnavailableError) << to_string(status.backend);
  }
  EXPECT_NE(open_device(), nullptr);
  EXPECT_THROW(open_device({}, 99), UnavailableError);
}

TEST(Backends, ParsesTheirNames) {
  EXPECT_EQ(parse_backend("auto"), std::nullopt);
  EXPECT_EQ(parse_backend("hip"), Backend::hip);
  EXPECT_THROW(parse_backend("opencl"), Error);
}

}  // namespace
}  // namespace warpview::test
