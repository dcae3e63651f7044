// What a session is given, and what it tells.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/base/timing.h"
#include "app/capture/feeds.h"
#include "app/export/queue.h"
#include "app/frame/session_frame.h"
#include "config/settings.h"
#include "gpu/device.h"
#include "gpu/limits.h"
#include "shared/feedback.h"

namespace glint {

/// What a session has done so far.
struct SessionCounts {
  uint64_t frames = 0;         ///< of all cameras together: sets of one frame each
  uint64_t markers = 0;        ///< detections
  uint64_t tracks = 0;         ///< ids given
  uint64_t repeats = 0;        ///< frames of single cameras that show the one before once more
  uint64_t stitches = 0;       ///< tracks that took over an id after a gap beyond track.max_gap
  uint64_t fullFrames = 0;     ///< of single cameras, that held detect.max_markers markers
  uint64_t partialFrames = 0;  ///< of single cameras, in which markers may be missing
  uint64_t dimFrames = 0;      ///< of single cameras, in which nothing reached the threshold
  uint64_t dropped = 0;        ///< frames of live cameras that were replaced before they were read
  uint64_t leftOut = 0;        ///< frames that recordings were too slow for
  size_t liveTracks = 0;       ///< in the last frame
  size_t lastMarkers = 0;      ///< in the last frame
  std::vector<uint64_t> framesOfCamera;
  std::map<Rejection, uint64_t> rejected;  ///< candidates, while they are told
};

/// Device times of each pass and wall times of the stages, per frame.
using SessionTimes = std::map<std::string, TimeHistogram>;

/// Settings that came into force during a session.
struct SettingsChange {
  uint32_t pass = 0;
  uint64_t frame = 0;  ///< the first one that they were in force for
  Settings settings;
};

struct SessionResult {
  SessionCounts counts;
  SessionTimes deviceTimes;  ///< by pass; "all" is their sum
  SessionTimes wallTimes;    ///< "capture", "wait", "track", "frame"
  double seconds = 0;        ///< wall time from the first frame to the last row
  std::vector<SettingsChange> settingsChanges;
  std::vector<Feeds::CameraStatus> cameras;  ///< at the end
  /// Live: when the time of cameras on the host's clock was 0. On that clock, s; and s since 1970.
  std::optional<double> zero, zeroUtc;
  bool interrupted = false;  ///< by the Interrupt that the session was given
  /// What broke a source, an exporter or the device, or empty; all before it is kept.
  std::string failure;
};

struct SessionOptions {
  Settings settings;
  std::optional<uint64_t> maxFrames;  ///< stop after so many
  bool rejected = false;              ///< tell of rejected candidates, too
  /// Frames that share nothing: each has its own threshold, every marker in it is a track of its
  /// own, at once, and none goes on.
  bool stills = false;
  double speed = 0;     ///< of recordings: 1 is their own; 0: as fast as possible
  bool paused = false;  ///< begin so
  /// Wait for commands at the end of the range and after a failure, instead of ending.
  bool stay = false;
  /// Whether the failure of an exporter ends the session.
  bool endOnExportFailure = true;
  /// Makes a lost device and the same sources anew; empty: that ends the session. Throws Error.
  struct Remade {
    std::shared_ptr<const Device> device;
    std::vector<std::unique_ptr<Source>> sources;
  };
  std::function<Remade()> remake = {};
  std::vector<std::shared_ptr<FrameListener>> listeners = {};  ///< from the first frame on
  PlaneSet planes = {};                                        ///< kept for drawing; see Watch
  /// Asked before each frame that is played: whether its planes are wanted. Those of a frame at
  /// which playing has come to rest always are. Empty: all are. Must not wait.
  std::function<bool()> wantsPlanes = {};
  /// Called after each new SessionState, on threads of the session. Must not wait.
  std::function<void()> published = {};
};

/// What a session is doing, as one immutable snapshot.
struct SessionState {
  enum class Mode {
    playing,
    paused,
    atEnd,   ///< of the range; waits for commands
    failed,  ///< see `failure`; waits for commands
    ended
  };
  Mode mode = Mode::playing;
  uint32_t epoch = 0, pass = 0;
  /// The newest frame, of this pass or an earlier one; null before the first one.
  std::shared_ptr<const SessionFrame> frame;
  /// Where its tracks were looked for, a camera each; for those who stay.
  std::vector<std::vector<shared::Prediction>> expected;
  FrameSet set;  ///< the pixels that `frame` was measured in, where its planes are kept or none are
  /// What was asked for to be drawn of `frame`, a group each; null: nothing, not this time, or all
  /// buffers are held. Let go once it is drawn.
  std::vector<std::shared_ptr<const PlaneImages>> planes;
  std::optional<uint64_t> length;  ///< frames of the recording, where known
  bool canSeek = false, live = false;
  Settings settings;  ///< in force
  bool rejected = false;
  double speed = 0;
  bool loops = false;
  uint64_t in = 0;
  std::optional<uint64_t> out;
  SessionCounts counts;
  std::vector<PassTime> deviceTimes;  ///< of the newest frame
  std::vector<Feeds::CameraStatus> cameras;
  std::vector<RecordingStatus> recordings;
  std::string failure;
};

/// "playing", "paused", "at_end", "failed" or "ended".
const char* nameOf(SessionState::Mode mode);

}  // namespace glint
