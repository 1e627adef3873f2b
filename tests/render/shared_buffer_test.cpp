#include "gpu/interop/shared_buffer.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "gl_test.h"

namespace warpview {
namespace {

class HostStream final : public Stream {
 public:
  explicit HostStream(Device& device) : device_(&device) {}
  Device& device() const override { return *device_; }
  void copy(void* to, const void* from, std::size_t bytes, Copy kind) override {
    std::memcpy(to, from, bytes);
    if (kind == Copy::host_to_device) device_->transfers.to_device += bytes;
    if (kind == Copy::device_to_host) device_->transfers.to_host += bytes;
  }
  void fill(void* to, std::uint8_t byte, std::size_t bytes) override {
    std::memset(to, byte, bytes);
  }
  void record(Event& /*event*/) override {}
  void synchronize() override {}
  void begin_capture() override {}
  std::unique_ptr<Graph> end_capture() override { return nullptr; }
  void launch(Graph& /*graph*/) override {}

 private:
  Device* device_;
};

// A device in host memory with as much behaviour as shared buffers ask for. As Backend::cuda it is
// one that cannot reach GL's buffers.
class HostDevice final : public Device {
 public:
  explicit HostDevice(Backend backend) {
    info_.backend = backend;
    info_.name = "Test device";
  }
  const DeviceInfo& info() const override { return info_; }
  std::uint64_t memory_available() const override { return 1U << 30U; }
  void* allocate(std::size_t bytes) override {
    ++live_allocations;
    return std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  }
  void release(void* memory) noexcept override {
    --live_allocations;
    std::free(memory);
  }
  void* allocate_pinned(std::size_t bytes) override { return allocate(bytes); }
  void release_pinned(void* memory) noexcept override { release(memory); }
  std::unique_ptr<Stream> create_stream() override { return std::make_unique<HostStream>(*this); }
  std::unique_ptr<Event> create_event() override { return nullptr; }
  bool events_in_graphs() const override { return false; }
  bool shares_gl_context(std::string& why) const override {
    if (info_.backend == Backend::cpu) return true;
    why = "GL's device is another one";
    return false;
  }
  std::unique_ptr<GlRegistration> register_gl_buffer(unsigned /*buffer*/) override {
    return nullptr;
  }
  const BackendTable& table() const override { std::abort(); }

  int live_allocations = 0;

 private:
  DeviceInfo info_;
};

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

void write(SharedBuffer& buffer, Stream& stream, const std::vector<std::uint32_t>& words) {
  void* memory = buffer.map(stream);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 16, 0U);
  EXPECT_EQ(memory, buffer.last_mapped());
  EXPECT_TRUE(buffer.mapped());
  std::memcpy(memory, words.data(), words.size() * sizeof(words[0]));
  buffer.unmap(stream);
  EXPECT_FALSE(buffer.mapped());
}

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
    SharedBuffer buffer(device, count * sizeof(std::uint32_t), GetParam().mode);
    EXPECT_EQ(buffer.last_mapped(), nullptr);
    EXPECT_EQ(buffer.mode(), GetParam().mode);
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
  SharedBuffer buffer(device, 64, GetParam().mode);
  write(buffer, *stream, counting_from(0, 16));
  const std::vector<std::uint32_t> next = counting_from(100, 16);
  std::memcpy(buffer.map(*stream), next.data(), 64);
  EXPECT_EQ(contents(buffer), counting_from(0, 16));
  buffer.unmap(*stream);
  EXPECT_EQ(contents(buffer), next);
}

TEST_P(SharedBufferKinds, EmptyBuffersWork) {
  HostDevice device(GetParam().backend);
  const std::unique_ptr<Stream> stream = device.create_stream();
  SharedBuffer buffer(device, 0, GetParam().mode);
  EXPECT_NE(buffer.id(), 0U);
  EXPECT_EQ(buffer.size(), 0U);
  buffer.map(*stream);
  buffer.unmap(*stream);
  buffer.drawn();
}

TEST_P(SharedBufferKinds, MisuseIsAnError) {
  HostDevice device(GetParam().backend);
  const std::unique_ptr<Stream> stream = device.create_stream();
  SharedBuffer buffer(device, 64, GetParam().mode);
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
  HostDevice device(Backend::cpu);
  const std::unique_ptr<Stream> stream = device.create_stream();
  SharedBuffer buffer(device, 64, InteropMode::direct);
  std::set<GLuint> ids;
  std::set<void*> addresses;
  for (std::uint32_t frame = 0; frame < 12; ++frame) {
    write(buffer, *stream, counting_from(frame, 16));
    ids.insert(buffer.id());
    addresses.insert(buffer.last_mapped());
    buffer.drawn();
  }
  EXPECT_EQ(ids.size(), 3U);
  EXPECT_EQ(addresses.size(), 3U);
  EXPECT_EQ(device.live_allocations, 0);
  EXPECT_EQ(device.transfers.to_host + device.transfers.to_device, 0U);
}

TEST_F(SharedBufferTest, MovesWithItsContents) {
  HostDevice device(Backend::cpu);
  const std::unique_ptr<Stream> stream = device.create_stream();
  SharedBuffer first(device, 64, InteropMode::direct);
  write(first, *stream, counting_from(7, 16));
  SharedBuffer second(device, 16, InteropMode::direct);
  second = std::move(first);
  EXPECT_EQ(second.size(), 64U);
  EXPECT_EQ(contents(second), counting_from(7, 16));
}

TEST_F(SharedBufferTest, CopiesAreCounted) {
  HostDevice device(Backend::cuda);
  const std::unique_ptr<Stream> stream = device.create_stream();
  SharedBuffer buffer(device, 64, InteropMode::copy);
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
