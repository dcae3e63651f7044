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

/// Which plane of a frame is shown.
enum class DisplayPlane { source, luminance, response, intensity, candidates, filter };
inline constexpr std::array<std::string_view, 6> kPlaneNames{"Source",    "Luminance",  "Response",
                                                             "Intensity", "Candidates", "Filter"};
/// That there are without a filter.
inline constexpr size_t kUsualPlanes = 5;

/// The planes that this needs; `filter`: its id.
gpu::PlaneSet planesFor(DisplayPlane plane, const std::string& filter = {});

/// A frame with the planes that it was measured in.
struct ShownFrame {
  motion::FramePtr frame;                                            ///< null before the first one
  capture::FrameSet set = {};                                        ///< its pixels
  std::vector<std::shared_ptr<const gpu::PlaneImages>> planes = {};  ///< a group each
  bool stale = false;  ///< another frame, or other settings, are in force already

  /// The newest snapshot. Frames whose planes were not kept are left out. Gives whether there is
  /// something else to draw.
  bool see(const session::SessionState& state);

  /// Of a camera without a frame here: the frame before whose image is shown instead; empty: none.
  std::optional<SetIndex> earlier(size_t camera) const {
    return camera < set.earlier.size() ? set.earlier[camera] : std::nullopt;
  }
  /// The pixels that the frame was measured in, where the session lends them.
  std::optional<gpu::ImageView> pixels(const capture::CameraGroups::Place& camera) const;
};

}  // namespace glint::ui
