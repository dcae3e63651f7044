#include "app/study/sweep/sweep.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "app/capture/filter/images.h"
#include "app/capture/sets/feeds.h"
#include "app/capture/source/source_kinds.h"
#include "app/session/camera_trackers.h"
#include "app/session/detectors.h"
#include "app/study/opening/opening.h"
#include "app/study/sweep/shared_detection.h"
#include "config/error.h"

namespace glint::study {
namespace {

// The time to wait for a set before the interrupt is checked again.
constexpr std::chrono::milliseconds kPatience{100};

/// Rounds a coordinate (px) as tracks.csv does, so that scores are those of that file.
double asWritten(double coordinate) {
  return std::round(coordinate * 1e4) / 1e4;
}

/// Tracks a recording with one combination.
struct Follower {
  Follower(const Combination& combination, size_t place, size_t cameras, bool stills, bool keeps)
      : index(place), trackers(combination.settings.track, cameras, stills), keepsSamples(keeps) {}

  /// Tracks the next set. `inputs`: the measurements of all cameras. `scratch`: keeps its memory
  /// between calls.
  void follow(const std::vector<session::TrackerInput>& inputs,
              std::vector<motion::CameraFrame>& scratch) {
    scratch.resize(inputs.size());
    trackers.update(inputs, scratch);
    take(scratch);
  }

  /// Adds the tracks that became final to the rating, and to the samples if these are kept.
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

  size_t index;  // The index of the combination.
  session::CameraTrackers trackers;
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

/// A detection, and all combinations that use it.
struct Part {
  session::Measuring measuring;
  std::vector<Follower> followers;
  std::vector<session::TrackerInput> inputs;  // The measurements of the last set.

  Follower& lead() { return followers.front(); }
};

/// Detections that share their work, or a single detection that shares nothing.
struct PartGroup {
  /// The indices of the detections in `parts_`.
  std::vector<size_t> parts;
  // Makes all detections of the group; null if there is only one.
  std::unique_ptr<SharedDetection> shared = {};
  // Makes the only detection of the group; null if there are several.
  std::shared_ptr<session::Detectors> alone = {};
};

/// Reads a recording once, makes all detections in each set and tracks with all combinations.
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

  /// Tracks the whole recording. Returns the reason why it broke off; empty if it did not.
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

  /// The truth of the frames that were tracked: where only some of them were wanted, nothing could
  /// be found in the others.
  std::vector<motion::Sample> truth() const {
    std::vector<motion::Sample> truth(options_.truth.begin(), options_.truth.end());
    if (options_.frames)
      std::erase_if(truth, [&](const motion::Sample& sample) {
        return sample.camera < frames_.size() && sample.frame >= frames_[sample.camera];
      });
    return truth;
  }

  void rate(std::vector<SweepResult>& results) {
    const std::vector<motion::Sample> known = truth();
    for (Part& part : parts_)
      for (Follower& follower : part.followers) {
        follower.take(follower.trackers.finish());
        SweepResult& result = results[follower.index];
        result.rating = follower.rater.finish(frames_);
        if (options_.truth.empty()) continue;
        result.score =
            score(motion::sorted(std::move(follower.samples), "the tracks", "track"), known).all;
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
    // Filters may remember frames, so each detection that uses filters has its own detectors.
    if (!alone_ || !measuring.settings->filters.empty())
      alone_ = std::make_shared<session::Detectors>(device, feeds_->groups(), measuring,
                                                    capture::fileImages());
    else
      turnTo(measuring, *alone_);
    group.alone = alone_;
  }

  /// Makes all detections of a group in one set, as a session does. While the device works, tracks
  /// the detections of the group before with those combinations that the device did not have to
  /// wait for.
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

  /// Makes a detection that shares nothing. Its expectations come from the tracks of its first
  /// combination. So that combination is tracked at once, and the others while the device works on
  /// the next set.
  void measureAlone(Part& part, session::Detectors& detectors, const capture::FrameSet& set) {
    turnTo(part.measuring, detectors);
    session::CameraTrackers& trackers = part.lead().trackers;
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

  // Tracks all detections that still wait to be tracked.
  void followLast() {
    for (const Waiting& one : last_) one.follower->follow(*one.inputs, scratch_);
    last_.clear();
  }

  // A combination that still has to track a set, and the measurements of that set.
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
  // The detectors made last for a group of one detection. The next such group uses them, too,
  // unless it has filters.
  std::shared_ptr<session::Detectors> alone_;
  std::vector<uint64_t> frames_;  // The number of frames of each camera.
  std::vector<motion::CameraFrame> scratch_;
  std::vector<Waiting> last_;  // The tracking that is still to be done.
  uint64_t count_ = 0;         // The number of sets that were tracked.
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
