#include "app/export/json_lines.h"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

#include "app/export/row_exporter.h"

namespace glint {
namespace {

void appendNumber(std::string& text, std::string_view key, double value, int decimals) {
  if (std::isfinite(value))
    fmt::format_to(std::back_inserter(text), ",\"{}\":{:.{}f}", key, value, decimals);
  else
    fmt::format_to(std::back_inserter(text), ",\"{}\":null", key);
}

struct JsonRows {
  static constexpr std::string_view kHeader = "";
  void operator()(std::string& text, size_t camera, const CameraFrame& frame,
                  const SessionFrame&) const {
    for (const TrackRow& row : frame.settled) {
      text += '{';
      appendFrameJson(text, camera, row.frame, row.time);
      text += ',';
      appendTrackJson(text, row);
      text += "}\n";
    }
  }
};

}  // namespace

void appendFrameJson(std::string& text, size_t camera, uint64_t frame, double time) {
  fmt::format_to(std::back_inserter(text), "\"camera\":{},\"frame\":{}", camera, frame);
  appendNumber(text, "time_s", time, 6);
}

void appendTrackJson(std::string& text, const TrackRow& row) {
  const Observation& seen = row.seen;
  fmt::format_to(std::back_inserter(text), "\"track\":{},\"state\":\"{}\"", row.track,
                 row.state == TrackState::measured ? "measured" : "predicted");
  appendNumber(text, "x", row.x, 4);
  appendNumber(text, "y", row.y, 4);
  appendNumber(text, "vx", row.vx, 3);
  appendNumber(text, "vy", row.vy, 3);
  appendNumber(text, "peak", seen.peak, 0);
  appendNumber(text, "mass", seen.mass, 1);
  appendNumber(text, "radius", seen.radius, 3);
  appendNumber(text, "eccentricity", seen.eccentricity, 3);
  appendNumber(text, "sigma_x", seen.sigmaX, 4);
  appendNumber(text, "sigma_y", seen.sigmaY, 4);
  fmt::format_to(std::back_inserter(text), ",\"flags\":{}", seen.flags);
  if (!std::isfinite(seen.angle)) return;
  appendNumber(text, "angle", seen.angle, 3);
  appendNumber(text, "scale", seen.scale, 4);
}

std::unique_ptr<Exporter> makeJsonLines(const std::string& path) {
  return std::make_unique<RowExporter<JsonRows>>(path);
}

}  // namespace glint
