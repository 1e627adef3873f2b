// What every backend offers to host code: a device, its streams, events and graphs.
//
// The interface is neutral: nothing here names CUDA, HIP or OpenGL types, so the pipeline, the
// tests and the benchmark are compiled once and run on any backend.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "gpu/runtime/call_log.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/launch_log.h"

namespace warpview {

class Device;
class Staging;        // gpu/runtime/staging.h
struct BackendTable;  // gpu/catalogue.h: the variants and the steps of one backend
class Catalogue;      // gpu/catalogue.h

enum class Backend { cuda, hip, cpu };
const char* to_string(Backend backend);

struct DeviceInfo {
  Backend backend = Backend::cpu;
  int index = 0;               // number of the device within its backend
  std::string name;            // e.g. "NVIDIA H200", "CPU (SIMT executor, 2 threads)", or
                               // "... 2 of 8 threads: the system refused more"
  std::string driver;          // driver or runtime version, for reports
  std::uint64_t memory = 0;    // bytes in all
  int warp_size = 32;          // 32 or 64
  int compute_capability = 0;  // of cuda, times ten: 90 is 9.0; 0 elsewhere
  int compiled_for = 0;        // of cuda: the capability that this program's kernels may use
  int multiprocessors = 1;     // SMs, compute units, or OS threads
  int max_threads_per_block = 1024;
  std::size_t shared_bytes_per_block = 48 * 1024;
  unsigned shared_banks = 32;  // of 4 bytes, in shared memory
  bool lockstep = false;       // do the lanes of a warp wait for each other at waiting loops?
  bool counts = false;         // what kernels do: gpu/runtime/counted_device.h
};

// A point in a stream's work. Times are from the device's own clock.
class Event {
 public:
  virtual ~Event() = default;
  virtual bool ready() const = 0;  // has the stream passed it? (true if never recorded)
  virtual void synchronize() = 0;  // blocks the host until it has
  // Milliseconds from `start` to this event. Both must be recorded and passed.
  virtual double milliseconds_since(const Event& start) const = 0;
};

// Work captured once from a stream, to be launched any number of times.
class Graph {
 public:
  virtual ~Graph() = default;
};

enum class Copy { host_to_device, device_to_host, device_to_device };

// In-order queue of device work. All calls are asynchronous on cuda and hip (host memory given to
// `copy` must live until the stream has passed it, and be pinned to overlap); on cpu they run at
// once in the calling thread. A failed launch throws Error from the call that made it, or, where
// the hardware reports late, from `synchronize`.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual Device& device() const = 0;

  virtual void copy(void* to, const void* from, std::size_t bytes, Copy kind) = 0;
  virtual void fill(void* to, std::uint8_t byte, std::size_t bytes) = 0;
  virtual void record(Event& event) = 0;
  virtual void synchronize() = 0;

  // Between the two calls nothing runs: launches, copies and fills go into the graph. Events
  // recorded inside are re-recorded by each launch where `events_in_graphs()` returns true, and
  // refused with Error elsewhere.
  virtual void begin_capture() = 0;
  virtual std::unique_ptr<Graph> end_capture() = 0;
  virtual void launch(Graph& graph) = 0;
  virtual bool capturing() const { return false; }
};

// A GL buffer made known to the device (cuda, hip). Unregisters on destruction.
class GlRegistration {
 public:
  virtual ~GlRegistration() = default;
  // Device address of the buffer, valid until unmap. GL must not touch the buffer in between.
  virtual void* map(Stream& stream) = 0;
  virtual void unmap(Stream& stream) = 0;
};

// Bytes that crossed between host and device, counted at every copy.
struct TransferCount {
  std::atomic<std::uint64_t> to_device{0};
  std::atomic<std::uint64_t> to_host{0};
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  virtual std::uint64_t memory_available() const = 0;  // bytes free now

  // Device memory, 256-byte aligned; Error if there is not enough, with both sizes.
  virtual void* allocate(std::size_t bytes) = 0;
  // Waits for earlier queued work that may still use the memory, as the vendors' free does; so does
  // release_pinned.
  virtual void release(void* memory) noexcept = 0;
  // Page-locked host memory (plain memory on cpu).
  virtual void* allocate_pinned(std::size_t bytes) = 0;
  virtual void release_pinned(void* memory) noexcept = 0;

  virtual std::unique_ptr<Stream> create_stream() = 0;
  virtual std::unique_ptr<Event> create_event() = 0;
  virtual bool events_in_graphs() const = 0;

  // May kernels read ordinary host memory? Then nothing has to be uploaded.
  virtual bool reads_host_memory() const { return false; }
  // Are large uploads faster through page-locked memory that several threads fill?
  virtual bool stages_uploads() const { return false; }

  // May kernels write OpenGL's buffers directly in the GL context that is current now? If not,
  // `why` gets the reason in one sentence. cpu answers yes: GL maps, kernels write.
  virtual bool shares_gl_context(std::string& why) const = 0;
  // Registers GL buffer `buffer` for kernels that overwrite it. Null on cpu, where buffers are
  // mapped by GL instead (gpu/interop).
  virtual std::unique_ptr<GlRegistration> register_gl_buffer(unsigned buffer) = 0;

  virtual const BackendTable& table() const = 0;
  // For adding variants that it can run, from then on: gpu/catalogue.h.
  Catalogue catalogue() const;

  TransferCount transfers;
  LaunchLog launches;
  CallLog calls;

  // For gpu/runtime/staging.h only. A device that stages uploads frees it before the device is
  // destroyed.
  std::shared_ptr<Staging> staging;
  bool staging_failed = false;
};

}  // namespace warpview
