// Every scan of the catalogue against a running sum.
#include <gtest/gtest.h>

#include "gpu/runtime/scratch.h"
#include "tests/support/devices.h"

namespace warpview::test {
namespace {

class Scan : public testing::TestWithParam<Row> {};

TEST_P(Scan, GivesTheRunningSum) {
  for (const std::size_t n : sizes()) {
    for (const TestDevice& on : devices_for(n, GetParam())) {
      ScanFunction* scan = on.device->table().get<Primitive::scan>(GetParam().index);
      const auto stream = on.device->create_stream();
      Scratch scratch(*on.device);
      Buffer<std::uint32_t> in(*on.device, n);
      Buffer<std::uint32_t> out(*on.device, n);
      for (const Pattern pattern : patterns) {
        const auto wide = values(pattern, n, 32);
        const std::vector<std::uint32_t> host(wide.begin(), wide.end());
        for (const bool inclusive : {false, true}) {
          for (const bool in_place : {false, true}) {
            in.upload(*stream, host);
            stream->fill(out.data(), 0xcd, out.bytes());
            const Buffer<std::uint32_t>& result = in_place ? in : out;
            scratch.run(scan, *stream,
                        ScanArgs{.in = in.data(),
                                 .out = result.data(),
                                 .n = static_cast<std::uint32_t>(n),
                                 .inclusive = inclusive});
            const auto got = result.download(*stream);
            std::uint32_t sum = 0;
            for (std::size_t i = 0; i < n; ++i) {
              const std::uint32_t want = inclusive ? sum + host[i] : sum;
              ASSERT_EQ(got[i], want) << "item " << i << " of " << n << ", " << to_string(pattern)
                                      << ", " << on.name << (in_place ? ", in place" : "");
              sum += host[i];
            }
          }
        }
      }
    }
  }
}

// Pointers that are not 16-byte aligned take the scalar path of vectorised variants.
TEST_P(Scan, TakesUnalignedPointers) {
  const std::uint32_t n = 5000;
  for (const TestDevice& on : devices_for(n, GetParam())) {
    const auto stream = on.device->create_stream();
    Scratch scratch(*on.device);
    Buffer<std::uint32_t> data(*on.device, n + 1);
    data.upload(*stream, std::vector<std::uint32_t>(n + 1, 1));
    scratch.run(on.device->table().get<Primitive::scan>(GetParam().index), *stream,
                ScanArgs{.in = data.data() + 1, .out = data.data() + 1, .n = n, .inclusive = true});
    const auto got = data.download(*stream);
    for (std::uint32_t i = 1; i <= n; ++i) ASSERT_EQ(got[i], i) << on.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Scan, testing::ValuesIn(rows_of(Primitive::scan)),
                         [](const auto& row) { return name_of(row.param); });

}  // namespace
}  // namespace warpview::test
