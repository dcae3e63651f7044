#include "app/shell/desk/range_sink.h"

namespace glint::shell {

void RangeSink::accept(const motion::FramePtr& frame) {
  const auto within = [&](SetIndex set) { return set >= in_ && set <= out_; };
  const bool wanted = frame->measured() && within(frame->set);
  auto part = std::make_shared<motion::Frame>(*frame);
  bool rows = false;
  for (motion::CameraFrame& camera : part->cameras) {
    std::erase_if(camera.finalised, [&](const motion::TrackRow& row) { return !within(row.set); });
    rows = rows || !camera.finalised.empty();
    if (wanted) continue;
    camera.measured = {};
    camera.tracks.clear();
    camera.pixels = nullptr;
  }
  if (wanted || rows) to_->accept(part);
}

}  // namespace glint::shell
