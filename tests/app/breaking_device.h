// A GPU that breaks in the middle of a frame, or is as slow as the test says, in front of the CPU
// device.
//
// As with CUDA, an error stays: whatever is asked of the device afterwards fails, but for giving
// back what it has.
#pragma once

#include <glad/gl.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/runtime/device.h"

namespace warpview::test {

// What a BreakingDevice and the test share; it outlives the device. Safe from several threads.
struct Breakage {
  static constexpr const char* in_the_launch = "the launch fails for the test";
  static constexpr const char* at_the_end = "a kernel failed for the test";
  static constexpr const char* ever_after = "the device failed before";
  static constexpr int none = -1;

  std::atomic<int> fails_in{none};          // launches of this Primitive
  std::atomic<bool> next_end_fails{false};  // of a stream that kernels were launched in
  std::atomic<bool> broken{false};
  std::atomic<std::int64_t> alive{0};  // allocations, streams, events, graphs, registrations
  // What any two events say that they are apart; 0: what passed.
  std::atomic<double> milliseconds{0.0};

  void refuse(const std::string& asked) const {
    if (broken) throw Error(asked, ever_after, "");
  }
  [[noreturn]] void fail(const std::string& asked, const char* found) {
    broken = true;
    throw Error(asked, found, "");
  }

  // One of those that are alive.
  class Counted {
   public:
    explicit Counted(std::shared_ptr<Breakage> breakage) : breakage_(std::move(breakage)) {
      ++breakage_->alive;
    }
    ~Counted() { --breakage_->alive; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    Breakage* operator->() const { return breakage_.get(); }

   private:
    std::shared_ptr<Breakage> breakage_;
  };
};

class BreakingDevice final : public Device {
 public:
  // Says that it is "cuda". `direct`: kernels write OpenGL's buffers, which are registered with it.
  BreakingDevice(std::unique_ptr<Device> behind, std::shared_ptr<Breakage> breakage, bool direct)
      : behind_(std::move(behind)),
        breakage_(std::move(breakage)),
        direct_(direct),
        info_(behind_->info()),
        table_(behind_->table()) {
    info_.backend = Backend::cuda;
    lead_rows(std::make_index_sequence<row_count>());
    lead_steps(std::make_index_sequence<step_count>());
  }

  const DeviceInfo& info() const override { return info_; }
  std::uint64_t memory_available() const override {
    breakage_->refuse("memory that is available");
    return behind_->memory_available();
  }
  void* allocate(std::size_t bytes) override {
    breakage_->refuse("device memory");
    void* const memory = behind_->allocate(bytes);
    ++breakage_->alive;
    return memory;
  }
  void release(void* memory) noexcept override {
    --breakage_->alive;
    behind_->release(memory);
  }
  void* allocate_pinned(std::size_t bytes) override { return allocate(bytes); }
  void release_pinned(void* memory) noexcept override { release(memory); }

  std::unique_ptr<Stream> create_stream() override {
    breakage_->refuse("a stream");
    return std::make_unique<Queue>(*this);
  }
  std::unique_ptr<Event> create_event() override {
    breakage_->refuse("an event");
    return std::make_unique<Mark>(*this);
  }
  bool events_in_graphs() const override { return true; }
  bool shares_gl_context(std::string& why) const override {
    breakage_->refuse("devices of OpenGL");
    why = "the device only pretends";
    return direct_;
  }
  std::unique_ptr<GlRegistration> register_gl_buffer(unsigned buffer) override {
    breakage_->refuse("registering a buffer of OpenGL");
    return std::make_unique<Registration>(*this, buffer);
  }
  const BackendTable& table() const override { return table_; }

 private:
  static constexpr std::array row_primitives{
#define VARIANT(primitive, ...) Primitive::primitive,
#include "gpu/catalogue.def"
#undef VARIANT
  };
  static constexpr std::size_t row_count = row_primitives.size();
  static constexpr std::array step_names{
#define STEP(name, ...) #name,
#include "gpu/steps.def"
#undef STEP
  };
  static constexpr std::size_t step_count = step_names.size();

  struct Mark final : Event {
    explicit Mark(BreakingDevice& device)
        : breakage(device.breakage_), behind(device.behind_->create_event()) {}
    bool ready() const override {
      breakage->refuse("an event's state");
      return behind->ready();
    }
    void synchronize() override {
      breakage->refuse("waiting for an event");
      behind->synchronize();
    }
    double milliseconds_since(const Event& start) const override {
      breakage->refuse("the time between two events");
      if (const double ms = breakage->milliseconds; ms > 0.0) return ms;
      return behind->milliseconds_since(*static_cast<const Mark&>(start).behind);
    }

    const Breakage::Counted breakage;
    const std::unique_ptr<Event> behind;
  };

  struct Frame final : Graph {
    Frame(BreakingDevice& device, std::unique_ptr<Graph> graph)
        : breakage(device.breakage_), behind(std::move(graph)) {}

    const Breakage::Counted breakage;
    const std::unique_ptr<Graph> behind;
  };

  struct Queue final : Stream {
    explicit Queue(BreakingDevice& device)
        : on(device), breakage(device.breakage_), behind(device.behind_->create_stream()) {}

