// Decoded frames of a video, one after another. Internal to capture/.
#pragma once

#include <optional>
#include <string>

#include "app/capture/demuxer.h"
#include "app/capture/libav.h"
#include "app/capture/packet_index.h"

namespace glint {

/// One opened video and its decoder.
class VideoDecoder {
 public:
  /// Throws Error as openVideo() does, but for a video without frames; Interrupted.
  VideoDecoder(const std::string& spec, bool isStream, const Interrupt* interrupt);

  /// Leaves the next intact frame in frame(); false when there is none left, because of damage(),
  /// or interrupted.
  bool next();
  AVFrame& frame() { return *frame_; }
  Demuxer& demuxer() { return demuxer_; }
  const Demuxer& demuxer() const { return demuxer_; }
  AVCodecID codec() const { return decoder_->codec_id; }

  /// What libav says of the first damaged packet; empty if there was none.
  const std::optional<std::string>& damage() const { return damage_; }

  /// Goes on at a packet that is an entry. False if it cannot be reached for sure: then nothing
  /// more can be read. Throws Interrupted.
  bool jump(const PacketIndex& packets, size_t entry);
  /// The same without the container's help, right after opening.
  bool leafTo(const PacketIndex& packets, size_t entry);

 private:
  void openDecoder();
  void feed();
  void send();
  void noteDamage(int code);

  Demuxer demuxer_;
  libav::Codec decoder_;
  libav::Packet packet_;
  libav::Frame frame_;
  bool started_ = false;   ///< a first frame has been decoded
  bool draining_ = false;  ///< the decoder gets no more packets
  std::optional<std::string> damage_;
};

}  // namespace glint
