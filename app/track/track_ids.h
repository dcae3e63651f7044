// The numbers that tracks are known by.
#pragma once

#include <cstdint>

namespace glint {

/// Hands out the track ids of a session: 1, 2, 3 ... Shared by the trackers of its cameras, which
/// one thread updates in a fixed order.
class TrackIds {
 public:
  uint64_t next() { return ++last_; }
  uint64_t given() const { return last_; }  ///< how many so far

 private:
  uint64_t last_ = 0;
};

}  // namespace glint
