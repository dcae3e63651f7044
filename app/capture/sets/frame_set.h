// What feeds give: frames of one moment, and how each camera fares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/source/camera_info.h"
#include "config/numbers.h"
#include "gpu/frame.h"
#include "gpu/frame_pool.h"

namespace glint::capture {

/// Cameras of one format are layers of one group, at most kMaxLayers of them; others form further
/// groups. Groups stand in the order of their first cameras, layers in that of the cameras.
struct CameraGroups {
  struct Place {
    size_t group = 0;
    uint32_t layer = 0;
  };
  std::vector<gpu::FrameFormat> formats;  ///< a group each
  std::vector<Place> places;              ///< a camera each

  std::vector<gpu::ImageFormat> images() const;  ///< a camera each
};

CameraGroups groupCameras(const std::vector<gpu::ImageFormat>& cameras);

/// Slots of each group: for sets read ahead, the one on the device, and those that exporters hold.
inline constexpr uint32_t kFeedSlots = 6;

/// Frames of one moment of all cameras: a lease of each group of Feeds::groups().
struct FrameSet {
  SetIndex set;
  Epoch epoch;  ///< of the latest seek
  std::vector<gpu::FrameLease> groups;
  /// A camera each: where it has no frame, the set before whose image its layer holds instead, to
  /// be looked at; empty: none.
  std::vector<std::optional<SetIndex>> earlier = {};

  gpu::CameraState stateOf(const CameraGroups::Place& camera) const {
    return groups[camera.group]->states[camera.layer];
  }
  /// Empty where the camera has no frame in this set.
  std::optional<gpu::FrameStamp> stampOf(const CameraGroups::Place& camera) const {
    return groups[camera.group]->stamps[camera.layer];
  }
};

/// Of Feeds::next().
enum class FeedOutcome {
  set,      ///< `set` is the next one
  nothing,  ///< none came in time, or wake() was called
  ended,    ///< none will come: all sources have ended, or the interrupt is set
  failed,   ///< none will come: see failure()
};

/// Of one camera of a session.
struct CameraStatus {
  enum class State { opening, live, lost, ended } state = State::opening;
  uint64_t delivered = 0;  ///< frames in sets that next() gave
  uint64_t dropped = 0;    ///< frames lost or replaced before they came into a set
  uint64_t skipped = 0;    ///< of those: never came whole, by the source's own numbers
  uint64_t damaged = 0;    ///< frames that came damaged; of live cameras among `dropped`
  uint64_t losses = 0;     ///< how often it went away
  // Live; 0 where not known. Rate and jitter are of all frames that the camera took.
  double rate = 0, jitter = 0;          ///< frames/s and s, of the last two seconds
  double meanRate = 0, meanJitter = 0;  ///< since the beginning
  double uncertainty = 0;               ///< s, of the latest frame's time on the host's clock
  /// Live: what can be set of it, as it was when that was last set; null: not known.
  std::shared_ptr<const CameraOffer> offer;
  std::string problem;  ///< why it is lost or broke; or empty
};

}  // namespace glint::capture
