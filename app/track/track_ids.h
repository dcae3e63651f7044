// The numbers that tracks are known by.
#pragma once

#include <cstdint>

#include "config/numbers.h"

namespace glint {

/// Hands out the track ids of a session: 1, 2, 3 ... Shared by the trackers of its cameras, which
/// one thread updates in a fixed order.
class TrackIds {
 public:
  TrackId next() { return ++last_; }
  uint64_t given() const { return last_.value(); }  ///< how many so far

 private:
  TrackId last_;
};

}  // namespace glint
