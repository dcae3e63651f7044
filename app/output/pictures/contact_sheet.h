// A sheet of numbered pictures of the same frame, to compare what different settings find in it.
#pragma once

#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "app/motion/frame/frame.h"

namespace glint::output {

/// Collects pictures, and writes them beside each other into one file.
class ContactSheet {
 public:
  /// Throws UsageError if the suffix of `path` is not .png or .jpg.
  explicit ContactSheet(std::string path);

  /// Adds a picture of a frame with its markers. If the frame is narrow, the end of the description
  /// is cut off.
  void add(const motion::Frame& frame, const std::string& description);

  /// Writes the sheet. A single picture has neither number nor description. Several pictures, all
  /// of the same size, are in a grid that is as square as possible, from left to right. Each has
  /// its number, from 1, and its description in a line above it. Throws Error naming the file.
  void write() const;

 private:
  std::string path_;
  std::vector<cv::Mat> pictures_;
  std::vector<std::string> descriptions_;
};

}  // namespace glint::output
