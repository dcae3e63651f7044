#include "app/study/advice/trials.h"

#include <exception>
#include <utility>

#include "app/base/log.h"
#include "app/base/waiting.h"
#include "app/capture/source/source_kinds.h"
#include "app/study/advice/frame_sample.h"
#include "app/study/advice/pairs.h"

namespace glint::study {
namespace {

/// The trials that the counts of a run call for.
struct Doubts {
  bool probe = false;   ///< True if nothing was found, or much may be missing.
  bool lamp = false;    ///< True if a lamp raises the threshold.
  bool dimmer = false;  ///< True if there are signs of a dimmer kind of marker.
  bool pairs = false;   ///< True if there are signs of pairs.
};

Doubts doubtsOf(const TriedRun& run) {
  const motion::TrackingCounts& c = run.counts;
  if (c.markers == 0 || 2 * c.partialFrames > c.frames ||
      manyBarely(c.barely, c.markers, c.frames, run.options))
    return {.probe = c.frames > 0};
  Doubts doubts;
  // Each of several cameras has its own lamps, but a rectangle to ignore applies to all cameras.
  doubts.lamp = run.sources.size() == 1 && 2 * c.lampFrames > c.frames;
  doubts.dimmer =
      !doubts.lamp && c.lampFrames == 0 && c.fullFrames == 0 && 2 * c.dimmerGlances > c.glances;
  const bool manyLong =
      static_cast<double>(c.elongated) > run.options.longShare * static_cast<double>(c.markers);
  const Settings::Detect& detect = run.settings.detect;
  doubts.pairs = (manyLong || 2 * c.pairedGlances > c.glances) &&
                 detect.method == DetectMethod::peaks && run.settings.filters.empty() &&
                 detect.separation == Settings().detect.separation;
  return doubts;
}

Trials::Probed tryProposal(FrameSample& sample, const TriedRun& run) {
  TrialMemory trials(sample);
  Trials::Probed probed{.proposal = propose(trials, run.settingsFor), .frames = sample.frames()};
  const Settings then = settingsOf(probed.proposal, run.settingsFor);
  const bool differs = then.response != run.settings.response || then.detect != run.settings.detect;
  probed.finds = probed.proposal.found && !argumentsOf(probed.proposal).empty() && differs;
  return probed;
}

std::optional<Trials::Pairs> trySeparation(FrameSample& sample, const Settings& settings) {
  const PairOptions options;
  Settings nearer = settings;
  nearer.detect.separation = options.triedSeparation;
  // There has to be room for both markers of every pair.
  nearer.detect.maxMarkers = kMostDetections;
  size_t pairs = 0, markers = 0;
  for (const auto& found : sample.measureFirst(nearer, sample.frames())) {
    pairs += pairsWithin(found, settings.detect.separation, options);
    markers += found.size();
  }
  if (!manyPairs(pairs, markers, options)) return std::nullopt;
  const auto frames = static_cast<double>(sample.frames());
  return Trials::Pairs{.pairs = static_cast<double>(pairs) / frames,
                       .markers = static_cast<double>(markers - pairs) / frames,
                       .separation = options.triedSeparation};
}

std::optional<Dimmer> tryThreshold(FrameSample& sample, const Settings& settings) {
  return findDimmer(
      settings, [&](const Settings& s, size_t frames) { return sample.measureFirst(s, frames); },
      sample.frames(), sample.format().fullScale());
}

/// Makes one trial. If it fails, logs the error and returns, so that the other trials are made. An
/// interrupt or the loss of the device ends all trials.
void attempt(const auto& trial) {
  try {
    trial();
  } catch (const capture::Interrupted&) {
    throw;
  } catch (const gpu::DeviceLost&) {
    throw;
  } catch (const std::exception& error) {
    base::log(base::LogLevel::info, error.what());
  }
}

}  // namespace

bool manyBarely(uint64_t barely, uint64_t markers, uint64_t frames, const DoubtOptions& options) {
  return barely > 0 && options.markersPerBarely * barely >= markers &&
         barely >= options.leastBarely * frames;
}

Trials tryOtherSettings(const gpu::Device& device, const TriedRun& run,
                        capture::Interrupt& interrupt) {
  const Doubts doubts = doubtsOf(run);
  Trials trials;
  if (!doubts.probe && !doubts.lamp && !doubts.dimmer && !doubts.pairs) return trials;
  try {
    const Address& address = run.sources.front();
    const base::Waiting waiting("the source", address.shown());
    const auto source = capture::openSource(address, &interrupt);
    if (!source->canSeek()) return trials;
    FrameSample sample(device, *source, &interrupt);
    if (doubts.probe) attempt([&] { trials.probed = tryProposal(sample, run); });
    if (doubts.lamp) attempt([&] { trials.lamp = findLamp(sample, run.settings); });
    if (doubts.dimmer) attempt([&] { trials.dimmer = tryThreshold(sample, run.settings); });
    if (doubts.pairs) attempt([&] { trials.pairs = trySeparation(sample, run.settings); });
  } catch (const std::exception& error) {
    base::log(base::LogLevel::info, error.what());
  }
  return trials;
}

}  // namespace glint::study
