// Text files that grow by rows with every frame. Internal to export/.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "app/export/exporter.h"
#include "app/export/row_file.h"

namespace glint {

/// `Rows` has kHeader, whole lines or none, and for every camera of a frame appends its rows:
/// rows(std::string& text, size_t camera, const CameraFrame&, const SessionFrame&). It may have
/// header(const SessionFrame&), which makes the header of the first frame instead.
/// What the file held before goes with the first frame: a run that ends without one leaves it.
template <class Rows>
class RowExporter : public Exporter {
 public:
  explicit RowExporter(const std::string& path, Rows rows = {})
      : file_(path), rows_(std::move(rows)) {}

  void write(const SessionFrame& frame) override {
    if (!begun_ && !holdsAnything(frame)) return;
    text_.clear();
    if (!begun_) begin(frame);
    for (size_t camera = 0; camera < frame.cameras.size(); ++camera)
      rows_(text_, camera, frame.cameras[camera], frame);
    file_.add(text_);
  }

  void poll() override {
    if (begun_) file_.poll();
  }
  void finish() override {
    if (!begun_ && file_.holdsEarlier()) return;
    if (!begun_) file_.add(Rows::kHeader);
    file_.finish();
  }

 private:
  void begin(const SessionFrame& frame) {
    begun_ = true;
    if constexpr (requires { rows_.header(frame); })
      text_ = rows_.header(frame);
    else
      text_ = Rows::kHeader;
  }

  static bool holdsAnything(const SessionFrame& frame) {
    return std::any_of(frame.cameras.begin(), frame.cameras.end(), [](const CameraFrame& camera) {
      return camera.measured.stamp || !camera.settled.empty();
    });
  }

  RowFile file_;
  Rows rows_;
  std::string text_;
  bool begun_ = false;  ///< a frame has come
};

}  // namespace glint
