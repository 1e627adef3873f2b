// The device of both vendors, written once: CUDA's and HIP's runtimes differ in little but the
// prefix of their names, which GPU_API supplies (gpu/runtime/cuda/api.h, gpu/runtime/hip/api.h).
#include "gpu/runtime/vendor_device.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>

#include "gpu/backend_table.h"
#include "gpu/runtime/kernel.h"
#if defined(WARPVIEW_BACKEND_CUDA)
#include <cuda_gl_interop.h>
#endif

// Calls a function of the runtime; Error unless it succeeds.
#define CALL(name, ...) check(GPU_API(name)(__VA_ARGS__), GPU_API_NAME(name))

namespace warpview::WARPVIEW_BACKEND {
namespace {

#if defined(WARPVIEW_BACKEND_CUDA)
constexpr const char* runtime_name = "CUDA";
#else
constexpr const char* runtime_name = "HIP";
#endif

std::string in_words(GpuError status) {
  return std::string(GPU_API(GetErrorName)(status)) + " (" + std::to_string(status) + "), " +
         GPU_API(GetErrorString)(status);
}

std::string size_in_words(std::uint64_t bytes) {
  char text[48];
  std::snprintf(text, sizeof text, "%.1f MiB", static_cast<double>(bytes) / (1 << 20));
  return text;
}

const char* remedy_for(GpuError status) {
  switch (status) {
    case GPU_API(ErrorMemoryAllocation):
      return "Open a smaller mesh, or close other programs that use this GPU";
    case GPU_API(ErrorInvalidConfiguration):
    case GPU_API(ErrorLaunchOutOfResources):
      return "This GPU cannot run the kernel in blocks of this size: choose another variant";
    case GPU_API(ErrorNoDevice):
    case GPU_API(ErrorInsufficientDriver):
      return "Install or update the GPU's driver, or use --backend cpu";
    case GPU_API(ErrorLaunchFailure):
    case GPU_API(ErrorIllegalAddress):
    case GPU_API(ErrorAssert):
      return "A kernel queued earlier failed and the GPU is lost to this program: start it again, "
             "choose another variant, or find the kernel with --backend cpu";
#if defined(WARPVIEW_BACKEND_CUDA)
    case cudaErrorNoKernelImageForDevice:
      return "Build with this GPU's architecture in CMAKE_CUDA_ARCHITECTURES";
#else
    case hipErrorNoBinaryForGpu:
      return "Build with this GPU's architecture in WARPVIEW_HIP_ARCHITECTURES";
#endif
    default:
      return "Try another variant or --backend cpu";
  }
}

// A version number as both runtimes encode it for drivers and themselves.
std::string version_in_words(int version) {
#if defined(WARPVIEW_BACKEND_CUDA)
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
#else
  return std::to_string(version / 10000000) + "." + std::to_string(version / 100000 % 100);
#endif
}

// E.g. "580.95.05, CUDA 13.0": the kernel module's version, where the system tells it, and what the
// driver supports.
std::string driver_in_words() {
  int version = 0;
  CALL(DriverGetVersion, &version);
  std::string words = std::string(runtime_name) + " " + version_in_words(version);
#if defined(WARPVIEW_BACKEND_CUDA)
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;) {
    if (word.find_first_not_of("0123456789.") == std::string::npos &&
        word.find('.') != std::string::npos)
      return word + ", " + words;
  }
#endif
  return words;
}

__global__ void probe_kernel(std::uint32_t* answer) { *answer = 42; }

#if defined(WARPVIEW_BACKEND_CUDA)
// Of the code that this device would run: perhaps made for older ones, and translated by the
// driver. 0 where there is none, which the probe reports.
int compiled_for(int index) {
  CALL(SetDevice, index);
  cudaFuncAttributes attributes{};
  if (cudaFuncGetAttributes(&attributes, &probe_kernel) == cudaSuccess)
    return attributes.ptxVersion;
  static_cast<void>(cudaGetLastError());
  return 0;
}
#endif

DeviceInfo describe(int index) {
  GpuProperties properties{};
  CALL(GetDeviceProperties, &properties, index);
  DeviceInfo info;
  info.backend = Backend::WARPVIEW_BACKEND;
  info.index = index;
  info.name = properties.name;
  info.driver = driver_in_words();
  info.memory = properties.totalGlobalMem;
  info.warp_size = properties.warpSize;
#if defined(WARPVIEW_BACKEND_CUDA)
  info.compute_capability = 10 * properties.major + properties.minor;
  info.compiled_for = compiled_for(index);
#endif
  info.multiprocessors = properties.multiProcessorCount;
  info.max_threads_per_block = properties.maxThreadsPerBlock;
  info.shared_bytes_per_block = properties.sharedMemPerBlock;
  return info;
}

// Bytes that crossed between host and device.
struct Transfers {
  std::uint64_t to_device = 0;
  std::uint64_t to_host = 0;

