// The sinks of a session: which there are, when they begin, and how they end.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/output/sinks/lossless_queue.h"
#include "app/output/sinks/newest_queue.h"
#include "app/session/command.h"

namespace glint::session {

/// Sinks that lose nothing begin with a frame, and hold one stretch of frames that follow each
/// other: what was added waits for its first frame; what has begun ends at a jump. The others go on
/// from pass to pass. Used by one thread, apart from status().
class SessionSinks {
 public:
  explicit SessionSinks(std::vector<std::shared_ptr<output::Sink>> listeners)
      : listeners_(std::move(listeners)) {}

  /// Adds a sink. `shown` is a frame of the present pass for files to begin with; if it is null,
  /// they begin with the next one. Throws UsageError where the id is taken.
  void add(command::AddSink added, motion::FramePtr shown);

  /// Ends a sink. `last` has the rows that are still open. `answer` is called once its files are
  /// whole. Throws UsageError where there is no such sink.
  void remove(uint64_t id, motion::FramePtr last, Answer answer);

  /// Hands a frame to all sinks.
  void hand(const motion::FramePtr& frame);

  /// Ends the files that have begun. What waits for its first frame goes on waiting.
  void endPass(const motion::FramePtr& last);

  /// Ends everything, and waits until all is written.
  void finish();

  /// True while files are being written.
  bool recording() const { return !writing_.empty(); }
  bool wantPixels() const;
  std::vector<output::SinkStatus> status() const;
  std::string firstProblem() const { return files_.firstProblem(); }
  bool stopped() const { return files_.stopped(); }

 private:
  struct Writing {
    uint64_t id;
    bool wantsPixels;
  };
  void begin(command::AddSink added, SetIndex first, motion::FramePtr opening);

  std::vector<std::shared_ptr<output::Sink>> listeners_;
  std::map<uint64_t, std::unique_ptr<output::NewestQueue>> streams_;
  std::vector<output::SinkStatus> ended_;  // streams that have ended
  std::vector<command::AddSink> waiting_;  // for their first frame
  std::vector<Writing> writing_;           // have begun
  std::vector<uint64_t> endedByJump_;      // the last ones that nobody removed
  output::LosslessQueue files_;
};

}  // namespace glint::session
