// Live cameras as Feeds: every camera reads on, and its newest frame counts.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/capture/feed_work.h"
#include "app/capture/frame_pace.h"
#include "gpu/row_copier.h"

namespace glint {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using State = CameraStatus::State;

using Milliseconds = std::chrono::duration<double, std::milli>;

constexpr Milliseconds kWidestWindow{10};  // if none is set
constexpr double kSilent = 3;              // intervals: then a camera is not waited for
constexpr double kNewestShare = 0.2;       // of the latest interval in the mean one

double toSeconds(Clock::time_point time) {
  return Seconds(time.time_since_epoch()).count();
}

/// What the source has dropped before a frame it has skipped.
void addPace(FramePace& pace, FrameStamp& stamp) {
  stamp.skippedBefore = stamp.droppedBefore;
  pace.see(stamp.time, stamp.skippedBefore);
  const FramePace::Pace latest = pace.latest();
  stamp.rate = latest.rate;
  stamp.jitter = latest.jitter;
}

/// A frame in the host's own memory, its rows as far apart as in a slot.
struct Image {
  std::vector<std::byte> bytes;
  FrameStamp stamp;
};

/// One camera. Three images, so that neither side ever waits for the other.
struct Feed {
  std::unique_ptr<Source> source;  ///< used by the camera's thread alone
  FramePace pace;                  ///< used by the camera's thread alone
  Image writing;                   ///< used by the camera's thread alone
  Image taken;                     ///< used by next() alone
  // All below with the lock.
  Image newest;
  bool fresh = false;         ///< `newest` is in no set yet
  bool rested = false;        ///< `newest` waited while nobody took sets: it is nobody's loss
  Clock::time_point arrived;  ///< the latest frame
  double latestTime = 0;      ///< its time
  Seconds interval{0};        ///< between frames' times, a running mean; 0: not known
  double readTime = 0;        ///< us, of `newest`
  /// Since the last one that came into a set, those before `newest` aside: replaced and skipped.
  uint64_t droppedBefore = 0, skippedBefore = 0;
  std::vector<Settings::Camera> requests;  ///< to be set before the next frame is read, in order

  /// Whether its next frame should be in a set up to the time `last`.
  bool isDue(double last, Clock::time_point now) const {
    return interval.count() > 0 && latestTime + interval.count() <= last &&
           now - arrived < kSilent * interval;
  }
  /// Whether it has a frame for it.
  bool belongsTo(double last) const { return fresh && newest.stamp.time <= last; }
};

class LiveFeeds final : public FeedWork {
 public:
  LiveFeeds(const Device& device, const CameraGroups& groups,
            std::vector<std::unique_ptr<Source>> sources, const Settings::Live& live,
            Interrupt& interrupt);
  ~LiveFeeds() override { close(); }
  void seek(SetIndex, Epoch) override {}  // Feeds refuses it
  void adjust(const Settings& settings) override;
  void rest(bool on) override;

 private:
  FeedOutcome poll(Lock& lock, FrameSet& set, Clock::time_point& retry) override;
  std::optional<FeedOutcome> noMore();
  Seconds window() const;
  std::optional<double> lastOfSet() const;
  Clock::time_point waitsUntil(Clock::time_point now, double last) const;
  void fill(Lock& lock, const Slots& slots, double last);
  CameraState withoutFrame(size_t camera) const;
  void run(size_t camera);
  void waitForBegin(const Feed& feed);
  bool readOnce(size_t camera);
  void adjustSource(Feed& feed);
  void note(size_t camera, const Reading& reading);
  void publish(Feed& feed, CameraStatus& status, const FrameStamp& stamp, double readTime);
  void waitForTime(const FrameStamp& stamp);

