#include "gpu/runtime/cpu/cpu_device.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/runtime/cpu/host_memory.h"
#include "gpu/runtime/cpu/interruption.h"
#include "gpu/runtime/host_array.h"
#include "gpu/simt/counting.h"
#include "gpu/simt/language.h"
#include "gpu/simt/recording.h"

#if defined(WARPVIEW_SANITIZE_THREAD)
#include <tbb/task_arena.h>
#endif

namespace warpview::cpu {

const BackendTable& backend_table();

namespace {

using simt::recording::HostWork;
using simt::recording::HostWrite;

class CpuEvent final : public Event {
 public:
  bool ready() const override { return true; }
  void synchronize() override {}
  double milliseconds_since(const Event& start) const override {
    const auto& from = static_cast<const CpuEvent&>(start);
    return std::chrono::duration<double, std::milli>(time - from.time).count();
  }

  std::chrono::steady_clock::time_point time;
};

class CpuGraph final : public Graph {
 public:
  std::vector<std::function<void()>> work;
};

class CpuStream final : public Stream {
 public:
  CpuStream(Device& device, const simt::Options& options) : device_(device), options_(options) {}

  Device& device() const override { return device_; }

  void copy(void* to, const void* from, std::size_t bytes, Copy kind) override {
    if (bytes == 0) return;
    interruption_point();
    device_.calls.note(DeviceCall::copy);
    run([this, to, from, bytes, kind] {
      const HostWrite write(kind == Copy::host_to_device ? HostWork::upload : HostWork::copy, to,
                            bytes);
      std::memmove(to, from, bytes);
      if (kind == Copy::host_to_device) device_.transfers.to_device += bytes;
      if (kind == Copy::device_to_host) device_.transfers.to_host += bytes;
    });
  }
  void fill(void* to, std::uint8_t byte, std::size_t bytes) override {
    if (bytes == 0) return;
    device_.calls.note(DeviceCall::fill);
    run([to, byte, bytes] {
      const HostWrite write(HostWork::fill, to, bytes);
      std::memset(to, byte, bytes);
    });
  }
  void record(Event& event) override {
    device_.calls.note(DeviceCall::record);
    run([&event] { static_cast<CpuEvent&>(event).time = std::chrono::steady_clock::now(); });
  }
  void synchronize() override { device_.calls.note(DeviceCall::wait); }

  void begin_capture() override { capture_ = std::make_unique<CpuGraph>(); }
  std::unique_ptr<Graph> end_capture() override {
    if (!capture_)
      throw Error("end of a capture", "no capture had begun", "Call begin_capture first");
    return std::move(capture_);
  }
  void launch(Graph& graph) override {
    device_.calls.note(DeviceCall::launch);
    for (const auto& work : static_cast<CpuGraph&>(graph).work) {
      interruption_point();
      work();
    }
  }

  void run(std::function<void()> work) {
    if (capture_)
      capture_->work.push_back(std::move(work));
    else
      work();
  }
  const simt::Options& options() const { return options_; }

