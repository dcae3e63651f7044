// Text files with two columns for every track, a line for every frame. Internal to sinks/.
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

/// How a program writes such a file: texts of fmt, whole lines.
struct WideLayout {
  std::string_view name;
  bool quoted;              ///< whether fields are in quotes, and quotes in them doubled
  bool everyFrame;          ///< whether frames without a marker have a line, too
  std::string_view header;  ///< of {frames}, {markers}, {rate} (1/s), {names} and {columns}
  std::string_view label;   ///< what a track without a name is called, of its id
  std::string_view track;   ///< in {names}, of a label
  std::string_view column;  ///< the two headings in {columns}, of a label
  std::string_view begin;   ///< of a line: of the frame from 1, and its time
  std::string_view place;   ///< of x and y
  std::string_view none;    ///< in its place
};

extern const WideLayout kKinoveaLayout;
extern const WideLayout kQtmLayout;

/// A row on disk that comes after one of a later frame.
struct LateRow {
  FrameNumber frame;
  uint64_t at = 0;  ///< bytes from the beginning of the file
};

/// The columns of a wide file are known only when its last row is. Until then its rows wait on disk
/// in `path`.rows, a CSV file of the columns frame,time_s,track,x,y (the last three empty in the
/// line that says when a frame was), which is removed when `path` is complete, and otherwise keeps
/// what was measured. Memory holds the ids of the tracks, one line, and of rows that came late
/// where they are, whatever the length.
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
  std::set<uint64_t> tracks_;  ///< in the order of their columns
  uint64_t frames_ = 0;        ///< that the camera gave, with markers or without
  double firstTime_ = 0;       ///< s
  double lastTime_ = 0;        ///< s
  bool provisional_ = false;   ///< ids: they are written as ~17
  SharedEdits edits_;          ///< of its tracks, or null
  RowFile file_, rows_;
  uint64_t spooled_ = 0;  ///< bytes handed to rows_
  FrameNumber newest_;    ///< the latest frame of a row so far
  std::vector<LateRow> late_;
};

}  // namespace glint::output
