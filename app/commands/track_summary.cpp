#include "app/commands/track_summary.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <unistd.h>

#include "app/frame/rejection_words.h"
#include "app/frame/threshold_doubt.h"
#include "config/printable.h"
#include "gpu/detect/limits.h"

namespace glint {

ProgressLine::ProgressLine(bool quiet) : shown_(!quiet && ::isatty(STDERR_FILENO) == 1) {}

bool ProgressLine::due() const {
  return shown_ && std::chrono::steady_clock::now() - last_ >= kInterval;
}

void ProgressLine::show(const std::string& text) {
  if (!due()) return;
  fmt::print(stderr, "\r\x1b[K{}", text);
  std::fflush(stderr);
  last_ = std::chrono::steady_clock::now();
  written_ = true;
}

void ProgressLine::update(const SessionCounts& counts) {
  if (!due()) return;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - last_;
  const double rate = static_cast<double>(counts.frames - lastFrames_) / since.count();
  lastFrames_ = counts.frames;
  show(fmt::format("{} frames  {:.0f} frames/s  {} markers  {} tracks", counts.frames, rate,
                   counts.lastMarkers, counts.liveTracks));
}

void ProgressLine::clear() const {
  if (written_) fmt::print(stderr, "\r\x1b[K");
}

namespace {

constexpr double kWorthwhile = 1.25;  // times as many markers as were found

/// What differs between the cameras' ends, or empty.
std::string endings(const std::vector<std::string>& sources, const SessionResult& result) {
  std::string text;
  const bool gaps = std::ranges::any_of(
      result.counts.cameras, [](const auto& camera) { return camera.frames < camera.sets; });
  if (result.byTime) text += "sets were made by time: frames of one number are not of one moment\n";
  for (size_t i = 0; i < sources.size(); ++i) {
    const SessionCounts::Camera& camera = result.counts.cameras[i];
    if (camera.frames < camera.sets)
      text += fmt::format("camera {} ('{}') had a frame in {} of {} sets\n", i, sources[i],
                          camera.frames, camera.sets);
    if (camera.ended)
      text += fmt::format("camera {} ('{}') ended after {} of {} {}\n", i, sources[i], camera.sets,
                          result.counts.frames, result.byTime || gaps ? "sets" : "frames");
  }
  return text;
}

/// How many candidates were rejected for which reason.
std::string rejections(const SessionCounts& counts) {
  std::string text;
  for (const auto& [reason, count] : counts.rejected)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, wordsOf(reason));
  return fmt::format("rejected candidates: {}\n", text.empty() ? "none" : text);
}

/// What became of the frames of every stream.
std::string streamLines(const std::vector<SinkStatus>& sinks) {
  std::string text;
  for (const SinkStatus& s : sinks) {
    if (s.handover != Handover::newest) continue;
    text += fmt::format("stream {}: {} frames sent, {} dropped{}\n", s.name, s.frames, s.dropped,
                        s.problem.empty() ? "" : fmt::format(" ({})", s.problem));
  }
  return text;
}

/// Why markers are in no track, and what keeps them.
std::string whyUntracked(const SessionCounts& c, const Settings& settings) {
  const Untracked& left = c.untracked;
  // Among hot pixels any two are a step apart.
  if (2 * left.steps >= left.observations + left.ofHotPixels)
    return fmt::format("markers move up to {0:.0f} px a frame; --set track.max_speed={0:.0f}",
                       std::ceil(left.farthest));
  if (2 * c.fullFrames > c.frames * c.cameras.size())
    return fmt::format("only the {} brightest are kept, and these change from frame to frame",
                       settings.detect.maxMarkers);
  if (2 * left.flashes >= left.observations || left.ofHotPixels > left.observations)
    return "most are no larger than a pixel, as noise and hot pixels are";
  return fmt::format(
      "they were seen in fewer than {} consecutive frames; --set track.confirm=1 keeps them",
      settings.track.confirm);
}

/// What of the markers is in no track, and why.
std::string untrackedLine(const SessionCounts& c, const Settings& settings) {
  if (c.untracked.observations == 0 || c.tracks == 0) return "";
  return fmt::format("{} of {} detections belong to no track: {}\n", c.untracked.observations,
                     c.markers, whyUntracked(c, settings));
}

/// Of all cameras, at least one.
double framesOf(const SessionCounts& c) {
  uint64_t frames = 0;
  for (const SessionCounts::Camera& camera : c.cameras) frames += camera.frames;
  return static_cast<double>(std::max<uint64_t>(frames, 1));
}

/// That dimmer markers may be missing, and what finds more, where anything does.
std::string barelyLine(const SessionCounts& c, const SummaryNotes& notes) {
  if (!manyBarely(c.barely, c.markers, c.frames)) return "";
  const double each = framesOf(c), markers = static_cast<double>(c.markers) / each;
  if (notes.tried.empty() || (notes.triedFinds && notes.triedMarkers >= kWorthwhile * markers))
    return fmt::format("hint: {}; {}\n", barelyText(static_cast<double>(c.barely) / each, markers),
                       notes.triedFinds ? notes.tried : "`glint probe` proposes what finds them");
  return "";
}

// What to set where the result is not what was hoped for.
std::string advice(const SessionCounts& c, const Settings& settings, const SummaryNotes& notes) {
  std::string text;
  if (notes.stills) {
    text += fmt::format(
        "stills{}: each has its own threshold, and every marker in it is a track of its own\n",
        !notes.recognised ? ""
        : c.frames == 1   ? ", because it is a single picture"
                          : ", recognised because they share nothing (--no-stills tracks them)");
  }
  if (c.repeats > 0) {
    text += fmt::format(
        "{} frames repeat the one before; tracking learns nothing about motion from them\n",
        c.repeats);
  }
  text += untrackedLine(c, settings);
  if (c.untracked.ofHotPixels > 0) {
    text += fmt::format(
        "{} of {} detections are of hot pixels: light in a single pixel that never moves\n",
        c.untracked.ofHotPixels, c.markers);
  }
  if (c.fullFrames > c.partialFrames) {
    text +=
        fmt::format("warning: {} reached detect.max_markers = {}, so markers may be missing; {}\n",
                    counted(c.fullFrames, "frame"), settings.detect.maxMarkers,
                    settings.detect.maxMarkers < kMostDetections
                        ? fmt::format("--set detect.max_markers={} keeps more",
                                      std::min(4 * settings.detect.maxMarkers, kMostDetections))
                        : "that is the most; --region X,Y,W,H measures a part");
  }
  const bool elongated =
      !notes.triedFinds && c.frames > 0 && c.elongated >= c.frames && 2 * c.elongated > c.markers;
  if (elongated) {
    text += fmt::format(
        "hint: {} detections were rejected ({}, or {}); --elongated accepts markers up to seven "
        "times "
        "as long as wide\n",
        c.elongated, wordsOf(Rejection::notRound), wordsOf(Rejection::ridge));
  }
  if (notes.apart > 0) {
    text += fmt::format(
        "hint: {:.0f} of {:.0f} markers a frame are two, nearer to each other than "
        "detect.separation = {} px; --set detect.separation={} tells them apart\n",
        std::ceil(notes.pairs), notes.pairedOf, settings.detect.separation, notes.apart);
  }
  if (!notes.findsOthers.empty()) {
    text +=
        fmt::format("hint: {:.0f} dimmer markers a frame are below the threshold; {} finds them\n",
                    notes.otherKind, notes.findsOthers);
  }
  if (c.partialFrames == 0) text += barelyLine(c, notes);
  if (!notes.ignored.empty()) {
    text += fmt::format(
        "hint: the large marker at {} raises the threshold above {:.0f} dimmer markers a "
        "frame; --ignore {} finds them\n",
        notes.lamp, notes.dimmer, notes.ignored);
  }
  if (c.markers == 0 && !notes.tried.empty()) {
    text += fmt::format("hint: nothing was found; {}\n", notes.tried);
  }
  if (notes.triedFinds) return text;
  const bool sought = std::any_of(settings.filters.begin(), settings.filters.end(),
                                  [](const FilterUse& use) { return use.name == "template"; });
  if (c.markers == 0 && c.frames > 0 && sought) {
    text +=
        "hint: nothing is enough like the picture; --set detect.threshold=0.5 asks for half of a "
        "perfect match, and --rejected FILE lists what is like it; cut it out of this recording\n";
  } else if (c.markers == 0 && c.dimFrames > 0 && notes.tried.empty()) {
    text += fmt::format(
        "hint: in {} nothing reached the threshold; if the markers cover more than a few "
        "percent of the image, set detect.threshold=0.5; for dark markers add --dark, and "
        "--marker-radius R with their radius in pixels\n",
        counted(c.dimFrames, "frame"));
  } else if (c.markers == 0 && c.frames > 0 && notes.tried.empty()) {
    text += fmt::format(
        "hint: nothing was found; {}give the markers' radius (--marker-radius R, px), or lower "
        "detect.threshold; --rejected FILE lists why candidates were rejected\n",
        settings.response.dark ? "" : "for dark markers add --dark; ");
  } else if (c.markers > 0 && c.tracks == 0 && !elongated) {
    text += fmt::format(
        "hint: markers were found, but none in {} consecutive frames: a track needs track.confirm "
        "= {} measurements, each within track.max_speed = {} px of the one before; for unrelated "
        "pictures add --stills\n",
        settings.track.confirm, settings.track.confirm, settings.track.maxSpeed);
  }
  return text;
}

}  // namespace

