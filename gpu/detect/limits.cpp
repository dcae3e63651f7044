#include "gpu/detect/limits.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "config/describe.h"
#include "config/error.h"
#include "config/filter_use.h"
#include "config/setting_key.h"
#include "gpu/detect/spot_grid.h"

namespace glint::gpu {
namespace {

using Detect = Settings::Detect;

/// Returns a limit with the key and the values from the declaration of its setting.
consteval MarkerLimit limit(double Detect::*value, Rejection reason, int digits,
                            bool onlyPeaks = false) {
  extern const Settings described;  // only named, never read or defined
  MarkerLimit made{.value = value, .reason = reason, .digits = digits, .onlyPeaks = onlyPeaks};
  describe(described, [&](const auto& setting) {
    if constexpr (std::is_same_v<decltype(setting.value), const double&>) {
      if (&setting.value != &(described.detect.*value)) return;
      made.key = setting.key;
      made.none = setting.special.value;
      made.initial = setting.initial;
    }
  });
  return made;
}

// If a candidate is beyond several limits that have the same reason, explanations name the last.
constexpr MarkerQuantity kQuantities[] = {
    {.name = "mass",
     .unit = "counts",
     .valueOf = [](const shared::Detection& d) { return double{d.mass}; },
     .least = limit(&Detect::minMass, Rejection::tooSmall, 0),
     .spansDecades = true},
    {.name = "radius",
     .unit = "px",
     .valueOf = [](const shared::Detection& d) { return double{d.radius}; },
     .least = limit(&Detect::minRadius, Rejection::tooSmall, 2),
     .most = limit(&Detect::maxRadius, Rejection::tooLarge, 1)},
    {.name = "eccentricity",
     .unit = "",
     .valueOf = [](const shared::Detection& d) { return double{d.eccentricity}; },
     .most = limit(&Detect::maxEccentricity, Rejection::notRound, 2),
     .greatest = 1},
    {.name = "significance",
     .unit = "stddev",
     .valueOf = significanceOf,
     .least = limit(&Detect::minSignificance, Rejection::faint, 1, true)}};

/// Returns true if a limit meets the condition.
bool anyOfLimits(auto&& meets) {
  return std::ranges::any_of(kQuantities, [&](const MarkerQuantity& quantity) {
    return (quantity.least.value != nullptr && meets(quantity.least)) ||
           (quantity.most.value != nullptr && meets(quantity.most));
  });
}

bool anyLimit(const Detect& settings) {
  return anyOfLimits([&](const MarkerLimit& limit) { return limit.isSet(settings); });
}

/// Returns true if a limit is set that is off by default.
bool anyUnusualLimit(const Detect& settings) {
  return anyOfLimits([&](const MarkerLimit& limit) {
    return limit.initial == limit.none && limit.isSet(settings);
  });
}

/// Returns true if a limit is set to anything but its default.
bool asksForLimits(const Detect& settings) {
  return anyOfLimits([&](const MarkerLimit& limit) {
    return limit.isSet(settings) && settings.*limit.value != limit.initial;
  });
}

/// Returns the keys of all limits in the order of their declaration: "a, b and c".
std::string keysOfLimits() {
  std::vector<std::string_view> keys;
  const Settings settings;
  describe(settings, [&](const auto& setting) {
    if (findLimit(setting.key) != nullptr) keys.push_back(setting.key);
  });
  std::string text(keys.front());
  for (size_t i = 1; i < keys.size(); ++i)
    text.append(i + 1 < keys.size() ? ", " : " and ").append(keys[i]);
  return text;
}

struct ReasonNames {
  std::string_view inFiles, inWords;
};

ReasonNames namesOf(Rejection reason) {
  switch (reason) {
    case Rejection::tooSmall:
      return {"too_small", "too small"};
    case Rejection::tooLarge:
      return {"too_large", "too large"};
    case Rejection::notRound:
      return {"not_round", "too elongated"};
    case Rejection::ridge:
      return {"ridge", "a line or an edge"};
    case Rejection::faint:
      return {"faint", "too faint"};
    case Rejection::masked:
      return {"masked", "masked"};
    case Rejection::tooNear:
      return {"too_near", "too close"};
    case Rejection::beyondMost:
      return {"beyond_most", "over the maximum number"};
    case Rejection::lowScore:
      return {"low_score", "too unlike the template"};
    case Rejection::ambiguous:
      return {"ambiguous", "ambiguous"};
  }
  return {};
}

// px, radius from which a faint object is too large instead. The window of a fit ends at 120 px. An
// object of this size is not faint; its fit only fills the window.
constexpr float kLargestMeasured = 100;

// Extents above this many times detect.max_radius are too large. The radius of a fit is never that
// much below the extent from which it starts.
constexpr double kSurelyLarge = 1.5;
// px, greatest extent of soft lights that overlap with others (neighbours.cpp).
constexpr double kSoft = 5;

// A round object covers places within this share of its extent. Peaks on the edge are as often
// beside the object.
constexpr double kWithin = 0.9;
// Objects that are not round cover places within this share of their extent, in crowded layers. The
// share equals that of refine.comp.
constexpr double kWithinLong = 0.5;
// The greatest plausible radius, in units of the extent. For a Gaussian it is 1.7.
constexpr double kMostOfExtent = 2.5;
// The dimmer half of the peaks count as lines and edges if at least this share of them are. A line
// has a few peaks that look like something else.
constexpr double kMostly = 0.9;
// The least response of a second peak that covers the better one, as a share of the better one's. A
// dimmer peak may be a marker in the light of a bright one.
constexpr double kAlike = 0.4;
// The least mass of a second peak that replaces the better one, in units of the better one's mass.
constexpr double kHeavier = 2;

/// Returns the limit that a peak does not meet, or nothing. `longest`: ridgeLimit() of the limits.
/// `matched` tells that a template is sought, so that limits of shape do not apply.
std::optional<Rejection> outsideOf(const Settings::Detect& limits, double longest,
                                   const shared::Detection& d, bool matched) {
  const bool ridge = !matched && d.elongation > longest;
  if (!matched && d.radius <= 0) {
    if (ridge) return Rejection::ridge;
    if (d.extent > largestExtent(limits)) return Rejection::tooLarge;
  }
  // A fit that has failed has neither radius nor mass, because nothing stands out of the noise.
  if (d.radius < limits.minRadius || d.mass < limits.minMass)
    return d.radius > 0 ? Rejection::tooSmall : Rejection::faint;
  if (d.radius > limits.maxRadius) return Rejection::tooLarge;
  if (ridge) return Rejection::ridge;
  if (!matched && d.eccentricity > limits.maxEccentricity) return Rejection::notRound;
  if (isFaint(d, limits.minSignificance)) {
    const bool limited = limits.maxRadius < Settings().detect.maxRadius;
    return limited && d.radius > kLargestMeasured ? Rejection::tooLarge : Rejection::faint;
  }
  return std::nullopt;
}

/// Returns true if a peak was rejected only for its shape, and elongated markers may have this
/// shape.
bool isElongated(const Settings::Detect& limits, const shared::Detection& d, Rejection reason) {
  if (reason != Rejection::ridge && reason != Rejection::notRound) return false;
  return d.elongation <= ridgeLimit(kElongated) && d.eccentricity <= kElongated &&
         !isFaint(d, limits.minSignificance);
}

/// Returns how many of the elongated peaks, which are in order of rank, are different objects and
/// as bright as the brighter three quarters of the markers. Dimmer objects beside markers are of
/// another kind, such as reflections of markers.
uint32_t countElongated(const std::vector<const shared::Detection*>& elongated,
                        std::span<const shared::Detection> markers) {
  const uint32_t least = markers.empty() ? 0 : markers[3 * (markers.size() - 1) / 4].peak;
  std::vector<const shared::Detection*> apart;
  for (const auto* d : elongated) {
    const auto isSame = [&](const auto* other) {
      return std::hypot(d->x - other->x, d->y - other->y) < std::max(d->radius, other->radius);
    };
    if (d->peak >= least && std::ranges::none_of(apart, isSame)) apart.push_back(d);
  }
  return static_cast<uint32_t>(apart.size());
}

/// Returns true if an object is round and covers the place (x, y).
bool isWithin(const shared::Detection& round, float x, float y) {
  if (!(round.elongation > 0 && round.elongation < kRound)) return false;
  return std::hypot(x - round.extentX, y - round.extentY) < kWithin * double{round.extent};
}

/// The markers that are kept so far.
class Kept {
 public:
  // px, greatest distance of a fitted position from the middle of the extent.
  static constexpr double kWindow = 8;

