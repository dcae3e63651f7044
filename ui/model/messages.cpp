#include "ui/model/messages.h"

#include <algorithm>
#include <utility>

namespace glint::ui {
namespace {

constexpr std::chrono::milliseconds kSaid{1500};
constexpr size_t kMostToasts = 4;

/// Lines of the log are "10:20:30 warning: text".
std::optional<LogLevel> levelOf(const std::string& line) {
  const size_t begin = line.find(' ');
  if (begin == std::string::npos) return std::nullopt;
  if (line.compare(begin + 1, 8, "warning:") == 0) return LogLevel::warning;
  if (line.compare(begin + 1, 6, "error:") == 0) return LogLevel::error;
  return std::nullopt;
}

std::string textOf(const std::string& line) {
  const size_t begin = line.find(": ");
  return begin == std::string::npos ? line : line.substr(begin + 2);
}

}  // namespace

void Messages::say(std::string text) {
  const std::lock_guard lock(mutex_);
  said_ = {LogLevel::info, std::move(text), Clock::now() + kSaid};
}

void Messages::note(std::string text) {
  log(LogLevel::info, text);
  const std::lock_guard lock(mutex_);
  toasts_.push_back({LogLevel::info, std::move(text), Clock::now() + kShown});
}

void Messages::fail(const std::string& problem) {
  log(LogLevel::error, problem);
}

void Messages::update(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  readLog(now);
  while (toasts_.size() > kMostToasts) toasts_.pop_front();
  std::erase_if(toasts_, [&](const Toast& toast) { return toast.until <= now; });
  if (said_.until <= now) said_.text.clear();
}

void Messages::readLog(Clock::time_point now) {
  const auto [lines, total] = recentLog();
  const auto fresh = static_cast<size_t>(std::min<uint64_t>(total - seen_, lines.size()));
  seen_ = total;
  for (size_t i = lines.size() - fresh; i < lines.size(); ++i) {
    const auto level = levelOf(lines[i]);
    if (!level) continue;
    ++unread_;
    const bool stays = *level == LogLevel::error;
    const std::string text = textOf(lines[i]);
    std::erase_if(toasts_, [&](const Toast& toast) { return toast.text == text; });
    toasts_.push_back({*level, text, stays ? Clock::time_point::max() : now + kShown});
  }
}

std::vector<Messages::Toast> Messages::toasts() const {
  const std::lock_guard lock(mutex_);
  return {toasts_.begin(), toasts_.end()};
}

std::string Messages::said() const {
  const std::lock_guard lock(mutex_);
  return said_.text;
}

void Messages::dismiss(const std::string& text) {
  const std::lock_guard lock(mutex_);
  std::erase_if(toasts_, [&](const Toast& toast) { return toast.text == text; });
}

std::optional<Messages::Clock::time_point> Messages::nextChange() const {
  const std::lock_guard lock(mutex_);
  std::optional<Clock::time_point> next;
  const auto consider = [&](Clock::time_point until) {
    if (until != Clock::time_point::max()) next = next ? std::min(*next, until) : until;
  };
  if (!said_.text.empty()) consider(said_.until);
  for (const Toast& toast : toasts_) consider(toast.until);
  return next;
}

int Messages::unread() const {
  const std::lock_guard lock(mutex_);
  return unread_;
}

void Messages::markRead() {
  const std::lock_guard lock(mutex_);
  unread_ = 0;
}

}  // namespace glint::ui