  void add_to(TransferCount& total) const {
    total.to_device += to_device;
    total.to_host += to_host;
  }
};

class VendorEvent final : public Event {
 public:
  explicit VendorEvent(int device) : device_(device) {
    CALL(SetDevice, device);
    CALL(EventCreate, &handle_);
  }
  VendorEvent(const VendorEvent&) = delete;
  VendorEvent& operator=(const VendorEvent&) = delete;
  ~VendorEvent() override {
    static_cast<void>(GPU_API(SetDevice)(device_));
    static_cast<void>(GPU_API(EventDestroy)(handle_));
  }

  // Both runtimes answer success for an event that was never recorded.
  bool ready() const override {
    const GpuError status = GPU_API(EventQuery)(handle_);
    if (status == GPU_API(ErrorNotReady)) {
      static_cast<void>(GPU_API(GetLastError)());
      return false;
    }
    check(status, GPU_API_NAME(EventQuery));
    return true;
  }
  void synchronize() override { CALL(EventSynchronize, handle_); }
  double milliseconds_since(const Event& start) const override {
    float milliseconds = 0.0F;
    CALL(EventElapsedTime, &milliseconds, static_cast<const VendorEvent&>(start).handle_, handle_);
    return milliseconds;
  }

  GPU_API(Event_t) handle() const { return handle_; }

 private:
  int device_;
  GPU_API(Event_t) handle_ = nullptr;
};

class VendorGraph final : public Graph {
 public:
  // Takes the captured graph, and what its copies move each time it is launched.
  VendorGraph(GPU_API(Graph_t) graph, Transfers transfers) : graph_(graph), transfers_(transfers) {
    const GpuError status = GPU_API(GraphInstantiateWithFlags)(&executable_, graph_, 0);
    if (status == gpu_success) return;
    static_cast<void>(GPU_API(GraphDestroy)(graph_));
    check(status, GPU_API_NAME(GraphInstantiate));
  }
  VendorGraph(const VendorGraph&) = delete;
  VendorGraph& operator=(const VendorGraph&) = delete;
  ~VendorGraph() override {
    static_cast<void>(GPU_API(GraphExecDestroy)(executable_));
    static_cast<void>(GPU_API(GraphDestroy)(graph_));
  }

  GPU_API(GraphExec_t) executable() const { return executable_; }
  const Transfers& transfers() const { return transfers_; }

 private:
  GPU_API(Graph_t) graph_;
  GPU_API(GraphExec_t) executable_ = nullptr;
  Transfers transfers_;
};

class VendorStream final : public Stream {
 public:
  explicit VendorStream(Device& device) : device_(device) {
    make_current();
    // Non-blocking: no hidden order with the legacy default stream.
    CALL(StreamCreateWithFlags, &handle_, GPU_API(StreamNonBlocking));
  }
  VendorStream(const VendorStream&) = delete;
  VendorStream& operator=(const VendorStream&) = delete;
  ~VendorStream() override {
    static_cast<void>(GPU_API(SetDevice)(device_.info().index));
    static_cast<void>(GPU_API(StreamSynchronize)(handle_));
    static_cast<void>(GPU_API(StreamDestroy)(handle_));
  }

  Device& device() const override { return device_; }

