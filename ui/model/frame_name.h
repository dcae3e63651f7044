// The name of a frame in the window. The timeline counts sets, but tables count each camera's
// frames. The two numbers differ in a recording that was made within a live session, and where a
// camera lacks frames.
#pragma once

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "app/motion/frame/frame.h"
#include "config/numbers.h"

namespace glint::ui {

/// The name of a frame. Its number in the tables of a camera may differ from that of its set.
class FrameName {
 public:
  explicit FrameName(SetIndex set) : set_(set) {}

  /// Adds the number that the frame has in the tables of one camera.
  FrameName& in(FrameNumber number) {
    first_ = std::min(first_, number);
    last_ = std::max(last_, number);
    return *this;
  }

  /// Returns "frame 12", by the number of the set.
  std::string brief() const { return fmt::format("frame {}", set_); }
  /// Returns "165", or "165 to 167" if the cameras' numbers differ. Returns an empty text if each
  /// camera's number is that of the set.
  std::string inTables() const {
    if (first_ > last_) return "";
    if (first_ != last_) return fmt::format("{} to {}", first_, last_);
    return first_.value() == set_.value() ? "" : fmt::to_string(first_);
  }
  /// Returns "frame 12", or "frame 12 (165 in exported tables)".
  std::string words() const {
    const std::string other = inTables();
    return other.empty() ? brief() : fmt::format("{} ({} in exported tables)", brief(), other);
  }

 private:
  SetIndex set_;
  // Smallest and largest number in the cameras' tables; `first_` > `last_` if no camera has one.
  FrameNumber first_ = FrameNumber::most(), last_;
};

/// Returns the name of a frame, with the numbers that its cameras gave it.
inline FrameName frameNameOf(const motion::Frame& frame) {
  FrameName name(frame.set);
  for (const motion::CameraFrame& camera : frame.cameras)
    if (camera.measured.stamp) name.in(camera.measured.stamp->sequence);
  return name;
}

}  // namespace glint::ui
