// A session whose frames a program takes one by one, at its own speed.
#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "app/session/session.h"

namespace glint::session {

/// Runs a session and lets its caller take the frames. The session waits for the reader, so no
/// frame of a recording is lost. With live cameras, the next frame is always the newest one. Used
/// by one thread.
class FrameReader {
 public:
  /// The other arguments are those of Session. `pixels` says whether frames have their pixels. If
  /// the caller holds the pixels of more than three frames, the session waits.
  FrameReader(std::shared_ptr<const gpu::Device> device, capture::SourceList sources,
              SessionOptions options = {}, bool pixels = false);
  // Stops the session.
  ~FrameReader();
  FrameReader(const FrameReader&) = delete;
  FrameReader& operator=(const FrameReader&) = delete;

  /// Returns the next complete frame, or null after the last one. If a failure has ended the
  /// session, throws Error with it, after all frames before it were taken.
  motion::FramePtr next();

  /// Returns the next frame if it arrives within `patience`, otherwise null. After the last frame
  /// it returns null, too: see over(). Never throws.
  motion::FramePtr poll(std::chrono::milliseconds patience);
  /// Returns true if poll() has returned the last frame.
  bool over() const { return over_; }

  Session& session() { return session_; }

 private:
  class Slot;
  const std::shared_ptr<Slot> slot_;
  Session session_;
  bool over_ = false;
};

}  // namespace glint::session