  std::vector<Feed> feeds_;
  RowCopier copier_;  ///< used by next() alone
  Settings::Live live_;
  SetIndex next_;         ///< set
  bool begun_ = false;    ///< somebody waits for sets; with the lock
  bool resting_ = false;  ///< nobody takes sets; with the lock
};

LiveFeeds::LiveFeeds(const Device& device, const CameraGroups& groups,
                     std::vector<std::unique_ptr<Source>> sources, const Settings::Live& live,
                     Interrupt& interrupt)
    : FeedWork(device, groups, interrupt, Upload::early),
      feeds_(sources.size()),
      copier_(device),
      live_(live) {
  for (size_t i = 0; i < feeds_.size(); ++i) {
    Feed& feed = feeds_[i];
    feed.source = std::move(sources[i]);
    const size_t bytes = planeBytes(planeShape(feed.source->format()), 1);
    for (Image* image : {&feed.writing, &feed.taken, &feed.newest}) image->bytes.resize(bytes);
  }
  start([this](size_t camera) { run(camera); });
}

/// Why no set will come any more; empty if one may.
std::optional<FeedOutcome> LiveFeeds::noMore() {
  for (const auto& status : status_)
    if (status.state != State::ended) return std::nullopt;
  for (const auto& status : status_) {
    failure_ = status.problem;
    if (!failure_.empty()) return FeedOutcome::failed;
  }
  return FeedOutcome::ended;
}

/// How far apart the times of one set may be.
Seconds LiveFeeds::window() const {
  if (live_.window > 0) return Milliseconds(live_.window);
  Seconds fastest = 2 * kWidestWindow;
  for (const Feed& feed : feeds_)
    if (feed.interval.count() > 0) fastest = std::min(fastest, feed.interval);
  return fastest / 2;
}

/// The latest time of a frame in the next set; empty while no frame is there.
std::optional<double> LiveFeeds::lastOfSet() const {
  std::optional<double> first;
  for (const Feed& feed : feeds_)
    if (feed.fresh) first = std::min(first.value_or(HUGE_VAL), feed.newest.stamp.time);
  if (first) *first += window().count();
  return first;
}

/// Until when the set up to the time `last` waits for cameras whose frames are due: not so long
/// that later frames replace those that are there.
Clock::time_point LiveFeeds::waitsUntil(Clock::time_point now, double last) const {
  Seconds most = Milliseconds(live_.wait);
  Clock::time_point first = now;
  bool due = false;
  for (size_t i = 0; i < feeds_.size(); ++i) {
    const Feed& feed = feeds_[i];
    if (!feed.fresh) due = due || (status_[i].state == State::live && feed.isDue(last, now));
    if (!feed.belongsTo(last)) continue;
    first = std::min(first, feed.arrived);
    if (feed.interval.count() > 0) most = std::min(most, feed.interval / 2);
  }
  return due ? first + std::chrono::duration_cast<Clock::duration>(most) : now;
}

FeedOutcome LiveFeeds::poll(Lock& lock, FrameSet& set, Clock::time_point& retry) {
  if (!std::exchange(begun_, true)) signal_->changed.notify_all();
  const auto last = lastOfSet();
  const auto end = noMore();
  if (end && !last) return *end;
  if (!last) return FeedOutcome::nothing;
  const auto now = Clock::now();
  if (const auto until = waitsUntil(now, *last); until > now) {
    retry = std::min(retry, until);
    return FeedOutcome::nothing;
  }
  Slots slots = takeSlots();
  if (slots.empty()) return FeedOutcome::nothing;
  fill(lock, slots, *last);
  set.set = next_;
  ++next_;
  deliver(std::move(slots), set);
  return FeedOutcome::set;
}

CameraState LiveFeeds::withoutFrame(size_t camera) const {
  if (feeds_[camera].fresh) return CameraState::none;  // it belongs to a later set
  switch (status_[camera].state) {
    case State::lost:
      return CameraState::lost;
    case State::ended:
      return CameraState::ended;
    default:
      return CameraState::none;
  }
}

/// Takes the newest images up to the time `last`, then copies all without the lock.
void LiveFeeds::fill(Lock& lock, const Slots& slots, double last) {
  double slowest = 0;
  for (size_t i = 0; i < feeds_.size(); ++i) {
    Feed& feed = feeds_[i];
    const auto& [group, layer] = placeOf(i);
    if (!feed.belongsTo(last)) {
      slots[group]->set(layer, withoutFrame(i));
      continue;
    }
    feed.fresh = false;
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
    FrameSlot& slot = *slots[place.group];
    const ImageView to = slot.layer(place.layer);  // without a frame: as it was seen last
    // A group's layers are in the order of its cameras.
    copier_.copy(feeds_[i].taken.bytes.data(), to.rowPitch, to,
                 [&](uint32_t rows) { slot.written(place.layer, rows); });
  }
  lock.lock();
}

/// Cameras send from when they are first read: what came while kernels are made would be dropped.
/// Streams, which have no id, send anyway.
void LiveFeeds::waitForBegin(const Feed& feed) {
  if (feed.source->id().empty()) return;
  Lock lock(signal_->mutex);
  while (!begun_ && !closing_ && !interrupt_.isSet())
    signal_->changed.wait_until(lock, Clock::now() + kLook);
}

void LiveFeeds::run(size_t camera) {
  std::string problem;
  try {
    waitForBegin(feeds_[camera]);
    while (readOnce(camera)) {
    }
  } catch (const Interrupted&) {
    // No fault of the camera.
  } catch (const std::exception& error) {
    problem = error.what();
  }
  {
    const std::lock_guard lock(signal_->mutex);
    status_[camera].state = State::ended;
    status_[camera].problem = problem;
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
      log(LogLevel::warning, error.what());
    }
  }
}

