#include "bench/plain_calls.h"

#include <cub/device/device_partition.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_run_length_encode.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include "gpu/lab/data.h"
#include "gpu/primitives/partition/partition.h"
#include "gpu/primitives/reduce/reduce.h"
#include "gpu/primitives/reduce_by_key/reduce_by_key.h"
#include "gpu/primitives/run_length/run_length.h"
#include "gpu/primitives/scan/scan.h"
#include "gpu/primitives/select/select.h"
#include "gpu/primitives/sort/sort.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/kernel.h"
#include "gpu/runtime/scratch_memory.h"

namespace warpview::bench {
namespace {

using Words = Buffer<std::uint32_t>;

Words words(Device& device, Stream& stream, std::uint32_t n, int bits, std::uint64_t seed) {
  const auto wide = lab::integers(lab::Distribution::uniform, n, bits, seed);
  const std::vector<std::uint32_t> host(wide.begin(), wide.end());
  Words buffer(device, n);
  buffer.upload(stream, host);
  stream.synchronize();
  return buffer;
}

struct AtMost {
  std::uint32_t limit;
  __host__ __device__ bool operator()(std::uint32_t item) const { return item <= limit; }
};

// `call(memory, bytes, n)` is the plain call. Where the number of results depends on the data it is
// the last output, and only so much of the others is compared.
template <Primitive primitive, class Args, class Call>
class Pair : public PlainCall {
 public:
  Pair(Device& device, Stream& stream, std::uint32_t n, Args args, std::vector<Words> in,
       std::vector<Words> out, bool counts, Call call)
      : stream_(stream),
        n_(n),
        args_(args),
        in_(std::move(in)),
        out_(std::move(out)),
        counts_(counts),
        call_(call),
        function_(device.table().get<primitive>(find_variant(primitive, "library"))),
        scratch_(device) {
    call_(nullptr, bytes_, static_cast<int>(n_));
    memory_ = Buffer<std::byte>(device, bytes_ + 1);
    scratch_.run(function_, stream_, args_);  // the row's scratch memory
  }
  void row() override { scratch_.run(function_, stream_, args_); }
  void plain() override {
    std::size_t bytes = bytes_;
    cuda::check(call_(memory_.data(), bytes, static_cast<int>(n_)), "CUB");
  }
  std::string difference() override {
    const auto output_of = [&](void (Pair::*run)()) {
      for (const Words& buffer : out_) stream_.fill(buffer.data(), 0xcd, buffer.bytes());
      (this->*run)();
      std::vector<std::vector<std::uint32_t>> all;
      for (const Words& buffer : out_) all.push_back(buffer.download(stream_));
      if (counts_)
        for (std::size_t i = 0; i + 1 < all.size(); ++i)
          all[i].resize(std::min<std::size_t>(all[i].size(), all.back().front()));
      return all;
    };
    const auto by_row = output_of(&Pair::row);
    return by_row == output_of(&Pair::plain) ? ""
                                             : "the row's output is not that of the plain call";
  }