void printSummary(std::FILE* out, const TrackOptions& options, const RunInputs& inputs,
                  const SessionResult& result, const SummaryNotes& notes) {
  const SessionCounts& c = result.counts;
  const auto frames = static_cast<double>(std::max<uint64_t>(c.frames, 1));
  std::vector<std::string> tracks;
  std::string refined;
  bool rejected = false;
  for (const OutputSpec& spec : options.outputs) {
    if (spec.kind == "tracks") tracks.push_back(spec.target);
    rejected = rejected || spec.kind == "rejected";
    if (spec.kind == "refined_rig") refined = spec.target;
  }
  std::string text;
  text += fmt::format(
      "{} in {:.2f} s ({:.0f} frames/s) on {}\n", counted(c.frames, "frame"), result.seconds,
      static_cast<double>(c.frames) / std::max(result.seconds, 1e-9), inputs.device.name);
  text += fmt::format("{:.1f} markers a frame, {} -> {}\n", static_cast<double>(c.markers) / frames,
                      counted(c.tracks, "track"), fmt::join(tracks, ", "));
  if (c.space.any)
    text += fmt::format("in space: {}\n{}{}{}", spaceText(c.space), doubtsSummary(c.space),
                        correctedSummary(c.space, refined), bodiesSummary(c.space));
  if (rejected) text += rejections(c);
  if (c.partialFrames > 0 && !(c.markers == 0 && notes.triedFinds)) {
    const double found = static_cast<double>(c.markers) / framesOf(c);
    text += fmt::format(
        "warning: markers may be missing from {}, which held more candidates than can be "
        "measured; {}\n",
        counted(c.partialFrames, "frame"),
        notes.triedFinds && notes.triedMarkers >= kWorthwhile * found
            ? notes.tried
            : fmt::format(
                  "raise detect.threshold{}, or use detect.method=blobs for large markers",
                  peaksToMeasure(inputs.settings) < kMostDetections ? " or detect.max_markers" : ""));
  }
  text += advice(c, inputs.settings, notes);
  text += endings(inputs.sources, result) + streamLines(result.sinks);
  if (result.interrupted) text += "stopped by a signal; everything measured until then is kept\n";
  std::fputs(printable(text, true).c_str(), out);
}

}  // namespace glint
