// A session whose frames a program takes one by one, at its own pace.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "app/session/session.h"

namespace glint::session {

/// No frame of a recording is lost: the session waits for the reader. Live cameras deliver their
/// newest frame next. Used by one thread.
class FrameReader {
 public:
  /// As Session's. `pixels`: whether frames have theirs; a session whose reader holds those of more
  /// than three frames waits.
  FrameReader(std::shared_ptr<const gpu::Device> device, capture::SourceList sources,
              SessionOptions options = {}, bool pixels = false);
  ~FrameReader();  // stops the session
  FrameReader(const FrameReader&) = delete;
  FrameReader& operator=(const FrameReader&) = delete;

  /// The next frame, whole; null once none will come. Throws Error with what has ended the session,
  /// once all that was measured before has been taken.
  motion::FramePtr next();

  /// The next frame if it comes within `patience`; else null, also at the end: see over(). Never
  /// throws.
  motion::FramePtr poll(std::chrono::milliseconds patience);
  /// Whether poll() has given the last frame.
  bool over() const { return over_; }

  Session& session() { return session_; }

 private:
  class Slot;
  const std::shared_ptr<Slot> slot_;
  Session session_;
  bool over_ = false;
};

}  // namespace glint::session
