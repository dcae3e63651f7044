#include "app/base/log.h"

#include <gtest/gtest.h>

namespace glint {
namespace {

TEST(Log, CountsEqualLinesToo) {
  const uint64_t before = recentLog().total;
  log(LogLevel::info, "the same");
  log(LogLevel::error, "another one");
  log(LogLevel::info, "the same");
  const RecentLog after = recentLog();
  EXPECT_EQ(after.total, before + 3) << "a reader must not take the last for the first";
  ASSERT_GE(after.lines.size(), 3U);
  EXPECT_NE(after.lines[after.lines.size() - 2].find("error: another one"), std::string::npos);
}

TEST(Log, RemembersWhatWasToldAsAnError) {
  log(LogLevel::info, "a file is full");
  EXPECT_FALSE(wasToldAsError("a file is full"));
  log(LogLevel::error, "a file is full");
  EXPECT_TRUE(wasToldAsError("a file is full"));
  EXPECT_FALSE(wasToldAsError("a file is"));
}

TEST(Log, KeepsTheLastLinesAndNoDebugUnlessAskedTo) {
  const uint64_t before = recentLog().total;
  log(LogLevel::debug, "not kept");
  for (int i = 0; i < 600; ++i) log(LogLevel::info, std::to_string(i));
  const RecentLog after = recentLog();
  EXPECT_EQ(after.total, before + 600);
  ASSERT_EQ(after.lines.size(), 500U);
  EXPECT_NE(after.lines.front().find("info: 100"), std::string::npos);
  setLogLevel(LogLevel::debug);
  log(LogLevel::debug, "kept");
  EXPECT_EQ(recentLog().total, before + 601);
  setLogLevel(LogLevel::warning);
}

}  // namespace
}  // namespace glint
