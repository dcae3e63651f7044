#include "app/output/report/summary.h"

#include <algorithm>
#include <cmath>

namespace glint::output::report {
namespace {

// Makes bins twice as long.
void coarsen(TrackSummary& track) {
  size_t kept = 0;  // number of bins that are kept
  for (TrackBin& bin : track.bins) {
    bin.at /= 2;
    if (kept > 0 && track.bins[kept - 1].at == bin.at)
      track.bins[kept - 1].add(bin);
    else
      track.bins[kept++] = bin;
  }
  track.bins.resize(kept);
}

}  // namespace

void Range::add(const Range& other) {
  least = std::min(least, other.least);
  most = std::max(most, other.most);
}

void TrackBin::add(const TrackBin& other) {
  x.add(other.x);
  y.add(other.y);
  measured += other.measured;
  predicted += other.predicted;
}

bool CameraSummary::add(const TrackPoint& point) {
  const auto [known, isNew] = indices_.emplace(point.track, tracks_.size());
  if (!isNew && tracks_[known->second].last >= point.frame) return false;
  makeRoom(point.frame);
  if (isNew) tracks_.push_back({.id = point.track, .first = point.frame, .bins = {}});
  TrackSummary& track = tracks_[known->second];
  frames.add(point.frame, point.time);
  track.last = point.frame;
  const uint32_t at = point.frame >> shift_;
  if (track.bins.empty() || track.bins.back().at != at) track.bins.emplace_back().at = at;
  TrackBin& bin = track.bins.back();
  bin.x.add(point.x);
  bin.y.add(point.y);
  x.add(point.x);
  y.add(point.y);
  if (point.measured) {
    ++bin.measured;
    countMeasured(track, point);
  } else {
    ++bin.predicted;
    ++track.predicted;
    ++predicted_;
  }
  return true;
}

void CameraSummary::makeRoom(uint32_t frame) {
  if (tracks_.empty()) firstFrame_ = lastFrame_ = frame;
  firstFrame_ = std::min(firstFrame_, frame);
  lastFrame_ = std::max(lastFrame_, frame);
  while ((lastFrame_ >> shift_) - (firstFrame_ >> shift_) >= kMostBins) {
    ++shift_;
    for (TrackSummary& track : tracks_) coarsen(track);
  }
}

void CameraSummary::countMeasured(TrackSummary& track, const TrackPoint& point) {
  if (track.measured > 0) {
    const uint32_t passed = point.frame - track.seenFrame;
    if (passed == 1)
      steps.add(std::hypot(point.x - track.seenX, point.y - track.seenY));
    else
      ++gaps[passed - 1];
  }
  track.seenFrame = point.frame;
  track.seenX = point.x;
  track.seenY = point.y;
  ++track.measured;
  ++measured_;
  sigmaX.add(point.sigmaX);
  sigmaY.add(point.sigmaY);
  if (point.score > 0) scores.add(point.score);
  phaseX.add(point.x);
  phaseY.add(point.y);
}

uint64_t CameraSummary::gapCount() const {
  uint64_t sum = 0;
  for (const auto& [length, count] : gaps) sum += count;
  return sum;
}

uint64_t CameraSummary::medianLength() const {
  if (tracks_.empty()) return 0;
  std::vector<uint64_t> lengths;
  for (const TrackSummary& track : tracks_) lengths.push_back(track.length());
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>((lengths.size() - 1) / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  return *middle;
}

}  // namespace glint::output::report
