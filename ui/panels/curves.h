// Curves of the selected tracks, and of measures between tracks. They lie above the timeline, and
// share its scale.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/shell/desk/timeline.h"
#include "app/shell/desk/track_series.h"
#include "ui/context/context.h"
#include "ui/panels/curve_kind.h"

namespace glint::ui {

struct CurveField;
struct Scale;

/// One line of a field.
struct Curve {
  std::string name;
  unsigned colour = 0;
  CameraIndex camera = {};
  size_t series = 0;  ///< index of its track, point in space, or measure
  /// Size of the unit that is shown, in px or degrees.
  double unit = 1;
  std::vector<shell::CurveColumn> columns = {};
};

/// The panel of curves. Main thread.
class CurvesPanel {
 public:
  /// Returns the height of the curves, px. `room` is the height of views and curves together.
  /// Returns 0 if the curves are off.
  float heightIn(const Layout& layout, float room) const;
  void draw(Context& context);
  /// Writes the names of the curves, and the words about the frame under the cursor, into `to`, for
  /// tests.
  void describe(nlohmann::json& to) const;

 private:
  void readSelected(const WindowModel& model, const ViewState& viewState);
  void readAll(const WindowModel& model);
  void readPoints();
  /// Returns the unit of lengths in a field.
  const char* lengthUnit(CurveKind kind) const {
    return showsPoints_ && !isOfMeasures(kind) ? "mm" : imageUnit_;
  }
  const std::vector<shell::SeriesPoint>& pointsOf(CurveKind kind, const Curve& curve) const;
  std::vector<Curve>& curvesOf(CurveKind kind) { return curves_[static_cast<size_t>(kind)]; }
  const std::vector<Curve>& curvesOf(CurveKind kind) const {
    return curves_[static_cast<size_t>(kind)];
  }
  void measure(const shell::TimeAxis& axis);
  size_t columnsOf(const CurveField& field) const;
  void drawEdge(Layout& layout) const;
  void drawHead(Context& context);
  void drawField(const CurveField& field);
  void drawCurve(const CurveField& field, const Curve& curve);
  void drawLine(const CurveField& field, const Curve& curve);
  void drawTimes(const WindowModel& model, const CurveField& field, float bottom);
  void drawTooltip(const WindowModel& model, const CurveField& field, float top, float bottom);
  std::vector<CurveKind> shown() const;
  void chooseUnits(const WindowModel& model);
  bool drawEmpty(const WindowModel& model) const;
  CameraIndex firstCamera() const;
  void fit(CurveField& field) const;
  void handleMouse(Context& context, const Scale& scale, uint64_t last);

  // True for each CurveKind whose curves the user wants to see.
  std::array<bool, kCurveKinds> wanted_{true, true, true, true, true, true};
  // Choices on the axes: frames instead of seconds, and lengths in mm instead of px.
  bool frames_ = false, mm_ = true;
  // inSpace_: the user wants to see points in space where tracks are selected, too. showsPoints_:
  // points are shown instead of tracks.
  bool inSpace_ = true, showsPoints_ = false;
  const char* imageUnit_ = "px";  // unit of lengths in images
  std::vector<shell::TrackSeries> series_;
  std::vector<shell::PointSeries> points_;
  std::vector<std::vector<shell::SeriesPoint>> measures_;
  std::array<std::vector<Curve>, kCurveKinds> curves_;
  // The data from which the curves were made, and the columns of the curves.
  std::shared_ptr<const session::TrackHistory> history_;
  uint64_t revision_ = 0, madeRevision_ = 0, contents_ = 0;
  std::vector<std::pair<CameraIndex, TrackId>> tracks_;
  std::shared_ptr<const shell::SpaceHistory> space_;  // null: no whole recording, or no points
  std::vector<uint64_t> chosen_;                      // points that are selected
  shell::TimeAxis axis_{0, 0, 0};
  uint64_t measured_ = 0;  // value of contents_ when the columns were made
  std::string tooltip_;    // words about the frame under the cursor
};

}  // namespace glint::ui
