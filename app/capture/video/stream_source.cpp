#include "app/capture/video/stream_source.h"

extern "C" {
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/capture/source/clock_map.h"
#include "app/capture/source/live_source.h"
#include "app/capture/video/frame_converter.h"
#include "config/error.h"

namespace glint::capture {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

constexpr Milliseconds kPatience{2000};  // time without data after which a stream counts as lost
constexpr Milliseconds kAskAgain{500};   // time between two attempts to open a lost stream
constexpr double kMostReadAhead = 10;    // s of the stream that may have been read ahead, at most
// A frame that arrives after less than this share of its own interval was waiting.
constexpr double kReadAheadPace = 0.5;

/// Returns the luma of a frame as a grey frame, which shares the memory and does not own it; the
/// frame itself if it is not YUV or has no plane of luma.
AVFrame lumaOf(const AVFrame& frame) {
  AVFrame luma = frame;
  const auto* d = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format));
  constexpr uint64_t other = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM |
                             AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER |
                             AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BE;
  if (!d || d->nb_components < 3 || (d->flags & other) != 0) return luma;
  const AVComponentDescriptor& y = d->comp[0];
  const bool alone = y.plane == 0 && y.offset == 0 && y.shift == 0 && y.step == (y.depth + 7) / 8;
  if (!alone) return luma;
  switch (y.depth) {
    case 8:
      luma.format = AV_PIX_FMT_GRAY8;
      break;
    case 10:
      luma.format = AV_PIX_FMT_GRAY10LE;
      break;
    case 12:
      luma.format = AV_PIX_FMT_GRAY12LE;
      break;
    default:
      return luma;
  }
  // The "J" formats mean full range by their name.
  const bool full = std::string_view(d->name).starts_with("yuvj");
  if (luma.color_range == AVCOL_RANGE_UNSPECIFIED)
    luma.color_range = full ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  return luma;
}

class StreamSource final : public LiveSource {
 public:
  StreamSource(const Address& address, const Interrupt* interrupt, bool colour,
               std::unique_ptr<VideoDecoder> opened);
  const gpu::ImageFormat& format() const override { return format_; }
  std::vector<SourceFact> facts() const override;
  Reading read(const gpu::ImageView& image) override;

 private:
  void open();
  bool isWaiting(double own, double arrival);
  Reading readNext(const gpu::ImageView& image);
  Reading lose(const std::string& problem);
  bool findAgain();
  AVFrame wanted(const AVFrame& frame) const;
  bool isOurs(const AVFrame& frame);
  std::optional<double> ownTime() const;
  void noteDamage(Reading& reading);

  const Address address_;
  bool colour_;
  std::unique_ptr<VideoDecoder> decoder_;  ///< null while the stream is away
  std::optional<FrameConverter> converter_;
  gpu::ImageFormat format_;
  bool pending_ = false;   ///< true if a frame is decoded already
  bool readAhead_ = true;  ///< true while frames may have been waiting since the stream was opened
  double firstOwn_ = 0, own_ = 0, arrival_ = 0;  ///< s: times of frames while readAhead_
  ClockMap clock_;
  double latest_ = 0;  ///< s: time of the latest frame
  uint64_t next_ = 0;
  uint64_t dropped_ = 0;  ///< frames dropped since the latest frame
  uint64_t damaged_ = 0;  ///< damaged frames of the decoder that were reported so far
  /// True once the log has said that frames were damaged, or that their size has changed.
  bool saidDamaged_ = false, saidSize_ = false;
  std::string problem_;      ///< the last reason why the stream could not be opened or read
  Clock::time_point asked_;  ///< time of the latest attempt to open a lost stream
};

StreamSource::StreamSource(const Address& address, const Interrupt* interrupt, bool colour,
                           std::unique_ptr<VideoDecoder> opened)
    : LiveSource(address.shown(), interrupt),
      address_(address),
      colour_(colour),
      decoder_(std::move(opened)) {
  if (!decoder_) open();
  pending_ = true;
  format_ = deliveredFormat(wanted(decoder_->frame()));
  converter_.emplace(decoder_->codec());
  decoder_->demuxer().setPatience(kPatience);
}

/// Opens the stream, and decodes its first frame.
void StreamSource::open() {
  auto decoder = std::make_unique<VideoDecoder>(address_, true, interrupt_);
  if (!decoder->next()) {
    if (interrupted()) throw Interrupted("interrupted while reading '{}'", name_);
    throw Error("'{}' holds no frame that can be decoded{}", name_, decoder->whyNone());
  }
  decoder_ = std::move(decoder);
  damaged_ = 0;
}

std::vector<SourceFact> StreamSource::facts() const {
  const AVStream& stream = decoder_->demuxer().stream();
  std::vector<SourceFact> facts{{"coding", avcodec_get_name(decoder_->codec())},
                                {"size", fmt::format("{}x{}", format_.width, format_.height)}};
  if (stream.avg_frame_rate.num > 0)
    facts.push_back({"rate", fmt::format("{:g}", av_q2d(stream.avg_frame_rate))});
  return facts;
}

