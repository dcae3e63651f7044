// Trials of other settings on a recording that has just been tracked.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/motion/frame/tracking_counts.h"
#include "app/study/advice/dimmer.h"
#include "app/study/advice/glare.h"
#include "app/study/advice/lamp.h"
#include "app/study/advice/proposal.h"
#include "app/study/advice/remedy.h"
#include "config/secrets.h"
#include "config/settings.h"
#include "gpu/device.h"

namespace glint::study {

/// Limits for the counts of a run, beyond which its settings are doubted. If no source is given, a
/// value was chosen with the recordings in docs/measurements/defaults.md and the likenesses of
/// tests/cli/likeness_test.py.
struct DoubtOptions {
  /// The threshold is doubted if at least one in this many markers barely reaches it. Raising it
  /// doubts the threshold more often.
  uint64_t markersPerBarely = 3;
  /// The threshold is doubted only if at least this many markers per frame barely reach it. Raising
  /// it doubts the threshold less often.
  uint64_t leastBarely = 8;
  /// The share of the markers that may be rejected as too long. Two markers that are taken for one
  /// look long, so if more are rejected, pairs are tried. Raising it tries pairs less often.
  double longShare = 0.02;
};

/// True if so many of the markers barely reach the threshold that dimmer markers may be missing.
bool manyBarely(uint64_t barely, uint64_t markers, uint64_t frames,
                const DoubtOptions& options = {});

/// The results of trials. Each is empty if the counts did not call for it, or if it has found
/// nothing.
struct Trials {
  /// The proposal of `glint probe`.
  struct Probed {
    Proposal proposal;
    bool finds = false;  ///< True if it finds markers with other settings than those of the run.
    size_t frames = 0;   ///< The number of frames that were tried.
  };
  /// Pairs of markers that the default separation takes for one marker.
  struct Pairs {
    double pairs = 0, markers = 0;  ///< Mean numbers per frame; `markers` counts a pair once.
    double separation = 0;          ///< The detect.separation that separates the pairs, px.
  };
  std::optional<Probed> probed;
  std::optional<Pairs> pairs;
  std::optional<Dimmer> dimmer;
  std::optional<Lamp> lamp;
  std::optional<Glare> glare;
};

/// The run whose settings are doubted.
struct TriedRun {
  const std::vector<Address>& sources;
  const Settings& settings;        ///< The settings of the run.
  const SettingsFor& settingsFor;  ///< Returns the settings of the run for another kind of marker.
  const motion::TrackingCounts& counts;
  DoubtOptions options = {};
};

/// Measures a few frames of the run's first source with other settings, where the counts of the run
/// raise a doubt. Finds nothing if the source cannot seek, or if reading it fails: a failure is
/// only logged, because a hint is not worth failing for.
Trials tryOtherSettings(const gpu::Device& device, const TriedRun& run,
                        capture::Interrupt& interrupt);

}  // namespace glint::study
