// Findings: facts about a run or a frame that its user should know, and settings that would help.
// The summary of `glint track`, `glint probe`, the run record, the window and Python all show them.
#pragma once

#include <string>
#include <vector>

#include "app/motion/frame/tracking_counts.h"
#include "app/study/advice/glare.h"
#include "app/study/advice/lamp.h"
#include "app/study/advice/proposal.h"
#include "app/study/advice/remedy.h"
#include "app/study/advice/trials.h"
#include "config/settings.h"
#include "gpu/detect/detector.h"

namespace glint::study {

/// An observation, and the advice that follows from it.
struct Finding {
  enum class Kind {
    proposal,       ///< The result of `glint probe`.
    partialFrames,  ///< Some frames held more candidates than can be measured.
    stills,         ///< The frames are unrelated pictures.
    fewFrames,      ///< There are too few frames to confirm tracks.
    repeats,        ///< Some frames repeat the frame before.
    untracked,      ///< Some detections belong to no track.
    hotPixels,      ///< Some detections are hot pixels.
    fullFrames,     ///< Some frames reached detect.max_markers.
    elongated,      ///< Many candidates were rejected because they are long.
    pairs,          ///< Some pairs of markers are taken for one marker.
    dimmerKind,     ///< A dimmer kind of marker is below the threshold.
    barelyReached,  ///< Many markers barely reach the threshold.
    lamp,           ///< A lamp raises the threshold.
    glare,          ///< Glare raises the threshold.
    nothingFound,   ///< There are no markers at all.
    noTracks        ///< There are markers, but no tracks.
  };
  enum class Severity { note, hint, warning };

  Kind kind;
  Severity severity = Severity::note;
  std::string observation = {};  ///< A fact that was seen: a clause without capital and full stop.
  /// Advice on what to do about it, as a clause without capital and full stop; may be empty.
  std::string advice = {};
  Remedy remedy = {};  ///< Settings that would help; empty if they are not known exactly.

  /// Returns one line for a terminal: "hint: OBSERVATION; ADVICE".
  std::string line() const;
  /// Returns sentences for a record, Python or a window: "OBSERVATION. ADVICE."
  std::string sentences() const;
  /// Returns the first of these sentences, "OBSERVATION.", for a window that has a button instead
  /// of the advice.
  std::string observed() const;
};

/// Returns the name of a kind as programs read it: "nothing_found".
const char* nameOf(Finding::Kind kind);
/// Returns "note", "hint" or "warning".
const char* nameOf(Finding::Severity severity);

/// Options that determine when the result of a trial is worth a finding, and how far the advice
/// raises limits.
struct FindingOptions {
  /// A trial is mentioned if it finds at least this many times as many markers as the run. Raising
  /// it mentions fewer trials.
  double worthwhile = 1.25;
  /// The factor by which the advice raises detect.max_markers.
  int moreMarkers = 4;
  DoubtOptions doubts;
};

/// The evidence that all rules use: the counts and the trials of a run, or of one set that a window
/// shows.
struct Evidence {
  const motion::TrackingCounts& counts;
  const Settings& settings;
  const Trials& trials;
  bool stills = false;  ///< True if the frames were taken for unrelated pictures.
  /// True if they were taken for unrelated pictures although the user did not say so.
  bool recognised = false;
  bool shown = false;  ///< True if the counts are those of one set that a window shows.
  FindingOptions options = {};
};

/// Applies all rules, and returns the findings in the order in which they are shown.
std::vector<Finding> findingsOf(const Evidence& run);

/// A run that has ended.
struct EndedRun {
  TriedRun tried;
  /// True if the first source of the run can be read again, and nothing has failed.
  bool canTry = false;
  bool stills = false, recognised = false;  ///< See Evidence.
};

/// Tries other settings where the counts of the run raise a doubt, and returns the findings of
/// findingsOf(). All places that report on a whole run take their findings from here. The trials
/// take about as long as `glint probe`; `interrupt` ends them.
std::vector<Finding> findingsOf(const gpu::Device& device, const EndedRun& run,
                                capture::Interrupt& interrupt);

/// All that is known about the set that a window shows.
struct ShownEvidence {
  std::vector<const gpu::LayerMeasurement*> cameras;
  const Settings& settings;      ///< The settings that measured the set.
  bool nothingSoFar = false;     ///< True if no set that was shown so far had a marker.
  const Lamp* lamp = nullptr;    ///< The lamp that hides markers in the set; null if none is known.
  const Glare* glare = nullptr;  ///< The glare that hides markers in the set; null as above.
  FindingOptions options = {};
};

/// Applies the rules that need only a single set, and returns the findings in the order of a run.
/// The other rules need a whole run, because they are about tracks, or about candidates that are
/// often rejected in a single frame by chance.
std::vector<Finding> findingsOf(const ShownEvidence& shown);

/// Returns a description: "long bright markers of radius 24.1 px, 2 a frame".
std::string describe(const Alternative& alternative);

/// Returns a finding that describes the proposal of `glint probe` for a recording.
Finding findingOf(const Proposal& proposal);

}  // namespace glint::study
