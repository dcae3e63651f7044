// What `glint track` prints on a terminal: while it runs, and at its end.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "app/commands/track_options.h"
#include "app/record/run_record.h"
#include "app/session/options.h"

namespace glint {

/// A line that is rewritten a few times a second, on a terminal only.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  static constexpr std::chrono::milliseconds kInterval{250};
  void update(const SessionCounts& counts);
  void show(const std::string& text);
  void clear() const;

 private:
  bool due() const;

  bool shown_;
  bool written_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  uint64_t lastFrames_ = 0;
};

/// What the summary says beside the counts.
struct SummaryNotes {
  bool stills = false, recognised = false;  ///< as which the frames were taken; by itself
  /// If nothing was found, or markers may be missing: options that find something, or that none
  /// does; and how many markers a frame.
  std::string tried = {};
  bool triedFinds = false;
  double triedMarkers = 0;
  /// A frame, of the frames looked at: pairs of markers that detect.separation takes for one, and
  /// markers; and the separation (px) that tells them apart, or 0.
  double pairs = 0, pairedOf = 0, apart = 0;
  /// Markers a frame of a dimmer kind, below the threshold, and options that find them.
  double otherKind = 0;
  std::string findsOthers = {};
  /// Where a lamp raises the threshold above dimmer markers: where it is, how many they are a
  /// frame, and the rectangle to ignore.
  std::string lamp = {};
  double dimmer = 0;
  std::string ignored = {};
};

/// What was done, and what may be missing, into `out`.
void printSummary(std::FILE* out, const TrackOptions& options, const RunInputs& inputs,
                  const SessionResult& result, const SummaryNotes& notes);

}  // namespace glint