  void copy(void* to, const void* from, std::size_t bytes, Copy kind) override {
    if (bytes == 0) return;
    device_.calls.note(DeviceCall::copy);
    make_current();
    Transfers moved;
    auto direction = GPU_API(MemcpyDeviceToDevice);
    if (kind == Copy::host_to_device) {
      direction = GPU_API(MemcpyHostToDevice);
      moved.to_device = bytes;
    } else if (kind == Copy::device_to_host) {
      direction = GPU_API(MemcpyDeviceToHost);
      moved.to_host = bytes;
    }
    CALL(MemcpyAsync, to, from, bytes, direction, handle_);
    if (capturing_) {
      captured_.to_device += moved.to_device;
      captured_.to_host += moved.to_host;
    } else {
      moved.add_to(device_.transfers);
    }
  }

  void fill(void* to, std::uint8_t byte, std::size_t bytes) override {
    if (bytes == 0) return;
    device_.calls.note(DeviceCall::fill);
    make_current();
    CALL(MemsetAsync, to, byte, bytes, handle_);
  }

  void record(Event& event) override {
    device_.calls.note(DeviceCall::record);
    make_current();
    const auto handle = static_cast<VendorEvent&>(event).handle();
    if (!capturing_) {
      CALL(EventRecord, handle, handle_);
      return;
    }
#if defined(WARPVIEW_BACKEND_CUDA)
    // External: a node of the graph that records the event anew at each launch.
    CALL(EventRecordWithFlags, handle, handle_, cudaEventRecordExternal);
#else
    throw Error("recording an event into a graph", "HIP 5.2 has no event-record nodes",
                "Time the stages without a graph");
#endif
  }

  void synchronize() override {
    device_.calls.note(DeviceCall::wait);
    make_current();
    check(GPU_API(StreamSynchronize)(handle_), "waiting for the work queued on the GPU");
  }

  void begin_capture() override {
    make_current();
    // Thread-local: what another thread does, such as loading a mesh, does not spoil the capture.
    CALL(StreamBeginCapture, handle_, GPU_API(StreamCaptureModeThreadLocal));
    capturing_ = true;
    captured_ = {};
  }

  std::unique_ptr<Graph> end_capture() override {
    make_current();
    capturing_ = false;
    GPU_API(Graph_t) graph = nullptr;
    CALL(StreamEndCapture, handle_, &graph);
    return std::make_unique<VendorGraph>(graph, captured_);
  }

  void launch(Graph& graph) override {
    device_.calls.note(DeviceCall::launch);
    make_current();
    auto& captured = static_cast<VendorGraph&>(graph);
    CALL(GraphLaunch, captured.executable(), handle_);
    captured.transfers().add_to(device_.transfers);
  }

  bool capturing() const override { return capturing_; }

  GpuStream handle() const { return handle_; }
  // The runtime keeps one current device a thread, and launches go to it.
  void make_current() const { CALL(SetDevice, device_.info().index); }

 private:
  Device& device_;
  GpuStream handle_ = nullptr;
  bool capturing_ = false;
  Transfers captured_;
};

class VendorGlRegistration final : public GlRegistration {
 public:
  explicit VendorGlRegistration(unsigned buffer) {
    CALL(GraphicsGLRegisterBuffer, &resource_, buffer, GPU_API(GraphicsRegisterFlagsWriteDiscard));
  }
  VendorGlRegistration(const VendorGlRegistration&) = delete;
  VendorGlRegistration& operator=(const VendorGlRegistration&) = delete;
  ~VendorGlRegistration() override {
    static_cast<void>(GPU_API(GraphicsUnregisterResource)(resource_));
  }

  void* map(Stream& stream) override {
    CALL(GraphicsMapResources, 1, &resource_, native(stream));
    void* address = nullptr;
    std::size_t bytes = 0;
    CALL(GraphicsResourceGetMappedPointer, &address, &bytes, resource_);
    return address;
  }
  void unmap(Stream& stream) override {
    CALL(GraphicsUnmapResources, 1, &resource_, native(stream));
  }

