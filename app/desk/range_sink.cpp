#include "app/desk/range_sink.h"

namespace glint {

void RangeSink::accept(const FramePtr& frame) {
  const auto within = [&](SetIndex set) { return set >= in_ && set <= out_; };
  const bool wanted = frame->measured() && within(frame->set);
  auto part = std::make_shared<Frame>(*frame);
  bool rows = false;
  for (CameraFrame& camera : part->cameras) {
    std::erase_if(camera.finalised, [&](const TrackRow& row) { return !within(row.set); });
    rows = rows || !camera.finalised.empty();
    if (wanted) continue;
    camera.measured = {};
    camera.tracks.clear();
    camera.pixels = nullptr;
  }
  if (wanted || rows) to_->accept(part);
}

}  // namespace glint
