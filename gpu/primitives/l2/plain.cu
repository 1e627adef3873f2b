// Look-ups without hints to the cache: each line that streams past evicts another, lines of the
// table included.
#include "gpu/primitives/l2/find.h"  // the kernel of both variants
#include "gpu/runtime/prepared.h"

namespace warpview::WARPVIEW_BACKEND {

namespace {

class Plain final : public Prepared {
 public:
  Plain(Stream& stream, const L2Args& args) : stream_(stream), args_(args), table_(*args.table) {}

  void run() override {
    launch(stream_, KERNEL(l2::find_kernel), one_thread_each(args_.n), table_, args_.keys, args_.n,
           args_.every, args_.values);
  }

 private:
  Stream& stream_;
  L2Args args_;
  hash::Table<std::uint32_t> table_;
};

}  // namespace

std::unique_ptr<Prepared> l2_plain(Stream& stream, const L2Args& args) {
  return std::make_unique<Plain>(stream, args);
}

}  // namespace warpview::WARPVIEW_BACKEND
