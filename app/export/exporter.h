// Who takes what a session hands on.
#pragma once

#include <cstdint>

#include "app/frame/session_frame.h"
#include "config/error.h"

namespace glint {

/// The reader of a pipe has left: this output ends, and the others go on.
class ReaderLeft : public Error {
 public:
  using Error::Error;
};
/// Takes every frame of a session, in order, on the session's export thread.
class Exporter {
 public:
  virtual ~Exporter() = default;
  Exporter() = default;
  Exporter(const Exporter&) = delete;
  Exporter& operator=(const Exporter&) = delete;

  /// Whether SessionFrame::pixels must be there.
  virtual bool wantsPixels() const { return false; }

  /// Throws Error when the frame cannot be kept; the session then stops. Throws ReaderLeft when
  /// nobody wants it any more; the session then stops only if no other exporter is left.
  virtual void write(const SessionFrame& frame) = 0;

  /// Called a few times a second when no frame comes: writes what has waited long enough. Throws
  /// Error as write() does.
  virtual void poll() {}

  /// Frames that it could not keep up with, and left out.
  virtual uint64_t leftOut() const { return 0; }

  /// Nothing follows. Throws Error when what is left cannot be kept. Called also after an Error
  /// elsewhere, so that what was measured before it is kept.
  virtual void finish() = 0;
};

}  // namespace glint
