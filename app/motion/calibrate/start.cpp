#include "app/motion/calibrate/start.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/base/quantile.h"
#include "app/motion/calibrate/adjust.h"
#include "app/motion/calibrate/equation.h"
#include "app/motion/calibrate/figures.h"
#include "app/motion/calibrate/label.h"
#include "app/motion/calibrate/pair_start.h"
#include "app/motion/calibrate/refusals.h"
#include "app/motion/calibrate/resect.h"
#include "app/motion/calibrate/smooth_lights.h"
#include "config/error.h"

namespace glint::motion {
namespace {

// Minimum number of moments that two cameras must share to be placed relative to each other.
// Raising it refuses more pairs of cameras.
constexpr size_t kLeastShared = 10;
// Maximum error of a dot, as a share of the image's diagonal. It is large because lenses are not
// known yet. Raising it accepts more wrong dots.
constexpr double kCoarse = 0.008;
// Maximum error of the wand's length in a moment, as a share of it. Raising it accepts more wrong
// dots.
constexpr double kLengthGate = 0.15;
constexpr double kNever = std::numeric_limits<double>::infinity();

/// A rig grown from one guess. If a camera could not be placed, `why` says so in a sentence.
struct Attempt {
  Bundle bundle;
  /// Mean truncated squared residual, px^2: see Starter::costOf().
  double cost = kNever;
  /// Mean squared residual, px^2, or infinity unless most moments and most dots of each camera
  /// agree.
  double residual = kNever;
  std::string why;
  /// True if a camera could not be placed because two poses look alike.
  bool alike = false;
};

/// Returns true if a camera has different poses in two rigs with the same first camera and scale.
bool areUnlike(const Bundle& one, const Bundle& other) {
  // Maximum difference of the same camera in both: rotation in rad, and position as a share of the
  // distance. Raising them takes more rigs for the same.
  constexpr double kTurn = 0.02, kShift = 0.02;
  for (size_t c = 0; c < std::min(one.cameras.size(), other.cameras.size()); ++c) {
    const Pose &a = one.cameras[c].pose, &b = other.cameras[c].pose;
    if (then(a.inverse(), b).rotation.norm() > kTurn ||
        (a.centre() - b.centre()).norm() > kShift * a.centre().norm())
      return true;
  }
  return false;
}

/// Grows rigs from several guesses of two cameras, and returns the best.
class Starter {
 public:
  Starter(const LightRecording& recording, const CalibrationOptions& options)
      : options_(options), target_(options.target) {
    findWhole(recording);
    chooseMoments(recording);
  }

  /// Returns the best rig. Throws Error if there is none.
  Attempt run();

 private:
  void findWhole(const LightRecording& recording);
  void chooseMoments(const LightRecording& recording);
  void checkConnected() const;
  size_t count() const { return coarse_.sizes.size(); }
  double diagonal(size_t c) const {
    return std::hypot(coarse_.sizes[c].width, coarse_.sizes[c].height);
  }
  size_t shared(size_t i, size_t j) const { return shared_[i * whole_.size() + j]; }
  std::vector<std::pair<size_t, size_t>> pairsByOverlap() const;

  std::vector<PairStart> startPair(size_t i, size_t j, const Lens* known, bool& planar,
                                   bool unlike = false) const {
    return glint::motion::startPair(coarse_, options_, i, j, known, planar, unlike);
  }
  Attempt grow(const PairStart& start, size_t i, size_t j) const;
  bool placeNext(Attempt& attempt, std::vector<bool>& placed, std::vector<bool>& given) const;
  bool chainNext(Bundle& bundle, std::vector<bool>& placed) const;
  void settle(Bundle& bundle, const std::vector<bool>& placed) const;
  double costOf(const Bundle& bundle) const;
  double residualOfMost(const Bundle& bundle) const;
  Gates coarseGates() const { return {kCoarse * diagonal(0), kLengthGate}; }