  Kept(std::span<const shared::Detection> found, double separation)
      : found_(found), separation_(separation), rank_(found.size(), 0) {
    kept_.reserve(found.size());
    findSame();
  }

  void keep(size_t i) {
    kept_.push_back(i);
    rank_[i] = count();
  }
  uint32_t rank(size_t i) const { return rank_[i]; }
  uint32_t count() const { return static_cast<uint32_t>(kept_.size()); }

  /// Gives the rank of a marker to peak `i`, a second peak of it, if `i` has much more mass and is
  /// near. Returns the index of the replaced marker, or nothing.
  std::optional<size_t> giveWay(uint32_t rank, size_t i) {
    const size_t lighter = kept_[rank - 1];
    if (found_[i].mass < kHeavier * found_[lighter].mass || !isNear(lighter, i))
      return std::nullopt;
    kept_[rank - 1] = i;
    rank_[i] = std::exchange(rank_[lighter], 0);
    return lighter;
  }

  /// Returns the rank of the best marker whose peak is on the same object as peak `i`, which has
  /// kFlagSecond and was not fitted, or 0.
  uint32_t onObjectOf(size_t i) const {
    const auto& d = found_[i];
    const double reach = (d.elongation < kRound ? kWithin : kWithinLong) * double{d.extent};
    const auto at = std::find_if(kept_.begin(), kept_.end(), [&](size_t k) {
      return std::hypot(found_[k].peakX - double{d.extentX}, found_[k].peakY - double{d.extentY}) <
             reach;
    });
    return at == kept_.end() ? 0 : static_cast<uint32_t>(at - kept_.begin()) + 1;
  }

