#include "app/output/pictures/video_writer.h"

extern "C" {
#include <libavutil/opt.h>
}

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "app/capture/video/libav.h"
#include "app/capture/video/recorded_stamp.h"
#include "app/output/pictures/video_file.h"
#include "config/error.h"

namespace glint::output {
namespace {

/// The container and the encoder for a suffix. `ticks` is the number of a container's units of time
/// in a second; 0: one for each frame.
struct Target {
  std::string_view suffix;
  const char* container;
  const char* encoder;
  int ticks;
  bool lossless;
  bool evenSize;                           // true if width and height must be even
  int leastQuality, mostQuality, quality;  // limits of VideoOptions::quality, and its default
};

constexpr std::array<Target, 3> kTargets{{
    {".mp4", "mp4", "libx264", 90000, false, true, 0, 51, 18},
    {".avi", "avi", "mjpeg", 0, false, false, 1, 31, 2},
    {".mkv", "matroska", "ffv1", 1000, true, false, 0, 0, 0},
}};

// Number of threads. With four threads, libx264 sometimes wrote other bytes for the same frames, in
// 1 or 2 of 60 runs of the tests, for an unknown reason. With one thread, it did so in none of 180.
constexpr int kEncoderThreads = 1;
constexpr const char* kFastPreset = "veryfast";
constexpr int kFfv1Slices = 4;
// px; libav returns other pixels for narrower slices.
constexpr int kLeastSliced = 16;
// px; libav refuses to leave a larger image in one slice, except for version 1, which has no slices
constexpr int kWidestSlice = 352, kHighestSlice = 288;
constexpr const char* kQuickLossless = "ffvhuff";
// ms, the most that a killed run loses of a video. Frames above 4 KiB are never held back.
constexpr int64_t kHeldBack = 200;

const Target& chooseTarget(const std::string& path, const gpu::ImageFormat& format,
                           const VideoOptions& options) {
  for (const Target& target : kTargets) {
    if (!path.ends_with(target.suffix)) continue;
    // FFV1 of libav 5.1 returns other pixels if a side is 1.
    if (format.width < 2 || format.height < 2) {
      throw UsageError("'{}' needs at least 2 x 2 pixels, not {} x {}", path, format.width,
                       format.height);
    }
    if (format.bits != 8 && !target.lossless) {
      throw UsageError("'{}' cannot hold {} bits: use a name that ends in .mkv", path, format.bits);
    }
    if (target.evenSize && (format.width % 2 != 0 || format.height % 2 != 0)) {
      throw UsageError(
          "'{}' needs an even width and height, not {} x {}: use a name that ends in .mkv or .avi",
          path, format.width, format.height);
    }
    if (options.quality && target.lossless) {
      throw UsageError("'{}' is lossless and takes no quality", path);
    }
    const int quality = options.quality.value_or(target.quality);
    if (quality < target.leastQuality || quality > target.mostQuality) {
      throw UsageError("the quality of '{}' is {}, not {} to {}", path, quality,
                       target.leastQuality, target.mostQuality);
    }
    return target;
  }
  throw UsageError("the video '{}' needs a name that ends in .mp4, .avi or .mkv", path);
}

AVPixelFormat choosePixelFormat(const Target& target, const gpu::ImageFormat& format, bool quick) {
  if (!target.lossless) return target.evenSize ? AV_PIX_FMT_YUV420P : AV_PIX_FMT_YUVJ420P;
  if (format.channels == 1) return format.bits == 8 ? AV_PIX_FMT_GRAY8 : AV_PIX_FMT_GRAY16;
  if (format.bits != 8) return AV_PIX_FMT_GBRP16;
  return quick ? AV_PIX_FMT_GBRP : AV_PIX_FMT_BGR0;
}

std::shared_ptr<FileClaim> claimVideo(const std::string& path, const gpu::ImageFormat& format,
                                      const VideoOptions& options) {
  chooseTarget(path, format, options);
  return std::make_shared<FileClaim>(path);
}

}  // namespace

class VideoWriter::Impl {
 public:
  Impl(std::shared_ptr<FileClaim> file, const gpu::ImageFormat& format, double fps,
       const VideoOptions& options);
  void write(const gpu::ImageView& image, double time, std::span<const std::byte> beside);
  void finish();

