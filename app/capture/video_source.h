// Video files and network streams, decoded by libav.
#pragma once

#include <memory>
#include <string>

#include "app/capture/source.h"

namespace glint {

/// Whether `spec` is the address of a network stream: rtsp://, udp://, http:// and the like.
bool isUrl(const std::string& spec);

/// Opens the first proper video stream (no cover picture) of a file or of a stream URL; its first
/// frame is decoded at once, because only that frame tells the format for sure.
///
/// Pixels: see FrameConverter. Rotation and aspect ratio written beside the stream are ignored:
/// frames have the sensor's own geometry.
/// Times: the presentation time of each frame relative to the first frame; where a frame has none,
/// frame / mean rate (25 frames a second if the stream states no rate either).
/// frameCount(): exact for MP4/MOV; AVI counts repeated frames too; from duration and mean rate for
/// Matroska and WebM, so approximate if the rate varies; unknown otherwise.
///
/// Files: frames after the first damaged packet are not delivered, because with most codecs they
/// build on it. read() gives all frames before it and then throws Error. Damage is what the decoder
/// refuses, patches up or complains of, bytes that the container had to skip, and, told at the end,
/// pictures that never came of their packets. What comes before the first key frame is skipped: a
/// recording may begin in the middle of a group of pictures.
/// It throws Error, too, for a file that ends before its container says (MP4/MOV and Matroska: by
/// more than two frames) or in a way in which its container does not end: see container_end.h.
/// Streams: damage is skipped, and read() throws Error after 10 s without data. Those whose address
/// begins with rtsp, rtp, srtp, udp, srt or rtmp, what an SDP file (.sdp) tells of, and JPEGs over
/// HTTP, are live: see openStream(); `colour` is for them.
/// Seeks, in files: the first one reads the whole file, without decoding, to learn where each frame
/// is; where the container does not tell for sure, seeks decode from the start. Frames behind
/// damage are as those of the whole file, or Error is thrown.
///
/// Throws Error: no such file, no video, no video stream, no frame, no decoder, an MP4 without its
/// index; later, a frame of another size.
std::unique_ptr<Source> openVideo(const std::string& spec, const Interrupt* interrupt = nullptr,
                                  bool colour = false);

}  // namespace glint
