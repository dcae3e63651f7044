#include "app/probe/proposal.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/probe/cut.h"
#include "app/probe/dimmer.h"
#include "app/probe/pairs.h"
#include "gpu/detect/limits.h"

namespace glint {
namespace {

// px: each answers to markers from two thirds of it to one and a half times.
constexpr std::array kRadii{1.5, 2.5, 4.0, 6.0, 10.0, 16.0, 25.0};
constexpr size_t kFewFrames = 3;
// Deviations above the mean response down to which is looked, and where so many are found a frame.
constexpr double kFirst = 3, kLow = 1, kMany = 32;
// Markers a frame: with fewer there are none.
constexpr double kLeast = 0.5;
// Of the best score and count: what is so good needs no options.
constexpr double kGoodEnough = 0.85, kAsMany = 0.92;
// Of the best score: among these the one with the most markers is taken.
constexpr double kAsGood = 0.93;
// More than of round ones alone: then they are long. Four times that where nothing moves: long
// things at rest, such as lashes, are mostly part of the scene.
constexpr double kLonger = 1.5;
// What is at rest counts so much: what is in the same place in half of the other frames. The same
// place: of the radius (more of what is long), and px.
constexpr double kStill = 0.2, kAtRest = 0.5, kSamePlace = 0.25, kNearest = 0.5, kFarthest = 1.5;
// Of the contrast of the faintest tenth that the defaults find: what is fainter is something else.
constexpr double kFainter = 0.5;
// Logarithm of the radius that was tried over the one that was found: nearer it is not tried again.
constexpr double kSameRadius = 0.03;
// Counts of an 8-bit response: below, more gain resolves the level.
constexpr double kCoarse = 16;
// Response to a disc, of its contrast, with the gain of marker_kind.cpp.
constexpr double kDisc = 0.47 * 4;
// Counts: of the strongest decoy at least, in the response or as contrast.
constexpr double kFloor = 8;
// Logarithm of the ratio of radii.
constexpr double kAboutSize = 0.7;
// px: of larger ones there are so few in a picture that decoys of any shape are taken.
constexpr double kScene = 16;
// Of full scale, where everything above saturates.
constexpr double kHighest = 0.9;
// Of the faintest marker's response.
constexpr double kThreshold = 0.6;
// Radius of a whole over that of its parts; share of those that lie on one.
constexpr double kMuchLarger = 2.5, kNearlyAll = 0.9;
// Markers that a threshold may cost, and others that it must remove (of the markers, a frame).
constexpr double kLost = 0.02, kRemoved = 0.05;
// Of detect.max_markers: with more a frame it is raised.
constexpr double kFull = 0.75;

double medianOf(std::vector<double> values, double share = 0.5) {
  if (values.empty()) return 0;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * double(values.size()));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

template <class Value>
std::vector<double> valuesOf(const Findings& findings, const Value& value) {
  std::vector<double> values;
  for (const auto& frame : findings)
    for (const shared::Detection& d : frame) values.push_back(value(d));
  return values;
}

template <class Wanted>
Findings only(const Findings& findings, const Wanted& wanted) {
  Findings kept(findings.size());
  for (size_t f = 0; f < findings.size(); ++f)
    std::copy_if(findings[f].begin(), findings[f].end(), std::back_inserter(kept[f]), wanted);
  return kept;
}

double countOf(const Findings& findings) {
  size_t count = 0;
  for (const auto& frame : findings) count += frame.size();
  return double(count) / double(std::max<size_t>(findings.size(), 1));
}

/// In how much of the other frames something is in its place; 1: it is at rest.
double stillness(const Findings& byX, size_t frame, const shared::Detection& d) {
  if (byX.size() < 2) return 0;
  const double width =
      std::sqrt(std::max(1 - double{d.eccentricity} * double{d.eccentricity}, 0.01));
  const double near = std::clamp(kSamePlace * double{d.radius} / width, kNearest, kFarthest);
  double same = 0;
  for (size_t f = 0; f < byX.size(); ++f) {
    if (f == frame) continue;
    auto at = std::lower_bound(byX[f].begin(), byX[f].end(), double{d.x} - near,
                               [](const auto& other, double x) { return double{other.x} < x; });
    while (at != byX[f].end() && double{at->x} <= double{d.x} + near &&
           std::abs(double{at->y} - double{d.y}) > near)
      ++at;
    if (at != byX[f].end() && double{at->x} <= double{d.x} + near) same += 1;
  }
  const double share = same / double(byX.size() - 1);
  return share >= kAtRest ? 1 : share;
}

/// The larger of what moves and what is at rest, more or less: a mixture is worth less than either.
double blend(double moving, double still) {
  const double all = moving + still;
  return all > 0 ? (moving * moving + kStill * still * still) / all : 0;
}

struct Worth {
  double score = 0, count = 0;  // a frame
  double rest = 0;              // share of what is at rest
};

/// Contrast times radius, which is signal in so much noise, and the number, less where nothing
/// moves.
Worth worthOf(Findings findings) {
  for (auto& frame : findings)
    std::sort(frame.begin(), frame.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  double moving = 0, resting = 0, movers = 0, stills = 0;
  for (size_t f = 0; f < findings.size(); ++f) {
    for (const shared::Detection& d : findings[f]) {
      const double still = stillness(findings, f, d);
      const double signal = contrastOf(d) * double{d.radius};
      moving += signal * (1 - still), resting += signal * still;
      movers += 1 - still, stills += still;
    }
  }
  const auto frames = double(std::max<size_t>(findings.size(), 1));
  const double all = moving + resting;
  return {blend(moving, resting) / frames, blend(movers, stills) / frames,
          all > 0 ? resting / all : 0};
}

/// What is bright and what is dark of about a radius, px.
struct Seen {
  double radius;
  Findings light, shade;
};

struct Trial {
  MarkerKind kind;
  std::vector<std::string> sets = {};
  Cut cut = {};
  Findings markers = {};  // above it
  Worth worth = {};
};

/// Contrast times radius, summed, wherever it is.
double signalOf(const Trial& trial) {
  double sum = 0;
  for (const auto& frame : trial.markers)
    for (const shared::Detection& d : frame) sum += contrastOf(d) * double{d.radius};
  return sum;
}

/// Whether nearly all of `parts` lie on things of the other polarity that are much larger, as
/// glints do on a pupil.
bool liesOn(const Trial& parts, const Trial& whole) {
  if (parts.kind.dark == whole.kind.dark) return false;
  size_t on = 0, all = 0;
  for (size_t f = 0; f < std::min(parts.markers.size(), whole.markers.size()); ++f)
    for (const shared::Detection& d : parts.markers[f]) {
      ++all;
      on += std::ranges::any_of(whole.markers[f], [&](const shared::Detection& w) {
        return double{w.radius} >= kMuchLarger * double{d.radius} &&
               std::hypot(double{w.x} - double{d.x}, double{w.y} - double{d.y}) + double{d.radius} <
                   double{w.radius};
      });
    }
  return all > 0 && static_cast<double>(on) >= kNearlyAll * static_cast<double>(all);
}

/// More than of round ones that these must be.
double longerOf(const Trial& trial) {
  const double rests = 1 + trial.worth.rest;
  return trial.kind.elongated ? kLonger * rests * rests : 1;
}

class Prober {
 public:
  Prober(const SettingsFor& settingsFor, const Measure& measure, size_t frames, double fullScale)
      : settingsFor_(settingsFor), measure_(measure), frames_(frames), fullScale_(fullScale) {}

  /// What is found by these settings, and room for all.
  Findings look(const MarkerKind& kind, const std::vector<std::string>& sets, size_t frames) const {
    Settings settings = settingsFor_(kind);
    for (const std::string& set : sets) setFromText(settings, set, "probe");
    settings.detect.maxMarkers = kMostDetections;
    return measure_(settings, std::min(frames, frames_));
  }

  /// Round or long ones of this kind and what there is in the negative, down to so many deviations
  /// above the mean response.
  std::pair<Findings, Findings> downTo(double sigmas, MarkerKind kind,
                                       const std::vector<std::string>& sets, size_t frames) const {
    kind.elongated = true;
    const auto measured = [&] {
      Settings settings = settingsFor_(kind);
      for (const std::string& set : sets) setFromText(settings, set, "probe");
      settings.detect.maxMarkers = kMostDetections;
      settings.detect.thresholdSigma = std::min(settings.detect.thresholdSigma, sigmas);
      settings.refine.roundOnly = true;  // all kinds are compared by the same measures
      return measure_(settings, std::min(frames, frames_));
    };
    Findings own = measured();
    kind.dark = !kind.dark;
    return {std::move(own), measured()};
  }

  /// The same, as faint as may matter: where many are found, they raise the deviation themselves.
  std::pair<Findings, Findings> census(const MarkerKind& kind, const std::vector<std::string>& sets,
                                       size_t frames) const {
    auto found = downTo(kFirst, kind, sets, frames);
    if (std::max(countOf(found.first), countOf(found.second)) < kMany) return found;
    return downTo(kLow, kind, sets, frames);
  }

  /// The response, and of what saturates it what it would be.
  double strengthOf(const shared::Detection& d) const {
    return d.peak < fullScale_ ? double(d.peak) : std::max(double(d.peak), kDisc * contrastOf(d));
  }

  std::vector<double> strengthsOf(const Findings& findings) const {
    return valuesOf(findings, [&](const auto& d) { return strengthOf(d); });
  }

  /// The strongest decoy of about this size.
  double strongestNear(const MarkerKind& kind) const {
    double strongest = kFloor;
    const double smallest = *kind.radius * std::exp(-kAboutSize);
    for (const Seen& seen : seen_) {
      if (std::abs(std::log(seen.radius / *kind.radius)) > kAboutSize) continue;
      const Findings decoys = only(kind.dark ? seen.light : seen.shade,
                                   [&](const auto& d) { return double{d.radius} >= smallest; });
      for (const double s : strengthsOf(*kind.radius >= kScene ? decoys : ofShape(decoys, kind)))
        strongest = std::max(strongest, s);
    }
    return strongest;
  }

  Findings ofShape(const Findings& findings, const MarkerKind& kind) const {
    const double most = settingsFor_(kind).detect.maxEccentricity;
    return only(findings, [&](const shared::Detection& d) {
      return d.radius > 0 && d.mass > 0 && d.eccentricity <= most &&
             d.elongation <= ridgeLimit(most);
    });
  }

  Trial weigh(const MarkerKind& kind, const std::vector<std::string>& sets, const Findings& seen,
              const Findings& negative) const {
    const Findings markers = ofShape(seen, kind), decoys = ofShape(negative, kind);
    Trial trial{kind, sets};
    trial.cut = cutOf(strengthsOf(markers), strengthsOf(decoys), seen.size(), strongestNear(kind));
    if (trial.cut.strength == 0) return trial;
    trial.markers =
        only(markers, [&](const auto& d) { return strengthOf(d) >= trial.cut.strength; });
    trial.worth = worthOf(trial.markers);
    return trial;
  }

  Trial weigh(const MarkerKind& kind, const std::vector<std::string>& sets, size_t frames) const {
    const auto [own, negative] = census(kind, sets, frames);
    return weigh(kind, sets, own, negative);
  }

  /// Bright and dark, round and long ones of every size, on few frames.
  std::vector<Trial> trials() {
    std::vector<Trial> all;
    for (const double radius : kRadii) {
      auto [light, shade] = census({radius, false}, {}, kFewFrames);
      seen_.push_back({radius, std::move(light), std::move(shade)});
    }
    for (const Seen& seen : seen_) {
      for (const bool elongated : {false, true}) {
        all.push_back(weigh({seen.radius, false, elongated}, {}, seen.light, seen.shade));
        all.push_back(weigh({seen.radius, true, elongated}, {}, seen.shade, seen.light));
      }
    }
    return all;
  }

  /// What the defaults find, or they and --dark, beside what the negative has of that size.
  Trial plain(size_t frames, bool dark = false) const {
    Trial trial{{}};
    trial.kind.dark = dark;
    trial.markers = ofShape(look(trial.kind, {}, frames), trial.kind);
    trial.worth = worthOf(trial.markers);
    const double radius = radiusOf(trial);
    const Findings* decoys = nullptr;
    double nearest = 0;
    for (const Seen& seen : seen_) {
      const double away = std::abs(std::log(seen.radius / std::max(radius, 0.1)));
      if (decoys == nullptr || away < nearest)
        decoys = dark ? &seen.light : &seen.shade, nearest = away;
    }
    trial.cut = cutOf(valuesOf(trial.markers, contrastOf),
                      decoys == nullptr ? std::vector<double>()
                                        : valuesOf(ofShape(*decoys, trial.kind), contrastOf),
                      trial.markers.size(), kFloor);
    return trial;
  }

  static double radiusOf(const Trial& trial) {
    return medianOf(valuesOf(trial.markers, [](const auto& d) { return double{d.radius}; }));
  }

  /// Where the best are parts of something that is more signal, that; else null.
  static const Trial* wholeOf(const Trial* best, const std::vector<Trial>& all) {
    if (best == nullptr) return nullptr;
    const Trial* whole = nullptr;
    double signal = signalOf(*best);
    for (const Trial& trial : all) {
      if (!trial.cut.sure || trial.cut.markers < kLeast || !liesOn(*best, trial)) continue;
      const double own = signalOf(trial) / longerOf(trial);
      if (own < signal) continue;
      whole = &trial;
      signal = own;
    }
    return whole;
  }

  /// The best kind of marker, on few frames.
  Trial bestKind() {
    const std::vector<Trial> all = trials();
    const Trial* best = nullptr;
    double score = 0;
    for (const Trial& trial : all)
      if (trial.cut.sure && trial.cut.markers >= kLeast)
        score = std::max(score, trial.worth.score / longerOf(trial));
    for (const Trial& trial : all) {
      if (!trial.cut.sure || trial.cut.markers < kLeast) continue;
      if (trial.worth.score < kAsGood * score * longerOf(trial)) continue;
      if (best == nullptr || trial.worth.count > best->worth.count) best = &trial;
    }
    const Trial* whole = wholeOf(best, all);
    if (whole != nullptr) return *whole;
    const Trial usual = plain(kFewFrames);
    const bool usualSure = usual.cut.sure && usual.cut.markers >= kLeast;
    if (best == nullptr) {
      if (usual.cut.sure) return usual;  // be it in few frames, as what is fast: it costs nothing
      Trial clearest{{}};
      for (const Trial& trial : all)
        if (trial.cut.markers - trial.cut.decoys > clearest.cut.markers - clearest.cut.decoys)
          clearest = trial;
      return clearest;
    }
    const double faintest = kFainter * medianOf(valuesOf(usual.markers, contrastOf), 0.1);
    const double count =
        countOf(only(best->markers, [&](const auto& d) { return contrastOf(d) >= faintest; }));
    const double longer = longerOf(*best);
    const bool keeps = usualSure && longer * usual.worth.score >= kGoodEnough * best->worth.score &&
                       longer * countOf(usual.markers) >= kAsMany * count;
    return keeps ? usual : *best;
  }

  /// What is surely there in few of all frames, as what is fast, with no radius set.
  std::optional<Trial> inFewFrames() const {
    for (const bool dark : {false, true}) {
      Trial trial = plain(frames_, dark);
      if (trial.cut.sure) return trial;
    }
    return std::nullopt;
  }

  /// The same with the radius that was found, on all frames.
  Trial withItsRadius(Trial trial) const {
    if (!trial.kind.radius) {
      trial.markers = look(trial.kind, {}, frames_);
      return trial;
    }
    const double radius = std::stod(fmt::format("{:.2g}", radiusOf(trial)));
    Trial before = weigh(trial.kind, {}, frames_);
    if (std::abs(std::log(radius / *trial.kind.radius)) < kSameRadius) return before;
    MarkerKind kind = trial.kind;
    kind.radius = radius;
    Trial own = weigh(kind, {}, frames_);
    const bool asGood = own.worth.score >= kAsGood * before.worth.score &&
                        own.cut.markers >= kAsMany * before.cut.markers;
    return own.cut.sure && asGood ? own : before;
  }

  /// With a threshold, where the automatic one is not as good, and more gain where they are faint.
  Trial withThreshold(Trial trial) const {
    Settings settings = settingsFor_(trial.kind);
    if (!trial.kind.radius || settings.detect.threshold) return trial;
    if (settings.response.kind == ResponseKind::dog && fullScale_ <= 255 &&
        trial.cut.strength < kCoarse) {
      trial = weigh(trial.kind, {"response.gain=16"}, frames_);
      settings.response.gain = 16;
    }
    const Findings automatic = look(trial.kind, trial.sets, frames_);
    const double kept = countOf(
        only(automatic, [&](const auto& d) { return strengthOf(d) >= trial.cut.strength; }));
    const double others = countOf(automatic) - kept, markers = countOf(trial.markers);
    if (kept >= (1 - kLost) * markers && others <= kRemoved * markers) return trial;
    const double threshold =
        std::max(std::sqrt(trial.cut.strength * trial.cut.below), kThreshold * trial.cut.strength);
    trial.sets.push_back(
        fmt::format("detect.threshold={:.4g}",
                    std::min({threshold, trial.cut.strength, kHighest * fullScale_}) / fullScale_));
    return trial;
  }

  /// Of those that the defaults find, with a smaller separation where they are pairs.
  Trial withSeparation(Trial trial) const {
    const double separation = settingsFor_(trial.kind).detect.separation;
    if (trial.kind.radius || separation != Settings().detect.separation) return trial;
    const std::string nearer = fmt::format("detect.separation={}", kApart);
    Findings markers = look(trial.kind, {nearer}, frames_);
    size_t pairs = 0, count = 0;
    for (const auto& frame : markers) {
      pairs += pairsWithin(frame, separation);
      count += frame.size();
    }
    if (!manyPairs(pairs, count)) return trial;
    trial.sets.push_back(nearer);
    trial.markers = std::move(markers);
    return trial;
  }

  /// Of those that the defaults find, with a dimmer kind where there is one.
  Trial withDimmer(Trial trial) const {
    if (trial.kind.radius || !trial.sets.empty()) return trial;
    auto dimmer = findDimmer(settingsFor_(trial.kind), measure_, frames_, fullScale_);
    if (!dimmer) return trial;
    trial.sets = std::move(dimmer->sets);
    trial.markers = std::move(dimmer->findings);
    return trial;
  }

  /// With room for all of them, in all frames.
  Trial withRoom(Trial trial) const {
    size_t most = 0;
    for (const auto& frame : trial.markers) most = std::max(most, frame.size());
    int room = settingsFor_(trial.kind).detect.maxMarkers;
    const auto with = [&](int markers) {
      std::vector<std::string> sets = trial.sets;
      sets.push_back(fmt::format("detect.max_markers={}", markers));
      return sets;
    };
    const auto found = [&](const std::vector<std::string>& sets) {
      return countOf(
          measure_(settingsOf({.kind = trial.kind, .sets = sets}, settingsFor_), frames_));
    };
    // As many again are measured where limits reject: is that enough?
    const double wanted = (1 - kLost) * countOf(trial.markers);
    if (double(most) <= kFull * room && found(trial.sets) >= wanted) return trial;
    while (room < kMostDetections && room < 1.5 * double(most)) room *= 2;
    room = std::min(std::max(room, 256), kMostDetections);
    // Many peaks may be of the same large and saturated markers.
    for (double count = found(with(room)); count < wanted && room < kMostDetections;) {
      const int larger = std::min(2 * room, kMostDetections);
      const double more = found(with(larger));
      if ((1 - kLost) * more <= count) break;
      room = larger;
      count = more;
    }
    trial.sets = with(room);
    return trial;
  }

 private:
  const SettingsFor& settingsFor_;
  const Measure& measure_;
  size_t frames_;
  double fullScale_;
  std::vector<Seen> seen_ = {};
};

bool isPlain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("-_./=,:+@%").find(c) != std::string_view::npos;
}

}  // namespace

Proposal propose(const SettingsFor& settingsFor, const Measure& measure, size_t frames,
                 double fullScale) {
  Prober prober(settingsFor, measure, frames, fullScale);
  Trial best = prober.bestKind();
  if (best.cut.sure) best = prober.withItsRadius(best);
  if (!best.cut.sure || (best.kind.radius && best.cut.markers < kLeast)) {
    std::optional<Trial> few = prober.inFewFrames();
    if (!few)
      return {.radius = Prober::radiusOf(best),
              .seen = best.cut.markers,
              .decoys = best.cut.decoys,
              .seenDark = best.kind.dark};
    best = std::move(*few);
  }
  best = prober.withThreshold(std::move(best));
  best = prober.withSeparation(std::move(best));
  best = prober.withRoom(std::move(best));
  best = prober.withDimmer(std::move(best));  // brings its own room
  Proposal proposal{.found = true, .kind = best.kind, .sets = best.sets};
  proposal.findings = measure(settingsOf(proposal, settingsFor), frames);
  proposal.radius =
      medianOf(valuesOf(proposal.findings, [](const auto& d) { return double{d.radius}; }));
  proposal.contrast = medianOf(valuesOf(proposal.findings, contrastOf)) / fullScale;
  std::vector<double> counts;
  for (const auto& frame : proposal.findings) counts.push_back(double(frame.size()));
  proposal.markers = medianOf(std::move(counts));
  return proposal;
}

Settings settingsOf(const Proposal& proposal, const SettingsFor& settingsFor) {
  Settings settings = settingsFor(proposal.kind);
  for (const std::string& set : proposal.sets) setFromText(settings, set, "probe");
  return settings;
}

std::vector<std::string> argumentsOf(const Proposal& proposal) {
  std::vector<std::string> words;
  if (proposal.kind.dark) words.emplace_back("--dark");
  if (proposal.kind.radius) {
    words.emplace_back("--marker-radius");
    words.push_back(fmt::format("{}", *proposal.kind.radius));
  }
  if (proposal.kind.elongated) words.emplace_back("--elongated");
  for (const std::string& set : proposal.sets) {
    words.emplace_back("--set");
    words.push_back(set);
  }
  return words;
}

std::string describe(const Proposal& proposal) {
  const auto kind = [&](bool dark) { return dark ? "dark" : "bright"; };
  if (!proposal.found && proposal.seen < 1)
    return "nothing looks like a marker, bright or dark, of any size";
  if (!proposal.found)
    return fmt::format(
        "unsure: {:.0f} {} spot{} of radius {:.1f} px a frame stand out, hardly clearer than "
        "chance",
        proposal.seen, kind(proposal.seenDark), proposal.seen < 1.5 ? "" : "s", proposal.radius);
  const auto with =
      std::ranges::count_if(proposal.findings, [](const auto& f) { return !f.empty(); });
  const std::string often = proposal.markers < 0.5 && with > 0
                                ? fmt::format("in {} of {} frames", with, proposal.findings.size())
                                : fmt::format("{:.0f} a frame", proposal.markers);
  const double percent = 100 * proposal.contrast;
  return fmt::format(
      "{}{} markers of radius {:.1f} px, {} % of full scale {} their surroundings, {}",
      proposal.kind.elongated ? "long " : "", kind(proposal.kind.dark), proposal.radius,
      percent < 1 ? fmt::format("{:.1g}", percent) : fmt::format("{:.0f}", percent),
      proposal.kind.dark ? "below" : "above", often);
}

std::string commandLine(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && std::all_of(word.begin(), word.end(), isPlain)) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace glint
