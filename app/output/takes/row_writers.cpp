// Glint's own formats of takes: points.csv, poses.csv and JSON Lines.
#include <memory>

#include "app/output/sinks/row_file.h"
#include "app/output/tables/table_sink.h"
#include "app/output/tables/tables.h"
#include "app/output/takes/take_formats.h"

namespace glint::output {
namespace {

template <class Row>
void appendRow(std::string& text, std::span<const Column<Row>> columns, const Row& row,
               TextStyle style) {
  const bool json = style == TextStyle::jsonLines;
  if (json) text += '{';
  for (const Column<Row>& column : columns) {
    if (json) {
      appendJson(text, column.name, column.cell(row), column.decimals);
    } else {
      if (&column != &columns.front()) text += ',';
      appendCsv(text, column.cell(row), column.decimals);
    }
  }
  text += json ? "}\n" : "\n";
}

/// Rows of points, or of poses if there is no point, or in JSON Lines both.
class RowsWriter final : public TakeWriter {
 public:
  RowsWriter(const std::string& path, const TakeSurvey& survey, TextStyle style)
      : file_(path),
        style_(style),
        points_(survey.contents.poses == 0 || !survey.info.markers.empty()) {
    if (style_ == TextStyle::jsonLines) return;
    if (points_)
      addHeader(PointsTable::columns());
    else
      addHeader(PosesTable::columns());
  }

  void add(const TakeFrame& frame) override {
    text_.clear();
    const bool all = style_ == TextStyle::jsonLines;
    if (all || points_)
      for (const motion::SpaceRow& row : frame.points)
        appendRow(text_, PointsTable::columns(), row, style_);
    if (all || !points_)
      for (const motion::PoseRow& row : frame.poses)
        appendRow(text_, PosesTable::columns(), row, style_);
    file_.add(text_);
  }

  void finish() override { file_.finish(); }

 private:
  template <class Row>
  void addHeader(std::span<const Column<Row>> columns) {
    std::string text;
    for (const Column<Row>& column : columns) {
      if (!text.empty()) text += ',';
      text += column.name;
    }
    file_.add(text + '\n');
  }

  RowFile file_;
  TextStyle style_;
  bool points_;
  std::string text_;
};

}  // namespace

std::unique_ptr<TakeWriter> writePointsTable(const std::string& path, const TakeSurvey& survey,
                                             UpAxis, double) {
  return std::make_unique<RowsWriter>(path, survey, TextStyle::csv);
}

std::unique_ptr<TakeWriter> writeJsonTake(const std::string& path, const TakeSurvey& survey, UpAxis,
                                          double) {
  return std::make_unique<RowsWriter>(path, survey, TextStyle::jsonLines);
}

}  // namespace glint::output
