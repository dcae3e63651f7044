#include "app/capture/video_source.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "app/capture/demuxer.h"
#include "app/capture/frame_converter.h"
#include "app/capture/libav.h"
#include "config/error.h"

namespace glint {
namespace {

// A fixed number, so that a damaged file gives the same frames on every machine.
constexpr int kDecoderThreads = 4;
constexpr double kFallbackFps = 25;

class VideoSource final : public Source {
 public:
  explicit VideoSource(const std::string& spec);
  const ImageFormat& format() const override { return format_; }
  const std::string& name() const override { return demuxer_.name(); }
  std::optional<uint64_t> frameCount() const override { return demuxer_.frameCount(); }
  Reading read(const ImageView& image) override;

 private:
  void openDecoder();
  bool decode();
  void feed();
  void noteDamage(int code);
  double timeOf(const AVFrame& frame);
  void checkFormat() const;
  void checkEnd() const;

  Demuxer demuxer_;
  libav::Codec decoder_;
  libav::Packet packet_;
  libav::Frame frame_;  ///< the next frame, if pending_
  std::optional<FrameConverter> converter_;
  ImageFormat format_;
  bool pending_ = false;
  bool started_ = false;   ///< a first frame has been decoded
  bool draining_ = false;  ///< the decoder gets no more packets
  std::optional<std::string> damage_;
  uint64_t delivered_ = 0;
  int64_t firstTime_ = AV_NOPTS_VALUE;  ///< in units of the stream's time base
  double lastTime_ = 0;                 ///< s
  double largestStep_ = 0;              ///< s, between two delivered frames
};

VideoSource::VideoSource(const std::string& spec)
    : demuxer_(spec, isUrl(spec)), packet_(av_packet_alloc()), frame_(av_frame_alloc()) {
  openDecoder();
  pending_ = decode();
  if (!pending_) {
    throw Error(fmt::format("'{}' holds no frame that can be decoded{}", spec,
                            damage_ ? ": " + *damage_ : ""));
  }
  format_ = deliveredFormat(*frame_);
  converter_.emplace(decoder_->codec_id);
}

void VideoSource::openDecoder() {
  const auto& parameters = *demuxer_.stream().codecpar;
  const AVCodec* codec = avcodec_find_decoder(parameters.codec_id);
  if (!codec) {
    throw Error(fmt::format("'{}' cannot be decoded: this libav has no decoder for its coding ({})",
                            name(), avcodec_get_name(parameters.codec_id)));
  }
  decoder_.reset(avcodec_alloc_context3(codec));
  avcodec_parameters_to_context(decoder_.get(), &parameters);
  decoder_->pkt_timebase = demuxer_.stream().time_base;
  decoder_->err_recognition = AV_EF_CRCCHECK;
  decoder_->thread_count = kDecoderThreads;
  // Threads over frames hold back one frame each, which a live stream must not.
  decoder_->thread_type = demuxer_.isStream() ? FF_THREAD_SLICE : FF_THREAD_FRAME | FF_THREAD_SLICE;
  if (const int code = avcodec_open2(decoder_.get(), codec, nullptr); code < 0) {
    throw Error(
        fmt::format("'{}' cannot be decoded as {}: {}", name(), codec->name, libav::reason(code)));
  }
}

Reading VideoSource::read(const ImageView& image) {
  assert(image.format == format_);
  if (!pending_) pending_ = decode();
  if (!pending_) {
    checkEnd();
    return {};
  }
  checkFormat();
  converter_->convert(*frame_, image);
  const double time = timeOf(*frame_);
  if (delivered_ > 0) largestStep_ = std::max(largestStep_, time - lastTime_);
  lastTime_ = time;
  pending_ = false;
  return {CameraState::frame, {.sequence = delivered_++, .time = time}};
}

// Leaves the next intact frame in frame_; false when there is none left.
bool VideoSource::decode() {
  for (;;) {
    const int code = avcodec_receive_frame(decoder_.get(), frame_.get());
    if (code == AVERROR_EOF) return false;
    if (code == AVERROR(EAGAIN)) {
      feed();
    } else if (code < 0) {
      noteDamage(code);
    } else if (frame_->decode_error_flags != 0 || (frame_->flags & AV_FRAME_FLAG_CORRUPT) != 0) {
      noteDamage(AVERROR_INVALIDDATA);
    } else {
      started_ = true;
      return true;
    }
  }
}

// Gives the decoder one packet, or tells it that there are no more.
void VideoSource::feed() {
  if (!damage_ && demuxer_.read(*packet_)) {
    const bool corrupt = (packet_->flags & AV_PKT_FLAG_CORRUPT) != 0 && !demuxer_.isStream();
    const int code =
        corrupt ? AVERROR_INVALIDDATA : avcodec_send_packet(decoder_.get(), packet_.get());
    av_packet_unref(packet_.get());
    if (code < 0) noteDamage(code);
  } else if (!draining_) {
    draining_ = true;
    // Whether the file is whole as well as damaged shows only at its end.
    while (damage_ && demuxer_.read(*packet_)) av_packet_unref(packet_.get());
    avcodec_send_packet(decoder_.get(), nullptr);
  }
}

void VideoSource::noteDamage(int code) {
  if (started_ && !damage_ && !demuxer_.isStream()) damage_ = libav::reason(code);
}

/// Containers round times to their ticks (Matroska to milliseconds). A time within one tick of a
/// multiple of 1 / rate is that multiple, so that a constant rate is constant again.
static double onGrid(double time, const AVStream& stream) {
  const double rate = av_q2d(stream.avg_frame_rate);
  if (!(rate > 0)) return time;
  const double multiple = std::round(time * rate) / rate;
  return std::abs(time - multiple) <= av_q2d(stream.time_base) ? multiple : time;
}

double VideoSource::timeOf(const AVFrame& frame) {
  const AVStream& stream = demuxer_.stream();
  const int64_t time = frame.best_effort_timestamp;
  if (delivered_ == 0) firstTime_ = time;
  if (time != AV_NOPTS_VALUE && firstTime_ != AV_NOPTS_VALUE) {
    return onGrid(static_cast<double>(time - firstTime_) * av_q2d(stream.time_base), stream);
  }
  const double rate = stream.avg_frame_rate.num > 0 ? av_q2d(stream.avg_frame_rate) : kFallbackFps;
  return static_cast<double>(delivered_) / rate;
}

void VideoSource::checkFormat() const {
  const ImageFormat now = deliveredFormat(*frame_);
  if (now == format_) return;
  throw Error(
      fmt::format("'{}' changes at frame {} from {} x {} ({} channels of {} bits) to {} x {} ({} "
                  "of {}): cut it "
                  "into parts of one size",
                  name(), delivered_, format_.width, format_.height, format_.channels, format_.bits,
                  now.width, now.height, now.channels, now.bits));
}

void VideoSource::checkEnd() const {
  const bool early = demuxer_.endedEarly(largestStep_);
  if (!damage_ && !early) return;
  if (demuxer_.isStream()) {
    throw Error(fmt::format("the stream '{}' broke off: {}", name(), demuxer_.failure()));
  }
  const auto total = frameCount();
  const std::string counts =
      total ? fmt::format("{} of {}{} frames", delivered_, demuxer_.countIsExact() ? "" : "about ",
                          std::max(*total, delivered_))
            : fmt::format("{} frames", delivered_);
  throw Error(
      fmt::format("'{}' is {}: {} could be read", name(), early ? "cut short" : "damaged", counts));
}

}  // namespace

std::unique_ptr<Source> openVideo(const std::string& spec, const Interrupt*) {
  return std::make_unique<VideoSource>(spec);
}

}  // namespace glint
