// Work in the background on a thread of its own. It reports its progress and can be cancelled.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/capture/source/interrupt.h"

namespace glint::shell {

/// The base class of work in the background. The constructor of a derived class ends with start(),
/// and its destructor begins with end().
class BackgroundTask {
 public:
  BackgroundTask(const BackgroundTask&) = delete;
  BackgroundTask& operator=(const BackgroundTask&) = delete;

  void cancel() { interrupt_.set(); }

  struct Progress {
    enum class State { running, done, cancelled, failed } state = State::running;
    uint64_t frames = 0;            ///< frames that are done
    std::optional<uint64_t> total;  ///< frames that are to be done, if known
    /// The pass over the frames that `frames` and `total` count, from 1, and the number of passes.
    uint64_t pass = 1, passes = 1;
    std::string problem;  ///< one sentence, or empty
  };
  /// Returns the progress. Any thread.
  Progress progress() const;
  /// Waits until the work has ended. One thread.
  void wait();

 protected:
  /// `changed` is called on the thread of the work when it has made progress, and at its end. It
  /// must not wait; it may be empty.
  explicit BackgroundTask(std::function<void()> changed) : changed_(std::move(changed)) {}
  ~BackgroundTask() = default;

  /// Starts the thread that does `work`. An exception becomes the problem; after cancel(), the work
  /// counts as cancelled instead.
  void start(std::function<void()> work);
  /// Cancels the work and waits for its end.
  void end();
  void set(const std::function<void(Progress&)>& change);

  capture::Interrupt interrupt_;
  mutable std::mutex mutex_;

 private:
  const std::function<void()> changed_;
  Progress progress_;
  std::thread thread_;
};

}  // namespace glint::shell
