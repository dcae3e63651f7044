// One stream: a bounded queue and the thread that sends what is in it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "app/stream/sender.h"

namespace glint {

/// What became of the frames that a stream was given.
struct StreamResult {
  std::string target;  ///< as the user wrote it
  uint64_t sent = 0;
  uint64_t dropped = 0;  ///< the receiver was too slow, or `problem`
  std::string problem;   ///< what the first failure to send was, or empty
  bool failed = false;   ///< it was no receiver's fault: a full disk under standard output
};

/// push() never waits: while kCapacity frames are queued, each new one replaces the oldest.
class Stream {
 public:
  static constexpr size_t kCapacity = 128;
  /// How long finish() lets the receiver take what is still queued.
  static constexpr auto kFinishWait = std::chrono::seconds(1);

  Stream(std::string target, std::unique_ptr<Sender> sender);
  ~Stream();  // drops what is queued

  void push(std::shared_ptr<const LiveFrame> frame);

  /// Sends what is queued, for kFinishWait at most, and drops the rest. Nothing may be pushed
  /// after.
  StreamResult finish();

 private:
  void work(const std::stop_token& giveUp);

  std::unique_ptr<Sender> sender_;
  std::deque<std::shared_ptr<const LiveFrame>> waiting_;
  StreamResult result_;
  bool finished_ = false, done_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace glint
