// Frames that wait to be drawn until their tracks are final.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include <opencv2/core.hpp>

#include "app/motion/frame/final_sets.h"
#include "app/motion/frame/frame.h"

namespace glint::output {

/// A frame to be drawn. Its tracks are the rows that became final, and it has no
/// CameraFrame::pixels.
struct DrawnFrame {
  std::shared_ptr<motion::Frame> frame;
  /// A copy of each camera's image, in the source's depth and channels. Empty if there is none.
  std::vector<cv::Mat> images;
};

/// Holds frames back until no row of theirs can change, so that pictures show the same tracks as
/// tracks.csv. With usual settings that takes 20 frames (motion::framesUntilFinal()). The images
/// are copied, because the session needs its own memory again.
class FinalFrames {
 public:
  /// Maximum size of the images that wait, bytes. If more are needed, the oldest frame is drawn
  /// with the rows that are final by then.
  static constexpr size_t kMostBytes = size_t{1} << 30;

  /// `draw` receives each frame that has an image, in order. After it has thrown, it receives only
  /// frames that come later.
  explicit FinalFrames(std::function<void(const DrawnFrame&)> draw, size_t mostBytes = kMostBytes)
      : draw_(std::move(draw)), mostBytes_(mostBytes) {}

  /// Takes the next frame of a session, and draws those that have become final.
  void accept(const motion::Frame& frame);
  /// Draws the frames that still wait. Nothing may follow.
  void finish();

 private:
  void keep(const motion::Frame& frame);
  void takeRows(const motion::Frame& frame);
  void drawFirst();

  std::function<void(const DrawnFrame&)> draw_;
  size_t mostBytes_, bytes_ = 0;  // bytes_: size of the images in held_
  std::deque<DrawnFrame> held_;   // by set
  motion::FinalSets final_;
};

}  // namespace glint::output
