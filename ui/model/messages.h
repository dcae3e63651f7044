// Messages to the user: a word after each key, and warnings and errors until they were seen.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/base/log.h"

namespace glint::ui {

/// Thread-safe.
class Messages {
 public:
  using Clock = std::chrono::steady_clock;
  struct Toast {
    LogLevel level = LogLevel::info;
    std::string text;
    Clock::time_point until;  ///< errors stay until they are clicked
  };
  static constexpr std::chrono::seconds kShown{4};

  /// A word about what was just done; it replaces the one before.
  void say(std::string text);
  /// A note that stays for a while.
  void note(std::string text);
  /// Into the log, whose warnings and errors are shown.
  void fail(const std::string& problem);

  /// Looks for new warnings and errors in the log, and drops what was shown long enough.
  void update(Clock::time_point now);
  std::vector<Toast> toasts() const;
  std::string said() const;
  void dismiss(const std::string& text);
  /// When something is to vanish next.
  std::optional<Clock::time_point> nextChange() const;
  /// Warnings and errors since the log was last looked at.
  int unread() const;
  void markRead();

 private:
  void readLog(Clock::time_point now);

  mutable std::mutex mutex_;
  std::deque<Toast> toasts_;
  Toast said_;
  uint64_t seen_ = 0;  // lines of the log
  int unread_ = 0;
};

}  // namespace glint::ui
