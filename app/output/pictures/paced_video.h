// A video whose rate follows from its first two frames.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/output/pictures/video_writer.h"
#include "app/output/sinks/file_claim.h"

namespace glint::output {

/// Claims the file, and makes it with the second frame, or at the end. Without a frame it makes
/// none. The format is the first frame's.
class PacedVideo {
 public:
  struct Rates {
    double usual = 25;      ///< frames a second, where times do not say
    double highest = 1000;  ///< that is stated
  };
  PacedVideo(const std::string& path, VideoOptions options, Rates rates = {25, 1000})
      : options_(std::move(options)), rates_(rates), claim_(std::make_shared<FileClaim>(path)) {}

  /// Of use before the first frame.
  VideoOptions& options() { return options_; }
  bool begun() const { return first_ || video_; }

  /// See VideoWriter::write().
  void write(const gpu::ImageView& image, double time, std::vector<std::byte> beside = {});
  void finish();

 private:
  struct First {
    gpu::ImageFormat format;
    std::vector<std::byte> pixels, beside;
    double time;  ///< s
  };
  void open(double rate);

  VideoOptions options_;
  Rates rates_;
  std::shared_ptr<FileClaim> claim_;
  std::optional<First> first_;  ///< until the second comes
  std::optional<VideoWriter> video_;
};

}  // namespace glint::output
