// The frame on the screen.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/session/session.h"
#include "gpu/plane_images.h"

namespace glint::ui {

/// The plane of a frame that is shown.
enum class DisplayPlane { source, luminance, response, intensity, candidates, filter };
inline constexpr std::array<std::string_view, 6> kPlaneNames{"Source",    "Luminance",  "Response",
                                                             "Intensity", "Candidates", "Filter"};
/// Number of planes that exist without a filter.
inline constexpr size_t kUsualPlanes = 5;

/// Returns the planes that the session has to keep to show this one. `filter` is the id of the
/// filter whose output is shown.
gpu::PlaneSet planesFor(DisplayPlane plane, const std::string& filter = {});

/// A frame with the planes that it was measured in.
struct ShownFrame {
  motion::FramePtr frame;      ///< null until there is one
  capture::FrameSet set = {};  ///< pixels of the frame, from the cameras
  /// One for each group of cameras.
  std::vector<std::shared_ptr<const gpu::PlaneImages>> planes = {};
  /// True if another frame, or other settings, have come into force since.
  bool stale = false;

  /// Takes the newest snapshot of the session, unless the planes of its frame were not kept.
  /// Returns true if there is something else to draw.
  bool see(const session::SessionState& state);

  /// Returns the earlier frame whose image is shown for a camera that has no frame here. Empty if
  /// the camera has one, or none is known.
  std::optional<SetIndex> earlier(size_t camera) const {
    return camera < set.earlier.size() ? set.earlier[camera] : std::nullopt;
  }
  /// Returns the pixels of a camera's frame; empty if the session does not lend them.
  std::optional<gpu::ImageView> pixels(const capture::CameraGroups::Place& camera) const;
};

}  // namespace glint::ui
