#include "app/session/playback.h"

#include <algorithm>
#include <limits>

#include "config/error.h"

namespace glint {

void Playback::play() {
  if (!playing_) zero_.reset();
  playing_ = true;
  owed_ = 0;
}

void Playback::pause() {
  playing_ = false;
  owed_ = 0;
}

void Playback::step(uint64_t frames) {
  const uint64_t before = playing_ ? 0 : owed_;
  owed_ = before + std::min(frames, std::numeric_limits<uint64_t>::max() - before);
  playing_ = false;
  zero_.reset();
}

uint64_t Playback::takeBack(uint64_t frames, uint64_t kept) {
  const uint64_t taken = std::min(frames, owed_ - std::min(owed_, kept));
  owed_ -= taken;
  return frames - taken;
}

void Playback::showOne() {
  if (!playing_ && owed_ == 0) owed_ = 1;
}

void Playback::jumped() {
  owed_ = 0;
  zero_.reset();
}

void Playback::setSpeed(double factor) {
  if (factor != 0 && !(factor >= kLeastSpeed && factor <= kMostSpeed)) {
    throw UsageError("the speed must be 0 (as fast as possible) or from 0.001 to 1000");
  }
  speed_ = factor;
  zero_.reset();
}

void Playback::setRange(SetIndex in, std::optional<SetIndex> out) {
  if (out && *out < in) throw UsageError("the range ends before it begins");
  in_ = in;
  out_ = out;
}

std::optional<Playback::Clock::time_point> Playback::due(double time, Clock::time_point now) {
  if (!playing_ || speed_ == 0) return std::nullopt;
  if (!zero_) zero_ = {now, time};
  constexpr double kLongest = 1e9;  // s, whatever times a file tells
  const std::chrono::duration<double> since(
      std::clamp((time - zero_->time) / speed_, -kLongest, kLongest));
  return zero_->at + std::chrono::duration_cast<Clock::duration>(since);
}

void Playback::taken() {
  if (!playing_ && owed_ > 0) --owed_;
}

}  // namespace glint
