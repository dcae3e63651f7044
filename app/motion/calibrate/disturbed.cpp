#include "app/motion/calibrate/disturbed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "app/base/quantile.h"
#include "app/motion/calibrate/adjust.h"
#include "app/motion/calibrate/equation.h"
#include "app/motion/calibrate/figures.h"
#include "app/motion/calibrate/label.h"
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

/// Returns the best jolts of each camera that may have had one, the best first. The lights are held
/// where the fit with a single pose put them, which follow the move in part. So the best jolt may
/// be at a wrong time, and others, far from it, are returned, too.
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
  // Number of jolts of one camera, and their least distance in parts of the recording. Raising the
  // first takes longer; raising the second tries more different times.
  constexpr size_t kMost = 3, kApart = 8;
  std::vector<Jolt> found;
  const auto normals = normalsOf(bundle, recording);
  for (size_t c = 0; c < normals.size(); ++c) {
    PoseNormal all;
    for (const PoseNormal& part : normals[c]) all += part;
    const double mean = all.chi2 / (2 * static_cast<double>(std::max<size_t>(1, all.sights)));
    PoseNormal before;
    std::vector<std::pair<double, size_t>> gains;
    for (size_t part = 0; part + 1 < kParts; ++part) {
      before += normals[c][part];
      PoseNormal after;
      for (size_t later = part + 1; later < kParts; ++later) after += normals[c][later];
      if (before.sights < kLeast || after.sights < kLeast) continue;
      const double gain = before.gain() + after.gain() - all.gain();
      if (gain > kSure * mean && gain > kShare * all.chi2) gains.emplace_back(gain, part + 1);
    }
    std::sort(gains.rbegin(), gains.rend());
    std::vector<size_t> taken;
    for (const auto& [gain, part] : gains) {
      const bool isNear = std::any_of(taken.begin(), taken.end(), [part = part](size_t other) {
        return std::max(part, other) - std::min(part, other) < kApart;
      });
      if (isNear || taken.size() == kMost) continue;
      taken.push_back(part);
      found.push_back({c, part * recording.moments.size() / kParts, gain});
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Jolt& a, const Jolt& b) { return a.gain > b.gain; });
  return found;
}

/// Returns the squared residual of a sight, in standard deviations, if it belonged to camera `as`,
/// or nothing if it cannot.
std::optional<double> squareAs(const Bundle& bundle, BundleSight s, size_t as) {
  s.camera = as;
  const auto residual = residualOf(bundle, s);
  return residual ? std::optional(residual->cwiseQuotient(s.sigma).squaredNorm()) : std::nullopt;
}

/// Returns the moment that divides the sights of two poses of a camera best: those before it belong
/// to pose `camera` of the bundle, and the others to pose `later`.
size_t bestDivision(const Bundle& bundle, size_t camera, size_t later, size_t moments) {
  // Largest squared residual that counts, in multiples of the median of the sights' smaller ones.
  // Raising it gives wrong dots more weight.
  constexpr double kMost = 50;
  struct Choice {
    size_t moment;
    double before, after;
  };
  std::vector<Choice> choices;
  std::vector<double> smaller;
  for (const BundleSight& s : bundle.sights) {
    if (s.camera != camera && s.camera != later) continue;
    const auto before = squareAs(bundle, s, camera), after = squareAs(bundle, s, later);
    if (!before || !after) continue;
    choices.push_back({bundle.items[s.item].moment, *before, *after});
    smaller.push_back(std::min(*before, *after));
  }
  // While the poses are still wrong, so is the right one of the two, and the limit must be wider.
  const double most = kMost * std::max(2.0, base::medianOf(std::move(smaller)));
  // How much better each moment fits the later pose.
  std::vector<double> better(moments);
  for (const Choice& c : choices)
    better[c.moment] += std::min(most, c.before) - std::min(most, c.after);
  return bestDivisionOf(better);
}

/// Fits the camera's poses before and after a jolt, and the moment of the jolt. Both poses are
/// fitted, because a single one would lie halfway between them and pull the lights along. The
/// second result is the cost of the fit.
std::pair<Move, double> moveOf(Bundle bundle, Jolt jolt, const LightRecording& recording) {
  // Maximum number of times that the moment is corrected. Raising it takes longer.
  constexpr int kMostRounds = 4;
  const size_t later = bundle.addPlace(jolt.camera, bundle.cameras[jolt.camera].pose);
  double cost = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    for (BundleSight& s : bundle.sights)
      if (s.camera == jolt.camera || s.camera == later)
        s.camera = bundle.items[s.item].moment >= jolt.moment ? later : jolt.camera;
    cost = adjust(bundle, 30);
    const size_t moment = bestDivision(bundle, jolt.camera, later, recording.moments.size());
    if (moment == jolt.moment || moment == 0) break;
    jolt.moment = moment;
  }
  return {{jolt.camera, jolt.moment, std::move(bundle.cameras)}, cost};
}

