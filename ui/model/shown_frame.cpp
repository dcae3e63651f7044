#include "ui/model/shown_frame.h"

#include <algorithm>

namespace glint::ui {

/// Includes the source with the output of a filter, so that there is a picture when that filter is
/// removed.
gpu::PlaneSet planesFor(DisplayPlane plane, const std::string& filter) {
  return {.source = plane == DisplayPlane::source || plane == DisplayPlane::filter,
          .luminance = plane == DisplayPlane::luminance,
          .response = plane == DisplayPlane::response || plane == DisplayPlane::intensity,
          .candidates = plane == DisplayPlane::candidates,
          .filter = plane == DisplayPlane::filter ? filter : std::string()};
}

bool ShownFrame::see(const session::SessionState& state) {
  const bool drawable = std::any_of(state.planes.begin(), state.planes.end(),
                                    [](const auto& group) { return group != nullptr; });
  const bool fresh = state.frame && drawable && (planes != state.planes || frame != state.frame);
  const bool before = stale;
  if (fresh) {
    frame = state.frame;
    set = state.set;
    planes = state.planes;
  }
  stale = frame && frame->epoch != state.epoch;
  return fresh || stale != before;
}

std::optional<gpu::ImageView> ShownFrame::pixels(const capture::CameraGroups::Place& camera) const {
  if (camera.group >= set.groups.size() || !set.groups[camera.group] || !set.stampOf(camera))
    return std::nullopt;
  return set.groups[camera.group]->layer(camera.layer);
}

}  // namespace glint::ui
