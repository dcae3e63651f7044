// The tracks that are drawn for the frame on the screen. Only this file decides which tracks these
// are, and where they come from.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "app/output/sinks/edited_sink.h"
#include "ui/model/latest_frames.h"
#include "ui/model/shown_frame.h"
#include "ui/model/space_trails.h"
#include "ui/model/tracking_scheduler.h"
#include "ui/model/trails.h"

namespace glint::ui {

struct Selection {
  size_t camera = 0;
  TrackId track;
  bool operator==(const Selection&) const = default;
};

/// The marks that are drawn for one camera.
struct CameraTracks {
  const gpu::LayerMeasurement* measured = nullptr;  ///< the markers in the frame on the screen
  /// The set that all of these belong to. It is an earlier one than that on the screen if the
  /// camera has no frame there and its last one still counts.
  SetIndex set = {};
  /// The tracks in the frame, by id, as files and streams have them.
  std::vector<motion::TrackRow> rows = {};
  TrailMap trails = {};
  std::vector<shared::Prediction> gates = {};  ///< areas in which tracks were searched for
  /// True if the ids will be replaced; then they are dimmed, and marked with ~.
  bool provisional = false;
  /// Edits that were applied to all of these; null: none.
  output::SharedEdits edits = nullptr;
  /// The places, px, at which tracks were measured that are hidden or deleted.
  std::set<std::pair<double, double>> gone = {};

  /// The points in space of tracks, whose colours they share.
  std::map<TrackId, uint64_t> points = {};

  /// Returns the id in whose colour a track is drawn.
  TrackId colouredAs(TrackId track) const {
    const auto point = points.find(track);
    return point == points.end() ? track : TrackId(point->second);
  }
  /// Returns the row of a track; null if it has none.
  const motion::TrackRow* row(TrackId track) const {
    const auto found = std::ranges::find(rows, track, &motion::TrackRow::track);
    return found == rows.end() ? nullptr : &*found;
  }
};

/// The tracks of one session. The ids are those of the frame itself. If the whole recording is
/// known, trails and paths are those of the whole recording, too. Main thread.
class TrackView {
 public:
  static constexpr double kPathSeconds = 4;

  /// `live` holds the tracks of the session's own tracker, `latest` the latest frames of its
  /// cameras, and `space` its points.
  TrackView(const shell::WindowTask& task, std::shared_ptr<const Trails> live,
            std::shared_ptr<const LatestFrames> latest, std::shared_ptr<const SpaceTrails> space,
            std::function<void()> wake)
      : live_(std::move(live)),
        latest_(std::move(latest)),
        space_(std::move(space)),
        rig_(task.rig),
        background_(task, std::move(wake)) {}

  struct Options {
    double trailSeconds = 1;  ///< length of trails
    double rate = 30;         ///< rate of the recording, frames/s
    /// True if a camera that has no frame in the set shows the marks of its last frame. Otherwise
    /// it shows none.
    bool fillsGaps = false;
  };

  /// Takes the newest snapshot of the session.
  void follow(const session::SessionState& state) { background_.follow(state); }
  /// Finds what is drawn for the frame on the screen. Call it before each picture. `edits` are
  /// those of the recording's ids, or null.
  void update(const ShownFrame& shown, const Options& options,
              const std::optional<Selection>& selected, const output::SharedEdits& edits);
  /// Requests the tracks of the whole recording, also while playback goes straight through it.
  void want() { background_.want(); }

  /// Returns the marks of each camera; empty before the first frame.
  const std::vector<CameraTracks>& cameras() const { return cameras_; }
  /// Returns true if selected() and path() belong to this track. They do so from the picture after
  /// its selection on.
  bool follows(const Selection& one) const { return followed_ == one; }
  /// Returns the row of the selected track; null if it is not in the frame.
  const motion::TrackRow* selected() const { return selected_; }
  /// Returns the path of the selected track in its last kPathSeconds.
  const std::vector<TrailPoint>& path() const { return path_; }

  /// Returns the points in space, by number: those of points.csv of the whole recording if they are
  /// known, otherwise those of the session.
  const std::vector<motion::SpaceRow>& points() const { return points_; }
  const std::vector<motion::PoseRow>& poses() const {
    return poses_;
  }  ///< bodies, from the same source as points()
  const PointTrails& pointTrails() const { return pointTrails_; }
  /// Returns the point in space that a track belongs to; empty if none is known. A track keeps its
  /// point while it cannot be seen, until it belongs to another one.
  std::optional<uint64_t> pointOf(const Selection& track) const;
  /// Returns the id in whose colour a track is drawn: that of its point in space, or its own.
  TrackId colouredAs(const Selection& track) const {
    const auto point = pointOf(track);
    return point ? TrackId(*point) : track.track;
  }
  /// Returns the tracks that belong to a point in this frame, as "camera:track camera:track".
  std::string tracksOfPoint(uint64_t point) const;

  /// Returns the number of markers of all cameras.
  size_t markers() const;
  /// Returns true if a frame that was shown had a marker, since the session began.
  bool found() const { return found_; }
  size_t rows() const;
  /// Returns true if the ids are those of the whole recording.
  bool whole() const { return frame_ && frame_->knowledge == motion::TrackKnowledge::whole; }
  /// Returns true if the ids will be replaced, so that they are drawn dimmed.
  bool provisional() const { return frame_ && frame_->provisional(); }

  /// Returns the tracks of the whole recording, for the timeline; null if none are known beyond the
  /// frame. The history grows while the recording is tracked.
  std::shared_ptr<const session::TrackHistory> history() const { return background_.history(); }
  /// Returns the points in space of the whole recording; null if it is not known, or has no rig.
  std::shared_ptr<const shell::SpaceHistory> space() const { return background_.space(); }
  /// Returns the share of the recording that is tracked, 0 to 1; empty while nothing is being
  /// tracked.
  std::optional<double> progress() const { return background_.progress(); }

 private:
  TrailMap trailsOf(const motion::Frame& frame, size_t camera, double seconds, double rate) const;
  const motion::CameraFrame& shownOf(size_t camera) const;
  void edit(CameraTracks& camera) const;

  void updatePoints(double trailSeconds, double rate);
  void linkPoints();

  std::shared_ptr<const Trails> live_;
  std::shared_ptr<const LatestFrames> latest_;
  std::shared_ptr<const SpaceTrails> space_;
  std::shared_ptr<const motion::SpaceRig> rig_;  // null: there are no points
  TrackingScheduler background_;
  bool found_ = false;      // true once any frame had a marker
  motion::FramePtr frame_;  // the frame that cameras_ point into
  // For each camera, the earlier frame that its part of cameras_ points into; null: frame_.
  std::vector<std::shared_ptr<const motion::CameraFrame>> earlier_;
  std::shared_ptr<const session::TrackHistory>
      known_;  // the history that the frame is in; null: only the session knows the frame
  std::vector<CameraTracks> cameras_;
  std::vector<motion::SpaceRow> points_;
  std::vector<motion::PoseRow> poses_;
  PointTrails pointTrails_;
  // For each camera, the points of tracks, and the pass in which they were found.
  std::vector<std::map<TrackId, uint64_t>> links_;
  Pass linkedPass_;
  std::optional<Selection> followed_;           // the track whose path is drawn
  const motion::TrackRow* selected_ = nullptr;  // row of that track in the frame; null: it has none
  std::vector<TrailPoint> path_;                // the path of the selected track
};

}  // namespace glint::ui
