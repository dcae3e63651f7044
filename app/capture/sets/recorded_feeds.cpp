// Implements Feeds for recordings: sets come in order, and no frame is lost.
#include <algorithm>
#include <deque>

#include "app/capture/sets/feed_work.h"
#include "app/capture/sets/stand_in.h"
#include "config/error_reason.h"

namespace glint::capture {
namespace {

/// A set in the making. When a seek drops it, its destructor gives the slots back.
struct Making {
  Slots slots;
  std::vector<std::optional<SetIndex>> earlier;  ///< see FrameSet
  size_t missing = 0;                            ///< cameras that have not reached this set yet
  bool anyFrame = false;
  double slowest = 0;  ///< us: the longest read
  size_t brokenCamera = 0;
  std::string failure;  ///< reason why brokenCamera, the first one, broke here; or empty
};

/// The place of one camera in its recording.
struct Place {
  SetIndex next;       ///< the set that the camera reads next
  bool seeks = false;  ///< true if the source must seek to that set first
  bool ended = false;
  uint32_t generation = 0;  ///< counts the seeks
};

class RecordedFeeds final : public FeedWork {
 public:
  RecordedFeeds(const gpu::Device& device, const CameraGroups& groups, SourceList sources,
                Interrupt& interrupt);
  ~RecordedFeeds() override { close(); }
  void seek(SetIndex set, Epoch epoch) override;

 private:
  FeedOutcome poll(Lock& lock, FrameSet& set, Clock::time_point& retry) override;
  void run(size_t camera);
  void readSets(size_t camera);
  std::shared_ptr<Making> findSet(size_t camera);
  void readInto(Lock& lock, size_t camera, Making& making);
  void endCamera(size_t camera);
  bool isLast() const;

