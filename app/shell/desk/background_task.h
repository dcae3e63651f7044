// Work for the user on a thread of its own, which reports its progress and can be cancelled.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/capture/source/interrupt.h"

namespace glint::shell {

/// A base class: its constructor ends with start(), its destructor begins with end().
class BackgroundTask {
 public:
  BackgroundTask(const BackgroundTask&) = delete;
  BackgroundTask& operator=(const BackgroundTask&) = delete;

  void cancel() { interrupt_.set(); }

  struct Progress {
    enum class State { running, done, cancelled, failed } state = State::running;
    uint64_t frames = 0;            ///< done
    std::optional<uint64_t> total;  ///< to be done, where known
    std::string problem;            ///< one sentence, or empty
  };
  Progress progress() const;  ///< any thread
  void wait();                ///< until it is no longer running; one thread

 protected:
  /// `changed` is called on the thread when something has come further, and at the end; must not
  /// wait; may be empty.
  explicit BackgroundTask(std::function<void()> changed) : changed_(std::move(changed)) {}
  ~BackgroundTask() = default;

  /// What `work` throws is the problem; with cancel() before, it was cancelled.
  void start(std::function<void()> work);
  void end();  ///< cancels and waits
  void set(const std::function<void(Progress&)>& change);

  capture::Interrupt interrupt_;
  mutable std::mutex mutex_;

 private:
  const std::function<void()> changed_;
  Progress progress_;
  std::thread thread_;
};

}  // namespace glint::shell
