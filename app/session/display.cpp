#include "app/session/display.h"

#include <algorithm>
#include <utility>

namespace glint::session {

motion::FramePtr Display::newestWithPixels() const {
  return engine_.frames().withPixels(*newest_, engine_.newest().set);
}

std::optional<SetIndex> Display::setOf(Pass pass) const {
  if (!frame_ || frame_->pass != pass) return std::nullopt;
  return frame_->set;
}

void Display::take(DrawableFrame newest) {
  newest_ = std::move(newest.frame);
  if (earlier_) return;
  frame_ = newest_;
  planes_ = std::move(newest.planes);
}

void Display::showEarlier(motion::FramePtr frame, MeasuredSet set, bool ownStatistics) {
  earlier_ = std::move(set);
  frame_ = std::move(frame);
  measureAgain(ownStatistics);
}

void Display::showNewest() {
  if (!earlier_) return;
  earlier_.reset();
  planes_.clear();
  if (newest_) frame_ = newest_;
}

bool Display::lacksPlanes() const {
  return engine_.detectors().measuring().planes.any() && frame_ &&
         std::ranges::all_of(planes_, [](const auto& group) { return !group; });
}

bool Display::keepPlanes() {
  if (!lacksPlanes()) return false;
  const MeasuredSet& shown = set();
  if (shown.set.groups.empty() || shown.set.set != frame_->set) return false;
  planes_ = engine_.keepPlanes(shown);
  return true;
}

void Display::measureAgain(bool ownStatistics) {
  if (!frame_ || set().set.groups.empty()) return;
  DrawableFrame again = engine_.measureAgain(set(), *frame_, ownStatistics);
  frame_ = std::move(again.frame);
  planes_ = std::move(again.planes);
}

void Display::trackAgain() {
  DrawableFrame again = engine_.trackAgain(*frame_);
  frame_ = std::move(again.frame);
  planes_ = std::move(again.planes);
  if (newest_) newest_ = frame_;
}

}  // namespace glint::session
