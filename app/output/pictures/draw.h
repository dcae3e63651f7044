// Frames of a session with their markers and tracks, for pictures and annotated videos.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "app/motion/frame/frame.h"
#include "app/output/pictures/final_frames.h"
#include "app/output/sinks/edited_sink.h"

namespace glint::output {

inline constexpr size_t kTrailFrames = 40;  ///< the number of frames that a trail shows

/// A conversion of pixels of 16 bits to 8 bits. The darkest value seen so far becomes black, and
/// the brightest white, so that a film does not flicker.
class Levels {
 public:
  /// Converts pixels to 8-bit colour, into `color`, which is created again if its size differs.
  void convert(const cv::Mat& pixels, cv::Mat& color);

 private:
  std::optional<std::pair<double, double>> range_;
};

/// A painter of markers with their ids and trails. A whole ring is a measured marker of a track,
/// and a broken one a predicted place. A white ring is a track that is not confirmed yet, and a
/// white square a marker without a track. Trails show the last kTrailFrames frames, with gaps where
/// nothing was measured. Labels never overlap: one that has no room is left out. Provisional ids
/// are dimmed, and written as ~17. An edited track has its name if the font has the letters.
class MarkerPainter {
 public:
  /// Takes the tracks of the next frame. Every frame must be given.
  void follow(const motion::Frame& frame);

  /// Draws the frame of the last follow() in 8-bit colour. All cameras are in a grid that is as
  /// square as possible, from left to right, each in a tile of the largest one's size. A black
  /// column and row are added if a side would be odd. The size stays that of the first frame.
  const cv::Mat& draw(const DrawnFrame& drawn);

 private:
  struct Trail {
    std::deque<motion::TrackRow> rows;
    uint64_t last = 0;  ///< number of the frame of its last row
    /// Index of the label's last place, where it shall stay.
    size_t labelPlace = 0;
  };
  using Trails = std::map<TrackId, Trail>;

  cv::Scalar colorOf(TrackId track) const;
  std::string labelOf(TrackId track) const;
  void drawTrail(cv::Mat& image, const Trail& trail, double scale) const;
  void drawRing(cv::Mat& image, const motion::TrackRow& row, double scale) const;
  static void drawOthers(cv::Mat& image, const motion::CameraFrame& seen, double scale);
  void drawLabels(cv::Mat& image, Trails& trails, cv::Rect taken, double scale) const;
  void drawCamera(cv::Mat& image, const DrawnFrame& drawn, size_t camera);

  std::vector<Trails> trails_;
  Levels levels_;
  cv::Size tile_;  // px
  cv::Mat sheet_;
  uint64_t count_ = 0;
  bool provisional_ = false;  // ids in the last follow()
  SharedEdits edits_;         // edits in the last follow(); or null
};

}  // namespace glint::output
