// Measures of the recording that is shown: how one is made, and what each reads in the frame on the
// screen.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "ui/model/messages.h"
#include "ui/model/track_editor.h"
#include "ui/model/track_view.h"
#include "ui/model/view.h"

namespace glint::ui {

/// What the next clicks are for.
enum class MeasureTool { none, distance, angle, scale };

/// What a measure reads now.
struct MeasureReading {
  std::vector<std::optional<output::MeasurePlace>>
      places;                   ///< of its points; empty: not in this frame
  std::optional<double> value;  ///< see valueOf()
  std::string words;            ///< "12.3 px", or "not in this frame"
};

/// Of one session. Main thread.
class Measuring {
 public:
  Measuring(TrackEditor& editor, const TrackView& tracks, Messages& messages)
      : editor_(editor), tracks_(tracks), messages_(messages) {}

  MeasureTool tool() const { return tool_; }
  bool on() const { return tool_ != MeasureTool::none; }
  /// Takes it up, or puts it away where it is in hand; `camera`: of the marker that is its first
  /// point, if any is.
  void take(MeasureTool tool, std::optional<Selection> first = {});
  void stop();

  /// After the tracks of the frame are known, before each picture.
  void follow();
  const std::vector<output::ImageMeasure>& measures() const { return editor_.edits().measures; }
  const std::vector<MeasureReading>& readings() const { return readings_; }  ///< of these
  /// mm a pixel, where the camera has a scale.
  std::optional<double> scale(size_t camera) const;
  /// The track that a point moves with, as tracks are edited; empty: of one that stays, or is not
  /// found.
  std::optional<TrackId> trackOf(CameraIndex camera, const output::MeasurePoint& point) const;
  /// What a measure is between: "12 to left hand", "12, a place, 15".
  std::string between(const output::ImageMeasure& measure) const;

  /// A click on a place, or on a track that is there.
  void click(size_t camera, ImagePoint at, std::optional<TrackId> track);
  void remove(size_t measure);

  /// One end of a measure.
  struct End {
    size_t measure = 0, point = 0;
  };
  /// The nearest to a place on the screen, nearer than `reach` px.
  std::optional<End> endAt(size_t camera, const View& view, Point at, float reach) const;
  void hold(std::optional<End> end) { held_ = end; }
  bool holds() const { return held_.has_value(); }
  /// What is held goes there, and reads so.
  void drag(ImagePoint at) { dragged_ = at; }
  /// Lets go of it: where it was dragged to, or on the track that is there.
  void drop(std::optional<TrackId> track);

  void dropScale(size_t camera) { editor_.setScale(camera, std::nullopt); }
  /// So long is the line that asksLength() means.
  void setLength(double mm);
  void forgetLength() { line_.reset(); }
  /// px, of a line whose length is to be told.
  std::optional<double> asksLength() const;
  size_t lineCamera() const { return line_ ? line_->camera.value() : 0; }

  /// What is being made, with its points as they are now.
  const std::optional<output::ImageMeasure>& begun() const { return begun_; }
  std::vector<std::optional<output::MeasurePlace>> places(
      const output::ImageMeasure& measure) const;

 private:
  output::MeasurePoint pointOn(const Selection& one);
  void add(size_t camera, output::MeasurePoint point);
  void finish();
  void change(output::TrackEdits edits, const output::ImageMeasure& made);
  void find(const output::ImageMeasure& measure);

  TrackEditor& editor_;
  const TrackView& tracks_;
  Messages& messages_;
  MeasureTool tool_ = MeasureTool::none;
  std::optional<output::ImageMeasure> begun_, line_;
  std::optional<End> held_;
  std::optional<ImagePoint> dragged_;  // once it has been
  std::vector<MeasureReading> readings_;
  // Tracks of points that move; those of frames that no history has, as they were clicked.
  using Key = std::tuple<CameraIndex, FrameNumber, double, double>;
  std::map<Key, TrackId> found_, clicked_;
  uint64_t revision_ = UINT64_MAX, madeRevision_ = UINT64_MAX;  // of what found_ was made from
};

}  // namespace glint::ui
