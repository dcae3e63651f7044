#include "app/motion/sync/clocks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "app/base/quantile.h"
#include "app/motion/calibrate/still_lights.h"
#include "app/motion/sync/dot_paths.h"
#include "app/motion/sync/pair_clock.h"
#include "config/error.h"

namespace glint::motion {
namespace {

double diagonalOf(const FrameExtent& size) {
  return std::hypot(size.width, size.height);
}

/// Returns the dots of a camera by the time of their frame, without lights that stand still.
LightRecording recordingOf(const PointTable& table, size_t camera, const FrameExtent& size) {
  std::map<double, View> views;
  for (const PointRow& row : table.rows)
    if (row.camera == camera) views[row.time].dots.push_back(row.dot);
  LightRecording recording{.sizes = {size}, .moments = {}, .timed = true};
  for (auto& [time, view] : views) recording.moments.push_back({time, {std::move(view)}});
  removeStillLights(recording);
  return recording;
}

/// Returns the place of a dot relative to the image's centre, px; with a lens, as a camera without
/// distortion would see it. Nothing if the lens images no point there.
std::optional<Eigen::Vector2d> placeOf(const Eigen::Vector2d& pixel, const FrameExtent& size,
                                       const Lens* lens) {
  if (lens == nullptr) return Eigen::Vector2d(pixel - Eigen::Vector2d(size.width, size.height) / 2);
  const auto at = undistort(*lens, pixel);
  if (!at) return std::nullopt;
  return Eigen::Vector2d(*at * lens->fx);
}

DotPaths pathsOf(const LightRecording& recording, const Lens* lens) {
  std::vector<DotFrame> frames;
  for (const Moment& moment : recording.moments) {
    DotFrame& frame = frames.emplace_back();
    frame.time = moment.time;
    for (const Dot& dot : moment.views[0].dots)
      if (const auto place = placeOf(dot.at, recording.sizes[0], lens))
        frame.dots.push_back(*place);
  }
  return {std::move(frames), diagonalOf(recording.sizes[0])};
}

/// Returns the fundamental matrix of the places of two cameras: second^T F first = 0 (Hartley and
/// Zisserman, Multiple View Geometry, 9.6).
Eigen::Matrix3d fundamentalOf(const RigCamera& first, const RigCamera& second) {
  const Pose between = then(first.pose.inverse(), second.pose);
  const Eigen::Vector3d t = between.translation;
  Eigen::Matrix3d cross;
  cross << 0, -t.z(), t.y(), t.z(), 0, -t.x(), -t.y(), t.x(), 0;
  const Eigen::Vector3d back(1 / first.lens.fx, 1 / first.lens.fx, 1),
      ahead(1 / second.lens.fx, 1 / second.lens.fx, 1);
  return ahead.asDiagonal() * (cross * between.matrix()).eval() * back.asDiagonal();
}

/// Guesses what moved from the number of dots that the cameras usually see.
Target guessTarget(const std::vector<LightRecording>& recordings) {
  std::vector<size_t> counts;
  for (const LightRecording& recording : recordings)
    for (const Moment& moment : recording.moments)
      if (!moment.views[0].dots.empty()) counts.push_back(moment.views[0].dots.size());
  const double usual = base::medianOf(counts);
  if (usual > 2)
    throw Error(
        "the cameras see {:.0f} lights at once, but without a rig there may be only one light or "
        "one wand: give the rig (--rig)",
        usual);
  if (usual > 1) return {{0, 1}, 1};
  return {};
}

class ClockFinder {
 public:
  ClockFinder(const PointTable& table, const std::vector<FrameExtent>& sizes, const Rig* rig,
              const std::optional<Target>& target, const SyncOptions& options)
      : sizes_(sizes), rig_(rig), options_(options) {
    std::vector<LightRecording> recordings;
    for (size_t c = 0; c < sizes.size(); ++c) recordings.push_back(recordingOf(table, c, sizes[c]));
    if (rig == nullptr) target_ = target ? *target : guessTarget(recordings);
    for (size_t c = 0; c < sizes.size(); ++c)
      paths_.push_back(pathsOf(recordings[c], rig == nullptr ? nullptr : &rig->cameras[c].lens));
  }

  std::vector<CameraClock> find() {
    const size_t cameras = paths_.size();
    clocks_.resize(cameras);
    clocks_[0] = CameraClock{};
    partners_.resize(cameras);
    for (size_t known = 1; known < cameras; ++known) addOne();
    for (size_t c = 1; c < cameras; ++c) check(c);
    std::vector<CameraClock> clocks;
    double earliest = 0;
    for (const auto& clock : clocks_) earliest = std::min(earliest, clock->offset);
    for (const auto& clock : clocks_) {
      clocks.push_back(*clock);
      clocks.back().offset -= earliest;
    }
    return clocks;
  }

