// A sink on a thread of its own, behind a queue that drops what is oldest.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/sinks/sink.h"

namespace glint {

/// push() never waits: while kCapacity frames are queued, each new one replaces the oldest. Frames
/// without a measurement are passed over. What accept() throws costs that frame alone.
class NewestQueue {
 public:
  static constexpr size_t kCapacity = 128;
  /// How long finish() lets the receiver take what is still queued.
  static constexpr auto kFinishWait = std::chrono::seconds(1);

  NewestQueue(uint64_t id, std::string name, std::vector<std::unique_ptr<Sink>> sinks);
  ~NewestQueue();  // drops what is queued

  void push(FramePtr frame);

  /// Sends what is queued, for kFinishWait at most, and drops the rest. Nothing may be pushed
  /// after.
  SinkStatus finish();
  SinkStatus status() const;

 private:
  void work();
  void giveUp();

  std::vector<std::unique_ptr<Sink>> sinks_;
  std::deque<FramePtr> waiting_;
  SinkStatus status_;
  bool finished_ = false, givenUp_ = false, done_ = false;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace glint
