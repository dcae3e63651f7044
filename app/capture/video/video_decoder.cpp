#include "app/capture/video/video_decoder.h"

#include "config/error.h"

namespace glint::capture {
namespace {

// The number is fixed so that a damaged file gives the same frames on every machine.
constexpr int kDecoderThreads = 4;
constexpr size_t kMostOnTheWay = 64;      // most packets in a decoder
constexpr uint64_t kMostUndecodable = 5;  // damaged first pictures after which a stream is given up

}  // namespace

VideoDecoder::VideoDecoder(const Address& address, bool isStream, const Interrupt* interrupt,
                           std::optional<uint64_t> stream)
    : demuxer_(address, isStream, interrupt, kStreamPatience, stream),
      packet_(av_packet_alloc()),
      frame_(av_frame_alloc()) {
  openDecoder();
}

void VideoDecoder::openDecoder() {
  const auto& parameters = *demuxer_.stream().codecpar;
  const std::string& name = demuxer_.name();
  coded_.emplace(parameters);
  const AVCodec* codec = avcodec_find_decoder(parameters.codec_id);
  if (!codec) {
    throw Error("'{}' cannot be decoded: this libav has no decoder for its coding ({})", name,
                avcodec_get_name(parameters.codec_id));
  }
  decoder_.reset(avcodec_alloc_context3(codec));
  avcodec_parameters_to_context(decoder_.get(), &parameters);
  decoder_->pkt_timebase = demuxer_.stream().time_base;
  decoder_->err_recognition = AV_EF_CRCCHECK;
  complaints_.listenTo(*decoder_);
  decoder_->thread_count = kDecoderThreads;
  // Threads that each decode a frame would delay a live stream by one frame each.
  decoder_->thread_type = demuxer_.isStream() ? FF_THREAD_SLICE : FF_THREAD_FRAME | FF_THREAD_SLICE;
  if (const int code = avcodec_open2(decoder_.get(), codec, nullptr); code < 0) {
    throw Error("'{}' cannot be decoded as {}: {}", name, codec->name, libav::reason(code));
  }
}

bool VideoDecoder::next() {
  for (;;) {
    const int code = avcodec_receive_frame(decoder_.get(), frame_.get());
    if (demuxer_.interrupted()) return false;
    if (code == AVERROR_EOF) {
      if (complaints_.since(firstWhole_) || !owed_.empty()) noteDamage(AVERROR_INVALIDDATA);
      return false;
    }
    if (code == AVERROR(EAGAIN)) {
      feed();
    } else if (code < 0) {
      noteDamage(code);
    } else if (isDamaged(*frame_)) {
      noteDamage(AVERROR_INVALIDDATA, frame_->reordered_opaque);
    } else {
      begun_ = true;
      settle(frame_->reordered_opaque);
      return true;
    }
  }
}

/// Notes that the frame of this time has come. Earlier frames need not come before the first
/// picture, because they may need packets from before the beginning.
void VideoDecoder::settle(int64_t time) {
  if (!shown_) owed_.erase(owed_.begin(), owed_.lower_bound(time));
  owed_.erase(time);
  shown_ = true;
}

/// Notes that a packet must give a frame. Decoders drop frames that cannot be decoded, not always
/// with a message.
void VideoDecoder::owe(const AVPacket& packet) {
  const bool whole = begun_ && packet.pts != AV_NOPTS_VALUE && packet.pts >= firstWhole_ &&
                     (packet.flags & AV_PKT_FLAG_DISCARD) == 0;
  if (whole && !demuxer_.isStream() && coded_->alwaysGiveFrames()) owed_.insert(packet.pts);
}

std::optional<RecordedStamp> VideoDecoder::recorded() const {
  const auto found = recorded_.find(frame_->reordered_opaque);
  return found == recorded_.end() ? std::nullopt : std::optional(found->second);
}

bool VideoDecoder::isDamaged(const AVFrame& frame) const {
  if (frame.decode_error_flags != 0 || (frame.flags & AV_FRAME_FLAG_CORRUPT) != 0) return true;
  return frame.reordered_opaque >= firstWhole_ && complaints_.of(frame.reordered_opaque);
}

// Sends the decoder one packet, or the information that there are no more.
void VideoDecoder::feed() {
  if (!damage_ && demuxer_.read(*packet_)) {
    send();
  } else if (!draining_) {
    draining_ = true;
    // A damaged file is read to its end, which shows if it is cut as well.
    while (damage_ && !demuxer_.isStream() && demuxer_.read(*packet_)) {
      ++sent_;
      latestName_ = nameOf(*packet_);
      av_packet_unref(packet_.get());
    }
    avcodec_send_packet(decoder_.get(), nullptr);
  }
}

/// Returns the number that identifies a packet and its frame: its time or, if it has none, its
/// number, which is far below all times.
int64_t VideoDecoder::nameOf(const AVPacket& packet) const {
  if (packet.pts != AV_NOPTS_VALUE) return packet.pts;
  return AV_NOPTS_VALUE + static_cast<int64_t>(sent_);
}

void VideoDecoder::send() {
  ++sent_;
  const std::span<const std::byte> beside = libav::besideOf(*packet_);
  const bool lost = (packet_->flags & AV_PKT_FLAG_CORRUPT) != 0 || demuxer_.skippedBytes() ||
                    !isAsSealed({packet_->data, static_cast<size_t>(packet_->size)}, beside);
  if (!begun_ && (packet_->flags & AV_PKT_FLAG_KEY) != 0) {
    begun_ = true;
    firstWhole_ = nameOf(*packet_);
  }
  owe(*packet_);
  if (const auto recorded = recordedStampOf(beside)) {
    recorded_.emplace(nameOf(*packet_), *recorded);
    if (recorded_.size() > kMostOnTheWay) recorded_.erase(recorded_.begin());
  }
  latestName_ = decoder_->reordered_opaque = nameOf(*packet_);
  const int code = lost && !demuxer_.isStream()
                       ? AVERROR_INVALIDDATA
                       : avcodec_send_packet(decoder_.get(), packet_.get());
  av_packet_unref(packet_.get());
  if (code < 0) noteDamage(code, latestName_);
}

/// Notes that a packet is damaged. `name`: nameOf() the packet; empty if libav does not say which
/// one it was, so that the latest packet counts.
void VideoDecoder::noteDamage(int code, std::optional<int64_t> name) {
  if (!begun_) return;
  if (!demuxer_.isStream()) {
    if (!damage_) damagedName_ = name.value_or(latestName_);
    if (!damage_) damage_ = libav::reason(code);
    return;
  }
  // Streams go on for ever, so old complaints are forgotten.
  constexpr uint64_t kRemembered = 1024;
  if (++damagedFrames_ % kRemembered == 0) complaints_.clear();
  if (!shown_ && damagedFrames_ == kMostUndecodable) damage_ = libav::reason(code);
}

std::string VideoDecoder::whyNone() const {
  const std::string& why = damage_ ? *damage_ : demuxer_.failure();
  return why.empty() ? "" : ": " + why;
}

bool VideoDecoder::jump(const PacketIndex& packets, size_t entry) {
  avcodec_flush_buffers(decoder_.get());
  damage_.reset();
  complaints_.clear();
  owed_.clear();
  recorded_.clear();
  begun_ = shown_ = draining_ = false;
  firstWhole_ = AV_NOPTS_VALUE;
  if (!demuxer_.seek(packets.seekTime(entry))) return false;
  return leafTo(packets, entry);
}

bool VideoDecoder::leafTo(const PacketIndex& packets, size_t entry) {
  if (!readUpTo(demuxer_, packets, entry, *packet_)) return false;
  send();
  return true;
}

}  // namespace glint::capture