 private:
  /// Finds the clock of one more camera, by comparing it with cameras whose clocks are known.
  /// Throws Error if none of these comparisons succeeds.
  void addOne() {
    std::string reason;
    for (size_t c = 0; c < clocks_.size(); ++c) {
      for (size_t known = 0; known < clocks_.size() && !clocks_[c]; ++known) {
        if (!clocks_[known]) continue;
        std::string& why = refused_[{known, c}];
        if (why.empty()) {
          const PairResult result = findPairClock(pairOf(known, c), options_);
          if (result.clock) {
            clocks_[c] = clockBy(known, c, *result.clock);
            partners_[c] = known;
            return;
          }
          why = fmt::format("cameras {} and {}: {}", known, c, result.reason);
        }
        if (reason.empty()) reason = why;
      }
    }
    throw Error("cannot find when each recording began: {}", reason);
  }

  /// Checks the clock of a camera by comparing the camera with another one than that from which the
  /// clock was found. Throws Error if what both saw contradicts the clocks.
  void check(size_t camera) const {
    // Deviations by which two ways to a clock may differ, and frames, if the deviations are tiny.
    constexpr double kDeviations = 8, kFrames = 0.25;
    for (size_t other = 0; other < camera; ++other) {
      if (other == partners_[camera] || camera == partners_[other]) continue;
      const CameraPair pair = pairOf(other, camera);
      const bool swapped = pair.slow != &paths_[other];
      const CameraClock &slow = *clocks_[swapped ? camera : other],
                        &fast = *clocks_[swapped ? other : camera];
      const double stretch = (1 + slow.drift) / (1 + fast.drift);
      const PairClock implied{.offset = (slow.offset - fast.offset) / (1 + fast.drift),
                              .drift = stretch - 1};
      const auto found = refinePairClock(pair, implied, options_);
      if (!found || found->cost > options_.margin) continue;
      const double apart =
          std::abs(found->offset - (implied.fastTime(found->middle) - found->middle));
      const double sigma = std::hypot(found->sigma, slow.sigma, fast.sigma);
      if (apart > std::max(kDeviations * sigma, kFrames * pair.slow->interval()))
        throw Error(
            "cameras {} and {} contradict the other cameras: by what they saw, their clocks differ "
            "by {:.1f} ms from what the others say",
            other, camera, 1e3 * apart);
      return;
    }
  }

  CameraPair pairOf(size_t first, size_t second) const {
    if (paths_[second].interval() > paths_[first].interval()) std::swap(first, second);
    CameraPair pair{&paths_[first], &paths_[second], sizes_[first], sizes_[second], {}, target_};
    if (rig_ != nullptr)
      pair.fundamental = fundamentalOf(rig_->cameras[first], rig_->cameras[second]);
    return pair;
  }

  /// Returns the clock of `camera`, from that of `known`.
  CameraClock clockBy(size_t known, size_t camera, const PairClock& pair) const {
    const CameraClock& from = *clocks_[known];
    const double shift = pair.offset - pair.drift * pair.middle;
    CameraClock clock;
    if (pairOf(known, camera).slow == &paths_[camera]) {
      clock.drift = (1 + from.drift) * (1 + pair.drift) - 1;
      clock.offset = (1 + from.drift) * shift + from.offset;
    } else {
      const double stretch = (1 + from.drift) / (1 + pair.drift);
      clock.drift = stretch - 1;
      clock.offset = from.offset - stretch * shift;
    }
    clock.sigma = std::hypot(from.sigma, pair.sigma);
    clock.driftSigma = std::hypot(from.driftSigma, pair.driftSigma);
    return clock;
  }

  const std::vector<FrameExtent>& sizes_;
  const Rig* rig_;
  const SyncOptions& options_;
  Target target_;
  std::vector<DotPaths> paths_;
  std::vector<std::optional<CameraClock>> clocks_;  // of cameras where it is known
  std::vector<size_t> partners_;                    // the camera from which each clock was found
  // Reasons why pairs of cameras show no clock.
  std::map<std::pair<size_t, size_t>, std::string> refused_;
};

}  // namespace

std::vector<CameraClock> findClocks(const PointTable& table, const std::vector<FrameExtent>& sizes,
                                    const Rig* rig, const std::optional<Target>& target,
                                    const SyncOptions& options) {
  if (!table.timed) throw Error("cannot find when each recording began without times (time_s)");
  for (const PointRow& row : table.rows)
    if (row.camera >= sizes.size())
      throw Error("there are points of camera {}, but sizes of {} cameras", row.camera,
                  sizes.size());
  return ClockFinder(table, sizes, rig, target, options).find();
}

}  // namespace glint::motion
