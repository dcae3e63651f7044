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
    base::LogLevel level = base::LogLevel::info;
    std::string text;
    /// What nobody has seen yet stays, and so do errors until they are clicked.
    Clock::time_point until = Clock::time_point::max();
    bool offered = false;  ///< in a picture, which may not be on the screen yet
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
  /// For the picture that is being made: drawn() begins their time.
  std::vector<Toast> offerToasts();
  std::string offerSaid();
  /// That picture is on the screen. Whether another one must follow: boxes that are new, or have
  /// other words, only measure themselves in a first one.
  bool drawn(Clock::time_point now);
  /// Whether there is something to tell that no picture on the screen has held.
  bool unseen() const;
  std::vector<Toast> toasts() const;
  std::string said() const;
  /// What fail() was given last.
  std::string lastFailure() const;
  void dismiss(const std::string& text);
  /// When something is to vanish next.
  std::optional<Clock::time_point> nextChange() const;
  /// Warnings and errors since the log was last looked at.
  int unread() const;
  void markRead();

 private:
  void readLog();
  void add(base::LogLevel level, std::string text);

  mutable std::mutex mutex_;
  std::deque<Toast> toasts_;
  Toast said_;
  std::vector<std::string> offered_, drawn_;  // the words of pictures: being made, on the screen
  std::string lastFailure_;
  uint64_t seen_ = 0;  // lines of the log
  int unread_ = 0;
};

}  // namespace glint::ui
