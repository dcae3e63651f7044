// How a session carries out what it is told, between frames.
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "app/session/run.h"
#include "config/error.h"

namespace glint {
namespace {

// Above the frames of any recording, and exact in a double.
constexpr int64_t kMostSteps = int64_t{1} << 53;
constexpr SetIndex kMostSet{uint64_t{1} << 53};

}  // namespace

void SessionRun::carryOut() {
  for (PostedCommand& posted : commands_.take()) carryOut(std::move(posted));
}

/// What refuses a command is told by its answer. on() may take the answer to give it later.
void SessionRun::carryOut(PostedCommand posted) {
  std::string problem;
  try {
    std::visit([&](auto& command) { on(command, posted.answer); }, posted.command);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  publish();
  if (posted.answer) posted.answer(problem);
}

void SessionRun::checkSeekable(const char* wish) const {
  if (feeds_->canSeek()) return;
  throw UsageError(
      fmt::format("{} needs recordings: live cameras, streams and pipes cannot seek", wish));
}

void SessionRun::checkSet(SetIndex set) const {
  const auto length = feeds_->length();
  if (length && set.value() >= *length)
    throw UsageError(fmt::format("there is no frame {}: the recording has {}", set, *length));
  if (set > kMostSet) throw UsageError(fmt::format("there is no frame {}", set));
}

/// What comes next does not follow what was: all that was before is ended.
void SessionRun::jump(SetIndex set) {
  checkSeekable("a jump");
  back_.reset();
  endPass(set);
  failure_.clear();
  ++epoch_;
  ++pass_;
  passBegin_ = following_ = set;
  feeds_->seek(set, epoch_);
  mode_ = playback_.playing() ? SessionState::Mode::playing : SessionState::Mode::paused;
  playback_.showOne();
}

/// The frame that is shown, if the next one follows it, with pixels; otherwise null.
FramePtr SessionRun::shownFrame() const {
  if (playback_.wantsFrame() || !tracked_) return nullptr;
  auto frame = std::make_shared<Frame>(*tracked_);
  addPixels(*frame);
  return frame;
}

/// What holds no measurement, only rows that were still open.
FramePtr SessionRun::lastFrame(std::vector<CameraFrame> rows,
                               std::optional<SpaceFrame> space) const {
  auto last = std::make_shared<Frame>();
  last->epoch = epoch_;
  last->pass = pass_;
  last->knowledge = tracking_.knowledge();
  last->settings = settings_;
  last->session = info_;
  last->cameras = std::move(rows);
  if (space) last->results.put(std::move(*space));
  return last;
}

void SessionRun::on(command::Change& change, Answer& answer) {
  Measuring measuring = pending_ ? pending_->measuring : detectors_.measuring();
  const Settings before = measuring.settings;
  change.change(measuring.settings);
  if (measuring.settings.device.name != before.device.name ||
      measuring.settings.device.validation != before.device.validation) {
    throw UsageError("the device cannot be changed while the session runs");
  }
  const bool cameras =
      measuring.settings.camera != before.camera || measuring.settings.cameras != before.cameras;
  if (feeds_->live() && cameras) checkCameras(before, measuring.settings);
  request(measuring, answer);
  if (cameras || measuring.settings.live != before.live) feeds_->adjust(measuring.settings);
}

void SessionRun::checkCameras(const Settings& before, const Settings& after) const {
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

void SessionRun::on(command::Explain& explain, Answer& answer) {
  Measuring measuring = pending_ ? pending_->measuring : detectors_.measuring();
  measuring.rejected = explain.on;
  request(measuring, answer);
}

void SessionRun::on(command::Watch& watch, Answer& answer) {
  Measuring measuring = pending_ ? pending_->measuring : detectors_.measuring();
  measuring.planes = watch.planes;
  request(measuring, answer);
}

/// It waits with those that wait already, and is told with them.
void SessionRun::request(const Measuring& measuring, Answer& answer) {
  try {
    detectors_.request(measuring);
  } catch (const std::exception&) {
    if (pending_) detectors_.request(pending_->measuring);  // as before
    throw;
  }
  if (!pending_) pending_.emplace();
  pending_->measuring = measuring;
  if (answer) pending_->answers.push_back(std::exchange(answer, {}));
}

/// What waits comes into force as soon as it holds up no frame, or is refused; things then go on as
/// before.
void SessionRun::bringIntoForce() {
  if (!pending_) return;
  std::string problem;
  std::exception_ptr lost;
  try {
    if (!detectors_.ready()) return;
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

void SessionRun::adopt() {
  const Measuring before = detectors_.measuring();
  detectors_.adopt();
  const Settings& settings = detectors_.measuring().settings;
  settings_ = std::make_shared<const Settings>(settings);
  tracking_.apply(settings, sinks_.recording());
  space_.apply(settings);
  ++epoch_;
  // The statistics of the frame before are of another plane.
  unseen_ |= !(before.settings.response == settings.response) ||
             before.settings.filters != settings.filters ||
             pixelsOf(before.settings.detect) != pixelsOf(settings.detect);
  result_.settingsChanges.push_back({pass_, following_, settings});
  if (!playback_.wantsFrame() || looked_) measureAgain();
}

void SessionRun::on(command::Play&, Answer&) {
  if (mode_ == SessionState::Mode::atEnd || mode_ == SessionState::Mode::failed) {
    playback_.play();
    jump(playback_.in());
  }
  playback_.play();
  feeds_->rest(false);
  mode_ = SessionState::Mode::playing;
}

void SessionRun::on(command::Pause&, Answer&) {
  playback_.pause();
  feeds_->rest(true);
  if (mode_ != SessionState::Mode::playing) return;
  mode_ = SessionState::Mode::paused;
  // What came into force since the last frame still shows.
  if (!shown_ || shown_->pass != pass_) {
    if (!feeds_->live()) playback_.showOne();
  } else if (shown_->epoch != epoch_) {
    measureAgain();
  }
}

void SessionRun::on(command::Step& step, Answer& answer) {
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
  const SetIndex in = playback_.in();
  const bool shown = shown_ && shown_->pass == pass_;
  const SetIndex now = shown ? shown_->set : passBegin_;
  const uint64_t back = playback_.takeBack(0 - static_cast<uint64_t>(step.frames), shown ? 0 : 1);
  command::Pause pause;
  if (back == 0 && !playback_.wantsFrame()) on(pause, answer);
  if (back == 0) return;
  playback_.pause();
  jump(now > in && now - in > back ? now - back : in);
  back_ = Back{.from = now, .in = in, .last = {}};
}

/// Whether the set that was fetched is the one that a step back shows. Where it is not before the
/// one that was shown, the step is tried from further back; then the last frame before that counts.
bool SessionRun::steppedBack() {
  Back back = *back_;
  if (next_->set < back.from && back.reach > 1) {
    back_->last = next_->set;
    next_.reset();
    return false;
  }
  const bool found = next_->set < back.from || (!back.last && passBegin_ <= back.in);
  if (found) {
    back_.reset();
    return true;
  }
  const uint64_t room = passBegin_ - back.in;
  jump(back.last ? *back.last
                 : passBegin_ - std::min(std::exchange(back.reach, 2 * back.reach), room));
  back_ = back.last ? Back{.from = back.from, .in = back.in, .last = {}} : back;
  return false;
}

void SessionRun::on(command::Seek& seek, Answer&) {
  checkSet(seek.set);
  if (!playback_.inRange(seek.set)) {
    const auto out = playback_.out();
    throw UsageError(fmt::format("frame {} is outside the range, {} to {}", seek.set,
                                 playback_.in(), out ? fmt::to_string(*out) : "the end"));
  }
  jump(seek.set);
}

void SessionRun::on(command::Speed& speed, Answer&) {
  playback_.setSpeed(speed.factor);
}

void SessionRun::on(command::Loop& loop, Answer&) {
  if (loop.on) checkSeekable("a loop");
  playback_.setLoop(loop.on);
}

void SessionRun::on(command::Range& range, Answer&) {
  checkSeekable("a range");
  checkSet(range.in);
  if (range.out && *range.out > kMostSet) throw UsageError("the range ends too far away");
  playback_.setRange(range.in, range.out);
  if (next_ && playback_.beyond(next_->set)) {
    next_.reset();
    reachEnd();
  } else if ((tracked_ ? tracked_->set : passBegin_) < range.in) {
    jump(range.in);  // only what is in the range is played
  }
}

void SessionRun::on(command::AddSink& added, Answer&) {
  sinks_.add(std::move(added), shownFrame());
}

void SessionRun::on(command::RemoveSink& removed, Answer& answer) {
  Answer whole = std::exchange(answer, {});
  try {
    sinks_.remove(removed.id, lastFrame(tracking_.openRows(), space_.openRows()), whole);
  } catch (const std::exception&) {
    answer = std::move(whole);
    throw;
  }
}

void SessionRun::on(command::Follow& follow, Answer&) {
  tracking_.follow(std::move(follow.history));
}

void SessionRun::on(command::Stop&, Answer&) {
  stopping_ = true;
}

}  // namespace glint
