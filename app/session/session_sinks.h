// The sinks of a session: which there are, when they begin, and how they end.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/session/command.h"
#include "app/sinks/lossless_queue.h"
#include "app/sinks/newest_queue.h"

namespace glint {

/// Sinks that lose nothing begin with a frame, and hold one stretch of frames that follow each
/// other: what was added waits for its first frame; what has begun ends at a jump. The others go on
/// from pass to pass. Used by one thread, apart from status().
class SessionSinks {
 public:
  explicit SessionSinks(std::vector<std::shared_ptr<Sink>> listeners)
      : listeners_(std::move(listeners)) {}

  /// `shown`: a frame of the present pass for files to begin with, or null: the next one. Throws
  /// UsageError where the id is taken.
  void add(command::AddSink added, FramePtr shown);

  /// `last`: the rows that are still open. Throws UsageError where there is no such sink.
  void remove(uint64_t id, FramePtr last, Answer answer);

  void hand(const FramePtr& frame);

  /// Files that have begun end; what waits for its first frame goes on waiting.
  void endPass(const FramePtr& last);

  /// Everything ends; waits until all is written.
  void finish();

  /// Whether files have begun, and are being written.
  bool recording() const { return !begun_.empty(); }
  bool wantPixels() const;
  std::vector<SinkStatus> status() const;
  std::string firstProblem() const { return files_.firstProblem(); }
  bool stopped() const { return files_.stopped(); }

 private:
  struct Begun {
    uint64_t id;
    bool wantsPixels;
  };
  void begin(command::AddSink added, SetIndex first, FramePtr opening);

  std::vector<std::shared_ptr<Sink>> listeners_;
  std::map<uint64_t, std::unique_ptr<NewestQueue>> streams_;
  std::vector<SinkStatus> ended_;  // streams
  std::vector<command::AddSink> waiting_;
  std::vector<Begun> begun_;
  std::vector<uint64_t> endedByJump_;  // the last ones that nobody removed
  LosslessQueue files_;
};

}  // namespace glint
