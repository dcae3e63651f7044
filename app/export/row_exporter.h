// Text files that grow by rows with every frame. Internal to export/.
#pragma once

#include <string>
#include <utility>

#include "app/export/exporter.h"
#include "app/export/row_file.h"

namespace glint {

/// `Rows` has kHeader, whole lines or none, and for every camera of a frame appends its rows:
/// rows(std::string& text, size_t camera, const CameraFrame&, const SessionFrame&).
template <class Rows>
class RowExporter : public Exporter {
 public:
  explicit RowExporter(const std::string& path, Rows rows = {})
      : file_(path), rows_(std::move(rows)) {
    file_.add(Rows::kHeader);
  }

  void write(const SessionFrame& frame) override {
    text_.clear();
    for (size_t camera = 0; camera < frame.cameras.size(); ++camera)
      rows_(text_, camera, frame.cameras[camera], frame);
    file_.add(text_);
  }

  void poll() override { file_.poll(); }
  void finish() override { file_.finish(); }

 private:
  RowFile file_;
  Rows rows_;
  std::string text_;
};

}  // namespace glint
