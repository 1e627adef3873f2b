#include "app/handbook/handbook.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/common/program_files.h"
#include "app/handbook/page_layout.h"
#include "handbook_file.h"

namespace warpview {
namespace {

using LinkKind = HandbookLink::Kind;

TEST(Handbook, EveryPrimitiveHasAPageWithADrawingAndAnIntroduction) {
  Handbook handbook;
  for (int p = 0; p < primitive_count; ++p) {
    const std::string name = page_name(static_cast<Primitive>(p));
    const Page* const page = handbook.page(name);
    ASSERT_NE(page, nullptr) << handbook.why_not(name);
    EXPECT_EQ(primitive_of_page(name), static_cast<Primitive>(p));
    EXPECT_FALSE(page->title().empty()) << name;
    EXPECT_NE(handbook.figure(page->first_drawing()), nullptr)
        << handbook.why_not(page->first_drawing());
    EXPECT_GT(plain(page->introduction(3)).size(), 80U) << name;
  }
  EXPECT_FALSE(primitive_of_page("README.md"));
}

TEST(Handbook, SaysWhatIsNotThere) {
  Handbook handbook;
  EXPECT_EQ(handbook.page("none.md"), nullptr);
  EXPECT_EQ(handbook.why_not("none.md"), "The program has no none.md.");
  EXPECT_EQ(handbook.figure("scan.md"), nullptr) << "no drawing";
  EXPECT_NE(handbook.why_not("scan.md").find("scan.md: reading a drawing"), std::string::npos);
  EXPECT_NE(handbook.page("scan.md"), nullptr);
  EXPECT_EQ(handbook.page("scan.md"), handbook.page("scan.md")) << "read once";
}

TEST(Handbook, LinksLeadSomewhere) {
  EXPECT_EQ(resolved("#turns").kind, LinkKind::heading);
  EXPECT_EQ(resolved("#turns").anchor, "turns");
  const HandbookLink page = resolved("sort.md#passes");
  EXPECT_EQ(page.kind, LinkKind::page);
  EXPECT_EQ(page.target, "sort.md");
  EXPECT_EQ(page.anchor, "passes");
  const HandbookLink source = resolved("../../gpu/primitives/scan/chained.cu");
  EXPECT_EQ(source.kind, LinkKind::source);
  EXPECT_EQ(source.target, "gpu/primitives/scan/chained.cu");
  EXPECT_EQ(resolved("../scenes/mesh.md").target, "docs/scenes/mesh.md");
  EXPECT_EQ(resolved("../scenes/mesh.md").kind, LinkKind::page);
  EXPECT_EQ(resolved("../primitives/scan.md", "docs/scenes/mesh.md").target, "scan.md");
  EXPECT_EQ(resolved("cloth.md", "docs/scenes/mesh.md").target, "docs/scenes/cloth.md");
  EXPECT_EQ(resolved("../pictures/cloth-cuda.png").kind, LinkKind::file);
  EXPECT_EQ(resolved("../../../etc/passwd").kind, LinkKind::file);
  EXPECT_TRUE(program_file(resolved("../../../etc/passwd").target).empty());
  EXPECT_TRUE(program_file("/etc/passwd").empty());
  EXPECT_EQ(resolved("https://a.org/b.md").kind, LinkKind::web);
}

// In the tree that the tests are built from.
TEST(Handbook, EveryLinkOfEveryPageLeadsToWhatIsThere) {
  Handbook handbook;
  const auto anchors_of = [&handbook](const std::string& name) {
    std::vector<std::string> all;
    for (const PageBlock& block : handbook.page(name)->blocks)
      if (block.kind == PageBlock::Kind::heading) all.push_back(anchor_of(block.words));
    return all;
  };
  std::size_t links = 0;
  for (const std::string_view file : handbook_file_names()) {
    if (!file.ends_with(".md")) continue;
    const std::string name(file);
    const PageSurface surface{
        .width = 900.0F,
        .text_width =
            [](PageFont, float size, std::string_view words) {
              return size * static_cast<float>(words.size());
            },
        .figure = [&handbook](const std::string& name_of) { return handbook.figure(name_of); }};
    for (const std::string& link : lay_out(*handbook.page(name), surface).links) {
      ++links;
      const HandbookLink to = resolved(link);
      if (to.kind == LinkKind::source || to.kind == LinkKind::file) {
        EXPECT_FALSE(program_file(to.target).empty()) << name << ": " << link;
      }
      if (to.anchor.empty() || (to.kind != LinkKind::page && to.kind != LinkKind::heading))
        continue;
      const auto anchors = anchors_of(to.kind == LinkKind::page ? to.target : name);
      EXPECT_NE(std::find(anchors.begin(), anchors.end(), to.anchor), anchors.end())
          << name << ": " << link;
    }
  }
  EXPECT_GT(links, 200U);
}

TEST(Handbook, FilesAreFoundWhereTheProgramIsInstalled) {
  namespace fs = std::filesystem;
  const fs::path prefix = fs::path(testing::TempDir()) / "handbook_prefix";
  fs::remove_all(prefix);
  const fs::path documents = prefix / "share/doc/warpview/docs";
  fs::create_directories(documents);
  const fs::path sources = program_file("docs/architecture.md").parent_path();
  fs::copy_file(sources / "architecture.md", documents / "architecture.md");
  const fs::path program = prefix / "lib/triple/warpview/warpview";
  EXPECT_EQ(program_file(program, "docs/architecture.md"), documents / "architecture.md");
  EXPECT_TRUE(program_file(program, "docs/other.md").empty());
  fs::remove_all(prefix);
}

}  // namespace
}  // namespace warpview
