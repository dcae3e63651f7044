#include "app/capture/video/libav.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <mutex>
#include <string_view>
#include <utility>

#include "app/base/log.h"

namespace glint::capture::libav {
namespace {

// This is a fixed array because libav's worker threads log, too, and a string would allocate memory
// in each of them.
thread_local std::array<char, 256> lastLine{};
thread_local const Address* subject = nullptr;  // of LogSubject

// Parts of messages that decoders log for streams that are whole: frames that refer to frames
// before the beginning or before the last seek, and streams that break a rule on which nothing
// depends.
constexpr std::array<std::string_view, 9> kHarmless{"mmco:",
                                                    "number of reference frames",
                                                    "co located POCs",
                                                    "reference picture missing",
                                                    "Missing reference picture",
                                                    "Could not find ref with POC",
                                                    "Frame num",
                                                    "no frame!",
                                                    "PPS id out of range"};

bool isHarmless(std::string_view format) {
  return std::ranges::any_of(kHarmless, [&](std::string_view words) {
    return format.find(words) != std::string_view::npos;
  });
}

// Returns true if a message means that data are lost. Matroska's demuxer skips entries that it does
// not know, and that of MPEG-TS skips missing packets; both report that only at the levels for
// debugging.
bool isLoss(int level, std::string_view format) {
  return level <= AV_LOG_ERROR || format.find("Unknown entry") != std::string_view::npos ||
         format.find("Continuity check failed") != std::string_view::npos;
}

void complain(void* object, int level, const char* format) {
  const AVClass* const kind = *static_cast<const AVClass**>(object);
  if (kind == avcodec_get_class() && level <= AV_LOG_ERROR) {
    auto& decoder = *static_cast<AVCodecContext*>(object);
    if (decoder.opaque && !isHarmless(format))
      static_cast<Complaints*>(decoder.opaque)->add(decoder.reordered_opaque);
  } else if (kind == avformat_get_class() && isLoss(level, format)) {
    auto& demuxer = *static_cast<AVFormatContext*>(object);
    if (demuxer.opaque)
      static_cast<Complaints*>(demuxer.opaque)->add(demuxer.pb ? avio_tell(demuxer.pb) : 0);
  }
}

void keepErrors(void* object, int level, const char* format, va_list arguments) {
  if (object) complain(object, level, format);
  if (level > AV_LOG_ERROR) return;
  std::array<char, 4096> line{};  // long enough for an address, which must not lose its end
  std::vsnprintf(line.data(), line.size(), format, arguments);
  const std::string shown = subject ? subject->hideIn(line.data()) : hideSecrets(line.data());
  lastLine[shown.copy(lastLine.data(), lastLine.size() - 1)] = '\0';
  base::log(base::LogLevel::debug, "libav: " + shown);
}

}  // namespace

void OutputCloser::operator()(AVFormatContext* p) const {
  if (p->pb && (p->flags & AVFMT_FLAG_CUSTOM_IO) == 0) avio_closep(&p->pb);
  avformat_free_context(p);
}

void Complaints::add(int64_t time) {
  const std::lock_guard lock(mutex_);
  times_.insert(time);
}

bool Complaints::of(int64_t time) const {
  const std::lock_guard lock(mutex_);
  return times_.contains(time);
}

bool Complaints::since(int64_t time) const {
  const std::lock_guard lock(mutex_);
  return times_.lower_bound(time) != times_.end();
}

std::optional<int64_t> Complaints::first() const {
  const std::lock_guard lock(mutex_);
  return times_.empty() ? std::nullopt : std::optional(*times_.begin());
}

void Complaints::clear() {
  const std::lock_guard lock(mutex_);
  times_.clear();
}

LogSubject::LogSubject(const Address& address) : before_(std::exchange(subject, &address)) {}

LogSubject::~LogSubject() {
  subject = before_;
}

void silence() {
  static std::once_flag once;
  std::call_once(once, [] { av_log_set_callback(keepErrors); });
}

std::string takeLog() {
  std::string line = lastLine.data();
  lastLine[0] = '\0';
  while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back()))) line.pop_back();
  return line;
}

std::string reason(int code) {
  std::array<char, AV_ERROR_MAX_STRING_SIZE> text{};
  av_strerror(code, text.data(), text.size());
  text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text.data();
}

std::span<const std::byte> besideOf(const AVPacket& packet) {
  constexpr size_t kId = 8;  // bytes of the id before the data, big endian
  size_t size = 0;
  const uint8_t* data =
      av_packet_get_side_data(&packet, AV_PKT_DATA_MATROSKA_BLOCKADDITIONAL, &size);
  if (!data || size < kId || data[kId - 1] != 1) return {};
  return {reinterpret_cast<const std::byte*>(data) + kId, size - kId};
}

}  // namespace glint::capture::libav
