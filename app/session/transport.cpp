#include "app/session/transport.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "config/error.h"

namespace glint::session {
namespace {

// Limits for a number of steps and for the number of a set, above the number of frames of any
// recording. They can be represented exactly in a double.
constexpr uint64_t kMostSteps = uint64_t{1} << 53;
constexpr SetIndex kMostSet{uint64_t{1} << 53};

void checkSteps(uint64_t frames) {
  if (frames > kMostSteps) throw UsageError("these are more steps than any recording has frames");
}

}  // namespace

void Transport::checkSeekable(const char* request) const {
  if (sources_.canSeek) return;
  throw UsageError("{} needs recordings: live cameras, streams and pipes cannot seek", request);
}

void Transport::checkSet(SetIndex set) const {
  const auto length = sources_.length;
  if (length && set.value() >= *length)
    throw UsageError("there is no frame {}: the recording has {}", set, *length);
  if (set > kMostSet) throw UsageError("there is no frame {}", set);
}

std::optional<SetIndex> Transport::play() {
  const bool restarts = mode_ == PlayMode::atEnd || mode_ == PlayMode::failed;
  if (restarts) checkSeekable("a jump");
  if (!playing_) start_.reset();
  playing_ = true;
  remaining_ = 0;
  mode_ = PlayMode::playing;
  if (!restarts) return std::nullopt;
  stepBack_.reset();
  return in_;
}

bool Transport::pause() {
  playing_ = false;
  remaining_ = 0;
  if (mode_ != PlayMode::playing) return false;
  mode_ = PlayMode::paused;
  return true;
}

void Transport::step(uint64_t frames, const std::string& failure) {
  checkSteps(frames);
  if (mode_ == PlayMode::atEnd) throw UsageError("this is the end of the range");
  if (mode_ == PlayMode::failed)
    throw UsageError("it stopped here ({}); seek or play first", failure);
  const uint64_t before = playing_ ? 0 : remaining_;
  remaining_ = before + std::min(frames, std::numeric_limits<uint64_t>::max() - before);
  playing_ = false;
  start_.reset();
}

std::optional<SetIndex> Transport::stepBack(uint64_t frames, std::optional<SetIndex> shown) {
  checkSteps(frames);
  checkSeekable("a step back");
  const SetIndex from = shown.value_or(passBegin_);
  // The first set after a jump is not on show yet. The step begins there.
  const uint64_t kept = shown ? 0 : 1;
  const uint64_t takenBack = std::min(frames, remaining_ - std::min(remaining_, kept));
  remaining_ -= takenBack;
  const uint64_t back = frames - takenBack;
  if (back == 0) return std::nullopt;
  playing_ = false;
  stepBack_ = StepBack{.from = from, .in = in_, .last = {}};
  return from > in_ && from - in_ > back ? from - back : in_;
}

void Transport::seek(SetIndex set) {
  checkSet(set);
  if (set < in_ || isAfterRange(set))
    throw UsageError("frame {} is outside the range, {} to {}", set, in_,
                     out_ ? fmt::to_string(*out_) : "the end");
  checkSeekable("a jump");
  stepBack_.reset();
}

void Transport::setSpeed(double factor) {
  if (factor != 0 && !(factor >= kLeastSpeed && factor <= kMostSpeed)) {
    throw UsageError("the speed must be 0 (as fast as possible) or from 0.001 to 1000");
  }
  speed_ = factor;
  start_.reset();
}

void Transport::setLoop(bool on) {
  if (on) checkSeekable("a loop");
  loop_ = on;
}

Transport::Action Transport::setRange(SetIndex in, std::optional<SetIndex> out,
                                      std::optional<SetIndex> fetched) {
  checkSeekable("a range");
  checkSet(in);
  if (out && *out > kMostSet) throw UsageError("the range ends too far away");
  if (out && *out < in) throw UsageError("the range ends before it begins");
  in_ = in;
  out_ = out;
  if (fetched && isAfterRange(*fetched)) return reachEnd();
  if (newest_.value_or(passBegin_) >= in_) return {};
  stepBack_.reset();
  return {Action::Kind::jump, in_};
}

void Transport::beginAt(SetIndex set) {
  passBegin_ = next_ = set;
}

Transport::Action Transport::consider(SetIndex fetched) {
  if (stepBack_) {
    const Action action = continueStepBack(fetched);
    if (action.kind != Action::Kind::take) return action;
  }
  return isBeyond(fetched) ? reachEnd() : Action{};
}

/// Continues a step back. If the fetched set is not before the one where the step began, tries from
/// further back. Then skips sets until the last one before that is known.
Transport::Action Transport::continueStepBack(SetIndex fetched) {
  StepBack& step = *stepBack_;
  if (fetched < step.from && step.distance > 1) {
    step.last = fetched;
    return {Action::Kind::skip};
  }
  if (fetched < step.from || (!step.last && passBegin_ <= step.in)) {
    stepBack_.reset();
    return {};
  }
  if (step.last) {
    const SetIndex found = *step.last;
    step = {.from = step.from, .in = step.in, .last = {}};
    return {Action::Kind::jump, found};
  }
  const uint64_t room = passBegin_ - step.in;
  const uint64_t distance = std::exchange(step.distance, 2 * step.distance);
  return {Action::Kind::jump, passBegin_ - std::min(distance, room)};
}

Transport::Action Transport::reachEnd() {
  // A pass of one set, such as a still picture, would only repeat itself.
  if (loop_ && playing_ && sources_.canSeek && newest_ && *newest_ > in_) {
    stepBack_.reset();
    return {Action::Kind::jump, in_};
  }
  return {stays_ && !sources_.live ? Action::Kind::rest : Action::Kind::stop};
}

void Transport::taken(SetIndex set) {
  if (!playing_ && remaining_ > 0) --remaining_;
  if (!wantsSet()) mode_ = PlayMode::paused;
  newest_ = set;
  next_ = set + 1;
}

void Transport::endPass() {
  remaining_ = 0;
  start_.reset();
  newest_.reset();
}

void Transport::jumpTo(SetIndex set) {
  ++epoch_;
  ++pass_;
  passBegin_ = next_ = set;
  mode_ = playing_ ? PlayMode::playing : PlayMode::paused;
  showOne();
}

void Transport::splitPass(SetIndex from) {
  ++epoch_;
  ++pass_;
  passBegin_ = from;
}

void Transport::showOne() {
  if (!playing_ && remaining_ == 0) remaining_ = 1;
}

void Transport::restAt(PlayMode mode) {
  playing_ = false;
  remaining_ = 0;
  mode_ = mode;
}

std::optional<Transport::Clock::time_point> Transport::due(double time, Clock::time_point now) {
  if (sources_.live || !playing_ || speed_ == 0) return std::nullopt;
  if (!start_) start_ = {now, time};
  // Longest time in seconds, against invalid times in files.
  constexpr double kLongest = 1e9;
  const std::chrono::duration<double> since(
      std::clamp((time - start_->time) / speed_, -kLongest, kLongest));
  return start_->at + std::chrono::duration_cast<Clock::duration>(since);
}

}  // namespace glint::session
