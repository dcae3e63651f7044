// The facts that a video states about itself, and the assumptions about it. Internal to capture/.
#pragma once

#include "app/capture/source/orientation.h"
#include "app/capture/source/source.h"
#include "app/capture/video/demuxer.h"
#include "app/capture/video/libav.h"

namespace glint::capture {

/// Returns how the display matrix of MP4 and MOV, or what other containers have for it, says that
/// the stream's frames are shown; upright for a matrix that does more than turn by quarters and
/// mirror (ISO/IEC 14496-12, 6.2.2).
Orientation orientationOf(const AVStream& stream);

/// Which field of interlaced frames comes first.
enum class FieldOrder { progressive, top, bottom };
/// Returns what the first frame and the stream say.
FieldOrder fieldOrderOf(const AVStream& stream, const AVFrame& first);

/// Returns the facts about the stream that `demuxer` reads, whose first frame is `first`.
SourceSummary summaryOf(const Demuxer& demuxer, const AVFrame& first, AVCodecID codec);

}  // namespace glint::capture
