// The tracks that are drawn for the frame on the screen, and where they come from: decided here
// alone.
#pragma once

#include <algorithm>
#include <set>
#include <utility>

#include "app/output/sinks/edited_sink.h"
#include "ui/model/background_tracker.h"
#include "ui/model/shown_frame.h"
#include "ui/model/space_trails.h"
#include "ui/model/trails.h"

namespace glint::ui {

struct Selection {
  size_t camera = 0;
  TrackId track;
  bool operator==(const Selection&) const = default;
};

/// What is drawn of one camera.
struct CameraTracks {
  const gpu::LayerMeasurement* measured = nullptr;  ///< in the frame on the screen
  std::vector<motion::TrackRow> rows = {};          ///< by id, as files and streams have them
  TrailMap trails = {};
  std::vector<shared::Prediction> gates = {};  ///< where tracks were looked for
  bool provisional = false;  ///< ids will be replaced: they are dimmed, and marked with ~
  output::SharedEdits edits = nullptr;  ///< applied to all of them; null: none
  /// Where tracks were measured that are hidden or deleted.
  std::set<std::pair<double, double>> gone = {};

  /// Returns the row of a track; null if it has none.
  const motion::TrackRow* row(TrackId track) const {
    const auto found = std::ranges::find(rows, track, &motion::TrackRow::track);
    return found == rows.end() ? nullptr : &*found;
  }
};

/// Of one session. Ids are those of the frame itself; where the whole recording is known, trails
/// and paths are its own, too. Main thread.
class TrackView {
 public:
  static constexpr double kPathSeconds = 4;

  /// `live`: what the session's own tracker has said, filled by nothing else.
  TrackView(const shell::WindowTask& task, std::shared_ptr<const Trails> live,
            std::shared_ptr<const SpaceTrails> space, std::function<void()> wake)
      : live_(std::move(live)), space_(std::move(space)), background_(task, std::move(wake)) {}

  /// The newest snapshot.
  void follow(const session::SessionState& state) { background_.follow(state); }
  /// Before each picture: the frame that is shown in it, trails of so many seconds, of a recording
  /// with `rate` frames a second.
  /// `edits`: of the recording's ids, or null.
  void update(const ShownFrame& shown, double trailSeconds, double rate,
              const std::optional<Selection>& selected, const output::SharedEdits& edits);
  /// The whole recording is to be known, whether or not playback leaves its straight way.
  void want() { background_.want(); }

  /// A camera each; none before the first frame.
  const std::vector<CameraTracks>& cameras() const { return cameras_; }
  /// Whether what follows is of this track: not in the picture in which it is selected.
  bool follows(const Selection& one) const { return followed_ == one; }
  /// Null where the selected track is not in the frame.
  const motion::TrackRow* selected() const { return selected_; }
  /// Its last kPathSeconds.
  const std::vector<TrailPoint>& path() const { return path_; }

  /// Points in space, by id: those of points.csv of the whole recording where they are known, else
  /// as the session goes.
  const std::vector<motion::SpaceRow>& points() const { return points_; }
  const std::vector<motion::PoseRow>& poses() const {
    return poses_;
  }  ///< of bodies, from the same
  const PointTrails& pointTrails() const { return pointTrails_; }

  size_t markers() const;  ///< of all cameras
  /// Whether a frame that was shown had a marker, since the session began.
  bool found() const { return found_; }
  size_t rows() const;
  /// Whether ids are those of the whole recording.
  bool whole() const { return frame_ && frame_->knowledge == motion::TrackKnowledge::whole; }
  /// Whether they are drawn as what will be replaced.
  bool provisional() const { return frame_ && frame_->provisional(); }

  /// Of the recording, for the timeline; null where nothing is known beyond the frame. It grows.
  std::shared_ptr<const session::TrackHistory> history() const { return background_.history(); }
  /// Its points, with a rig.
  std::shared_ptr<const shell::SpaceHistory> space() const { return background_.space(); }
  /// 0 to 1 while it does.
  std::optional<double> progress() const { return background_.progress(); }

 private:
  TrailMap trailsOf(const motion::Frame& frame, size_t camera, double seconds, double rate) const;
  void edit(CameraTracks& camera) const;

  void updatePoints(double trailSeconds, double rate);

  std::shared_ptr<const Trails> live_;
  std::shared_ptr<const SpaceTrails> space_;
  BackgroundTracker background_;
  bool found_ = false;
  motion::FramePtr frame_;  // that cameras_ point into
  std::shared_ptr<const session::TrackHistory>
      known_;  // of the frame; null: only the session knows it
  std::vector<CameraTracks> cameras_;
  std::vector<motion::SpaceRow> points_;
  std::vector<motion::PoseRow> poses_;
  PointTrails pointTrails_;
  std::optional<Selection> followed_;
  const motion::TrackRow* selected_ = nullptr;
  std::vector<TrailPoint> path_;
};

}  // namespace glint::ui
