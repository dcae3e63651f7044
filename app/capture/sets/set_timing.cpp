#include "app/capture/sets/set_timing.h"

#include <algorithm>
#include <cmath>

namespace glint::capture {
namespace {

using Clock = CameraTiming::Clock;
using Seconds = CameraTiming::Seconds;
using SetMilliseconds = std::chrono::duration<double, std::milli>;

/// Returns the width of a window in which all cameras of one rate have a frame. Cameras that are
/// not synchronised take their frames at any places within an interval. The largest of the n gaps
/// between the frames of n cameras is at least 1/n of the interval, so the frames between two such
/// gaps lie within 1 - 1/n of it.
Seconds automaticWindow(std::span<const CameraTiming> cameras, const SetTimingOptions& options) {
  Seconds fastest = Seconds::max();
  double known = 0;
  for (const CameraTiming& camera : cameras) {
    if (!camera.sends || camera.interval.count() <= 0) continue;
    fastest = std::min(fastest, camera.interval);
    ++known;
  }
  if (known == 0) return options.firstWindow;
  return std::min(1 - 1 / std::max(known, 2.0) + options.extraWidth, options.maxWidth) * fastest;
}

/// Returns the time of the camera's next frame if that frame should be in the set. A frame that is
/// due by less than `late` may still come; frames that were due earlier were skipped.
std::optional<double> dueIn(const CameraTiming& camera, const SetSpan& set, Seconds late,
                            Clock::time_point now, const SetTimingOptions& options) {
  const Seconds interval = camera.interval;
  if (camera.fresh || !camera.sends || interval.count() <= 0) return std::nullopt;
  if (now - camera.arrived >= options.silentIntervals * interval) return std::nullopt;
  const double passed = (set.first - late.count() - camera.newest) / interval.count();
  const double due = camera.newest + std::max(1.0, std::ceil(passed)) * interval.count();
  return due <= set.last ? std::optional(due) : std::nullopt;
}

}  // namespace

void CameraTiming::see(double time, double count, Clock::time_point now,
                       const SetTimingOptions& options) {
  if (sends && time > newest) {
    const Seconds latest = Seconds(time - newest) / count;
    interval = interval.count() > 0
                   ? (1 - options.newestShare) * interval + options.newestShare * latest
                   : latest;
  }
  sends = fresh = true;
  newest = time;
  arrived = now;
}

std::optional<SetSpan> nextSet(std::span<const CameraTiming> cameras, double window,
                               const SetTimingOptions& options) {
  std::optional<double> first;
  for (const CameraTiming& camera : cameras)
    if (camera.fresh) first = std::min(first.value_or(HUGE_VAL), camera.newest);
  if (!first) return std::nullopt;
  const Seconds wide =
      window > 0 ? Seconds(SetMilliseconds(window)) : automaticWindow(cameras, options);
  return SetSpan{*first, *first + wide.count()};
}

Clock::time_point waitsUntil(std::span<const CameraTiming> cameras, const SetSpan& set, double wait,
                             Clock::time_point now, const SetTimingOptions& options) {
  if (wait <= 0) return now;
  Seconds interval = Seconds::max();
  Clock::time_point first = now;
  for (const CameraTiming& camera : cameras) {
    if (!camera.belongsTo(set)) continue;
    first = std::min(first, camera.arrived);
    if (camera.interval.count() > 0) interval = std::min(interval, camera.interval);
  }
  const Seconds late = std::min<Seconds>(SetMilliseconds(wait), interval / 2);
  std::optional<double> latest;
  for (const CameraTiming& camera : cameras)
    if (const auto due = dueIn(camera, set, late, now, options))
      latest = std::max(latest.value_or(set.first), *due);
  if (!latest) return now;
  const Seconds most = std::min(Seconds(*latest - set.first) + late, options.maxWidth * interval);
  return first + std::chrono::duration_cast<Clock::duration>(most);
}

}  // namespace glint::capture
