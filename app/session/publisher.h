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

/// Holds the newest snapshot, and wakes threads that wait for the end of the session. The session's
/// thread publishes. Any thread may read; it waits at most for an exchange of pointers.
class Publisher {
 public:
  /// `published` is called after each new snapshot; see SessionOptions::published.
  explicit Publisher(std::function<void()> published) : published_(std::move(published)) {}

  void publish(std::shared_ptr<const SessionState> newest);
  /// Returns true if sinks have written frames, or ended, since the newest snapshot. Call on the
  /// publishing thread only.
  bool isOutdated(const std::vector<output::SinkStatus>& sinks) const;
  /// Notes that the session has ended.
  void end();

  /// Returns the newest snapshot, or null before the first one.
  std::shared_ptr<const SessionState> state() const;
  /// Waits until the session has ended, but at most for `patience`. Returns true if it has ended.
  bool wait(std::chrono::milliseconds patience);

 private:
  const std::function<void()> published_;
  // Frames that all sinks had written in the newest snapshot.
  uint64_t written_ = 0;
  // Protects the next two members.
  mutable std::mutex mutex_;
  std::shared_ptr<const SessionState> state_;
  bool hasEnded_ = false;
  std::condition_variable ended_;
};

}  // namespace glint::session
