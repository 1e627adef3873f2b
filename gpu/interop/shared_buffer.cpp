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

// Earlier errors must not be taken for this allocation's.
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
    SharedBuffer trial(device, 256, InteropMode::direct);
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

class SharedBuffer::Storage {
 public:
  Storage(std::size_t bytes, InteropMode mode) : bytes_(bytes), mode_(mode) {}
  virtual ~Storage() = default;
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  virtual GLuint id() const = 0;
  virtual void drawn() = 0;

  void* map(Stream& stream) {
    if (is_mapped_)
      throw Error("mapping a shared buffer", "it is mapped already", "Unmap it first");
    last_mapped_ = do_map(stream);
    is_mapped_ = true;
    return last_mapped_;
  }
  void unmap(Stream& stream) {
    if (!is_mapped_) throw Error("unmapping a shared buffer", "it is not mapped", "Map it first");
    do_unmap(stream);
    is_mapped_ = false;
  }

  std::size_t bytes() const { return bytes_; }
  InteropMode mode() const { return mode_; }
  bool is_mapped() const { return is_mapped_; }
  void* last_mapped() const { return last_mapped_; }

 private:
  virtual void* do_map(Stream& stream) = 0;
  virtual void do_unmap(Stream& stream) = 0;

  std::size_t bytes_;
  InteropMode mode_;
  bool is_mapped_ = false;
  void* last_mapped_ = nullptr;
};

namespace {

class RegisteredStorage final : public SharedBuffer::Storage {
 public:
  RegisteredStorage(Device& device, std::size_t bytes)
      : Storage(bytes, InteropMode::direct),
        buffer_(create_plain_gl_buffer(bytes)),
        registration_(device.register_gl_buffer(buffer_.get())) {
    if (!registration_)
      throw UnavailableError("direct interop on " + device.info().name,
                             "the device registered no OpenGL buffer", "Use --interop copy");
  }

  GLuint id() const override { return buffer_.get(); }
  void drawn() override {}  // mapping waits for GL's earlier commands

 private:
  void* do_map(Stream& stream) override { return registration_->map(stream); }
  void do_unmap(Stream& stream) override { registration_->unmap(stream); }

  GlBuffer buffer_;
  std::unique_ptr<GlRegistration> registration_;  // dies before the buffer
};

class MappedStorage final : public SharedBuffer::Storage {
 public:
  explicit MappedStorage(std::size_t bytes) : Storage(bytes, InteropMode::direct) {
    slots_[0].create(bytes);
  }

  GLuint id() const override { return slots_[published_].buffer.get(); }
  void drawn() override { slots_[published_].place_fence(); }

 private:
  struct Slot {
    GlBuffer buffer;
    void* memory = nullptr;
    GLsync fence = nullptr;  // passed when GL has drawn from the buffer

    Slot() = default;
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot() { glDeleteSync(fence); }  // null is ignored

    void create(std::size_t bytes) {
      constexpr GLbitfield access = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
      const auto size = static_cast<GLsizeiptr>(std::max(bytes, smallest_gl_buffer));
      clear_gl_errors();
      buffer = create_gl_buffer();
      glNamedBufferStorage(buffer.get(), size, nullptr, access);
      memory = glMapNamedBufferRange(buffer.get(), 0, size, access);
      if (memory == nullptr) throw_out_of_gl_memory(bytes);
    }
    void place_fence() {
      glDeleteSync(fence);
      fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    }
    void wait() {
      if (fence == nullptr) return;
      constexpr GLuint64 one_second = 1'000'000'000;
      GLenum answer = GL_TIMEOUT_EXPIRED;
      while (answer == GL_TIMEOUT_EXPIRED)
        answer = glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, one_second);
      glDeleteSync(std::exchange(fence, nullptr));
      if (answer == GL_WAIT_FAILED)
        throw Error("waiting for OpenGL to finish drawing", "the wait failed on " + gl_renderer(),
                    "Restart the program");
    }
  };

  void* do_map(Stream& /*stream*/) override {
    writing_ = ever_published_ ? (published_ + 1) % slots_.size() : 0;
    Slot& slot = slots_[writing_];
    if (!slot.buffer) slot.create(bytes());
    slot.wait();
    return slot.memory;
  }
  void do_unmap(Stream& stream) override {
    stream.synchronize();  // the kernels have written; the mapping is coherent
    published_ = writing_;
    ever_published_ = true;
  }

  std::array<Slot, 3> slots_;
  std::size_t published_ = 0;
  std::size_t writing_ = 0;
  bool ever_published_ = false;
};

class CopiedStorage final : public SharedBuffer::Storage {
 public:
  CopiedStorage(Device& device, std::size_t bytes)
      : Storage(bytes, InteropMode::copy),
        device_(&device),
        buffer_(create_plain_gl_buffer(bytes)),
        written_(device, bytes) {}
  ~CopiedStorage() override {
    if (staging_ != nullptr) device_->release_pinned(staging_);
  }
  CopiedStorage(const CopiedStorage&) = delete;
  CopiedStorage& operator=(const CopiedStorage&) = delete;

  GLuint id() const override { return buffer_.get(); }
  void drawn() override {}  // the upload is a GL command, in order with the draws

 private:
  void* do_map(Stream& /*stream*/) override { return written_.data(); }
  void do_unmap(Stream& stream) override {
    if (bytes() == 0) return;
    const void* host = written_.data();
    if (device_->info().backend != Backend::cpu) {
      if (staging_ == nullptr) staging_ = device_->allocate_pinned(bytes());
      stream.copy(staging_, written_.data(), bytes(), Copy::device_to_host);
      host = staging_;
    }
    stream.synchronize();
    glNamedBufferSubData(buffer_.get(), 0, static_cast<GLsizeiptr>(bytes()), host);
  }

  Device* device_;
  GlBuffer buffer_;
  Buffer<std::byte> written_;
  void* staging_ = nullptr;  // pinned; kernels of the cpu device write host memory already
};

std::unique_ptr<SharedBuffer::Storage> create_storage(Device& device, std::size_t bytes,
                                                      InteropMode mode) {
  if (mode == InteropMode::copy) return std::make_unique<CopiedStorage>(device, bytes);
  if (device.info().backend == Backend::cpu) return std::make_unique<MappedStorage>(bytes);
  return std::make_unique<RegisteredStorage>(device, bytes);
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

SharedBuffer::SharedBuffer(Device& device, std::size_t bytes, InteropMode mode)
    : storage_(create_storage(device, bytes, mode)) {}
SharedBuffer::~SharedBuffer() = default;
SharedBuffer::SharedBuffer(SharedBuffer&&) noexcept = default;
SharedBuffer& SharedBuffer::operator=(SharedBuffer&&) noexcept = default;

void* SharedBuffer::map(Stream& stream) { return storage_->map(stream); }
void SharedBuffer::unmap(Stream& stream) { storage_->unmap(stream); }
GLuint SharedBuffer::id() const { return storage_->id(); }
void SharedBuffer::drawn() { storage_->drawn(); }
std::size_t SharedBuffer::size() const { return storage_->bytes(); }
InteropMode SharedBuffer::mode() const { return storage_->mode(); }
bool SharedBuffer::mapped() const { return storage_->is_mapped(); }
void* SharedBuffer::last_mapped() const { return storage_->last_mapped(); }

}  // namespace warpview
