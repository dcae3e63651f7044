#include "app/session/set_frames.h"

#include <memory>
#include <utility>

#include "app/base/log.h"

namespace glint {
namespace {

FramePtr frameOfSet(uint64_t set, SpaceFrame space) {
  for (const std::string& note : space.notes) log(LogLevel::warning, note);
  auto frame = std::make_shared<Frame>();
  frame->set = SetIndex(set);
  frame->cameras.resize(1);
  frame->cameras[0].measured.stamp.emplace();
  frame->results.put(std::move(space));
  return frame;
}

}  // namespace

void trackSets(PointTracker& tracker, std::span<const SpaceSet> sets,
               const std::function<void(const FramePtr&)>& take) {
  for (const SpaceSet& set : sets) {
    tracker.update(set);
    take(frameOfSet(set.frame, tracker.takeFrame()));
  }
  tracker.finish();
  take(frameOfSet(sets.back().frame, tracker.takeFrame()));
}

}  // namespace glint
