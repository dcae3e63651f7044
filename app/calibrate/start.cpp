#include "app/calibrate/start.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <fmt/format.h>

#include "app/calibrate/epipolar.h"
#include "app/calibrate/label.h"
#include "app/calibrate/resect.h"
#include "app/geometry/rotation.h"
#include "app/geometry/triangulate.h"
#include "config/error.h"

namespace glint {
namespace {

constexpr size_t kLeastShared = 10;  // moments that two cameras must share
constexpr double kCoarse = 0.008;    // of the diagonal: a dot that agrees, without a lens model
constexpr double kLengthGate = 0.15;
constexpr double kStartLoss = 2;     // px
constexpr double kArbitrary = 1000;  // between the first two cameras where no length is known
constexpr double kNever = std::numeric_limits<double>::infinity();

/// Two cameras, the first at the origin.
struct PairStart {
  Lens first, second;
  Pose relative;
  double cost = kNever;  // a sight
};

/// A start may end in a sentence that says why it did not work.
struct Attempt {
  Bundle bundle;
  double cost = kNever;
  std::string why;
};

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

  std::vector<PairStart> startPair(size_t i, size_t j, const Lens* known, bool& planar) const;
  std::optional<PairStart> placePair(const EpipolarFit& fit, size_t i, size_t j, double first,
                                     double second) const;
  double adjustPair(PairStart& start, const EpipolarFit& fit, size_t i, size_t j,
                    bool knownFirst) const;
  Attempt grow(const PairStart& start, size_t i, size_t j) const;
  bool placeNext(Bundle& bundle, std::vector<bool>& placed, std::vector<bool>& given) const;
  bool chainNext(Bundle& bundle, std::vector<bool>& placed) const;
  void settle(Bundle& bundle, const std::vector<bool>& placed) const;
  double costOf(const Bundle& bundle) const;
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
  constexpr size_t kWanted = 90;    // moments that two cameras share
  constexpr size_t kStride = 7919;  // a prime: steps through all moments in a scattered order
  const size_t n = recording.sizes.size(), all = recording.moments.size();
  coarse_ = recording;
  coarse_.moments.clear();
  std::vector<size_t> have(n * n);
  std::vector<size_t> chosen;
  for (size_t k = 0; k < all; ++k) {
    const size_t m = all % kStride == 0 ? k : k * kStride % all;
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
      throw Error(fmt::format("camera {} never sees {} (with at most {} dots in its image)", c,
                              target_.isWand() ? "the whole wand" : "the light", kMostDots));
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
  std::string apart;
  for (size_t c = 0; c < count(); ++c)
    if (!reached[c]) apart += fmt::format("{}{}", apart.empty() ? "" : ", ", c);
  if (!apart.empty())
    throw Error(fmt::format(
        "camera {} shares fewer than {} moments with the cameras that camera 0 is connected to; "
        "move {} where both see it",
        apart, kLeastShared, target_.isWand() ? "the wand" : "the light"));
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

Rig pairRig(const PairStart& start) {
  Rig rig;
  rig.cameras = {{"", 0, 0, start.first, {}, 0}, {"", 0, 0, start.second, start.relative, 0}};
  return rig;
}

/// The points of a sighting in space; fewer where some cannot be.
std::vector<Eigen::Vector3d> pointsOf(const Rig& rig, const PairSighting& s) {
  std::vector<Eigen::Vector3d> points;
  for (size_t e = 0; e < s.first.size(); ++e) {
    const std::array<Sighting, 2> two{Sighting{0, s.first[e], {1, 1}},
                                      Sighting{1, s.second[e], {1, 1}}};
    if (const auto point = triangulate(rig, two)) points.push_back(point->at);
  }
  return points;
}

double medianOf(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<long>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The second camera's place for these focal lengths, of the four that the essential matrix leaves
/// the one with most points before both (Hartley and Zisserman, 9.6). For a wand, scaled to its
/// length, and the cost is the relative spread of its lengths.
std::optional<PairStart> Starter::placePair(const EpipolarFit& fit, size_t i, size_t j,
                                            double first, double second) const {
  constexpr size_t kTried = 40;
  const Bundle guess = unplaced(coarse_, options_);
  PairStart start{guess.cameras[i].lens, guess.cameras[j].lens, {}, kNever};
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
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(
      matrix(start.second).transpose() * fit.fundamental * matrix(start.first),
      Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d turn;
  turn << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  const size_t step = std::max<size_t>(1, fit.sightings.size() / kTried);
  std::vector<double> best;
  size_t most = 0;
  std::optional<PairStart> result;
  for (int k = 0; k < 4; ++k) {
    Eigen::Matrix3d rotation = svd.matrixU() * (k % 2 ? turn : Eigen::Matrix3d(turn.transpose())) *
                               svd.matrixV().transpose();
    if (rotation.determinant() < 0) rotation = -rotation;
    start.relative = {rodriguesOf(rotation), (k / 2 ? -1 : 1) * svd.matrixU().col(2)};
    const Rig rig = pairRig(start);
    size_t before = 0;
    std::vector<double> lengths;
    for (size_t s = 0; s < fit.sightings.size(); s += step) {
      const auto points = pointsOf(rig, fit.sightings[s]);
      before += points.size();
      if (points.size() == 2) lengths.push_back((points[1] - points[0]).norm());
    }
    if (before <= most) continue;
    most = before;
    best = lengths;
    result = start;
  }
  if (!result || most < 8) return std::nullopt;
  if (!target_.isWand()) {
    result->relative.translation *= kArbitrary;
    const Eigen::Vector3d values = svd.singularValues();
    result->cost = (values[0] - values[1]) / values[0];
    return result;
  }
  const double middle = medianOf(best);
  if (!(middle > 0)) return std::nullopt;
  for (double& length : best) length = std::abs(length - middle);
  result->cost = medianOf(best) / middle;
  result->relative.translation *= target_.length / middle;
  return result;
}

/// Both cameras adjusted on all sightings; the cost of one.
double Starter::adjustPair(PairStart& start, const EpipolarFit& fit, size_t i, size_t j,
                           bool knownFirst) const {
  Bundle bundle = unplaced(coarse_, options_);
  bundle.cameras = {bundle.cameras[i], bundle.cameras[j]};
  bundle.cameras[0].lens = start.first;
  bundle.cameras[1].lens = start.second;
  bundle.cameras[1].pose = start.relative;
  bundle.cameras[0].freePose = false;
  if (knownFirst) bundle.cameras[0].free = {};
  if (!target_.isWand()) {
    // Two cameras and a single light leave the focal lengths open.
    for (BundleCamera& camera : bundle.cameras) camera.free = {};
    bundle.base = BaseLine{0, 1, kArbitrary};
  }
  const Rig rig = pairRig(start);
  for (const PairSighting& s : fit.sightings) {
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
  if (bundle.items.size() < 4) return kNever;
  const double cost = adjust(bundle, 30, kStartLoss, true);
  start.first = bundle.cameras[0].lens;
  start.second = bundle.cameras[1].lens;
  start.relative = bundle.cameras[1].pose;
  return cost / static_cast<double>(bundle.sights.size());
}

std::vector<PairStart> Starter::startPair(size_t i, size_t j, const Lens* known,
                                          bool& planar) const {
  constexpr double kLeastAgree = 0.4;
  constexpr size_t kAdjusted = 4;
  const EpipolarFit fit = fitEpipolar(coarse_, target_, every_, i, j);
  std::vector<PairStart> starts;
  if (static_cast<double>(fit.sightings.size()) < kLeastAgree * static_cast<double>(fit.tried) ||
      fit.sightings.empty())
    return starts;
  planar = fit.planar;
  if (fit.planar) return starts;
  const auto focals = [&](size_t c, const Lens* lens) {
    if (lens != nullptr) return std::vector<double>{lens->fx};
    if (!options_.intrinsics.empty()) return std::vector<double>{options_.intrinsics[c].fx};
    std::vector<double> all;
    for (const double ratio : kFocalPerWidth) all.push_back(ratio * coarse_.sizes[c].width);
    return all;
  };
  const auto firsts = focals(i, known), seconds = focals(j, nullptr);
  for (size_t a = 0; a < firsts.size(); ++a)
    for (size_t b = 0; b < seconds.size(); ++b) {
      // A single light says too little for two focal lengths: cameras are taken for like ones.
      if (!target_.isWand() && firsts.size() == seconds.size() && a != b) continue;
      if (const auto start = placePair(fit, i, j, firsts[a], seconds[b])) starts.push_back(*start);
    }
  const auto byCost = [](const PairStart& a, const PairStart& b) { return a.cost < b.cost; };
  std::stable_sort(starts.begin(), starts.end(), byCost);
  if (target_.isWand() && starts.size() > kAdjusted) starts.resize(kAdjusted);
  for (PairStart& start : starts) start.cost = adjustPair(start, fit, i, j, known != nullptr);
  std::stable_sort(starts.begin(), starts.end(), byCost);
  std::erase_if(starts, [](const PairStart& s) { return !std::isfinite(s.cost); });
  return starts;
}

/// Labels and adjusts what is placed.
void Starter::settle(Bundle& bundle, const std::vector<bool>& placed) const {
  labelAll(bundle, placed, coarse_, every_, target_, coarseGates());
  if (!bundle.items.empty()) adjust(bundle, 25, kStartLoss, true);
}

/// Places the camera that sees most of what is known; false where none can be.
bool Starter::placeNext(Bundle& bundle, std::vector<bool>& placed, std::vector<bool>& given) const {
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
    likely.push_back(near * medianOf(ratios) * coarse_.sizes[best].width);
  if (!resect(bundle, coarse_, target_, best, likely)) return placeNext(bundle, placed, given);
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
    if (!placeNext(bundle, placed, given) && !chainNext(bundle, placed)) {
      std::string missing;
      for (size_t c = 0; c < count(); ++c)
        if (!placed[c]) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", c);
      attempt.why = fmt::format("camera {} could not be placed by what the others see", missing);
      return attempt;
    }
    hold(!target_.isWand() && !several());
    settle(bundle, placed);
  }
  settle(bundle, placed);
  labelAll(bundle, placed, coarse_, every_, target_, coarseGates());
  attempt.cost = costOf(bundle);
  return attempt;
}

Bundle Starter::run() {
  constexpr size_t kMostPairs = 4, kMostStarts = 5;
  constexpr double kGood = 3.0;  // px^2: a start as good as this needs no other
  checkConnected();
  Attempt best;
  bool planar = false, paired = false;
  const auto pairs = pairsByOverlap();
  for (size_t p = 0; p < std::min(pairs.size(), kMostPairs) && !std::isfinite(best.cost); ++p) {
    const auto [i, j] = pairs[p];
    auto starts = startPair(i, j, nullptr, planar);
    paired = paired || !starts.empty();
    for (size_t s = 0; s < std::min(starts.size(), kMostStarts) && best.cost > kGood; ++s) {
      Attempt attempt = grow(starts[s], i, j);
      if (attempt.cost < best.cost || !std::isfinite(best.cost)) best = std::move(attempt);
    }
  }
  if (!std::isfinite(best.cost)) {
    if (!paired && planar)
      throw Error(
          "the lights moved in a plane, from which focal lengths and distortion cannot be told; "
          "move them through the depth of the volume, too");
    if (!paired)
      throw Error(fmt::format(
          "no two cameras agree on {}: check that the recordings belong together and began "
          "together (--offset), and that few other lights are in the images",
          target_.isWand() ? "where the wand is" : "where the light is"));
    throw Error(best.why + "; check that its recording belongs to the others, or record longer");
  }
  Bundle& bundle = best.bundle;
  const Pose first = bundle.cameras[0].pose;
  for (BundleCamera& camera : bundle.cameras) camera.pose = then(first.inverse(), camera.pose);
  bundle.items.clear();
  bundle.sights.clear();
  return std::move(bundle);
}

}  // namespace

Bundle unplaced(const LightRecording& recording, const CalibrationOptions& options) {
  // Weak: principal points lie in the middle of the image to some percent, and lenses of cameras
  // that count as pinholes have coefficients of some tenths.
  constexpr double kCentre = 0.04, kRadial1 = 0.3, kRadial = 0.2, kTangential = 0.005;
  Bundle bundle;
  bundle.length = options.target.length;
  bundle.lengthSigma = options.target.lengthSigma;
  for (size_t c = 0; c < recording.sizes.size(); ++c) {
    const auto [width, height] = recording.sizes[c];
    BundleCamera camera;
    const double wide = width;
    camera.lens = {wide, wide, (width - 1) / 2.0, (height - 1) / 2.0};
    if (!options.intrinsics.empty()) camera.lens = options.intrinsics[c];
    camera.prior = camera.lens;
    camera.priorSigma = {0,       kCentre * wide, kCentre * wide, kRadial1,
                         kRadial, kTangential,    kTangential,    kRadial};
    if (!options.fixIntrinsics) {
      camera.free[focal] = true;
      camera.free[radial1] = options.terms != LensTerms::none;
    }
    bundle.cameras.push_back(camera);
  }
  return bundle;
}

Bundle startRig(const LightRecording& recording, const CalibrationOptions& options) {
  return Starter(recording, options).run();
}

}  // namespace glint
