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
#include "app/motion/calibrate/label.h"
#include "app/motion/calibrate/pair_start.h"
#include "app/motion/calibrate/refusals.h"
#include "app/motion/calibrate/resect.h"
#include "config/error.h"

namespace glint::motion {
namespace {

// Moments that two cameras must share to be placed by each other.
constexpr size_t kLeastShared = 10;
// Share of the image's diagonal by which a dot may be off, because lenses are not known yet.
constexpr double kCoarse = 0.008;
// Share of the wand's length by which it may be off in a moment.
constexpr double kLengthGate = 0.15;
constexpr double kNever = std::numeric_limits<double>::infinity();

/// A start may end in a sentence that says why it did not work.
struct Attempt {
  Bundle bundle;
  double cost = kNever;
  double residual = kNever;  ///< px^2, the mean, where most moments agree
  std::string why;
  bool alike = false;  ///< what kept a camera from being placed
};

/// Whether cameras stand elsewhere in one of two rigs of the same first camera and scale.
bool areUnlike(const Bundle& one, const Bundle& other) {
  // rad, and the share of the distance, by which the same camera may differ.
  constexpr double kTurn = 0.02, kShift = 0.02;
  for (size_t c = 0; c < std::min(one.cameras.size(), other.cameras.size()); ++c) {
    const Pose &a = one.cameras[c].pose, &b = other.cameras[c].pose;
    if (then(a.inverse(), b).rotation.norm() > kTurn ||
        (a.centre() - b.centre()).norm() > kShift * a.centre().norm())
      return true;
  }
  return false;
}

class Starter {
 public:
  Starter(const LightRecording& recording, const CalibrationOptions& options)
      : options_(options), target_(options.target) {
    findWhole(recording);
    chooseMoments(recording);
  }

  Bundle run();

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
  std::vector<std::vector<bool>> whole_;  // by camera, then moment
  std::vector<size_t> shared_;            // of two cameras
  LightRecording coarse_;                 // moments to start with; every sigma is 1 px
  std::vector<size_t> every_;             // all of their indices
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

/// Spread over the recording, until each two cameras that see each other's lights share enough.
void Starter::chooseMoments(const LightRecording& recording) {
  // Moments that each two cameras should share. More take longer and place them no better.
  constexpr size_t kWanted = 90;
  // Steps of this share of all moments (the golden section) spread evenly from the first few on.
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

/// Labels and adjusts what is placed.
void Starter::settle(Bundle& bundle, const std::vector<bool>& placed) const {
  labelAll(bundle, placed, coarse_, every_, target_, coarseGates());
  if (!bundle.items.empty()) adjust(bundle, 25, kStartLoss, true);
}

/// Places the camera that sees most of what is known; false where none can be.
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

/// Places a camera by one that is placed, where no three see the target at once. Only a wand
/// carries the scale.
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

/// The mean over dots that may be lights of min(residual, gate)^2, px^2.
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

/// The mean of residuals squared, px^2, if most moments agree.
double Starter::residualOfMost(const Bundle& bundle) const {
  constexpr double kMost = 0.7;  // share of the moments
  if (static_cast<double>(bundle.items.size()) < kMost * static_cast<double>(every_.size()))
    return kNever;
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

Bundle Starter::run() {
  // The pairs of cameras and the starts of each that are tried, and the starts that are tried after
  // the first fair one.
  constexpr size_t kMostPairs = 4, kMostStarts = 5, kMore = 6;
  // px^2. A fair start leaves no more than a lens without all its terms does. For a wand it needs
  // no other. For a single light it may be another rig's, so more are tried unless hardly anything
  // is left, which is sure.
  constexpr double kFair = 3.0, kSure = 0.5;
  // Ratio to the best residual up to which another rig may as well be the true one.
  constexpr double kAlike = 2;
  checkConnected();
  Attempt best;
  double rival = kNever;  // residual of the next best, of lights in a plane
  bool planar = false, paired = false;
  size_t since = 0;  // the first fair one
  const auto enough = [&] {
    return best.residual <= (target_.isWand() ? kFair : kSure) ||
           (best.residual <= kFair && since > kMore);
  };
  const auto consider = [&](Attempt attempt) {
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
  return std::move(bundle);
}

}  // namespace

Bundle startRig(const LightRecording& recording, const CalibrationOptions& options) {
  return Starter(recording, options).run();
}

}  // namespace glint::motion
