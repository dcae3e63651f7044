#include "tests/app/clips.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

#include "app/capture/video/libav.h"

namespace glint::test {
namespace {

constexpr int kWidth = 64, kHeight = 48;
constexpr AVRational kRate{30, 1};

int check(int code, const char* what) {
  if (code < 0) throw std::runtime_error(std::string(what) + ": " + capture::libav::reason(code));
  return code;
}

AVDictionary* toDictionary(const std::map<std::string, std::string>& options) {
  AVDictionary* dictionary = nullptr;
  for (const auto& [key, value] : options) av_dict_set(&dictionary, key.c_str(), value.c_str(), 0);
  return dictionary;
}

capture::libav::Codec openEncoder(const Clip& clip, bool globalHeader) {
  const AVCodec* codec = avcodec_find_encoder_by_name(clip.encoder.c_str());
  if (!codec) throw std::runtime_error("no encoder " + clip.encoder);
  capture::libav::Codec encoder(avcodec_alloc_context3(codec));
  encoder->width = kWidth;
  encoder->height = kHeight;
  encoder->pix_fmt = clip.grey                        ? AV_PIX_FMT_GRAY8
                     : codec->id == AV_CODEC_ID_MJPEG ? AV_PIX_FMT_YUVJ420P
                                                      : AV_PIX_FMT_YUV420P;
  encoder->framerate = kRate;
  encoder->time_base = av_inv_q(kRate);
  encoder->gop_size = clip.keyInterval;
  encoder->max_b_frames = clip.bFrames;
  encoder->thread_count = 1;
  encoder->flags |= AV_CODEC_FLAG_BITEXACT;
  if (globalHeader) encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  AVDictionary* options = toDictionary(clip.encoderOptions);
  const int code = avcodec_open2(encoder.get(), codec, &options);
  av_dict_free(&options);
  check(code, "opening the encoder");
  return encoder;
}

void paint(AVFrame& frame, int number, std::mt19937& random) {
  check(av_frame_make_writable(&frame), "frame");
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const double wave = 60 * std::sin(x / 5.0 + number * 0.3) * std::cos(y / 7.0);
      frame.data[0][y * frame.linesize[0] + x] =
          static_cast<uint8_t>(110 + wave + static_cast<double>(random() & 15));
    }
  }
  for (int plane = 1; plane < 3 && frame.data[plane]; ++plane) {
    for (int y = 0; y < kHeight / 2; ++y) {
      for (int x = 0; x < kWidth / 2; ++x)
        frame.data[plane][y * frame.linesize[plane] + x] = static_cast<uint8_t>(100 + number % 50);
    }
  }
}

class Writer {
 public:
  Writer(const std::string& path, const Clip& clip) : clip_(clip), packet_(av_packet_alloc()) {
    AVFormatContext* raw = nullptr;
    const char* kind = clip.container.empty() ? nullptr : clip.container.c_str();
    check(avformat_alloc_output_context2(&raw, nullptr, kind, path.c_str()), "container");
    output_.reset(raw);
    if (!clip.namesItself) output_->flags |= AVFMT_FLAG_BITEXACT;
    encoder_ = openEncoder(clip, (output_->oformat->flags & AVFMT_GLOBALHEADER) != 0);
    stream_ = avformat_new_stream(raw, nullptr);
    avcodec_parameters_from_context(stream_->codecpar, encoder_.get());
    stream_->time_base = clip.unevenTimes ? AVRational{1, 1000} : encoder_->time_base;
    stream_->avg_frame_rate = kRate;
    if (clip.sound) addSound();
    check(avio_open(&output_->pb, capture::libav::fileUrl(path).c_str(), AVIO_FLAG_WRITE), "file");
    AVDictionary* options = toDictionary(clip.containerOptions);
    const int code = avformat_write_header(raw, &options);
    av_dict_free(&options);
    check(code, "header");
  }

  void encode(AVFrame* frame) {
    check(avcodec_send_frame(encoder_.get(), frame), "encoding");
    while (avcodec_receive_packet(encoder_.get(), packet_.get()) >= 0) {
      packet_->stream_index = stream_->index;
      if (packet_->duration == 0) packet_->duration = 1;
      av_packet_rescale_ts(packet_.get(), encoder_->time_base, stream_->time_base);
      if (clip_.unevenTimes) stretch();
      writeSound(packet_->dts);
      check(av_interleaved_write_frame(output_.get(), packet_.get()), "writing");
    }
  }

  void finish() {
    encode(nullptr);
    check(av_write_trailer(output_.get()), "trailer");
  }

  AVCodecContext& encoder() { return *encoder_; }

 private:
  // Makes the times rise unevenly: t + 41 * floor(t / 333).
  void stretch() {
    const auto uneven = [](int64_t t) { return t + (t / 333) * 41; };
    const int64_t shift = packet_->pts - packet_->dts;
    packet_->pts = uneven(packet_->pts);
    packet_->dts = std::min(uneven(packet_->pts - shift), packet_->pts);
    if (lastDts_ != AV_NOPTS_VALUE) packet_->dts = std::max(packet_->dts, lastDts_ + 1);
    packet_->pts = std::max(packet_->pts, packet_->dts);
    lastDts_ = packet_->dts;
  }

  void addSound() {
    sound_ = avformat_new_stream(output_.get(), nullptr);
    sound_->codecpar->codec_type = AVMEDIA_TYPE_AUDIO;
    sound_->codecpar->codec_id = AV_CODEC_ID_PCM_S16LE;
    sound_->codecpar->sample_rate = 8000;
    sound_->codecpar->format = AV_SAMPLE_FMT_S16;
    av_channel_layout_default(&sound_->codecpar->ch_layout, 1);
    sound_->codecpar->bits_per_coded_sample = 16;
    sound_->codecpar->block_align = 2;
    sound_->time_base = {1, 8000};
  }

  void writeSound(int64_t until) {
    if (!sound_) return;
    const int64_t end = av_rescale_q(until, stream_->time_base, sound_->time_base);
    for (; samples_ < end; samples_ += 400) {
      const capture::libav::Packet silence(av_packet_alloc());
      check(av_new_packet(silence.get(), 800), "sound");
      std::fill_n(silence->data, 800, uint8_t{0});
      silence->stream_index = sound_->index;
      silence->pts = silence->dts = samples_;
      silence->duration = 400;
      av_packet_rescale_ts(silence.get(), {1, 8000}, sound_->time_base);
      check(av_interleaved_write_frame(output_.get(), silence.get()), "sound");
    }
  }

  const Clip& clip_;
  capture::libav::Output output_;
  capture::libav::Codec encoder_;
  capture::libav::Packet packet_;
  AVStream* stream_ = nullptr;
  AVStream* sound_ = nullptr;
  int64_t samples_ = 0;
  int64_t lastDts_ = AV_NOPTS_VALUE;
};

}  // namespace

bool canEncode(const std::string& encoder) {
  return avcodec_find_encoder_by_name(encoder.c_str()) != nullptr;
}

void writeClip(const std::string& path, const Clip& clip) {
  capture::libav::silence();
  Writer writer(path, clip);
  const capture::libav::Frame frame(av_frame_alloc());
  frame->format = writer.encoder().pix_fmt;
  frame->width = kWidth;
  frame->height = kHeight;
  frame->quality = writer.encoder().global_quality;
  check(av_frame_get_buffer(frame.get(), 0), "frame");
  std::mt19937 random(1);
  for (int n = 0; n < clip.frames; ++n) {
    paint(*frame, n, random);
    frame->pts = n;
    writer.encode(frame.get());
  }
  writer.finish();
}

std::string load(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace glint::test
