// Curves of the selected tracks over the whole recording, above the timeline and in its scale.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/desk/time_zoom.h"
#include "app/desk/track_series.h"
#include "ui/model/window_model.h"

namespace glint::ui {

struct CurveField;
struct Scale;

/// Of one session. Main thread.
class CurvesPanel {
 public:
  bool on = false;
  float height = 0;  ///< px; 0: as usual

  /// px, of so many that views and curves have together; 0 where they are off.
  float heightIn(float room) const;
  void draw(const WindowModel& model, const ViewState& looks, Player& player, TimeZoom& zoom,
            const Actions& actions, const Rect& place);

  const std::vector<TrackSeries>& series() const { return series_; }
  /// What is told of the frame under the cursor, or empty.
  const std::string& told() const { return told_; }

 private:
  void look(const WindowModel& model, const ViewState& looks);
  void measure(const TimeAxis& axis);
  size_t columnsOf(const CurveField& field) const;
  void drawEdge(const Rect& place);
  void drawHead(const WindowModel& model, const Actions& actions);
  void drawField(const CurveField& field);
  void drawCurve(const CurveField& field, size_t series);
  void drawLine(const CurveField& field, size_t series);
  void drawTimes(const WindowModel& model, const CurveField& field, float bottom);
  void tell(const WindowModel& model, const CurveField& field, float top, float bottom);
  std::vector<Quantity> shown() const;
  void chooseUnits(const WindowModel& model, CurveField& field) const;
  bool drawEmpty(const WindowModel& model) const;
  void fit(CurveField& field) const;
  void handleMouse(const WindowModel& model, const Scale& scale, uint64_t last, Player& player,
                   TimeZoom& zoom);

  std::array<bool, 3> wanted_{true, true, true};  // by Quantity
  bool frames_ = false, mm_ = true;               // on the axes
  std::vector<TrackSeries> series_;
  // What series_ were made of, and their columns.
  std::shared_ptr<const TrackHistory> history_;
  uint64_t revision_ = 0, looked_ = 0;
  std::vector<std::pair<CameraIndex, TrackId>> tracks_;
  TimeAxis axis_{0, 0, 0};
  uint64_t measured_ = 0;                                         // looked_ when columns_ were made
  std::array<std::vector<std::vector<CurveColumn>>, 3> columns_;  // by Quantity and series
  std::string told_;
};

}  // namespace glint::ui
