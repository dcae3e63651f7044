#include "app/sinks/other_programs.h"

#include <cmath>
#include <numbers>

#include "app/sinks/row_sink.h"
#include "app/sinks/wide_file.h"

namespace glint {
namespace {

/// For RowSink: the measured rows of one camera.
template <class Line>
struct MeasuredRows {
  size_t camera;
  Line line{};
  bool provisional = false;

  std::string header(const Frame* first) {
    provisional = first && first->provisional();
    return line.header(provisional);
  }
  void operator()(std::string& text, size_t from, const Frame& frame) {
    if (from != camera) return;
    for (const TrackRow& row : frame.cameras[camera].finalised)
      if (row.state == TrackState::measured) line.append(text, row, provisional);
  }
};

/// What trackpy means by its columns is said at trackpy.locate: size is the radius of gyration,
/// which of a uniform disc is its radius / sqrt(2); signal the brightest pixel; ep the standard
/// deviation of a coordinate; raw_mass, empty here, includes the background.
struct TrackpyLine {
  static std::string header(bool provisional) {
    return fmt::format("y,x,mass,size,ecc,signal,raw_mass,ep,frame,particle{}\n",
                       provisional ? ",provisional" : "");
  }
  static void append(std::string& out, const TrackRow& row, bool provisional) {
    const Observation& seen = row.seen;
    put(out, "{:.4f},{:.4f},{:.1f},{:.4f},{:.3f},{:.0f},,{:.4f},{},{}{}\n", row.y, row.x, seen.mass,
        seen.radius / std::numbers::sqrt2, seen.eccentricity, seen.peak,
        std::hypot(seen.sigmaX, seen.sigmaY) / std::numbers::sqrt2, row.frame, row.track,
        provisional ? ",1" : "");
  }
};

/// The lines that TrackMate 7 writes, up to its features of intensity.
struct TrackMateLine {
  static std::string header(bool) {
    return "LABEL,ID,TRACK_ID,QUALITY,POSITION_X,POSITION_Y,POSITION_Z,POSITION_T,FRAME,RADIUS,"
           "VISIBILITY,MANUAL_SPOT_COLOR\n"
           "Label,Spot ID,Track ID,Quality,X,Y,Z,T,Frame,Radius,Visibility,Manual spot color\n"
           "Label,Spot ID,Track ID,Quality,X,Y,Z,T,Frame,R,Visibility,Spot color\n"
           ",,,(quality),(pixel),(pixel),(pixel),(sec),,(pixel),,\n";
  }
  void append(std::string& out, const TrackRow& row, bool provisional) {
    put(out, "{8}ID{0},{0},{1},{2:.0f},{3:.4f},{4:.4f},0,{5:.6f},{6},{7:.3f},1,\n", spot++,
        row.track, row.seen.peak, row.x, row.y, row.time, row.frame, row.seen.radius,
        provisional ? "~" : "");
  }
  uint64_t spot = 0;
};

/// As Kinovea's ExporterCSV writes it (RFC 4180): every field in quotes, empty ones bare. The point
/// of a trajectory is called 0 there.
std::string kinoveaHeader(const WideContents& contents) {
  std::string text = "\"Time\"";
  for (const TrackId track : contents.tracks)
    put(text, ",\"Track {0}{1}/0/X\",\"Track {0}{1}/0/Y\"", contents.mark(), track);
  return text + "\r\n";
}

void kinoveaLine(std::string& out, FrameNumber, std::string_view time,
                 std::span<const WideCell> cells) {
  put(out, "\"{}\"", time);
  for (const WideCell& cell : cells) {
    if (cell.x.empty())
      out.append(",,");
    else
      put(out, ",\"{}\",\"{}\"", cell.x, cell.y);
  }
  out.append("\r\n");
}

/// Names and values as docs.qualisys.com describes a "motion data (.tsv)" file, without what is not
/// known here (the date of the recording).
std::string qtmHeader(const WideContents& contents) {
  std::string names, headings;
  for (const TrackId track : contents.tracks) {
    put(names, "\t{}Track{}", contents.mark(), track);
    put(headings, "\t{0}Track{1} X\t{0}Track{1} Y", contents.mark(), track);
  }
  const double seconds = contents.lastTime - contents.firstTime;
  const double rate = seconds > 0 ? static_cast<double>(contents.frames - 1) / seconds : 0;
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
      contents.frames, contents.tracks.size(), rate, names, headings);
}

/// Frames count from 1 there.
void qtmLine(std::string& out, FrameNumber frame, std::string_view time,
             std::span<const WideCell> cells) {
  put(out, "{}\t{}", frame + 1, time);
  for (const WideCell& cell : cells) {
    if (cell.x.empty())
      out.append("\tNaN\tNaN");
    else
      put(out, "\t{}\t{}", cell.x, cell.y);
  }
  out.append("\r\n");
}

}  // namespace

std::unique_ptr<Sink> makeTrackpyCsv(const std::string& path, size_t camera) {
  using Rows = MeasuredRows<TrackpyLine>;
  return std::make_unique<RowSink<Rows>>(path, Rows{camera});
}

std::unique_ptr<Sink> makeTrackMateCsv(const std::string& path, size_t camera) {
  using Rows = MeasuredRows<TrackMateLine>;
  return std::make_unique<RowSink<Rows>>(path, Rows{camera});
}

std::unique_ptr<Sink> makeKinoveaCsv(const std::string& path, size_t camera) {
  return std::make_unique<WideFile>(path, camera,
                                    WideLayout{"kinovea", false, kinoveaHeader, kinoveaLine});
}

std::unique_ptr<Sink> makeQtmTsv(const std::string& path, size_t camera) {
  return std::make_unique<WideFile>(path, camera, WideLayout{"qtm", true, qtmHeader, qtmLine});
}

}  // namespace glint
