#include "app/base/log.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace glint {
namespace {

TEST(Log, CountsEqualLinesToo) {
  const uint64_t before = base::recentLog().total;
  base::log(base::LogLevel::info, "the same");
  base::log(base::LogLevel::error, "another one");
  base::log(base::LogLevel::info, "the same");
  const base::RecentLog after = base::recentLog();
  EXPECT_EQ(after.total, before + 3) << "a reader must not take the last for the first";
  ASSERT_GE(after.lines.size(), 3U);
  EXPECT_NE(after.lines[after.lines.size() - 2].find("error: another one"), std::string::npos);
}

TEST(Log, RemembersWhatWasToldAsAnError) {
  base::log(base::LogLevel::info, "a file is full");
  EXPECT_FALSE(base::wasLoggedAsError("a file is full"));
  base::log(base::LogLevel::error, "a file is full");
  EXPECT_TRUE(base::wasLoggedAsError("a file is full"));
  EXPECT_FALSE(base::wasLoggedAsError("a file is"));
}

TEST(Log, HoldsNothingThatATerminalObeys) {
  testing::internal::CaptureStderr();
  base::warn("a camera is called '{}'", "\x1b]0;x\a\x7f\xc2\x9b\n2J");
  base::notify("saved as \x1b[2J");
  const std::string written = testing::internal::GetCapturedStderr();
  const base::RecentLog kept = base::recentLog();
  for (const std::string& text : {written, kept.lines[kept.lines.size() - 2], kept.lines.back()}) {
    EXPECT_EQ(text.find_first_of("\x1b\x7f\x9b\a"), std::string::npos) << text;
    EXPECT_NE(text.find("\\x1b"), std::string::npos) << text;
  }
  EXPECT_EQ(std::ranges::count(written, '\n'), 2) << "a line each";
}

TEST(Log, KeepsTheLastLinesAndNoDebugUnlessAskedTo) {
  const uint64_t before = base::recentLog().total;
  base::log(base::LogLevel::debug, "not kept");
  for (int i = 0; i < 600; ++i) base::log(base::LogLevel::info, std::to_string(i));
  const base::RecentLog after = base::recentLog();
  EXPECT_EQ(after.total, before + 600);
  ASSERT_EQ(after.lines.size(), 500U);
  EXPECT_NE(after.lines.front().find("info: 100"), std::string::npos);
  base::setLogLevel(base::LogLevel::debug);
  base::log(base::LogLevel::debug, "kept");
  EXPECT_EQ(base::recentLog().total, before + 601);
  base::setLogLevel(base::LogLevel::warning);
}

}  // namespace
}  // namespace glint
