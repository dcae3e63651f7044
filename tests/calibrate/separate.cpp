#include "tests/calibrate/separate.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "tests/calibrate/waving.h"
#include "tests/geometry/rigs.h"

namespace glint::test {
namespace {

double between(std::mt19937& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// A number that moves to random values, rests there, or is struck so that it moves on at once with
/// another speed.
class RoughNumber {
 public:
  RoughNumber(std::mt19937& random, double seconds, double reach) {
    double time = 0, value = between(random, -reach, reach);
    while (time < seconds) {
      const double kind = between(random, 0, 1);
      Piece piece{time, between(random, 0.15, 0.7), value, value, kind < 0.4};
      if (kind > 0.2) piece.to = between(random, -reach, reach);
      time += piece.length;
      value = piece.to;
      pieces_.push_back(piece);
    }
  }

  double at(double time) const {
    const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), time,
                                        [](double t, const Piece& p) { return t < p.from; });
    const Piece& p = after == pieces_.begin() ? pieces_.front() : *std::prev(after);
    const double share = std::clamp((time - p.from) / p.length, 0.0, 1.0);
    // A hand's motion between two rests (Flash and Hogan, The coordination of arm movements, 1985).
    const double smooth = share * share * share * (10 + share * (6 * share - 15));
    return p.start + (p.to - p.start) * (p.sudden ? share : smooth);
  }

 private:
  struct Piece {
    double from, length, start, to;
    bool sudden;
  };
  std::vector<Piece> pieces_;
};

/// The lights in space.
class RoughScene {
 public:
  RoughScene(const Separate& separate, double seconds, unsigned seed) : separate_(separate) {
    std::mt19937 random(seed);
    const size_t bodies = separate.lights > 2 ? separate.lights : 1;
    for (size_t b = 0; b < bodies; ++b) {
      for (int i = 0; i < 3; ++i) numbers_.emplace_back(random, seconds, 700);
      for (int i = 0; i < 2; ++i) numbers_.emplace_back(random, seconds, 3);
    }
  }

  Eigen::Vector3d light(size_t index, double time) const {
    if (separate_.still) time = 0;
    if (separate_.period > 0) time = std::fmod(time, separate_.period);
    const bool wand = separate_.lights == 2;
    const RoughNumber* n = &numbers_[wand ? 0 : 5 * index];
    const Eigen::Vector3d middle(n[0].at(time), n[1].at(time), n[2].at(time));
    if (!wand) return middle;
    const double around = n[3].at(time), up = n[4].at(time) / 2;
    const Eigen::Vector3d along(std::cos(around) * std::cos(up), std::sin(around) * std::cos(up),
                                std::sin(up));
    return middle + (index == 0 ? -250 : 250) * along;
  }

 private:
  const Separate& separate_;
  std::vector<RoughNumber> numbers_;
};

}  // namespace

SeparateRecording recordSeparately(const Separate& separate) {
  SeparateRecording recording;
  recording.truth = circleRig(static_cast<int>(separate.cameras.size()), separate.seed);
  recording.table.timed = recording.table.sigmasKnown = true;
  double seconds = 0;
  for (const SeparateCamera& camera : separate.cameras)
    seconds = std::max(seconds, camera.begin + (1 + camera.drift) * camera.seconds + 1);
  std::mt19937 random(separate.seed);
  for (size_t c = 0; c < separate.cameras.size(); ++c) {
    const SeparateCamera& clock = separate.cameras[c];
    const motion::RigCamera& camera = recording.truth.cameras[c];
    recording.sizes.push_back({camera.width, camera.height});
    const RoughScene scene(separate, seconds,
                           separate.seed + (separate.strangers ? 100 * unsigned(c) : 0));
    for (long f = 0; static_cast<double>(f) < clock.seconds * clock.rate; ++f) {
      const double own = static_cast<double>(f) / clock.rate;
      const double time = clock.begin + (1 + clock.drift) * own;
      for (size_t i = 0; i < separate.lights; ++i) {
        const auto seen = motion::project(camera.lens, camera.pose, scene.light(i, time));
        const Eigen::Vector2d at = seen.pixel + normalVector(random, separate.sigma).head<2>();
        if (at.x() < 0 || at.y() < 0 || at.x() > camera.width - 1 || at.y() > camera.height - 1 ||
            between(random, 0, 1) < separate.missing)
          continue;
        motion::PointRow row;
        row.camera = c;
        row.frame = f;
        row.time = own;
        row.dot = {at, {separate.sigma, separate.sigma}};
        recording.table.rows.push_back(row);
      }
    }
  }
  return recording;
}

double clockError(const Separate& separate, const std::vector<motion::CameraClock>& clocks) {
  double worst = 0;
  for (size_t a = 0; a < clocks.size(); ++a)
    for (size_t b = 0; b < a; ++b) {
      const SeparateCamera &one = separate.cameras[a], &other = separate.cameras[b];
      const auto begin = [](const SeparateCamera& c) { return c.begin; };
      const auto end = [](const SeparateCamera& c) { return c.begin + (1 + c.drift) * c.seconds; };
      const auto ownTime = [](const SeparateCamera& c, double time) {
        return (time - c.begin) / (1 + c.drift);
      };
      const double from = std::max(begin(one), begin(other)), to = std::min(end(one), end(other));
      for (const double time : {from, (from + to) / 2, to})
        worst = std::max(worst, std::abs(clocks[a].timeOf(ownTime(one, time)) -
                                         clocks[b].timeOf(ownTime(other, time))));
    }
  return worst;
}

}  // namespace glint::test
