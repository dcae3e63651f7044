// Text files with two columns for every track, and a line for every frame. Internal to sinks/.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/output/sinks/edited_sink.h"
#include "app/output/sinks/row_file.h"
#include "app/output/sinks/sink.h"

namespace glint::output {

/// The layout of a wide file of another program, in which a line holds all tracks of a frame. Each
/// text is a format string of fmt, from which a line or a part of a line is made.
struct WideLayout {
  std::string_view name;
  bool quoted;      ///< true if fields are in quotes, and quotes within them are doubled
  bool everyFrame;  ///< true if frames without a marker have a line, too
  /// Makes the header from {frames}, {markers}, {rate} (1/s), {names} and {columns}.
  std::string_view header;
  /// Makes the label of a track without a name from its id.
  std::string_view label;
  /// Makes the part of {names} for one track from its label.
  std::string_view track;
  /// Makes the two headings in {columns} for one track from its label.
  std::string_view column;
  /// Makes the beginning of a line from the number of the frame, counted from 1, and its time.
  std::string_view begin;
  /// Makes the two fields of a track from x and y.
  std::string_view place;
  /// The two fields of a track that the frame lacks.
  std::string_view none;
};

extern const WideLayout kKinoveaLayout;
extern const WideLayout kQtmLayout;

/// A row in the file of rows that comes after a row of a later frame.
struct LateRow {
  FrameNumber frame;
  uint64_t at = 0;  ///< position in bytes from the beginning of the file
};

/// A sink that writes a wide file. The file's columns are known only when its last row is known.
/// Until then, the rows wait on disk in `path`.rows. That is a CSV file with the columns
/// frame,time_s,track,x,y. In lines that give the time of a frame, the last three are empty. It is
/// removed when `path` is complete; otherwise it keeps the measurements. Memory holds only the ids
/// of the tracks, one line, and the positions of rows that came late.
class WideFile : public Sink {
 public:
  /// Throws UsageError if `path` is a device or a pipe, which has no place beside it.
  WideFile(const std::string& path, size_t camera, const WideLayout& layout);

  void accept(const motion::FramePtr& frame) override;
  void poll() override;
  void finish() override;

 private:
  bool holdsAnything() const;
  void addLine(const std::string& line);
  std::string header() const;
  std::string labelOf(uint64_t track) const;
  void writeLines();

  size_t camera_;
  const WideLayout& layout_;
  std::set<uint64_t> tracks_;  ///< ids in the order of their columns
  uint64_t frames_ = 0;        ///< number of frames that the camera gave, with markers or without
  double firstTime_ = 0;       ///< s
  double lastTime_ = 0;        ///< s
  /// True if ids are provisional, and written as ~17.
  bool provisional_ = false;
  SharedEdits edits_;  ///< edits of the tracks; or null
  RowFile file_, rows_;
  uint64_t spooled_ = 0;  ///< bytes handed to rows_
  FrameNumber newest_;    ///< the latest frame of a row so far
  std::vector<LateRow> late_;
};

}  // namespace glint::output
