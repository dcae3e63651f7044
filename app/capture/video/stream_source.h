// Opens network streams: cameras that send to an address.
#pragma once

#include <memory>
#include <string>

#include "app/capture/source/source.h"
#include "app/capture/video/video_decoder.h"

namespace glint::capture {

/// Opens a network stream. The source reads frames as they are sent, even if its user does not keep
/// up. Frames in YUV of 8 to 16 bits become grey, by their luma, unless `colour` is true; other
/// frames become what FrameConverter makes of them.
///
/// Times are those of the stream, converted to the host's clock: see ClockMap. If the stream has no
/// times (JPEG over HTTP) they are the times of arrival. Frames that libav reads ahead while it
/// opens a stream are old, and are left out.
///
/// Damaged frames and frames of another size are left out and counted. A stream that says nothing
/// for two seconds, or ends, is `lost`, and asked for again until it is back. `opened`: the stream,
/// already open, with a frame; null: opens it. Throws Error as openVideo() does, Interrupted.
std::unique_ptr<Source> openStream(const Address& address, const Interrupt* interrupt,
                                   bool colour = false,
                                   std::unique_ptr<VideoDecoder> opened = nullptr);

}  // namespace glint::capture
