// Sinks on a thread of their own, behind a queue that loses nothing.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "app/output/sinks/sink.h"

namespace glint::output {

/// push() hands a frame to every group, in order; it waits while kCapacity frames are queued.
/// Between frames that are slow to come, sinks are polled. All calls but status() are one thread's.
class LosslessQueue {
 public:
  static constexpr size_t kCapacity = 256;
  static constexpr size_t kKept = 32;

  LosslessQueue();
  ~LosslessQueue();  // finishes if finish() was not called; errors are lost
  LosslessQueue(const LosslessQueue&) = delete;
  LosslessQueue& operator=(const LosslessQueue&) = delete;

  /// It gets what is pushed from now on.
  void add(SinkGroup group);
  /// It gets `last`, the rows that were still open, and is finished; then `done` is called on the
  /// queue's thread with its problem, or an empty text. One that was removed before is not touched.
  void remove(uint64_t id, motion::FramePtr last,
              std::function<void(const std::string& problem)> done = {});
  void push(motion::FramePtr frame);

  /// Waits until all is written, and finishes what has not been.
  void finish();

  /// All groups that there are, and the last kKept of those that have ended, by id.
  std::vector<SinkStatus> status() const;
  /// The problem of the first one that failed, or empty.
  std::string firstProblem() const;
  /// Whether one has failed through no fault of a reader that left, or all readers have left.
  bool stopped() const;

 private:
  struct Remove {
    uint64_t id;
    motion::FramePtr last;
    std::function<void(const std::string& problem)> done;
  };
  using Item = std::variant<motion::FramePtr, SinkGroup, Remove>;

  void put(Item item);
  void work();
  void handle(Item item);
  void attempt(SinkGroup& group, const auto& action);
  void note(const SinkGroup& group, const std::string& problem, bool readerLeft);
  void write(SinkGroup& group, const motion::FramePtr& frame);
  void end(SinkGroup& group);
  SinkStatus* find(uint64_t id);

  std::vector<SinkGroup> groups_;  // the thread's
  std::deque<Item> waiting_;
  bool finished_ = false;
  std::vector<SinkStatus> status_;
  std::string firstProblem_;
  bool stopped_ = false;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
};

}  // namespace glint::output
