// The ids of tracks.
#pragma once

#include <cstdint>

#include "config/numbers.h"

namespace glint::motion {

/// Hands out the track ids of a session: 1, 2, 3 and so on. The trackers of all its cameras share
/// one object. A single thread updates them in a fixed order, so that every run gives the same ids.
class TrackIds {
 public:
  TrackId next() { return ++last_; }
  /// Returns the number of ids handed out so far.
  uint64_t given() const { return last_.value(); }

 private:
  TrackId last_;
};

}  // namespace glint::motion
