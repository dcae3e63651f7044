// Who takes frames: files, streams, and programs of their own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/motion/frame/frame.h"
#include "config/error.h"

namespace glint::output {

/// The reader of a pipe has left: this output ends, and the others go on.
class ReaderLeft : public Error {
 public:
  using Error::Error;
};

/// This frame is lost to its receiver, and the next may not be: nothing ends.
class NotTaken : public Error {
 public:
  using Error::Error;
};

/// Takes every frame of a session, in order, on one thread; which, and what happens when it is too
/// slow, is the hand-over's part.
class Sink {
 public:
  virtual ~Sink() = default;
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  /// Whether CameraFrame::pixels must be there.
  virtual bool wantsPixels() const { return false; }

  /// Throws Error when the frame cannot be kept, ReaderLeft when nobody wants it any more, NotTaken
  /// when this one alone is lost. After another exception than NotTaken it gets nothing more.
  virtual void accept(const motion::FramePtr& frame) = 0;

  /// Called a few times a second when no frame comes: writes what has waited long enough. Throws
  /// Error as accept() does.
  virtual void poll() {}

  /// Frames that it could not keep up with, and left out.
  virtual uint64_t leftOut() const { return 0; }

  /// Nothing follows. Throws Error when what is left cannot be kept. Called also after an Error
  /// elsewhere, so that what was measured before it is kept.
  virtual void finish() {}

  /// What accept() waits for is not waited for any longer. Any thread.
  virtual void giveUp() {}
};

/// How frames come to a sink that is slow.
enum class Handover {
  waits,   ///< a queue that loses nothing: the session waits while it is full
  newest,  ///< a queue that drops the oldest, counted; it is not polled
};

/// Sinks that begin and end together: the files of one output, or a stream.
struct SinkGroup {
  uint64_t id = 0;
  std::string name = {};  ///< as shown
  Handover handover = Handover::waits;
  std::vector<std::unique_ptr<Sink>> sinks = {};
  SetIndex first = {};  ///< rows of earlier sets are left out
  /// A frame that was tracked before, with which it begins; or null.
  motion::FramePtr opening = nullptr;

  bool wantsPixels() const {
    return std::ranges::any_of(sinks, [](const auto& sink) { return sink && sink->wantsPixels(); });
  }
};

/// What has become of the frames that an output was given.
struct SinkStatus {
  uint64_t id = 0;
  std::string name;
  Handover handover = Handover::waits;
  uint64_t frames = 0;    ///< files: handed to it; streams: sent
  uint64_t dropped = 0;   ///< files: of them, left out for want of time; streams: not sent
  bool finished = false;  ///< whole; or failed
  std::string problem;    ///< the first, or empty
  bool failed = false;    ///< `problem` is no receiver's fault
};

}  // namespace glint::output
