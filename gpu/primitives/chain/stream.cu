// A chain of launches into a plain stream.
//
// CUDA C++ Programming Guide, Streams.
//
// The host launches each kernel separately, at several microseconds each. While the kernels take
// longer than that, the stream fills faster than it empties and nothing is lost. When they are
// shorter, the device waits for the host between them, and the chain is launch-bound.

#include "gpu/primitives/chain/kernels.h"  // the kernels of all variants

namespace warpview::WARPVIEW_BACKEND {

namespace {

class InStream final : public Prepared {
 public:
  InStream(Stream& stream, const ChainArgs& args) : stream_(stream), args_(args) {}
  void run() override { chain::launch_all(stream_, args_); }

 private:
  Stream& stream_;
  ChainArgs args_;
};

}  // namespace

std::unique_ptr<Prepared> chain_stream(Stream& stream, const ChainArgs& args) {
  return std::make_unique<InStream>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND
