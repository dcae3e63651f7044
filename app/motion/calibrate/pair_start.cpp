#include "app/motion/calibrate/pair_start.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include <Eigen/LU>

#include "app/base/quantile.h"
#include "app/motion/calibrate/adjust.h"
#include "app/motion/calibrate/epipolar.h"
#include "app/motion/calibrate/plane_start.h"
#include "app/motion/calibrate/resect.h"
#include "app/motion/geometry/decomposition.h"
#include "app/motion/geometry/rotation.h"
#include "app/motion/geometry/triangulate.h"

namespace glint::motion {
namespace {

Rig pairRig(const PairStart& start) {
  Rig rig;
  rig.cameras = {{"", 0, 0, start.first, {}, 0}, {"", 0, 0, start.second, start.relative, 0}};
  return rig;
}

/// Triangulates the ends of a sighting. Returns fewer points if that fails for some.
std::vector<Eigen::Vector3d> pointsOf(const Rig& rig, const PairSighting& s) {
  std::vector<Eigen::Vector3d> points;
  for (size_t e = 0; e < s.first.size(); ++e) {
    const std::array<Sighting, 2> two{Sighting{0, s.first[e], {1, 1}},
                                      Sighting{1, s.second[e], {1, 1}}};
    if (const auto point = triangulate(rig, two)) points.push_back(point->at);
  }
  return points;
}

/// Makes and adjusts guesses for the cameras i and j.
class PairStarter {
 public:
  PairStarter(const LightRecording& recording, const CalibrationOptions& options,
              const EpipolarFit& fit, size_t i, size_t j)
      : recording_(recording), options_(options), fit_(fit), i_(i), j_(j) {}

  /// Guesses for given focal lengths, by the fundamental matrix.
  std::optional<PairStart> place(double first, double second) const;
  std::optional<PairStart> placeAt(const Pose& relative) const;
  double adjusted(PairStart& start, bool knownFirst) const;

 private:
  /// Result of triangulating some of the sightings with a guess.
  struct Trial {
    // Number of points, and how many of them lie in front of both cameras.
    size_t tried = 0, before = 0;
    // Measured lengths of the wand.
    std::vector<double> lengths;
  };
  Trial trialOf(const PairStart& start) const;
  /// Scales the guess to the wand's length. Returns false if it cannot be measured.
  bool scale(PairStart& start, std::vector<double> lengths) const;

