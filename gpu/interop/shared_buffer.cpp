#include "gpu/interop/shared_buffer.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpview {

namespace {

constexpr std::size_t smallest_gl_buffer = 16;

std::string gl_renderer() {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return name != nullptr ? name : "no OpenGL context";
}

void throw_out_of_gl_memory(std::size_t bytes) {
  throw Error("OpenGL buffer of " + std::to_string(bytes) + " bytes",
              gl_renderer() + " has no memory for it", "Open a smaller mesh");
}

// Earlier errors must not be attributed to this allocation.
void clear_gl_errors() {
  while (glGetError() != GL_NO_ERROR) {
  }
}

// An ordinary GL buffer, which a driver may place where it likes.
GlBuffer create_plain_gl_buffer(std::size_t bytes) {
  clear_gl_errors();
  GlBuffer buffer = create_gl_buffer();
  glNamedBufferData(buffer.get(), static_cast<GLsizeiptr>(std::max(bytes, smallest_gl_buffer)),
                    nullptr, GL_DYNAMIC_DRAW);
  if (glGetError() == GL_OUT_OF_MEMORY) throw_out_of_gl_memory(bytes);
  return buffer;
}

// Why a trial registration failed; empty if it worked.
std::string try_registration(Device& device) {
  try {
    SharedBuffer trial(device, 256, InteropMode::direct, 1);
    const std::unique_ptr<Stream> stream = device.create_stream();
    trial.map(*stream);
    trial.unmap(*stream);
    stream->synchronize();
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

class SharedBuffer::Slot {
 public:
  Slot() = default;
  virtual ~Slot() = default;
  Slot(const Slot&) = delete;
  Slot& operator=(const Slot&) = delete;

  virtual GLuint id() const = 0;
  virtual void drawn() {}
  virtual void* map(Stream& stream) = 0;
  // The kernels have ended. `wanted`: what they wrote will be drawn.
  virtual void unmap(Stream& stream, bool wanted) = 0;
};

namespace {

class RegisteredSlot final : public SharedBuffer::Slot {
 public:
  RegisteredSlot(Device& device, std::size_t bytes)
      : buffer_(create_plain_gl_buffer(bytes)),
        registration_(device.register_gl_buffer(buffer_.get())) {
    if (!registration_)
      throw UnavailableError("direct interop on " + device.info().name,
                             "the device registered no OpenGL buffer", "Use --interop copy");
  }

  GLuint id() const override { return buffer_.get(); }
  // Waits, on the stream, for GL's earlier commands.
  void* map(Stream& stream) override { return registration_->map(stream); }
  void unmap(Stream& stream, bool /*wanted*/) override { registration_->unmap(stream); }

 private:
  GlBuffer buffer_;
  std::unique_ptr<GlRegistration> registration_;  // dies before the buffer
};

class MappedSlot final : public SharedBuffer::Slot {
 public:
  explicit MappedSlot(std::size_t bytes) {
    constexpr GLbitfield access = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    const auto size = static_cast<GLsizeiptr>(std::max(bytes, smallest_gl_buffer));
    clear_gl_errors();
    buffer_ = create_gl_buffer();
    glNamedBufferStorage(buffer_.get(), size, nullptr, access);
    memory_ = glMapNamedBufferRange(buffer_.get(), 0, size, access);
    if (memory_ == nullptr) throw_out_of_gl_memory(bytes);
  }
  ~MappedSlot() override { glDeleteSync(fence_); }  // null is ignored

  GLuint id() const override { return buffer_.get(); }
  void drawn() override {
    glDeleteSync(fence_);
    fence_ = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  }
  void* map(Stream& /*stream*/) override {
    wait_for_draws();
    return memory_;
  }
  void unmap(Stream& /*stream*/, bool /*wanted*/) override {}  // the mapping is coherent

 private:
  void wait_for_draws() {
    if (fence_ == nullptr) return;
    constexpr GLuint64 one_second = 1'000'000'000;
    GLenum answer = GL_TIMEOUT_EXPIRED;
    while (answer == GL_TIMEOUT_EXPIRED)
      answer = glClientWaitSync(fence_, GL_SYNC_FLUSH_COMMANDS_BIT, one_second);
    glDeleteSync(std::exchange(fence_, nullptr));
    if (answer == GL_WAIT_FAILED)
      throw Error("waiting for OpenGL to finish drawing", "the wait failed on " + gl_renderer(),
                  "Restart the program");
  }

  GlBuffer buffer_;
  void* memory_ = nullptr;
  GLsync fence_ = nullptr;  // passed when GL has drawn from the buffer
};

class CopiedSlot final : public SharedBuffer::Slot {
 public:
  CopiedSlot(Device& device, std::size_t bytes)
      : device_(device), buffer_(create_plain_gl_buffer(bytes)), written_(device, bytes) {}
  ~CopiedSlot() override {
    if (staging_ != nullptr) device_.release_pinned(staging_);
  }

  GLuint id() const override { return buffer_.get(); }
  void* map(Stream& /*stream*/) override { return written_.data(); }
  void unmap(Stream& stream, bool wanted) override {
    const std::size_t bytes = written_.bytes();
    if (bytes == 0 || !wanted) return;
    const void* host = written_.data();
    if (device_.info().backend != Backend::cpu) {
      if (staging_ == nullptr) staging_ = device_.allocate_pinned(bytes);
      stream.copy(staging_, written_.data(), bytes, Copy::device_to_host);
      stream.synchronize();
      host = staging_;
    }
    glNamedBufferSubData(buffer_.get(), 0, static_cast<GLsizeiptr>(bytes), host);
  }

 private:
  Device& device_;
  GlBuffer buffer_;
  Buffer<std::byte> written_;
  void* staging_ = nullptr;  // pinned; kernels of the cpu device write host memory already
};

std::unique_ptr<SharedBuffer::Slot> create_slot(Device& device, std::size_t bytes,
                                                InteropMode mode) {
  if (mode == InteropMode::copy) return std::make_unique<CopiedSlot>(device, bytes);
  if (device.info().backend == Backend::cpu) return std::make_unique<MappedSlot>(bytes);
  return std::make_unique<RegisteredSlot>(device, bytes);
}

}  // namespace

InteropChoice choose_interop(Device& device, InteropRequest request) {
  const std::string& kernels = device.info().name;
  if (request == InteropRequest::copy)
    return {InteropMode::copy,
            "copied: asked for; GL is on " + gl_renderer() + ", kernels run on " + kernels};

  std::string why;
  if (device.shares_gl_context(why)) why = try_registration(device);
  if (why.empty())
    return {InteropMode::direct,
            "direct: kernels on " + kernels + " write the buffers of GL on " + gl_renderer()};

  const std::string reason =
      "GL is on " + gl_renderer() + ", kernels run on " + kernels + " (" + why + ")";
  if (request == InteropRequest::direct)
    throw UnavailableError("direct interop", reason, "Use --interop auto or copy");
  return {InteropMode::copy, "copied: " + reason};
}

SharedBuffer::SharedBuffer(Device& device, std::size_t bytes, InteropMode mode, std::size_t slots)
    : device_(&device),
      bytes_(bytes),
      mode_(mode),
      slot_count_(mode == InteropMode::copy ? 1 : slots) {
  slots_.push_back(create_slot(device, bytes, mode));
}
SharedBuffer::~SharedBuffer() = default;
SharedBuffer::SharedBuffer(SharedBuffer&&) noexcept = default;
SharedBuffer& SharedBuffer::operator=(SharedBuffer&&) noexcept = default;

void* SharedBuffer::map(Stream& stream) {
  if (is_mapped_) throw Error("mapping a shared buffer", "it is mapped already", "Unmap it first");
  writing_ = ever_published_ ? (published_ + 1) % slot_count_ : 0;
  if (writing_ == slots_.size()) slots_.push_back(create_slot(*device_, bytes_, mode_));
  device_->calls.note(DeviceCall::map);
  void* const memory = slots_[writing_]->map(stream);
  is_mapped_ = true;
  return memory;
}

void SharedBuffer::unmap(Stream& stream) {
  if (!is_mapped_) throw Error("unmapping a shared buffer", "it is not mapped", "Map it first");
  is_mapped_ = false;
  slots_[writing_]->unmap(stream, true);
  published_ = writing_;
  ever_published_ = true;
}

void SharedBuffer::abandon(Stream& stream) {
  if (std::exchange(is_mapped_, false)) slots_[writing_]->unmap(stream, false);
}

GLuint SharedBuffer::id() const { return slots_[published_]->id(); }
void SharedBuffer::drawn() { slots_[published_]->drawn(); }

}  // namespace warpview
