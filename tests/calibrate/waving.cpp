#include "tests/calibrate/waving.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <vector>

#include <Eigen/Cholesky>

#include "app/motion/geometry/align.h"
#include "app/motion/geometry/triangulate.h"
#include "tests/geometry/rigs.h"

namespace glint::test {
namespace {

constexpr double kTurn = 2 * std::numbers::pi;

double uniform(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// A smooth number that wanders within [-1, 1]; it is the sum of two slow swings.
class Wander {
 public:
  Wander(std::mt19937& random, double low, double high) {
    for (auto& [rate, phase] : swings_)
      rate = kTurn * uniform(random, low, high), phase = uniform(random, 0, kTurn);
  }
  double at(double time) const {
    double sum = 0;
    for (const auto& [rate, phase] : swings_) sum += std::sin(rate * time + phase);
    return sum / 2;
  }

 private:
  std::array<std::pair<double, double>, 3> swings_;
};

/// A wand in a hand: its middle moves within about a metre, and its direction is arbitrary.
class Hand {
 public:
  Hand(std::mt19937& random, bool planar) : planar_(planar) {
    for (int i = 0; i < 3; ++i) middle_.emplace_back(random, 0.15, 0.5);
    for (int i = 0; i < 2; ++i) turn_.emplace_back(random, 0.2, 0.6);
  }

  Eigen::Vector3d light(double time, double fraction, double length) const {
    const Eigen::Vector3d middle(900 * middle_[0].at(time), 900 * middle_[1].at(time),
                                 planar_ ? 0 : 700 * middle_[2].at(time));
    const double around = 4 * turn_[0].at(time), up = planar_ ? 0 : 2 * turn_[1].at(time);
    const Eigen::Vector3d along(std::cos(around) * std::cos(up), std::sin(around) * std::cos(up),
                                std::sin(up));
    return middle + (fraction - 0.5) * length * along;
  }

 private:
  bool planar_;
  std::vector<Wander> middle_, turn_;
};

bool isInside(const motion::RigCamera& camera, const motion::Projection& seen) {
  return seen.depth > 0 && seen.pixel.x() >= 0 && seen.pixel.y() >= 0 &&
         seen.pixel.x() <= camera.width - 1 && seen.pixel.y() <= camera.height - 1;
}

motion::View viewOf(const motion::RigCamera& camera, const Waving& waving, const Hand& hand,
                    double time, std::mt19937& random) {
  motion::View view;
  const Eigen::Vector2d sigma(waving.sigma, waving.sigma);
  for (const double fraction : waving.target.lights) {
    const auto projected = [&](double at) {
      return motion::project(camera.lens, camera.pose,
                             hand.light(at, fraction, waving.target.length));
    };
    motion::Projection seen = projected(time);
    // The row at which the light is seen depends on the time, and the time on the row.
    for (int round = 0; round < 8 && waving.readout != 0; ++round)
      seen = projected(time + waving.readout * ((seen.pixel.y() + 0.5) / camera.height - 0.5));
    if (uniform(random, 0, 1) < waving.clutter)
      view.dots.push_back(
          {{uniform(random, 0, camera.width - 1), uniform(random, 0, camera.height - 1)}, sigma});
    if (!isInside(camera, seen) || uniform(random, 0, 1) < waving.missing) continue;
    view.dots.push_back({seen.pixel + normalVector(random, waving.sigma).head<2>(), sigma});
  }
  for (int i = 0; i < waving.strays; ++i)
    view.dots.push_back(
        {{uniform(random, 0, camera.width - 1), uniform(random, 0, camera.height - 1)}, sigma});
  std::shuffle(view.dots.begin(), view.dots.end(), random);
  return view;
}

/// Removes the times and sigmas, as in a table of points without these columns.
void forget(motion::LightRecording& recording) {
  recording.timed = recording.sigmasKnown = false;
  for (size_t m = 0; m < recording.moments.size(); ++m) {
    recording.moments[m].time = static_cast<double>(m);
    for (motion::View& view : recording.moments[m].views)
      for (motion::Dot& dot : view.dots) dot.sigma = {1, 1};
  }
}

}  // namespace

motion::Rig circleRig(int cameras, unsigned seed) {
  std::mt19937 random(seed);
  motion::Rig rig = ringRig(cameras);
  for (motion::RigCamera& camera : rig.cameras) {
    const double f = uniform(random, 950, 1050);
    camera.lens = {f,
                   f,
                   639.5 + uniform(random, -15, 15),
                   511.5 + uniform(random, -15, 15),
                   uniform(random, -0.15, 0.05),
                   uniform(random, -0.03, 0.06)};
  }
  return rig;
}

motion::Rig anyRig(int cameras, unsigned seed, bool strongLenses) {
  std::mt19937 random(seed);
  constexpr std::array<std::pair<int, int>, 3> kSizes{{{1280, 1024}, {1920, 1080}, {640, 480}}};
  motion::Rig rig;
  for (int i = 0; i < cameras; ++i) {
    const auto [width, height] = kSizes[random() % kSizes.size()];
    const double around = uniform(random, 0, kTurn), distance = uniform(random, 2500, 5000);
    const Eigen::Vector3d eye(distance * std::cos(around), distance * std::sin(around),
                              uniform(random, -500, 2000));
    // The volume of 2 m should fill most of the image.
    const double f = uniform(random, 0.25, 0.45) * width * distance / 1000;
    const motion::Lens lens{
        f,
        f,
        (width - 1) / 2.0 + uniform(random, -0.015, 0.015) * width,
        (height - 1) / 2.0 + uniform(random, -0.015, 0.015) * width,
        strongLenses ? uniform(random, -0.4, -0.1) : uniform(random, -0.15, 0.05),
        strongLenses ? uniform(random, 0.05, 0.2) : 0};
    rig.cameras.push_back({"", width, height, lens, lookingAt(eye, normalVector(random, 150)), 0});
  }
  return rig;
}

Waved wave(const Waving& waving) {
  std::mt19937 random(waving.seed);
  Waved waved;
  waved.truth = waving.randomRig ? anyRig(waving.cameras, waving.seed, waving.strongLenses)
                                 : circleRig(waving.cameras, waving.seed);
  for (motion::RigCamera& camera : waved.truth.cameras)
    camera.lens.p1 += waving.skew, camera.lens.p2 += waving.skew;
  if (waving.webcams) {
    std::mt19937 lenses(waving.seed + 1000);
    for (motion::RigCamera& camera : waved.truth.cameras) {
      camera.lens.fy *= uniform(lenses, 0.994, 1.006);
      camera.lens.p1 += uniform(lenses, -0.002, 0.002);
      camera.lens.p2 += uniform(lenses, -0.002, 0.002);
    }
  }
  const motion::Rig before = waved.truth;
  if (waving.pushedCamera >= 0) {
    motion::Pose& pose = waved.truth.cameras[static_cast<size_t>(waving.pushedCamera)].pose;
    pose = motion::then(pose, waving.push);
  }
  const Hand hand(random, waving.planar);
  motion::LightRecording& recording = waved.recording;
  recording.timed = recording.sigmasKnown = true;
  for (const motion::RigCamera& camera : waved.truth.cameras)
    recording.sizes.push_back({camera.width, camera.height});
  for (int f = 0; f < waving.frames; ++f) {
    motion::Moment& moment = recording.moments.emplace_back();
    moment.time = f / waving.fps;
    for (int c = 0; c < waving.cameras; ++c) {
      const double late = c == waving.lateCamera ? waving.late : 0;
      const motion::Rig& rig = f < waving.pushedAt ? before : waved.truth;
      moment.views.push_back(
          viewOf(rig.cameras[static_cast<size_t>(c)], waving, hand, moment.time + late, random));
      if (waving.lateKnown) moment.views.back().delay = late;
    }
  }
  if (waving.lateKnown) recording.worstDelay = waving.late;
  if (waving.bare) forget(recording);
  constexpr int kPlaces = 400;
  for (int i = 0; i < kPlaces; ++i) {
    const double time = (i + 0.5) / kPlaces * waving.frames / waving.fps;
    waved.places.push_back(
        {hand.light(time, 0, waving.target.length), hand.light(time, 1, waving.target.length)});
  }
  return waved;
}

namespace {

// Returns the scale that fits `from` to `to` best after the rotation of `motion` (Umeyama,
// Least-squares estimation of transformation parameters, 1991).
double scaleBetween(const std::vector<Eigen::Vector3d>& from,
                    const std::vector<Eigen::Vector3d>& to, const motion::Pose& motion) {
  Eigen::Vector3d fromMean = Eigen::Vector3d::Zero(), toMean = fromMean;
  for (size_t i = 0; i < from.size(); ++i) fromMean += from[i], toMean += to[i];
  fromMean /= static_cast<double>(from.size());
  toMean /= static_cast<double>(from.size());
  double mixed = 0, spread = 0;
  for (size_t i = 0; i < from.size(); ++i) {
    mixed += (to[i] - toMean).dot(motion.matrix() * (from[i] - fromMean));
    spread += (from[i] - fromMean).squaredNorm();
  }
  return mixed / spread;
}

}  // namespace

SpaceError spaceError(const Waved& waved, const motion::Rig& rig, double sigma, bool anyScale) {
  std::mt19937 random(7777);
  std::vector<Eigen::Vector3d> places, found;
  double sum = 0, squares = 0, length = 0;
  for (const auto& at : waved.places) {
    std::array<std::optional<motion::SpacePoint>, 2> ends;
    for (size_t e = 0; e < 2; ++e) {
      std::vector<motion::Sighting> sightings;
      for (size_t c = 0; c < waved.truth.cameras.size(); ++c) {
        const motion::RigCamera& camera = waved.truth.cameras[c];
        const motion::Projection seen = motion::project(camera.lens, camera.pose, at[e]);
        const Eigen::Vector2d noise = normalVector(random, sigma).head<2>();
        if (isInside(camera, seen)) sightings.push_back({c, seen.pixel + noise, {sigma, sigma}});
      }
      ends[e] = motion::triangulate(rig, sightings);
    }
    if (!ends[0] || !ends[1]) continue;
    for (size_t e = 0; e < 2; ++e) {
      places.push_back(at[e]);
      found.push_back(ends[e]->at);
    }
    length = (at[1] - at[0]).norm();
    const double off = (ends[1]->at - ends[0]->at).norm() - length;
    sum += off;
    squares += off * off;
  }
  auto aligned = motion::alignRigid(found, places);
  if (anyScale && aligned) {
    const double scale = scaleBetween(found, places, aligned->motion);
    for (Eigen::Vector3d& place : found) place *= scale;
    aligned = motion::alignRigid(found, places);
  }
  const double n = static_cast<double>(found.size()) / 2;
  return {aligned ? aligned->rms : 1e9, length + sum / n,
          std::sqrt(squares / n - sum / n * sum / n)};
}

motion::Rig truthLike(const Waved& waved, const motion::Rig& rig) {
  motion::Rig truth = motion::moved(waved.truth, waved.truth.cameras[0].pose, 1);
  for (size_t c = 0; c < truth.cameras.size(); ++c) {
    Eigen::Vector3d& rotation = truth.cameras[c].pose.rotation;
    const Eigen::Vector3d &is = rig.cameras[c].pose.rotation,
                          other = rotation * (1 - kTurn / std::max(rotation.norm(), 1e-9));
    if ((other - is).norm() < (rotation - is).norm()) rotation = other;
  }
  return truth;
}

namespace {

/// Returns the errors of all numbers of a rig in their stated standard deviations. Numbers without
/// a stated one are left out.
std::vector<double> errorsOf(const Waved& waved, const motion::Rig& rig) {
  const motion::Rig truth = truthLike(waved, rig);
  const Eigen::MatrixXd full = motion::fullCovariance(rig);
  std::vector<double> errors;
  for (size_t c = 0; c < truth.cameras.size(); ++c) {
    const motion::Pose &is = rig.cameras[c].pose, &shall = truth.cameras[c].pose;
    Eigen::Matrix<double, motion::kCameraNumbers, 1> off;
    off << rig.cameras[c].lens.numbers() - truth.cameras[c].lens.numbers(),
        is.rotation - shall.rotation, is.translation - shall.translation;
    for (int n = 0; n < motion::kCameraNumbers; ++n) {
      const auto at = static_cast<Eigen::Index>(c) * motion::kCameraNumbers + n;
      if (full(at, at) > 0) errors.push_back(std::abs(off[n]) / std::sqrt(full(at, at)));
    }
  }
  return errors;
}

}  // namespace

Coverage coverageOf(const Waved& waved, const motion::Rig& rig) {
  // 95 % of a normal distribution lie within this many standard deviations.
  constexpr double kStated = 1.959964;
  Coverage coverage;
  for (const double error : errorsOf(waved, rig)) {
    ++coverage.all;
    coverage.within += error < kStated;
  }
  return coverage;
}

double largestError(const Waved& waved, const motion::Rig& rig) {
  const auto errors = errorsOf(waved, rig);
  return *std::max_element(errors.begin(), errors.end());
}

Coverage ellipsoidsOf(const Waved& waved, const motion::Rig& rig, double sigma) {
  // 95 % of chi-squared with three degrees of freedom lie below this.
  constexpr double kStated = 7.814728;
  std::mt19937 random(7778);
  const Eigen::MatrixXd full = motion::fullCovariance(rig);
  const motion::Pose& first = waved.truth.cameras[0].pose;
  Coverage coverage;
  for (const auto& place : waved.places)
    for (const Eigen::Vector3d& at : place) {
      std::vector<motion::Sighting> sightings;
      for (size_t c = 0; c < waved.truth.cameras.size(); ++c) {
        const motion::RigCamera& camera = waved.truth.cameras[c];
        const motion::Projection seen = motion::project(camera.lens, camera.pose, at);
        const Eigen::Vector2d noise = normalVector(random, sigma).head<2>();
        if (isInside(camera, seen)) sightings.push_back({c, seen.pixel + noise, {sigma, sigma}});
      }
      const auto point = motion::triangulate(rig, sightings);
      if (!point) continue;
      const auto slope = motion::byRig(rig, sightings, *point);
      const Eigen::Matrix3d covariance = point->covariance + slope * full * slope.transpose();
      const Eigen::Vector3d off = point->at - first.apply(at);
      ++coverage.all;
      coverage.within += off.dot(covariance.ldlt().solve(off)) < kStated;
    }
  return coverage;
}

}  // namespace glint::test
