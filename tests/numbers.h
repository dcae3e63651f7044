// Lets tests write the numbers of frames and tracks as plain integers.
#pragma once

#include <concepts>
#include <ostream>

#include "app/motion/track/observation.h"
#include "config/numbers.h"

namespace glint {

template <class Kind, std::integral Integer>
constexpr bool operator==(Number<Kind> number, Integer value) {
  return number.value() == static_cast<uint64_t>(value);
}
template <class Kind, std::integral Integer>
constexpr auto operator<=>(Number<Kind> number, Integer value) {
  return number.value() <=> static_cast<uint64_t>(value);
}
template <class Kind>
std::ostream& operator<<(std::ostream& out, Number<Kind> number) {
  return out << number.value();
}

/// Returns the time of a frame of a recording in which every set holds a frame of every camera.
inline motion::FrameTime frameAt(uint64_t frame, double time) {
  return {SetIndex(frame), FrameNumber(frame), time};
}

}  // namespace glint
