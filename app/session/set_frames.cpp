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

void trackSets(motion::PointTracker& tracker, std::span<const motion::SpaceSet> sets,
               const std::function<void(const motion::FramePtr&)>& take) {
  for (const motion::SpaceSet& set : sets) {
    tracker.update(set);
    take(frameOfSet(set.frame, tracker.takeFrame()));
  }
  tracker.finish();
  take(frameOfSet(sets.back().frame, tracker.takeFrame()));
}

}  // namespace glint::session
