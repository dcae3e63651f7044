// Text files with two columns for every track, a line for every frame. Internal to export/.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/sinks/row_file.h"
#include "app/sinks/sink.h"

namespace glint {

/// What is known of a wide file once its rows are.
struct WideContents {
  std::set<TrackId> tracks;  ///< in the order of their columns
  bool provisional = false;  ///< whether ids are
  uint64_t frames = 0;       ///< that the camera gave, with markers or without
  double firstTime = 0;      ///< s
  double lastTime = 0;       ///< s

  const char* mark() const { return provisional ? "~" : ""; }  ///< before names
};

/// Where a track was, as text; both empty where it was not measured.
struct WideCell {
  std::string_view x, y;
};

/// How a program writes such a file.
struct WideLayout {
  const char* name;
  bool everyFrame;  ///< whether frames without a marker have a line, too
  std::string (*header)(const WideContents& contents);  ///< whole lines
  /// Appends a frame's line. `time`: s, as text; `cells`: one a track.
  void (*line)(std::string& out, FrameNumber frame, std::string_view time,
               std::span<const WideCell> cells);
};

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

  void accept(const FramePtr& frame) override;
  void poll() override;
  void finish() override;

 private:
  bool holdsAnything() const;
  void addLine(const std::string& line);
  void writeLines();

  size_t camera_;
  const WideLayout layout_;
  WideContents contents_;
  RowFile file_, rows_;
  uint64_t spooled_ = 0;  ///< bytes handed to rows_
  FrameNumber newest_;    ///< the latest frame of a row so far
  std::vector<LateRow> late_;
};

}  // namespace glint
