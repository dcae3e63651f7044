#include "app/sweep/sweep.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/capture/feeds.h"
#include "app/capture/source_kinds.h"
#include "app/filter/file_images.h"
#include "app/opening/opening.h"
#include "app/session/detectors.h"
#include "app/session/trackers.h"
#include "config/error.h"

namespace glint {
namespace {

constexpr std::chrono::milliseconds kPatience{100};
constexpr std::chrono::milliseconds kMakes{1};  // kernels and buffers of another detection

/// As tracks.csv has it, so that scores are those of that file.
double asWritten(double coordinate) {
  return std::round(coordinate * 1e4) / 1e4;
}

/// One combination while a recording is tracked.
struct Follower {
  Follower(const Combination& combination, size_t place, size_t cameras, bool stills, bool keeps)
      : index(place), trackers(combination.settings.track, cameras, stills), keepsSamples(keeps) {}

  void follow(const std::vector<TrackerInput>& inputs, std::vector<CameraFrame>& scratch) {
    scratch.resize(inputs.size());
    trackers.update(inputs, scratch);
    take(scratch);
  }

  void take(const std::vector<CameraFrame>& cameras) {
    for (size_t i = 0; i < cameras.size(); ++i) {
      const auto camera = static_cast<uint16_t>(i);
      for (const TrackRow& row : cameras[i].finalised) {
        rater.add(camera, row);
        if (keepsSamples)
          samples.push_back({asWritten(row.x), asWritten(row.y), row.track.value(),
                             static_cast<uint32_t>(row.frame.value()), camera});
      }
    }
  }

  size_t index;  // of the combination
  Trackers trackers;
  Rater rater;
  bool keepsSamples;
  std::vector<Sample> samples;
};

std::vector<std::unique_ptr<Source>> openRecordings(const SweepOptions& options,
                                                    Interrupt& interrupt) {
  std::vector<std::unique_ptr<Source>> sources;
  for (const std::string& name : options.sources) {
    sources.push_back(openSource(name, &interrupt));
    if (sources.back()->isLive())
      throw UsageError(fmt::format(
          "'{}' is live: a sweep needs a recording; glint track --record makes one", name));
  }
  return sources;
}

/// A detection, and all that is tracked from it.
struct Part {
  Measuring measuring;
  std::vector<Follower> followers;
  std::vector<TrackerInput> inputs;  // of the last set

  Follower& lead() { return followers.front(); }
};

/// The recording, decoded once, and every detection of each set.
class Run {
 public:
  Run(const Device& device, const std::vector<Combination>& combinations,
      const SweepOptions& options, Interrupt& interrupt)
      : options_(options), interrupt_(interrupt) {
    auto sources = openRecordings(options, interrupt);
    stills_ = stillsOf({}, sources).stills;
    frames_.resize(sources.size());
    feeds_ = std::make_unique<Feeds>(device, std::move(sources), combinations.front().settings.live,
                                     interrupt);
    for (size_t i = 0; i < combinations.size(); ++i) {
      const Combination& one = combinations[i];
      if (one.detection == parts_.size()) parts_.push_back({{one.settings}, {}, {}});
      parts_[one.detection].followers.emplace_back(one, i, frames_.size(), stills_,
                                                   !options.truth.empty());
    }
    for (const Part& part : parts_) {
      // Filters may remember frames, so each detection has its own.
      const bool alone = detectors_.empty() || !part.measuring.settings.filters.empty();
      if (alone)
        detectors_.push_back(
            std::make_unique<Detectors>(device, feeds_->groups(), part.measuring, fileImages()));
      else
        turnTo(part, *detectors_.front());
    }
  }

  /// Returns why the recording broke off, or empty.
  std::string track() {
    FrameSet set;
    while (!options_.frames || count_ < *options_.frames) {
      const Feeds::Outcome outcome = feeds_->next(set, kPatience);
      if (interrupt_.isSet()) throw Interrupted("the sweep was interrupted");
      if (outcome == Feeds::Outcome::ended || outcome == Feeds::Outcome::failed) break;
      if (outcome != Feeds::Outcome::set) continue;
      for (Part& part : parts_) measure(part, set);
      ++count_;
      if (options_.progress) options_.progress(count_);
    }
    followLast();
    return feeds_->failure();
  }

