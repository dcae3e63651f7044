// Reads facts about a packet's frame without decoding it. Internal to capture/.
#pragma once

#include "app/capture/video/libav.h"

namespace glint::capture {

/// Reads packets of one coding.
class CodedFrames {
 public:
  explicit CodedFrames(const AVCodecParameters& parameters);

  /// Returns true if each packet of this coding is one frame and entries can be recognised: codings
  /// of single images, H.264 and H.265 without fields, MPEG-1, 2 and 4, VP8, VP9, AV1, FFV1,
  /// Theora.
  bool areKnown() const { return known_; }

  /// Returns true if each packet of a whole file gives a frame, whatever the packet holds.
  bool alwaysGiveFrames() const;

  struct Facts {
    bool entry = false;  ///< true if all frames shown from here on can be decoded from here on
    bool shown = true;   ///< true if the packet gives a frame
  };
  Facts factsOf(const AVPacket& packet) const;

 private:
  bool holdsEntry(const AVPacket& packet) const;
  bool isEntry(uint8_t unitHeader) const;

  AVCodecID codec_;
  bool known_ = false;
  bool single_ = false;  ///< true if every frame can be decoded alone
  int lengthBytes_ = 0;  ///< bytes of the length before each unit (H.264, H.265); 0: start codes
};

}  // namespace glint::capture
