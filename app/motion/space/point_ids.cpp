#include "app/motion/space/point_ids.h"

#include <algorithm>
#include <set>

namespace glint::motion {
namespace {

// Returns the positions of the confirmed points that were measured in set `frame`.
std::vector<PointPlace> placesOf(std::span<const PointTrack> tracks, uint64_t frame) {
  std::vector<PointPlace> all;
  for (const PointTrack& track : tracks)
    if (track.id() != 0 && track.lastMeasured() == frame)
      all.push_back({track.id(), track.last().at, track.last().velocity});
  return all;
}

}  // namespace

void PointIds::apply(const Settings::Track& settings) {
  settings_ = settings;
  stitcher_.setMaxGap(settings.stitchGap);
}

void PointIds::confirm(std::vector<PointTrack>& tracks, const SetClock& clock) {
  std::vector<PointTrack*> earned;
  std::vector<NewPoint> found;
  std::set<uint64_t> predicted;  // ids
  for (PointTrack& track : tracks) {
    if (track.id() != 0 || track.measured() < settings_.confirm) continue;
    earned.push_back(&track);
    found.push_back({{0, track.last().at, track.last().velocity}, track.since});
  }
  if (!earned.empty())
    for (const PointTrack& track : tracks)
      if (track.id() != 0 && !track.isMeasured()) {
        remember(track);
        predicted.insert(track.id());
      }
  const auto ids = stitcher_.join(found, placesOf(tracks, clock.frame()), clock.now());
  for (size_t i = 0; i < earned.size(); ++i) earned[i]->confirm(ids[i] != 0 ? ids[i] : ++given_);
  for (const uint64_t id : ids) {
    if (!predicted.erase(id)) continue;
    std::erase_if(tracks,
                  [&](const PointTrack& track) { return track.id() == id && !track.isMeasured(); });
  }
  for (const uint64_t id : predicted) stitcher_.forget(id);
  if (!(settings_.stitchGap > 0)) return;
  scenes_.emplace_back(clock.frame(), placesOf(tracks, clock.frame()));
  while (clock.frame() - scenes_.front().first > static_cast<uint64_t>(settings_.maxGap) + 1)
    scenes_.pop_front();
}

void PointIds::confirmRest(std::span<PointTrack> tracks, const SetClock& clock) {
  for (PointTrack& track : tracks)
    if (track.id() == 0 && static_cast<uint64_t>(track.measured()) == clock.sets())
      track.confirm(++given_);
}

void PointIds::remember(const PointTrack& track) {
  const auto scene = std::find_if(scenes_.begin(), scenes_.end(), [&](const auto& one) {
    return one.first == track.lastMeasured();
  });
  stitcher_.remember({track.id(), track.last().at, track.last().velocity}, track.seenAt,
                     scene == scenes_.end() ? std::vector<PointPlace>() : scene->second);
}

}  // namespace glint::motion
