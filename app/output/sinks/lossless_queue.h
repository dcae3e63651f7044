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

/// A queue of frames for groups of sinks. push() hands a frame to every group, in order, and waits
/// while kCapacity frames are queued. Sinks are polled while no frame arrives. All functions except
/// status() are called by one thread.
class LosslessQueue {
 public:
  static constexpr size_t kCapacity = 256;  ///< the most frames that are queued
  static constexpr size_t kKept = 32;       ///< the most ended groups whose status is kept

  LosslessQueue();
  ~LosslessQueue();  // finishes if finish() was not called; errors are lost
  LosslessQueue(const LosslessQueue&) = delete;
  LosslessQueue& operator=(const LosslessQueue&) = delete;

  /// Adds a group, which gets the frames that are pushed from now on.
  void add(SinkGroup group);
  /// Removes a group. It gets `last`, which holds the rows that were not final yet, and is
  /// finished. Then `done` is called on the queue's thread with the problem of the group, or an
  /// empty text. Does nothing to a group that was removed before.
  void remove(uint64_t id, motion::FramePtr last,
              std::function<void(const std::string& problem)> done = {});
  /// Queues a frame for every group. Waits while the queue is full.
  void push(motion::FramePtr frame);

  /// Waits until everything is written, and finishes the remaining groups.
  void finish();

  /// Returns the status of all groups, and of the last kKept that have ended, by id.
  std::vector<SinkStatus> status() const;
  /// Returns the problem of the first group that failed; empty if there is none.
  std::string firstProblem() const;
  /// Returns true if a group has failed for another reason than a reader that has left, or if all
  /// readers have left.
  bool stopped() const;

 private:
  /// A request to remove a group: see remove().
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

  // The groups are used only by the queue's thread.
  std::vector<SinkGroup> groups_;
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
