// The sinks of a session: which ones there are, when they begin, and how they end.
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

/// The sinks of a session. Sinks that lose nothing (files) contain one stretch of consecutive
/// frames: they wait for their first frame after being added, and end at a jump. The others
/// (streams) continue from pass to pass. Used by one thread, except status().
class SessionSinks {
 public:
  /// `holdsOpening`: true if the outputs of the run (id 0) begin with the first frame that another
  /// one follows, not with the first one that is shown. That suits a session that begins paused.
  SessionSinks(std::vector<std::shared_ptr<output::Sink>> listeners, bool holdsOpening)
      : listeners_(std::move(listeners)), holdsOpening_(holdsOpening) {}

  /// Adds a sink. `shown` is a frame of the present pass that files begin with. If it is null, they
  /// begin with the next frame. Throws UsageError if the id is already used.
  void add(command::AddSink added, motion::FramePtr shown);

  /// Ends a sink. `last` has the rows that are not final yet. `answer` is called once its files are
  /// complete. Throws UsageError if there is no such sink.
  void remove(uint64_t id, motion::FramePtr last, Answer answer);

  /// Hands a frame to all sinks.
  void hand(const motion::FramePtr& frame);

  /// Forgets the frame that a paused session has shown so far, before a jump to another one. So the
  /// outputs of the run do not begin and end with this frame alone.
  void skipOpening() { opening_ = nullptr; }

  /// Ends the files that have begun. Those that wait for their first frame continue to wait.
  void endPass(const motion::FramePtr& last);

  /// Ends everything, and waits until all is written.
  void finish();

  /// Returns true while files are being written.
  bool recording() const { return !writing_.empty() || opening_; }
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
  void beginRun();

  std::vector<std::shared_ptr<output::Sink>> listeners_;
  std::map<uint64_t, std::unique_ptr<output::NewestQueue>> streams_;
  // Streams that have ended.
  std::vector<output::SinkStatus> ended_;
  // Files that wait for their first frame.
  std::vector<command::AddSink> waiting_;
  // True until the outputs of a session that began paused have begun.
  bool holdsOpening_;
  // The frame with which these outputs will begin, if another one follows it.
  motion::FramePtr opening_;
  // Files that have begun.
  std::vector<Writing> writing_;
  // Ids of the latest files that a jump has ended and nobody has removed.
  std::vector<uint64_t> endedByJump_;
  output::LosslessQueue files_;
};

}  // namespace glint::session
