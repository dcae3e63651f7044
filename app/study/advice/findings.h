// Findings: what a user should know about a run or a frame, and which settings would help. The
// summary of `glint track`, `glint probe`, the run record, the window and Python all show these.
#pragma once

#include <string>
#include <vector>

#include "app/motion/frame/tracking_counts.h"
#include "app/study/advice/lamp.h"
#include "app/study/advice/proposal.h"
#include "app/study/advice/remedy.h"
#include "app/study/advice/trials.h"
#include "config/settings.h"
#include "gpu/detect/detector.h"

namespace glint::study {

/// An observation, and what follows from it.
struct Finding {
  enum class Kind {
    proposal,       ///< what `glint probe` has seen
    partialFrames,  ///< some frames held more candidates than can be measured
    stills,         ///< frames are unrelated pictures
    repeats,        ///< frames repeat the one before
    untracked,      ///< detections belong to no track
    hotPixels,      ///< detections are of hot pixels
    fullFrames,     ///< detect.max_markers was reached
    elongated,      ///< many candidates were rejected because they are long
    pairs,          ///< pairs are taken for one marker
    dimmerKind,     ///< a dimmer kind of marker is below the threshold
    barelyReached,  ///< markers barely reach the threshold
    lamp,           ///< a lamp raises the threshold
    nothingFound,   ///< there are no markers at all
    noTracks        ///< there are markers, but no tracks
  };
  enum class Severity { note, hint, warning };

  Kind kind;
  Severity severity = Severity::note;
  std::string observation = {};  ///< what was seen: a clause without capital and full stop
  std::string advice = {};       ///< what to do about it, in the same form; or empty
  Remedy remedy = {};            ///< settings that would help; empty if they are not known exactly

  /// Returns one line for a terminal: "hint: OBSERVATION; ADVICE".
  std::string line() const;
  /// Returns sentences for a window, a record or Python: "OBSERVATION. ADVICE."
  std::string sentences() const;
};

/// Returns the name of a kind for programs: "nothing_found".
const char* nameOf(Finding::Kind kind);
/// Returns "note", "hint" or "warning".
const char* nameOf(Finding::Severity severity);

/// When trials are worth following, and how far limits are raised.
struct FindingOptions {
  /// A trial is mentioned if it finds so many times as many markers as the run.
  double worthwhile = 1.25;
  /// detect.max_markers is raised to so many times its value.
  int moreMarkers = 4;
  DoubtOptions doubts;
};

/// Everything that is known when a run has ended.
struct RunEvidence {
  const motion::TrackingCounts& counts;
  const Settings& settings;
  const Trials& trials;
  bool stills = false;      ///< frames were taken for unrelated pictures
  bool recognised = false;  ///< ... without the user having said so
  FindingOptions options = {};
};

/// Applies all rules to a run, and returns the findings in the order in which they are shown.
std::vector<Finding> findingsOf(const RunEvidence& run);

/// Everything that is known about the frame that a window shows.
struct FrameEvidence {
  std::vector<const gpu::LayerMeasurement*> cameras;
  const Settings& settings;    ///< of the frame
  bool nothingSoFar = false;   ///< no frame that was shown had a marker
  const Lamp* lamp = nullptr;  ///< that hides markers in the frame; null: none is known
  FindingOptions options = {};
};

/// Applies the rules that need a single frame, and returns the findings, the most important one
/// first. Others need a whole run, such as those about tracks.
std::vector<Finding> findingsOf(const FrameEvidence& frame);

/// Returns what `glint probe` tells about a recording.
Finding findingOf(const Proposal& proposal);

}  // namespace glint::study
