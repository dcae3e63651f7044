// Defines the results of feeds: frames of one moment, and the status of each camera.
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

/// The cameras of a session by format. Cameras of one format are layers of one group, which has at
/// most kMaxLayers layers. Groups are in the order of their first cameras, layers in the order of
/// their cameras.
struct CameraGroups {
  struct Place {
    size_t group = 0;
    uint32_t layer = 0;
  };
  std::vector<gpu::FrameFormat> formats;  ///< one for each group
  std::vector<Place> places;              ///< one for each camera

  std::vector<gpu::ImageFormat> images() const;  ///< returns the format of each camera
};

CameraGroups groupCameras(const std::vector<gpu::ImageFormat>& cameras);

/// The number of slots of each group: for sets that are read ahead, for the one on the device, and
/// for those that exporters hold.
inline constexpr uint32_t kFeedSlots = 6;

/// Frames of all cameras of one moment: one lease for each group of Feeds::groups().
struct FrameSet {
  SetIndex set;
  Epoch epoch;  ///< epoch of the latest seek
  std::vector<gpu::FrameLease> groups;
  /// For each camera without a frame, the earlier set whose image its layer shows instead; empty:
  /// no image.
  std::vector<std::optional<SetIndex>> earlier = {};

  gpu::CameraState stateOf(const CameraGroups::Place& camera) const {
    return groups[camera.group]->states[camera.layer];
  }
  /// Returns the stamp of a camera's frame; empty if the camera has no frame in this set.
  std::optional<gpu::FrameStamp> stampOf(const CameraGroups::Place& camera) const {
    return groups[camera.group]->stamps[camera.layer];
  }
};

/// The outcome of Feeds::next().
enum class FeedOutcome {
  set,      ///< there is a set
  nothing,  ///< no set came in time, or wake() was called
  ended,    ///< no set will come: all sources have ended, or the interrupt is set
  failed,   ///< no set will come: see failure()
};

/// The status of one camera of a session.
struct CameraStatus {
  enum class State { opening, live, lost, ended } state = State::opening;
  uint64_t delivered = 0;  ///< frames in sets that next() has returned
  uint64_t dropped = 0;    ///< frames that were lost or replaced before they came into a set
  uint64_t skipped = 0;    ///< those of them that never came whole, by the source's own numbers
  uint64_t damaged = 0;    ///< frames that came damaged; `dropped` includes those of live cameras
  uint64_t losses = 0;     ///< number of times that the camera went away
  // The next members are for live cameras; 0 means not known. Rate and jitter are those of all
  // frames that the camera took.
  double rate = 0, jitter = 0;          ///< frames/s and s, in the last two seconds
  double meanRate = 0, meanJitter = 0;  ///< frames/s and s, since the beginning
  double uncertainty = 0;               ///< s: of the latest frame's time on the host's clock
  /// Live: the camera's controls as they were when one was last set; null: not known.
  std::shared_ptr<const CameraOffer> offer;
  std::string problem;  ///< reason why the camera is lost or broke; or empty
};

}  // namespace glint::capture
