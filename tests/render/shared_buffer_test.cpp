#include "gpu/interop/shared_buffer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "gl_test.h"
#include "tests/support/host_device.h"

namespace warpview {
namespace {

using test::HostDevice;

std::vector<std::uint32_t> contents(const SharedBuffer& buffer) {
  std::vector<std::uint32_t> words(buffer.size() / sizeof(std::uint32_t));
  // A read of a persistently mapped buffer through GL is allowed; it waits for nothing else.
  GlBuffer copy = create_gl_buffer();
  glNamedBufferData(copy.get(), static_cast<GLsizeiptr>(buffer.size()), nullptr, GL_STREAM_READ);
  glCopyNamedBufferSubData(buffer.id(), copy.get(), 0, 0, static_cast<GLsizeiptr>(buffer.size()));
  glGetNamedBufferSubData(copy.get(), 0, static_cast<GLsizeiptr>(buffer.size()), words.data());
  return words;
}

std::vector<std::uint32_t> counting_from(std::uint32_t first, std::size_t count) {
  std::vector<std::uint32_t> words(count);
  std::iota(words.begin(), words.end(), first);
  return words;
}

// Where they were written.
void* write(SharedBuffer& buffer, Stream& stream, const std::vector<std::uint32_t>& words) {
  void* memory = buffer.map(stream);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 16, 0U);
  std::memcpy(memory, words.data(), words.size() * sizeof(words[0]));
  buffer.unmap(stream);
  return memory;
}

constexpr std::size_t slots = 3;

struct Kind {
  const char* name;
  Backend backend;
  InteropMode mode;
};

class SharedBufferKinds : public GlTest, public testing::WithParamInterface<Kind> {};

TEST_P(SharedBufferKinds, ShowsWhatWasWrittenLast) {
  constexpr std::size_t count = 1000;
  HostDevice device(GetParam().backend);
  const std::unique_ptr<Stream> stream = device.create_stream();
  {
    SharedBuffer buffer(device, count * sizeof(std::uint32_t), GetParam().mode, slots);
    EXPECT_EQ(buffer.size(), count * sizeof(std::uint32_t));
    for (std::uint32_t frame = 0; frame < 10; ++frame) {
      write(buffer, *stream, counting_from(frame, count));
      EXPECT_EQ(contents(buffer), counting_from(frame, count));
      EXPECT_EQ(contents(buffer), counting_from(frame, count)) << "contents must stay";
      buffer.drawn();
    }
  }
  EXPECT_EQ(device.live_allocations, 0);
}

TEST_P(SharedBufferKinds, KeepsTheOldContentsVisibleWhileMapped) {
  HostDevice device(GetParam().backend);
  const std::unique_ptr<Stream> stream = device.create_stream();
  SharedBuffer buffer(device, 64, GetParam().mode, slots);
  write(buffer, *stream, counting_from(0, 16));
  const std::vector<std::uint32_t> next = counting_from(100, 16);
  std::memcpy(buffer.map(*stream), next.data(), 64);
  EXPECT_EQ(contents(buffer), counting_from(0, 16));
  buffer.unmap(*stream);
  EXPECT_EQ(contents(buffer), next);
}

TEST_P(SharedBufferKinds, WhatIsAbandonedIsNeverSeen) {
  HostDevice device(GetParam().backend);
  const std::unique_ptr<Stream> stream = device.create_stream();
  SharedBuffer buffer(device, 64, GetParam().mode, slots);
  buffer.abandon(*stream);  // nothing is mapped: nothing happens
  for (std::uint32_t frame = 0; frame < 7; ++frame) {
    write(buffer, *stream, counting_from(frame, 16));
    buffer.drawn();
    const GLuint id = buffer.id();
    std::memcpy(buffer.map(*stream), counting_from(1000, 16).data(), 64);
    buffer.abandon(*stream);
    EXPECT_EQ(buffer.id(), id);
    EXPECT_EQ(contents(buffer), counting_from(frame, 16));
    buffer.drawn();
  }
}

TEST_P(SharedBufferKinds, OneSlotIsWrittenOnce) {
  HostDevice device(GetParam().backend);
  const std::unique_ptr<Stream> stream = device.create_stream();
  SharedBuffer buffer(device, 64, GetParam().mode, 1);
  write(buffer, *stream, counting_from(3, 16));
  const GLuint id = buffer.id();
  for (int frame = 0; frame < 3; ++frame) {
    EXPECT_EQ(contents(buffer), counting_from(3, 16));
    buffer.drawn();
  }
  write(buffer, *stream, counting_from(4, 16));  // waits for the draws, and may
  EXPECT_EQ(contents(buffer), counting_from(4, 16));
  EXPECT_EQ(buffer.id(), id);
}

TEST_P(SharedBufferKinds, EmptyBuffersWork) {
  HostDevice device(GetParam().backend);
  const std::unique_ptr<Stream> stream = device.create_stream();
  SharedBuffer buffer(device, 0, GetParam().mode, slots);
  EXPECT_NE(buffer.id(), 0U);
  EXPECT_EQ(buffer.size(), 0U);
  buffer.map(*stream);
  buffer.unmap(*stream);
  buffer.drawn();
}

TEST_P(SharedBufferKinds, MisuseIsAnError) {
  HostDevice device(GetParam().backend);
  const std::unique_ptr<Stream> stream = device.create_stream();
  SharedBuffer buffer(device, 64, GetParam().mode, slots);
  EXPECT_THROW(buffer.unmap(*stream), Error);
  buffer.map(*stream);
  EXPECT_THROW(buffer.map(*stream), Error);
}

INSTANTIATE_TEST_SUITE_P(, SharedBufferKinds,
                         testing::Values(Kind{"CpuDirect", Backend::cpu, InteropMode::direct},
                                         Kind{"CpuCopy", Backend::cpu, InteropMode::copy},
                                         Kind{"GpuCopy", Backend::cuda, InteropMode::copy}),
                         [](const auto& kind) { return std::string(kind.param.name); });

class SharedBufferTest : public GlTest {};

TEST_F(SharedBufferTest, MappedBuffersTakeTurnsAndCopyNothing) {
  for (const std::size_t count : {1, 2, 3}) {
    HostDevice device(Backend::cpu);
    const std::unique_ptr<Stream> stream = device.create_stream();
    SharedBuffer buffer(device, 64, InteropMode::direct, count);
    std::set<GLuint> ids;
    std::set<void*> addresses;
    for (std::uint32_t frame = 0; frame < 12; ++frame) {
      addresses.insert(write(buffer, *stream, counting_from(frame, 16)));
      ids.insert(buffer.id());
      buffer.drawn();
      // Slots are made when they are needed.
      EXPECT_EQ(ids.size(), std::min<std::size_t>(frame + 1, count));
    }
    EXPECT_EQ(addresses.size(), count);
    EXPECT_EQ(device.live_allocations, 0);
    EXPECT_EQ(device.transfers.to_host + device.transfers.to_device, 0U);
  }
}

// A copy of GL's own is enough: kernels never write what it draws from.
TEST_F(SharedBufferTest, CopiedBuffersHaveOneSlot) {
  HostDevice device(Backend::cuda);
  const std::unique_ptr<Stream> stream = device.create_stream();
  SharedBuffer buffer(device, 64, InteropMode::copy, slots);
  std::set<GLuint> ids;
  for (std::uint32_t frame = 0; frame < 5; ++frame) {
    write(buffer, *stream, counting_from(frame, 16));
    ids.insert(buffer.id());
  }
  EXPECT_EQ(ids.size(), 1U);
  EXPECT_EQ(device.live_allocations, 2);  // device memory and what it is copied through
}

TEST_F(SharedBufferTest, MapsAreNoted) {
  HostDevice device(Backend::cpu);
  const std::unique_ptr<Stream> stream = device.create_stream();
  SharedBuffer buffer(device, 64, InteropMode::direct, slots);
  device.calls.begin();
  write(buffer, *stream, counting_from(0, 16));
  const std::vector<CallLog::Call> calls = device.calls.take();
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0], (CallLog::Call{DeviceCall::map, std::this_thread::get_id()}));
}

