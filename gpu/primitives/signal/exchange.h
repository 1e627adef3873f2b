// The exchange between the host and a running kernel, for any kind of flag.
//
// Each message has a separate place in memory that both sides can access, and a flag that says that
// it is there: neither side overwrites what the other may still read. The sender writes the words
// and then raises the flag (release); the receiver waits for the flag (acquire) and then reads. The
// kernel is one block, in which one thread waits and raises for all, between barriers.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "gpu/primitives/signal/signal.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/error.h"
#include "gpu/runtime/kernel.h"
#include "gpu/runtime/prepared.h"

namespace warpview::WARPVIEW_BACKEND::signal {

inline constexpr unsigned threads = tile_extent(256, 64);

// What both sides can access. A Flag has
//
//   raise(flag)              on the device: everything written before is visible when it is up
//   wait(flag)               on the device: afterwards what was written before the raise is visible
//   host_raise(flag)         raise, on the host
//   host_is_up(flag)         on the host: if so, what was written before the raise is visible
//   host_wait(stream, flag)  on a GPU's host: until it is up, or an Error where it never will be
//   host_lower(flag)         on the host, while the other side does not read it
template <class Flag>
struct Line {
  std::uint32_t* to_device;  // [n]
  std::uint32_t* to_host;    // [n]
  Flag* sent;                // [messages] to the device; down at the start
  Flag* answered;            // [messages] to the host; down at the start

  // The bytes of n words and their messages.
  static std::size_t bytes(std::uint32_t n) {
    return 2 * (n * sizeof(std::uint32_t) + messages_of(n) * sizeof(Flag));
  }
  Line(void* memory, std::uint32_t n)
      : to_device(static_cast<std::uint32_t*>(memory)),
        to_host(to_device + n),
        sent(reinterpret_cast<Flag*>(to_host + n)),
        answered(sent + messages_of(n)) {}
};

// The words of message m: `count` of them, from `begin`.
struct Message {
  std::uint32_t begin;
  std::uint32_t count;

  HOST_DEVICE static Message number(std::uint32_t m, std::uint32_t n) {
    const std::uint32_t each = words_a_message(n);
    return {m * each, n - m * each < each ? n - m * each : each};
  }
};

// The device's part, for one block. `in` and `out` are in the device's memory, for words that are
// sent one way only.
template <class Flag>
__device__ inline void take_part(const Line<Flag>& line, SignalWay way, const std::uint32_t* in,
                                 std::uint32_t* out, std::uint32_t n) {
  const std::uint32_t* const from = way == SignalWay::to_host ? in : line.to_device;
  std::uint32_t* const to = way == SignalWay::to_device ? out : line.to_host;
  const std::uint32_t messages = messages_of(n);
  for (std::uint32_t m = 0; m < messages; ++m) {
    if (way != SignalWay::to_host) {
      if (threadIdx.x == 0) Flag::wait(line.sent[m]);
      __syncthreads();  // all threads see the message
    }
    const Message message = Message::number(m, n);
    for (std::uint32_t i = threadIdx.x; i < message.count; i += threads)
      to[message.begin + i] = 3 * from[message.begin + i] + 1;
    if (way != SignalWay::to_device) {
      __syncthreads();  // all threads have written the answer
      if (threadIdx.x == 0) Flag::raise(line.answered[m]);
    }
  }
}

// The host's part, step by step.
template <class Flag>
class HostPart {
 public:
  HostPart(const Line<Flag>& line, const SignalArgs& args)
      : line_(line), args_(args), messages_(messages_of(args.n)) {}

  bool is_done() const { return m_ == messages_; }
  // Does what needs no waiting; returns whether there was anything.
  bool step() {
    if (is_done()) return false;
    if (args_.way != SignalWay::to_host && !is_sent_) {
      send();
      if (args_.way == SignalWay::to_device)
        ++m_;
      else
        is_sent_ = true;
      return true;
    }
    if (!Flag::host_is_up(line_.answered[m_])) return false;
    take();
    ++m_;
    is_sent_ = false;
    return true;
  }
  // The flag to wait for when there is nothing to do.
  Flag& awaited() const { return line_.answered[m_]; }

 private:
  void send() const {
    const Message message = Message::number(m_, args_.n);
    std::memcpy(line_.to_device + message.begin, args_.in + message.begin,
                message.count * sizeof(std::uint32_t));
    Flag::host_raise(line_.sent[m_]);
  }
  void take() const {
    const Message message = Message::number(m_, args_.n);
    std::memcpy(args_.out + message.begin, line_.to_host + message.begin,
                message.count * sizeof(std::uint32_t));
  }

