#include "app/session/look_back.h"

#include <utility>

#include "config/error.h"

namespace glint::session {
namespace {

// Number of slots: one for the frame on show, one that the window is still drawing, and two for
// what comes next.
constexpr uint32_t kSlots = 4;

}  // namespace

LookBack::LookBack(const gpu::Device& device, const capture::CameraGroups& groups,
                   const Transport& transport, Display& display, bool live, double keepSeconds)
    : device_(device),
      groups_(groups),
      transport_(transport),
      display_(display),
      live_(live),
      keepSeconds_(keepSeconds) {}

void LookBack::showRecent(std::optional<SetIndex> set) {
  if (!live_) throw UsageError("only live cameras have frames to look back at: seek");
  requestedSet_.reset();
  if (!set) return display_.showNewest();
  if (recent_.empty()) throw UsageError("no earlier frame is in memory");
  show(*set);
}

void LookBack::hold() {
  if (!live_) throw UsageError("only live cameras go on behind a frame that is held: pause");
  if (display_.showsEarlier()) return;
  requestedSet_.reset();
  if (recent_.empty() && display_.newest()) {
    // Time for which the frame is kept, s. It is the only one in memory.
    constexpr double kKept = 1;
    recent_.keep(*display_.newestWithPixels(), display_.set().expectations, kKept);
  }
  if (recent_.empty()) throw UsageError("no frame has come yet");
  show(recent_.last());
}

std::vector<output::RawSet> LookBack::recall(double seconds) {
  if (recent_.empty()) throw UsageError("no earlier frame is in memory");
  return recent_.latest(seconds);
}

bool LookBack::showRequested() {
  return requestedSet_ && show(*std::exchange(requestedSet_, std::nullopt));
}

void LookBack::keepNewest() {
  if (!live_ || display_.showsEarlier() || !display_.newest()) return;
  if (keepSeconds_ <= 0 && recent_.empty()) return;
  recent_.keep(*display_.newestWithPixels(), display_.set().expectations, keepSeconds_);
}

std::optional<SessionState::Recent> LookBack::state() const {
  if (recent_.empty()) return std::nullopt;
  return SessionState::Recent{recent_.first(), recent_.last(), recent_.seconds(),
                              display_.showsEarlier()};
}

/// Shows the frame in memory at this set or next to it. If there is no room on the device, the set
/// is requested for later. Returns true if the frame is on show.
bool LookBack::show(SetIndex set) {
  const motion::FramePtr& shown = display_.frame();
  const RecentFrames::Kept* kept = recent_.find(set, shown ? shown->set : SetIndex());
  if (!kept) return false;
  std::optional<MeasuredSet> loaded = load(*kept);
  if (!loaded) {
    requestedSet_ = set;
    return false;
  }
  const bool otherSettings = kept->frame->epoch != transport_.epoch();
  display_.showEarlier(kept->frame, std::move(*loaded), otherSettings);
  return true;
}

/// Copies the pixels to memory that the device reads. Returns nothing while all slots are held.
std::optional<MeasuredSet> LookBack::load(const RecentFrames::Kept& kept) {
  if (pools_.empty())
    for (const gpu::FrameFormat& format : groups_.formats)
      pools_.emplace_back(device_, format, kSlots);
  std::vector<std::shared_ptr<gpu::FrameSlot>> slots;
  for (gpu::FramePool& pool : pools_)
    if (auto slot = pool.take()) slots.push_back(std::move(slot));
  if (slots.size() < pools_.size()) return std::nullopt;
  MeasuredSet loaded{.set = {.set = kept.raw.index, .epoch = transport_.epoch(), .groups = {}},
                     .begun = MeasuredSet::Clock::now(),
                     .due = {},
                     .expectations = kept.expectations};
  loaded.set.earlier.resize(groups_.places.size());
  for (size_t i = 0; i < groups_.places.size(); ++i) {
    const capture::CameraGroups::Place& place = groups_.places[i];
    const gpu::CameraState state = kept.frame->cameras[i].measured.state;
    slots[place.group]->set(place.layer,
                            state == gpu::CameraState::frame ? gpu::CameraState::none : state);
    // A camera without a frame in this set is shown with its latest image.
    const auto image = recent_.imageOf(i, kept.raw.index);
    if (!image) continue;
    output::copyPixels(image->shot, slots[place.group]->layer(place.layer));
    if (image->set < kept.raw.index) loaded.set.earlier[i] = image->set;
  }
  for (const output::RawShot& shot : kept.raw.shots) {
    const capture::CameraGroups::Place& place = groups_.places[shot.camera];
    gpu::FrameStamp stamp = shot.stamp;
    // Memory does not keep the information if the image is grey.
    stamp.neutral = false;
    slots[place.group]->set(place.layer, stamp);
  }
  for (auto& slot : slots) loaded.set.groups.push_back(std::move(slot));
  return loaded;
}

}  // namespace glint::session
