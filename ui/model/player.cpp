#include "ui/model/player.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/chrono.h>

#include "app/shell/desk/folder_list.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::ui {
namespace {

std::string speedName(double factor) {
  return factor == 0 ? "as fast as tracking allows" : fmt::format("{:g}x", factor);
}

/// Returns the rate at which a frame of this number has this time (s), in frames/s.
double rateFrom(uint64_t frame, double time) {
  return std::clamp(static_cast<double>(frame) / time, 0.1, 10000.0);
}

std::string begunWords(const std::string& recording) {
  return "recording into " + std::filesystem::absolute(recording).string();
}

/// Returns words about a recording without a row.
const char* noRowsWords(bool ofTracks) {
  return ofTracks ? " and no rows, as no track was confirmed yet"
                  : " and no rows, as there was nothing to write yet";
}

/// Returns true if the file is a finished table of tracks (CSV or JSON lines) without a row.
bool hasNoRows(const std::string& recording) {
  const bool names = recording.ends_with(".csv");
  std::ifstream file(recording);
  if (!file || !(names || recording.ends_with(".jsonl"))) return false;
  size_t lines = 0;
  for (std::string line; lines < 2 && std::getline(file, line);) ++lines;
  return lines < (names ? 2U : 1U);
}

}  // namespace

std::optional<gpu::FrameStamp> stampOf(const motion::Frame& frame) {
  for (const motion::CameraFrame& camera : frame.cameras)
    if (camera.measured.stamp) return camera.measured.stamp;
  return std::nullopt;
}

std::string timedName(const std::string& suffix) {
  return shell::newFileName(
      fmt::format("glint-{:%Y%m%d-%H%M%S}", fmt::localtime(std::time(nullptr))), suffix);
}

Player::Player(const shell::WindowTask& task, std::shared_ptr<Messages> messages,
               std::function<void()> wake)
    : session_(task.session),
      task_(task),
      messages_(std::move(messages)),
      wake_(std::move(wake)),
      state_(session_.state()) {
  playing_ = follows();
  speed_ = state_->speed;
  loops_ = state_->loops;
  in_ = state_->in;
  out_ = state_->out;
  for (const output::SinkStatus& status : state_->sinks)
    if (status.handover == output::Handover::waits) recordingId_ = status.id;
}

void Player::noteTime(SetIndex frame, double time) {
  if (!rate_ && frame > SetIndex() && time > 0) rate_ = rateFrom(frame.value(), time);
}

void Player::see(std::shared_ptr<const session::SessionState> state, bool settled) {
  state_ = std::move(state);
  settled_ = settled;
  if (settled) {
    if (!state_->owes) playing_ = follows();
    speed_ = state_->speed;
    loops_ = state_->loops;
    in_ = state_->in;
    out_ = state_->out;
  }
  reportFinished();
  if (!state_->frame) return;
  const auto stamp = stampOf(*state_->frame);
  if (stamp && stamp->sequence > FrameNumber() && stamp->time > 0) {
    // Counts sets in a recording, because a slower camera has no frame in some of them.
    const uint64_t count = state_->live ? stamp->sequence.value() : state_->frame->set.value();
    rate_ = rateFrom(count, stamp->time);
  }
  // The frame has arrived, or one near it where cameras have gaps.
  if (settled && !state_->owes) wanted_.reset();
  if (scrub_ && !wanted_) askFor(*std::exchange(scrub_, std::nullopt));
}

/// Returns true if the picture changes by itself, because the session plays and no earlier frame is
/// looked at.
bool Player::follows() const {
  return state_->mode == session::SessionState::Mode::playing &&
         !(state_->recent && state_->recent->isShown);
}

void Player::post(session::Command command) {
  ++*unanswered_;
  settled_ = false;
  session_.post(std::move(command), [messages = messages_, wake = wake_,
                                     unanswered = unanswered_](const std::string& problem) {
    --*unanswered;
    if (!problem.empty()) messages->say(problem);
    wake();
  });
}

uint64_t Player::frame() const {
  if (wanted_) return *wanted_;
  return state_->frame ? state_->frame->set.value() : 0;
}

uint64_t Player::firstFrame() const {
  return state_->live && state_->recent ? state_->recent->first.value() : 0;
}

std::optional<uint64_t> Player::lastFrame() const {
  if (state_->live && state_->recent) return state_->recent->last.value();
  if (!state_->length || *state_->length == 0) return std::nullopt;
  return *state_->length - 1;
}

