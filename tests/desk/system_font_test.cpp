// Tests that a font of this system is found and can be read.
#include "app/shell/desk/system_font.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include <gtest/gtest.h>

namespace glint {
namespace {

/// Returns the first line that a command prints.
std::string lineOf(const char* command) {
  std::FILE* const pipe = ::popen(command, "r");
  if (pipe == nullptr) return {};
  std::array<char, 4096> line{};
  const bool read = std::fgets(line.data(), line.size(), pipe) != nullptr;
  ::pclose(pipe);
  std::string text = read ? line.data() : "";
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

TEST(SystemFont, IsAFileOfOutlinesWhereThereIsOne) {
  const std::string font = shell::readableFont();
  if (font.empty()) {
    EXPECT_EQ(lineOf("fc-list ':scalable=true:lang=en' file 2>/dev/null"), "") << "fc-list has one";
    GTEST_SKIP() << "this system has no font";
  }
  std::ifstream file(font, std::ios::binary);
  std::string magic(4, '\0');
  ASSERT_TRUE(file.read(magic.data(), 4)) << font;
  using namespace std::string_view_literals;
  // These are the first bytes of TrueType, OpenType, collections, and Type 1 as text and as binary.
  const std::array kMagics{"\0\1\0\0"sv, "true"sv, "OTTO"sv, "ttcf"sv, "%!PS"sv, "\x80\1"sv};
  EXPECT_TRUE(std::any_of(kMagics.begin(), kMagics.end(), [&](std::string_view m) {
    return magic.starts_with(m);
  })) << font;
  EXPECT_EQ(shell::readableFont(), font) << "the same every time";
}

}  // namespace
}  // namespace glint
