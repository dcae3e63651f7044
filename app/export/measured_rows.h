// The measured rows of one camera, for files that hold no others. Internal to export/.
#pragma once

#include <iterator>
#include <string>

#include <fmt/format.h>

#include "app/export/row_exporter.h"

namespace glint {

/// For RowExporter. `Line` has kHeader, and appends the line of a row to an output iterator.
template <class Line>
struct MeasuredRows {
  static constexpr std::string_view kHeader = Line::kHeader;
  size_t camera;
  Line line{};

  void operator()(std::string& text, size_t from, const CameraFrame& frame, const SessionFrame&) {
    if (from != camera) return;
    for (const TrackRow& row : frame.settled)
      if (row.state == TrackState::measured) line(std::back_inserter(text), row);
  }
};

}  // namespace glint