  SourceList sources_;             ///< only the thread of its camera uses each
  std::vector<StandIn> standIns_;  ///< only the thread of its camera uses each
  // The members below need the lock.
  std::vector<Place> places_;
  std::deque<std::shared_ptr<Making>> sets_;
  SetIndex first_;  ///< number of sets_.front()
  Epoch epoch_;
  bool failed_ = false;
};

RecordedFeeds::RecordedFeeds(const gpu::Device& device, const CameraGroups& groups,
                             SourceList sources, Interrupt& interrupt)
    : FeedWork(device, groups, interrupt),
      sources_(std::move(sources)),
      standIns_(sources_.size()),
      places_(sources_.size()) {
  for (auto& status : status_) status.state = CameraStatus::State::live;
  start([this](size_t camera) { run(camera); });
}

void RecordedFeeds::seek(SetIndex set, Epoch epoch) {
  decltype(sets_) dropped;  // outlives the lock, which its slots take when they come back
  {
    const std::lock_guard lock(signal_->mutex);
    dropped.swap(sets_);
    first_ = set;
    epoch_ = epoch;
    failed_ = false;
    failure_.clear();
    for (Place& place : places_) {
      place = {.next = set, .seeks = true, .ended = false, .generation = place.generation + 1};
    }
    for (auto& status : status_) {
      status.state = CameraStatus::State::live;
      status.problem.clear();
    }
  }
  signal_->changed.notify_all();
}

/// Returns true if all cameras have ended, so that no set will follow those that are being put
/// together.
bool RecordedFeeds::isLast() const {
  return std::ranges::all_of(places_, [](const Place& p) { return p.ended; });
}

FeedOutcome RecordedFeeds::poll(Lock& lock, FrameSet& set, Clock::time_point& retry) {
  if (failed_) return FeedOutcome::failed;
  if (sets_.empty()) return isLast() ? FeedOutcome::ended : FeedOutcome::nothing;
  if (sets_.front()->missing > 0) return FeedOutcome::nothing;
  std::shared_ptr<Making> made = sets_.front();
  failed_ = !made->failure.empty();
  if (failed_) failure_ = made->failure;
  if (failed_ && !made->anyFrame) return FeedOutcome::failed;
  sets_.pop_front();
  set.set = first_;
  ++first_;
  set.epoch = epoch_;
  if (!made->anyFrame) {  // because all cameras have a gap here, or have ended
    lock.unlock();
    made.reset();  // without the lock, which its slots take when they come back
    lock.lock();
    retry = Clock::now();
    return FeedOutcome::nothing;
  }
  readTimes_.add(made->slowest);
  set.earlier = std::move(made->earlier);
  deliver(std::move(made->slots), set);
  return FeedOutcome::set;
}

/// Returns the set that the camera reads next; null if there is none yet, or there will be none.
std::shared_ptr<Making> RecordedFeeds::findSet(size_t camera) {
  const Place& place = places_[camera];
  if (failed_ || place.ended || interrupt_.isSet()) return nullptr;
  if (place.next < first_ + sets_.size()) return sets_[place.next - first_];
  if (isLast()) return nullptr;
  auto making = std::make_shared<Making>();
  making->slots = takeSlots();
  if (making->slots.empty()) return nullptr;
  making->earlier.resize(cameras());
  for (const Place& other : places_) making->missing += other.ended ? 0 : 1;
  sets_.push_back(making);
  return making;
}

void RecordedFeeds::run(size_t camera) {
  try {
    readSets(camera);
  } catch (const std::exception& error) {  // such as the lack of memory for another set
    {
      const std::lock_guard lock(signal_->mutex);
      failed_ = true;
      failure_ = reasonOf(error);
      places_[camera].ended = true;
    }
    signal_->changed.notify_all();
  }
}

void RecordedFeeds::readSets(size_t camera) {
  Lock lock(signal_->mutex);
  for (;;) {
    std::shared_ptr<Making> making;
    signal_->changed.wait(lock, [&] { return closing_ || (making = findSet(camera)); });
    if (closing_) return;
    readInto(lock, camera, *making);
    signal_->changed.notify_all();
    lock.unlock();
    making.reset();  // without the lock, which the slots of a dropped set take when they come back
    lock.lock();
  }
}

/// Reads the camera's next frame into the set. Releases the lock while the source works.
void RecordedFeeds::readInto(Lock& lock, size_t camera, Making& making) {
  const Place begun = places_[camera];
  const auto& [group, layer] = placeOf(camera);
  gpu::FrameSlot& slot = *making.slots[group];
  Source& source = *sources_[camera];
  lock.unlock();
  Reading reading;
  std::string failure;
  std::optional<SetIndex> earlier;
  const auto start = Clock::now();
  try {
    const gpu::ImageView image = slot.room(layer);
    if (begun.seeks) source.seek(FrameNumber(begun.next.value()));
    reading = source.read(image);
    if (source.mayHaveGaps())
      earlier = standIns_[camera].follow(source, begun.next, begun.seeks, reading, image);
  } catch (const Interrupted&) {
    reading = {.state = gpu::CameraState::none};
  } catch (const std::exception& error) {
    failure = reasonOf(error);
  }
  const std::chrono::duration<double, std::micro> taken = Clock::now() - start;
  lock.lock();

  Place& place = places_[camera];
  if (place.generation != begun.generation) return;
  // The read was interrupted: the set stays unfinished.
  if (failure.empty() && reading.state == gpu::CameraState::none && !reading.gap) return;
  place.seeks = false;
  making.slowest = std::max(making.slowest, taken.count());
  if (!failure.empty() && (making.failure.empty() || camera < making.brokenCamera)) {
    making.failure = failure;
    making.brokenCamera = camera;
  }
  if (!failure.empty()) status_[camera].problem = failure;
  --making.missing;
  ++place.next;
  if (failure.empty() && reading.state == gpu::CameraState::frame) {
    slot.set(layer, reading.stamp);
    making.anyFrame = true;
  } else if (failure.empty() && reading.state == gpu::CameraState::none) {
    slot.set(layer, gpu::CameraState::none);
    making.earlier[camera] = earlier;
  } else {
    endCamera(camera);
  }
}

/// Ends a camera, so that sets which other cameras have begun do not wait for it.
void RecordedFeeds::endCamera(size_t camera) {
  Place& place = places_[camera];
  place.ended = true;
  status_[camera].state = CameraStatus::State::ended;
  for (SetIndex n = place.next; n < first_ + sets_.size(); ++n) --sets_[n - first_]->missing;
}

}  // namespace

std::unique_ptr<FeedWork> makeRecordedFeeds(const gpu::Device& device, const CameraGroups& groups,
                                            SourceList sources, Interrupt& interrupt) {
  return std::make_unique<RecordedFeeds>(device, groups, std::move(sources), interrupt);
}

}  // namespace glint::capture
