#include "scenes/files/input_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "tests/scenes/support.h"

namespace warpview {
namespace {

using test::contains;
using test::TempDir;

std::string refusal_of(const std::filesystem::path& path) {
  try {
    const InputFile file(path);
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << path << " was opened";
  return "";
}

std::string read_all(InputFile& file, std::size_t block) {
  std::string text;
  std::string buffer(block, ' ');
  for (std::size_t got = block; got == block;) {
    got = file.read(buffer);
    text += buffer.substr(0, got);
  }
  return text;
}

TEST(InputFile, ReadsBlockByBlock) {
  const TempDir dir;
  const auto path = dir.write("text", "hello there");
  for (const std::size_t block : {1U, 4U, 11U, 100U}) {
    InputFile file(path);
    EXPECT_EQ(file.path(), path);
    EXPECT_EQ(file.size(), 11U);
    EXPECT_EQ(read_all(file, block), "hello there");
  }
}

TEST(InputFile, IsTheFileThatWasOpened) {
  const TempDir dir;
  const auto path = dir.write("text", "first");
  InputFile file(path);
  std::filesystem::rename(dir.write("other", "second one"), path);
  EXPECT_EQ(file.size(), 5U);
  EXPECT_EQ(read_all(file, 4), "first");
}

TEST(InputFile, WhyOneCannotBeOpenedIsTold) {
  const TempDir dir;
  std::filesystem::create_symlink("loop", dir / "loop");
  const std::string loop = refusal_of(dir / "loop");
  EXPECT_TRUE(contains(loop, "a symbolic link that leads to itself"));
  EXPECT_FALSE(contains(loop, "permissions"));
  const std::string name = refusal_of(dir / std::string(300, 'x'));
  EXPECT_TRUE(contains(name, "File name too long"));
  EXPECT_FALSE(contains(name, "permissions"));
  EXPECT_TRUE(contains(refusal_of(""), "without a name"));
  if (geteuid() == 0) return;  // may open everything
  std::filesystem::permissions(dir.write("locked", "x"), std::filesystem::perms::none);
  EXPECT_TRUE(contains(refusal_of(dir / "locked"), "permissions"));
}

TEST(InputFile, OnlyRegularOnesAreOpened) {
  const TempDir dir;
  EXPECT_TRUE(contains(refusal_of(dir / "absent"), "no such file"));
  EXPECT_TRUE(contains(refusal_of(dir.write("file", "") / "inside"), "no such file"));
  EXPECT_TRUE(contains(refusal_of(dir.path()), "is a directory"));
  EXPECT_TRUE(contains(refusal_of("/dev/null"), "not a regular file"));
  ASSERT_EQ(mkfifo((dir / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(contains(refusal_of(dir / "pipe"), "not a regular file"));
  for (const auto& path : {dir / "absent", dir.path(), dir / "pipe"})
    EXPECT_FALSE(InputFile::find(path));
  EXPECT_TRUE(InputFile::find(dir / "file"));
}

}  // namespace
}  // namespace warpview
