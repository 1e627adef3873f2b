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
#include "gpu/runtime/vendor_stream.h"
#if defined(WARPVIEW_BACKEND_CUDA)
#include <cuda_gl_interop.h>
#endif

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
      return "An earlier kernel failed, and this program has lost the GPU: start it again, choose "
             "another variant, or find the kernel with --backend cpu";
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

// A version number as both runtimes encode it for drivers and for themselves.
std::string version_in_words(int version) {
#if defined(WARPVIEW_BACKEND_CUDA)
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
#else
  return std::to_string(version / 10000000) + "." + std::to_string(version / 100000 % 100);
#endif
}

// E.g. "580.95.05, CUDA 13.0": the kernel module's version, where the system gives it, and the
// version that the driver supports.
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
// Capability of the code that this device would run: perhaps made for older GPUs, and translated by
// the driver. 0 if there is none, which the probe reports.
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
      why = std::string("OpenGL does not run on a device of ") + runtime_name + ": " +
            in_words(status);
      return false;
    }
    const auto end = devices.begin() + std::min<std::size_t>(count, devices.size());
    if (std::find(devices.begin(), end, info_.index) != end) return true;
    why = "OpenGL runs on another device than " + info_.name + " (" + runtime_name + " device " +
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
  // Clears the error, unless the device is lost: the next call must not report it again.
  static_cast<void>(GPU_API(GetLastError)());
  throw Error(call, in_words(status), remedy_for(status));
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