 private:
  Device& device_;
  const simt::Options& options_;
  std::unique_ptr<CpuGraph> capture_;
};

// The value in a line "key: value" of /proc/cpuinfo or /proc/meminfo; empty if there is none.
std::string proc_value(const char* file, const std::string& key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (line.compare(0, key.size(), key) != 0 || colon == std::string::npos) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

std::uint64_t memory_kib(const std::string& key) {
  const std::string value = proc_value("/proc/meminfo", key);
  return value.empty() ? 0 : std::strtoull(value.c_str(), nullptr, 10) * 1024;
}

std::string in_words(const simt::Workers& workers) {
  const char* of_all = workers.asked_for == 1 ? "thread" : "threads";
  if (workers.running == workers.asked_for) return fmt::format("{} {}", workers.running, of_all);
  return fmt::format("{} of {} {}: the system refused the rest", workers.running, workers.asked_for,
                     of_all);
}

class CpuDevice final : public Device {
 public:
  explicit CpuDevice(const simt::Options& options) : options_(options) {
    if (options.warp_size != 32 && options.warp_size != 64)
      throw Error(fmt::format("CPU device with warps of {} lanes", options.warp_size),
                  "a warp has 32 or 64 lanes", "Ask for one of these");
    const simt::Workers workers = simt::start_workers(options);
    info_.backend = Backend::cpu;
    info_.multiprocessors = static_cast<int>(workers.running);
    info_.name = fmt::format("{} (SIMT executor, {})", proc_value("/proc/cpuinfo", "model name"),
                             in_words(workers));
    info_.driver = "gpu/simt";
    info_.memory = memory_kib("MemTotal");
    info_.warp_size = static_cast<int>(options.warp_size);
    info_.lockstep = options.lockstep;
    info_.shared_banks = simt::counting::banks();
    info_.counts = simt::counting::on;
  }

  const DeviceInfo& info() const override { return info_; }
  std::uint64_t memory_available() const override { return host_memory_available(); }

  void* allocate(std::size_t bytes) override {
    interruption_point();
    calls.note(DeviceCall::allocate);
    void* memory = nullptr;
    const std::uint64_t available = bytes > (64U << 20U) ? memory_available() : ~std::uint64_t{0};
    if (bytes <= available) memory = allocate_host_memory(bytes);
    if (!memory)
      throw Error(
          fmt::format("{:.1f} MB of memory for the CPU device", 1e-6 * static_cast<double>(bytes)),
          fmt::format("{:.1f} MB are free", 1e-6 * static_cast<double>(memory_available())),
          "Open a smaller mesh or close other programs");
    simt::counting::allocated(memory, bytes);
    return memory;
  }
  void release(void* memory) noexcept override {
    simt::counting::released(memory);
    std::free(memory);
  }
  void* allocate_pinned(std::size_t bytes) override {
    void* const memory = allocate(bytes);
    simt::counting::pinned(memory);
    return memory;
  }
  void release_pinned(void* memory) noexcept override { release(memory); }

  std::unique_ptr<Stream> create_stream() override {
    return std::make_unique<CpuStream>(*this, options_);
  }
  std::unique_ptr<Event> create_event() override { return std::make_unique<CpuEvent>(); }
  bool events_in_graphs() const override { return true; }
  bool reads_host_memory() const override { return true; }

  bool shares_gl_context(std::string&) const override { return true; }
  std::unique_ptr<GlRegistration> register_gl_buffer(unsigned) override { return nullptr; }

  const BackendTable& table() const override { return backend_table(); }

 private:
  simt::Options options_;
  DeviceInfo info_;
};

}  // namespace

void submit(Stream& stream, const simt::Launch& launch, KernelCall call) {
  interruption_point();
  stream.device().calls.note(DeviceCall::launch);
  if (LaunchLog& log = stream.device().launches; log.recording())
    log.add({.kernel = launch.kernel,
             .grid = {launch.grid.x, launch.grid.y, launch.grid.z},
             .block = {launch.block.x, launch.block.y, launch.block.z}});
  auto& cpu_stream = static_cast<CpuStream&>(stream);
  cpu_stream.run([&options = cpu_stream.options(), launch, call = std::move(call)] {
    simt::run(options, launch, call.run, call.state.get());
  });
}

void run_host(Stream& stream, std::function<void()> work) {
  interruption_point();
#if defined(WARPVIEW_SANITIZE_THREAD)
  // The system's oneTBB is not instrumented, so ThreadSanitizer would report its threads. With a
  // limit of one thread it starts none.
  work = [work = std::move(work)] { tbb::task_arena(1).execute(work); };
#endif
  if constexpr (simt::recording::on)
    work = [work = std::move(work)] {
      const HostWrite anywhere(HostWork::code, nullptr, 0);
      work();
    };
  static_cast<CpuStream&>(stream).run(std::move(work));
}

}  // namespace warpview::cpu

namespace warpview {

std::unique_ptr<Device> open_cpu_device(const CpuOptions& options) {
  return std::make_unique<cpu::CpuDevice>(options);
}

}  // namespace warpview
