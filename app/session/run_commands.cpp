// How a session carries out what it is told, between frames.
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/session/run.h"
#include "config/error.h"

namespace glint {
namespace {

// Above the frames of any recording, and exact in a double.
constexpr int64_t kMostSteps = int64_t{1} << 53;
constexpr uint64_t kMostFrame = uint64_t{1} << 53;

}  // namespace

void Session::Run::carryOut() {
  for (PostedCommand& posted : commands_.take()) carryOut(std::move(posted));
}

/// What refuses a command is told by its answer. on() may take the answer to give it later.
void Session::Run::carryOut(PostedCommand posted) {
  std::string problem;
  try {
    std::visit([&](auto& command) { on(command, posted.answer); }, posted.command);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  publish();
  if (posted.answer) posted.answer(problem);
}

void Session::Run::checkSeekable(const char* wish) const {
  if (feeds_->canSeek()) return;
  throw UsageError(
      fmt::format("{} needs recordings: live cameras, streams and pipes have no place "
                  "to go to",
                  wish));
}

void Session::Run::checkFrame(uint64_t frame) const {
  const auto length = feeds_->length();
  if (length && frame >= *length)
    throw UsageError(fmt::format("there is no frame {}: the recording has {}", frame, *length));
  if (frame > kMostFrame) throw UsageError(fmt::format("there is no frame {}", frame));
}

/// What comes next does not follow what was: all that was before is ended.
void Session::Run::jump(uint64_t frame) {
  checkSeekable("a jump");
  endPass();
  failure_.clear();
  ++epoch_;
  ++pass_;
  passBegin_ = following_ = frame;
  feeds_->seek(frame, epoch_);
  mode_ = playback_.playing() ? SessionState::Mode::playing : SessionState::Mode::paused;
  playback_.showOne();
}

/// The frame that is shown, if the next one follows it, with pixels; otherwise null.
std::shared_ptr<const SessionFrame> Session::Run::shownFrame() const {
  if (playback_.wantsFrame() || !tracked_) return nullptr;
  auto frame = std::make_shared<SessionFrame>(*tracked_);
  addPixels(frame->cameras, set_);
  return frame;
}

/// The rows that would be settled if the session ended here, which it does not.
std::shared_ptr<const SessionFrame> Session::Run::openRows() const {
  Trackers copy = *trackers_;
  auto last = std::make_shared<SessionFrame>();
  last->epoch = epoch_;
  last->pass = pass_;
  last->cameras = copy.finish();
  return last;
}

void Session::Run::on(command::Change& change, Answer& answer) {
  Measuring measuring = pending_ ? pending_->measuring : detectors_->measuring();
  const Settings before = measuring.settings;
  change.change(measuring.settings);
  if (measuring.settings.device.name != before.device.name ||
      measuring.settings.device.validation != before.device.validation) {
    throw UsageError("the device cannot be changed while the session runs");
  }
  const bool cameras =
      measuring.settings.camera != before.camera || measuring.settings.cameras != before.cameras;
  if (feeds_->live() && cameras) checkCameras(before, measuring.settings);
  wish(measuring, answer);
  if (cameras || measuring.settings.live != before.live) feeds_->adjust(measuring.settings);
}

void Session::Run::checkCameras(const Settings& before, const Settings& after) const {
  for (size_t i = 0; i < groups_.places.size(); ++i) {
    const auto from = cameraSettings(before, static_cast<int>(i));
    const auto to = cameraSettings(after, static_cast<int>(i));
    if (from.size != to.size || from.format != to.format || from.rate != to.rate ||
        from.colour != to.colour) {
      throw UsageError(
          "camera.size, camera.format, camera.rate and camera.colour cannot be changed while the "
          "session runs");
    }
  }
}

void Session::Run::on(command::Explain& explain, Answer& answer) {
  Measuring measuring = pending_ ? pending_->measuring : detectors_->measuring();
  measuring.rejected = explain.on;
  wish(measuring, answer);
}

void Session::Run::on(command::Watch& watch, Answer& answer) {
  Measuring measuring = pending_ ? pending_->measuring : detectors_->measuring();
  measuring.planes = watch.planes;
  wish(measuring, answer);
}

/// It waits with those that wait already, and is told with them.
void Session::Run::wish(const Measuring& measuring, Answer& answer) {
  try {
    detectors_->wish(measuring);
  } catch (const std::exception&) {
    if (pending_) detectors_->wish(pending_->measuring);  // as before
    throw;
  }
  if (!pending_) pending_.emplace();
  pending_->measuring = measuring;
  if (answer) pending_->answers.push_back(std::exchange(answer, {}));
}

/// What waits comes into force as soon as it holds up no frame, or is refused; things then go on as
/// before.
void Session::Run::bringIntoForce() {
  if (!pending_) return;
  std::string problem;
  std::exception_ptr lost;
  try {
    if (!detectors_->ready()) return;
    adopt();
  } catch (const DeviceLost& error) {
    lost = std::current_exception();
    problem = error.what();
  } catch (const std::exception& error) {
    problem = error.what();
  }
  const Pending done = *std::exchange(pending_, std::nullopt);
  publish();
  for (const Answer& answer : done.answers) answer(problem);
  if (lost) std::rethrow_exception(lost);
}

void Session::Run::adopt() {
  const Measuring before = detectors_->measuring();
  detectors_->adopt();
  const Settings& settings = detectors_->measuring().settings;
  trackers_->apply(settings.track);
  ++epoch_;
  // The statistics of the frame before are of another plane.
  unseen_ |= !(before.settings.response == settings.response) ||
             before.settings.filters != settings.filters ||
             before.settings.detect.mask != settings.detect.mask;
  result_.settingsChanges.push_back({pass_, following_, settings});
  if (!playback_.wantsFrame()) measureAgain();
}

void Session::Run::on(command::Play&, Answer&) {
  if (mode_ == SessionState::Mode::atEnd || mode_ == SessionState::Mode::failed) {
    playback_.play();
    jump(playback_.in());
  }
  playback_.play();
  mode_ = SessionState::Mode::playing;
}

void Session::Run::on(command::Pause&, Answer&) {
  playback_.pause();
  if (mode_ != SessionState::Mode::playing) return;
  mode_ = SessionState::Mode::paused;
  // What came into force since the last frame still shows.
  if (!shown_ || shown_->pass != pass_) {
    if (!feeds_->live()) playback_.showOne();
  } else if (shown_->epoch != epoch_) {
    measureAgain();
  }
}

void Session::Run::on(command::Step& step, Answer&) {
  if (step.frames == 0) return;
  if (step.frames > kMostSteps || step.frames < -kMostSteps)
    throw UsageError("these are more steps than any recording has frames");
  if (step.frames > 0) {
    if (mode_ == SessionState::Mode::atEnd) throw UsageError("this is the end of the range");
    if (mode_ == SessionState::Mode::failed)
      throw UsageError(fmt::format("it stopped here ({}); seek or play first", failure_));
    playback_.step(static_cast<uint64_t>(step.frames));
    return;
  }
  checkSeekable("a step back");
  const uint64_t now = shown_ ? shown_->index : playback_.in();
  const uint64_t back = 0 - static_cast<uint64_t>(step.frames), in = playback_.in();
  playback_.pause();
  jump(now > in && now - in > back ? now - back : in);
}

void Session::Run::on(command::Seek& seek, Answer&) {
  checkFrame(seek.frame);
  if (!playback_.inRange(seek.frame)) {
    const auto out = playback_.out();
    throw UsageError(fmt::format("frame {} is outside of the range, {} to {}", seek.frame,
                                 playback_.in(), out ? std::to_string(*out) : "the end"));
  }
  jump(seek.frame);
}

void Session::Run::on(command::Speed& speed, Answer&) {
  playback_.setSpeed(speed.factor);
}

void Session::Run::on(command::Loop& loop, Answer&) {
  if (loop.on) checkSeekable("a loop");
  playback_.setLoop(loop.on);
}

void Session::Run::on(command::Range& range, Answer&) {
  checkSeekable("a range");
  checkFrame(range.in);
  if (range.out && *range.out > kMostFrame) throw UsageError("the range ends too far away");
  playback_.setRange(range.in, range.out);
  if (next_ && playback_.beyond(next_->index)) {
    next_.reset();
    reachEnd();
  } else if ((tracked_ ? tracked_->index : passBegin_) < range.in) {
    jump(range.in);  // only what is in the range is played
  }
}

void Session::Run::on(command::AddExporters& added, Answer&) {
  recordings_->add(std::move(added), shownFrame());
}

void Session::Run::on(command::RemoveExporters& removed, Answer& answer) {
  Answer whole = std::exchange(answer, {});
  try {
    recordings_->remove(removed.id, openRows(), whole);
  } catch (const std::exception&) {
    answer = std::move(whole);
    throw;
  }
}

void Session::Run::on(command::AddListener& added, Answer&) {
  if (!listeners_.emplace(added.id, added.listener).second)
    throw UsageError(fmt::format("there is a listener {} already", added.id));
}

void Session::Run::on(command::RemoveListener& removed, Answer&) {
  if (listeners_.erase(removed.id) == 0)
    throw UsageError(fmt::format("there is no listener {}", removed.id));
}

void Session::Run::on(command::Stop&, Answer&) {
  stopping_ = true;
}

}  // namespace glint
