#include "app/capture/video/coded_frame.h"

#include <algorithm>
#include <array>
#include <span>

namespace glint::capture {
namespace {

constexpr std::array kKnownCodecs{AV_CODEC_ID_H264,       AV_CODEC_ID_HEVC,  AV_CODEC_ID_MPEG1VIDEO,
                                  AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4, AV_CODEC_ID_VP8,
                                  AV_CODEC_ID_VP9,        AV_CODEC_ID_AV1,   AV_CODEC_ID_FFV1,
                                  AV_CODEC_ID_THEORA};

bool hasUnits(AVCodecID codec) {
  return codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC;
}

// Returns the bytes of the length before each unit; 0 if units have start codes. ISO/IEC 14496-15,
// 5.3.3.1 (avcC) and 8.3.3.1 (hvcC): both begin with the version 1, and the lowest two bits of one
// byte are the bytes of a length, less one.
int lengthBytes(const AVCodecParameters& parameters) {
  const std::span extra(parameters.extradata, static_cast<size_t>(parameters.extradata_size));
  const size_t at = parameters.codec_id == AV_CODEC_ID_H264 ? 4 : 21;
  if (!hasUnits(parameters.codec_id) || extra.size() <= at || extra[0] != 1) return 0;
  return (extra[at] & 3) + 1;
}

}  // namespace

CodedFrames::CodedFrames(const AVCodecParameters& parameters)
    : codec_(parameters.codec_id), lengthBytes_(lengthBytes(parameters)) {
  const AVCodecDescriptor* const description = avcodec_descriptor_get(codec_);
  single_ = description && (description->props & AV_CODEC_PROP_INTRA_ONLY) != 0;
  // The fields of a picture may come in separate packets.
  const bool whole =
      parameters.field_order == AV_FIELD_UNKNOWN || parameters.field_order == AV_FIELD_PROGRESSIVE;
  known_ = whole && (single_ || std::ranges::find(kKnownCodecs, codec_) != kKnownCodecs.end());
}

// The other codings do not always give frames: MPEG-4 has packets that stand for a repeated frame,
// VP8, VP9 and AV1 have hidden frames, and MPEG-2 has frames whose packets only follow.
bool CodedFrames::alwaysGiveFrames() const {
  return known_ && (single_ || hasUnits(codec_) || codec_ == AV_CODEC_ID_FFV1);
}

CodedFrames::Facts CodedFrames::factsOf(const AVPacket& packet) const {
  const bool key = (packet.flags & AV_PKT_FLAG_KEY) != 0;
  if (hasUnits(codec_)) return {.entry = holdsEntry(packet)};
  // RFC 6386, 9.1: bit 4 of a frame's first byte is 1 if the frame is shown.
  if (codec_ == AV_CODEC_ID_VP8) return {.entry = key, .shown = (packet.data[0] & 0x10) != 0};
  return {.entry = key || single_};
}

/// Returns true if decoding can begin at the unit with this header. Not every frame that containers
/// call a key frame is such an entry: H.264 also has recovery points, after which pictures become
/// right only gradually.
bool CodedFrames::isEntry(uint8_t header) const {
  if (codec_ == AV_CODEC_ID_H264) return (header & 0x1F) == 5;  // IDR (H.264, table 7-1)
  const int type = header >> 1 & 0x3F;
  return type >= 16 && type <= 21;  // BLA, IDR, CRA (H.265, table 7-1)
}

bool CodedFrames::holdsEntry(const AVPacket& packet) const {
  const std::span data(packet.data, static_cast<size_t>(packet.size));
  if (lengthBytes_ == 0) {
    for (size_t at = 0; at + 3 < data.size(); ++at) {
      if (data[at] == 0 && data[at + 1] == 0 && data[at + 2] == 1 && isEntry(data[at + 3]))
        return true;
    }
    return false;
  }
  const auto step = static_cast<size_t>(lengthBytes_);
  for (size_t at = 0; at + step < data.size();) {
    size_t length = 0;
    for (size_t i = 0; i < step; ++i) length = length << 8 | data[at + i];
    if (isEntry(data[at + step])) return true;
    if (length > data.size() - at - step) return false;
    at += step + length;
  }
  return false;
}

}  // namespace glint::capture
