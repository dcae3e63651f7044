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

/// Counts of what a session has done so far.
struct SessionCounts : motion::TrackingCounts {
  /// Tracks that took over an id after a gap longer than track.max_gap.
  uint64_t stitches = 0;
  /// Frames of live cameras that were replaced before they were read.
  uint64_t dropped = 0;
  /// Frames that were left out because writing files was too slow.
  uint64_t leftOut = 0;
  /// Tracks in the last frame.
  size_t liveTracks = 0;
  /// Markers in the last frame.
  size_t lastMarkers = 0;
  /// Filled in if there is a rig.
  motion::SpaceCounts space;
  /// Rejected candidates by reason, while they are reported.
  std::map<gpu::Rejection, uint64_t> rejected;
};

/// Device times of each pass and wall times of each stage, per frame.
using SessionTimes = std::map<std::string, base::TimeHistogram>;

/// Settings that came into force during a session.
struct SettingsChange {
  Pass pass;
  /// The first set for which they were in force.
  SetIndex set;
  Settings settings;
};

/// The result of a session, complete after its end.
struct SessionResult {
  SessionCounts counts;
  /// Times by pass; "all" is their sum.
  SessionTimes deviceTimes;
  /// Times of the stages "capture", "wait", "track", "points" and "frame".
  SessionTimes wallTimes;
  /// Wall time from the first frame to the last row, s.
  double seconds = 0;
  std::vector<SettingsChange> settingsChanges;
  /// State at the end.
  std::vector<capture::Feeds::CameraStatus> cameras;
  /// State at the end.
  std::vector<output::SinkStatus> sinks;
  /// For live cameras: the moment at which the time of their frames is 0, in s of the host's
  /// monotonic clock and in s since 1970.
  std::optional<double> zero, zeroUtc;
  /// True if sets of recordings were made by time instead of frame numbers.
  bool byTime = false;
  /// True if the Interrupt that the session was given ended it.
  bool interrupted = false;
  /// The failure of a source, a sink or the device, or empty. Earlier results are kept.
  std::string failure;
};

/// Opens the sinks that a session starts with. Called once, after the device has accepted the
/// session's frames, so that a refused session leaves no file behind.
using OpenSinks = std::function<std::vector<command::AddSink>(const capture::CameraGroups& groups)>;

struct SessionOptions {
  Settings settings;
  /// The place at which a recording starts. Without a value it starts at its beginning.
  std::optional<capture::From> from = {};
  /// Number of frames after which the session stops.
  std::optional<uint64_t> maxFrames = {};
  /// Called after each frame. If it returns true, the session ends. If empty, the session does not
  /// end for this reason.
  std::function<bool(const motion::Frame&)> enough = {};
  /// True if rejected candidates are reported, too.
  bool rejected = false;
  /// True if the frames are unrelated pictures. Then each has its own threshold, and each marker in
  /// it is a track of its own, confirmed at once and without continuation.
  bool stills = false;
  /// Speed of recordings: 1 is their own, 0 is as fast as possible.
  double speed = 0;
  /// True if the session starts paused, at its first frame.
  bool paused = false;
  /// True if the session waits for commands at the end of the range and after a failure, instead of
  /// ending.
  bool stay = false;
  /// True if the failure of a file ends the session.
  bool endOnSinkFailure = true;
  OpenSinks open = {};
  /// Sinks that are called on the session's thread, from the first frame on.
  std::vector<std::shared_ptr<output::Sink>> listeners = {};
  /// True if somebody else tracks the whole recording while this session runs. The ids of a pass
  /// that begins in the middle are provisional until command::Follow brings the tracks of the whole
  /// recording.
  bool followsHistory = false;
  /// Interval in sets after which the results of a frame contain a copy of the trackers as they
  /// were before the set (std::shared_ptr<const CameraTrackers>), for TrackHistory. 0 never does
  /// that.
  uint64_t checkpoints = 0;
  /// The rig for computing points in space. Its cameras are those of the session. Null if no points
  /// are computed.
  std::shared_ptr<const motion::SpaceRig> rig = {};
  /// Bodies to find among the points; may be null.
  std::shared_ptr<const std::vector<motion::Body>> bodies = {};
  /// True if rays that meet without being a point are reported, too.
  bool refusedPoints = false;
  /// Loads masks and other images that the settings refer to. Null if there are none.
  std::shared_ptr<const motion::SettingImages> images = {};
  /// The interrupt that the sources were opened with, or null.
  capture::Interrupt* interrupt = nullptr;
  /// Planes that are kept for drawing; see command::Watch.
  gpu::PlaneSet planes = {};
  /// Called before each frame that is played. Returns true if its planes are wanted. Planes of a
  /// frame at which playing stops are always kept. If empty, all planes are kept. Must not wait.
  std::function<bool()> wantsPlanes = {};
  /// For live cameras: how long frames stay in memory for command::ShowRecent, s; see
  /// command::Remember.
  double recentSeconds = 0;
  /// Called after each new SessionState, on threads of the session. Must not wait.
  std::function<void()> published = {};
};

/// The state of a session as an immutable snapshot.
struct SessionState {
  using Mode = PlayMode;
  Mode mode = Mode::playing;
  /// True if a requested frame has not been shown yet. It may belong to a step or a jump while the
  /// session is paused, or be an earlier frame of live cameras.
  bool owes = false;
  Epoch epoch;
  Pass pass;
  /// The newest frame, of this pass or an earlier one. Null before the first frame.
  motion::FramePtr frame;
  /// The pixels in which `frame` was measured. Empty if planes were requested and are not kept yet.
  capture::FrameSet set;
  /// The requested planes of `frame`, one entry for each group of cameras. An entry is null if none
  /// were requested, they were not kept this time, or all buffers are held. Readers release them
  /// once they are drawn.
  std::vector<std::shared_ptr<const gpu::PlaneImages>> planes;
  /// Number of sets of the recording, if it is known.
  std::optional<uint64_t> length;
  bool canSeek = false, live = false;
  /// The settings in force; never null.
  std::shared_ptr<const Settings> settings;
  bool rejected = false;
  double speed = 0;
  bool loops = false;
  SetIndex in;
  std::optional<SetIndex> out;
  /// For live cameras: the frames in memory, for command::ShowRecent.
  struct Recent {
    SetIndex first, last;
    /// Time from the first to the last, s.
    double seconds = 0;
    /// True if `frame` is one of them. Then they do not change.
    bool isShown = false;
  };
  /// The frames in memory; without a value if there are none.
  std::optional<Recent> recent;
  SessionCounts counts;
  /// Device times of the newest frame that was timed.
  std::vector<gpu::PassTime> deviceTimes;
  std::vector<capture::Feeds::CameraStatus> cameras;
  std::vector<output::SinkStatus> sinks;
  std::string failure;
};

/// Returns "playing", "paused", "at_end", "failed" or "ended".
const char* nameOf(SessionState::Mode mode);

}  // namespace glint::session
