#include "ui/model/shown_frame.h"

#include <algorithm>

namespace glint::ui {

PlaneSet planesFor(DisplayPlane plane) {
  return {.source = plane == DisplayPlane::source,
          .luminance = plane == DisplayPlane::luminance,
          .response = plane == DisplayPlane::response || plane == DisplayPlane::intensity,
          .candidates = plane == DisplayPlane::candidates};
}

bool ShownFrame::see(const SessionState& state) {
  const bool drawable = std::any_of(state.planes.begin(), state.planes.end(),
                                    [](const auto& group) { return group != nullptr; });
  const bool fresh =
      state.frame && drawable && (planes != state.planes || frame != state.frame);
  const bool before = stale;
  if (fresh) {
    frame = state.frame;
    set = state.set;
    planes = state.planes;
  }
  stale = frame && frame->epoch != state.epoch;
  return fresh || stale != before;
}

std::optional<ImageView> ShownFrame::pixels(const CameraGroups::Place& camera) const {
  if (camera.group >= set.groups.size() || !set.groups[camera.group] || !set.stampOf(camera))
    return std::nullopt;
  return set.groups[camera.group]->layer(camera.layer);
}

}  // namespace glint::ui