    Device& device() const override { return on; }
    void copy(void* to, const void* from, std::size_t bytes, Copy kind) override {
      breakage->refuse("a copy");
      behind->copy(to, from, bytes, kind);
    }
    void fill(void* to, std::uint8_t byte, std::size_t bytes) override {
      breakage->refuse("a fill");
      behind->fill(to, byte, bytes);
    }
    void record(Event& event) override {
      breakage->refuse("recording an event");
      behind->record(*static_cast<Mark&>(event).behind);
    }
    void synchronize() override {
      breakage->refuse("the end of what was queued");
      if (launched && breakage->next_end_fails.exchange(false))
        breakage->fail("the end of what was queued", Breakage::at_the_end);
      behind->synchronize();
    }
    void begin_capture() override {
      breakage->refuse("the begin of a capture");
      behind->begin_capture();
    }
    // A capture in which something failed gives no graph.
    std::unique_ptr<Graph> end_capture() override {
      std::unique_ptr<Graph> graph = behind->end_capture();
      breakage->refuse("the end of a capture");
      return std::make_unique<Frame>(on, std::move(graph));
    }
    void launch(Graph& graph) override {
      breakage->refuse("a graph");
      launched = true;
      behind->launch(*static_cast<Frame&>(graph).behind);
    }
    void note_launch(const std::string& kernel) {
      breakage->refuse(kernel);
      launched = true;
    }

    BreakingDevice& on;
    const Breakage::Counted breakage;
    const std::unique_ptr<Stream> behind;
    bool launched = false;
  };

  // Kernels write memory of its own, which goes into the buffer when it is unmapped.
  class Registration final : public GlRegistration {
   public:
    Registration(BreakingDevice& device, GLuint buffer)
        : breakage_(device.breakage_), buffer_(buffer) {
      GLint bytes = 0;
      glGetNamedBufferParameteriv(buffer, GL_BUFFER_SIZE, &bytes);
      memory_.resize(static_cast<std::size_t>(bytes) / sizeof(std::max_align_t) + 1);
    }
    void* map(Stream& /*stream*/) override {
      breakage_->refuse("mapping a buffer of OpenGL");
      return memory_.data();
    }
    void unmap(Stream& /*stream*/) override {
      breakage_->refuse("unmapping a buffer of OpenGL");
      GLint bytes = 0;
      glGetNamedBufferParameteriv(buffer_, GL_BUFFER_SIZE, &bytes);
      glNamedBufferSubData(buffer_, 0, bytes, memory_.data());
    }

   private:
    Breakage::Counted breakage_;
    GLuint buffer_;
    std::vector<std::max_align_t> memory_;
  };

  // What the device behind has in this place, on the stream behind.
  template <std::size_t row, class Function>
  struct Row;
  template <std::size_t row, class Args>
  struct Row<row, Runs<Args>> {
    static void call(Stream& stream, const Args& args, Scratch& scratch) {
      constexpr Primitive primitive = row_primitives[row];
      // A step that is given a primitive's function calls it with the stream behind.
      auto* const queue = dynamic_cast<Queue*>(&stream);
      if (queue != nullptr && !scratch.measuring()) {
        const std::string kernel =
            std::string(to_string(primitive)) + " by " + VariantId(row)->name;
        if (queue->breakage->fails_in == static_cast<int>(primitive))
          queue->breakage->fail(kernel, Breakage::in_the_launch);
        queue->note_launch(kernel);
      }
      Stream& behind = queue != nullptr ? *queue->behind : stream;
      behind.device().table().template get<primitive>(VariantId(row))(behind, args, scratch);
    }
  };
  template <std::size_t row, class Args>
  struct Row<row, Prepares<Args>> {
    static std::unique_ptr<Prepared> call(Stream& stream, const Args& args) {
      auto& queue = static_cast<Queue&>(stream);
      constexpr Primitive primitive = row_primitives[row];
      queue.note_launch(to_string(primitive));
      return queue.behind->device().table().template get<primitive>(VariantId(row))(*queue.behind,
                                                                                    args);
    }
  };
  template <std::size_t place, class Function>
  struct StepBehind;
  template <std::size_t place, class Args>
  struct StepBehind<place, Runs<Args>> {
    static void call(Stream& stream, const Args& args, Scratch& scratch) {
      auto& queue = static_cast<Queue&>(stream);
      if (!scratch.measuring()) queue.note_launch(step_names[place]);
      queue.behind->device().table().template step<static_cast<Step>(place)>()(*queue.behind, args,
                                                                               scratch);
    }
  };

  template <std::size_t... rows>
  void lead_rows(std::index_sequence<rows...> /*all*/) {
    const auto lead = [this](std::size_t row, BackendTable::Any function) {
      if (table_.functions[row] != nullptr) table_.functions[row] = function;
    };
    (lead(rows, reinterpret_cast<BackendTable::Any>(
                    &Row<rows, typename FunctionOf<row_primitives[rows]>::Type>::call)),
     ...);
  }
  template <std::size_t... places>
  void lead_steps(std::index_sequence<places...> /*all*/) {
    ((table_.steps[places] = reinterpret_cast<BackendTable::Any>(
          &StepBehind<places, typename StepOf<static_cast<Step>(places)>::Type>::call)),
     ...);
  }

  const std::unique_ptr<Device> behind_;
  const std::shared_ptr<Breakage> breakage_;
  const bool direct_;
  DeviceInfo info_;
  BackendTable table_;
};

}  // namespace warpview::test
