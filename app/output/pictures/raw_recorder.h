// Records frames as they came, so that a replay gives the same results as the live run.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/output/pictures/raw_frames.h"

namespace glint::output {

/// Returns the files of a raw recording: raw.mkv itself for one camera, and raw_cam0.mkv,
/// raw_cam1.mkv and so on for several.
std::vector<std::string> rawFiles(const std::string& path, size_t cameras);

/// Throws UsageError if `path` does not end in .mkv, or an image is smaller than 2 x 2 pixels.
/// `images` has one format for each camera.
void checkRaw(const std::string& path, const std::vector<gpu::ImageFormat>& images);

/// The most bytes of frames that may wait for the disk.
inline constexpr size_t kMostWaiting = size_t{512} << 20;

/// Writes every frame without loss (HuffYUV in Matroska), with its stamp (RecordedStamp) and the
/// settings in force. The settings of the first frame become the file's tag. Each later change is
/// written with the first frame that was measured with it (capture::toBytes()).
/// Frames are copied, and encoded on one thread for each camera. If the disk or the processor is
/// too slow, whole sets are left out, counted and reported, and nothing else is delayed. Sets are
/// numbered as in the session; in live sessions, from the first set that is kept. So sets that had
/// no frame, or were left out, are also missing in a replay. `before` holds frames to be written
/// before the recording's first frame; or null.
std::unique_ptr<Sink> makeRawRecorder(const std::string& path, size_t cameras,
                                      std::shared_ptr<const PreRoll> before = nullptr,
                                      size_t mostWaiting = kMostWaiting);

/// Writes all of these frames, which are in memory already, and waits. Throws Error.
void saveRaw(const std::string& path, size_t cameras, std::vector<RawSet> sets);

}  // namespace glint::output