 private:
  Stream& stream_;
  std::uint32_t n_;
  Args args_;
  std::vector<Words> in_, out_;
  bool counts_;
  Call call_;
  void (*function_)(Stream&, const Args&, Scratch&);
  ScratchMemory scratch_;
  std::size_t bytes_ = 0;
  Buffer<std::byte> memory_;
};

template <Primitive primitive, class Args, class Call>
std::unique_ptr<PlainCall> pair(Device& device, Stream& stream, std::uint32_t n, const Args& args,
                                std::vector<Words> in, std::vector<Words> out, bool counts,
                                Call call) {
  return std::make_unique<Pair<primitive, Args, Call>>(device, stream, n, args, std::move(in),
                                                       std::move(out), counts, call);
}

template <class... Buffers>
std::vector<Words> all(Buffers... buffers) {
  std::vector<Words> list;
  (list.push_back(std::move(buffers)), ...);
  return list;
}

std::unique_ptr<PlainCall> scan(Device& device, Stream& stream, std::uint32_t n) {
  Words in = words(device, stream, n, 32, 1);
  Words out(device, n);
  const ScanArgs args = {.in = in.data(), .out = out.data(), .n = n, .inclusive = false};
  const auto call = [from = in.data(), to = out.data(), queue = cuda::native(stream)](
                        void* memory, std::size_t& bytes, int items) {
    return cub::DeviceScan::ExclusiveSum(memory, bytes, from, to, items, queue);
  };
  return pair<Primitive::scan>(device, stream, n, args, all(std::move(in)), all(std::move(out)),
                               false, call);
}

std::unique_ptr<PlainCall> reduce(Device& device, Stream& stream, std::uint32_t n) {
  Words in = words(device, stream, n, 32, 2);
  Words out(device, 1);
  const ReduceArgs args = {.in = in.data(), .n = n, .out = out.data()};
  const auto call = [from = reinterpret_cast<const std::int32_t*>(in.data()),
                     to = reinterpret_cast<std::int32_t*>(out.data()),
                     queue = cuda::native(stream)](void* memory, std::size_t& bytes, int items) {
    return cub::DeviceReduce::Sum(memory, bytes, from, to, items, queue);
  };
  return pair<Primitive::reduce>(device, stream, n, args, all(std::move(in)), all(std::move(out)),
                                 false, call);
}

std::unique_ptr<PlainCall> sort(Device& device, Stream& stream, std::uint32_t n) {
  Words keys = words(device, stream, n, 32, 3);
  Words values = words(device, stream, n, 32, 4);
  Words sorted(device, n);
  Words moved(device, n);
  const SortArgs args = {.keys_in = keys.data(),
                         .keys_out = sorted.data(),
                         .values_in = values.data(),
                         .values_out = moved.data(),
                         .n = n};
  const auto call = [args, queue = cuda::native(stream)](void* memory, std::size_t& bytes,
                                                         int items) {
    const auto in = [](const void* data) { return static_cast<const std::uint32_t*>(data); };
    const auto out = [](void* data) { return static_cast<std::uint32_t*>(data); };
    return cub::DeviceRadixSort::SortPairs(memory, bytes, in(args.keys_in), out(args.keys_out),
                                           in(args.values_in), out(args.values_out), items, 0, 32,
                                           queue);
  };
  return pair<Primitive::sort>(device, stream, n, args, all(std::move(keys), std::move(values)),
                               all(std::move(sorted), std::move(moved)), false, call);
}

// Half of the items pass.
constexpr std::uint32_t half = 1U << 31U;

std::unique_ptr<PlainCall> select(Device& device, Stream& stream, std::uint32_t n) {
  Words in = words(device, stream, n, 32, 5);
  Words out(device, n);
  Words count(device, 1);
  const SelectArgs args = {{in.data(), out.data(), count.data(), n, half}};
  const auto call = [args, queue = cuda::native(stream)](void* memory, std::size_t& bytes,
                                                         int items) {
    return cub::DeviceSelect::If(memory, bytes, args.in, args.out, args.count, items,
                                 AtMost{args.at_most}, queue);
  };
  return pair<Primitive::select>(device, stream, n, args, all(std::move(in)),
                                 all(std::move(out), std::move(count)), true, call);
}

std::unique_ptr<PlainCall> partition(Device& device, Stream& stream, std::uint32_t n) {
  Words in = words(device, stream, n, 32, 6);
  Words out(device, n);
  Words count(device, 1);
  const PartitionArgs args = {{in.data(), out.data(), count.data(), n, half}};
  const auto call = [args, queue = cuda::native(stream)](void* memory, std::size_t& bytes,
                                                         int items) {
    return cub::DevicePartition::If(memory, bytes, args.in, args.out, args.count, items,
                                    AtMost{args.at_most}, queue);
  };
  return pair<Primitive::partition>(device, stream, n, args, all(std::move(in)),
                                    all(std::move(out), std::move(count)), false, call);
}

std::unique_ptr<PlainCall> reduce_by_key(Device& device, Stream& stream, std::uint32_t n) {
  Words keys = words(device, stream, n, 8, 7);
  Words values = words(device, stream, n, 32, 8);
  Words keys_out(device, n);
  Words sums(device, n);
  Words count(device, 1);
  const ReduceByKeyArgs args = {.keys = keys.data(),
                                .values = values.data(),
                                .keys_out = keys_out.data(),
                                .sums = sums.data(),
                                .count = count.data(),
                                .n = n};
  const auto call = [args, from = values.data(), to = sums.data(), queue = cuda::native(stream)](
                        void* memory, std::size_t& bytes, int items) {
    return cub::DeviceReduce::ReduceByKey(memory, bytes, args.keys, args.keys_out, from, to,
                                          args.count, ::cuda::std::plus<>(), items, queue);
  };
  return pair<Primitive::reduce_by_key>(
      device, stream, n, args, all(std::move(keys), std::move(values)),
      all(std::move(keys_out), std::move(sums), std::move(count)), true, call);
}

std::unique_ptr<PlainCall> run_length(Device& device, Stream& stream, std::uint32_t n) {
  Words keys = words(device, stream, n, 8, 9);
  Words keys_out(device, n);
  Words lengths(device, n);
  Words count(device, 1);
  const RunLengthArgs args = {keys.data(), keys_out.data(), lengths.data(), count.data(), n};
  const auto call = [args, queue = cuda::native(stream)](void* memory, std::size_t& bytes,
                                                         int items) {
    return cub::DeviceRunLengthEncode::Encode(memory, bytes, args.keys, args.keys_out, args.lengths,
                                              args.count, items, queue);
  };
  return pair<Primitive::run_length>(device, stream, n, args, all(std::move(keys)),
                                     all(std::move(keys_out), std::move(lengths), std::move(count)),
                                     true, call);
}

}  // namespace

std::vector<PlainCallKind> plain_calls(Backend backend) {
  if (backend != Backend::cuda) return {};
  return {{Primitive::scan, "cub::DeviceScan::ExclusiveSum", scan},
          {Primitive::reduce, "cub::DeviceReduce::Sum", reduce},
          {Primitive::sort, "cub::DeviceRadixSort::SortPairs", sort},
          {Primitive::select, "cub::DeviceSelect::If", select},
          {Primitive::partition, "cub::DevicePartition::If", partition},
          {Primitive::reduce_by_key, "cub::DeviceReduce::ReduceByKey", reduce_by_key},
          {Primitive::run_length, "cub::DeviceRunLengthEncode::Encode", run_length}};
}

}  // namespace warpview::bench