 private:
  int check(int code) const;
  void openEncoder(double fps);
  void setLossless(AVCodecContext& c) const;
  void openFile();
  void limitLoss();
  void openScaler();
  void fill(const gpu::ImageView& image);
  void encode(const AVFrame* frame, std::span<const std::byte> beside = {});
  void addBeside(std::span<const std::byte> beside);

  VideoFile file_;
  const std::string& path_;  ///< path of file_
  gpu::ImageFormat format_;
  VideoOptions options_;
  const Target& target_;
  capture::libav::Output output_;
  capture::libav::Codec encoder_;
  capture::libav::Frame frame_;
  capture::libav::Packet packet_;
  capture::libav::Scaler scaler_;  ///< used for colour only
  std::vector<uint8_t> padded_;    ///< the picture that scaler_ reads
  AVStream* stream_ = nullptr;     ///< owned by output_
  /// s, time of the first frame.
  std::optional<double> start_;
  bool broken_ = false;
};

VideoWriter::Impl::Impl(std::shared_ptr<FileClaim> file, const gpu::ImageFormat& format, double fps,
                        const VideoOptions& options)
    : file_(std::move(file)),
      path_(file_.path()),
      format_(format),
      options_(options),
      target_(chooseTarget(path_, format, options)),
      frame_(av_frame_alloc()),
      packet_(av_packet_alloc()) {
  if (!std::isfinite(fps) || fps <= 0) {
    throw UsageError("the frame rate of '{}' must be above 0, not {}", path_, fps);
  }
  capture::libav::silence();
  AVFormatContext* raw = nullptr;
  check(avformat_alloc_output_context2(&raw, nullptr, target_.container, nullptr));
  output_.reset(raw);
  output_->flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_FLUSH_PACKETS | AVFMT_FLAG_CUSTOM_IO;
  openEncoder(fps);
  openFile();
  frame_->format = encoder_->pix_fmt;
  frame_->width = encoder_->width;
  frame_->height = encoder_->height;
  frame_->color_range = encoder_->color_range;
  frame_->colorspace = encoder_->colorspace;
  frame_->quality = encoder_->global_quality;  // MJPEG takes the quality from each frame
  check(av_frame_get_buffer(frame_.get(), 0));
  if (format_.channels == 3) openScaler();
}

// Returns a return value of libav. Throws if it is negative.
int VideoWriter::Impl::check(int code) const {
  if (code >= 0) return code;
  throw Error("cannot write '{}': {}", path_, capture::libav::reason(code));
}

// Encodes every frame by itself, so that a file that is cut loses only its end.
void VideoWriter::Impl::setLossless(AVCodecContext& c) const {
  c.gop_size = 1;
  if (options_.quick) {
    check(av_opt_set(c.priv_data, "pred", "median", 0));
    check(av_opt_set_int(c.priv_data, "context", 1, 0));
    return;
  }
  const bool narrow = std::min(c.width, c.height) < kLeastSliced;
  c.level = narrow && (c.width > kWidestSlice || c.height > kHighestSlice) ? 1 : 3;
  if (c.level == 1) return;
  c.slices = narrow ? 1 : kFfv1Slices;
  check(av_opt_set_int(c.priv_data, "slicecrc", 1, 0));
}

void VideoWriter::Impl::openEncoder(double fps) {
  const int quality = options_.quality.value_or(target_.quality);
  const char* const name = target_.lossless && options_.quick ? kQuickLossless : target_.encoder;
  const AVCodec* codec = avcodec_find_encoder_by_name(name);
  if (!codec) throw Error("cannot write '{}': this libav lacks the encoder {}", path_, name);
  encoder_.reset(avcodec_alloc_context3(codec));
  AVCodecContext& c = *encoder_;
  c.width = static_cast<int>(format_.width);
  c.height = static_cast<int>(format_.height);
  c.pix_fmt = choosePixelFormat(target_, format_, options_.quick);
  c.color_range = AVCOL_RANGE_JPEG;
  if (!target_.lossless) c.colorspace = AVCOL_SPC_SMPTE170M;
  c.framerate = av_d2q(fps, 1001000);
  c.time_base = target_.ticks > 0 ? AVRational{1, target_.ticks} : av_inv_q(c.framerate);
  c.thread_count = kEncoderThreads;
  c.flags |= AV_CODEC_FLAG_BITEXACT;
  if ((output_->oformat->flags & AVFMT_GLOBALHEADER) != 0) c.flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  if (target_.lossless) {
    setLossless(c);
  } else if (codec->id == AV_CODEC_ID_MJPEG) {
    c.flags |= AV_CODEC_FLAG_QSCALE;
    c.qmin = 1;
    c.global_quality = quality * FF_QP2LAMBDA;
  } else {
    check(av_opt_set_double(c.priv_data, "crf", quality, 0));
    if (options_.fast) check(av_opt_set(c.priv_data, "preset", kFastPreset, 0));
  }
  check(avcodec_open2(&c, codec, nullptr));
}

void VideoWriter::Impl::openFile() {
  stream_ = avformat_new_stream(output_.get(), nullptr);
  check(stream_ ? 0 : AVERROR(ENOMEM));
  check(avcodec_parameters_from_context(stream_->codecpar, encoder_.get()));
  stream_->time_base = encoder_->time_base;
  stream_->avg_frame_rate = encoder_->framerate;
  for (const auto& [name, text] : options_.tags)
    check(av_dict_set(&output_->metadata, name.c_str(), text.c_str(), 0));
  output_->pb = file_.open();
  limitLoss();
  check(avformat_write_header(output_.get(), nullptr));
}

/// Makes sure that the file of a killed run can be read.
void VideoWriter::Impl::limitLoss() {
  void* const muxer = output_->priv_data;
  if (target_.lossless) {
    check(av_opt_set_int(muxer, "cluster_time_limit", kHeldBack, 0));
  } else if (options_.fast && target_.evenSize) {
    check(av_opt_set(muxer, "movflags", "+delay_moov+default_base_moof", 0));
    check(av_opt_set_int(muxer, "frag_duration", 1000 * kHeldBack, 0));
  }
}

void VideoWriter::Impl::openScaler() {
  const AVPixelFormat source = format_.bits == 8 ? AV_PIX_FMT_BGR24 : AV_PIX_FMT_BGR48;
  // swscale wants the range beside the format, and not in its name.
  const AVPixelFormat target =
      encoder_->pix_fmt == AV_PIX_FMT_YUVJ420P ? AV_PIX_FMT_YUV420P : encoder_->pix_fmt;
  const int width = encoder_->width, height = encoder_->height;
  scaler_.reset(sws_getContext(width, height, source, width, height, target,
                               capture::libav::kScalerFlags, nullptr, nullptr, nullptr));
  check(scaler_ ? 0 : AVERROR(ENOMEM));
  const int* matrix = sws_getCoefficients(SWS_CS_ITU601);
  sws_setColorspaceDetails(scaler_.get(), matrix, 1, matrix, 1, 0, 1 << 16, 1 << 16);
}

void VideoWriter::Impl::write(const gpu::ImageView& image, double time,
                              std::span<const std::byte> beside) {
  assert(image.format == format_);
  if (!start_) start_ = time;
  int64_t tick = std::llround((time - *start_) / av_q2d(encoder_->time_base));
  const bool first = frame_->pts == AV_NOPTS_VALUE;
  if (!first && options_.nextTime) tick = std::max(tick, frame_->pts + 1);
  if (!first && tick < frame_->pts + 1) {
    throw Error(
        "cannot write '{}': the time {} s does not come {} s after the frame "
        "before",
        path_, time, av_q2d(encoder_->time_base));
  }
  try {
    check(av_frame_make_writable(frame_.get()));
    fill(image);
    frame_->pts = tick;
    encode(frame_.get(), beside);
  } catch (const Error&) {
    broken_ = true;
    throw;
  }
}

void VideoWriter::Impl::fill(const gpu::ImageView& image) {
  if (scaler_) {
    // libswscale reads some bytes beyond the end of a picture, so it gets a copy with room there.
    const size_t row = size_t{image.format.width} * image.format.bytesPerPixel();
    padded_.resize(row * image.format.height + AV_INPUT_BUFFER_PADDING_SIZE);
    for (uint32_t y = 0; y < image.format.height; ++y)
      std::memcpy(padded_.data() + y * row, image.row(y), row);
    const uint8_t* const planes[] = {padded_.data()};
    const int pitches[] = {static_cast<int>(row)};
    sws_scale(scaler_.get(), planes, pitches, 0, encoder_->height, frame_->data, frame_->linesize);
    return;
  }
  const auto rowOf = [&](int plane, uint32_t y) {
    return frame_->data[plane] + ptrdiff_t{frame_->linesize[plane]} * y;
  };
  for (uint32_t y = 0; y < format_.height; ++y) {
    std::memcpy(rowOf(0, y), image.row(y), size_t{format_.width} * format_.bytesPerPixel());
  }
  if (target_.lossless) return;
  for (uint32_t y = 0; y < (format_.height + 1) / 2; ++y) {
    for (const int plane : {1, 2}) std::memset(rowOf(plane, y), 128, (format_.width + 1) / 2);
  }
}

/// Adds data to the packet, followed by its seal. libav's muxer for Matroska expects an id of 8
/// bytes, big endian, before it.
void VideoWriter::Impl::addBeside(std::span<const std::byte> beside) {
  constexpr size_t kId = 8;
  const auto seal = capture::sealOf({packet_->data, static_cast<size_t>(packet_->size)});
  uint8_t* to = av_packet_new_side_data(packet_.get(), AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL,
                                        kId + beside.size() + seal.size());
  check(to ? 0 : AVERROR(ENOMEM));
  std::memset(to, 0, kId);
  to[kId - 1] = 1;
  std::memcpy(to + kId, beside.data(), beside.size());
  std::memcpy(to + kId + beside.size(), seal.data(), seal.size());
}

// Passes a frame, or null at the end, to the encoder, and writes the packets that are ready.
void VideoWriter::Impl::encode(const AVFrame* frame, std::span<const std::byte> beside) {
  check(avcodec_send_frame(encoder_.get(), frame));
  for (;;) {
    const int code = avcodec_receive_packet(encoder_.get(), packet_.get());
    if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) break;
    check(code);
    packet_->stream_index = stream_->index;
    if (!beside.empty()) addBeside(beside);
    packet_->duration = av_rescale_q(1, av_inv_q(encoder_->framerate), encoder_->time_base);
    av_packet_rescale_ts(packet_.get(), encoder_->time_base, stream_->time_base);
    check(av_interleaved_write_frame(output_.get(), packet_.get()));
  }
  check(output_->pb->error);
}

