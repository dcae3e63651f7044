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
  /// Returns sentences for a record, Python or a window: "OBSERVATION. ADVICE."
  std::string sentences() const;
  /// Returns the first of them, for a window that has a button instead of the advice.
  std::string observed() const;
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

/// Everything that the rules draw on: counts and trials of a run, or of one set that is shown.
struct Evidence {
  const motion::TrackingCounts& counts;
  const Settings& settings;
  const Trials& trials;
  bool stills = false;      ///< frames were taken for unrelated pictures
  bool recognised = false;  ///< ... without the user having said so
  bool shown = false;       ///< it is about one set, which a window shows
  FindingOptions options = {};
};

/// Applies all rules to a run, and returns the findings in the order in which they are shown.
std::vector<Finding> findingsOf(const Evidence& run);

/// A run that has ended.
struct EndedRun {
  TriedRun tried;
  bool canTry = false;  ///< its first source can be read again, and nothing has failed
  bool stills = false, recognised = false;  ///< see Evidence
};

/// Tries other settings where the counts of the run raise a doubt, and returns the findings of
/// findingsOf(). Every place that tells of a run as a whole takes them from here. Trials take about
/// as long as `glint probe`; `interrupt` ends them.
std::vector<Finding> findingsOf(const gpu::Device& device, const EndedRun& run,
                                capture::Interrupt& interrupt);

/// Everything that is known about the set that a window shows.
struct ShownEvidence {
  std::vector<const gpu::LayerMeasurement*> cameras;
  const Settings& settings;    ///< of the set
  bool nothingSoFar = false;   ///< no set that was shown had a marker
  const Lamp* lamp = nullptr;  ///< that hides markers in it; null: none is known
  FindingOptions options = {};
};

/// Applies to a single set the rules that need no more than that, and returns the findings in the
/// order of a run. The others need a whole run: rules about tracks, and about candidates that are
/// rejected in one frame by chance.
std::vector<Finding> findingsOf(const ShownEvidence& shown);

/// Returns what `glint probe` tells about a recording.
Finding findingOf(const Proposal& proposal);

}  // namespace glint::study
