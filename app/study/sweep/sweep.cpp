#include "app/study/sweep/sweep.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "app/capture/filter/images.h"
#include "app/capture/sets/feeds.h"
#include "app/capture/source/source_kinds.h"
#include "app/session/detectors.h"
#include "app/session/trackers.h"
#include "app/study/opening/opening.h"
#include "app/study/sweep/shared_detection.h"
#include "config/error.h"

namespace glint::study {
namespace {

constexpr std::chrono::milliseconds kPatience{100};

/// As tracks.csv has it, so that scores are those of that file.
double asWritten(double coordinate) {
  return std::round(coordinate * 1e4) / 1e4;
}

/// One combination while a recording is tracked.
struct Follower {
  Follower(const Combination& combination, size_t place, size_t cameras, bool stills, bool keeps)
      : index(place), trackers(combination.settings.track, cameras, stills), keepsSamples(keeps) {}

  void follow(const std::vector<session::TrackerInput>& inputs,
              std::vector<motion::CameraFrame>& scratch) {
    scratch.resize(inputs.size());
    trackers.update(inputs, scratch);
    take(scratch);
  }

  void take(const std::vector<motion::CameraFrame>& cameras) {
    for (size_t i = 0; i < cameras.size(); ++i) {
      const auto camera = static_cast<uint16_t>(i);
      for (const motion::TrackRow& row : cameras[i].finalised) {
        rater.add(camera, row);
        if (keepsSamples)
          samples.push_back({asWritten(row.x), asWritten(row.y), row.track.value(),
                             static_cast<uint32_t>(row.frame.value()), camera});
      }
    }
  }

  size_t index;  // of the combination
  session::Trackers trackers;
  Rater rater;
  bool keepsSamples;
  std::vector<motion::Sample> samples;
};

capture::SourceList openRecordings(const SweepOptions& options, capture::Interrupt& interrupt) {
  capture::SourceList sources;
  for (const Address& address : options.sources) {
    sources.push_back(capture::openSource(address, &interrupt));
    if (sources.back()->isLive())
      throw UsageError("'{}' is live: a sweep needs a recording; glint track --record makes one",
                       address.shown());
  }
  return sources;
}

/// A detection, and all that is tracked from it.
struct Part {
  session::Measuring measuring;
  std::vector<Follower> followers;
  std::vector<session::TrackerInput> inputs;  // of the last set

  Follower& lead() { return followers.front(); }
};

/// Detections that share what they can, or one that shares nothing.
struct PartGroup {
  std::vector<size_t> parts;
  std::unique_ptr<SharedDetection> shared = {};    // null: one that shares nothing, and
  std::shared_ptr<session::Detectors> alone = {};  // what makes it
};

/// The recording, decoded once, and every detection of each set.
class Run {
 public:
  Run(const gpu::Device& device, const std::vector<Combination>& combinations,
      const SweepOptions& options, capture::Interrupt& interrupt)
      : options_(options), interrupt_(interrupt) {
    auto sources = openRecordings(options, interrupt);
    stills_ = stillsOf({}, sources).stills;
    frames_.resize(sources.size());
    feeds_ = std::make_unique<capture::Feeds>(device, std::move(sources),
                                              combinations.front().settings.live, interrupt);
    for (size_t i = 0; i < combinations.size(); ++i) {
      const Combination& one = combinations[i];
      if (one.detection == parts_.size())
        parts_.push_back({{std::make_shared<const Settings>(one.settings)}, {}, {}});
      parts_[one.detection].followers.emplace_back(one, i, frames_.size(), stills_,
                                                   !options.truth.empty());
    }
    for (size_t i = 0; i < parts_.size(); ++i) addToGroup(i);
    for (PartGroup& group : groups_) prepare(device, group);
  }

  /// Returns why the recording broke off, or empty.
  std::string track() {
    capture::FrameSet set;
    while (!options_.frames || count_ < *options_.frames) {
      const capture::Feeds::Outcome outcome = feeds_->next(set, kPatience);
      if (interrupt_.isSet()) throw capture::Interrupted("the sweep was interrupted");
      if (outcome == capture::Feeds::Outcome::ended || outcome == capture::Feeds::Outcome::failed)
        break;
      if (outcome != capture::Feeds::Outcome::set) continue;
      for (PartGroup& group : groups_) measure(group, set);
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
        result.score = score(motion::sorted(std::move(follower.samples), "the tracks", "track"),
                             options_.truth)
                           .all;
        follower.samples = {};
      }
  }

