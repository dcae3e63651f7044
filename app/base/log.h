// Writes the program's messages, which are not its results, to standard error, and keeps the last
// ones for a window.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace glint::base {

/// The severity of a message. Messages below the chosen level are not written.
enum class LogLevel { debug, info, warning, error, off };

/// Writes one line to standard error, as "glint: text". What a terminal would obey, in names of
/// files, bodies or cameras, is written as printable() does. Thread-safe.
void log(LogLevel level, std::string_view text);

/// Writes a warning; text and values are passed to fmt::format().
template <class... Values>
void warn(fmt::format_string<Values...> text, Values&&... values) {
  log(LogLevel::warning, fmt::format(text, std::forward<Values>(values)...));
}

/// Sets the least level that is written to standard error; at first it is `warning`.
void setLogLevel(LogLevel level);

/// True if lines of this level are written. It takes no lock, so that signal handlers may ask.
bool isLogged(LogLevel level);

/// "debug", "info", "warning", "error" or "off". Throws UsageError naming what there is.
LogLevel logLevelOf(const std::string& name);

/// The messages that are kept, of the level `info` and above, or of `debug` if that was set.
struct RecentLog {
  std::vector<std::string> lines;  ///< the last lines, at most 500, the oldest first
  uint64_t total = 0;              ///< number of lines so far, which is the number of the last one
};
/// Returns the kept messages. Thread-safe.
RecentLog recentLog();

/// Returns true if `text` is among the errors of recentLog(). An error that a window has shown need
/// not be written again when the window ends.
bool wasLoggedAsError(std::string_view text);

/// Writes an answer to something that the user has asked for: to standard error like a warning, but
/// it is not one. Thread-safe.
void notify(std::string_view text);

/// Returns the numbers of those lines of recentLog() that notify() has written. Thread-safe.
std::set<uint64_t> notificationLines();

/// Returns RecentLog::total without copying the lines. Thread-safe.
uint64_t loggedLines();

}  // namespace glint::base
