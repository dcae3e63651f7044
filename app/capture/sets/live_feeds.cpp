// Implements Feeds for live cameras: every camera goes on reading, and its newest frame counts.
#include <algorithm>
#include <utility>

#include "app/base/log.h"
#include "app/capture/sets/feed_work.h"
#include "app/capture/sets/frame_pace.h"
#include "app/capture/sets/set_timing.h"
#include "config/error_reason.h"
#include "gpu/row_copier.h"

namespace glint::capture {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using State = CameraStatus::State;

double toSeconds(Clock::time_point time) {
  return Seconds(time.time_since_epoch()).count();
}

/// Adds a frame to the pace. The frames that the source itself has dropped before it count as
/// skipped.
void addPace(FramePace& pace, gpu::FrameStamp& stamp) {
  stamp.skippedBefore = stamp.droppedBefore;
  pace.see(stamp.time, stamp.skippedBefore);
  const FramePace::Pace latest = pace.latest();
  stamp.rate = latest.rate;
  stamp.jitter = latest.jitter;
}

/// A frame in the host's own memory, with the row pitch of a slot.
struct Image {
  std::vector<std::byte> bytes;
  gpu::FrameStamp stamp;
};

/// One camera. It has three images, so that neither its thread nor next() ever waits for the other.
struct Feed {
  std::unique_ptr<Source> source;   ///< only the camera's thread uses it
  FramePace pace;                   ///< only the camera's thread uses it
  Image writing;                    ///< only the camera's thread uses it
  Image taken;                      ///< only next() uses it
  std::optional<SetIndex> takenIn;  ///< only next() uses it
  // The members below need the lock.
  Image newest;
  bool rested = false;  ///< true if `newest` waited while no sets were taken, so it is not lost
  double readTime = 0;  ///< us that the read of `newest` took
  /// Frames that were dropped and skipped since the last one that came into a set, without those
  /// that the stamp of `newest` counts.
  uint64_t droppedBefore = 0, skippedBefore = 0;
  std::vector<Settings::Camera> requests;  ///< controls to set before the next read, in order
};

class LiveFeeds final : public FeedWork {
 public:
  LiveFeeds(const gpu::Device& device, const CameraGroups& groups, SourceList sources,
            const Settings::Live& live, Interrupt& interrupt);
  ~LiveFeeds() override { close(); }
  void seek(SetIndex, Epoch) override {}  // never called, because Feeds refuses it
  void adjust(const Settings& settings) override;
  void rest(bool on) override;

 private:
  FeedOutcome poll(Lock& lock, FrameSet& set, Clock::time_point& retry) override;
  std::optional<FeedOutcome> noMore();
  void fill(Lock& lock, const Slots& slots, const SetSpan& span, FrameSet& set);
  gpu::CameraState withoutFrame(size_t camera) const;
  void run(size_t camera);
  void waitForBegin(const Feed& feed);
  bool readOnce(size_t camera);
  void adjustSource(Feed& feed);
  void note(size_t camera, const Reading& reading);
  void publish(size_t camera, const gpu::FrameStamp& stamp, double readTime);
  void waitForTime(const gpu::FrameStamp& stamp);

