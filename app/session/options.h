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
#include "app/capture/sets/feeds.h"
#include "app/capture/source/from.h"
#include "app/motion/frame/frame.h"
#include "app/motion/frame/setting_images.h"
#include "app/motion/frame/tracking_counts.h"
#include "app/motion/space/space_counts.h"
#include "app/session/command.h"
#include "app/session/transport.h"
#include "config/settings.h"
#include "gpu/detect/limits.h"
#include "gpu/device.h"

namespace glint::motion {
class SpaceRig;
struct Body;
}  // namespace glint::motion

namespace glint::session {

/// What a session has done so far.
struct SessionCounts : motion::TrackingCounts {
  uint64_t stitches = 0;      ///< tracks that took over an id after a gap beyond track.max_gap
  uint64_t dropped = 0;       ///< frames of live cameras that were replaced before they were read
  uint64_t leftOut = 0;       ///< frames that files were too slow for
  size_t liveTracks = 0;      ///< in the last frame
  size_t lastMarkers = 0;     ///< in the last frame
  motion::SpaceCounts space;  ///< with a rig
  std::map<gpu::Rejection, uint64_t> rejected;  ///< candidates, while they are reported
};

/// Device times of each pass and wall times of the stages, per frame.
using SessionTimes = std::map<std::string, base::TimeHistogram>;

/// Settings that took effect during a session.
struct SettingsChange {
  Pass pass;
  SetIndex set;  ///< the first set that they were in force for
  Settings settings;
};

struct SessionResult {
  SessionCounts counts;
  SessionTimes deviceTimes;  ///< by pass; "all" is their sum
  SessionTimes wallTimes;    ///< "capture", "wait", "track", "frame"
  double seconds = 0;        ///< wall time from the first frame to the last row
  std::vector<SettingsChange> settingsChanges;
  std::vector<capture::Feeds::CameraStatus> cameras;  ///< at the end
  std::vector<output::SinkStatus> sinks;              ///< at the end
  /// Live: when the cameras' time on the host's clock was 0, in s of that clock and in s since
  /// 1970.
  std::optional<double> zero, zeroUtc;
  bool byTime = false;       ///< sets of recordings were made by time instead of frame numbers
  bool interrupted = false;  ///< by the Interrupt that the session was given
  /// The failure of a source, a sink or the device, or empty. Earlier results are kept.
  std::string failure;
};

/// Opens the sinks that a session begins with. Called once, after the device has accepted the
/// session's frames, so that a refused session leaves no file behind.
using OpenSinks = std::function<std::vector<command::AddSink>(const capture::CameraGroups& groups)>;

struct SessionOptions {
  Settings settings;
  std::optional<capture::From> from = {};  ///< where to begin; recordings only
  std::optional<uint64_t> maxFrames = {};  ///< stop after this many
  /// Called after each frame. Returns true if the session may end. Empty: it may not.
  std::function<bool(const motion::Frame&)> enough = {};
  bool rejected = false;  ///< report rejected candidates, too
  /// Frames share nothing: each has its own threshold, and every marker in it is at once a track of
  /// its own, which does not go on.
  bool stills = false;
  double speed = 0;     ///< of recordings: 1 is their own; 0: as fast as possible
  bool paused = false;  ///< begins paused, at its first frame
  /// Wait for commands at the end of the range and after a failure, instead of ending.
  bool stay = false;
  bool endOnSinkFailure = true;  ///< the failure of a file ends the session
  OpenSinks open = {};
  /// Sinks that are called on the session's thread, from the first frame on.
  std::vector<std::shared_ptr<output::Sink>> listeners = {};
  /// Somebody else tracks the whole recording beside this session. The ids of a pass that begins in
  /// the middle are provisional until command::Follow brings the tracks of the whole recording.
  bool followsHistory = false;
  /// After every so many sets, a frame's results hold the trackers as they were before the set
  /// (std::shared_ptr<const Trackers>), for TrackHistory. 0: never.
  uint64_t checkpoints = 0;
  /// Points in space are computed with it; its cameras are the session's. Null: none are.
  std::shared_ptr<const motion::SpaceRig> rig = {};
  /// Bodies that are sought among the points; may be null.
  std::shared_ptr<const std::vector<motion::Body>> bodies = {};
  bool refusedPoints = false;  ///< report rays that meet and are no point, too
  /// Loads masks and other images that the settings name; null: there are none.
  std::shared_ptr<const motion::SettingImages> images = {};
  /// The interrupt that the sources were opened with; null: none.
  capture::Interrupt* interrupt = nullptr;
  gpu::PlaneSet planes = {};  ///< planes that are kept for drawing; see command::Watch
  /// Called before each frame that is played. Returns true if its planes are wanted. The planes of
  /// a frame at which playing rests always are. Empty: all are. Must not wait.
  std::function<bool()> wantsPlanes = {};
  /// Live: how long frames stay in memory, s, for command::Look; see command::Remember.
  double recentSeconds = 0;
  /// Called after each new SessionState, on threads of the session. Must not wait.
  std::function<void()> published = {};
};

/// The state of a session, as one immutable snapshot.
struct SessionState {
  using Mode = PlayMode;
  Mode mode = Mode::playing;
  /// A frame that was asked for is still to come: of a step or a jump while it is paused, or an
  /// earlier one of live cameras.
  bool owes = false;
  Epoch epoch;
  Pass pass;
  /// The newest frame, of this pass or an earlier one; null before the first one.
  motion::FramePtr frame;
  /// The pixels that `frame` was measured in, unless planes were asked for and are not kept yet.
  capture::FrameSet set;
  /// The planes of `frame` that were asked for, a group each; null: none were, not this time, or
  /// all buffers are held. Readers let them go once they are drawn.
  std::vector<std::shared_ptr<const gpu::PlaneImages>> planes;
  std::optional<uint64_t> length;  ///< sets of the recording, where known
  bool canSeek = false, live = false;
  std::shared_ptr<const Settings> settings;  ///< in force; never null
  bool rejected = false;
  double speed = 0;
  bool loops = false;
  SetIndex in;
  std::optional<SetIndex> out;
  /// Live: the frames in memory, for command::Look.
  struct Recent {
    SetIndex first, last;
    double seconds = 0;    ///< from the first to the last
    bool looking = false;  ///< `frame` is one of them, and they stay in memory
  };
  std::optional<Recent> recent;  ///< empty: no frame is in memory
  SessionCounts counts;
  std::vector<gpu::PassTime> deviceTimes;  ///< of the newest frame that was timed
  std::vector<capture::Feeds::CameraStatus> cameras;
  std::vector<output::SinkStatus> sinks;
  std::string failure;
};

/// "playing", "paused", "at_end", "failed" or "ended".
const char* nameOf(SessionState::Mode mode);

}  // namespace glint::session
