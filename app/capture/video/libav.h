// Owners of libav's objects, and its errors as text. Internal to capture/ and export/.
#pragma once

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
}

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "config/secrets.h"

namespace glint::capture::libav {

struct Closer {
  void operator()(AVCodecContext* p) const { avcodec_free_context(&p); }
  void operator()(AVPacket* p) const { av_packet_free(&p); }
  void operator()(AVFrame* p) const { av_frame_free(&p); }
  void operator()(SwsContext* p) const { sws_freeContext(p); }
};
struct IoCloser {
  void operator()(AVIOContext* p) const {
    av_freep(&p->buffer);
    avio_context_free(&p);
  }
};
struct InputCloser {
  void operator()(AVFormatContext* p) const { avformat_close_input(&p); }
};
struct OutputCloser {
  void operator()(AVFormatContext* p) const;
};

using Io = std::unique_ptr<AVIOContext, IoCloser>;
using Input = std::unique_ptr<AVFormatContext, InputCloser>;
using Output = std::unique_ptr<AVFormatContext, OutputCloser>;
using Codec = std::unique_ptr<AVCodecContext, Closer>;
using Packet = std::unique_ptr<AVPacket, Closer>;
using Frame = std::unique_ptr<AVFrame, Closer>;
using Scaler = std::unique_ptr<SwsContext, Closer>;

/// How all colour conversions are done: the same bits on every machine, chroma at full resolution.
/// Bilinear takes half the time of bicubic (17 and 33 ms for yuv420p of 1920 x 1080 on one core).
inline constexpr int kScalerFlags =
    SWS_BILINEAR | SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP;

/// What libav logs as errors while it reads or decodes, which it does not always return: damaged
/// pictures are patched up and lost bytes skipped. Thread-safe: decoders log in worker threads. Of
/// demuxers the place in the file stands for the time.
class Complaints {
 public:
  /// From now on complaints of `decoder` come here, each with its packet's reordered_opaque. The
  /// context must not outlive this.
  void listenTo(AVCodecContext& decoder) { decoder.opaque = this; }
  void listenTo(AVFormatContext& demuxer) { demuxer.opaque = this; }

  void add(int64_t time);
  /// Whether there was one of a packet of this time, or of any from then on.
  bool of(int64_t time) const;
  bool since(int64_t time) const;
  std::optional<int64_t> first() const;
  void clear();

 private:
  mutable std::mutex mutex_;
  std::set<int64_t> times_;
};

/// What a packet of Matroska holds beside its frame (BlockAdditional of id 1); or nothing.
std::span<const std::byte> besideOf(const AVPacket& packet);

/// While it lives, what libav logs in this thread is about `address`, whose secrets are hidden in
/// it. `address` must live as long.
class LogSubject {
 public:
  explicit LogSubject(const Address& address);
  ~LogSubject();
  LogSubject(const LogSubject&) = delete;
  LogSubject& operator=(const LogSubject&) = delete;

 private:
  const Address* const before_;
};

/// Keeps libav's log lines from the terminal from now on, for the whole process. Thread-safe.
void silence();

/// The last error line that libav logged in this thread since the last call; empty if none.
/// Lines of its own worker threads are not seen.
std::string takeLog();

/// libav's text for a negative return value, to follow a colon ("no such file or directory").
std::string reason(int code);

/// The address under which libav opens a local path, whatever characters are in the path.
inline std::string fileUrl(const std::string& path) {
  return "file:" + path;
}

}  // namespace glint::capture::libav