 private:
  GpuGraphicsResource resource_ = nullptr;
};

class VendorDevice final : public Device {
 public:
  explicit VendorDevice(int index) : info_(describe(index)) {}
  ~VendorDevice() override { staging.reset(); }

  const DeviceInfo& info() const override { return info_; }

  std::uint64_t memory_available() const override {
    make_current();
    std::size_t available = 0;
    std::size_t total = 0;
    CALL(MemGetInfo, &available, &total);
    return available;
  }

  void* allocate(std::size_t bytes) override {
    calls.note(DeviceCall::allocate);
    make_current();
    void* memory = nullptr;
    const GpuError status = GPU_API(Malloc)(&memory, bytes);
    if (status == GPU_API(ErrorMemoryAllocation)) {
      static_cast<void>(GPU_API(GetLastError)());
      throw Error("allocating " + size_in_words(bytes) + " on " + info_.name,
                  size_in_words(memory_available()) + " of " + size_in_words(info_.memory) +
                      " are available",
                  remedy_for(status));
    }
    check(status, GPU_API_NAME(Malloc));
    return memory;
  }
  void release(void* memory) noexcept override {
    static_cast<void>(GPU_API(SetDevice)(info_.index));
    static_cast<void>(GPU_API(Free)(memory));
  }

  void* allocate_pinned(std::size_t bytes) override {
    make_current();
    void* memory = nullptr;
    const GpuError status = allocate_page_locked(&memory, bytes);
    if (status == GPU_API(ErrorMemoryAllocation)) {
      static_cast<void>(GPU_API(GetLastError)());
      throw Error("page-locking " + size_in_words(bytes) + " of host memory", in_words(status),
                  "Open a smaller mesh, or close other programs");
    }
    check(status, "page-locking host memory");
    return memory;
  }
  void release_pinned(void* memory) noexcept override {
    static_cast<void>(GPU_API(SetDevice)(info_.index));
    static_cast<void>(release_page_locked(memory));
  }

  std::unique_ptr<Stream> create_stream() override { return std::make_unique<VendorStream>(*this); }
  std::unique_ptr<Event> create_event() override {
    return std::make_unique<VendorEvent>(info_.index);
  }
  bool events_in_graphs() const override { return Backend::WARPVIEW_BACKEND == Backend::cuda; }
  bool stages_uploads() const override { return true; }

  bool shares_gl_context(std::string& why) const override {
    make_current();
    std::array<int, 16> devices{};
    unsigned count = 0;
    const GpuError status = GPU_API(GLGetDevices)(
        &count, devices.data(), static_cast<unsigned>(devices.size()), GPU_API(GLDeviceListAll));
    if (status != gpu_success) {
      static_cast<void>(GPU_API(GetLastError)());
      why = std::string("OpenGL does not draw on a device of ") + runtime_name + ": " +
            in_words(status);
      return false;
    }
    const auto end = devices.begin() + std::min<std::size_t>(count, devices.size());
    if (std::find(devices.begin(), end, info_.index) != end) return true;
    why = "OpenGL draws on another device than " + info_.name + " (" + runtime_name + " device " +
          std::to_string(info_.index) + ")";
    return false;
  }
  std::unique_ptr<GlRegistration> register_gl_buffer(unsigned buffer) override {
    make_current();
    return std::make_unique<VendorGlRegistration>(buffer);
  }

  const BackendTable& table() const override { return backend_table(); }

 private:
  void make_current() const { CALL(SetDevice, info_.index); }