  const LightRecording& recording_;
  const CalibrationOptions& options_;
  const EpipolarFit& fit_;
  size_t i_, j_;
};

PairStarter::Trial PairStarter::trialOf(const PairStart& start) const {
  // Approximate number of sightings that judge each guess. Raising it takes longer.
  constexpr size_t kTried = 40;
  const size_t step = std::max<size_t>(1, fit_.sightings.size() / kTried);
  const Rig rig = pairRig(start);
  Trial trial;
  for (size_t s = 0; s < fit_.sightings.size(); s += step) {
    const auto points = pointsOf(rig, fit_.sightings[s]);
    trial.tried += fit_.sightings[s].first.size();
    trial.before += points.size();
    if (points.size() == 2) trial.lengths.push_back((points[1] - points[0]).norm());
  }
  return trial;
}

/// Scales the guess to the wand's true length. Its cost becomes the relative spread of the measured
/// lengths.
bool PairStarter::scale(PairStart& start, std::vector<double> lengths) const {
  const double middle = base::medianOf(lengths);
  if (!(middle > 0)) return false;
  for (double& length : lengths) length = std::abs(length - middle);
  start.cost = base::medianOf(std::move(lengths)) / middle;
  start.relative.translation *= options_.target.length / middle;
  return true;
}

/// Returns a guess with a pose from posesByPlane(), or nothing unless nearly all points lie in
/// front of both cameras.
std::optional<PairStart> PairStarter::placeAt(const Pose& relative) const {
  // Share of the points that must be in front. Some dots are no lights. Raising it rejects more
  // guesses.
  constexpr double kNearlyAll = 0.9;
  PairStart start{options_.intrinsics[i_], options_.intrinsics[j_], relative, 0};
  Trial trial = trialOf(start);
  if (static_cast<double>(trial.before) < kNearlyAll * static_cast<double>(trial.tried))
    return std::nullopt;
  if (options_.target.isWand())
    return scale(start, std::move(trial.lengths)) ? std::optional(start) : std::nullopt;
  start.relative.translation *= kArbitrary;
  return start;
}

/// Returns a guess with these focal lengths. The essential matrix allows four poses of the second
/// camera; it takes the one with most points in front of both (Hartley and Zisserman, 9.6). For a
/// wand, the guess is scaled to its length, and the cost is the relative spread of its lengths.
std::optional<PairStart> PairStarter::place(double first, double second) const {
  const Bundle guess = unplaced(recording_, options_);
  PairStart start{
      guess.cameras[i_].lens, guess.cameras[j_].lens, {}, std::numeric_limits<double>::infinity()};
  const auto focus = [](Lens& lens, double length) {
    lens.fy *= length / lens.fx;
    lens.fx = length;
  };
  focus(start.first, first);
  focus(start.second, second);
  const auto matrix = [](const Lens& l) {
    Eigen::Matrix3d m;
    m << l.fx, 0, l.cx, 0, l.fy, l.cy, 0, 0, 1;
    return m;
  };
  const SingularValues svd =
      singularValuesOf(matrix(start.second).transpose() * fit_.fundamental * matrix(start.first));
  Eigen::Matrix3d turn;
  turn << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  Trial best;
  std::optional<PairStart> result;
  for (int k = 0; k < 4; ++k) {
    Eigen::Matrix3d rotation =
        svd.left * (k % 2 ? turn : Eigen::Matrix3d(turn.transpose())) * svd.right.transpose();
    if (rotation.determinant() < 0) rotation = -rotation;
    start.relative = {rodriguesOf(rotation), (k / 2 ? -1 : 1) * svd.left.col(2)};
    Trial trial = trialOf(start);
    if (trial.before <= best.before) continue;
    best = std::move(trial);
    result = start;
  }
  if (!result || best.before < 8) return std::nullopt;
  if (!options_.target.isWand()) {
    result->relative.translation *= kArbitrary;
    const Eigen::Vector3d& values = svd.values;
    result->cost = (values[0] - values[1]) / values[0];
    return result;
  }
  return scale(*result, std::move(best.lengths)) ? result : std::nullopt;
}

/// Adjusts both cameras on all sightings. Returns the cost for each sight.
double PairStarter::adjusted(PairStart& start, bool knownFirst) const {
  Bundle bundle = unplaced(recording_, options_);
  bundle.cameras = {bundle.cameras[i_], bundle.cameras[j_]};
  bundle.cameras[0].lens = start.first;
  bundle.cameras[1].lens = start.second;
  bundle.cameras[1].pose = start.relative;
  bundle.cameras[0].freePose = false;
  if (knownFirst) bundle.cameras[0].free = {};
  if (!options_.target.isWand()) {
    // Two cameras and a single light do not determine the focal lengths.
    for (BundleCamera& camera : bundle.cameras) camera.free = {};
    bundle.base = BaseLine{0, 1, kArbitrary};
  }
  const Rig rig = pairRig(start);
  for (const PairSighting& s : fit_.sightings) {
    const auto points = pointsOf(rig, s);
    if (points.size() < s.first.size()) continue;
    for (size_t e = 0; e < points.size(); ++e)
      for (const size_t c : {0, 1})
        bundle.sights.push_back({c,
                                 bundle.items.size(),
                                 e,
                                 static_cast<double>(e),
                                 c == 0 ? s.first[e] : s.second[e],
                                 {1, 1},
                                 0});
    bundle.items.push_back({s.moment, points, {}, {}});
  }
  if (bundle.items.size() < 4) return std::numeric_limits<double>::infinity();
  const double cost = adjust(bundle, 30, kStartLoss, true);
  start.first = bundle.cameras[0].lens;
  start.second = bundle.cameras[1].lens;
  start.relative = bundle.cameras[1].pose;
  return cost / static_cast<double>(bundle.sights.size());
}

void sortByCost(std::vector<PairStart>& starts) {
  std::stable_sort(starts.begin(), starts.end(),
                   [](const PairStart& a, const PairStart& b) { return a.cost < b.cost; });
}

/// Adjusts all guesses, sorts them by their cost, and removes those that have no solution.
void adjustAll(std::vector<PairStart>& starts, const PairStarter& starter, bool knownFirst) {
  for (PairStart& start : starts) start.cost = starter.adjusted(start, knownFirst);
  sortByCost(starts);
  std::erase_if(starts, [](const PairStart& s) { return !std::isfinite(s.cost); });
}

}  // namespace

Bundle unplaced(const LightRecording& recording, const CalibrationOptions& options) {
  Bundle bundle;
  bundle.length = options.target.length;
  bundle.lengthSigma = options.target.lengthSigma;
  for (size_t c = 0; c < recording.sizes.size(); ++c) {
    BundleCamera camera;
    setPrior(camera, options, recording.sizes[c], c);
    camera.lens = camera.prior;
    if (!options.fixIntrinsics) {
      camera.free[focal] = true;
      camera.free[radial1] = options.terms != LensTerms::none;
    }
    bundle.cameras.push_back(camera);
  }
  return bundle;
}

std::vector<PairStart> startPair(const LightRecording& recording, const CalibrationOptions& options,
                                 size_t i, size_t j, const Lens* known, bool& planar, bool unlike) {
  // Share of the moments that must agree with the epipolar geometry. Raising it refuses more pairs
  // of cameras.
  constexpr double kLeastAgree = 0.4;
  // Maximum number of guesses for a wand that are adjusted, the best first. Raising it takes
  // longer.
  constexpr size_t kAdjusted = 4;
  std::vector<size_t> every(recording.moments.size());
  std::iota(every.begin(), every.end(), size_t{0});
  EpipolarFit fit = fitEpipolar(recording, options.target, every, i, j);
  std::vector<PairStart> starts;
  if (static_cast<double>(fit.sightings.size()) < kLeastAgree * static_cast<double>(fit.tried) ||
      fit.sightings.empty())
    return starts;
  planar = fit.planar;
  if (fit.planar && !options.fixIntrinsics) return starts;
  const PairStarter starter(recording, options, fit, i, j);
  if (fit.planar) {
    for (const Pose& pose :
         posesByPlane(fit.sightings, options.intrinsics[i], options.intrinsics[j]))
      if (const auto start = starter.placeAt(pose)) starts.push_back(*start);
    adjustAll(starts, starter, true);
    return starts;
  }
  const auto focals = [&](size_t c, const Lens* lens) {
    if (lens != nullptr) return std::vector<double>{lens->fx};
    if (!options.intrinsics.empty()) return std::vector<double>{options.intrinsics[c].fx};
    std::vector<double> all;
    for (const double ratio : kFocalPerWidth) all.push_back(ratio * recording.sizes[c].width);
    return all;
  };
  const auto firsts = focals(i, known), seconds = focals(j, nullptr);
  for (size_t a = 0; a < firsts.size(); ++a)
    for (size_t b = 0; b < seconds.size(); ++b) {
      if (!options.target.isWand() && firsts.size() == seconds.size() && (a != b) != unlike)
        continue;
      if (const auto start = starter.place(firsts[a], seconds[b])) starts.push_back(*start);
    }
  sortByCost(starts);
  if (options.target.isWand() && starts.size() > kAdjusted) starts.resize(kAdjusted);
  adjustAll(starts, starter, known != nullptr);
  return starts;
}

}  // namespace glint::motion