  uint64_t count() const { return count_; }

  void rate(std::vector<SweepResult>& results) {
    for (Part& part : parts_)
      for (Follower& follower : part.followers) {
        follower.take(follower.trackers.finish());
        SweepResult& result = results[follower.index];
        result.rating = follower.rater.finish(frames_);
        if (options_.truth.empty()) continue;
        result.score =
            score(sorted(std::move(follower.samples), "the tracks", "track"), options_.truth).all;
        follower.samples = {};
      }
  }

 private:
  /// From now on it detects as this part wants it.
  static void turnTo(const Part& part, Detectors& detectors) {
    if (detectors.measuring().settings == part.measuring.settings) return;
    detectors.request(part.measuring);
    while (!detectors.ready()) std::this_thread::sleep_for(kMakes);
    detectors.adopt();
  }

  /// What a session does with a set, without sinks. While the device works, the last detection is
  /// tracked with all settings but the first, whose expectations the next one needs.
  void measure(Part& part, const FrameSet& set) {
    Detectors& detectors =
        *detectors_[std::min(static_cast<size_t>(&part - parts_.data()), detectors_.size() - 1)];
    turnTo(part, detectors);
    Trackers& trackers = part.lead().trackers;
    if (stills_ || part.measuring.settings.live.lag == 0) trackers.forgetResponses();
    expectFirst(trackers, detectors, set);
    detectors.submit(set, trackers.expectations(), false);
    followLast();
    const Detectors::Result result = detectors.collect();
    part.inputs.clear();
    for (size_t i = 0; i < result.cameras.size(); ++i) {
      part.inputs.push_back(inputOf(set.set, result.cameras[i]));
      if (const auto& stamp = result.cameras[i].stamp) frames_[i] = stamp->sequence.value() + 1;
    }
    part.lead().follow(part.inputs, scratch_);
    last_ = &part;
  }

  void expectFirst(Trackers& trackers, Detectors& detectors, const FrameSet& set) {
    const auto& places = feeds_->groups().places;
    std::vector<size_t> first;
    for (size_t i = 0; i < places.size(); ++i)
      if (set.stampOf(places[i]) && trackers.lacksResponse(i)) first.push_back(i);
    if (first.empty()) return;
    const std::vector<ResponseStatistics> own = detectors.measure(set);
    for (const size_t camera : first) trackers.expect(camera, own[camera]);
  }

  void followLast() {
    if (!last_) return;
    for (size_t i = 1; i < last_->followers.size(); ++i)
      last_->followers[i].follow(last_->inputs, scratch_);
    last_ = nullptr;
  }

  const SweepOptions& options_;
  Interrupt& interrupt_;
  bool stills_ = false;
  std::unique_ptr<Feeds> feeds_;
  std::vector<Part> parts_;
  std::vector<std::unique_ptr<Detectors>> detectors_;  // one for all, or one a part
  std::vector<uint64_t> frames_;                       // of each camera
  std::vector<CameraFrame> scratch_;
  Part* last_ = nullptr;  // whose other settings are still to track
  uint64_t count_ = 0;    // sets
};

}  // namespace

bool SweepResult::betterThan(const SweepResult& other) const {
  const auto rank = [](const SweepResult& one) {
    const double value = one.value();
    return std::pair(std::isnan(value) ? -1 : value,
                     one.score ? one.score->hota : -static_cast<double>(one.rating.tracks));
  };
  return rank(*this) > rank(other);
}

SweepRun sweep(const Device& device, const std::vector<Combination>& combinations,
               const SweepOptions& options, Interrupt& interrupt) {
  SweepRun all;
  all.results.resize(combinations.size());
  Run run(device, combinations, options, interrupt);
  all.failure = run.track();
  all.frames = run.count();
  run.rate(all.results);
  return all;
}

}  // namespace glint
