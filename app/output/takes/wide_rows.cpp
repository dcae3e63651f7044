#include "app/output/takes/wide_rows.h"

#include <algorithm>

#include "config/printable.h"

namespace glint::output {

bool readPlace(const LineReader& lines, const std::vector<std::string>& fields, size_t first,
               double mmPerUnit, Eigen::Vector3d& at) {
  int known = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    if (first + axis >= fields.size()) lines.refuse("only {}", counted(fields.size(), "field"));
    const auto value = lines.number(fields[first + axis]);
    if (!value) continue;
    at[static_cast<Eigen::Index>(axis)] = *value * mmPerUnit;
    ++known;
  }
  if (known == 1 || known == 2)
    lines.refuse("fields {} to {} hold only {} of three coordinates", first + 1, first + 3, known);
  return known == 3;
}

WideRow::WideRow(const TakeSurvey& survey)
    : columns_(survey.info.markers),
      bodies_(survey.info.bodies),
      points_(survey.info.markers.size()),
      poses_(bodies_.size()) {}

void WideRow::set(const TakeFrame& frame) {
  std::ranges::fill(points_, nullptr);
  std::ranges::fill(poses_, nullptr);
  columns_.assign(frame, [&](const motion::SpaceRow& row, size_t index) {
    if (index < points_.size()) points_[index] = &row;
  });
  for (const motion::PoseRow& row : frame.poses) {
    const auto found = std::ranges::find(bodies_, row.body);
    if (found != bodies_.end()) poses_[static_cast<size_t>(found - bodies_.begin())] = &row;
  }
}

double timeOf(const LineReader& lines, const std::string& field) {
  const auto time = lines.number(field);
  if (!time) lines.refuse("there is no time");
  return *time;
}

void readMarkers(const LineReader& lines, const std::vector<std::string>& fields,
                 const MarkerColumns& columns, RisingFrames& frames, TakeFrame& frame) {
  frame.points.clear();
  frame.poses.clear();
  frame.frame = lines.count(fields[0]);
  frames.check(lines, frame.frame);
  frame.time = timeOf(lines, fields[1]);
  for (size_t i = 0; i < columns.places.size(); ++i) {
    motion::SpaceRow row = rowOf(columns.markers[i], frame);
    if (readPlace(lines, fields, columns.places[i], columns.mmPerUnit, row.at))
      frame.points.push_back(row);
  }
}

}  // namespace glint::output