/// With the lock: what a reading says of its camera beside the frame.
void LiveFeeds::note(size_t camera, const Reading& reading) {
  auto& status = status_[camera];
  status.damaged += reading.damaged;
  if (reading.state == CameraState::frame && status.state == State::lost) {
    log(LogLevel::warning, fmt::format("'{}' is back", feeds_[camera].source->name()));
    status.problem.clear();
  }
  if (reading.state != CameraState::lost) return;
  if (status.state != State::lost) {
    ++status.losses;
    log(LogLevel::warning, fmt::format("camera {} is lost: {}; Glint keeps looking for it", camera,
                                       reading.problem.empty() ? "it was lost" : reading.problem));
  }
  status.state = State::lost;
  status.problem = reading.problem;
  feeds_[camera].interval = Seconds{0};
}

/// False when there is nothing more to be read.
bool LiveFeeds::readOnce(size_t camera) {
  Feed& feed = feeds_[camera];
  adjustSource(feed);
  const ImageFormat& format = feed.source->format();
  const size_t pitch = size_t{planeShape(format).pitch} * 4;
  const auto start = Clock::now();
  Reading reading = feed.source->read({format, feed.writing.bytes.data(), pitch});
  const double taken = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  const bool isFrame = reading.state == CameraState::frame;
  if (isFrame && !feed.source->isLive()) waitForTime(reading.stamp);
  if (feed.source->onHostClock()) reading.stamp.time -= toSeconds(start_);
  if (reading.stamp.arrival == 0) reading.stamp.arrival = toSeconds(Clock::now());
  if (reading.stamp.captured == 0) reading.stamp.captured = reading.stamp.arrival;
  if (isFrame) addPace(feed.pace, reading.stamp);
  if (reading.state == CameraState::lost) feed.pace.interrupt();
  auto offer = feed.source->newOffer();
  {
    const std::lock_guard lock(signal_->mutex);
    if (closing_ || interrupt_.isSet() || reading.state == CameraState::ended) return false;
    note(camera, reading);
    if (offer) status_[camera].offer = std::make_shared<const CameraOffer>(std::move(*offer));
    if (isFrame) publish(feed, status_[camera], reading.stamp, taken);
  }
  if (isFrame) signal_->changed.notify_all();
  return true;
}

void LiveFeeds::publish(Feed& feed, CameraStatus& status, const FrameStamp& stamp,
                        double readTime) {
  if (status.state == State::live && stamp.time > feed.latestTime) {
    const Seconds latest =
        Seconds(stamp.time - feed.latestTime) / static_cast<double>(1 + stamp.droppedBefore);
    feed.interval = feed.interval.count() > 0
                        ? (1 - kNewestShare) * feed.interval + kNewestShare * latest
                        : latest;
  }
  status.state = State::live;
  const uint64_t replaced = feed.fresh && !feed.rested ? 1 : 0;
  status.dropped += stamp.droppedBefore + replaced;
  status.skipped += stamp.skippedBefore;
  status.rate = stamp.rate;
  status.jitter = stamp.jitter;
  status.meanRate = feed.pace.overall().rate;
  status.meanJitter = feed.pace.overall().jitter;
  status.uncertainty = stamp.uncertainty;
  if (feed.fresh) {
    feed.droppedBefore += replaced + feed.newest.stamp.droppedBefore;
    feed.skippedBefore += feed.newest.stamp.skippedBefore;
  }
  feed.writing.stamp = stamp;
  std::swap(feed.writing, feed.newest);
  feed.fresh = true;
  feed.rested = resting_;
  feed.arrived = Clock::now();
  feed.latestTime = stamp.time;
  feed.readTime = readTime;
}

/// A recording among live cameras keeps its own speed.
void LiveFeeds::waitForTime(const FrameStamp& stamp) {
  const auto due = start_ + std::chrono::duration_cast<Clock::duration>(Seconds(stamp.time));
  Lock lock(signal_->mutex);
  while (!closing_ && !interrupt_.isSet() && Clock::now() < due)
    signal_->changed.wait_until(lock, std::min(due, Clock::now() + kLook));
}

}  // namespace

std::unique_ptr<FeedWork> makeLiveFeeds(const Device& device, const CameraGroups& groups,
                                        std::vector<std::unique_ptr<Source>> sources,
                                        const Settings::Live& live, Interrupt& interrupt) {
  return std::make_unique<LiveFeeds>(device, groups, std::move(sources), live, interrupt);
}

}  // namespace glint
