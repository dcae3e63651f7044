#include "app/commands/second_look.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/base/waiting.h"
#include "app/capture/source_kinds.h"
#include "app/frame/threshold_doubt.h"
#include "app/probe/dimmer.h"
#include "app/probe/lamp.h"
#include "app/probe/look.h"
#include "app/probe/pairs.h"

namespace glint {
namespace {

// Of all markers: so many too long ones may be pairs.
constexpr double kLong = 0.02;

/// Looks at frames of the first source once more, for a hint; not if that is impossible. Never
/// throws.
void sampleAgain(const Device& device, const TrackOptions& options, Interrupt& interrupt,
                 const std::function<void(FrameSample&)>& look) {
  try {
    const std::string& name = options.sources.front();
    const Waiting waiting("the source", name);
    const auto source = openSource(name, &interrupt);
    if (!source->canSeek()) return;
    FrameSample sample(device, *source);
    look(sample);
  } catch (const std::exception& error) {  // a hint is not worth a failure
    log(LogLevel::info, error.what());
  }
}

/// Whether the default separation takes pairs for one, after trying a smaller one on the first
/// source.
void tryNearer(const Device& device, const TrackOptions& options, const Settings& settings,
               Interrupt& interrupt, SummaryNotes& notes) {
  sampleAgain(device, options, interrupt, [&](FrameSample& sample) {
    Settings nearer = settings;
    nearer.detect.separation = kApart;
    nearer.detect.maxMarkers = kMostDetections;  // both of every pair
    size_t pairs = 0, markers = 0;
    for (const auto& found : sample.measureFirst(nearer, sample.frames())) {
      pairs += pairsWithin(found, settings.detect.separation);
      markers += found.size();
    }
    if (!manyPairs(pairs, markers)) return;
    const auto frames = static_cast<double>(sample.frames());
    notes.pairs = static_cast<double>(pairs) / frames;
    notes.pairedOf = static_cast<double>(markers - pairs) / frames;
    notes.apart = kApart;
  });
}

/// Whether the threshold leaves a dimmer kind of marker out, after trying a lower one on the first
/// source.
void tryDimmer(const Device& device, const TrackOptions& options, const Settings& settings,
               Interrupt& interrupt, SummaryNotes& notes) {
  sampleAgain(device, options, interrupt, [&](FrameSample& sample) {
    const auto dimmer = findDimmer(
        settings, [&](const Settings& s, size_t frames) { return sample.measureFirst(s, frames); },
        sample.frames(), sample.format().fullScale());
    if (!dimmer) return;
    notes.otherKind = dimmer->markers;
    for (const std::string& set : dimmer->sets)
      notes.findsOthers += (notes.findsOthers.empty() ? "--set " : " --set ") + set;
  });
}

/// What would find something in the first source, after trying; nothing if that cannot be looked at
/// again.
void tryOthers(const Device& device, const TrackOptions& options, Interrupt& interrupt,
               SummaryNotes& notes) {
  sampleAgain(device, options, interrupt, [&](FrameSample& sample) {
    const SettingsFor settingsFor = [&](const MarkerKind& kind) {
      return options.settings.settings(kind);
    };
    const Proposal proposal = probe(sample, settingsFor);
    const std::string words = commandLine(argumentsOf(proposal));
    const Settings now = options.settings.settings(), then = settingsOf(proposal, settingsFor);
    const bool differs = then.response != now.response || then.detect != now.detect;
    notes.triedFinds = proposal.found && !words.empty() && differs;
    notes.triedMarkers = notes.triedFinds ? proposal.markers : 0;
    notes.tried =
        notes.triedFinds
            ? fmt::format("{} would find {:.0f} a frame, according to `glint probe`", words,
                          proposal.markers)
            : fmt::format(
                  "bright and dark markers (--dark) of all sizes (--marker-radius R) were tried on "
                  "{} frames without success; --rejected FILE lists why candidates were rejected",
                  sample.frames());
  });
}

/// Whether more is found without the lamp that raises the threshold, after trying.
void tryWithoutLamp(const Device& device, const TrackOptions& options, const Settings& settings,
                    Interrupt& interrupt, SummaryNotes& notes) {
  sampleAgain(device, options, interrupt, [&](FrameSample& sample) {
    const std::optional<Lamp> lamp = findLamp(sample, settings);
    if (!lamp) return;
    notes.lamp = fmt::format("({:.0f}, {:.0f})", lamp->x, lamp->y);
    notes.dimmer = lamp->hides;
    notes.ignored = lamp->rectangle;
  });
}

/// Whether the run has seen pairs, or, as two that are taken for one look long, too long ones.
bool maybePairs(const SessionCounts& counts) {
  return static_cast<double>(counts.elongated) > kLong * static_cast<double>(counts.markers) ||
         2 * counts.pairedGlances > counts.glances;
}

}  // namespace

void lookAgain(const Device& device, const TrackOptions& options, const Settings& settings,
               const SessionCounts& counts, Interrupt& interrupt, SummaryNotes& notes) {
  const bool doubtful = counts.markers == 0 || 2 * counts.partialFrames > counts.frames ||
                        manyBarely(counts.barely, counts.markers, counts.frames);
  if (doubtful) {
    if (counts.frames > 0) tryOthers(device, options, interrupt, notes);
    return;
  }
  // Of several cameras each has its own lamps, and a rectangle is of all.
  if (options.sources.size() == 1 && 2 * counts.lampFrames > counts.frames)
    tryWithoutLamp(device, options, settings, interrupt, notes);
  else if (counts.lampFrames == 0 && counts.fullFrames == 0 &&
           2 * counts.dimmerGlances > counts.glances)
    tryDimmer(device, options, settings, interrupt, notes);
  const Settings::Detect& detect = settings.detect;
  if (maybePairs(counts) && detect.method == DetectMethod::peaks && settings.filters.empty() &&
      detect.separation == Settings().detect.separation)
    tryNearer(device, options, settings, interrupt, notes);
}

}  // namespace glint
