// Text files that grow by rows with every frame. Internal to sinks/.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/sinks/row_file.h"
#include "app/sinks/sink.h"
#include "app/sinks/table.h"

namespace glint {

/// `Rows` has header(const Frame*), whole lines or none (null: no frame came), and for every camera
/// of a frame appends its rows: rows(std::string& text, size_t camera, const Frame&).
/// What the file held before goes with the first frame: a run that ends without one leaves it.
template <class Rows>
class RowSink : public Sink {
 public:
  explicit RowSink(const std::string& path, Rows rows = {}) : file_(path), rows_(std::move(rows)) {}

  void accept(const FramePtr& frame) override {
    if (!begun_ && !holdsAnything(*frame)) return;
    text_.clear();
    if (!std::exchange(begun_, true)) text_ = rows_.header(frame.get());
    for (size_t camera = 0; camera < frame->cameras.size(); ++camera) rows_(text_, camera, *frame);
    file_.add(text_);
  }

  void poll() override {
    if (begun_) file_.poll();
  }
  void finish() override {
    if (!begun_ && file_.holdsEarlier()) return;
    if (!begun_) file_.add(rows_.header(nullptr));
    file_.finish();
  }

 private:
  static bool holdsAnything(const Frame& frame) {
    return std::any_of(frame.cameras.begin(), frame.cameras.end(), [](const CameraFrame& camera) {
      return camera.measured.stamp || !camera.finalised.empty();
    });
  }

  RowFile file_;
  Rows rows_;
  std::string text_;
  bool begun_ = false;  ///< a frame has come
};

/// For RowSink: a table as CSV. `Table` has columns() and each(camera, frame, take), which gives
/// take() every row.
template <class Table>
struct CsvRows {
  Columns<typename Table::Row> present{};
  std::string header(const Frame* first) {
    for (const auto& column : Table::columns())
      if (holds(column.presence, first)) present.push_back(column);
    return csvHeader(present);
  }
  void operator()(std::string& text, size_t camera, const Frame& frame) const {
    Table::each(camera, frame, [&](const auto& row) { appendCsv(text, present, row); });
  }

  static bool holds(Presence presence, const Frame* first) {
    const auto seeks = [](const CameraFrame& camera) { return camera.measured.seeks; };
    return presence == Presence::always ||
           (first && (presence == Presence::provisional
                          ? first->provisional()
                          : std::any_of(first->cameras.begin(), first->cameras.end(), seeks)));
  }
};

/// For RowSink: a table as JSON Lines.
template <class Table>
struct JsonRows {
  std::string header(const Frame*) { return {}; }
  void operator()(std::string& text, size_t camera, const Frame& frame) const {
    Table::each(camera, frame, [&](const auto& row) {
      text += '{';
      appendJson(text, Table::columns(), row);
      text += "}\n";
    });
  }
};

}  // namespace glint
