// Owns libav's objects, and returns its errors as text. Internal to capture/ and export/.
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

/// The flags of all colour conversions: the same bits on every machine, chroma at full resolution.
/// Bilinear takes half the time of bicubic (17 and 33 ms for yuv420p of 1920 x 1080 on one core).
inline constexpr int kScalerFlags =
    SWS_BILINEAR | SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP;

/// The errors that libav logs while it reads or decodes. It does not always return them: it patches
/// up damaged pictures, and skips lost bytes. Thread-safe, because decoders log in worker threads.
/// A complaint of a demuxer has the position in the file instead of a time.
class Complaints {
 public:
  /// Makes complaints of `decoder` come here from now on, each with its packet's reordered_opaque
  /// as the time. The context must not outlive the object.
  void listenTo(AVCodecContext& decoder) { decoder.opaque = this; }
  void listenTo(AVFormatContext& demuxer) { demuxer.opaque = this; }

  void add(int64_t time);
  /// Returns true if there was a complaint about a packet of this time.
  bool of(int64_t time) const;
  /// Returns true if there was a complaint about a packet of this time or a later one.
  bool since(int64_t time) const;
  /// Returns the earliest time of a complaint.
  std::optional<int64_t> first() const;
  void clear();

 private:
  mutable std::mutex mutex_;
  std::set<int64_t> times_;
};

/// Returns the data beside the frame of a Matroska packet (BlockAdditional of id 1); or nothing.
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

/// Returns the last error line that libav logged in this thread since the last call; empty if there
/// is none. Lines of libav's own worker threads are not seen.
std::string takeLog();

/// Returns libav's text for a negative return value, to follow a colon ("no such file or
/// directory").
std::string reason(int code);

/// Returns the address by which libav opens a local path, whatever characters are in the path.
inline std::string fileUrl(const std::string& path) {
  return "file:" + path;
}

}  // namespace glint::capture::libav