void Player::togglePlay() {
  if (state_->live) {
    if (!playing_) return backToLive();
    if (state_->recent) return seek(state_->recent->last.value());
    playing_ = false;
    return post(session::command::Hold{});
  }
  playing_ = !playing_;
  if (!playing_) return post(session::command::Pause{});
  wanted_.reset();
  post(session::command::Play{});
}

void Player::backToLive() {
  playing_ = true;
  wanted_.reset();
  scrub_.reset();
  post(session::command::ShowRecent{});
  if (state_->mode == session::SessionState::Mode::paused) post(session::command::Play{});
}

void Player::pause() {
  playing_ = false;
  post(session::command::Pause{});
}

/// Returns the frame in the range that is nearest to `frame`.
uint64_t Player::inRange(uint64_t frame) const {
  return std::max(in_.value(), out_ ? std::min(frame, out_->value()) : frame);
}

void Player::askFor(uint64_t frame) {
  if (state_->live && !state_->recent) return messages_->say("no earlier frame is in memory");
  if (const auto last = lastFrame()) frame = std::clamp(frame, firstFrame(), *last);
  if (const uint64_t nearest = inRange(frame); nearest != frame) {
    messages_->say(fmt::format("frame {} is outside the range, {} to {}", frame, in_,
                               out_ ? fmt::to_string(*out_) : "the end"));
    frame = nearest;
  }
  wanted_ = frame;
  if (state_->live && state_->recent) {
    playing_ = false;
    return post(session::command::ShowRecent{SetIndex(frame)});
  }
  if (!playing()) post(session::command::Pause{});  // cancels steps that are still to come
  post(session::command::Seek{SetIndex(frame)});
}

void Player::seek(uint64_t frame) {
  scrub_.reset();
  askFor(frame);
}

void Player::seekFirst() {
  seek(inRange(firstFrame()));
}

void Player::seekEnd() {
  if (!state_->live) pause();
  if (const auto last = lastFrame()) seek(inRange(*last));
}

/// Moves by some of the frames of live cameras that are in memory.
void Player::stepInMemory(int64_t frames) {
  if (!state_->recent) return messages_->say("no earlier frame is in memory");
  const uint64_t first = firstFrame(), last = state_->recent->last.value();
  const uint64_t now = std::clamp(playing_ ? last : frame(), first, last);
  if (frames < 0 && now == first) return messages_->say("the oldest frame in memory");
  if (frames > 0 && now == last) return messages_->say("the newest frame in memory");
  const auto wanted = static_cast<int64_t>(now) + frames;
  seek(static_cast<uint64_t>(std::max<int64_t>(0, wanted)));
}

void Player::step(int64_t frames) {
  if (state_->live) return stepInMemory(frames);
  if (frames > 0 && frames <= 3) {
    const auto last = lastFrame();
    if (last && frame() >= *last && state_->canSeek) return messages_->say("the last frame");
    if (!playing()) wanted_ = frame() + static_cast<uint64_t>(frames);
    playing_ = false;
    return post(session::command::Step{frames});
  }
  if (playing()) pause();
  const uint64_t now = frame();
  if (frames > 0) return seek(now + static_cast<uint64_t>(frames));
  if (now == 0) return messages_->say("the first frame");
  const auto back = static_cast<uint64_t>(-frames);
  scrub_.reset();
  wanted_ = now > back ? now - back : 0;
  post(session::command::Step{frames});
}

void Player::scrub(uint64_t frame) {
  if (wanted_)
    scrub_ = frame;
  else if (inRange(frame) != this->frame())
    askFor(frame);
}

void Player::jumpBy(double share) {
  if (state_->live && state_->recent) {
    const auto all = static_cast<double>(state_->recent->last - state_->recent->first);
    return stepInMemory(std::llround(all * share));
  }
  if (!state_->length) return;
  const auto by = std::llround(static_cast<double>(*state_->length) * share);
  const auto to = static_cast<int64_t>(frame()) + by;
  seek(static_cast<uint64_t>(std::max<int64_t>(0, to)));
}

void Player::setSpeed(double factor) {
  if (state_->live) return messages_->say("live cameras have no speed");
  speed_ = factor;
  post(session::command::Speed{factor});
  messages_->say("speed " + speedName(factor));
}

void Player::changeSpeed(int direction) {
  const double now = speed_;
  if (direction > 0) {
    if (now == 0) return setSpeed(0);
    for (const double speed : kSpeeds)
      if (speed > now * 1.001 || speed == 0) return setSpeed(speed);
    return;
  }
  if (now == 0) return setSpeed(kSpeeds[kSpeeds.size() - 2]);
  for (auto it = kSpeeds.rbegin() + 1; it != kSpeeds.rend(); ++it)
    if (*it < now * 0.999) return setSpeed(*it);
  setSpeed(kSpeeds.front());
}