/// Returns the best move of each camera that may have moved, the likeliest first. The other cameras
/// share the residuals of a move, so fits are compared.
std::vector<Move> likelyMoves(const Bundle& bundle, const LightRecording& recording) {
  // Maximum number of jolts that are compared. Raising it takes longer.
  constexpr size_t kMostJolts = 8;
  auto jolts = findJolts(bundle, recording);
  if (jolts.size() > kMostJolts) jolts.resize(kMostJolts);
  std::vector<std::pair<Move, double>> fits;
  for (const Jolt& jolt : jolts) fits.push_back(moveOf(bundle, jolt, recording));
  const auto sort = [&] {
    std::stable_sort(fits.begin(), fits.end(),
                     [](const auto& a, const auto& b) { return a.second < b.second; });
  };
  sort();
  // If the best fit names the wrong camera, its moment is right nevertheless, so all cameras are
  // compared at that moment.
  for (size_t c = 0; c < bundle.cameras.size() && !fits.empty(); ++c)
    if (c != fits[0].first.camera &&
        std::any_of(jolts.begin(), jolts.end(), [c](const Jolt& jolt) { return jolt.camera == c; }))
      fits.push_back(moveOf(bundle, {c, fits[0].first.moment}, recording));
  sort();
  std::vector<Move> moves;
  for (const auto& [move, cost] : fits)
    if (std::none_of(moves.begin(), moves.end(),
                     [&camera = move.camera](const Move& m) { return m.camera == camera; }))
      moves.push_back(move);
  return moves;
}

/// Adds the target in moments in which it was not found, with wide gates. If a camera moved, the
/// others may be too few to place the lights.
void addMissing(Bundle& bundle, const LightRecording& recording, const Target& target,
                double pixels) {
  // Error of the wand's length, as a share of it. Raising it accepts more wrong dots.
  constexpr double kLength = 0.15;
  std::vector<bool> found(recording.moments.size());
  for (const BundleItem& item : bundle.items) found[item.moment] = true;
  const Rig rig = rigOf(bundle, recording);
  const std::vector<bool> placed(bundle.cameras.size(), true);
  for (size_t m = 0; m < found.size(); ++m) {
    if (found[m] || !isShared(recording.moments[m], target)) continue;
    const auto labelled = labelMoment(rig, placed, recording.moments[m], target, {pixels, kLength});
    if (labelled) bundle.items.push_back({m, labelled->ends, {}, {}});
  }
  std::stable_sort(bundle.items.begin(), bundle.items.end(),
                   [](const BundleItem& a, const BundleItem& b) { return a.moment < b.moment; });
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

std::vector<Move> findMoves(const Bundle& bundle, const LightRecording& recording,
                            const Target& target) {
  // The largest move that is looked for, as a share of the image's width. Raising it finds larger
  // moves, and accepts more wrong dots.
  constexpr double kFarthest = 0.04;
  if (missesDots(bundle, recording, target)) {
    Bundle wide = bundle;
    const double sigma = recording.sigmasKnown ? sigmaOf(bundle) : 1;
    const double farthest = kFarthest * recording.sizes[0].width;
    addMissing(wide, recording, target, farthest);
    gateSights(wide, recording, target, 1, farthest / sigma);
    if (auto moves = likelyMoves(wide, recording); !moves.empty()) return moves;
  }
  return likelyMoves(bundle, recording);
}

size_t bestDivisionOf(const std::vector<double>& better) {
  double sum = 0, least = std::numeric_limits<double>::infinity();
  size_t best = 0;
  for (size_t m = 0; m < better.size(); ++m) {
    if (sum < least) least = sum, best = m;
    sum += better[m];
  }
  return best;
}

double shiftBetween(const Bundle& bundle, size_t camera, size_t later) {
  double squares = 0, count = 0;
  for (BundleSight s : bundle.sights) {
    if (s.camera != camera && s.camera != later) continue;
    const auto one = residualOf(bundle, s);
    s.camera = s.camera == later ? camera : later;
    const auto other = residualOf(bundle, s);
    if (!one || !other) continue;
    squares += (*one - *other).squaredNorm();
    ++count;
  }
  return count > 0 ? std::sqrt(squares / count) : 0;
}

}  // namespace glint::motion