  const CalibrationOptions& options_;
  const Target& target_;
  // True if a camera sees the whole target, by camera, then moment.
  std::vector<std::vector<bool>> whole_;
  // Number of moments that two cameras share, at i * cameras + j.
  std::vector<size_t> shared_;
  // The moments that are used for the guess. Every sigma is 1 px.
  LightRecording coarse_;
  // The indices of all moments of `coarse_`.
  std::vector<size_t> every_;
};

void Starter::findWhole(const LightRecording& recording) {
  const size_t n = recording.sizes.size();
  whole_.assign(n, std::vector<bool>(recording.moments.size()));
  shared_.assign(n * n, 0);
  for (size_t m = 0; m < recording.moments.size(); ++m) {
    for (size_t c = 0; c < n; ++c)
      whole_[c][m] = !wholeSightings(recording.moments[m].views[c], target_).empty();
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j) shared_[i * n + j] += whole_[i][m] && whole_[j][m];
  }
}

/// Chooses moments spread over the recording, until any two cameras that share moments have enough.
void Starter::chooseMoments(const LightRecording& recording) {
  // Number of moments that any two cameras should share. Raising it takes longer and does not place
  // the cameras better.
  constexpr size_t kWanted = 90;
  // The stride through the moments, as a share of all of them: the golden section. With it, the
  // moments that are taken are spread evenly, however few they are.
  constexpr double kGolden = 0.618;
  const size_t n = recording.sizes.size(), all = recording.moments.size();
  auto stride = std::max<size_t>(1, static_cast<size_t>(kGolden * static_cast<double>(all)));
  while (std::gcd(stride, all) != 1) ++stride;
  coarse_ = recording;
  coarse_.moments.clear();
  std::vector<size_t> have(n * n);
  std::vector<size_t> chosen;
  for (size_t k = 0; k < all; ++k) {
    const size_t m = k * stride % all;
    bool wanted = false;
    for (size_t i = 0; i < n; ++i)
      for (size_t j = i + 1; j < n; ++j)
        wanted = wanted || (whole_[i][m] && whole_[j][m] && have[i * n + j] < kWanted);
    if (!wanted) continue;
    chosen.push_back(m);
    for (size_t i = 0; i < n; ++i)
      for (size_t j = i + 1; j < n; ++j) have[i * n + j] += whole_[i][m] && whole_[j][m];
  }
  std::sort(chosen.begin(), chosen.end());
  for (const size_t m : chosen) {
    coarse_.moments.push_back(recording.moments[m]);
    for (View& view : coarse_.moments.back().views)
      for (Dot& dot : view.dots) dot.sigma = {1, 1};
  }
  every_.resize(chosen.size());
  std::iota(every_.begin(), every_.end(), size_t{0});
}

/// Throws Error if a camera never sees the target, or shares too few moments with the others.
void Starter::checkConnected() const {
  for (size_t c = 0; c < count(); ++c) {
    const auto seen = std::count(whole_[c].begin(), whole_[c].end(), true);
    if (seen == 0)
      throw Error(
          fmt::format("camera {} never sees {} (with at most {} dots in its image{})", c,
                      target_.isWand() ? "the whole wand" : "the light", kMostDots,
                      target_.lights.size() == 3 ? ", on a line and spaced as --wand says" : ""));
  }
  std::vector<bool> reached(count());
  std::vector<size_t> open{0};
  reached[0] = true;
  while (!open.empty()) {
    const size_t c = open.back();
    open.pop_back();
    for (size_t other = 0; other < count(); ++other)
      if (!reached[other] && shared(c, other) >= kLeastShared) {
        reached[other] = true;
        open.push_back(other);
      }
  }
  std::vector<size_t> apart;
  for (size_t c = 0; c < count(); ++c)
    if (!reached[c]) apart.push_back(c);
  if (!apart.empty())
    throw Error(
        fmt::format("{} fewer than {} moments with the cameras that camera 0 is connected to; "
                    "move {} where both see it",
                    apart.size() == 1 ? fmt::format("camera {} shares", apart[0])
                                      : fmt::format("cameras {} share", fmt::join(apart, ", ")),
                    kLeastShared, target_.isWand() ? "the wand" : "the light"));
}

/// Returns the pairs of cameras that share enough moments, those that share most first.
std::vector<std::pair<size_t, size_t>> Starter::pairsByOverlap() const {
  std::vector<std::pair<size_t, size_t>> pairs;
  for (size_t i = 0; i < count(); ++i)
    for (size_t j = i + 1; j < count(); ++j)
      if (shared(i, j) >= kLeastShared) pairs.emplace_back(i, j);
  std::stable_sort(pairs.begin(), pairs.end(), [&](const auto& a, const auto& b) {
    return shared(a.first, a.second) > shared(b.first, b.second);
  });
  return pairs;
}

/// Labels the dots with the cameras placed so far, and adjusts these.
void Starter::settle(Bundle& bundle, const std::vector<bool>& placed) const {
  labelAll(bundle, placed, coarse_, every_, target_, coarseGates());
  if (!bundle.items.empty()) adjust(bundle, 25, kStartLoss, true);
}

/// Places the camera that sees most of the known lights. If that fails, tries the others. `given`
/// are those that were given up. Returns false if no camera can be placed.
bool Starter::placeNext(Attempt& attempt, std::vector<bool>& placed,
                        std::vector<bool>& given) const {
  Bundle& bundle = attempt.bundle;
  size_t best = count(), most = 0;
  for (size_t c = 0; c < count(); ++c) {
    if (placed[c] || given[c]) continue;
    size_t seen = 0;
    for (const BundleItem& item : bundle.items)
      seen += !wholeSightings(coarse_.moments[item.moment].views[c], target_).empty();
    if (seen > most) most = seen, best = c;
  }
  if (best == count()) return false;
  given[best] = true;
  std::vector<double> ratios, likely;
  for (size_t c = 0; c < count(); ++c)
    if (placed[c]) ratios.push_back(bundle.cameras[c].lens.fx / coarse_.sizes[c].width);
  for (const double near : {1.0, 0.85, 1.2})
    likely.push_back(near * base::medianOf(ratios) * coarse_.sizes[best].width);
  const Resected resected = resect(bundle, coarse_, target_, best, likely);
  attempt.alike = attempt.alike || resected == Resected::alike;
  if (resected != Resected::placed) return placeNext(attempt, placed, given);
  placed[best] = true;
  std::fill(given.begin(), given.end(), false);
  return true;
}

/// Places a camera relative to a single placed one, for rigs in which no three cameras see the
/// target at once. This works with a wand only, because a single light does not carry the scale
/// over. Returns false if no camera can be placed.
bool Starter::chainNext(Bundle& bundle, std::vector<bool>& placed) const {
  if (!target_.isWand()) return false;
  for (const auto& [i, j] : pairsByOverlap()) {
    if (placed[i] == placed[j]) continue;
    const size_t from = placed[i] ? i : j, to = placed[i] ? j : i;
    bool planar = false;
    const Lens known = bundle.cameras[from].lens;
    const auto starts = startPair(from, to, &known, planar);
    if (starts.empty()) continue;
    bundle.cameras[to].lens = starts[0].second;
    bundle.cameras[to].pose = then(bundle.cameras[from].pose, starts[0].relative);
    placed[to] = true;
    return true;
  }
  return false;
}

/// Returns the mean of min(residual, gate)^2, px^2, over all dots that may be lights.
double Starter::costOf(const Bundle& bundle) const {
  const double gate = coarseGates().pixels;
  double sum = 0;
  for (const BundleSight& s : bundle.sights) {
    const auto residual = residualOf(bundle, s);
    sum += residual ? std::min(gate * gate, residual->squaredNorm()) : gate * gate;
  }
  size_t dots = 0;
  for (const Moment& moment : coarse_.moments)
    for (const View& view : moment.views) dots += std::min(view.dots.size(), target_.lights.size());
  if (dots > bundle.sights.size())
    sum += gate * gate * static_cast<double>(dots - bundle.sights.size());
  return sum / static_cast<double>(std::max<size_t>(dots, 1));
}

/// Returns the mean squared residual, px^2, or infinity if too few moments agree, or too few dots
/// of a camera: a camera in a wrong place fits some dots by chance, and fits these well.
double Starter::residualOfMost(const Bundle& bundle) const {
  // Minimum share of the moments that must agree, and of each camera's dots. Other lights may be
  // among the dots, so the second share is smaller. Raising them rejects more rigs.
  constexpr double kMost = 0.7, kMostDotsOfOne = 0.5;
  if (static_cast<double>(bundle.items.size()) < kMost * static_cast<double>(every_.size()))
    return kNever;
  for (const CameraFigures& f :
       cameraFigures(bundle, coarse_, target_, std::vector<bool>(every_.size(), true)))
    if (shareThatFits(f) < kMostDotsOfOne) return kNever;
  double sum = 0;
  for (const BundleSight& s : bundle.sights) {
    const auto residual = residualOf(bundle, s);
    sum += residual ? residual->squaredNorm() : 1e6;
  }
  return sum / static_cast<double>(bundle.sights.size());
}

Attempt Starter::grow(const PairStart& start, size_t i, size_t j) const {
  Attempt attempt;
  Bundle& bundle = attempt.bundle;
  bundle = unplaced(coarse_, options_);
  bundle.cameras[i].lens = start.first;
  bundle.cameras[j].lens = start.second;
  bundle.cameras[i].pose = {};
  bundle.cameras[j].pose = start.relative;
  bundle.cameras[i].freePose = false;
  if (!target_.isWand()) bundle.base = BaseLine{i, j, kArbitrary};
  std::vector<bool> placed(count()), given(count());
  placed[i] = placed[j] = true;
  const auto frees = bundle.cameras;
  const auto hold = [&](bool held) {
    for (size_t c = 0; c < count(); ++c) bundle.cameras[c].free = held ? LensFree{} : frees[c].free;
  };
  const auto several = [&] { return std::count(placed.begin(), placed.end(), true) > 2; };
  hold(!target_.isWand());
  settle(bundle, placed);
  while (std::count(placed.begin(), placed.end(), false) > 0) {
    hold(false);
    if (!placeNext(attempt, placed, given) && !chainNext(bundle, placed)) {
      std::string missing;
      for (size_t c = 0; c < count(); ++c)
        if (!placed[c]) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", c);
      attempt.why = fmt::format("camera {} could not be placed from what the others see", missing);
      return attempt;
    }
    hold(!target_.isWand() && !several());
    settle(bundle, placed);
  }
  settle(bundle, placed);
  labelAll(bundle, placed, coarse_, every_, target_, coarseGates());
  attempt.cost = costOf(bundle);
  attempt.residual = residualOfMost(bundle);
  return attempt;
}

Attempt Starter::run() {
  // Maximum number of pairs of cameras (kMostPairs), of guesses for each (kMostStarts), of guesses
  // for a wand in all (kMostForWand), and of further guesses after the first fair one (kMore).
  // Raising them takes longer, and finds the right rig more often.
  constexpr size_t kMostPairs = 4, kMostStarts = 5, kMostForWand = 8, kMore = 6;
  // Mean squared residual, px^2. A fair guess leaves no more than an incomplete lens model
  // explains. For a wand a fair guess is enough. For a single light it may belong to a wrong rig,
  // so more guesses are tried unless one is below the second value, which is certainly right.
  constexpr double kFair = 3.0, kSure = 0.5;
  // Maximum ratio between the residuals of another rig and of the best one, at which the other may
  // be the true one as well. Raising it refuses more recordings.
  constexpr double kAlike = 2;
  checkConnected();
  Attempt best;
  // Residual of the second best rig, for lights in a plane.
  double rival = kNever;
  bool planar = false, paired = false;
  // Number of attempts since the first fair one, which is counted.
  size_t since = 0;
  size_t attempts = 0;
  const auto enough = [&] {
    if (target_.isWand() && attempts >= kMostForWand) return true;
    return best.residual <= (target_.isWand() ? kFair : kSure) ||
           (best.residual <= kFair && since > kMore);
  };
  const auto consider = [&](Attempt attempt) {
    ++attempts;
    const bool fair = std::min(best.residual, attempt.residual) <= kFair;
    since += fair;
    if (fair ? attempt.residual < best.residual
             : attempt.cost < best.cost || !std::isfinite(best.cost))
      std::swap(best, attempt);
    if (planar && areUnlike(best.bundle, attempt.bundle)) rival = std::min(rival, attempt.residual);
  };
  const auto pairs = pairsByOverlap();
  for (const bool unlike : {false, true}) {
    const bool open = !target_.isWand() && options_.intrinsics.empty() && count() > 2;
    for (size_t p = 0; p < std::min(pairs.size(), kMostPairs) && (open || !unlike); ++p) {
      if (enough() || (planar && std::isfinite(best.residual))) break;
      const auto [i, j] = pairs[p];
      auto starts = startPair(i, j, nullptr, planar, unlike);
      paired = paired || !starts.empty();
      if (!unlike && starts.size() > kMostStarts) starts.resize(kMostStarts);
      for (const PairStart& start : starts)
        if (planar || !enough()) consider(grow(start, i, j));
    }
  }
  const bool found = std::isfinite(best.cost);
  if (planar || (!found && !paired)) refuseNarrowMotion(coarse_, target_);
  if (rival < kAlike * best.residual || (!found && best.alike))
    throw Error(
        "the lights moved in a plane, which looks the same from two places of a camera; move them "
        "through the depth of the volume, too");
  if (!found) {
    if (!paired && planar && options_.fixIntrinsics)
      throw Error(
          "the lights moved in a plane, which cameras see from its edge or from both sides; move "
          "them through the depth of the volume, too");
    if (!paired && planar)
      throw Error(
          "the lights moved in a plane, which does not determine focal lengths and distortion; "
          "move them through the depth of the volume, too, or give the lenses (--intrinsics, --fix "
          "intrinsics); cameras that stand in one place see lights like that, too");
    if (!paired)
      throw Error(fmt::format(
          "no two cameras agree on {}: check that the recordings belong together and began "
          "together (--offset), and that few other lights are in the images",
          target_.isWand() ? "where the wand is" : "where the light is"));
    throw Error(best.why +
                "; check that its recording belongs to the others and began with them "
                "(--offset), or record longer");
  }
  Bundle& bundle = best.bundle;
  const Pose first = bundle.cameras[0].pose;
  for (BundleCamera& camera : bundle.cameras) camera.pose = then(first.inverse(), camera.pose);
  bundle.items.clear();
  bundle.sights.clear();
  return best;
}

/// Returns the rig that the smooth dots of a recording give, or nothing if they do not suffice.
std::optional<Attempt> smoothStart(const LightRecording& recording,
                                   const CalibrationOptions& options) {
  const auto smooth = smoothLights(recording, options.target);
  if (!smooth) return std::nullopt;
  try {
    return Starter(*smooth, options).run();
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

Bundle startRig(const LightRecording& recording, const CalibrationOptions& options) {
  std::optional<Attempt> smooth = smoothStart(recording, options);
  if (smooth && std::isfinite(smooth->residual)) return std::move(smooth->bundle);
  try {
    Attempt all = Starter(recording, options).run();
    if (!smooth || std::isfinite(all.residual)) return std::move(all.bundle);
  } catch (const Error&) {
    if (!smooth) throw;
  }
  return std::move(smooth->bundle);
}

}  // namespace glint::motion