Reading StreamSource::read(const gpu::ImageView& image) {
  if (!decoder_ && !findAgain()) return lostReading(problem_, interrupt_);
  return readNext(image);
}

Reading StreamSource::readNext(const gpu::ImageView& image) {
  Reading reading{.state = gpu::CameraState::none};
  if (!pending_ && !decoder_->next()) {
    if (interrupted()) return reading;
    const std::string& failure = decoder_->demuxer().failure();
    return lose(fmt::format("'{}' {}", name_,
                            failure.empty() ? std::string("has ended") : "broke off: " + failure));
  }
  pending_ = false;
  const double arrival = now();
  noteDamage(reading);
  const AVFrame& frame = decoder_->frame();
  const auto own = ownTime();
  if (own && isWaiting(*own, arrival)) return reading;
  if (!isOurs(frame)) {
    ++dropped_;
    return reading;
  }
  converter_->convert(wanted(frame), image);
  const double time = own ? clock_.toHost(*own, arrival) : arrival;
  if (clock_.jumpIsNew()) base::log(base::LogLevel::warning, clockJumped(name_));
  // If the stream's clock has jumped, the new beginning may lie before the old end.
  latest_ = std::max(time, std::nextafter(latest_, HUGE_VAL));
  reading.state = gpu::CameraState::frame;
  reading.stamp = {.sequence = FrameNumber(next_++),
                   .time = latest_,
                   .arrival = arrival,
                   .captured = latest_,
                   .droppedBefore = std::exchange(dropped_, 0),
                   .uncertainty = own ? clock_.uncertainty() : 0};
  return reading;
}

void StreamSource::noteDamage(Reading& reading) {
  reading.damaged = decoder_->damagedFrames() - damaged_;
  damaged_ += reading.damaged;
  dropped_ += reading.damaged;
  if (reading.damaged > 0 && !std::exchange(saidDamaged_, true)) {
    base::warn("'{}' sends damaged pictures, which are left out and counted", name_);
  }
}

/// Returns the part of a frame that is delivered, its colour or its luma, which shares the memory.
AVFrame StreamSource::wanted(const AVFrame& frame) const {
  return colour_ ? frame : lumaOf(frame);
}

/// Returns true if a frame has the size and format with which the stream began.
bool StreamSource::isOurs(const AVFrame& frame) {
  const gpu::ImageFormat now = deliveredFormat(wanted(frame));
  if (now == format_) return true;
  if (!std::exchange(saidSize_, true)) {
    base::warn(
        "'{}' now sends {} x {} instead of {} x {}: such frames are left out and "
        "counted",
        name_, now.width, now.height, format_.width, format_.height);
  }
  return false;
}

/// Returns the stream's own time of the present frame, s; empty if the stream has no times.
std::optional<double> StreamSource::ownTime() const {
  // libav makes up times for JPEG over HTTP, as if there were 25 frames a second.
  if (decoder_->demuxer().kind() == "mpjpeg") return std::nullopt;
  const int64_t time = decoder_->frame().best_effort_timestamp;
  if (time == AV_NOPTS_VALUE) return std::nullopt;
  return static_cast<double>(time) * av_q2d(decoder_->demuxer().stream().time_base);
}

/// Returns true if the frame and all before it, since the stream was opened, were already waiting
/// when they were read.
bool StreamSource::isWaiting(double own, double arrival) {
  if (!readAhead_) return false;
  const bool first = arrival_ == 0;
  if (first) firstOwn_ = own;
  const double step = own - std::exchange(own_, own);
  const double passed = arrival - std::exchange(arrival_, arrival);
  const bool waited = first || (step > 0 && passed < kReadAheadPace * step);
  readAhead_ = waited && own - firstOwn_ < kMostReadAhead;
  return readAhead_;
}

Reading StreamSource::lose(const std::string& problem) {
  problem_ = problem;
  decoder_.reset();
  asked_ = Clock::now();
  return lostReading(problem_, interrupt_);
}

bool StreamSource::findAgain() {
  if (Clock::now() - asked_ < kAskAgain) return false;
  try {
    open();
  } catch (const Error&) {
    asked_ = Clock::now();
    return false;
  }
  decoder_->demuxer().setPatience(kPatience);
  converter_.emplace(decoder_->codec());
  clock_ = ClockMap();
  pending_ = readAhead_ = true;
  arrival_ = 0;
  return true;
}

}  // namespace

std::unique_ptr<Source> openStream(const Address& address, const Interrupt* interrupt, bool colour,
                                   std::unique_ptr<VideoDecoder> opened) {
  return std::make_unique<StreamSource>(address, interrupt, colour, std::move(opened));
}

}  // namespace glint::capture
