#include "app/session/frame_maker.h"

#include <utility>

namespace glint::session {

double secondsOf(std::chrono::steady_clock::time_point time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

FrameMaker::FrameMaker(const Transport& transport, const Detectors& detectors,
                       const SessionTracker& tracking, const capture::CameraGroups& groups,
                       std::shared_ptr<const motion::SessionInfo> session, bool keepsPredictions)
    : transport_(transport),
      detectors_(detectors),
      tracking_(tracking),
      groups_(groups),
      session_(std::move(session)),
      keepsPredictions_(keepsPredictions) {}

std::shared_ptr<motion::Frame> FrameMaker::stamped() const {
  auto frame = std::make_shared<motion::Frame>();
  frame->epoch = transport_.epoch();
  frame->pass = transport_.pass();
  frame->knowledge = tracking_.knowledge();
  frame->settings = detectors_.measuring().settings;
  frame->session = session_;
  return frame;
}

std::shared_ptr<motion::Frame> FrameMaker::measured(
    const MeasuredSet& set, std::vector<gpu::LayerMeasurement> cameras) const {
  std::shared_ptr<motion::Frame> frame = stamped();
  frame->set = set.set.set;
  if (set.due) frame->due = secondsOf(*set.due);
  for (size_t i = 0; i < cameras.size(); ++i) {
    motion::CameraFrame& camera = frame->cameras.emplace_back();
    camera.measured = std::move(cameras[i]);
    if (keepsPredictions_) camera.predicted = set.expectations[i].predictions;
  }
  return frame;
}

std::shared_ptr<motion::Frame> FrameMaker::measuredAgain(const MeasuredSet& set,
                                                         std::vector<gpu::LayerMeasurement> cameras,
                                                         const motion::Frame& before) const {
  std::shared_ptr<motion::Frame> frame = measured(set, std::move(cameras));
  // The present pass may have no frame yet.
  frame->pass = before.pass;
  frame->tracked = before.tracked;
  frame->due = before.due;
  for (size_t i = 0; i < frame->cameras.size(); ++i) {
    frame->cameras[i].tracks = before.cameras[i].tracks;
    frame->cameras[i].tentative = before.cameras[i].tentative;
  }
  return frame;
}

motion::FramePtr FrameMaker::ofRows(std::vector<motion::CameraFrame> rows,
                                    std::optional<motion::SpaceFrame> space) const {
  std::shared_ptr<motion::Frame> frame = stamped();
  frame->cameras = std::move(rows);
  if (space) frame->results.put(std::move(*space));
  return frame;
}

motion::FramePtr FrameMaker::withPixels(const motion::Frame& frame,
                                        const capture::FrameSet& set) const {
  auto copy = std::make_shared<motion::Frame>(frame);
  addPixels(*copy, set);
  return copy;
}

motion::FramePtr FrameMaker::asWhole(const motion::Frame& frame) const {
  auto copy = std::make_shared<motion::Frame>(frame);
  tracking_.showAsWhole(*copy);
  return copy;
}

void FrameMaker::addPixels(motion::Frame& frame, const capture::FrameSet& set) const {
  for (size_t i = 0; i < frame.cameras.size(); ++i) {
    if (!frame.cameras[i].measured.stamp) continue;
    frame.cameras[i].pixels = set.groups[groups_.places[i].group];
    frame.cameras[i].layer = groups_.places[i].layer;
  }
}

}  // namespace glint::session