  /// Returns the rank of the best marker of which `i` is a second peak, or 0.
  uint32_t sameAs(size_t i) const {
    uint32_t best = 0;
    const auto same = std::ranges::equal_range(same_, i, {}, &SamePeaks::other);
    for (const SamePeaks& pair : same) {
      const uint32_t rank = rank_[pair.better];
      if (rank != 0 && (best == 0 || rank < best)) best = rank;
    }
    return best;
  }

 private:
  /// Two peaks of the same object.
  struct SamePeaks {
    size_t better, other;  // indices
  };

  /// Finds all pairs of peaks of the same object.
  void findSame() {
    std::vector<Spot> spots(found_.size());
    float most = 0;
    for (uint32_t i = 0; i < found_.size(); ++i) {
      const shared::Detection& d = found_[i];
      const auto reach = static_cast<float>(
          std::max({separation_ / 2, double{d.extent}, plausibleRadius(d) / 2}) + kWindow);
      spots[i] = {d.x, d.y, reach, i};
      most = std::max(most, reach);
    }
    const SpotGrid grid(spots, most);
    grid.forEachPair([&](const Spot& a, const Spot& b) {
      const float reach = std::max(a.reach, b.reach);
      if (std::max(std::abs(a.x - b.x), std::abs(a.y - b.y)) > reach) return;
      const auto [better, other] = std::minmax(a.index, b.index);
      if (isSame(better, other)) same_.push_back({better, other});
    });
    std::ranges::sort(same_, {}, &SamePeaks::other);
  }

  // Returns true if two fitted positions are so near that both belong to one marker. Peaks are at
  // least one separation apart, and a fit moves a position by less than half of that.
  bool isNear(size_t marker, size_t other) const {
    const auto &a = found_[marker], &b = found_[other];
    const double dx = double{a.x} - double{b.x}, dy = double{a.y} - double{b.y};
    const double near = std::max({separation_, plausibleRadius(a), plausibleRadius(b)}) / 2;
    return dx * dx + dy * dy < near * near;
  }

  bool isSame(size_t marker, size_t other) const {
    const auto &a = found_[marker], &b = found_[other];
    return isNear(marker, other) || covers(a, b) || (b.peak >= kAlike * a.peak && covers(b, a));
  }

