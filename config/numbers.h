// The numbers of frames, cameras and tracks. Each has a type of its own, which does not convert to
// the others.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include <fmt/core.h>

namespace glint {

/// A count with one meaning. `Kind` only distinguishes the types.
template <class Kind>
class Number {
 public:
  constexpr Number() = default;
  constexpr explicit Number(uint64_t value) : value_(value) {}
  static constexpr Number most() { return Number(std::numeric_limits<uint64_t>::max()); }

  constexpr uint64_t value() const { return value_; }
  constexpr auto operator<=>(const Number&) const = default;

  constexpr Number& operator++() {
    ++value_;
    return *this;
  }
  friend constexpr Number operator+(Number a, uint64_t n) { return Number(a.value_ + n); }
  friend constexpr Number operator-(Number a, uint64_t n) { return Number(a.value_ - n); }
  /// Returns the difference. `a` must not be less than `b`.
  friend constexpr uint64_t operator-(Number a, Number b) { return a.value_ - b.value_; }

 private:
  uint64_t value_ = 0;
};

/// The number of a set, which holds the frames of all cameras that belong together. Recordings
/// count from their beginning, live cameras from the beginning of the session. Files of points and
/// poses in space write it as `frame`.
using SetIndex = Number<struct SetIndexKind>;
/// The number of a frame of one camera, counted from 0 as the camera delivered them. Files of the
/// markers of one camera write it as `frame`.
using FrameNumber = Number<struct FrameNumberKind>;
/// The number that a camera itself gives to a frame.
using SourceSequence = Number<struct SourceSequenceKind>;
/// The number of a source of the session, counted from 0 in the order of the command line.
using CameraIndex = Number<struct CameraIndexKind>;
/// The id of a track, from 1. It is never used again within a pass. 0 means that the track is not
/// confirmed yet.
using TrackId = Number<struct TrackIdKind>;
/// A counter that is raised whenever a jump or new settings make earlier results stale.
using Epoch = Number<struct EpochKind>;
/// A counter that is raised at each jump, and when a session takes over the ids of the whole
/// recording. Within a pass, sets follow one another.
using Pass = Number<struct PassKind>;

}  // namespace glint

template <class Kind>
struct std::hash<glint::Number<Kind>> {
  size_t operator()(glint::Number<Kind> number) const noexcept {
    return std::hash<uint64_t>()(number.value());
  }
};

template <class Kind>
struct fmt::formatter<glint::Number<Kind>> : fmt::formatter<uint64_t> {
  auto format(glint::Number<Kind> number, auto& context) const {
    return fmt::formatter<uint64_t>::format(number.value(), context);
  }
};
