// The receivers of frames: files, streams, and programs of their own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/motion/frame/frame.h"
#include "config/error.h"

namespace glint::output {

/// The error for a pipe whose reader has left. This output ends, and the others continue.
class ReaderLeft : public Error {
 public:
  using Error::Error;
};

/// The error for a frame that was lost to its receiver. The output continues, as later frames may
/// arrive.
class NotTaken : public Error {
 public:
  using Error::Error;
};

/// A receiver of every frame of a session, in order, on one thread. The hand-over decides on which
/// thread, and what happens if the sink is too slow.
class Sink {
 public:
  virtual ~Sink() = default;
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  /// Returns true if the sink needs CameraFrame::pixels.
  virtual bool wantsPixels() const { return false; }

  /// Takes a frame. Throws Error if it cannot be kept, ReaderLeft if nobody wants frames any more,
  /// and NotTaken if only this frame is lost. After any exception except NotTaken, the sink gets
  /// nothing more.
  virtual void accept(const motion::FramePtr& frame) = 0;

  /// Writes what has waited long enough. Called a few times a second while no frame arrives. Throws
  /// Error as accept() does.
  virtual void poll() {}

  /// Returns the number of frames that the sink has left out because it was too slow.
  virtual uint64_t leftOut() const { return 0; }

  /// Returns what the user should know about the receivers now, such as "2 clients", or nothing.
  /// Any thread.
  virtual std::string state() const { return {}; }

  /// Completes the output; nothing follows. Throws Error if the remaining data cannot be kept. Also
  /// called after an error elsewhere, so that earlier measurements are kept.
  virtual void finish() {}

  /// Makes accept() stop waiting. Any thread.
  virtual void giveUp() {}
};

/// The way in which frames reach a sink that may be slow.
enum class Handover {
  waits,  ///< through a queue that loses nothing: the session waits while it is full
  /// Through a queue that drops and counts the oldest frames; the sink is not polled.
  newest,
};

/// Sinks that begin and end together: the files of one output, or one stream.
struct SinkGroup {
  uint64_t id = 0;
  std::string name = {};  ///< name as the user sees it
  Handover handover = Handover::waits;
  std::vector<std::unique_ptr<Sink>> sinks = {};
  SetIndex first = {};  ///< rows of earlier sets are left out
  /// A frame that was tracked before, and that the group gets first; or null.
  motion::FramePtr opening = nullptr;

  bool wantsPixels() const {
    return std::ranges::any_of(sinks, [](const auto& sink) { return sink && sink->wantsPixels(); });
  }
};

/// Counts of the frames that an output was given.
struct SinkStatus {
  uint64_t id = 0;
  std::string name;
  Handover handover = Handover::waits;
  uint64_t frames = 0;  ///< files: frames handed over; streams: frames sent
  /// Files: frames among these that were left out for lack of time. Streams: frames not sent.
  uint64_t dropped = 0;
  bool finished = false;   ///< true if the output is complete, or has failed
  std::string state = {};  ///< what Sink::state() says; or empty
  std::string problem;     ///< the first problem; or empty
  bool failed = false;     ///< true if `problem` is not the receiver's fault
};

}  // namespace glint::output
