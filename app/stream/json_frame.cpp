#include "app/stream/json_frame.h"

#include <fmt/format.h>

#include "app/export/json_lines.h"

namespace glint {
namespace {

constexpr std::string_view kEnd = "]}\n";

std::string lineHead(const LiveFrame& frame, const LiveCamera& camera) {
  std::string head = "{";
  appendFrameJson(head, camera.camera, camera.stamp.sequence, camera.stamp.time);
  if (camera.age > 0) head += fmt::format(",\"age_ms\":{:.3f}", 1e3 * camera.age);
  head += fmt::format(",\"epoch\":{},\"pass\":{},\"count\":{},\"markers\":[", frame.epoch,
                      frame.pass, camera.tracks.size());
  return head;
}

}  // namespace

std::vector<std::string> jsonLines(const LiveFrame& frame, size_t limit) {
  std::vector<std::string> lines;
  std::string marker;
  for (const LiveCamera& camera : frame.cameras) {
    const std::string head = lineHead(frame, camera);
    std::string line = head;
    for (const TrackRow& row : camera.tracks) {
      marker.assign(1, '{');
      appendTrackJson(marker, row);
      marker += '}';
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
