// Messages to the user: a short answer after each key, and warnings and errors until they were
// seen.
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

/// The messages of the window. Thread-safe.
class Messages {
 public:
  using Clock = std::chrono::steady_clock;
  struct Toast {
    base::LogLevel level = base::LogLevel::info;
    std::string text;
    /// The end of its time on the screen. A message that nobody has seen has no end, nor has an
    /// error until it is clicked.
    Clock::time_point until = Clock::time_point::max();
    /// True if the message is in a picture that was built, and may not be on the screen yet.
    bool offered = false;
  };
  static constexpr std::chrono::seconds kShown{4};

  /// Shows a few words about what was just done. They replace the previous ones.
  void say(std::string text);
  /// Shows a note for a while, and writes it into the log.
  void note(std::string text);
  /// Writes an error into the log. Warnings and errors of the log are shown.
  void fail(const std::string& problem);

  /// Takes new warnings and errors from the log, and drops messages that were shown long enough.
  void update(Clock::time_point now);
  /// Returns the messages for the picture that is being built. Their time begins at drawn().
  std::vector<Toast> offerToasts();
  std::string offerSaid();
  /// Notes that the picture that was built last is on the screen. Returns true if another picture
  /// must follow, because a box that is new, or has other words, only measures itself in its first
  /// picture.
  bool drawn(Clock::time_point now);
  /// Returns true if there is a message that was in no picture yet.
  bool unseen() const;
  std::vector<Toast> toasts() const;
  std::string said() const;
  /// Returns the problem that fail() was given last.
  std::string lastFailure() const;
  /// Removes the shown message with this text.
  void dismiss(const std::string& text);
  /// Returns the next time at which a message leaves the screen by itself. Empty if none does.
  std::optional<Clock::time_point> nextChange() const;
  /// Returns the number of warnings and errors since markRead().
  int unread() const;
  void markRead();

 private:
  void readLog();
  void add(base::LogLevel level, std::string text);

  mutable std::mutex mutex_;
  std::deque<Toast> toasts_;
  Toast said_;  // the words of say()
  // The words of the messages in the picture that is being built, and in the one on the screen.
  std::vector<std::string> offered_, drawn_;
  std::string lastFailure_;
  uint64_t seen_ = 0;  // number of the log's lines that were read
  int unread_ = 0;     // number of warnings and errors since markRead()
};

}  // namespace glint::ui
