// One run from sources to exporters: capture, detection, tracking and hand-over, frame by frame.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/source.h"
#include "app/export/exporter.h"
#include "app/base/timing.h"
#include "config/settings.h"
#include "gpu/device.h"
#include "gpu/limits.h"

namespace glint {

/// What a session has done so far.
struct SessionCounts {
  uint64_t frames = 0;         ///< of all cameras together: sets of one frame each
  uint64_t markers = 0;        ///< detections
  uint64_t tracks = 0;         ///< ids given
  uint64_t stitches = 0;       ///< tracks that took over an id after a gap beyond track.max_gap
  uint64_t fullFrames = 0;     ///< of single cameras, that held detect.max_markers markers
  uint64_t partialFrames = 0;  ///< of single cameras, in which markers may be missing
  uint64_t dimFrames = 0;      ///< of single cameras, in which nothing reached the threshold
  uint64_t dropped = 0;        ///< frames of a live camera that were replaced before they were read
  size_t liveTracks = 0;       ///< in the last frame
  size_t lastMarkers = 0;      ///< in the last frame
  std::vector<uint64_t> framesOfCamera;
  std::map<Rejection, uint64_t> rejected;  ///< candidates, if SessionOptions::rejected
};

/// Device times of each pass and wall times of the stages, per frame.
using SessionTimes = std::map<std::string, TimeHistogram>;

struct SessionReport {
  SessionCounts counts;
  SessionTimes deviceTimes;  ///< by pass; "all" is their sum
  SessionTimes wallTimes;    ///< "capture", "wait", "track", "frame"
  double seconds = 0;        ///< wall time from the first frame to the last row
  bool interrupted = false;
  std::string
      failure;  ///< what broke a source, an exporter or the device, or empty; all before it is kept
};

struct SessionOptions {
  Settings settings;
  std::optional<uint64_t> maxFrames;                   ///< stop after so many
  bool rejected = false;                               ///< report rejected candidates, too
  bool realtime = false;                               ///< no frame before its own time has come
  std::function<void(const SessionCounts&)> progress;  ///< after every frame; may be empty
  /// Every frame as soon as it was tracked, on the session's own thread: must not wait; may be
  /// empty.
  std::function<void(const SessionFrame&)> live = {};
};

/// The format of a session over these sources: their common image format, a layer each.
/// Throws UsageError naming the sources that differ in size, channels or depth.
FrameFormat sessionFormat(const std::vector<std::unique_ptr<Source>>& sources);

/// Makes a session's exporters, which create their files.
using OpenExporters = std::function<std::vector<std::unique_ptr<Exporter>>()>;

/// Runs until every source has ended, `maxFrames`, `stop`, or an error. Cameras may end at
/// different times: the others go on without them. Every frame read has its result, and it reached
/// the exporters, also after an error or a stop. What breaks a source or an exporter is in the
/// report; throws UsageError when settings or masks are refused, Error when the device fails: both
/// before the exporters are opened, so that a run that is refused leaves no file behind.
SessionReport runSession(const Device& device, std::vector<std::unique_ptr<Source>> sources,
                         const OpenExporters& openExporters, const SessionOptions& options,
                         const std::atomic<bool>& stop);

}  // namespace glint
