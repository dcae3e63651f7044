// How a session of live cameras shows what was, while it goes on.
#include <utility>

#include "app/session/run.h"
#include "config/error.h"

namespace glint {
namespace {

// What is shown, what the window still draws, and what comes next.
constexpr uint32_t kLookSlots = 4;

}  // namespace

/// The newest frame, while nothing earlier is shown.
void SessionRun::keepRecent() {
  if (!feeds_->live() || looked_ || !tracked_) return;
  if (recentSeconds_ <= 0 && recent_.empty()) return;
  Frame frame(*tracked_);
  addPixels(frame);
  recent_.keep(frame, measured_.expectations, recentSeconds_);
}

std::optional<SessionState::Recent> SessionRun::recent() const {
  if (recent_.empty()) return std::nullopt;
  return SessionState::Recent{recent_.first(), recent_.last(), recent_.seconds(),
                              looked_.has_value()};
}

/// Its pixels, where the device can read them; false: all room there is held.
bool SessionRun::load(const RecentFrames::Kept& kept) {
  if (looks_.empty())
    for (const FrameFormat& format : groups_.formats)
      looks_.emplace_back(*device_, format, kLookSlots);
  std::vector<std::shared_ptr<FrameSlot>> slots;
  for (FramePool& pool : looks_)
    if (auto slot = pool.take()) slots.push_back(std::move(slot));
  if (slots.size() < looks_.size()) return false;
  Begun begun{.set = {.set = kept.raw.index, .epoch = epoch_, .groups = {}},
              .start = Clock::now(),
              .due = {},
              .expectations = kept.expectations};
  begun.set.earlier.resize(groups_.places.size());
  for (size_t i = 0; i < groups_.places.size(); ++i) {
    const CameraGroups::Place& place = groups_.places[i];
    const CameraState state = kept.frame->cameras[i].measured.state;
    slots[place.group]->set(place.layer, state == CameraState::frame ? CameraState::none : state);
    // Without a frame: as it was seen last.
    const auto image = recent_.imageOf(i, kept.raw.index);
    if (!image) continue;
    copyPixels(image->shot, slots[place.group]->layer(place.layer));
    if (image->set < kept.raw.index) begun.set.earlier[i] = image->set;
  }
  for (const RawShot& shot : kept.raw.shots) {
    const CameraGroups::Place& place = groups_.places[shot.camera];
    FrameStamp stamp = shot.stamp;
    stamp.neutral = false;  // its grey was not kept
    slots[place.group]->set(place.layer, stamp);
  }
  for (auto& slot : slots) begun.set.groups.push_back(std::move(slot));
  looked_ = std::move(begun);
  return true;
}

void SessionRun::lookAt(SetIndex set) {
  const RecentFrames::Kept* kept = recent_.find(set, shown_ ? shown_->set : SetIndex());
  if (!kept) return;
  if (!load(*kept)) {
    wished_ = set;
    return;
  }
  shown_ = kept->frame;
  measureAgain(kept->frame->epoch != epoch_);
  publish();
}

void SessionRun::on(command::Look& look, Answer&) {
  if (!feeds_->live()) throw UsageError("only live cameras have frames to look back at: seek");
  wished_.reset();
  if (look.set) {
    if (recent_.empty()) throw UsageError("no earlier frame is in memory");
    return lookAt(*look.set);
  }
  if (!looked_) return;
  looked_.reset();
  planes_.clear();
  if (tracked_) shown_ = tracked_;
}

void SessionRun::on(command::Hold&, Answer&) {
  if (!feeds_->live())
    throw UsageError("only live cameras go on behind a frame that is held: pause");
  if (looked_) return;
  wished_.reset();
  if (recent_.empty() && tracked_) {
    Frame frame(*tracked_);
    addPixels(frame);
    recent_.keep(frame, measured_.expectations, 1);  // s: it is the only one
  }
  if (recent_.empty()) throw UsageError("no frame has come yet");
  lookAt(recent_.last());
}

void SessionRun::on(command::Recall& recall, Answer&) {
  if (recent_.empty()) throw UsageError("no earlier frame is in memory");
  recall.take(recent_.latest(recall.seconds));
}

void SessionRun::on(command::Remember& remember, Answer&) {
  recentSeconds_ = remember.seconds;
}

}  // namespace glint
