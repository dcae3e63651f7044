#include "app/session/set_reader.h"

#include <algorithm>
#include <variant>

#include "app/motion/space/space_rig.h"
#include "config/error.h"

namespace glint::session {
namespace {

// Interval at which the interrupt is checked.
constexpr std::chrono::milliseconds kWait{50};

motion::SessionInfo infoOf(const capture::SourceList& sources, bool stills) {
  motion::SessionInfo info{.sources = {}, .images = {}, .stills = stills};
  for (const auto& source : sources) {
    info.sources.push_back(source->name());
    info.images.push_back(source->format());
    info.live = info.live || source->isLive();
  }
  return info;
}

/// Returns the offsets that convert each camera's times to a common clock, s.
std::vector<double> offsetsOf(const SessionOptions& options, size_t cameras) {
  std::vector<double> offsets;
  if (!options.rig || options.rig->size() != cameras) return offsets;
  for (size_t c = 0; c < cameras; ++c) offsets.push_back((*options.rig)[c].camera().timeOffset);
  return offsets;
}

}  // namespace

SetReader::SetReader(const gpu::Device& device, capture::SourceList sources,
                     const SessionOptions& options)
    : interrupt_(options.interrupt ? *options.interrupt : noInterrupt_),
      info_(std::make_shared<const motion::SessionInfo>(infoOf(sources, options.stills))),
      feeds_(device, std::move(sources), options.settings.live, interrupt_,
             offsetsOf(options, info_->sources.size())) {}

void SetReader::beginAt(const capture::From& from) {
  if (feeds_.live())
    throw UsageError("--from needs a recording: of live cameras there is nothing before");
  const auto* frame = std::get_if<FrameNumber>(&from);
  const double seconds = frame ? 0 : std::get<double>(from);
  bool ended = false;
  const auto go = [&](uint64_t set) {
    feeds_.seek(SetIndex(set), Epoch());
    ended = fetchFirst();
  };
  if (feeds_.canSeek()) {
    go(frame ? frame->value() : capture::firstAt(seconds, [&](uint64_t set) {
      go(set);
      return fetched_ ? timeOf(*fetched_) : std::nullopt;
    }));
  } else {
    const auto before = [&] {
      if (!fetched_) return false;
      return frame ? fetched_->set.value() < frame->value()
                   : capture::isEarlier(timeOf(*fetched_).value_or(seconds), seconds);
    };
    do ended = fetchFirst();
    while (before());
  }
  if (!fetched_ && ended) capture::refuseFrom(from);
}

/// Replaces the fetched set by the next one. Returns true if there is none because the recording
/// has ended.
bool SetReader::fetchFirst() {
  for (drop(); !interrupt_.isSet();) {
    const capture::Feeds::Outcome outcome = fetch(kWait);
    if (outcome != capture::Feeds::Outcome::nothing)
      return outcome == capture::Feeds::Outcome::ended;
  }
  return false;
}

capture::Feeds::Outcome SetReader::fetch(std::chrono::milliseconds patience) {
  if (fetched_) return capture::Feeds::Outcome::set;
  capture::FrameSet set;
  const capture::Feeds::Outcome outcome = feeds_.next(set, patience);
  if (outcome == capture::Feeds::Outcome::set) fetched_ = std::move(set);
  return outcome;
}

std::optional<double> SetReader::timeOf(const capture::FrameSet& set) const {
  std::optional<double> time;
  const auto& places = feeds_.groups().places;
  for (size_t i = 0; i < places.size(); ++i) {
    const auto stamp = set.stampOf(places[i]);
    if (!stamp) continue;
    const double own = stamp->time + feeds_.offsetOf(i);
    time = std::min(time.value_or(own), own);
  }
  return time;
}

}  // namespace glint::session
