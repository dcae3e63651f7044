#include "ui/model/messages.h"

#include <algorithm>
#include <utility>

#include "app/base/log.h"

namespace glint::ui {
namespace {

constexpr std::chrono::milliseconds kSaid{1500};
constexpr size_t kMostToasts = 4;

/// Returns the level of a line of the log, "10:20:30 warning: text". Empty if it is no warning and
/// no error.
std::optional<base::LogLevel> levelOf(const std::string& line) {
  const size_t begin = line.find(' ');
  if (begin == std::string::npos) return std::nullopt;
  if (line.compare(begin + 1, 8, "warning:") == 0) return base::LogLevel::warning;
  if (line.compare(begin + 1, 6, "error:") == 0) return base::LogLevel::error;
  return std::nullopt;
}

std::string textOf(const std::string& line) {
  const size_t begin = line.find(": ");
  return begin == std::string::npos ? line : line.substr(begin + 2);
}

}  // namespace

void Messages::say(std::string text) {
  const std::lock_guard lock(mutex_);
  said_ = {.level = base::LogLevel::info, .text = std::move(text)};
}

void Messages::note(std::string text) {
  base::log(base::LogLevel::info, text);
  const std::lock_guard lock(mutex_);
  add(base::LogLevel::info, std::move(text));
}

void Messages::fail(const std::string& problem) {
  base::log(base::LogLevel::error, problem);
  const std::lock_guard lock(mutex_);
  lastFailure_ = problem;
}

/// Adds a message. It replaces an equal one. If there are too many, the oldest of the lowest level
/// is removed.
void Messages::add(base::LogLevel level, std::string text) {
  std::erase_if(toasts_, [&](const Toast& toast) { return toast.text == text; });
  toasts_.push_back({.level = level, .text = std::move(text)});
  if (toasts_.size() > kMostToasts)
    toasts_.erase(
        std::min_element(toasts_.begin(), toasts_.end(),
                         [](const Toast& a, const Toast& b) { return a.level < b.level; }));
}

void Messages::update(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  readLog();
  std::erase_if(toasts_, [&](const Toast& toast) { return toast.until <= now; });
  if (said_.until <= now) said_.text.clear();
}

void Messages::readLog() {
  const auto [lines, total] = base::recentLog();
  const auto notifications = base::notificationLines();
  const auto fresh = static_cast<size_t>(std::min<uint64_t>(total - seen_, lines.size()));
  seen_ = total;
  for (size_t i = lines.size() - fresh; i < lines.size(); ++i) {
    if (notifications.contains(total - (lines.size() - 1 - i)))
      add(base::LogLevel::info, textOf(lines[i]));
    const auto level = levelOf(lines[i]);
    if (!level) continue;
    ++unread_;
    add(*level, textOf(lines[i]));
  }
}

std::vector<Messages::Toast> Messages::offerToasts() {
  const std::lock_guard lock(mutex_);
  offered_ = {said_.text};
  for (Toast& toast : toasts_) {
    toast.offered = true;
    offered_.push_back(toast.text);
  }
  return {toasts_.begin(), toasts_.end()};
}

std::string Messages::offerSaid() {
  const std::lock_guard lock(mutex_);
  said_.offered = true;
  return said_.text;
}

bool Messages::drawn(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  const auto begin = [&](Toast& toast, Clock::duration shown) {
    if (toast.offered && toast.until == Clock::time_point::max()) toast.until = now + shown;
  };
  begin(said_, kSaid);
  for (Toast& toast : toasts_)
    if (toast.level != base::LogLevel::error) begin(toast, kShown);
  return std::exchange(drawn_, offered_) != offered_;
}

bool Messages::unseen() const {
  const std::lock_guard lock(mutex_);
  return seen_ != base::loggedLines() || (!said_.text.empty() && !said_.offered) ||
         std::any_of(toasts_.begin(), toasts_.end(),
                     [](const Toast& toast) { return !toast.offered; });
}

std::string Messages::lastFailure() const {
  const std::lock_guard lock(mutex_);
  return lastFailure_;
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
