// Frames as they came, for a replay that gives what the live run gave.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/output/pictures/raw_frames.h"

namespace glint::output {

/// Of raw.mkv: itself for one camera; raw_cam0.mkv, raw_cam1.mkv ... of several.
std::vector<std::string> rawFiles(const std::string& path, size_t cameras);

/// Throws UsageError where `path` does not end in .mkv or an image is smaller than 2 x 2 pixels.
/// `images`: a camera each.
void checkRaw(const std::string& path, const std::vector<gpu::ImageFormat>& images);

/// Most bytes of frames that wait for the disk.
inline constexpr size_t kMostWaiting = size_t{512} << 20;

/// Writes every frame, lossless (HuffYUV in Matroska), with its stamp (RecordedStamp) and the
/// settings in force: those of the first frame as the file's tag, each later change with the first
/// frame that was measured with it (capture::toBytes()). Frames are copied and encoded on a thread
/// a camera: what a slow disk or processor cannot take is left out, whole sets at a time, counted
/// and said, and holds up nothing. Sets are numbered as in the session, live ones from the first
/// that is kept, so that those without a frame, or left out, are missing in a replay, too.
/// `before`: what was kept until the recording's first frame comes before that; or null.
std::unique_ptr<Sink> makeRawRecorder(const std::string& path, size_t cameras,
                                      std::shared_ptr<const PreRoll> before = nullptr,
                                      size_t mostWaiting = kMostWaiting);

/// The same of frames that are in memory already: writes them all, and waits. Throws Error.
void saveRaw(const std::string& path, size_t cameras, std::vector<RawSet> sets);

}  // namespace glint::output
