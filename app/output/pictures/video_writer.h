// Writes frames into a video file.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/frame.h"

namespace glint::output {

class FileClaim;

/// The choices for the encoding of a video.
struct VideoOptions {
  /// Quality. H.264: constant rate factor, 0 (best) to 51, 18 if empty. MJPEG: quantiser, 1 (best)
  /// to 31, 2 if empty. FFV1 is lossless and takes none.
  std::optional<int> quality;
  /// True if the video is made while a run continues. For .mp4, takes x264's preset `veryfast`
  /// instead of `medium`, and writes fragments, so that the video can be played if the run is
  /// killed.
  bool fast = false;
  /// For .mkv, takes FFmpeg's HuffYUV instead of FFV1, for about a sixth of the processor time
  /// (docs/live.md).
  bool quick = false;
  /// True if a time that does not rise becomes the container's next one instead of an Error.
  bool nextTime = false;
  /// Tags of the file as a whole, by name.
  std::vector<std::pair<std::string, std::string>> tags = {};
};

/// Throws UsageError if the constructor of VideoWriter would throw it, with the same sentence.
void checkVideo(const std::string& path, const gpu::ImageFormat& format,
                const VideoOptions& options = {});

/// A writer of one video. The suffix of the path chooses the encoding:
///  - .mp4: H.264, yuv420p, all 256 levels used and flagged so. 8 bits, even width and height.
///  - .avi: MJPEG, yuvj420p. 8 bits. AVI has no times: each is rounded to a multiple of 1 / fps.
///  - .mkv: FFV1, lossless: gray, gray16le, bgr0 (quick: gbrp), gbrp16le. Times to 1 ms.
/// If the program is killed, an .mkv loses at most its last 200 ms.
/// Grey in yuv420p is a grey level with neutral chroma; it is read back as colour.
/// Writing equal frames twice gives equal files for .avi and .mkv. For .mp4, libx264 writes other
/// bytes in rare cases. Used by one thread.
class VideoWriter {
 public:
  /// Claims the file (see FileClaim), and creates or replaces it. `fps`, in frames a second, is the
  /// rate that the file states and how long its last frame lasts. Throws UsageError for another
  /// suffix, a format that the codec cannot hold or a quality out of range, Error if the file
  /// cannot be created.
  VideoWriter(const std::string& path, const gpu::ImageFormat& format, double fps,
              const VideoOptions& options = {});

  /// Writes into a file that is claimed already.
  VideoWriter(std::shared_ptr<FileClaim> file, const gpu::ImageFormat& format, double fps,
              const VideoOptions& options = {});

  /// Finishes the file if finish() was not called; errors are lost.
  ~VideoWriter();
  VideoWriter(const VideoWriter&) = delete;
  VideoWriter& operator=(const VideoWriter&) = delete;

  /// Appends a frame of the format given to the constructor. `time` is in s, and must rise from
  /// frame to frame by at least the container's tick. The first frame is the file's time 0. Throws
  /// Error if the time does not rise, or if the file cannot be written (a full disk). `beside` is
  /// data that the file keeps with the frame (.mkv: a BlockAdditional of id 1), followed by the
  /// seal of the frame's coded bytes (recorded_stamp.h).
  void write(const gpu::ImageView& image, double time, std::span<const std::byte> beside = {});

  /// Writes the remaining data and the index, and closes the file. Throws Error like write(), and
  /// if the file was removed or moved meanwhile. After an Error, the file is closed as it is. Does
  /// nothing the second time.
  void finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace glint::output
