// A table as a text file to which every frame adds rows. Internal to sinks/.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "app/output/sinks/row_file.h"
#include "app/output/sinks/sink.h"
#include "app/output/tables/table.h"

namespace glint::output {

enum class TextStyle { csv, jsonLines };

/// A sink that writes the rows of a table into a file. The file's earlier contents are replaced at
/// the first frame, so that a run without a frame leaves them.
template <class Table>
class TableSink : public Sink {
 public:
  /// `table` provides columns() and rows().
  explicit TableSink(const std::string& path, TextStyle style = TextStyle::csv, Table table = {})
      : file_(path), style_(style), table_(std::move(table)) {}

  void accept(const motion::FramePtr& frame) override {
    if (!begun_ && !holdsAnything(*frame)) return;
    text_.clear();
    if (!begun_) begin(frame.get());
    for (size_t camera = 0; camera < frame->cameras.size(); ++camera)
      table_.rows(*frame, camera, [&](const auto& row) { addLine(row); });
    file_.add(text_);
  }

  void poll() override {
    if (begun_) file_.poll();
  }

  void finish() override {
    if (!begun_ && file_.holdsEarlier()) return;
    if (!begun_) {
      begin(nullptr);
      file_.add(text_);
    }
    file_.finish();
  }

 private:
  using Row = typename Table::Row;

  static bool holdsAnything(const motion::Frame& frame) {
    return frame.measured() ||
           std::ranges::any_of(frame.cameras, [](const motion::CameraFrame& camera) {
             return !camera.finalised.empty();
           });
  }

  /// Writes the headings. `first` is the first frame; null if there was none.
  void begin(const motion::Frame* first) {
    begun_ = true;
    // If a row has no value in a column, its object has no such key.
    const bool all = style_ == TextStyle::jsonLines;
    for (const Column<Row>& column : table_.columns())
      if (all || column.use == ColumnUse::always || (first && isUsed(column.use, *first)))
        columns_.push_back(&column);
    if (all) return;
    for (const Column<Row>* column : columns_) {
      separate(column);
      text_ += column->name;
    }
    text_ += '\n';
    if constexpr (requires { Table::headings(true); })
      text_ += Table::headings(first && first->provisional());
  }

  void separate(const Column<Row>* column) {
    if (column != columns_.front()) text_ += ',';
  }

  void addLine(const Row& row) {
    if (style_ == TextStyle::jsonLines) {
      text_ += '{';
      for (const Column<Row>* column : columns_)
        appendJson(text_, column->name, column->cell(row), column->decimals);
      text_ += "}\n";
      return;
    }
    for (const Column<Row>* column : columns_) {
      separate(column);
      appendCsv(text_, column->cell(row), column->decimals);
    }
    text_ += '\n';
  }

  RowFile file_;
  TextStyle style_;
  Table table_;
  std::vector<const Column<Row>*> columns_;  ///< columns of this file
  std::string text_;
  bool begun_ = false;  ///< true once a frame has arrived
};

}  // namespace glint::output
