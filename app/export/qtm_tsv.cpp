#include <fmt/format.h>

#include "app/export/track_files.h"
#include "app/export/wide_file.h"

namespace glint {
namespace {

/// Names and values as docs.qualisys.com describes a "motion data (.tsv)" file, without what is not
/// known here (the date of the recording).
class QtmLayout : public WideLayout {
 public:
  std::string name() const override { return "qtm"; }
  bool everyFrame() const override { return true; }

  std::string header(const WideContents& contents) const override {
    std::string names, headings;
    for (const uint64_t track : contents.tracks) {
      names += fmt::format("\tTrack{}", track);
      headings += fmt::format("\tTrack{0} X\tTrack{0} Y", track);
    }
    return fmt::format(
        "NO_OF_FRAMES\t{}\r\n"
        "NO_OF_CAMERAS\t1\r\n"
        "NO_OF_MARKERS\t{}\r\n"
        "FREQUENCY\t{:.6g}\r\n"
        "NO_OF_ANALOG\t0\r\n"
        "ANALOG_FREQUENCY\t0\r\n"
        "DESCRIPTION\t--\r\n"
        "TIME_STAMP\t--\r\n"
        "DATA_INCLUDED\t2D\r\n"
        "MARKER_NAMES{}\r\n"
        "Frame\tTime{}\r\n",
        contents.frames, contents.tracks.size(), meanRate(contents), names, headings);
  }

  /// Frames count from 1 there.
  void line(std::string& out, uint64_t frame, std::string_view time,
            std::span<const WideCell> cells) const override {
    auto end = std::back_inserter(out);
    fmt::format_to(end, "{}\t{}", frame + 1, time);
    for (const WideCell& cell : cells) {
      if (cell.x.empty())
        out.append("\tNaN\tNaN");
      else
        fmt::format_to(end, "\t{}\t{}", cell.x, cell.y);
    }
    out.append("\r\n");
  }

 private:
  /// Frames a second, 0 if there are too few to tell.
  static double meanRate(const WideContents& contents) {
    const double seconds = contents.lastTime - contents.firstTime;
    return seconds > 0 ? static_cast<double>(contents.frames - 1) / seconds : 0;
  }
};

}  // namespace

std::unique_ptr<Exporter> makeQtmTsv(const std::string& path, size_t camera) {
  return std::make_unique<WideFile>(path, camera, std::make_unique<QtmLayout>());
}

}  // namespace glint