  // Returns true if `a` is round and covers the position of `b`.
  static bool covers(const shared::Detection& a, const shared::Detection& b) {
    return isWithin(a, b.x, b.y);
  }

  std::span<const shared::Detection> found_;
  double separation_;
  std::vector<SamePeaks> same_;  // in order of `other`
  std::vector<size_t> kept_;     // indices of the kept markers by rank
  std::vector<uint32_t> rank_;   // rank of each index, from 1; 0: not kept
};

}  // namespace

double ridgeLimit(double maxEccentricity) {
  // Returns length / width of an ellipse with this eccentricity.
  const auto ratio = [](double e) { return 1 / std::sqrt(std::max(1 - e * e, 0.0)); };
  static const double usual = Settings().detect.maxEccentricity;
  return kRidge * std::max(1.0, ratio(maxEccentricity) / ratio(usual));
}

double largestExtent(const Settings::Detect& limits) {
  return std::max(kSurelyLarge * limits.maxRadius, kSoft);
}

// Derivation: let S be the distance from the noise in standard deviations, so that S^2 is the sum
// of signal^2 / variance. A Gaussian spot of sigma s can be located to sqrt(2) s / S at best, and
// its radius is 2 s. Discs with the same S can be located better.
double significanceOf(const shared::Detection& d) {
  return d.radius / (std::sqrt(2.0) * double{std::max(d.sigmaX, d.sigmaY)});
}

bool isFaint(const shared::Detection& d, double least) {
  return d.radius < least * std::sqrt(2.0) * double{std::max(d.sigmaX, d.sigmaY)};
}

double contrastOf(const shared::Detection& d) {
  return double{d.mass} / (std::numbers::pi * double{d.radius} * double{d.radius});
}

double plausibleRadius(const shared::Detection& d) {
  return std::min(double{d.radius}, kMostOfExtent * double{d.extent});
}

bool coversPeak(const shared::Detection& a, const shared::Detection& b) {
  return isWithin(a, static_cast<float>(b.peakX), static_cast<float>(b.peakY));
}

std::string_view nameOf(Rejection reason) {
  return namesOf(reason).inFiles;
}

std::string_view wordsOf(Rejection reason) {
  return namesOf(reason).inWords;
}

std::span<const MarkerQuantity> markerQuantities() {
  return kQuantities;
}

const MarkerLimit* findLimit(std::string_view key) {
  for (const MarkerQuantity& quantity : kQuantities)
    for (const MarkerLimit* limit : {&quantity.least, &quantity.most})
      if (limit->value != nullptr && limit->key == key) return limit;
  return nullptr;
}

uint32_t peaksToMeasure(const Settings& settings) {
  const auto& detect = settings.detect;
  const auto wanted = static_cast<uint32_t>(detect.maxMarkers);
  const bool measured =
      detect.method == DetectMethod::peaks && settings.refine.method != RefineMethod::none;
  const bool scored = detect.minScore > 0 || detect.scoreRatio > 0;
  if (!scored && (!measured || !anyLimit(detect))) return wanted;
  const uint32_t most = anyUnusualLimit(detect) ? 4 * wanted : wanted + std::max(wanted / 2, 64U);
  return std::min(most, 4096U);
}

void checkLimits(const Settings& settings) {
  filters::checkSeeks(settings.filters);
  if (!settings.filters.empty() &&
      (settings.response.dark || settings.response.kind == ResponseKind::inverted)) {
    throw UsageError(
        std::string("response.dark"_key) +
        " and --dark do not work with filters; to find dark markers, put the filter 'invert' at "
        "the end");
  }
  if (settings.detect.minRadius > settings.detect.maxRadius)
    throw UsageError(std::string("detect.min_radius"_key) + " is above " +
                     std::string("detect.max_radius"_key) + ", so nothing could be found");
  if (settings.detect.method == DetectMethod::peaks &&
      settings.refine.method == RefineMethod::none && asksForLimits(settings.detect)) {
    throw UsageError(keysOfLimits() + " need a measurement; set a " +
                     std::string("refine.method"_key) + " other than \"none\", or " +
                     std::string("detect.method"_key) + " to \"blobs\"");
  }
}

Limited applyLimits(std::span<const shared::Detection> found, const Settings& settings,
                    uint32_t capacity, std::span<const Rejected> fromSelect,
                    std::span<const double> scores) {
  Limited result;
  Kept kept(found, settings.detect.separation);
  result.markers.reserve(found.size());
  const auto most = static_cast<uint32_t>(settings.detect.maxMarkers);
  const bool blobs = settings.detect.method == DetectMethod::blobs;
  const bool measured = blobs || settings.refine.method != RefineMethod::none;
  const double longest = ridgeLimit(settings.detect.maxEccentricity);
  size_t lastMarker = 0, dimLines = 0;
  std::vector<double> keptScores;
  std::vector<const shared::Detection*> elongated;
  double runnerUp = 0;  // the best score of peaks that are only rejected for the number of markers
  for (size_t i = 0; i < found.size(); ++i) {
    const auto reject = [&](Rejection reason, uint32_t nearest) {
      const bool line = reason == Rejection::ridge || reason == Rejection::tooNear;
      if (line && i >= found.size() / 2) ++dimLines;
      const bool fitted = measured && (found[i].radius > 0 || !scores.empty());
      result.rejected.push_back({reason, found[i], fitted, nearest});
      if (!scores.empty()) result.rejected.back().score = scores[i];
    };
    const bool limited = measured && !blobs;
    const auto outside =
        limited ? outsideOf(settings.detect, longest, found[i], !scores.empty()) : std::nullopt;
    if ((found[i].flags & shared::kFlagSecond) != 0) {
      const uint32_t other = kept.onObjectOf(i);
      reject(Rejection::tooNear, other);
      result.rejected.back().seen.flags &= ~shared::kFlagSecond;
      if (other != 0) result.markers[other - 1].flags |= shared::kFlagSplit;
    } else if (!scores.empty() && scores[i] < settings.detect.minScore) {
      reject(Rejection::lowScore, 0);
    } else if (outside) {
      if (isElongated(settings.detect, found[i], *outside)) elongated.push_back(&found[i]);
      reject(*outside, 0);
    } else if (const uint32_t same = kept.sameAs(i); same != 0) {
      reject(Rejection::tooNear, same);
      if (const auto lighter = scores.empty() ? kept.giveWay(same, i) : std::nullopt) {
        result.rejected.back().seen = found[*lighter];
        result.markers[same - 1] = found[i];
      }
      result.markers[same - 1].flags |= shared::kFlagSplit;
    } else if (kept.count() == most) {
      reject(Rejection::beyondMost, 0);
      if (!scores.empty()) runnerUp = std::max(runnerUp, scores[i]);
    } else {
      kept.keep(i);
      lastMarker = i;
      result.markers.push_back(found[i]);
      if (!scores.empty()) keptScores.push_back(scores[i]);
    }
  }
  while (!keptScores.empty() && keptScores.back() < settings.detect.scoreRatio * runnerUp) {
    result.rejected.push_back(
        {Rejection::ambiguous, result.markers.back(), measured, 0, keptScores.back()});
    result.markers.pop_back();
    keptScores.pop_back();
  }
  result.elongated = countElongated(elongated, result.markers);
  // If the dimmer half of the peaks are no markers, but on lines and edges, even dimmer ones are
  // probably, too. This does not hold for saturated lights, which are all equally bright.
  const bool alike = kept.count() > 0 && found.back().peak == found[lastMarker].peak &&
                     (found[lastMarker].flags & shared::kFlagSaturated) != 0;
  const bool endsInLines = kept.count() > 0 && lastMarker < found.size() / 2 && !alike &&
                           static_cast<double>(dimLines) >= kMostly * double(found.size()) / 2;
  result.partial = found.size() == capacity && kept.count() < most && !endsInLines;
  if (result.partial) {
    for (auto& marker : result.markers) marker.flags |= shared::kFlagPartial;
  }
  for (Rejected rejected : fromSelect) {
    if (rejected.nearestRank != 0) rejected.nearestRank = kept.rank(rejected.nearestRank - 1);
    result.rejected.push_back(rejected);
  }
  for (Rejected& rejected : result.rejected)
    if (rejected.nearestRank > result.markers.size()) rejected.nearestRank = 0;
  return result;
}

}  // namespace glint::gpu
