#include <fmt/format.h>

#include "app/output/streams/frame_encodings.h"
#include "app/output/tables/tables.h"

namespace glint::output {
namespace {

constexpr std::string_view kEnd = "]}\n";

std::string lineHead(const motion::Frame& frame, size_t camera) {
  const motion::CameraFrame& seen = frame.cameras[camera];
  const gpu::FrameStamp& stamp = *seen.measured.stamp;
  std::string head = "{";
  appendJson(head, "camera", uint64_t{camera}, 0);
  appendJson(head, "frame", FrameNumber(stamp.sequence).value(), 0);
  appendJson(head, "time_s", stamp.time, 6);
  const double age = stamp.captured > 0 ? frame.tracked - stamp.captured : 0;
  if (age > 0) appendJson(head, "age_ms", 1e3 * age, 3);
  appendJson(head, "epoch", frame.epoch.value(), 0);
  appendJson(head, "pass", frame.pass.value(), 0);
  if (frame.provisional()) appendJson(head, "provisional", true, 0);
  appendJson(head, "count", uint64_t{seen.tracks.size()}, 0);
  return head + ",\"markers\":[";
}

/// Returns the beginning of a line about the whole set. `list` is the name of its list, such as
/// "points".
std::string setHead(const motion::Frame& frame, const motion::SpaceFrame& space, size_t count,
                    std::string_view list) {
  std::string head = "{";
  appendJson(head, "frame", frame.set.value(), 0);
  appendJson(head, "time_s", space.time, 6);
  appendJson(head, "epoch", frame.epoch.value(), 0);
  appendJson(head, "pass", frame.pass.value(), 0);
  appendJson(head, "count", uint64_t{count}, 0);
  return fmt::format("{},\"{}\":[", head, list);
}

std::string markerOf(const motion::TrackRow& row, size_t camera, const EditedTracks* edits) {
  std::string text = "{";
  for (const auto& column : TracksTable::own())
    appendJson(text, column.name, column.cell({.camera = camera, .track = row, .edits = edits}),
               column.decimals);
  return text + '}';
}

/// Returns a row of a table of sets as an object, without the columns that the line begins with.
template <class Table>
std::string objectOf(const typename Table::Row& row) {
  std::string text = "{";
  for (const auto& column : Table::columns())
    if (column.name != "frame" && column.name != "time_s")
      appendJson(text, column.name, column.cell(row), column.decimals);
  return text + '}';
}

/// Adds as many lines as the objects need, each with the head.
void addLines(std::vector<std::string>& lines, const std::string& head,
              const std::vector<std::string>& objects, size_t limit) {
  std::string line = head;
  for (const std::string& object : objects) {
    if (line.size() > head.size()) {
      if (line.size() + 1 + object.size() + kEnd.size() > limit) {
        lines.push_back(line.append(kEnd));
        line = head;
      } else {
        line += ',';
      }
    }
    line += object;
  }
  lines.push_back(line.append(kEnd));
}

void addSpace(std::vector<std::string>& lines, const motion::Frame& frame, size_t limit) {
  const auto* space = frame.results.get<motion::SpaceFrame>();
  if (space == nullptr) return;
  std::vector<std::string> points, poses;
  for (const motion::SpaceRow& row : space->now) points.push_back(objectOf<PointsTable>(row));
  for (const motion::PoseRow& row : space->poses) poses.push_back(objectOf<PosesTable>(row));
  if (space->frame) addLines(lines, setHead(frame, *space, points.size(), "points"), points, limit);
  if (!poses.empty()) addLines(lines, setHead(frame, *space, poses.size(), "poses"), poses, limit);
}

}  // namespace

std::vector<std::string> jsonLines(const motion::Frame& frame, size_t limit) {
  std::vector<std::string> lines;
  for (size_t camera = 0; camera < frame.cameras.size(); ++camera) {
    if (!frame.cameras[camera].measured.stamp) continue;
    std::vector<std::string> markers;
    for (const motion::TrackRow& row : frame.cameras[camera].tracks)
      markers.push_back(markerOf(row, camera, editsOf(frame)));
    addLines(lines, lineHead(frame, camera), markers, limit);
  }
  addSpace(lines, frame, limit);
  return lines;
}

}  // namespace glint::output
