// The latest frames of each camera, for sets in which a slower camera has none.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "app/output/sinks/sink.h"

namespace glint::ui {

/// One camera's part of a set, without pixels.
struct LatestFrame {
  SetIndex set;
  std::shared_ptr<const motion::CameraFrame> frame;
};

/// The latest frames of each camera of one session. A session of one camera keeps none, because
/// each of its sets has a frame. The session's thread fills it, and the window's thread reads it.
class LatestFrames : public output::Sink {
 public:
  /// The number of frames of each camera that are kept.
  static constexpr size_t kMost = 512;

  void accept(const motion::FramePtr& frame) override;

  /// Returns the latest frame of a camera up to set `set` of pass `pass`; empty if none is known.
  std::optional<LatestFrame> of(size_t camera, Pass pass, SetIndex set) const;

  /// Keeps what is known now for as long as an earlier frame is shown.
  void hold(bool on);

 private:
  using Cameras = std::vector<std::deque<LatestFrame>>;  // by set

  mutable std::mutex mutex_;
  Pass pass_;
  Cameras cameras_;
  std::optional<Cameras> held_;  // the frames as they were at hold(true)
};

}  // namespace glint::ui