  DeviceInfo info_;
};

// Does a kernel of this program really run there?
void probe(Device& device) {
  const auto stream = device.create_stream();
  void* memory = device.allocate(sizeof(std::uint32_t));
  std::uint32_t answer = 0;
  try {
    launch(*stream, KERNEL(probe_kernel), one_thread_each(1, 64),
           static_cast<std::uint32_t*>(memory));
    stream->copy(&answer, memory, sizeof answer, Copy::device_to_host);
    stream->synchronize();
  } catch (...) {
    device.release(memory);
    throw;
  }
  device.release(memory);
  if (answer != 42)
    throw Error(device.info().name, "a first kernel gave a wrong result",
                "Check the GPU's driver, or use --backend cpu");
  device.transfers.to_host = 0;
}

int count_devices() {
  const std::string asked =
      std::string("backend ") + (runtime_name == std::string("CUDA") ? "cuda" : "hip");
  int count = 0;
  const GpuError status = GPU_API(GetDeviceCount)(&count);
  if (status == gpu_success && count > 0) return count;
  static_cast<void>(GPU_API(GetLastError)());
  int version = 0;
  static_cast<void>(GPU_API(DriverGetVersion)(&version));
  std::string found = "there is no device";
  if (version == 0)
    found = "no driver is installed or running";
  else if (status == GPU_API(ErrorInsufficientDriver))
    found = "the driver supports " + std::string(runtime_name) + " " + version_in_words(version) +
            ", which is older than this program needs";
  else if (status != gpu_success && status != GPU_API(ErrorNoDevice))
    found = in_words(status);
  throw UnavailableError(asked, found, remedy_for(GPU_API(ErrorNoDevice)));
}

}  // namespace

void check(GpuError status, const char* call) {
  if (status == gpu_success) return;
  // Forget it, unless the device is lost: the next call shall not report it again.
  static_cast<void>(GPU_API(GetLastError)());
  throw Error(call, in_words(status), remedy_for(status));
}

std::size_t shared_bytes_for(Stream& stream, const char* name, const void* kernel, dim3 block,
                             unsigned share) {
  native(stream);
  if (share <= 1) return 0;
  const auto threads = static_cast<int>(block.x * block.y * block.z);
  const auto resident = [&](int shared_bytes) {
    int blocks = 0;
    check(GPU_API(OccupancyMaxActiveBlocksPerMultiprocessor)(
              &blocks, kernel, threads, static_cast<std::size_t>(shared_bytes)),
          name);
    return blocks;
  };
  int most = 0;
  check(
      GPU_API(DeviceGetAttribute)(&most, max_shared_memory_per_block, stream.device().info().index),
      name);
  GPU_API(FuncAttributes) attributes{};
  check(GPU_API(FuncGetAttributes)(&attributes, kernel), name);
  most -= static_cast<int>(attributes.sharedSizeBytes);
  check(GPU_API(FuncSetAttribute)(kernel, GPU_API(FuncAttributeMaxDynamicSharedMemorySize), most),
        name);
  // The fewest that do: with more of them there are never more blocks.
  const int wanted = std::max(resident(0) / static_cast<int>(share), 1);
  int fewest = 0;
  for (int enough = most; fewest < enough;) {
    const int middle = fewest + (enough - fewest) / 2;
    if (resident(middle) <= wanted)
      enough = middle;
    else
      fewest = middle + 1;
  }
  return static_cast<std::size_t>(fewest);
}

std::size_t ask_for_shared([[maybe_unused]] const char* name, [[maybe_unused]] const void* kernel,
                           [[maybe_unused]] std::size_t large_shared) {
#if defined(WARPVIEW_BACKEND_CUDA)
  if (large_shared == 0) return 0;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(large_shared)),
        name);
  // The memory that L1 and shared memory divide goes to the latter, for as many blocks as fit.
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                             cudaSharedmemCarveoutMaxShared),
        name);
  return large_shared;
#else
  return 0;
#endif
}

std::size_t most_large_shared(Stream& stream) {
#if defined(WARPVIEW_BACKEND_CUDA)
  constexpr std::size_t others = 2048;  // what a kernel has of small ones beside it
  int most = 0;
  CALL(DeviceGetAttribute, &most, cudaDevAttrMaxSharedMemoryPerBlockOptin,
       stream.device().info().index);
  return static_cast<std::size_t>(most) - others;
#else
  return stream.device().info().shared_bytes_per_block;
#endif
}

GpuError launch_overlapping(const void* kernel, dim3 grid, dim3 block, void** arguments,
                            std::size_t shared_bytes, GpuStream stream) {
#if defined(WARPVIEW_BACKEND_CUDA)
  // Only where the kernels have been compiled to wait: code for older GPUs, of which the driver
  // makes code for newer ones, does not.
  constexpr int compiled_for[] = {__CUDA_ARCH_LIST__};
  constexpr int first_that_waits = 900;
  if (std::all_of(std::begin(compiled_for), std::end(compiled_for),
                  [](int architecture) { return architecture >= first_that_waits; })) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = block;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelExC(&config, kernel, arguments);
  }
