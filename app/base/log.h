// What the program says that is not its result: one place, on standard error, and kept for a
// window.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace glint::base {

/// How grave; only what is at least as grave as the level asked for is written.
enum class LogLevel { debug, info, warning, error, off };

/// Writes one line to standard error, as "glint: text". Thread-safe.
void log(LogLevel level, std::string_view text);

/// Writes a warning; its text and values are those of fmt::format().
template <class... Values>
void warn(fmt::format_string<Values...> text, Values&&... values) {
  log(LogLevel::warning, fmt::format(text, std::forward<Values>(values)...));
}

/// The least level that is written; warning at first.
void setLogLevel(LogLevel level);

/// "debug", "info", "warning", "error" or "off". Throws UsageError naming what there is.
LogLevel logLevelOf(const std::string& name);

/// What was said, of every level but debug unless that is asked for.
struct RecentLog {
  std::vector<std::string> lines;  ///< the last ones, at most 500, oldest first
  uint64_t total = 0;              ///< how many there were ever; the last one has this number
};
RecentLog recentLog();

/// Whether `text` is among the errors of recentLog(): what a window has told need not be said again
/// when it ends.
bool wasToldAsError(std::string_view text);

/// Writes what the user has asked for and got: to standard error wherever warnings are, but it is
/// none. Thread-safe.
void tell(std::string_view text);

/// The numbers of those among the lines of recentLog() that tell() has written.
std::set<uint64_t> toldLines();

/// RecentLog::total, without the lines.
uint64_t loggedLines();

}  // namespace glint::base