  std::vector<Feed> feeds_;
  std::vector<CameraTiming> timings_;  ///< one for each camera; needs the lock
  gpu::RowCopier copier_;              ///< only next() uses it
  Settings::Live live_;
  SetIndex next_;         ///< number of the next set
  bool begun_ = false;    ///< true once a set was waited for; needs the lock
  bool resting_ = false;  ///< true while no sets are taken; needs the lock
};

LiveFeeds::LiveFeeds(const gpu::Device& device, const CameraGroups& groups, SourceList sources,
                     const Settings::Live& live, Interrupt& interrupt)
    : FeedWork(device, groups, interrupt, gpu::Upload::early),
      feeds_(sources.size()),
      timings_(sources.size()),
      copier_(device),
      live_(live) {
  for (size_t i = 0; i < feeds_.size(); ++i) {
    Feed& feed = feeds_[i];
    feed.source = std::move(sources[i]);
    const size_t bytes = gpu::planeBytes(gpu::planeShape(feed.source->format()), 1);
    for (Image* image : {&feed.writing, &feed.taken, &feed.newest}) image->bytes.resize(bytes);
  }
  start([this](size_t camera) { run(camera); });
}

/// Returns the reason why no set will come any more; empty if one may come.
std::optional<FeedOutcome> LiveFeeds::noMore() {
  for (const auto& status : status_)
    if (status.state != State::ended) return std::nullopt;
  for (const auto& status : status_) {
    failure_ = status.problem;
    if (!failure_.empty()) return FeedOutcome::failed;
  }
  return FeedOutcome::ended;
}

FeedOutcome LiveFeeds::poll(Lock& lock, FrameSet& set, Clock::time_point& retry) {
  if (!std::exchange(begun_, true)) signal_->changed.notify_all();
  const auto span = nextSet(timings_, live_.window);
  const auto end = noMore();
  if (end && !span) return *end;
  if (!span) return FeedOutcome::nothing;
  const auto now = Clock::now();
  if (const auto until = waitsUntil(timings_, *span, live_.wait, now); until > now) {
    retry = std::min(retry, until);
    return FeedOutcome::nothing;
  }
  Slots slots = takeSlots();
  if (slots.empty()) return FeedOutcome::nothing;
  set.set = next_;
  ++next_;
  fill(lock, slots, *span, set);
  deliver(std::move(slots), set);
  return FeedOutcome::set;
}

gpu::CameraState LiveFeeds::withoutFrame(size_t camera) const {
  if (timings_[camera].fresh) return gpu::CameraState::none;  // its frame belongs to a later set
  switch (status_[camera].state) {
    case State::lost:
      return gpu::CameraState::lost;
    case State::ended:
      return gpu::CameraState::ended;
    default:
      return gpu::CameraState::none;
  }
}

/// Takes the newest images of the set with the lock, and copies all images without it.
void LiveFeeds::fill(Lock& lock, const Slots& slots, const SetSpan& span, FrameSet& set) {
  double slowest = 0;
  set.earlier.resize(feeds_.size());
  for (size_t i = 0; i < feeds_.size(); ++i) {
    Feed& feed = feeds_[i];
    const auto& [group, layer] = placeOf(i);
    if (!timings_[i].belongsTo(span)) {
      slots[group]->set(layer, withoutFrame(i));
      set.earlier[i] = feed.takenIn;
      continue;
    }
    feed.takenIn = set.set;
    timings_[i].fresh = false;
    std::swap(feed.taken, feed.newest);
    feed.taken.stamp.droppedBefore += std::exchange(feed.droppedBefore, 0);
    feed.taken.stamp.skippedBefore += std::exchange(feed.skippedBefore, 0);
    slots[group]->set(layer, feed.taken.stamp);
    slowest = std::max(slowest, feed.readTime);
  }
  readTimes_.add(slowest);
  lock.unlock();
  for (size_t i = 0; i < feeds_.size(); ++i) {
    const CameraGroups::Place place = placeOf(i);
    gpu::FrameSlot& slot = *slots[place.group];
    // A camera without a frame shows the image that it gave last.
    const gpu::ImageView to = slot.room(place.layer);
    // This writes a group's layers in their order, which is that of its cameras.
    copier_.copy(feeds_[i].taken.bytes.data(), to.rowPitch, to,
                 [&](uint32_t rows) { slot.written(place.layer, rows); });
  }
  lock.lock();
}

/// Waits until a set is first waited for. Cameras send from the first read on, and frames that came
/// while kernels are made would be dropped. Streams, which have no id, send anyway, so they do not
/// wait.
void LiveFeeds::waitForBegin(const Feed& feed) {
  if (feed.source->id().empty()) return;
  Lock lock(signal_->mutex);
  while (!begun_ && !closing_ && !interrupt_.isSet())
    signal_->changed.wait_until(lock, Clock::now() + kPollEvery);
}

void LiveFeeds::run(size_t camera) {
  std::string problem;
  try {
    waitForBegin(feeds_[camera]);
    while (readOnce(camera)) {
    }
  } catch (const Interrupted&) {
    // This is not an error of the camera.
  } catch (const std::exception& error) {
    problem = reasonOf(error);
  }
  {
    const std::lock_guard lock(signal_->mutex);
    status_[camera].state = State::ended;
    status_[camera].problem = problem;
    timings_[camera].lose();
  }
  signal_->changed.notify_all();
}

void LiveFeeds::adjust(const Settings& settings) {
  const std::lock_guard lock(signal_->mutex);
  live_ = settings.live;
  for (size_t i = 0; i < feeds_.size(); ++i)
    feeds_[i].requests.push_back(cameraSettings(settings, static_cast<int>(i)));
}

void LiveFeeds::rest(bool on) {
  const std::lock_guard lock(signal_->mutex);
  if (std::exchange(resting_, on) == on) return;
  for (Feed& feed : feeds_) feed.rested = true;
}

void LiveFeeds::adjustSource(Feed& feed) {
  std::vector<Settings::Camera> requests;
  {
    const std::lock_guard lock(signal_->mutex);
    requests.swap(feed.requests);
  }
  for (const Settings::Camera& request : requests) {
    try {
      feed.source->adjust(request);
    } catch (const Error& error) {
      base::log(base::LogLevel::warning, error.what());
    }
  }
}

/// Takes over what a reading says about its camera, apart from the frame. Called with the lock.
void LiveFeeds::note(size_t camera, const Reading& reading) {
  auto& status = status_[camera];
  status.damaged += reading.damaged;
  if (reading.state == gpu::CameraState::frame && status.state == State::lost) {
    base::warn("'{}' is back", feeds_[camera].source->name());
    status.problem.clear();
  }
  if (reading.state != gpu::CameraState::lost) return;
  if (status.state != State::lost) {
    ++status.losses;
    base::warn("camera {} is lost: {}; Glint keeps looking for it", camera,
               reading.problem.empty() ? "it was lost" : reading.problem);
  }
  status.state = State::lost;
  status.problem = reading.problem;
  timings_[camera].lose();
}

/// Reads one frame of a camera. Returns false if there is nothing more to read.
bool LiveFeeds::readOnce(size_t camera) {
  Feed& feed = feeds_[camera];
  adjustSource(feed);
  const gpu::ImageFormat& format = feed.source->format();
  const size_t pitch = size_t{gpu::planeShape(format).pitch} * 4;
  const auto start = Clock::now();
  Reading reading = feed.source->read({format, feed.writing.bytes.data(), pitch});
  const double taken = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  const bool isFrame = reading.state == gpu::CameraState::frame;
  if (isFrame && !feed.source->isLive()) waitForTime(reading.stamp);
  if (feed.source->onHostClock()) reading.stamp.time -= toSeconds(start_);
  if (reading.stamp.arrival == 0) reading.stamp.arrival = toSeconds(Clock::now());
  if (reading.stamp.captured == 0) reading.stamp.captured = reading.stamp.arrival;
  if (isFrame) addPace(feed.pace, reading.stamp);
  if (reading.state == gpu::CameraState::lost) feed.pace.interrupt();
  auto offer = feed.source->newOffer();
  {
    const std::lock_guard lock(signal_->mutex);
    if (closing_ || interrupt_.isSet() || reading.state == gpu::CameraState::ended) return false;
    note(camera, reading);
    if (offer) status_[camera].offer = std::make_shared<const CameraOffer>(std::move(*offer));
    if (isFrame) publish(camera, reading.stamp, taken);
  }
  if (isFrame) signal_->changed.notify_all();
  return true;
}

void LiveFeeds::publish(size_t camera, const gpu::FrameStamp& stamp, double readTime) {
  Feed& feed = feeds_[camera];
  CameraStatus& status = status_[camera];
  CameraTiming& timing = timings_[camera];
  status.state = State::live;
  const uint64_t replaced = timing.fresh && !feed.rested ? 1 : 0;
  status.dropped += stamp.droppedBefore + replaced;
  status.skipped += stamp.skippedBefore;
  status.rate = stamp.rate;
  status.jitter = stamp.jitter;
  status.meanRate = feed.pace.overall().rate;
  status.meanJitter = feed.pace.overall().jitter;
  status.uncertainty = stamp.uncertainty;
  if (timing.fresh) {
    feed.droppedBefore += replaced + feed.newest.stamp.droppedBefore;
    feed.skippedBefore += feed.newest.stamp.skippedBefore;
  }
  feed.writing.stamp = stamp;
  std::swap(feed.writing, feed.newest);
  feed.rested = resting_;
  feed.readTime = readTime;
  timing.see(stamp.time, static_cast<double>(1 + stamp.droppedBefore), Clock::now());
}

/// Waits until a frame of a recording is due, because recordings among live cameras keep their
/// speed.
void LiveFeeds::waitForTime(const gpu::FrameStamp& stamp) {
  const auto due = start_ + std::chrono::duration_cast<Clock::duration>(Seconds(stamp.time));
  Lock lock(signal_->mutex);
  while (!closing_ && !interrupt_.isSet() && Clock::now() < due)
    signal_->changed.wait_until(lock, std::min(due, Clock::now() + kPollEvery));
}

}  // namespace

std::unique_ptr<FeedWork> makeLiveFeeds(const gpu::Device& device, const CameraGroups& groups,
                                        SourceList sources, const Settings::Live& live,
                                        Interrupt& interrupt) {
  return std::make_unique<LiveFeeds>(device, groups, std::move(sources), live, interrupt);
}

}  // namespace glint::capture
