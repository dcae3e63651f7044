// Hands snapshots of a session to other threads.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "app/session/options.h"

namespace glint::session {

/// Holds the newest snapshot, and tells those who wait when the session has ended. The session's
/// thread publishes; any thread reads, and waits for no more than an exchange of pointers.
class Publisher {
 public:
  /// `published` is called after each new snapshot; see SessionOptions::published.
  explicit Publisher(std::function<void()> published) : published_(std::move(published)) {}

  void publish(std::shared_ptr<const SessionState> newest);
  /// True if sinks have written frames, or ended, since the newest snapshot. The publishing
  /// thread's.
  bool isOutdated(const std::vector<output::SinkStatus>& sinks) const;
  /// The session has ended.
  void end();

  /// Null before the first one.
  std::shared_ptr<const SessionState> state() const;
  /// Waits until the session has ended, or for `patience`. Returns true if it has ended.
  bool wait(std::chrono::milliseconds patience);

 private:
  const std::function<void()> published_;
  uint64_t written_ = 0;      // of the newest snapshot, by all sinks
  mutable std::mutex mutex_;  // of the next two
  std::shared_ptr<const SessionState> state_;
  bool hasEnded_ = false;
  std::condition_variable ended_;
};

}  // namespace glint::session
