// Trials of other settings on a recording that has just been tracked.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/motion/frame/tracking_counts.h"
#include "app/study/advice/dimmer.h"
#include "app/study/advice/lamp.h"
#include "app/study/advice/proposal.h"
#include "app/study/advice/remedy.h"
#include "config/secrets.h"
#include "config/settings.h"
#include "gpu/device.h"

namespace glint::study {

/// From which counts a run's settings are doubted. If no source is given, a value was chosen with
/// the recordings in docs/measurements/defaults.md and the likenesses of
/// tests/cli/likeness_test.py.
struct DoubtOptions {
  /// Markers that barely reach the threshold are many if they are one in so many of all markers.
  /// Raising it doubts the threshold more often.
  uint64_t markersPerBarely = 3;
  /// They must also be at least so many a frame.
  uint64_t leastBarely = 8;
  /// Share of the markers that may be rejected as too long. Two markers that are taken for one look
  /// long, so with more of them pairs are tried.
  double longShare = 0.02;
};

/// True if so many of the markers barely reach the threshold that dimmer ones may be missing.
bool manyBarely(uint64_t barely, uint64_t markers, uint64_t frames,
                const DoubtOptions& options = {});

/// The results of trials. Each is empty if it was not called for, or has found nothing.
struct Trials {
  /// The proposal of `glint probe`.
  struct Probed {
    Proposal proposal;
    bool finds = false;  ///< true if it finds markers with other settings than the run's
    size_t frames = 0;   ///< that were tried
  };
  /// Pairs that the default separation takes for one.
  struct Pairs {
    double pairs = 0, markers = 0;  ///< a frame
    double separation = 0;          ///< px, which tells them apart
  };
  std::optional<Probed> probed;
  std::optional<Pairs> pairs;
  std::optional<Dimmer> dimmer;
  std::optional<Lamp> lamp;
};

/// The run whose settings are doubted.
struct TriedRun {
  const std::vector<Address>& sources;
  const Settings& settings;        ///< of the run
  const SettingsFor& settingsFor;  ///< the same for another kind of marker
  const motion::TrackingCounts& counts;
  DoubtOptions options = {};
};

/// Where the counts of a run raise a doubt, measures a few frames of its first source with other
/// settings. Finds nothing if the source cannot seek, or if it fails: a hint is not worth a
/// failure.
Trials tryOtherSettings(const gpu::Device& device, const TriedRun& run,
                        capture::Interrupt& interrupt);

}  // namespace glint::study
