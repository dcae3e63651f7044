// Measures of the recording that is shown: how the user makes one, and its value in the frame on
// the screen.
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

/// The kind of measure that the next clicks make. `scale` draws a line of known length.
enum class MeasureTool { none, distance, angle, scale };

/// The value of a measure in the frame on the screen.
struct MeasureReading {
  std::vector<std::optional<output::MeasurePlace>>
      places;                   ///< places of its points; empty: not in this frame
  std::optional<double> value;  ///< value in px or degrees, see valueOf()
  std::string words;            ///< "12.3 px", or "not in this frame"
};

/// The measures of one session. Main thread.
class Measuring {
 public:
  Measuring(TrackEditor& editor, const TrackView& tracks, Messages& messages)
      : editor_(editor), tracks_(tracks), messages_(messages) {}

  MeasureTool tool() const { return tool_; }
  bool on() const { return tool_ != MeasureTool::none; }
  /// Takes up a tool, or puts it away if it is in use already and there is no `first`. `first` is
  /// the track that becomes the first point.
  void take(MeasureTool tool, std::optional<Selection> first = {});
  void stop();

  /// Finds the tracks of points and takes new readings. Call it before each picture, once the
  /// tracks of the frame are known.
  void follow();
  const std::vector<output::ImageMeasure>& measures() const { return editor_.edits().measures; }
  /// One for each of measures().
  const std::vector<MeasureReading>& readings() const { return readings_; }
  /// Returns the scale of a camera in mm a pixel; empty if it has none.
  std::optional<double> scale(size_t camera) const;
  /// Returns the track that a point moves with, after the edits. Empty if the point stays in its
  /// place, or if its track is not found.
  std::optional<TrackId> trackOf(CameraIndex camera, const output::MeasurePoint& point) const;
  /// Returns the names of the points: "12 to left hand"; for an angle "12, 100, 200, 15" if the
  /// middle point is the place (100, 200) of the image.
  std::string between(const output::ImageMeasure& measure) const;

  /// Adds a point: the track at the click, or the place `at` if there is none. The last point
  /// completes the measure.
  void click(size_t camera, ImagePoint at, std::optional<TrackId> track);
  void remove(size_t measure);

  /// One end of a measure.
  struct End {
    size_t measure = 0, point = 0;
  };
  /// Returns the end that is nearest to a place on the screen; empty if none is nearer than `reach`
  /// px.
  std::optional<End> endAt(size_t camera, const View& view, Point at, float reach) const;
  void hold(std::optional<End> end) { held_ = end; }
  bool holds() const { return held_.has_value(); }
  /// Moves the held end to `at`, px, and updates its reading at the next follow().
  void drag(ImagePoint at) { dragged_ = at; }
  /// Releases the held end: on the track that is there, or where it was dragged to.
  void drop(std::optional<TrackId> track);

  void dropScale(size_t camera) { editor_.setScale(camera, std::nullopt); }
  /// Sets the length of the line that asksLength() returns, in mm, and thereby the scale of its
  /// camera.
  void setLength(double mm);
  void forgetLength() { line_.reset(); }
  /// Returns the length, px, of a line that the user has drawn and whose length in mm is to be
  /// entered; empty if there is none.
  std::optional<double> asksLength() const;
  size_t lineCamera() const { return line_ ? line_->camera.value() : 0; }

  /// Returns the measure that is being made, with the points that it has so far.
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
  // The measure of which not all points are set yet, and the line that a length is asked for.
  std::optional<output::ImageMeasure> begun_, line_;
  std::optional<End> held_;            // the end that the mouse holds
  std::optional<ImagePoint> dragged_;  // empty until the held end is moved
  std::vector<MeasureReading> readings_;
  // The tracks of points that move. `clicked_` holds them as they were clicked, for frames that no
  // history has.
  using Key = std::tuple<CameraIndex, FrameNumber, double, double>;
  std::map<Key, TrackId> found_, clicked_;
  // The revisions of tracks and edits that found_ was made from.
  uint64_t revision_ = UINT64_MAX, madeRevision_ = UINT64_MAX;
};

}  // namespace glint::ui