TEST_F(SharedBufferTest, MovesWithItsContents) {
  HostDevice device(Backend::cpu);
  const std::unique_ptr<Stream> stream = device.create_stream();
  SharedBuffer first(device, 64, InteropMode::direct, slots);
  write(first, *stream, counting_from(7, 16));
  SharedBuffer second(device, 16, InteropMode::direct, slots);
  second = std::move(first);
  EXPECT_EQ(second.size(), 64U);
  EXPECT_EQ(contents(second), counting_from(7, 16));
}

TEST_F(SharedBufferTest, CopiesAreCounted) {
  HostDevice device(Backend::cuda);
  const std::unique_ptr<Stream> stream = device.create_stream();
  SharedBuffer buffer(device, 64, InteropMode::copy, slots);
  write(buffer, *stream, counting_from(0, 16));
  EXPECT_EQ(device.transfers.to_host, 64U);
}

TEST_F(SharedBufferTest, ChoiceNamesBothDevicesAndTheReason) {
  HostDevice cpu(Backend::cpu);
  EXPECT_EQ(choose_interop(cpu, InteropRequest::automatic).mode, InteropMode::direct);
  EXPECT_EQ(choose_interop(cpu, InteropRequest::direct).mode, InteropMode::direct);
  const InteropChoice forced = choose_interop(cpu, InteropRequest::copy);
  EXPECT_EQ(forced.mode, InteropMode::copy);
  EXPECT_TRUE(forced.description.starts_with("copied: "));

  HostDevice apart(Backend::cuda);
  const InteropChoice choice = choose_interop(apart, InteropRequest::automatic);
  EXPECT_EQ(choice.mode, InteropMode::copy);
  for (const std::string& part :
       {std::string("copied: "), context().renderer(), std::string("Test device"),
        std::string("GL's device is another one")})
    EXPECT_NE(choice.description.find(part), std::string::npos) << choice.description;
  EXPECT_THROW(choose_interop(apart, InteropRequest::direct), UnavailableError);
}

}  // namespace
}  // namespace warpview
