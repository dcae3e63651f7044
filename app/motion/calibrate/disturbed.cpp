#include "app/motion/calibrate/disturbed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "app/motion/calibrate/adjust.h"
#include "app/motion/calibrate/equation.h"
#include "app/motion/calibrate/figures.h"
#include "app/motion/calibrate/motion.h"
#include "app/motion/geometry/decomposition.h"

namespace glint::motion {
namespace {

/// Normal equations of a camera's pose over a stretch of the recording.
struct PoseNormal {
  Matrix6 matrix = Matrix6::Zero();
  Vector6 right = Vector6::Zero();
  double chi2 = 0;
  size_t sights = 0;

  PoseNormal& operator+=(const PoseNormal& other) {
    matrix += other.matrix;
    right += other.right;
    chi2 += other.chi2;
    sights += other.sights;
    return *this;
  }
  Vector6 change() const { return SymmetricSolver(matrix).solve(right); }
  double gain() const { return right.dot(change()); }
};

// Number of parts of the recording. A move is looked for between any two neighbouring parts.
// Raising it determines the time of a move more exactly, from fewer dots on either side.
constexpr size_t kParts = 64;

/// Returns the mean standard deviation of the dots, px.
double sigmaOf(const Bundle& bundle) {
  double sum = 0;
  for (const BundleSight& s : bundle.sights) sum += s.sigma.mean();
  return sum / static_cast<double>(std::max<size_t>(1, bundle.sights.size()));
}

/// Returns the normal equations of each camera for each part of the recording.
std::vector<std::vector<PoseNormal>> normalsOf(const Bundle& bundle,
                                               const LightRecording& recording) {
  std::vector<std::vector<PoseNormal>> normals(bundle.cameras.size(),
                                               std::vector<PoseNormal>(kParts));
  for (const BundleSight& s : bundle.sights) {
    const BundleItem& item = bundle.items[s.item];
    const BundleCamera& camera = bundle.cameras[s.camera];
    const auto ends = endsOf(item);
    Equation e;
    if (!equationOf(s, item, camera.lens, camera.pose, latenessOf(camera, s), ends.data(), e, true))
      continue;
    PoseNormal one;
    one.matrix = e.pose.transpose() * e.pose;
    one.right = -e.pose.transpose() * e.residual;
    one.chi2 = e.residual.squaredNorm();
    one.sights = 1;
    normals[s.camera][item.moment * kParts / recording.moments.size()] += one;
  }
  return normals;
}

/// A camera, and the first moment after its move.
struct Jolt {
  size_t camera = 0, moment = 0;
  /// The sum of squared residuals, in standard deviations, that it explains.
  double gain = 0;
};

/// Returns the best jolt of each camera that may have had one.
std::vector<Jolt> findJolts(const Bundle& bundle, const LightRecording& recording) {
  // Number of dots that are needed before and after the move. Raising it misses moves of cameras
  // with few dots.
  constexpr size_t kLeast = 20;
  // Share of a camera's squared residuals that the move must explain. Chance explains 3 / sights.
  // Raising it misses smaller moves.
  constexpr double kShare = 0.04;
  // The move must also explain this many times the mean squared residual. Chance explains six times
  // the mean, once for each number of the pose. Raising it misses smaller moves.
  constexpr double kSure = 60;
  std::vector<Jolt> found;
  const auto normals = normalsOf(bundle, recording);
  for (size_t c = 0; c < normals.size(); ++c) {
    PoseNormal all;
    for (const PoseNormal& part : normals[c]) all += part;
    PoseNormal before;
    Jolt best;
    for (size_t part = 0; part + 1 < kParts; ++part) {
      before += normals[c][part];
      PoseNormal after;
      for (size_t later = part + 1; later < kParts; ++later) after += normals[c][later];
      if (before.sights < kLeast || after.sights < kLeast) continue;
      const double gain = before.gain() + after.gain() - all.gain();
      const double mean = all.chi2 / (2 * static_cast<double>(all.sights));
      if (!(gain > kSure * mean && gain > kShare * all.chi2 && gain > best.gain)) continue;
      best = {c, (part + 1) * recording.moments.size() / kParts, gain};
    }
    if (best.gain > 0) found.push_back(best);
  }
  return found;
}

/// Fits the camera's poses before and after a jolt. Both are fitted, because a single pose would
/// lie halfway between them and pull the lights along. The move's pixels are the rms distance
/// between the camera's lights as seen from both poses. The second result is the cost of the fit.
std::pair<Move, double> moveOf(Bundle bundle, const Jolt& jolt, const LightRecording& recording) {
  const size_t later = bundle.cameras.size();
  bundle.cameras[jolt.camera].free = {};
  bundle.cameras.push_back(bundle.cameras[jolt.camera]);
  bundle.cameras[later].freePose = true;
  for (BundleSight& s : bundle.sights)
    if (s.camera == jolt.camera && bundle.items[s.item].moment >= jolt.moment) s.camera = later;
  const double cost = adjust(bundle, 30);
  double squares = 0, count = 0;
  for (BundleSight s : bundle.sights) {
    if (s.camera != jolt.camera && s.camera != later) continue;
    const auto one = residualOf(bundle, s);
    s.camera = s.camera == later ? jolt.camera : later;
    const auto other = residualOf(bundle, s);
    if (!one || !other) continue;
    squares += (*one - *other).squaredNorm();
    ++count;
  }
  const double pixels = count > 0 ? std::sqrt(squares / count) : 0;
  return {{{jolt.camera, recording.moments[jolt.moment].time, pixels},
           jolt.moment,
           bundle.cameras[jolt.camera].pose,
           bundle.cameras[later].pose},
          cost};
}

/// Returns the move that explains a bundle best, or nothing if there is none. Cameras that look at
/// each other share the residuals of a move, so the fits of all likely ones are compared.
std::optional<Move> bestMove(const Bundle& bundle, const LightRecording& recording) {
  // A jolt is likely if it explains at least this share of what the best one does. Raising it
  // compares fewer cameras.
  constexpr double kLikely = 0.3;
  const auto jolts = findJolts(bundle, recording);
  double most = 0, least = std::numeric_limits<double>::infinity();
  for (const Jolt& jolt : jolts) most = std::max(most, jolt.gain);
  std::optional<Move> best;
  for (const Jolt& jolt : jolts) {
    if (jolt.gain < kLikely * most) continue;
    const auto [move, cost] = moveOf(bundle, jolt, recording);
    if (cost < least) least = cost, best = move;
  }
  return best;
}

/// Returns true if many dots of a camera do not fit in a part of the recording.
bool missesDots(const Bundle& bundle, const LightRecording& recording, const Target& target) {
  // Number of parts of the recording, and the share of a camera's dots that must be missing in one.
  // Raising either looks for large moves more often or less often, respectively.
  constexpr size_t kStretches = 16;
  constexpr double kMissing = 0.3;
  const size_t moments = recording.moments.size();
  for (size_t part = 0; part < kStretches; ++part) {
    std::vector<bool> counts(moments);
    for (size_t m = part * moments / kStretches; m < (part + 1) * moments / kStretches; ++m)
      counts[m] = true;
    const auto figures = cameraFigures(bundle, recording, target, counts);
    if (std::any_of(figures.begin(), figures.end(),
                    [](const CameraFigures& f) { return shareThatFits(f) < 1 - kMissing; }))
      return true;
  }
  return false;
}

}  // namespace

std::optional<Move> findMoved(const Bundle& bundle, const LightRecording& recording,
                              const Target& target) {
  // The largest move that is looked for, as a share of the image's width. Raising it finds larger
  // moves, and accepts more wrong dots.
  constexpr double kFarthest = 0.04;
  if (missesDots(bundle, recording, target)) {
    Bundle wide = bundle;
    const double sigma = recording.sigmasKnown ? sigmaOf(bundle) : 1;
    gateSights(wide, recording, target, 1, kFarthest * recording.sizes[0].width / sigma);
    if (const auto move = bestMove(wide, recording)) return move;
  }
  return bestMove(bundle, recording);
}

}  // namespace glint::motion
