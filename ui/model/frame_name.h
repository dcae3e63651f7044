// How the window calls a frame. The timeline counts sets, tables count each camera's frames: in a
// recording that was made within a live session, and where a camera lacks frames, these differ.
#pragma once

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "app/motion/frame/frame.h"
#include "config/numbers.h"

namespace glint::ui {

class FrameName {
 public:
  explicit FrameName(SetIndex set) : set_(set) {}

  /// In tables of one of the cameras it has this number.
  FrameName& in(FrameNumber number) {
    first_ = std::min(first_, number);
    last_ = std::max(last_, number);
    return *this;
  }

  /// "frame 12"
  std::string brief() const { return fmt::format("frame {}", set_); }
  /// "165", or "165 to 167" of several cameras; empty where all have the set's number.
  std::string inTables() const {
    if (first_ > last_) return "";
    if (first_ != last_) return fmt::format("{} to {}", first_, last_);
    return first_.value() == set_.value() ? "" : fmt::to_string(first_);
  }
  /// "frame 12", or "frame 12 (in tables 165)"
  std::string words() const {
    const std::string other = inTables();
    return other.empty() ? brief() : fmt::format("{} (in tables {})", brief(), other);
  }

 private:
  SetIndex set_;
  FrameNumber first_ = FrameNumber::most(), last_;  // of the cameras; first_ > last_: of none
};

inline FrameName frameNameOf(const motion::Frame& frame) {
  FrameName name(frame.set);
  for (const motion::CameraFrame& camera : frame.cameras)
    if (camera.measured.stamp) name.in(camera.measured.stamp->sequence);
  return name;
}

}  // namespace glint::ui
