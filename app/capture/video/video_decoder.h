// Decoded frames of a video, one after another. Internal to capture/.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "app/capture/video/coded_frame.h"
#include "app/capture/video/demuxer.h"
#include "app/capture/video/libav.h"
#include "app/capture/video/packet_index.h"
#include "app/capture/video/recorded_stamp.h"

namespace glint::capture {

/// One opened video and its decoder.
class VideoDecoder {
 public:
  /// Throws Error as openVideo() does, but for a video without frames; Interrupted.
  VideoDecoder(const std::string& spec, bool isStream, const Interrupt* interrupt,
               std::optional<uint64_t> stream = {});

  /// Leaves the next intact frame in frame(); false when there is none left, because of damage(),
  /// or interrupted.
  bool next();
  AVFrame& frame() { return *frame_; }
  Demuxer& demuxer() { return demuxer_; }
  const Demuxer& demuxer() const { return demuxer_; }
  AVCodecID codec() const { return decoder_->codec_id; }

  /// What the file holds beside the frame; empty where it holds nothing of Glint's.
  std::optional<RecordedStamp> recorded() const;

  /// Of streams: how many frames were damaged, and left out.
  uint64_t damagedFrames() const { return damagedFrames_; }
  /// What libav says of the first damaged packet; empty if there was none. Of streams: if their
  /// first five pictures could not be decoded.
  const std::optional<std::string>& damage() const { return damage_; }
  /// Why there is no frame at all, behind a colon, as far as that is known.
  std::string whyNone() const;
  /// Whether that was the last packet of the file.
  bool lastIsDamaged() const { return damage_ && damagedName_ == latestName_; }

  /// Goes on at a packet that is an entry. False if it cannot be reached for sure: then nothing
  /// more can be read. Throws Interrupted.
  bool jump(const PacketIndex& packets, size_t entry);
  /// The same without the container's help, right after opening.
  bool leafTo(const PacketIndex& packets, size_t entry);

 private:
  void openDecoder();
  void feed();
  void send();
  void noteDamage(int code, std::optional<int64_t> name = std::nullopt);
  bool isDamaged(const AVFrame& frame) const;
  int64_t nameOf(const AVPacket& packet) const;
  void owe(const AVPacket& packet);
  void settle(int64_t time);

  Demuxer demuxer_;
  libav::Complaints complaints_;  ///< of decoder_, by nameOf() their packets
  libav::Codec decoder_;
  libav::Packet packet_;
  libav::Frame frame_;
  uint64_t sent_ = 0;      ///< packets
  bool begun_ = false;     ///< the decoder has got a key frame: what fails from now on is damage
  bool shown_ = false;     ///< and has given a picture
  bool draining_ = false;  ///< the decoder gets no more packets
  /// Of the first key frame. Frames shown before it may need what was before the beginning.
  int64_t firstWhole_ = AV_NOPTS_VALUE;
  std::optional<CodedFrames> coded_;
  std::set<int64_t> owed_;                     ///< times of packets whose frames have not come yet
  std::map<int64_t, RecordedStamp> recorded_;  ///< by nameOf() of packets on their way
  std::optional<std::string> damage_;
  int64_t damagedName_ = 0;  ///< of damage_'s packet
  int64_t latestName_ = 0;   ///< of the packet that was read last
  uint64_t damagedFrames_ = 0;
};

}  // namespace glint::capture
