// Frames of a session with what was found in them: for pictures and annotated videos.
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
#include "app/output/sinks/edited_sink.h"

namespace glint::output {

inline constexpr size_t kTrailFrames = 40;

/// How 16-bit pixels become 8-bit ones: the darkest seen so far is black, the brightest white, so
/// that a film does not flicker.
class Levels {
 public:
  /// The pixels as 8-bit colour, into `color`, which is made if it is of another size.
  void convert(const gpu::ImageView& view, cv::Mat& color);

 private:
  std::optional<std::pair<double, double>> range_;
};

/// Draws markers with their ids and trails. Rings are whole where a marker was measured and broken
/// where it is predicted; a white ring is a track that is not confirmed yet, a white square a
/// marker that no track has; trails show the last kTrailFrames frames, with a gap where there was
/// no measurement. Labels never cover each other: one without room is left out.
/// Provisional ids are dimmed, and written as ~17; of an edited track its name is written, where
/// the font has its letters.
class MarkerPainter {
 public:
  /// Takes the tracks of the next frame; every frame must be given.
  void follow(const motion::Frame& frame);

  /// The frame of the last follow(): 8-bit colour, all cameras in a grid as square as can be, from
  /// left to right, each in a tile of the largest one's size; one column and row of black are added
  /// where that makes sides even. The size is that of the first frame from then on.
  const cv::Mat& draw(const motion::Frame& frame);

 private:
  struct Trail {
    std::deque<motion::TrackRow> rows;
    uint64_t last = 0;      ///< the frame of its last row
    size_t labelPlace = 0;  ///< where its label was last, to stay there
  };
  using Trails = std::map<TrackId, Trail>;

  cv::Scalar colorOf(TrackId track) const;
  std::string labelOf(TrackId track) const;
  void drawTrail(cv::Mat& image, const Trail& trail, double scale) const;
  void drawRing(cv::Mat& image, const motion::TrackRow& row, double scale) const;
  static void drawOthers(cv::Mat& image, const motion::CameraFrame& seen, double scale);
  void drawLabels(cv::Mat& image, Trails& trails, cv::Rect taken, double scale) const;
  void drawCamera(cv::Mat& image, const motion::Frame& frame, size_t camera);

  std::vector<Trails> trails_;
  Levels levels_;
  cv::Size tile_;  // px
  cv::Mat sheet_;
  uint64_t count_ = 0;
  bool provisional_ = false;  // ids of the last follow()
  SharedEdits edits_;         // of the last follow(), or null
};

}  // namespace glint::output
