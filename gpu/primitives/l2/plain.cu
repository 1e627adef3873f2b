// Finds with no word to the cache: each line that streams past pushes out another, of the table
// too.
#include "gpu/primitives/l2/find.h"  // the kernel, the same for both variants
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
