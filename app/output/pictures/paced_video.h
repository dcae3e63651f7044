// A video whose rate is determined by its first two frames.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/output/pictures/video_writer.h"
#include "app/output/sinks/file_claim.h"

namespace glint::output {

/// A video whose rate is that of its first two frames. The constructor claims the file. The video
/// is created with the second frame, or at the end, and not at all without a frame. Its format is
/// that of the first frame.
class PacedVideo {
 public:
  struct Rates {
    double usual = 25;      ///< frames a second, used if the times do not tell the rate
    double highest = 1000;  ///< the highest rate that the file states
  };
  PacedVideo(const std::string& path, VideoOptions options, Rates rates = {25, 1000})
      : options_(std::move(options)), rates_(rates), claim_(std::make_shared<FileClaim>(path)) {}

  /// Returns the options, which may be changed before the first frame.
  VideoOptions& options() { return options_; }
  /// Returns true once a frame has come.
  bool begun() const { return first_ || video_; }

  /// Adds a frame; see VideoWriter::write().
  void write(const gpu::ImageView& image, double time, std::vector<std::byte> beside = {});
  void finish();

 private:
  /// The first frame, which waits for the second one.
  struct First {
    gpu::ImageFormat format;
    std::vector<std::byte> pixels, beside;
    double time;  ///< s
  };
  void open(double rate);

  VideoOptions options_;
  Rates rates_;
  std::shared_ptr<FileClaim> claim_;
  std::optional<First> first_;  ///< empty once the second frame has come
  std::optional<VideoWriter> video_;
};

}  // namespace glint::output
