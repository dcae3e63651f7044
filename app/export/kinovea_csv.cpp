#include <fmt/format.h>

#include "app/export/track_files.h"
#include "app/export/wide_file.h"

namespace glint {
namespace {

/// As Kinovea's ExporterCSV writes it (RFC 4180): every field in quotes, empty ones bare. The point
/// of a trajectory is called 0 there.
class KinoveaLayout : public WideLayout {
 public:
  std::string name() const override { return "kinovea"; }
  bool everyFrame() const override { return false; }

  std::string header(const WideContents& contents) const override {
    std::string text = "\"Time\"";
    for (const uint64_t track : contents.tracks)
      text += fmt::format(",\"Track {0}/0/X\",\"Track {0}/0/Y\"", track);
    return text + "\r\n";
  }

  void line(std::string& out, uint64_t, std::string_view time,
            std::span<const WideCell> cells) const override {
    auto end = std::back_inserter(out);
    fmt::format_to(end, "\"{}\"", time);
    for (const WideCell& cell : cells) {
      if (cell.x.empty())
        out.append(",,");
      else
        fmt::format_to(end, ",\"{}\",\"{}\"", cell.x, cell.y);
    }
    out.append("\r\n");
  }
};

}  // namespace

std::unique_ptr<Exporter> makeKinoveaCsv(const std::string& path, size_t camera) {
  return std::make_unique<WideFile>(path, camera, std::make_unique<KinoveaLayout>());
}

}  // namespace glint