void VideoWriter::Impl::finish() {
  if (!output_->pb) return;
  int code = 0;
  try {
    if (!broken_) encode(nullptr);
  } catch (const Error&) {
    broken_ = true;
    output_->pb = nullptr;
    file_.close();
    throw;
  }
  if (!broken_) code = av_write_trailer(output_.get());
  if (code >= 0) code = std::min(output_->pb->error, 0);
  output_->pb = nullptr;
  const int closed = file_.close();
  check(code);
  check(closed);
  file_.confirm();
}

void checkVideo(const std::string& path, const gpu::ImageFormat& format,
                const VideoOptions& options) {
  chooseTarget(path, format, options);
}

VideoWriter::VideoWriter(const std::string& path, const gpu::ImageFormat& format, double fps,
                         const VideoOptions& options)
    : VideoWriter(claimVideo(path, format, options), format, fps, options) {}

VideoWriter::VideoWriter(std::shared_ptr<FileClaim> file, const gpu::ImageFormat& format,
                         double fps, const VideoOptions& options)
    : impl_(std::make_unique<Impl>(std::move(file), format, fps, options)) {}

VideoWriter::~VideoWriter() {
  try {
    impl_->finish();
  } catch (const Error&) {
    // The caller did not ask for errors; finish() would have reported them.
  }
}

void VideoWriter::write(const gpu::ImageView& image, double time,
                        std::span<const std::byte> beside) {
  impl_->write(image, time, beside);
}

void VideoWriter::finish() {
  impl_->finish();
}

}  // namespace glint::output
