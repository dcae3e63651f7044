// Text files with two columns for every track, a line for every frame. Internal to export/.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/exporter.h"
#include "app/export/row_file.h"

namespace glint {

/// What is known of a wide file once its rows are.
struct WideContents {
  std::set<uint64_t> tracks;  ///< in the order of their columns
  uint64_t frames = 0;        ///< that the camera gave, with markers or without
  double firstTime = 0;       ///< s
  double lastTime = 0;        ///< s
};

/// Where a track was, as text; both empty where it was not measured.
struct WideCell {
  std::string_view x, y;
};

/// How a program writes such a file.
class WideLayout {
 public:
  virtual ~WideLayout() = default;
  virtual std::string name() const = 0;
  /// Whole lines.
  virtual std::string header(const WideContents& contents) const = 0;
  /// Appends a frame's line. `time`: s, as text; `cells`: one a track.
  virtual void line(std::string& out, uint64_t frame, std::string_view time,
                    std::span<const WideCell> cells) const = 0;
  /// Whether frames without a marker have a line, too.
  virtual bool everyFrame() const = 0;
};

/// A row on disk that comes after one of a later frame.
struct LateRow {
  uint64_t frame = 0;
  uint64_t at = 0;  ///< bytes from the beginning of the file
};

/// The columns of a wide file are known only when its last row is. Until then its rows wait on disk
/// in `path`.rows, a CSV file of the columns frame,time_s,track,x,y (the last three empty in the
/// line that says when a frame was), which is removed when `path` is complete, and otherwise keeps
/// what was measured. Memory holds the ids of the tracks, one line, and of rows that came late
/// where they are, whatever the length.
class WideFile : public Exporter {
 public:
  /// Throws UsageError if `path` is a device or a pipe, which has no place beside it.
  WideFile(const std::string& path, size_t camera, std::unique_ptr<WideLayout> layout);

  void write(const SessionFrame& frame) override;
  void poll() override;
  void finish() override;

 private:
  bool holdsAnything() const;
  void addLine(const std::string& line);
  void writeLines();

  size_t camera_;
  std::unique_ptr<WideLayout> layout_;
  WideContents contents_;
  RowFile file_, rows_;
  uint64_t spooled_ = 0;  ///< bytes handed to rows_
  uint64_t newest_ = 0;   ///< the latest frame of a row so far
  std::vector<LateRow> late_;
};

}  // namespace glint
