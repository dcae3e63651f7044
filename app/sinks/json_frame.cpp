#include "app/sinks/json_frame.h"

#include <fmt/format.h>

#include "app/sinks/tables.h"

namespace glint {
namespace {

constexpr std::string_view kEnd = "]}\n";

std::string lineHead(const Frame& frame, size_t camera) {
  const CameraFrame& seen = frame.cameras[camera];
  const FrameStamp& stamp = *seen.measured.stamp;
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

std::string markerOf(const TrackRow& row, size_t camera, const EditedTracks* edits) {
  std::string text = "{";
  for (const auto& column : TracksTable::own())
    appendJson(text, column.name, column.cell({.camera = camera, .track = row, .edits = edits}),
               column.decimals);
  return text + '}';
}

}  // namespace

std::vector<std::string> jsonLines(const Frame& frame, size_t limit) {
  std::vector<std::string> lines;
  for (size_t camera = 0; camera < frame.cameras.size(); ++camera) {
    if (!frame.cameras[camera].measured.stamp) continue;
    const std::string head = lineHead(frame, camera);
    std::string line = head;
    for (const TrackRow& row : frame.cameras[camera].tracks) {
      const std::string marker = markerOf(row, camera, editsOf(frame));
      if (line.size() > head.size()) {
        if (line.size() + 1 + marker.size() + kEnd.size() > limit) {
          lines.push_back(line.append(kEnd));
          line = head;
        } else {
          line += ',';
        }
      }
      line += marker;
    }
    lines.push_back(line.append(kEnd));
  }
  return lines;
}

}  // namespace glint
