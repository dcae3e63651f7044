// Frames as they came, for a replay that gives what the live run gave.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/sinks/raw_frames.h"
#include "app/sinks/sink.h"
#include "gpu/frame.h"

namespace glint {

/// Of raw.mkv: itself for one camera; raw_cam0.mkv, raw_cam1.mkv ... of several.
std::vector<std::string> rawFiles(const std::string& path, size_t cameras);

/// Most bytes of frames that wait for the disk.
inline constexpr size_t kMostWaiting = size_t{512} << 20;

/// Writes every frame, lossless (FFV1 in Matroska), a file a camera, with its stamp
/// (RecordedStamp). The file holds the settings that its first frame was measured with, and each
/// later change beside the first frame that it is of: recordedSettings(), recordedChanges(). Frames
/// are copied and encoded on a thread of their own: what a slow disk or processor cannot take is
/// left out, whole sets at a time, counted and said, and holds up nothing. `images`: a camera each.
/// `before`: what was kept until the recording's first frame comes before that; or null. Throws
/// UsageError where `path` does not end in .mkv or an image is smaller than 2 x 2 pixels.
std::unique_ptr<Sink> makeRawRecorder(const std::string& path,
                                      const std::vector<ImageFormat>& images,
                                      std::shared_ptr<const PreRoll> before = nullptr,
                                      size_t mostWaiting = kMostWaiting);

}  // namespace glint
