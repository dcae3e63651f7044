// Network streams: cameras that send to an address.
#pragma once

#include <memory>
#include <string>

#include "app/capture/source/source.h"
#include "app/capture/video/video_decoder.h"

namespace glint::capture {

/// Reads what is sent as time goes by, whether anybody keeps up or not. Frames of 8 to 16 bits of
/// YUV are delivered as grey, by their luma, unless `colour` is wanted; others as FrameConverter
/// does.
///
/// Times are the stream's, on the host's clock: see ClockMap. Where it has none of its own (JPEG
/// over HTTP) they are the times of arrival. What libav reads ahead while it opens a stream is old
/// and left out.
///
/// Damaged frames and frames of another size are left out and counted. A stream that says nothing
/// for two seconds, or ends, is `lost`, and asked for again until it is back. `opened`: the stream,
/// already open, with a frame; null: opens it. Throws Error as openVideo() does, Interrupted.
std::unique_ptr<Source> openStream(const Address& address, const Interrupt* interrupt,
                                   bool colour = false,
                                   std::unique_ptr<VideoDecoder> opened = nullptr);

}  // namespace glint::capture
