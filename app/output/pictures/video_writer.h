// Frames into a video file.
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

struct VideoOptions {
  /// H.264: constant rate factor, 0 (best) to 51, 18 if empty. MJPEG: quantiser, 1 (best) to 31,
  /// 2 if empty. FFV1 is lossless and takes none.
  std::optional<int> quality;
  /// Made while a run goes on. .mp4: x264's preset `veryfast` rather than `medium`, and in
  /// fragments, so that what was written can be played should the run be killed.
  bool fast = false;
  /// .mkv: FFmpeg's HuffYUV rather than FFV1, for about a sixth of the processor time
  /// (docs/live.md).
  bool quick = false;
  /// A time that does not rise becomes the container's next one, without an Error.
  bool nextTime = false;
  /// Of the file as a whole, by name.
  std::vector<std::pair<std::string, std::string>> tags = {};
};

/// Throws UsageError where the constructor of VideoWriter would, with the same sentence.
void checkVideo(const std::string& path, const gpu::ImageFormat& format,
                const VideoOptions& options = {});

/// Writes one video; the suffix of the path chooses how:
///  - .mp4: H.264, yuv420p, all 256 levels used and flagged so. 8 bits, even width and height.
///  - .avi: MJPEG, yuvj420p. 8 bits. AVI has no times: each is rounded to a multiple of 1 / fps.
///  - .mkv: FFV1, lossless: gray, gray16le, bgr0 (quick: gbrp), gbrp16le. Times to 1 ms.
/// What is killed loses at most the last 200 ms of .mkv.
/// Grey of yuv420p is a grey level with neutral chroma; it is read back as colour.
/// The same frames give the same bytes in .avi and .mkv; libx264 rarely does otherwise (.mp4). Used
/// by one thread.
class VideoWriter {
 public:
  /// Claims the file (see FileClaim), and creates or replaces it. `fps`, in frames a second, is the
  /// rate that the file states and how long its last frame lasts. Throws UsageError for another
  /// suffix, a format that the codec cannot hold or a quality out of range, Error if the file
  /// cannot be created.
  VideoWriter(const std::string& path, const gpu::ImageFormat& format, double fps,
              const VideoOptions& options = {});

  /// Into a file that is claimed already.
  VideoWriter(std::shared_ptr<FileClaim> file, const gpu::ImageFormat& format, double fps,
              const VideoOptions& options = {});

  /// Finishes the file if finish() was not called; errors are lost.
  ~VideoWriter();
  VideoWriter(const VideoWriter&) = delete;
  VideoWriter& operator=(const VideoWriter&) = delete;

  /// Appends a frame of the format given to the constructor. `time` is in s and must rise from
  /// frame to frame by at least the container's tick; the first frame is the file's time 0. Throws
  /// Error when it does not rise or the file cannot be written (a full disk). `beside`: what the
  /// file keeps with the frame (.mkv: a BlockAdditional of id 1), and behind it the seal of its
  /// coded bytes (recorded_stamp.h).
  void write(const gpu::ImageView& image, double time, std::span<const std::byte> beside = {});

  /// Writes what is still held back, the index, and closes the file. Throws Error like write();
  /// after an Error the file is closed as it is; and where the file was removed or moved meanwhile.
  /// Does nothing the second time.
  void finish();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace glint::output