  Line<Flag> line_;
  SignalArgs args_;
  std::uint32_t messages_;
  std::uint32_t m_ = 0;  // the next message
  bool is_sent_ = false;
};

// Launches one block and does the host's part while the kernel runs.
template <class Flag>
void launch_beside(
    Stream& stream, HostPart<Flag>& host,
    Kernel<Line<Flag>, SignalWay, const std::uint32_t*, std::uint32_t*, std::uint32_t> kernel,
    const Line<Flag>& line, SignalWay way, const std::uint32_t* in, std::uint32_t* out,
    std::uint32_t n) {
#if defined(WARPVIEW_BACKEND_CPU)
  cpu::submit(stream,
              {.kernel = kernel.name,
               .grid = dim3(1),
               .block = dim3(threads),
               .host = [&host] { return host.step(); }},
              cpu::kernel_call([=] { kernel.function(line, way, in, out, n); }));
  while (!host.is_done())
    if (!host.step())
      throw Error("a message from a kernel", "the kernel has ended and has not sent it", "");
#else
  launch(stream, kernel, Shape(1, threads), line, way, in, out, n);
  while (!host.is_done())
    if (!host.step()) Flag::host_wait(stream, host.awaited());
#endif
}

// Throws where a launch returns only when its kernel has ended: kernel and host would deadlock.
inline void need_launches_that_return() {
#if !defined(WARPVIEW_BACKEND_CPU)
#if defined(WARPVIEW_BACKEND_CUDA)
  constexpr const char* name = "CUDA_LAUNCH_BLOCKING";
#else
  constexpr const char* name = "HIP_LAUNCH_BLOCKING";
#endif
  const char* const value = std::getenv(name);
  if (value && std::strcmp(value, "0") != 0 && *value != '\0')
    throw Error("signals between the host and a running kernel",
                std::string(name) + " keeps the host waiting until a kernel is over",
                std::string("Unset ") + name + ", or choose the variant launches");
#endif
}

// The exchange over a Memory that host and device can access: Memory(stream, bytes), data().
template <class Flag, class Memory>
class Exchange : public Prepared {
 public:
  using ExchangeKernel =
      Kernel<Line<Flag>, SignalWay, const std::uint32_t*, std::uint32_t*, std::uint32_t>;

  Exchange(Stream& stream, const SignalArgs& args, ExchangeKernel kernel)
      : stream_(stream),
        args_(args),
        kernel_(kernel),
        memory_(stream, Line<Flag>::bytes(args.n)),
        line_(memory_.data(), args.n),
        in_(stream.device(), args.way == SignalWay::to_host ? args.n : 0),
        out_(stream.device(), args.way == SignalWay::to_device ? args.n : 0) {
    need_launches_that_return();
    in_.upload(stream, {args.in, in_.size()});
    stream.synchronize();
  }

  void reset() override {
    stream_.synchronize();
    for (std::uint32_t m = 0; m < messages_of(args_.n); ++m) {
      Flag::host_lower(line_.sent[m]);
      Flag::host_lower(line_.answered[m]);
    }
  }
  void run() override {
    if (args_.n == 0) return;
    HostPart<Flag> host(line_, args_);
    launch_beside(stream_, host, kernel_, line_, args_.way, in_.data(), out_.data(), args_.n);
    if (args_.way == SignalWay::to_device)
      stream_.copy(args_.out, out_.data(), out_.bytes(), Copy::device_to_host);
  }
  void fetch() override { stream_.synchronize(); }
  void spoil(std::uint8_t byte) override {
    stream_.synchronize();
    if (args_.n > 0) {
      std::memset(line_.to_device, byte, args_.n * sizeof(std::uint32_t));
      std::memset(line_.to_host, byte, args_.n * sizeof(std::uint32_t));
    }
    stream_.fill(out_.data(), byte, out_.bytes());
  }

 private:
  Stream& stream_;
  SignalArgs args_;
  ExchangeKernel kernel_;
  Memory memory_;
  Line<Flag> line_;
  Buffer<std::uint32_t> in_, out_;
};

// Page-locked memory, which devices access in place.
class PageLocked {
 public:
  PageLocked(Stream& stream, std::size_t bytes)
      : stream_(stream), data_(bytes > 0 ? stream.device().allocate_pinned(bytes) : nullptr) {}
  PageLocked(const PageLocked&) = delete;
  PageLocked& operator=(const PageLocked&) = delete;
  ~PageLocked() {
    if (data_) stream_.device().release_pinned(data_);
  }
  void* data() const { return data_; }

 private:
  Stream& stream_;
  void* data_;
};

}  // namespace warpview::WARPVIEW_BACKEND::signal
