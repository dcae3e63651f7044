#include "tests/app/identity_cases.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <utility>

#include "app/capture/synth/scene.h"
#include "app/motion/track/tracker.h"
#include "tests/numbers.h"

namespace glint::test {
namespace {

std::vector<motion::Sample> samplesOf(const std::vector<motion::TrackRow>& rows) {
  std::vector<motion::Sample> samples;
  for (const motion::TrackRow& row : rows)
    samples.push_back({row.x, row.y, row.track.value(), static_cast<uint32_t>(row.frame.value())});
  return samples;
}

uint64_t longestFalse(const std::vector<motion::TrackRow>& rows,
                      const std::vector<motion::Sample>& truth) {
  constexpr double kRadius = 5;  // The radius of ScoreOptions, px.
  std::map<uint64_t, std::vector<motion::Sample>> byFrame;
  for (const motion::Sample& marker : truth) byFrame[marker.frame].push_back(marker);
  // The number of a track's rows, and of those on a marker.
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> tracks;
  for (const motion::TrackRow& row : rows) {
    const std::vector<motion::Sample>& markers = byFrame[row.frame.value()];
    const bool right =
        std::any_of(markers.begin(), markers.end(), [&](const motion::Sample& marker) {
          return std::hypot(marker.x - row.x, marker.y - row.y) <= kRadius;
        });
    auto& [all, onMarker] = tracks[row.track.value()];
    ++all;
    if (right) ++onMarker;
  }
  uint64_t longest = 0;
  for (const auto& [id, counts] : tracks)
    if (2 * counts.second < counts.first) longest = std::max(longest, counts.first);
  return longest;
}

}  // namespace

std::vector<IdentityCase> identityCases() {
  std::vector<IdentityCase> cases;
  for (const double step : {2.0, 6.0, 11.0}) {
    const bool fast = step > 10;
    const std::string name = "30 markers, " + std::to_string(static_cast<int>(step)) + " px/frame";
    cases.push_back({name, {.meanStep = step}});
    cases.push_back({name + ", merging below 6 px", {.meanStep = step, .mergeDistance = 6}});
    cases.push_back({name + ", jitter, dropped frames",
                     {.meanStep = step, .slices = 8, .jitter = 3, .dropRate = 0.02},
                     fast ? 0.95 : 0.99});
    cases.push_back(
        {name + ", 20 false detections", {.meanStep = step, .clutter = 20}, fast ? 0.95 : 0.98});
  }
  cases.push_back({"300 markers, 6 px/frame", {.markers = 300, .frames = 300}, 0.98});
  cases.push_back(
      {"no marker, 20 false detections", {.markers = 0, .frames = 2000, .clutter = 20}, 0});
  return cases;
}

Scene longOcclusions(int markers, double meanStep) {
  return {.markers = markers,
          .meanStep = meanStep,
          .frames = 900,
          .occlusionRate = 0.002,
          .shortest = 16,
          .longest = 60};
}

Recording recordDancer(uint64_t seed, uint64_t frames) {
  capture::SynthOptions options(capture::SynthScene::dancer);
  options.seed = seed;
  options.frames = frames;
  options.cameras = 1;
  const std::unique_ptr<glint::capture::Scene> dancer = capture::makeScene(options);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  constexpr double kNoise = 0.05;  // px
  Recording recording;
  for (uint64_t f = 0; f < frames; ++f) {
    recording.numbers.push_back(f);
    recording.times.push_back(static_cast<double>(f) / options.fps);
    std::vector<motion::Observation>& seen = recording.frames.emplace_back();
    for (const capture::TruthMarker& m : dancer->truth(f)) {
      recording.truth.push_back(
          {m.x, m.y, static_cast<uint64_t>(m.id), static_cast<uint32_t>(f), 0, m.visible});
      if (!m.visible) continue;
      motion::Observation o;
      o.x = m.x + kNoise * normal(random);
      o.y = m.y + kNoise * normal(random);
      o.sigmaX = o.sigmaY = kNoise;
      o.mass = 7000 * std::exp(0.1 * normal(random));
      o.radius = 3.6 * std::exp(0.05 * normal(random));
      seen.push_back(o);
    }
  }
  return recording;
}

Followed follow(const Recording& recording, const Settings& settings) {
  using Clock = std::chrono::steady_clock;
  Followed followed;
  motion::Tracker tracker(settings.track, std::make_shared<motion::TrackIds>());
  const auto take = [&] {
    for (const motion::TrackRow& row : tracker.takeFinalised()) followed.rows.push_back(row);
  };
  for (size_t f = 0; f < recording.frames.size(); ++f) {
    const auto start = Clock::now();
    tracker.update(frameAt(recording.numbers[f], recording.times[f]), recording.frames[f]);
    take();
    const std::chrono::duration<double, std::milli> spent = Clock::now() - start;
    followed.milliseconds.push_back(spent.count());
  }
  tracker.finish();
  take();
  followed.stitches = tracker.stitches();
  return followed;
}

Outcome judge(const Followed& followed, const Recording& recording) {
  Outcome outcome;
  outcome.score = study::score(samplesOf(followed.rows), recording.truth).all;
  const double truth = static_cast<double>(std::max<uint64_t>(outcome.score.truth, 1));
  outcome.switchesPerThousand = 1000 * static_cast<double>(outcome.score.switches) / truth;
  outcome.longestFalse = longestFalse(followed.rows, recording.truth);
  return outcome;
}

}  // namespace glint::test
