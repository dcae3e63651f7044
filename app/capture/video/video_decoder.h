// Decodes the frames of a video, one after another. Internal to capture/.
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
  VideoDecoder(const Address& address, bool isStream, const Interrupt* interrupt,
               std::optional<uint64_t> stream = {});

  /// Decodes the next intact frame into frame(). Returns false if there is no further frame,
  /// because of damage(), or if interrupted.
  bool next();
  AVFrame& frame() { return *frame_; }
  Demuxer& demuxer() { return demuxer_; }
  const Demuxer& demuxer() const { return demuxer_; }
  AVCodecID codec() const { return decoder_->codec_id; }

  /// Returns the stamp that the file has beside the frame; empty if it was not written by Glint.
  std::optional<RecordedStamp> recorded() const;

  /// Streams: returns the number of damaged frames, which were left out.
  uint64_t damagedFrames() const { return damagedFrames_; }
  /// Returns libav's message about the first damaged packet; empty if none was damaged. Streams:
  /// empty, unless none of the first five pictures could be decoded.
  const std::optional<std::string>& damage() const { return damage_; }
  /// Returns the reason why there is no frame at all, with a colon before it; empty if not known.
  std::string whyNone() const;
  /// Returns true if the damaged packet was the last one of the file.
  bool lastIsDamaged() const { return damage_ && damagedName_ == latestName_; }

  /// Goes on at a packet that is an entry. Returns false if it is not certain to be reached;
  /// nothing more can be read then. Throws Interrupted.
  bool jump(const PacketIndex& packets, size_t entry);
  /// Does the same by reading on from the start, without seek(), right after opening.
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
  uint64_t sent_ = 0;      ///< packets sent to the decoder
  bool begun_ = false;     ///< true once it has got a key frame: failures from then on are damage
  bool shown_ = false;     ///< true once it has given a picture
  bool draining_ = false;  ///< true if it gets no more packets
  /// Time of the first key frame. Frames shown before it may need packets before the beginning.
  int64_t firstWhole_ = AV_NOPTS_VALUE;
  std::optional<CodedFrames> coded_;
  std::set<int64_t> owed_;                     ///< times of packets whose frames have not come yet
  std::map<int64_t, RecordedStamp> recorded_;  ///< stamps by nameOf() of packets in the decoder
  std::optional<std::string> damage_;
  int64_t damagedName_ = 0;  ///< nameOf() the packet of damage_
  int64_t latestName_ = 0;   ///< nameOf() the packet that was read last
  uint64_t damagedFrames_ = 0;
};

}  // namespace glint::capture
