#include "app/study/eval/identity.h"

#include <algorithm>
#include <cmath>

#include "app/motion/track/assignment.h"
#include "app/study/eval/errors.h"

namespace glint::study {
namespace {

// Counts a frame for each of the trajectories.
void countFrames(std::vector<uint32_t>& frames, std::span<const uint32_t> trajectories) {
  for (const uint32_t trajectory : trajectories) {
    if (trajectory >= frames.size()) frames.resize(trajectory + size_t{1}, 0);
    ++frames[trajectory];
  }
}

}  // namespace

void IdentityCounts::add(const IdentityCounts& other) {
  truth += other.truth;
  rows += other.rows;
  idTruePositives += other.idTruePositives;
  for (size_t a = 0; a < kThresholds; ++a) {
    truePositives[a] += other.truePositives[a];
    association[a] += other.association[a];
  }
}

double IdentityCounts::idf1() const {
  return ratio(2 * static_cast<double>(idTruePositives), static_cast<double>(truth + rows));
}

double IdentityCounts::hota() const {
  double sum = 0;
  for (size_t a = 0; a < kThresholds; ++a)
    sum += std::sqrt(ratio(association[a], static_cast<double>(truth + rows - truePositives[a])));
  return sum / kThresholds;
}

uint32_t IdentityCounter::meetingOf(uint32_t truth, uint32_t track) {
  const uint64_t key = uint64_t{truth} << 32 | track;
  const auto [entry, fresh] = meetingIndex_.emplace(key, static_cast<uint32_t>(meetings_.size()));
  if (fresh) meetings_.push_back({truth, track});
  return entry->second;
}

void IdentityCounter::addFrame(std::span<const uint32_t> truth, std::span<const uint32_t> tracks,
                               std::span<const SimilarPair> pairs) {
  countFrames(truthFrames_, truth);
  countFrames(trackFrames_, tracks);
  std::vector<double> ofTruth(truth.size(), 0), ofTrack(tracks.size(), 0);
  for (const SimilarPair& pair : pairs) {
    ofTruth[pair.truth] += pair.similarity;
    ofTrack[pair.track] += pair.similarity;
  }
  for (const SimilarPair& pair : pairs) {
    const uint32_t index = meetingOf(truth[pair.truth], tracks[pair.track]);
    Meeting& meeting = meetings_[index];
    ++meeting.frames;
    const double rivals = ofTruth[pair.truth] + ofTrack[pair.track] - pair.similarity;
    if (rivals > 0) meeting.potential += pair.similarity / rivals;
    candidates_.push_back({index, pair});
  }
  frameEnds_.push_back(candidates_.size());
}

IdentityCounts IdentityCounter::count() const {
  IdentityCounts counts;
  for (const uint32_t frames : truthFrames_) counts.truth += frames;
  for (const uint32_t frames : trackFrames_) counts.rows += frames;
  counts.idTruePositives = idTruePositives();
  countHota(counts);
  return counts;
}

// Returns the largest number of common frames that whole trajectories can have if they are paired
// one to one.
uint64_t IdentityCounter::idTruePositives() const {
  std::vector<motion::AllowedPair> pairs;
  for (const Meeting& meeting : meetings_)
    pairs.push_back({static_cast<int>(meeting.truth), static_cast<int>(meeting.track),
                     -static_cast<double>(meeting.frames)});
  const std::vector<int> track = motion::assign(static_cast<int>(truthFrames_.size()),
                                                static_cast<int>(trackFrames_.size()), pairs);
  uint64_t total = 0;
  for (const Meeting& meeting : meetings_)
    if (track[meeting.truth] == static_cast<int>(meeting.track)) total += meeting.frames;
  return total;
}

double IdentityCounter::share(const Meeting& meeting, double common) const {
  return common / (truthFrames_[meeting.truth] + trackFrames_[meeting.track] - common);
}

// Computes the sums for HOTA as the authors' program TrackEval does. In each frame, rows are
// assigned to markers once, by similarity multiplied with the share of frames that the two whole
// trajectories have in common. Then the assigned pairs are counted for each limit of similarity.
void IdentityCounter::countHota(IdentityCounts& counts) const {
  using PerThreshold = std::array<uint32_t, IdentityCounts::kThresholds>;
  // Allows for the rounding of a similarity that is exactly at a limit.
  constexpr double kRounding = 1e-6;
  std::vector<PerThreshold> matches(meetings_.size(), PerThreshold{});
  std::vector<motion::AllowedPair> pairs;
  size_t begin = 0;
  for (const size_t end : frameEnds_) {
    const std::span frame = std::span(candidates_).subspan(begin, end - begin);
    begin = end;
    pairs.clear();
    int rows = 0, columns = 0;
    for (const auto& [index, pair] : frame) {
      const Meeting& meeting = meetings_[index];
      pairs.push_back({static_cast<int>(pair.truth), static_cast<int>(pair.track),
                       -pair.similarity * share(meeting, meeting.potential)});
      rows = std::max(rows, pairs.back().row + 1);
      columns = std::max(columns, pairs.back().column + 1);
    }
    const std::vector<int> track = motion::assign(rows, columns, pairs);
    for (const auto& [index, pair] : frame)
      if (track[pair.truth] == static_cast<int>(pair.track))
        for (size_t a = 0; a < IdentityCounts::kThresholds; ++a)
          if (pair.similarity >= 0.05 * static_cast<double>(a + 1) - kRounding) ++matches[index][a];
  }
  for (size_t m = 0; m < meetings_.size(); ++m)
    for (size_t a = 0; a < IdentityCounts::kThresholds; ++a) {
      counts.truePositives[a] += matches[m][a];
      counts.association[a] += matches[m][a] * share(meetings_[m], matches[m][a]);
    }
}

}  // namespace glint::study
