// Frames as they came, for a replay that gives what the live run gave.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/export/exporter.h"
#include "app/export/raw_frames.h"
#include "gpu/frame.h"

namespace glint {

/// Of raw.mkv: itself for one camera; raw_cam0.mkv, raw_cam1.mkv ... of several.
std::vector<std::string> rawFiles(const std::string& path, size_t cameras);

/// Most bytes of frames that wait for the disk, and how many do: that, or as many MiB as the
/// environment variable GLINT_RECORD_MEMORY says.
inline constexpr size_t kMostWaiting = size_t{512} << 20;
size_t mostWaitingRaw();

/// Writes every frame, lossless (FFV1 in Matroska), a file a camera, with its stamp (RecordedStamp)
/// and the settings. Frames are copied and encoded on a thread of their own: what a slow disk or
/// processor cannot take is left out, whole sets at a time, counted and said, and holds up nothing.
/// `images`: a camera each. `before`: what was kept until the recording's first frame comes before
/// that; or null. Throws UsageError where `path` does not end in .mkv or an image is
/// smaller than 2 x 2 pixels.
std::unique_ptr<Exporter> makeRawRecorder(const std::string& path,
                                          const std::vector<ImageFormat>& images,
                                          const std::string& settings,
                                          std::shared_ptr<const PreRoll> before = nullptr,
                                          size_t mostWaiting = mostWaitingRaw());

}  // namespace glint
