// A sink on a thread of its own, behind a bounded queue of which the newest frames win.
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

/// push() never waits: while kCapacity frames are queued, each new one replaces the oldest.
class NewestQueue {
 public:
  static constexpr size_t kCapacity = 128;
  /// How long finish() lets the receiver take what is still queued.
  static constexpr auto kFinishWait = std::chrono::seconds(1);

  NewestQueue(uint64_t id, std::string name, std::unique_ptr<Sink> sink);
  ~NewestQueue();  // drops what is queued
  NewestQueue(const NewestQueue&) = delete;
  NewestQueue& operator=(const NewestQueue&) = delete;

  /// Skips frames without a measurement: a stream has nothing to send for them.
  void push(const motion::FramePtr& frame);

  /// Hands over what is queued, for kFinishWait at most, and drops the rest. Nothing may be pushed
  /// after.
  SinkStatus finish();

  SinkStatus status() const;  ///< any thread

 private:
  void work();
  bool attempt(const auto& action);
  void note(const char* problem, bool ends, bool failed);

  const std::unique_ptr<Sink> sink_;
  std::deque<motion::FramePtr> waiting_;
  SinkStatus status_;
  bool ended_ = false;  // the sink takes nothing more; the thread's
  bool finished_ = false, givenUp_ = false, done_ = false;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace glint::output
