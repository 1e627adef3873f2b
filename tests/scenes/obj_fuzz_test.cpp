// Damaged files: whatever they hold, loading gives a well-formed mesh or throws Error.
#include <random>
#include <string>

#include "tests/scenes/support.h"

namespace warpview {
namespace {

using test::TempDir;

const std::string_view obj_seed =
    "# a prism\r\nmtllib m.mtl\no prism\n"
    "v 0 0 0\nv 1 0 0\nv 0.5 0.25 0\nv 1 1 0\nv 0 1 0\nv 0 0 1 0.1 0.2 0.3\nv -1.5e-3 +2 1\n"
    "vt 0 0\nvt 1 0\nvt 0.5 0.5\nvn 0 0 1\nvn 1 0 0\ns 1\ng side\n"
    "usemtl a\nf 1/1/1 2/2/1 3/3/1 4/1/1 5/1/1\nf -1 -2 -3\nusemtl b\nf 1//2 6//2 7//2 \\\n 2//2\n"
    "l 1 2 3\np 1\nf 5/1 6/2 7/3\n";
const std::string_view mtl_seed =
    "newmtl a\nKa 0 0 0\nKd 0.5 0.5 0.5\nKs 1 1 1\nNs 100\nd 0.5\nillum 2\n"
    "map_Kd -s 2 -o 0.5 .5 -clamp on -mm 0 1 \"t.tga\" # picture\n"
    "newmtl b\nKd 1 0 0\nTr 0.1\nmap_Bump -bm 0.5 n.png\nPr 0.3\n";

// Some bytes that mean something where they should not be, put in, taken out or repeated.
std::string damage(std::string text, std::mt19937& random) {
  static const std::string_view pieces[] = {"\n",
                                            "\r",
                                            "\\\n",
                                            " ",
                                            "\t",
                                            "#",
                                            "/",
                                            "//",
                                            "-",
                                            "+",
                                            ".",
                                            "e",
                                            "nan",
                                            "inf",
                                            "1e999",
                                            "99999999999",
                                            "-2147483648",
                                            "0",
                                            "f ",
                                            "v ",
                                            "vn ",
                                            "vt ",
                                            "g ",
                                            "usemtl ",
                                            "mtllib ",
                                            "newmtl ",
                                            "map_Kd ",
                                            "-o ",
                                            "\"",
                                            "-blendu ",
                                            "\xFF",
                                            "\xEF\xBB\xBF",
                                            std::string_view("\0", 1)};
  const auto below = [&random](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  for (std::size_t change = 1 + below(6); change-- > 0 && !text.empty();) {
    const std::size_t at = below(text.size());
    const std::size_t length = 1 + below(std::min<std::size_t>(40, text.size() - at));
    switch (below(5)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, pieces[below(std::size(pieces))]);
        break;
      case 3:
        text.insert(below(text.size()), text.substr(at, length));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

TEST(ObjFuzz, DamagedFilesLoadOrThrow) {
  const TempDir dir;
  std::mt19937 random(2024);
  int loaded = 0;
  int refused = 0;
  for (int round = 0; round < 600; ++round) {
    dir.write("m.mtl", damage(std::string(mtl_seed), random));
    const auto path = dir.write("m.obj", damage(std::string(obj_seed), random));
    try {
      const Mesh mesh = test::load(path);
      test::expect_well_formed(mesh);
      ASSERT_FALSE(testing::Test::HasFatalFailure()) << "round " << round;
      ++loaded;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(loaded, 100);
  EXPECT_GT(refused, 10);
}

}  // namespace
}  // namespace warpview
