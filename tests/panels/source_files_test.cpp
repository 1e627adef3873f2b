// The Code tab finds every kernel that a variant launches, and every variant in its own file.
#include "app/common/source_files.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/lab/experiment.h"
#include "gpu/runtime/cpu/cpu_device.h"
#include "gpu/runtime/ptx.h"
#include "kernel_source.h"

namespace warpview {
namespace {

// What every variant that the CPU device has launches, in all forms that it can do.
class Launches : public testing::TestWithParam<VariantId> {
 protected:
  std::vector<LaunchRecord> recorded() {
    const VariantId variant = GetParam();
    const lab::ExperimentKind& kind = lab::experiment(variant->primitive);
    const auto device = open_cpu_device();
    const auto stream = device->create_stream();
    std::vector<LaunchRecord> all;
    for (int form = 0; form < static_cast<int>(kind.forms.size()); ++form) {
      if (!lab::why_not(variant, form, device->info()).empty()) continue;
      const auto experiment = kind.make({.device = *device,
                                         .stream = *stream,
                                         .n = 3000,
                                         .form = form,
                                         .distribution = kind.distributions.front()});
      experiment->reset();
      device->launches.begin();
      experiment->run(variant);
      for (LaunchRecord& record : device->launches.take()) all.push_back(std::move(record));
    }
    return all;
  }
};

TEST_P(Launches, AreOfKernelsThatTheCodeTabFinds) {
  const Variant& variant = *GetParam();
  const std::vector<LaunchRecord> launches = recorded();
  const std::vector<std::string> files = source_files(variant, launches);
  EXPECT_EQ(files.front(), variant.file);
  for (const LaunchRecord& record : launches)
    EXPECT_TRUE(find_kernel(files, record.kernel)) << record.kernel;
  if (!runs_on_host(GetParam(), Backend::cpu)) {
    EXPECT_FALSE(launches.empty());
  }
}

TEST_P(Launches, AreOfKernelsWhosePtxIsShown) {
  const Variant& variant = *GetParam();
  if (!why_no_ptx(variant.file).empty()) GTEST_SKIP() << why_no_ptx(variant.file);
  const std::vector<PtxEntry> entries = ptx_entries(ptx_of(variant.file));
  const std::vector<std::string> files = source_files(variant);
  for (const LaunchRecord& record : recorded()) {
    if (!find_kernel(files, record.kernel)) continue;  // of a primitive that it is built on
    EXPECT_TRUE(std::any_of(entries.begin(), entries.end(), [&record](const PtxEntry& entry) {
      return bare_name(entry.name) == bare_name(record.kernel);
    })) << record.kernel;
  }
}

// "Open the one file that holds that variant": a kernel of its own stands there, but where what is
// compared is how the host launches one, where its memory lies, whose sort runs between kernels
// that another variant has too, or the queue that a kernel of all of them is given.
TEST_P(Launches, AreOfAKernelInTheVariantsOwnFile) {
  const Variant& variant = *GetParam();
  const Primitive primitive = variant.primitive;
  const bool by_library_sort = GetParam() == find_variant(Primitive::dedup, "library_radix");
  if (runs_on_host(GetParam(), Backend::cpu) || by_library_sort || primitive == Primitive::l2 ||
      primitive == Primitive::memory || primitive == Primitive::chain ||
      primitive == Primitive::queue || primitive == Primitive::schedule)
    GTEST_SKIP() << "its kernels are not what it is about";
  const std::vector<std::string> own = {variant.file};
  const std::vector<LaunchRecord> launches = recorded();
  EXPECT_TRUE(std::any_of(launches.begin(), launches.end(), [&](const LaunchRecord& record) {
    return find_kernel(own, record.kernel).has_value();
  }));
}

std::vector<VariantId> variants_of_the_cpu() {
  std::vector<VariantId> all = variants();
  std::erase_if(all, [](VariantId variant) { return !variant->available.on(Backend::cpu); });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Launches, testing::ValuesIn(variants_of_the_cpu()),
                         [](const auto& tested) {
                           const Variant& variant = *tested.param;
                           return std::string(to_string(variant.primitive)) + "_" + variant.name;
                         });

TEST(SourceFiles, BeginWithTheVariantAndGoOnByDistance) {
  const Variant& lookback = *find_variant(Primitive::scan, "lookback");
  const std::vector<std::string> files = source_files(lookback);
  const auto place = [&files](std::string_view name) {
    return std::find(files.begin(), files.end(), name) - files.begin();
  };
  const auto count = static_cast<std::ptrdiff_t>(files.size());
  EXPECT_EQ(place("gpu/primitives/scan/lookback.cu"), 0);
  EXPECT_LT(place("gpu/primitives/scan/one_pass.h"), place("gpu/block/lookback.h"));
  EXPECT_LT(place("gpu/block/lookback.h"), place("gpu/warp/warp.h"));
  EXPECT_LT(place("gpu/warp/warp.h"), count);
  for (const std::string& file : files)
    EXPECT_EQ(std::count(files.begin(), files.end(), file), 1) << file;
}

TEST(SourceFiles, BeginWithTheAlgorithmOfAScheduler) {
  for (const VariantId variant : variants_of(Primitive::schedule)) {
    const std::string definition =
        std::string("void ") + variant->name + "(const Run<Application>&";
    EXPECT_NE(kernel_source(variant->file).find(definition), std::string_view::npos)
        << variant->file;
  }
}

TEST(SourceFiles, HoldWhatItIsBuiltOnOnceItRan) {
  const Variant& select = *find_variant(Primitive::select, "three_kernels");
  const std::vector<LaunchRecord> launches = {{.kernel = "lookback_scan_kernel<Operator, States>"},
                                              {.kernel = "no_such_kernel"}};
  const auto has_scan = [](const std::vector<std::string>& files) {
    return std::find(files.begin(), files.end(), "gpu/primitives/scan/lookback.cu") != files.end();
  };
  EXPECT_FALSE(has_scan(source_files(select)));
  EXPECT_TRUE(has_scan(source_files(select, launches)));
}

TEST(SourceFiles, TellAKernelFromOneWhoseNameEndsAlike) {
  const std::vector<std::string> files = {"gpu/primitives/scan/lookback.cu",
                                          "gpu/primitives/scan/chained.cu"};
  EXPECT_EQ(find_kernel(files, "scan::chained_scan_kernel<T>")->file, files[1]);
  EXPECT_FALSE(find_kernel(files, "scan_kernel"));
  EXPECT_FALSE(find_kernel(files, "take_ticket"));  // a function, but no kernel
}

}  // namespace
}  // namespace warpview
