// A sink on a thread of its own, behind a bounded queue that prefers the newest frames.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "app/output/sinks/sink.h"

namespace glint::output {

/// A queue of frames for one sink. push() never waits: while kCapacity frames are queued, each new
/// one replaces the oldest.
class NewestQueue {
 public:
  static constexpr size_t kCapacity = 128;  ///< the most frames that are queued
  /// The time that finish() gives the receiver to take the remaining frames.
  static constexpr auto kFinishWait = std::chrono::seconds(1);

  NewestQueue(uint64_t id, std::string name, std::unique_ptr<Sink> sink);
  ~NewestQueue();  // drops what is queued
  NewestQueue(const NewestQueue&) = delete;
  NewestQueue& operator=(const NewestQueue&) = delete;

  /// Queues a frame. Skips frames without a measurement, for which a stream has nothing to send.
  void push(const motion::FramePtr& frame);

  /// Hands over the remaining frames for at most kFinishWait, and drops the rest. No frame may be
  /// pushed afterwards.
  SinkStatus finish();

  SinkStatus status() const;  ///< any thread

 private:
  void work();
  bool attempt(const auto& action);
  void note(const char* problem, bool ends, bool failed);

  const std::unique_ptr<Sink> sink_;
  std::deque<motion::FramePtr> waiting_;
  SinkStatus status_;
  // True if the sink takes nothing more. Changed only by the thread.
  bool ended_ = false;
  bool finished_ = false, givenUp_ = false, done_ = false;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;  // the last member, because the thread uses the others
};

}  // namespace glint::output
