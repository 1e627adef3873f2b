// PTX of the kernel files, where it was embedded.
#include "gpu/runtime/ptx.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "gpu/catalogue.h"

namespace warpview::test {
namespace {

TEST(Ptx, EveryVariantHasItOrAReason) {
  for (const VariantId id : variants()) {
    const Variant& variant = *id;
    const std::string ptx = ptx_of(variant.file);
    EXPECT_EQ(why_no_ptx(variant.file).empty(), !ptx.empty()) << variant.file;
    if (ptx.empty()) continue;
    EXPECT_NE(ptx.find(".version"), std::string::npos) << variant.file;
    const auto lines = std::count(ptx.begin(), ptx.end(), '\n');
    for (const PtxEntry& entry : ptx_entries(ptx)) {
      EXPECT_LT(entry.line, lines) << variant.file;
      EXPECT_EQ(entry.name.find("warpview::"), std::string::npos) << entry.name;
    }
  }
  // The project's own kernels have all PTX or none.
  const std::string why = why_no_ptx("gpu/primitives/scan/lookback.cu");
  EXPECT_TRUE(why.empty() || why.find("this program was ") != std::string::npos) << why;
  EXPECT_EQ(ptx_of("gpu/no/such.cu"), "");
  EXPECT_NE(why_no_ptx("gpu/no/such.cu"), "");
}

TEST(Ptx, EntriesHaveReadableNames) {
  const std::string ptx =
      "//\n// .entry of a comment\n.version 9.0\n"
      ".visible .entry _ZN8warpview4cuda5dedup18find_firsts_kernelIjEEvPKjjPKT_PjS8_(\n"
      "\t.param .u64 p\n)\n{\nret;\n}\n"
      ".entry _ZN8warpview4cuda4scan15one_pass_kernelINS0_44_GLOBAL__N__0d5b99b7_11_lookback_cu_"
      "3d06dfe613WarpLooksBackEEEvPKjPjjbbPmS7_(\n.entry plain(";
  const auto entries = ptx_entries(ptx);
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].symbol, "_ZN8warpview4cuda5dedup18find_firsts_kernelIjEEvPKjjPKT_PjS8_");
  EXPECT_EQ(entries[0].name, "dedup::find_firsts_kernel<unsigned int>");
  EXPECT_EQ(entries[0].line, 3);
  EXPECT_NE(entries[1].name.find("scan::one_pass_kernel<"), std::string::npos) << entries[1].name;
  EXPECT_NE(entries[1].name.find("WarpLooksBack"), std::string::npos) << entries[1].name;
  EXPECT_EQ(entries[1].line, 9);
  EXPECT_EQ(entries[2].name, "plain");
}

TEST(Ptx, ExtractsOnlyTheRequestedKernels) {
  const std::string head = ".version 9.0\n.target sm_90\n\n";
  const std::string ptx = head +
                          ".shared .align 4 .b8 ours[8];\n.shared .align 4 .b8 theirs[8];\n\n"
                          ".entry a(\n)\n{\n\tst.shared.u32 [ours], 1;\n}\n\n"
                          ".func helper()\n{\n\tret;\n}\n"
                          ".visible .entry b(\n)\n{\n\tst.shared.u32 [theirs], 1;\n}\n";
  const std::string helper = ".func helper()\n{\n\tret;\n}\n";
  EXPECT_EQ(only_entries(ptx, [](const PtxEntry& entry) { return entry.symbol == "a"; }),
            head + ".shared .align 4 .b8 ours[8];\n\n" + helper +
                "\n.entry a(\n)\n{\n\tst.shared.u32 [ours], 1;\n}\n");
  EXPECT_EQ(only_entries(ptx, [](const PtxEntry&) { return false; }), head + helper);
  EXPECT_EQ(only_entries("", [](const PtxEntry&) { return true; }), "");
}

TEST(Ptx, IgnoresMarksOfUnnamedNamespaces) {
  const std::string a = "_ZN1aINS0_44_GLOBAL__N__0d5b99b7_11_lookback_cu_3d06dfe613WarpLooksBackE";
  const std::string b = "_ZN1aINS0_44_GLOBAL__N__ffffffff_11_lookback_cu_0000000013WarpLooksBackE";
  const std::string c = "_ZN1aINS0_44_GLOBAL__N__0d5b99b7_11_lookback_cu_3d06dfe612OneLaneLooksE";
  EXPECT_TRUE(same_symbol(a, a));
  EXPECT_TRUE(same_symbol(a, b));
  EXPECT_FALSE(same_symbol(a, c));
  EXPECT_FALSE(same_symbol(a, ""));
  EXPECT_TRUE(same_symbol("_GLOBAL__N__12", "_GLOBAL__N__12"));  // cut off: no harm
}

}  // namespace
}  // namespace warpview::test