#endif
  return GPU_API(LaunchKernel)(kernel, grid, block, arguments, shared_bytes, stream);
}

GpuError launch_together(const void* kernel, dim3 grid, dim3 block, void** arguments,
                         std::size_t shared_bytes, GpuStream stream) {
#if defined(WARPVIEW_BACKEND_HIP)
  // We know of no graph of HIP 5.2 that has cooperative launches. What makes one of them so is that
  // all blocks fit at once, and of those of a graph it is we who see to that (concurrent_blocks).
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  CALL(StreamIsCapturing, stream, &status);
  if (status != hipStreamCaptureStatusNone)
    return hipLaunchKernel(kernel, grid, block, arguments, shared_bytes, stream);
#endif
  return GPU_API(LaunchCooperativeKernel)(kernel, grid, block, arguments,
                                          static_cast<unsigned>(shared_bytes), stream);
}

void log_launch(Device& device, const char* name, const void* kernel, dim3 grid, dim3 block,
                std::size_t shared_bytes) {
  LaunchRecord record{
      .kernel = name, .grid = {grid.x, grid.y, grid.z}, .block = {block.x, block.y, block.z}};
  const auto threads = static_cast<int>(block.x * block.y * block.z);
  GPU_API(FuncAttributes) attributes{};
  if (GPU_API(FuncGetAttributes)(&attributes, kernel) == gpu_success) {
    record.registers = attributes.numRegs;
    record.shared_bytes = static_cast<int>(attributes.sharedSizeBytes + shared_bytes);
    record.local_bytes = static_cast<int>(attributes.localSizeBytes);
  }
  int blocks = 0;
  int most_threads = 0;
  if (GPU_API(OccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, kernel, threads, shared_bytes) ==
          gpu_success &&
      GPU_API(DeviceGetAttribute)(&most_threads, max_threads_per_multiprocessor,
                                  device.info().index) == gpu_success) {
    // A warp that is not full takes a whole warp's place.
    const int warp = device.info().warp_size;
    record.blocks_per_multiprocessor = blocks;
    record.occupancy = static_cast<double>(blocks * ((threads + warp - 1) / warp) * warp) /
                       static_cast<double>(most_threads);
  }
#if defined(WARPVIEW_BACKEND_CUDA) && CUDART_VERSION >= 12030
  const char* symbol = nullptr;
  if (cudaFuncGetName(&symbol, kernel) == cudaSuccess && symbol != nullptr) record.symbol = symbol;
#endif
  static_cast<void>(GPU_API(GetLastError)());  // what is not known is no failure
  device.launches.add(std::move(record));
}

GpuStream native(Stream& stream) {
  auto& vendor_stream = static_cast<VendorStream&>(stream);
  vendor_stream.make_current();
  return vendor_stream.handle();
}

std::vector<DeviceInfo> list_devices() {
  const int count = count_devices();
  std::vector<DeviceInfo> devices;
  for (int index = 0; index < count; ++index) devices.push_back(describe(index));
  return devices;
}

std::unique_ptr<Device> open_device(int index) {
  const int count = count_devices();
  if (index < 0 || index >= count)
    throw UnavailableError(std::string(runtime_name) + " device " + std::to_string(index),
                           "there are " + std::to_string(count) + " devices, numbered from 0",
                           "Choose one of --list-backends");
  try {
    auto device = std::make_unique<VendorDevice>(index);
    probe(*device);
    return device;
  } catch (const Error& error) {
    throw UnavailableError(error.what());
  }
}

}  // namespace warpview::WARPVIEW_BACKEND

#if defined(WARPVIEW_BACKEND_HIP)
extern "C" const warpview::HipModule* warpview_hip_module() {
  static const warpview::HipModule module{warpview::hip::list_devices, warpview::hip::open_device};
  return &module;
}
#endif
