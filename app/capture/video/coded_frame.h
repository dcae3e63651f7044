// What a packet says of its frame without being decoded. Internal to capture/.
#pragma once

#include "app/capture/video/libav.h"

namespace glint::capture {

/// Packets of one coding.
class CodedFrames {
 public:
  explicit CodedFrames(const AVCodecParameters& parameters);

  /// Whether a packet of this coding is one frame and its entries are known: codings of single
  /// images, H.264 and H.265 without fields, MPEG-1, 2 and 4, VP8, VP9, AV1, FFV1 and Theora.
  bool areKnown() const { return known_; }

  /// Whether each packet of a whole file gives a frame, whatever it holds.
  bool alwaysGiveFrames() const;

  struct Facts {
    bool entry = false;  ///< what is shown from here on can be decoded from here on
    bool shown = true;   ///< gives a frame
  };
  Facts factsOf(const AVPacket& packet) const;

 private:
  bool holdsEntry(const AVPacket& packet) const;
  bool isEntry(uint8_t unitHeader) const;

  AVCodecID codec_;
  bool known_ = false;
  bool single_ = false;  ///< every frame stands alone
  int lengthBytes_ = 0;  ///< of a unit's length before it (H.264, H.265); 0: start codes
};

}  // namespace glint::capture
