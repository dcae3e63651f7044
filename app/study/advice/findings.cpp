#include "app/study/advice/findings.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "config/printable.h"
#include "config/setting_key.h"
#include "gpu/detect/limits.h"

namespace glint::study {
namespace {

using Kind = Finding::Kind;
using Severity = Finding::Severity;
using Found = std::optional<Finding>;

/// Returns the remedy as a user types it on a command line.
std::string optionsOf(const Remedy& remedy) {
  return commandLine(argumentsOf(remedy));
}

/// Returns the number of frames of all cameras, at least one.
double framesOf(const Evidence& run) {
  return static_cast<double>(std::max<uint64_t>(run.counts.cameraFrames(), 1));
}

/// Returns "3 frames" for a run. For a set that is shown, returns "this frame", or "3 frames of
/// this set" if there are several cameras.
std::string framesText(const Evidence& run, uint64_t count) {
  if (!run.shown) return counted(count, "frame");
  if (run.counts.cameras.size() == 1) return "this frame";
  return counted(count, "frame") + " of this set";
}

/// Returns the proposal of the trials, or null if there is none that finds markers.
const Proposal* helpfulProposal(const Evidence& run) {
  const auto& probed = run.trials.probed;
  return probed && probed->finds ? &probed->proposal : nullptr;
}

/// Returns the proposal of the trials, or null if it does not find clearly more than `markers`
/// markers per frame.
const Proposal* worthwhileProposal(const Evidence& run, double markers) {
  const Proposal* proposal = helpfulProposal(run);
  return proposal != nullptr && proposal->markers >= run.options.worthwhile * markers ? proposal
                                                                                      : nullptr;
}

std::string adviceOf(const Proposal& proposal) {
  return fmt::format("{} would find {:.0f} a frame, according to `glint probe`",
                     optionsOf(proposal), proposal.markers);
}

/// Returns a remedy that raises detect.max_markers; empty if it is as large as it can be.
Remedy moreMarkers(const Settings& settings, const FindingOptions& options) {
  const int most = settings.detect.maxMarkers;
  if (most >= kMostDetections) return {};
  const int more = std::min(options.moreMarkers * most, kMostDetections);
  return {.sets = {fmt::format("{}={}", "detect.max_markers"_key, more)}};
}

// The rules. Each returns a finding if it applies to the evidence, else nothing.

Found partialFrames(const Evidence& run) {
  const motion::TrackingCounts& c = run.counts;
  if (c.partialFrames == 0 || (c.markers == 0 && helpfulProposal(run) != nullptr)) return {};
  Finding finding{
      .kind = Kind::partialFrames,
      .severity = Severity::warning,
      .observation = fmt::format(
          "markers may be missing from {}, which held more candidates than can be measured",
          framesText(run, c.partialFrames))};
  if (const auto* better =
          worthwhileProposal(run, static_cast<double>(c.markers) / framesOf(run))) {
    finding.advice = adviceOf(*better);
    finding.remedy = *better;
  } else {
    finding.advice =
        fmt::format("raise {}{}, or use {}=blobs for large markers", "detect.threshold"_key,
                    gpu::peaksToMeasure(run.settings) < kMostDetections
                        ? fmt::format(" or {}", "detect.max_markers"_key)
                        : "",
                    "detect.method"_key);
  }
  return finding;
}

Found stills(const Evidence& run) {
  if (!run.stills) return {};
  const char* why = !run.recognised ? ""
                    : run.counts.frames == 1
                        ? ", because it is a single picture"
                        : ", recognised because they share nothing (--no-stills tracks them)";
  return Finding{
      .kind = Kind::stills,
      .observation = fmt::format(
          "stills{}: each has its own threshold, and every marker in it is a track of its own",
          why)};
}

Found fewFrames(const Evidence& run) {
  const motion::TrackingCounts& c = run.counts;
  const auto usual = static_cast<uint64_t>(Settings().track.confirm);
  if (run.stills || c.tracks == 0 || c.frames >= usual || run.settings.track.confirm != 1)
    return {};
  return Finding{.kind = Kind::fewFrames,
                 .observation = fmt::format(
                     "of {} only, every track is kept, although {} measurements usually confirm "
                     "one ({}); some may be chance",
                     counted(c.frames, "frame"), usual, "track.confirm"_key)};
}

Found repeats(const Evidence& run) {
  if (run.counts.repeats == 0) return {};
  return Finding{.kind = Kind::repeats,
                 .observation = fmt::format("{} frames repeat the one before", run.counts.repeats),
                 .advice = "tracking learns nothing about motion from them"};
}

Found untracked(const Evidence& run) {
  const motion::TrackingCounts& c = run.counts;
  const motion::Untracked& left = c.untracked;
  if (left.observations == 0 || c.tracks == 0) return {};
  Finding finding{.kind = Kind::untracked};
  std::string why;
  if (2 * left.steps >= left.observations + left.ofHotPixels) {
    // Hot pixels do not move, but any two of them look like a step. So the steps have to outnumber
    // them.
    const double farthest = std::ceil(left.farthest);
    why = fmt::format("markers move up to {:.0f} px a frame", farthest);
    finding.remedy.sets.push_back(fmt::format("{}={:.0f}", "track.max_speed"_key, farthest));
    finding.advice = optionsOf(finding.remedy);
  } else if (2 * c.fullFrames > c.frames * c.cameras.size()) {
    why = fmt::format("only the {} brightest are kept, and these change from frame to frame",
                      run.settings.detect.maxMarkers);
  } else if (2 * left.flashes >= left.observations || left.ofHotPixels > left.observations) {
    why = "most are no larger than a pixel, as noise and hot pixels are";
  } else {
    why = fmt::format("they were seen in fewer than {} consecutive frames",
                      run.settings.track.confirm);
    finding.remedy.sets.push_back(fmt::format("{}=1", "track.confirm"_key));
    finding.advice = optionsOf(finding.remedy) + " keeps them";
  }
  finding.observation =
      fmt::format("{} of {} detections belong to no track: {}", left.observations, c.markers, why);
  return finding;
}

Found hotPixels(const Evidence& run) {
  const uint64_t hot = run.counts.untracked.ofHotPixels;
  if (hot == 0) return {};
  return Finding{
      .kind = Kind::hotPixels,
      .observation = fmt::format(
          "{} of {} detections are of hot pixels: light in a single pixel that never moves", hot,
          run.counts.markers)};
}

Found fullFrames(const Evidence& run) {
  const motion::TrackingCounts& c = run.counts;
  if (c.fullFrames <= c.partialFrames) return {};
  Finding finding{
      .kind = Kind::fullFrames,
      .severity = Severity::warning,
      .observation = fmt::format("{} reached {} = {}, so markers may be missing",
                                 framesText(run, c.fullFrames), "detect.max_markers"_key,
                                 run.settings.detect.maxMarkers),
      .advice = "that is the most; --region X,Y,W,H measures a part",
      .remedy = moreMarkers(run.settings, run.options)};
  if (!finding.remedy.sets.empty()) finding.advice = optionsOf(finding.remedy) + " keeps more";
  return finding;
}

Found elongated(const Evidence& run) {
  const motion::TrackingCounts& c = run.counts;
  if (helpfulProposal(run) != nullptr || c.frames == 0 || c.elongated < c.frames ||
      2 * c.elongated <= c.markers)
    return {};
  return Finding{.kind = Kind::elongated,
                 .severity = Severity::hint,
                 .observation = fmt::format("{} detections were rejected ({}, or {})", c.elongated,
                                            gpu::wordsOf(gpu::Rejection::notRound),
                                            gpu::wordsOf(gpu::Rejection::ridge)),
                 .advice = "--elongated accepts markers up to seven times as long as wide",
                 .remedy = {.kind = {.elongated = true}}};
}

Found pairs(const Evidence& run) {
  if (!run.trials.pairs) return {};
  const Trials::Pairs& tried = *run.trials.pairs;
  Finding finding{.kind = Kind::pairs,
                  .severity = Severity::hint,
                  .observation = fmt::format(
                      "{:.0f} of {:.0f} markers a frame are two, nearer to each other than "
                      "{} = {} px",
                      std::ceil(tried.pairs), tried.markers, "detect.separation"_key,
                      run.settings.detect.separation)};
  finding.remedy.sets.push_back(fmt::format("{}={}", "detect.separation"_key, tried.separation));
  finding.advice = optionsOf(finding.remedy) + " tells them apart";
  return finding;
}

Found dimmerKind(const Evidence& run) {
  if (!run.trials.dimmer) return {};
  const Dimmer& dimmer = *run.trials.dimmer;
  return Finding{.kind = Kind::dimmerKind,
                 .severity = Severity::hint,
                 .observation = fmt::format("{:.0f} dimmer markers a frame are below the threshold",
                                            dimmer.markers),
                 .advice = optionsOf(dimmer.remedy) + " finds them",
                 .remedy = dimmer.remedy};
}

Found barelyReached(const Evidence& run) {
  const motion::TrackingCounts& c = run.counts;
  if (c.partialFrames > 0 || !manyBarely(c.barely, c.markers, c.frames, run.options.doubts))
    return {};
  const double each = framesOf(run), markers = static_cast<double>(c.markers) / each;
  const Proposal* better = worthwhileProposal(run, markers);
  if (run.trials.probed && better == nullptr) return {};  // No other settings find more markers.
  Finding finding{
      .kind = Kind::barelyReached,
      .severity = Severity::hint,
      .observation = fmt::format("{:.0f} of {:.0f} markers a frame barely reach the threshold, "
                                 "so dimmer ones may be missing",
                                 static_cast<double>(c.barely) / each, markers),
      .advice =
          better != nullptr ? adviceOf(*better) : "`glint probe` proposes settings that find them"};
  if (better != nullptr) finding.remedy = *better;
  return finding;
}

Found lamp(const Evidence& run) {
  if (!run.trials.lamp) return {};
  const Lamp& lamp = *run.trials.lamp;
  return Finding{.kind = Kind::lamp,
                 .severity = Severity::hint,
                 .observation = fmt::format("the large marker at ({:.0f}, {:.0f}) raises the "
                                            "threshold above {:.0f} dimmer markers a frame",
                                            lamp.x, lamp.y, lamp.hides),
                 .advice = optionsOf(lamp.remedy()) + " finds them",
                 .remedy = lamp.remedy()};
}

Found glare(const Evidence& run) {
  if (!run.trials.glare) return {};
  return Finding{.kind = Kind::glare,
                 .severity = Severity::hint,
                 .observation = fmt::format("bright areas that are no markers raise the threshold "
                                            "above {:.0f} dimmer markers a frame",
                                            run.trials.glare->hides),
                 .advice = "`glint probe` proposes settings that find them"};
}

bool seeksTemplate(const Settings& settings) {
  return std::any_of(settings.filters.begin(), settings.filters.end(),
                     [](const FilterUse& use) { return use.name == "template"; });
}

Found nothingFound(const Evidence& run) {
  const motion::TrackingCounts& c = run.counts;
  if (c.markers > 0) return {};
  Finding finding{
      .kind = Kind::nothingFound, .severity = Severity::hint, .observation = "nothing was found"};
  if (const Proposal* helpful = helpfulProposal(run)) {
    finding.advice = adviceOf(*helpful);
    finding.remedy = *helpful;
  } else if (run.trials.probed) {
    finding.advice = fmt::format(
        "bright and dark markers (--dark) of all sizes (--marker-radius R) were tried on {} "
        "without success; --rejected FILE lists why candidates were rejected",
        counted(run.trials.probed->frames, "frame"));
  } else if (c.frames == 0 || seeksTemplate(run.settings)) {
    return {};
  } else if (c.dimFrames > 0) {
    finding.observation =
        fmt::format("in {} nothing reached the threshold", framesText(run, c.dimFrames));
    finding.advice = fmt::format(
        "if the markers cover more than a few percent of the image, set {}=0.5; for dark markers "
        "add --dark, and --marker-radius R with their radius in pixels",
        "detect.threshold"_key);
  } else {
    finding.advice = fmt::format(
        "{}give the markers' radius (--marker-radius R, px), or lower {}; --rejected FILE lists "
        "why candidates were rejected",
        run.settings.response.dark ? "" : "for dark markers add --dark; ", "detect.threshold"_key);
  }
  return finding;
}

Found nothingLikeTemplate(const Evidence& run) {
  if (helpfulProposal(run) != nullptr || run.counts.markers > 0 || run.counts.frames == 0 ||
      !seeksTemplate(run.settings))
    return {};
  Finding finding{.kind = Kind::nothingFound,
                  .severity = Severity::hint,
                  .observation = "nothing is enough like the picture",
                  .remedy = {.sets = {fmt::format("{}=0.5", "detect.threshold"_key)}}};
  finding.advice = optionsOf(finding.remedy) +
                   " asks for half of a perfect match, and --rejected FILE lists what is like it; "
                   "cut it out of this recording";
  return finding;
}

Found noTracks(const Evidence& run) {
  if (helpfulProposal(run) != nullptr || run.counts.markers == 0 || run.counts.tracks > 0 ||
      elongated(run))
    return {};
  const Settings::Track& track = run.settings.track;
  if (run.counts.frames < static_cast<uint64_t>(track.confirm)) {
    Finding finding{.kind = Kind::noTracks,
                    .severity = Severity::hint,
                    .observation = fmt::format(
                        "markers were found, but {} cannot have tracks: a track needs {} = {} "
                        "measurements",
                        counted(run.counts.frames, "frame"), "track.confirm"_key, track.confirm),
                    .remedy = {.sets = {fmt::format("{}=1", "track.confirm"_key)}}};
    finding.advice =
        optionsOf(finding.remedy) + " keeps all markers; for unrelated pictures add --stills";
    return finding;
  }
  return Finding{.kind = Kind::noTracks,
                 .severity = Severity::hint,
                 .observation = fmt::format("markers were found, but none in {} consecutive "
                                            "frames: a track needs {} = {} measurements, "
                                            "each within {} = {} px of the one before",
                                            track.confirm, "track.confirm"_key, track.confirm,
                                            "track.max_speed"_key, track.maxSpeed),
                 .advice = "for unrelated pictures add --stills"};
}

// A rule, and the kind of evidence it needs.
struct Rule {
  Found (*find)(const Evidence&);
  bool needsRun = false;  ///< True if a single set is too little evidence for it.
};

/// All rules, in the order in which their findings are shown.
constexpr Rule kRules[] = {
    {partialFrames}, {stills},       {fewFrames, true},     {repeats},
    {untracked},     {hotPixels},    {fullFrames},          {elongated, true},
    {pairs},         {dimmerKind},   {barelyReached},       {lamp},
    {glare},         {nothingFound}, {nothingLikeTemplate}, {noTracks, true},
};

const char* shade(bool dark) {
  return dark ? "dark" : "bright";
}

std::string capitalised(std::string text) {
  if (!text.empty())
    text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

}  // namespace

std::string Finding::line() const {
  const char* prefix = severity == Severity::warning ? "warning: "
                       : severity == Severity::hint  ? "hint: "
                                                     : "";
  return prefix + observation + (advice.empty() ? "" : "; " + advice);
}

std::string Finding::sentences() const {
  return observed() + (advice.empty() ? "" : " " + capitalised(advice) + ".");
}

std::string Finding::observed() const {
  return capitalised(observation) + ".";
}

const char* nameOf(Finding::Kind kind) {
  switch (kind) {
    case Kind::proposal:
      return "proposal";
    case Kind::partialFrames:
      return "partial_frames";
    case Kind::stills:
      return "stills";
    case Kind::fewFrames:
      return "few_frames";
    case Kind::repeats:
      return "repeats";
    case Kind::untracked:
      return "untracked";
    case Kind::hotPixels:
      return "hot_pixels";
    case Kind::fullFrames:
      return "full_frames";
    case Kind::elongated:
      return "elongated";
    case Kind::pairs:
      return "pairs";
    case Kind::dimmerKind:
      return "dimmer_kind";
    case Kind::barelyReached:
      return "barely_reached";
    case Kind::lamp:
      return "lamp";
    case Kind::glare:
      return "glare";
    case Kind::nothingFound:
      return "nothing_found";
    case Kind::noTracks:
      return "no_tracks";
  }
  return "";
}

const char* nameOf(Finding::Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::hint:
      return "hint";
    case Severity::warning:
      return "warning";
  }
  return "";
}

std::vector<Finding> findingsOf(const Evidence& run) {
  std::vector<Finding> findings;
  for (const Rule& rule : kRules)
    if (!run.shown || !rule.needsRun)
      if (Found finding = rule.find(run)) findings.push_back(std::move(*finding));
  return findings;
}

std::vector<Finding> findingsOf(const gpu::Device& device, const EndedRun& run,
                                capture::Interrupt& interrupt) {
  Trials trials;
  // A pipe cannot be read again: opening it would wait for another writer.
  if (run.canTry && !interrupt.isSet() && !base::isDevice(run.tried.sources.front().shown()))
    trials = tryOtherSettings(device, run.tried, interrupt);
  return findingsOf(Evidence{.counts = run.tried.counts,
                             .settings = run.tried.settings,
                             .trials = trials,
                             .stills = run.stills,
                             .recognised = run.recognised});
}

std::vector<Finding> findingsOf(const ShownEvidence& shown) {
  motion::TrackingCounts counts;
  for (const gpu::LayerMeasurement* camera : shown.cameras) {
    const bool measured = camera->stamp.has_value();
    counts.cameras.push_back({.frames = measured ? uint64_t{1} : 0, .sets = 1});
    if (measured) motion::countMeasurement(*camera, shown.settings, counts);
  }
  if (counts.cameraFrames() == 0) return {};
  counts.frames = 1;
  Trials trials;
  if (shown.lamp != nullptr) trials.lamp = *shown.lamp;
  if (shown.glare != nullptr) trials.glare = *shown.glare;
  std::vector<Finding> findings = findingsOf(Evidence{.counts = counts,
                                                      .settings = shown.settings,
                                                      .trials = trials,
                                                      .shown = true,
                                                      .options = shown.options});
  if (!shown.nothingSoFar)
    std::erase_if(findings, [](const auto& one) { return one.kind == Kind::nothingFound; });
  return findings;
}

std::string describe(const Alternative& alternative) {
  return fmt::format("{}{} markers of radius {:.1f} px, {:.0f} a frame",
                     alternative.kind.elongated ? "long " : "", shade(alternative.kind.dark),
                     alternative.radius, alternative.markers);
}

Finding findingOf(const Proposal& proposal) {
  Finding finding{.kind = Kind::proposal, .remedy = proposal};
  if (!proposal.found && proposal.seen < 1) {
    finding.observation = "nothing looks like a marker, bright or dark, of any size";
    return finding;
  }
  if (!proposal.found) {
    finding.observation = fmt::format(
        "unsure: {:.0f} {} spot{} of radius {:.1f} px a frame {} out, hardly clearer than chance",
        proposal.seen, shade(proposal.seenDark), proposal.seen < 1.5 ? "" : "s", proposal.radius,
        proposal.seen < 1.5 ? "stands" : "stand");
    finding.advice = "say what to look for (--marker-radius R, --dark, --region)";
    return finding;
  }
  const auto with =
      std::ranges::count_if(proposal.markersByFrame, [](const auto& f) { return !f.empty(); });
  const std::string often =
      proposal.markers < 0.5 && with > 0
          ? fmt::format("in {} of {} frames", with, proposal.markersByFrame.size())
          : fmt::format("{:.0f} a frame", proposal.markers);
  const double percent = 100 * proposal.contrast;
  finding.observation = fmt::format(
      "{}{} markers of radius {:.1f} px, {} % of full scale {} their surroundings, {}",
      proposal.kind.elongated ? "long " : "", shade(proposal.kind.dark), proposal.radius,
      percent < 1 ? fmt::format("{:.1g}", percent) : fmt::format("{:.0f}", percent),
      proposal.kind.dark ? "below" : "above", often);
  return finding;
}

}  // namespace glint::study
