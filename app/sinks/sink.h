// Who takes frames: files, streams, and programs of their own.
#pragma once

#include <cstdint>
#include <string>

#include "app/frame/frame.h"
#include "config/error.h"

namespace glint {

/// The reader of a pipe has left: this output ends, and the others go on.
class ReaderLeft : public Error {
 public:
  using Error::Error;
};

/// The receiver of a stream did not take a frame, which is dropped; the next one is tried.
class NotSent : public Error {
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

  /// Throws Error when the frame cannot be kept, ReaderLeft when nobody wants it any more.
  virtual void accept(const FramePtr& frame) = 0;

  /// Called a few times a second when no frame comes: writes what has waited long enough. Throws
  /// Error as accept() does.
  virtual void poll() {}

  /// Frames that it could not keep up with, and left out.
  virtual uint64_t leftOut() const { return 0; }

  /// From another thread, at the end: what accept() still waits for is given up.
  virtual void giveUp() {}

  /// Nothing follows. Throws Error when what is left cannot be kept. Called also after an Error
  /// elsewhere, so that what was measured before it is kept.
  virtual void finish() {}
};

/// How frames come to a sink that may be slow.
enum class Handover {
  direct,  ///< on the session's own thread: must not wait
  waits,   ///< a queue that loses nothing: the session waits while it is full
  newest,  ///< a queue that drops the oldest, counted
};

/// What has become of what a sink was given.
struct SinkStatus {
  uint64_t id = 0;
  std::string name = {};  ///< as shown
  Handover handover = Handover::waits;
  uint64_t frames = 0;       ///< written or sent
  uint64_t leftOut = 0;      ///< dropped: it, or its receiver, was too slow, or `problem`
  bool finished = false;     ///< whole; or failed
  bool failed = false;       ///< through no fault of a reader that left or a receiver
  std::string problem = {};  ///< the first one, or empty
};

}  // namespace glint
