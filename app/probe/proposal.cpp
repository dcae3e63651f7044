#include "app/probe/proposal.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace glint {
namespace {

// px: each answers to markers from two thirds of it to one and a half times.
constexpr std::array kRadii{1.5, 2.5, 4.0, 6.0, 10.0, 16.0, 25.0};
constexpr size_t kFewFrames = 2;
// Markers a frame, as they count: with fewer there are none.
constexpr double kLeast = 0.5;
// Of the best evidence and count: what is so good needs no options.
constexpr double kGoodEnough = 0.85;
// Of the best evidence: among these the purest is taken.
constexpr double kAsGood = 0.93;
// Logarithm of the radius that was tried over the one that was found: nearer it is not tried again.
constexpr double kSameRadius = 0.1;
// Markers of less contrast (of full scale) are tried with more gain and a lower threshold, which
// must give so much more.
constexpr double kFaint = 0.15, kMore = 1.05;
// Of the response that nine of ten markers reach: below it is no marker.
constexpr double kThreshold = 0.5;
constexpr double kGap = 1.3;
// Members that a threshold may cost, and strangers that it must remove (of the members, a frame).
constexpr double kLost = 0.02, kRemoved = 0.05;
// Of the evidence, above a gap.
constexpr double kKept = 0.75;
constexpr int kMostMarkers = 4096;
// Of detect.max_markers: with more a frame it is raised.
constexpr double kFull = 0.75;

struct Trial {
  MarkerKind kind;
  std::vector<std::string> sets;
  Findings findings;
  Population population;
};

/// Of responses ordered by size, the middle of the widest gap below `most`, at least by a factor of
/// kGap, or 0. What is dark does not blink: the markers are above it.
double gapBelow(const Findings& findings, double most) {
  std::vector<double> peaks;
  for (const auto& frame : findings)
    for (const auto& d : frame) peaks.push_back(std::max(double(d.peak), 1.0));
  std::sort(peaks.begin(), peaks.end());
  double widest = kGap, middle = 0;
  for (size_t i = 1; i < peaks.size(); ++i) {
    if (peaks[i - 1] >= most || peaks[i] < widest * peaks[i - 1]) continue;
    widest = peaks[i] / peaks[i - 1];
    middle = (peaks[i] + peaks[i - 1]) / 2;
  }
  return middle;
}

class Prober {
 public:
  Prober(const SettingsFor& settingsFor, const Measure& measure, size_t frames, double fullScale)
      : settingsFor_(settingsFor), measure_(measure), frames_(frames), fullScale_(fullScale) {}

  Trial look(const MarkerKind& kind, std::vector<std::string> sets, size_t frames) const {
    Trial trial{kind, std::move(sets), {}, {}};
    Settings settings = settingsFor_(kind);
    settings.detect.maxMarkers = kMostMarkers;
    for (const std::string& set : trial.sets) setFromText(settings, set, "probe");
    trial.findings = measure_(settings, std::min(frames, frames_));
    trial.population = populationOf(trial.findings, fullScale_);
    return trial;
  }

  /// The best kind of marker, on few frames.
  Trial bestKind() const {
    std::vector<Trial> trials;
    for (const bool dark : {false, true}) {
      trials.push_back(look({{}, dark}, {}, kFewFrames));
      for (const double radius : kRadii) trials.push_back(look({radius, dark}, {}, kFewFrames));
    }
    double evidence = 0, count = 0;
    for (const Trial& trial : trials) evidence = std::max(evidence, trial.population.evidence);
    const Trial* best = &trials.front();
    for (const Trial& trial : trials) {
      if (trial.population.evidence < kAsGood * evidence) continue;
      count = std::max(count, trial.population.count);
      const bool first = best->population.evidence < kAsGood * evidence;
      if (first || trial.population.purity > best->population.purity) best = &trial;
    }
    const Population& plain = trials.front().population;
    if (plain.evidence >= kGoodEnough * evidence && plain.count >= kGoodEnough * count)
      best = &trials.front();
    return *best;
  }

