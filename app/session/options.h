// The options, state and result of a session.
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
#include "app/capture/from.h"
#include "app/frame/frame.h"
#include "app/frame/setting_images.h"
#include "app/session/command.h"
#include "app/space/space_counts.h"
#include "app/track/tracker.h"
#include "config/settings.h"
#include "gpu/detect/limits.h"
#include "gpu/device.h"

namespace glint {

class SpaceRig;
struct Body;

/// What a session has done so far.
struct SessionCounts {
  uint64_t frames = 0;         ///< of all cameras together: sets of one frame each
  uint64_t markers = 0;        ///< detections
  uint64_t tracks = 0;         ///< ids given
  uint64_t repeats = 0;        ///< frames of single cameras that repeat the one before
  uint64_t stitches = 0;       ///< tracks that took over an id after a gap beyond track.max_gap
  Untracked untracked;         ///< once the session, or a pass of it, has ended
  uint64_t fullFrames = 0;     ///< of single cameras, that held detect.max_markers markers
  uint64_t partialFrames = 0;  ///< of single cameras, in which markers may be missing
  uint64_t dimFrames = 0;      ///< of single cameras, in which nothing reached the threshold
  uint64_t barely = 0;         ///< markers that barely reach the threshold; see countBarely()
  uint64_t lampFrames = 0;     ///< of single cameras, whose threshold a lamp raises; see lampOf()
  uint64_t glances = 0;        ///< at frames of a recording's first camera; see glanceAt()
  uint64_t dimmerGlances = 0;  ///< of them, those that saw signs of dimmer markers
  uint64_t pairedGlances = 0;  ///< and of pairs
  uint64_t elongated = 0;      ///< what is no marker because it is long; see Limited
  uint64_t dropped = 0;        ///< frames of live cameras that were replaced before they were read
  uint64_t leftOut = 0;        ///< frames that files were too slow for
  size_t liveTracks = 0;       ///< in the last frame
  size_t lastMarkers = 0;      ///< in the last frame
  struct Camera {
    uint64_t frames = 0;
    uint64_t sets = 0;   ///< that there were until it ended
    bool ended = false;  ///< while others went on
  };
  std::vector<Camera> cameras;
  SpaceCounts space;                       ///< with a rig
  std::map<Rejection, uint64_t> rejected;  ///< candidates, while they are reported
};

/// Device times of each pass and wall times of the stages, per frame.
using SessionTimes = std::map<std::string, TimeHistogram>;

/// Settings that took effect during a session.
struct SettingsChange {
  Pass pass;
  SetIndex set;  ///< the first one that they were in force for
  Settings settings;
};

struct SessionResult {
  SessionCounts counts;
  SessionTimes deviceTimes;  ///< by pass; "all" is their sum
  SessionTimes wallTimes;    ///< "capture", "wait", "track", "frame"
  double seconds = 0;        ///< wall time from the first frame to the last row
  std::vector<SettingsChange> settingsChanges;
  std::vector<Feeds::CameraStatus> cameras;  ///< at the end
  std::vector<SinkStatus> sinks;             ///< at the end
  /// Live: when the time of cameras on the host's clock was 0. On that clock, s; and s since 1970.
  std::optional<double> zero, zeroUtc;
  bool byTime = false;       ///< sets of recordings were made by time, not by their frames' numbers
  bool interrupted = false;  ///< by the Interrupt that the session was given
  /// The failure of a source, an exporter or the device, or empty; earlier results are kept.
  std::string failure;
};

/// Opens the sinks that a session begins with. Called once, after the device has accepted the
/// session's frames, so that a refused session leaves no file behind.
using OpenSinks = std::function<std::vector<command::AddSink>(const CameraGroups& groups)>;

struct SessionOptions {
  Settings settings;
  std::optional<From> from = {};           ///< begin there; recordings only
  std::optional<uint64_t> maxFrames = {};  ///< stop after this many
  /// Asked after each frame: whether the session may end. Empty: it may not.
  std::function<bool(const Frame&)> enough = {};
  bool rejected = false;  ///< report rejected candidates, too
  /// Frames that share nothing: each has its own threshold, every marker in it is a track of its
  /// own, at once, and none goes on.
  bool stills = false;
  double speed = 0;     ///< of recordings: 1 is their own; 0: as fast as possible
  bool paused = false;  ///< begin so
  /// Wait for commands at the end of the range and after a failure, instead of ending.
  bool stay = false;
  bool endOnSinkFailure = true;  ///< whether the failure of a file ends the session
  OpenSinks open = {};
  std::vector<std::shared_ptr<Sink>> listeners = {};  ///< on its thread, from the first frame on
  /// Whether somebody tracks the whole recording beside this session: until command::Follow brings
  /// that, the ids of a pass that begins in its middle are provisional.
  bool followsHistory = false;
  /// Every how many sets the result holds the trackers as they were before the set
  /// (std::shared_ptr<const Trackers>), for TrackHistory. 0: never.
  uint64_t checkpoints = 0;
  /// Points in space are computed with it; its cameras are the session's. Null: none are.
  std::shared_ptr<const SpaceRig> rig = {};
  std::shared_ptr<const std::vector<Body>> bodies = {};  ///< that are sought among them; or null
  bool refusedPoints = false;  ///< report rays that meet and are no point, too
  /// Loads masks and other images that the settings name; null: there are none.
  std::shared_ptr<const SettingImages> images = {};
  /// The one that the sources were opened with; null: none.
  Interrupt* interrupt = nullptr;
  PlaneSet planes = {};  ///< kept for drawing; see Watch
  /// Asked before each frame that is played: whether its planes are wanted. Those of a frame at
  /// which playing has come to rest always are. Empty: all are. Must not wait.
  std::function<bool()> wantsPlanes = {};
  /// Live: how long frames stay in memory, s, for command::Look; see command::Remember.
  double recentSeconds = 0;
  /// Called after each new SessionState, on threads of the session. Must not wait.
  std::function<void()> published = {};
};

/// The state of a session, as one immutable snapshot.
struct SessionState {
  enum class Mode {
    playing,
    paused,
    atEnd,   ///< of the range; waits for commands
    failed,  ///< see `failure`; waits for commands
    ended
  };
  Mode mode = Mode::playing;
  bool owes = false;  ///< paused, and a frame of a step or a jump is still to come
  Epoch epoch;
  Pass pass;
  /// The newest frame, of this pass or an earlier one; null before the first one.
  FramePtr frame;
  FrameSet set;  ///< the pixels that `frame` was measured in, where its planes are kept or none are
  /// What was asked for to be drawn of `frame`, a group each; null: nothing, not this time, or all
  /// buffers are held. Let go once it is drawn.
  std::vector<std::shared_ptr<const PlaneImages>> planes;
  std::optional<uint64_t> length;  ///< sets of the recording, where known
  bool canSeek = false, live = false;
  Settings settings;  ///< in force
  bool rejected = false;
  double speed = 0;
  bool loops = false;
  SetIndex in;
  std::optional<SetIndex> out;
  /// Live: the frames in memory, for command::Look.
  struct Recent {
    SetIndex first, last;
    double seconds = 0;    ///< from the first to the last
    bool looking = false;  ///< `frame` is one of them, and they stay as they are
  };
  std::optional<Recent> recent;  ///< empty: there are none
  SessionCounts counts;
  std::vector<PassTime> deviceTimes;  ///< of the newest frame of which they were taken
  std::vector<Feeds::CameraStatus> cameras;
  std::vector<SinkStatus> sinks;
  std::string failure;
};

/// "playing", "paused", "at_end", "failed" or "ended".
const char* nameOf(SessionState::Mode mode);

}  // namespace glint
