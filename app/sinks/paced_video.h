// A video whose rate its first two frames tell. Internal to sinks/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/sinks/file_claim.h"
#include "app/sinks/video_writer.h"

namespace glint {

/// Claims the file, and makes it with the second frame, or at the end: without a frame there is
/// none. The format is the first frame's.
class PacedVideo {
 public:
  PacedVideo(const std::string& path, VideoOptions options)
      : path_(path), options_(std::move(options)), claim_(path) {}

  /// Of use before the first frame.
  VideoOptions& options() { return options_; }
  bool begun() const { return first_ || video_; }

  /// See VideoWriter::write().
  void write(const ImageView& image, double time, std::vector<std::byte> beside = {});
  void finish();

 private:
  struct First {
    ImageFormat format;
    std::vector<std::byte> pixels, beside;
    double time;  ///< s
  };
  void open(double rate);

  std::string path_;
  VideoOptions options_;
  FileClaim claim_;
  std::optional<First> first_;  ///< until the second comes
  std::optional<VideoWriter> video_;
};

}  // namespace glint
