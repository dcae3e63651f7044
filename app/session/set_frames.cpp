#include "app/session/set_frames.h"

#include <memory>
#include <utility>

#include "app/base/log.h"

namespace glint::session {
namespace {

motion::FramePtr frameOfSet(uint64_t set, motion::SpaceFrame space) {
  for (const std::string& note : space.notes) base::log(base::LogLevel::warning, note);
  auto frame = std::make_shared<motion::Frame>();
  frame->set = SetIndex(set);
  frame->cameras.resize(1);
  frame->cameras[0].measured.stamp.emplace();
  frame->results.put(std::move(space));
  return frame;
}

}  // namespace

size_t trackSets(motion::PointTracker& tracker, std::span<const motion::SpaceSet> sets,
                 const std::function<void(const motion::FramePtr&)>& take,
                 const std::atomic<bool>* stop) {
  size_t tracked = 0;
  for (; tracked < sets.size() && (tracked == 0 || !stop || !*stop); ++tracked) {
    tracker.update(sets[tracked]);
    take(frameOfSet(sets[tracked].frame, tracker.takeFrame()));
  }
  tracker.finish();
  take(frameOfSet(sets[tracked - 1].frame, tracker.takeFrame()));
  return tracked;
}

size_t placeLabels(motion::LabelledPoints& points, std::span<const motion::SpaceSet> sets,
                   const std::function<void(const motion::FramePtr&)>& take,
                   const std::atomic<bool>* stop) {
  size_t done = 0;
  for (; done < sets.size() && (done == 0 || !stop || !*stop); ++done)
    take(frameOfSet(sets[done].frame, points.update(sets[done])));
  return done;
}

}  // namespace glint::session
