// Text files with a line for every measured row of one camera. Internal to export/.
#pragma once

#include <iterator>
#include <string>

#include <fmt/format.h>

#include "app/export/exporter.h"
#include "app/export/row_file.h"

namespace glint {

/// `Line` has kHeader, whole lines, and appends the line of a row to an output iterator.
template <class Line>
class MeasuredRows : public Exporter {
 public:
  MeasuredRows(const std::string& path, size_t camera) : file_(path), camera_(camera) {
    file_.add(Line::kHeader);
  }

  void write(const SessionFrame& frame) override {
    text_.clear();
    for (const TrackRow& row : frame.cameras[camera_].settled) {
      if (row.state == TrackState::measured) line_(std::back_inserter(text_), row);
    }
    file_.add(std::string_view(text_.data(), text_.size()));
  }

  void poll() override { file_.poll(); }
  void finish() override { file_.flush(); }

 private:
  RowFile file_;
  size_t camera_;
  Line line_;
  fmt::memory_buffer text_;
};

}  // namespace glint
