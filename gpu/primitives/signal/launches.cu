// One launch per message: the exchange without flags.
//
//   CUDA C++ Programming Guide, Streams and Events.
//
// A kernel sees what the host wrote before its launch, and the host sees what a kernel wrote once
// it has waited for it: there is no flag, no memory order to consider, and no wait inside a kernel.
// A message costs a launch, its copies, and, for an answer, a call into the driver and back.

#include <vector>

#include "gpu/primitives/signal/exchange.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

__global__ void __launch_bounds__(signal::threads)
    signal_launches_kernel(const std::uint32_t* in, std::uint32_t* out, std::uint32_t count) {
  const std::uint32_t i = global_thread();
  if (i < count) out[i] = 3 * in[i] + 1;
}

class Launches final : public Prepared {
 public:
  Launches(Stream& stream, const SignalArgs& args)
      : stream_(stream),
        args_(args),
        host_words_(stream, args.n * sizeof(std::uint32_t)),
        in_(stream.device(), args.n),
        out_(stream.device(), args.n),
        launched_(args.way == SignalWay::to_host ? messages_of(args.n) : 0) {
    for (auto& event : launched_) event = stream.device().create_event();
    if (args.way != SignalWay::to_host) return;
    in_.upload(stream, {args.in, args.n});
    stream.synchronize();
  }

  void run() override {
    const std::uint32_t messages = messages_of(args_.n);
    for (std::uint32_t m = 0; m < messages; ++m) {
      const auto message = signal::Message::number(m, args_.n);
      if (args_.way != SignalWay::to_host) send(message);
      launch(stream_, KERNEL(signal_launches_kernel),
             one_thread_each(message.count, signal::threads), in_.data() + message.begin,
             out_.data() + message.begin, message.count);
      if (args_.way != SignalWay::to_device) fetch_answer(message);
      if (args_.way == SignalWay::to_host) stream_.record(*launched_[m]);
      if (args_.way == SignalWay::round_trips) {
        stream_.synchronize();
        take(message);
      }
    }
    for (std::uint32_t m = 0; m < launched_.size(); ++m) {
      launched_[m]->synchronize();
      take(signal::Message::number(m, args_.n));
    }
    if (args_.way == SignalWay::to_device)
      stream_.copy(args_.out, out_.data(), out_.bytes(), Copy::device_to_host);
  }
  void fetch() override { stream_.synchronize(); }
  void spoil(std::uint8_t byte) override {
    stream_.synchronize();
    if (args_.n > 0) std::memset(words(), byte, args_.n * sizeof(std::uint32_t));
    stream_.fill(out_.data(), byte, out_.bytes());
    if (args_.way != SignalWay::to_host) stream_.fill(in_.data(), byte, in_.bytes());
  }

 private:
  std::uint32_t* words() const { return static_cast<std::uint32_t*>(host_words_.data()); }
  void send(const signal::Message& message) {
    std::memcpy(words() + message.begin, args_.in + message.begin, message.count * sizeof(args_.n));
    stream_.copy(in_.data() + message.begin, words() + message.begin,
                 message.count * sizeof(args_.n), Copy::host_to_device);
  }
  // Into the same array: the kernel has finished with it.
  void fetch_answer(const signal::Message& message) {
    stream_.copy(words() + message.begin, out_.data() + message.begin,
                 message.count * sizeof(args_.n), Copy::device_to_host);
  }
  void take(const signal::Message& message) const {
    std::memcpy(args_.out + message.begin, words() + message.begin,
                message.count * sizeof(args_.n));
  }

  Stream& stream_;
  SignalArgs args_;
  signal::PageLocked host_words_;
  Buffer<std::uint32_t> in_, out_;
  std::vector<std::unique_ptr<Event>> launched_;  // after each message's launch
};

}  // namespace

std::unique_ptr<Prepared> signal_launches(Stream& stream, const SignalArgs& args) {
  return std::make_unique<Launches>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND
