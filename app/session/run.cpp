#include "app/session/run.h"

#include <utility>

#include <fmt/format.h>

#include "config/error.h"

namespace glint {
namespace {

// Between looks at the interrupt while there is nothing to do.
constexpr std::chrono::milliseconds kPatience{50};
// Between looks whether a change is ready while there is nothing to do.
constexpr std::chrono::milliseconds kSoon{2};

std::optional<double> timeOf(const FrameSet& set, const CameraGroups& groups) {
  std::optional<double> time;  // the earliest, so that none is late for the others' sake
  for (const CameraGroups::Place& place : groups.places) {
    if (const auto stamp = set.stampOf(place))
      time = std::min(time.value_or(stamp->time), stamp->time);
  }
  return time;
}

/// Frames, and ends: another number says that recordings have gone on.
uint64_t writtenOf(const std::vector<RecordingStatus>& recordings) {
  uint64_t written = 0;
  for (const RecordingStatus& recording : recordings)
    written += recording.frames + (recording.finished ? 1 : 0);
  return written;
}

}  // namespace

Session::Run::Run(std::shared_ptr<const Device> device,
                  std::vector<std::unique_ptr<Source>> sources, const OpenRecordings& open,
                  const SessionOptions& options, Interrupt& interrupt)
    : device_(std::move(device)), options_(options), interrupt_(interrupt) {
  const size_t cameras = sources.size();
  feeds_ = std::make_unique<Feeds>(*device_, std::move(sources),
                                   Feeds::Options{.maxSets = {}, .live = options.settings.live},
                                   interrupt);
  groups_ = feeds_->groups();
  detectors_ = std::make_unique<Detectors>(
      *device_, groups_,
      Measuring{
          .settings = options.settings, .rejected = options.rejected, .planes = options.planes});
  trackers_.emplace(options.settings.track, cameras, options.stills);
  playback_.setSpeed(options.speed);
  if (options.paused) {
    playback_.pause();
    playback_.showOne();
    mode_ = SessionState::Mode::paused;
  }
  result_.counts.framesOfCamera.resize(cameras);
  // Last: what is refused is refused above.
  recordings_.emplace(cameras);
  if (auto exporters = open(groups_); !exporters.empty())
    recordings_->add({.id = 0, .name = "outputs", .exporters = std::move(exporters)}, nullptr);
  began_ = Clock::now();
  noteZero();
  publish();
  thread_ = std::thread([this] { work(); });
}

/// Of live cameras: what their times count from.
void Session::Run::noteZero() {
  if (!feeds_->live()) return;
  using Seconds = std::chrono::duration<double>;
  const auto zero = feeds_->zero();
  const Seconds sinceEpoch = std::chrono::system_clock::now().time_since_epoch();
  result_.zero = Seconds(zero.time_since_epoch()).count();
  result_.zeroUtc = (sinceEpoch - Seconds(Clock::now() - zero)).count();
}

Session::Run::~Run() {
  post({command::Stop{}, {}});
  finish();
}

void Session::Run::post(PostedCommand command) {
  const Answer answer = command.answer;
  if (commands_.post(std::move(command))) {
    const std::lock_guard lock(mutex_);
    if (feeds_) feeds_->wake();
  } else if (answer) {
    answer("the session has ended");
  }
}

bool Session::Run::wait(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return end_.wait_for(lock, patience, [this] { return ended_; });
}

const SessionResult& Session::Run::finish() {
  if (thread_.joinable()) thread_.join();
  return result_;
}

void Session::Run::work() {
  while (!stopping_) {
    try {
      iterate();
    } catch (const DeviceLost& lost) {
      remake(lost.what());
    } catch (const std::exception& error) {
      fail(error.what());
    }
  }
  close();
}

void Session::Run::iterate() {
  carryOut();
  if (interrupt_.isSet()) result_.interrupted = stopping_ = true;
  if (stopping_) return;
  bringIntoForce();
  const bool idle = mode_ == SessionState::Mode::atEnd || mode_ == SessionState::Mode::failed ||
                    !playback_.wantsFrame();
  if (idle) {
    keepPlanes();
    commands_.wait(Clock::now() + (pending_ ? kSoon : kPatience));
    if (writtenOf(recordings_->status()) != writtenShown_) publish();
    return;
  }
  if (!next_ && !fetch()) return;
  const auto now = Clock::now();
  const auto time = feeds_->live() ? std::nullopt : timeOf(*next_, groups_);
  const auto due = time ? playback_.due(*time, now) : std::nullopt;
  if (due && *due > now) {
    if (*due > now + kPatience) keepPlanes();
    commands_.wait(std::min(*due, now + kPatience));
    return;
  }
  take(*std::exchange(next_, std::nullopt), due);
}

/// Whether the next set is there now.
bool Session::Run::fetch() {
  FrameSet set;
  switch (feeds_->next(set, kPatience)) {
    case Feeds::Outcome::set:
      if (!feeds_->live() && playback_.beyond(set.index)) {
        reachEnd();
        return false;
      }
      next_ = std::move(set);
      return true;
    case Feeds::Outcome::nothing:
      keepPlanes();
      publish();  // a camera may have gone, or come back
      return false;
    case Feeds::Outcome::ended:
      if (interrupt_.isSet()) result_.interrupted = true;
      reachEnd();
      return false;
    case Feeds::Outcome::failed:
      fail(feeds_->failure());
      return false;
  }
  return false;
}

/// Frame n goes to the device once the result of frame n-1 is known: its feedback.
void Session::Run::take(FrameSet set, std::optional<Clock::time_point> due) {
  const auto start = Clock::now();
  set_ = std::move(set);
  std::vector<LayerMeasurement> measured = measure(set_);
  auto frame = std::make_shared<SessionFrame>();
  frame->index = set_.index;
  frame->epoch = epoch_;
  frame->pass = pass_;
  const auto trackStart = Clock::now();
  try {
    frame->cameras = trackers_->update(std::move(measured));
  } catch (const std::exception& error) {
    throw Error(fmt::format("tracking failed at frame {}, which is a mistake of Glint's own: {}",
                            set_.index, error.what()));
  }
  result_.wallTimes["track"].add(microsecondsSince(trackStart));
  frame->tracked = std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  if (due) frame->due = std::chrono::duration<double>(due->time_since_epoch()).count();
  if (recordings_->wantsPixels()) addPixels(frame->cameras, set_);
  playback_.taken();
  count(*frame);
  for (const auto& listener : options_.listeners) listener->take(*frame);
  for (const auto& [id, listener] : listeners_) listener->take(*frame);
  recordings_->hand(frame);
  following_ = frame->index + 1;
  tracked_ = shown_ = std::move(frame);
  result_.wallTimes["frame"].add(microsecondsSince(start));
  if (!playback_.wantsFrame()) mode_ = SessionState::Mode::paused;
  publish();
  if (options_.maxFrames && result_.counts.frames >= *options_.maxFrames) stopping_ = true;
  if (options_.endOnExportFailure && recordings_->stopped()) stopping_ = true;
}

void Session::Run::reachEnd() {
  if (playback_.loops() && playback_.playing() && feeds_->canSeek() && tracked_) {
    jump(playback_.in());
  } else if (options_.stay && !feeds_->live()) {
    endPass();
    playback_.pause();
    mode_ = SessionState::Mode::atEnd;
    publish();
  } else {
    stopping_ = true;
  }
}

/// The rows that are still open go to the recordings, which end.
void Session::Run::endPass() {
  auto last = std::make_shared<SessionFrame>();
  last->epoch = epoch_;
  last->pass = pass_;
  last->cameras = trackers_->finish();
  recordings_->endPass(last);
  earlierTracks_ += trackers_->tracks();
  earlierStitches_ += trackers_->stitches();
  earlierRepeats_ += trackers_->repeats();
  trackers_.emplace(detectors_->measuring().settings.track, groups_.places.size(), options_.stills);
  next_.reset();
  tracked_.reset();
  unseen_ = true;
  playback_.jumped();
}

void Session::Run::fail(const std::string& problem) {
  failure_ = problem;
  if (!options_.stay) {
    stopping_ = true;
    return;
  }
  endPass();
  playback_.pause();
  mode_ = SessionState::Mode::failed;
  publish();
}

/// Device, cameras and detectors anew, where the driver knows how; tracks and recordings go on with
/// the frame after the last one that was tracked.
void Session::Run::remake(const std::string& problem) {
  if (!options_.remake) {
    fail(fmt::format("the device '{}' was lost: {}", device_->info().name, problem));
    return;
  }
  try {
    changeFeeds(nullptr);  // closes the cameras
    next_.reset();
    set_ = {};
    planes_.clear();
    SessionOptions::Remade made = options_.remake();
    const Feeds::Options how{.maxSets = {}, .live = detectors_->measuring().settings.live};
    auto feeds = std::make_unique<Feeds>(*made.device, std::move(made.sources), how, interrupt_);
    auto detectors =
        std::make_unique<Detectors>(*made.device, feeds->groups(), detectors_->measuring());
    if (pending_) detectors->wish(pending_->measuring);
    detectors_ = std::move(detectors);
    device_ = std::move(made.device);
    if (feeds->canSeek()) feeds->seek(following_, epoch_ + 1);
    changeFeeds(std::move(feeds));
    ++epoch_;
    unseen_ = true;
  } catch (const std::exception& error) {
    fail(fmt::format("the device was lost ({}), and cannot be had again: {}", problem,
                     error.what()));
    stopping_ = true;
  }
}

/// Other threads wake them.
void Session::Run::changeFeeds(std::unique_ptr<Feeds> feeds) {
  const std::lock_guard lock(mutex_);
  feeds_.swap(feeds);
}

void Session::Run::close() {
  if (feeds_) {
    result_.wallTimes["capture"] = feeds_->readTimes();
    result_.cameras = feeds_->status();
  }
  endPass();
  recordings_->finish();
  for (const RecordingStatus& recording : recordings_->status())
    result_.counts.leftOut += recording.leftOut;
  if (failure_.empty()) failure_ = recordings_->firstProblem();
  result_.failure = failure_;
  result_.seconds = microsecondsSince(began_) / 1e6;
  mode_ = SessionState::Mode::ended;
  publish();
  if (pending_) {
    for (const Answer& answer : pending_->answers) answer("the session has ended");
  }
  for (const PostedCommand& left : commands_.close())
    if (left.answer) left.answer("the session has ended");
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_all();
}

void Session::Run::publish() {
  auto state = std::make_shared<SessionState>();
  state->mode = mode_;
  state->epoch = epoch_;
  state->pass = pass_;
  state->frame = shown_;
  if (options_.stay) {
    if (!planesMissing()) state->set = set_;
    for (const LayerExpectation& camera : expectations_)
      state->expected.push_back(camera.predictions);
  }
  if (feeds_) {
    state->length = feeds_->length();
    state->canSeek = feeds_->canSeek();
    state->live = feeds_->live();
    state->cameras = feeds_->status();
  }
  state->settings = detectors_->measuring().settings;
  state->rejected = detectors_->measuring().rejected;
  state->speed = playback_.speed();
  state->loops = playback_.loops();
  state->in = playback_.in();
  state->out = playback_.out();
  state->counts = result_.counts;
  state->deviceTimes = deviceTimes_;
  state->planes = planes_;
  state->recordings = recordings_->status();
  writtenShown_ = writtenOf(state->recordings);
  state->failure = failure_;
  state_.put(std::move(state));
  if (options_.published) options_.published();
}

}  // namespace glint
