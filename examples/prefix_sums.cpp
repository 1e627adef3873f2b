// Prefix sums by every variant of the catalogue, on the first device that works: gpu/ used alone,
// without a scene and without a window.
#include <cstdint>
#include <cstdio>
#include <exception>
#include <numeric>
#include <string>
#include <vector>

#include "gpu/catalogue.h"
#include "gpu/primitives/scan/scan.h"
#include "gpu/runtime/backends.h"
#include "gpu/runtime/buffer.h"
#include "gpu/runtime/scratch_memory.h"

namespace warpview {
namespace {

// Do all variants give the sums that std::inclusive_scan gives?
bool scan_by_every_variant(std::uint32_t n) {
  const auto device = open_device();
  const auto stream = device->create_stream();

  std::vector<std::uint32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 1U);
  std::vector<std::uint32_t> sums(n);
  std::inclusive_scan(numbers.begin(), numbers.end(), sums.begin());

  Buffer<std::uint32_t> in(*device, n);
  const Buffer<std::uint32_t> out(*device, n);
  in.upload(*stream, numbers);
  ScratchMemory scratch(*device);

  std::printf("%u numbers on %s\n", n, device->info().name.c_str());
  bool all_right = true;
  for (const VariantId variant : variants_of(Primitive::scan)) {
    if (const std::string why = why_unavailable(*variant, device->info()); !why.empty()) {
      std::printf("%-16s %s\n", variant->name, why.c_str());
      continue;
    }
    stream->fill(out.data(), 0, out.bytes());  // what the variant before left there
    scratch.run(device->table().get<Primitive::scan>(variant), *stream,
                ScanArgs{.in = in.data(), .out = out.data(), .n = n, .inclusive = true});
    const bool right = out.download(*stream) == sums;
    std::printf("%-16s %s\n", variant->name, right ? "right" : "wrong");
    all_right = all_right && right;
  }
  return all_right;
}

}  // namespace
}  // namespace warpview

int main() {
  try {
    return warpview::scan_by_every_variant(100'000) ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
