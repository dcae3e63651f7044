#include "app/desk/range_exporter.h"

#include <algorithm>

namespace glint {

void RangeExporter::write(const SessionFrame& frame) {
  const auto within = [&](uint64_t index) { return index >= in_ && index <= out_; };
  const bool wanted = frame.measured() && within(frame.index);
  SessionFrame part = frame;
  bool rows = false;
  for (CameraFrame& camera : part.cameras) {
    std::erase_if(camera.settled, [&](const TrackRow& row) { return !within(row.frame); });
    rows = rows || !camera.settled.empty();
    if (wanted) continue;
    camera.measured = {};
    camera.live.clear();
    camera.pixels = nullptr;
  }
  if (wanted || rows) to_->write(part);
}

}  // namespace glint