  /// The same with the radius that was found.
  Trial withItsRadius(Trial trial) const {
    if (!trial.kind.radius) return look(trial.kind, {}, frames_);
    const double radius = std::stod(fmt::format("{:.2g}", trial.population.radius));
    const bool again = std::abs(std::log(radius / *trial.kind.radius)) > kSameRadius;
    Trial own = look({again ? radius : *trial.kind.radius, trial.kind.dark}, {}, frames_);
    if (!again) return own;
    Trial other = look(trial.kind, {}, frames_);
    return own.population.evidence >= kAsGood * other.population.evidence ? own : other;
  }

  /// With more gain and a lower threshold, where that gives more of the same.
  Trial ifFaint(Trial trial) const {
    if (!trial.kind.radius || trial.population.contrast > kFaint) return trial;
    Trial more = look(trial.kind, {"response.gain=16", "detect.threshold_sigma=2"}, frames_);
    const bool better = more.population.count > kMore * trial.population.count &&
                        more.population.purity > kAsGood * trial.population.purity;
    return better ? more : trial;
  }

  /// With a threshold, where that removes what is not like the markers and costs none.
  Trial withThreshold(Trial trial) const {
    if (!trial.kind.radius) return trial;
    const Population& p = trial.population;
    const double gap = trial.kind.dark ? gapBelow(trial.findings, p.faintPeak) : 0;
    const double threshold = std::max(gap, kThreshold * p.faintPeak);
    double lost = 0, members = 0, removed = 0;
    for (const auto& frame : trial.findings) {
      for (const auto& d : frame) {
        const double share = membership(d, p, fullScale_);
        members += share;
        if (d.peak >= threshold) continue;
        (share > 0.5 ? lost : removed) += 1;
      }
    }
    if (gap > 0 ? removed + lost == 0 : lost > kLost * members || removed < kRemoved * members)
      return trial;
    std::vector<std::string> sets = trial.sets;
    std::erase_if(sets, [](const auto& set) { return set.starts_with("detect.threshold"); });
    sets.push_back(fmt::format("detect.threshold={:.3f}", threshold / fullScale_));
    Trial own = look(trial.kind, sets, frames_);
    return own.population.evidence >= (gap > 0 ? kKept : 1 - kLost) * p.evidence ? own : trial;
  }

  /// With room for all of them, in all frames.
  Trial withRoom(Trial trial) const {
    size_t most = 0;
    for (const auto& frame : trial.findings) most = std::max(most, frame.size());
    int room = settingsFor_(trial.kind).detect.maxMarkers;
    if (static_cast<double>(most) <= kFull * room) {
      // As many again are measured where limits reject: is that enough?
      Settings settings = settingsOf({.kind = trial.kind, .sets = trial.sets}, settingsFor_);
      const Population now = populationOf(measure_(settings, frames_), fullScale_);
      if (now.count >= (1 - kLost) * trial.population.count) return trial;
    }
    while (room < kMostMarkers && room < 1.5 * static_cast<double>(most)) room *= 2;
    room = std::min(std::max(room, 256), kMostMarkers);
    trial.sets.push_back(fmt::format("detect.max_markers={}", room));
    return trial;
  }

 private:
  const SettingsFor& settingsFor_;
  const Measure& measure_;
  size_t frames_;
  double fullScale_;
};

bool isPlain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("-_./=,:+@%").find(c) != std::string_view::npos;
}

}  // namespace

Proposal propose(const SettingsFor& settingsFor, const Measure& measure, size_t frames,
                 double fullScale) {
  const Prober prober(settingsFor, measure, frames, fullScale);
  Trial best = prober.bestKind();
  if (best.population.count < kLeast) return {};
  best = prober.withItsRadius(std::move(best));
  best = prober.ifFaint(std::move(best));
  best = prober.withThreshold(std::move(best));
  best = prober.withRoom(std::move(best));
  if (best.population.count < kLeast) return {};
  Proposal proposal{.found = true,
                    .kind = best.kind,
                    .sets = best.sets,
                    .radius = best.population.radius,
                    .contrast = best.population.contrast};
  proposal.findings = measure(settingsOf(proposal, settingsFor), frames);
  std::vector<size_t> counts;
  for (const auto& frame : proposal.findings) counts.push_back(frame.size());
  std::sort(counts.begin(), counts.end());
  if (!counts.empty()) proposal.markers = static_cast<double>(counts[counts.size() / 2]);
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
  for (const std::string& set : proposal.sets) {
    words.emplace_back("--set");
    words.push_back(set);
  }
  return words;
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