 private:
  void addToGroup(size_t part) {
    const auto settingsOf = [&](size_t i) -> const Settings& {
      return *parts_[i].measuring.settings;
    };
    for (PartGroup& group : groups_)
      if (gpu::VariantDetector::canShare(settingsOf(group.parts.front()), settingsOf(part)))
        return group.parts.push_back(part);
    groups_.push_back({{part}});
  }

  void prepare(const gpu::Device& device, PartGroup& group) {
    if (group.parts.size() > 1) {
      std::vector<std::shared_ptr<const Settings>> variants;
      for (const size_t part : group.parts) variants.push_back(parts_[part].measuring.settings);
      group.shared = std::make_unique<SharedDetection>(
          device, feeds_->groups(), std::move(variants), capture::fileImages(), stills_);
      return;
    }
    const session::Measuring& measuring = parts_[group.parts.front()].measuring;
    // Filters may remember frames, so each detection has its own.
    if (!alone_ || !measuring.settings->filters.empty())
      alone_ = std::make_shared<session::Detectors>(device, feeds_->groups(), measuring,
                                                    capture::fileImages());
    else
      turnTo(measuring, *alone_);
    group.alone = alone_;
  }

  /// What a session does with a set, without sinks. While the device works, the last detection is
  /// tracked with all settings that it need not wait for.
  void measure(PartGroup& group, const capture::FrameSet& set) {
    const auto& places = feeds_->groups().places;
    for (size_t i = 0; i < places.size(); ++i)
      if (const auto stamp = set.stampOf(places[i])) frames_[i] = stamp->sequence.value() + 1;
    if (!group.shared) return measureAlone(parts_[group.parts.front()], *group.alone, set);
    group.shared->submit(set);
    followLast();
    auto inputs = group.shared->collect();
    for (size_t i = 0; i < group.parts.size(); ++i) {
      Part& part = parts_[group.parts[i]];
      part.inputs = std::move(inputs[i]);
      for (Follower& follower : part.followers) last_.push_back({&follower, &part.inputs});
    }
  }

  /// The next set needs what the first of its settings expects.
  void measureAlone(Part& part, session::Detectors& detectors, const capture::FrameSet& set) {
    turnTo(part.measuring, detectors);
    session::Trackers& trackers = part.lead().trackers;
    if (stills_ || part.measuring.settings->live.lag == 0) trackers.forgetResponses();
    auto expectations = trackers.expectations();
    expectFirst(expectations, feeds_->groups(), detectors, set);
    detectors.submit(set, expectations, false);
    followLast();
    const session::Detectors::Result result = detectors.collect();
    part.inputs.clear();
    for (const gpu::LayerMeasurement& camera : result.cameras)
      part.inputs.push_back(session::inputOf(set.set, camera));
    part.lead().follow(part.inputs, scratch_);
    for (size_t i = 1; i < part.followers.size(); ++i)
      last_.push_back({&part.followers[i], &part.inputs});
  }

  void followLast() {
    for (const Waiting& one : last_) one.follower->follow(*one.inputs, scratch_);
    last_.clear();
  }

  struct Waiting {
    Follower* follower;
    const std::vector<session::TrackerInput>* inputs;
  };

  const SweepOptions& options_;
  capture::Interrupt& interrupt_;
  bool stills_ = false;
  std::unique_ptr<capture::Feeds> feeds_;
  std::vector<Part> parts_;
  std::vector<PartGroup> groups_;
  std::shared_ptr<session::Detectors> alone_;  // of the last group that shares nothing
  std::vector<uint64_t> frames_;               // of each camera
  std::vector<motion::CameraFrame> scratch_;
  std::vector<Waiting> last_;  // what is still to track
  uint64_t count_ = 0;         // sets
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

size_t SweepRun::best() const {
  const auto worse = [](const auto& a, const auto& b) { return b.betterThan(a); };
  return static_cast<size_t>(std::ranges::max_element(results, worse) - results.begin());
}

SweepRun sweep(const gpu::Device& device, const std::vector<Combination>& combinations,
               const SweepOptions& options, capture::Interrupt& interrupt) {
  SweepRun all;
  all.results.resize(combinations.size());
  Run run(device, combinations, options, interrupt);
  all.failure = run.track();
  all.frames = run.count();
  run.rate(all.results);
  return all;
}

}  // namespace glint::study