void Player::toggleLoop() {
  if (!state_->canSeek) return messages_->say("only recordings play again");
  loops_ = !loops_;
  post(session::command::Loop{loops_});
  messages_->say(loops_ ? "plays again at the end" : "stops at the end");
}

/// Posts both ends at once, because a key may come before the session has taken the end that was
/// set before. Tells the user `words`.
void Player::setRange(SetIndex in, std::optional<SetIndex> out, const std::string& words) {
  if (!state_->canSeek) return messages_->say("only recordings have in and out points");
  in_ = in;
  out_ = out;
  post(session::command::Range{in, out});
  messages_->say(words);
}

void Player::setIn(std::optional<uint64_t> frame) {
  const SetIndex in(frame.value_or(0));
  setRange(in, out_ && *out_ < in ? std::nullopt : out_,
           frame ? fmt::format("in at frame {}", *frame) : "in at the start");
}

void Player::setOut(std::optional<uint64_t> frame) {
  const auto out = frame ? std::optional(SetIndex(*frame)) : std::nullopt;
  setRange(out && *out < in_ ? SetIndex() : in_, out,
           frame ? fmt::format("out at frame {}", *frame) : "out at the end");
}

void Player::clearRange() {
  setRange({}, std::nullopt, "the whole recording");
}

void Player::change(std::function<void(Settings&)> apply, session::Answer done) {
  session_.post(session::command::Change{std::move(apply)}, std::move(done));
}

bool Player::recording() const {
  if (!recordingId_) return false;
  for (const output::SinkStatus& status : state_->sinks)
    if (status.id == *recordingId_) return !status.finished;
  return true;  // it was asked for, and has not begun
}

void Player::toggleRecording(output::OutputSpec spec, const std::string& suffix) {
  if (recording()) return stopRecording();
  try {
    const std::string name = timedName(suffix);
    spec.target = name;
    session::command::AddSink added = task_.makeRecording(spec);
    added.id = session_.newId();
    const bool again = isAtEnd();
    if (again) seekFirst();
    recordingId_ = added.id;
    post(std::move(added));
    messages_->note(begunWords(name));
    if (again) togglePlay();
  } catch (const Error& error) {
    messages_->fail(error.what());
  }
}

bool Player::isAtEnd() const {
  if (state_->live || !state_->canSeek || playing()) return false;
  const auto last = out_ ? std::optional(out_->value()) : lastFrame();
  return state_->mode == session::SessionState::Mode::atEnd || (last && frame() >= *last);
}

bool Player::waitsForPlay() const {
  return !state_->live && !playing();
}

void Player::stopRecording() {
  if (recording()) post(session::command::RemoveSink{*std::exchange(recordingId_, std::nullopt)});
}

void Player::announceRecordingEnd() {
  const std::string name = recordingName();
  if (name.empty()) return;
  messages_->dismiss(begunWords(name));
  messages_->note(fmt::format("recorded {}, until others were opened", name));
}

bool Player::startStream(const std::string& target) {
  try {
    session::command::AddSink added = task_.makeStream(target);
    added.id = session_.newId();
    streams_.push_back({added.id, target});
    post(std::move(added));
    messages_->note("streaming to " + target);
    return true;
  } catch (const Error& error) {
    messages_->fail(error.what());
    return false;
  }
}

void Player::stopStream(uint64_t id) {
  post(session::command::RemoveSink{id});
  std::erase_if(streams_, [&](const Streaming& stream) { return stream.id == id; });
}

/// Tells the user about each recording that has ended, once, and how it ended.
void Player::reportFinished() {
  for (const output::SinkStatus& status : state_->sinks) {
    const bool file = status.handover == output::Handover::waits;
    if (!file || !status.finished || !reported_.insert(status.id).second) continue;
    if (!status.problem.empty()) {
      messages_->fail(status.problem);
    } else if (status.id != 0) {  // the summary tells about the outputs
      const bool ofTracks = output::recordingSpec(status.name).kind == "tracks";
      messages_->dismiss(begunWords(status.name));
      messages_->note(fmt::format("recorded {}: {}{}", status.name, counted(status.frames, "frame"),
                                  hasNoRows(status.name) ? noRowsWords(ofTracks) : ""));
      if (ofTracks) lastRecorded_ = status.name;
    }
  }
}

std::string Player::recordingName() const {
  for (const output::SinkStatus& status : state_->sinks)
    if (recordingId_ && status.id == *recordingId_) return status.name;
  return "";
}

}  // namespace glint::ui
