#include "app/message.h"

#include <gtest/gtest.h>

namespace warpview {
namespace {

TEST(Printable, TextStaysAsItIs) {
  for (const char* text : {"", "mesh.obj: no such file",
                           "Stra\xC3\x9F"
                           "e \xE4\xBD\xA0 \xF0\x9F\x90\xB0"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ControlCharactersAreWritten) {
  EXPECT_EQ(printable("a\x1b[31mb\x7f"), R"(a\x1b[31mb\x7f)");
  EXPECT_EQ(printable("a\nb\tc\r"), R"(a\nb\x09c\x0d)");
  EXPECT_EQ(printable(std::string_view("\0", 1)), R"(\x00)");
  // A terminal's escape in one character, and what turns the writing around.
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            R"(\xc2\x9b31m)");
  EXPECT_EQ(printable("\xE2\x80\xAE"), R"(\xe2\x80\xae)");
}

TEST(Printable, BytesThatAreNoUtf8AreWritten) {
  EXPECT_EQ(printable("\x9b"
                      "31m"),
            R"(\x9b31m)");
  EXPECT_EQ(printable("\xC3"), R"(\xc3)");
  EXPECT_EQ(printable("\xC3("), "\\xc3(");
  EXPECT_EQ(printable("\xC0\x80"), R"(\xc0\x80)");          // too long
  EXPECT_EQ(printable("\xED\xA0\x80"), R"(\xed\xa0\x80)");  // half a pair
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), R"(\xf4\x90\x80\x80)");
}

}  // namespace
}  // namespace warpview
