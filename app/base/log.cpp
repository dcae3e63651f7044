#include "app/base/log.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <mutex>

#include <fmt/format.h>
#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include "config/error.h"
#include "config/printable.h"

namespace glint::base {
namespace {

constexpr size_t kKept = 500;  // lines that are kept
constexpr std::array<std::string_view, 5> kNames{"debug", "info", "warning", "error", "off"};

std::atomic<LogLevel> leastLogged = LogLevel::warning;

spdlog::level::level_enum spdLevel(LogLevel level) {
  constexpr std::array kLevels{spdlog::level::debug, spdlog::level::info, spdlog::level::warn,
                               spdlog::level::err, spdlog::level::off};
  return kLevels[static_cast<size_t>(level)];
}

/// The only logger. It writes to standard error from the chosen level on, and into memory from
/// `info` on.
struct Log {
  std::shared_ptr<spdlog::sinks::stderr_sink_mt> terminal =
      std::make_shared<spdlog::sinks::stderr_sink_mt>();
  std::shared_ptr<spdlog::sinks::ringbuffer_sink_mt> kept =
      std::make_shared<spdlog::sinks::ringbuffer_sink_mt>(kKept);
  spdlog::logger logger{"glint", {terminal, kept}};
  std::mutex mutex;                  // guards the kept lines and the next members
  uint64_t total = 0;                // lines that were kept so far
  std::set<uint64_t> notifications;  // numbers of the kept lines that notify() has written

  Log() {
    terminal->set_pattern("glint: %v");
    kept->set_pattern("%H:%M:%S %l: %v");
    set(LogLevel::warning);
  }
  void set(LogLevel level) {
    terminal->set_level(spdLevel(level));
    kept->set_level(std::min(spdLevel(level), spdlog::level::info));
    logger.set_level(std::min(spdLevel(level), spdlog::level::info));
  }
};

Log& theLog() {
  static Log log;
  return log;
}

}  // namespace

void log(LogLevel level, std::string_view line) {
  Log& all = theLog();
  const std::string text = printable(line);
  const std::lock_guard lock(all.mutex);
  if (all.kept->should_log(spdLevel(level))) ++all.total;
  all.logger.log(spdLevel(level), "{}", text);
}

void notify(std::string_view line) {
  Log& all = theLog();
  const std::string text = printable(line);
  const std::lock_guard lock(all.mutex);
  const auto write = [&](const auto& sink, spdlog::level::level_enum level) {
    if (sink->should_log(level)) sink->log(spdlog::details::log_msg("glint", level, text));
  };
  write(all.terminal, spdlog::level::warn);
  write(all.kept, spdlog::level::info);
  all.notifications.insert(++all.total);
  all.notifications.erase(
      all.notifications.begin(),
      all.notifications.lower_bound(all.total - std::min<uint64_t>(all.total, kKept)));
}

void setLogLevel(LogLevel level) {
  leastLogged = level;
  theLog().set(level);
}

bool isLogged(LogLevel level) {
  return level >= leastLogged;
}

LogLevel logLevelOf(const std::string& name) {
  for (size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<LogLevel>(i);
  throw UsageError("--log-level '{}' is not one of {}", name, fmt::join(kNames, ", "));
}

RecentLog recentLog() {
  Log& all = theLog();
  const std::lock_guard lock(all.mutex);
  RecentLog recent{all.kept->last_formatted(), all.total};
  for (std::string& line : recent.lines)
    while (!line.empty() && line.back() == '\n') line.pop_back();
  return recent;
}

std::set<uint64_t> notificationLines() {
  Log& all = theLog();
  const std::lock_guard lock(all.mutex);
  return all.notifications;
}

uint64_t loggedLines() {
  Log& all = theLog();
  const std::lock_guard lock(all.mutex);
  return all.total;
}

bool wasLoggedAsError(std::string_view text) {
  const std::string end = fmt::format(" error: {}", printable(text));
  const RecentLog recent = recentLog();
  return std::ranges::any_of(recent.lines,
                             [&](const std::string& line) { return line.ends_with(end); });
}

}  // namespace glint::base
