// The numbers that a frame, a camera and a track are known by: types that do not convert.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

#include <fmt/core.h>

namespace glint {

/// A count that means one thing. `Kind` only tells the types apart.
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
  /// How far apart: a >= b.
  friend constexpr uint64_t operator-(Number a, Number b) { return a.value_ - b.value_; }

 private:
  uint64_t value_ = 0;
};

/// Which set of a session: frames of all cameras that belong together. Of recordings counted from
/// their start; live from the session's.
using SetIndex = Number<struct SetIndexKind>;
/// Which frame of one camera, 0, 1, 2 ... as it was delivered: `frame` in every file.
using FrameNumber = Number<struct FrameNumberKind>;
/// What a camera itself counts its frames by.
using SourceSequence = Number<struct SourceSequenceKind>;
/// Which source of the session, from 0 in the order that they were given in.
using CameraIndex = Number<struct CameraIndexKind>;
/// Who is who: from 1, never reused within a pass. 0: not confirmed yet.
using TrackId = Number<struct TrackIdKind>;
/// Counts up when earlier results become stale: a jump, other settings.
using Epoch = Number<struct EpochKind>;
/// Counts up at each jump: within a pass frames follow each other.
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
