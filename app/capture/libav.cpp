#include "app/capture/libav.h"

#include <array>
#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <mutex>

namespace glint::libav {
namespace {

// A fixed array: libav's worker threads log too, and a string would allocate in each of them.
thread_local std::array<char, 256> lastLine{};

void keepErrors(void*, int level, const char* format, va_list arguments) {
  if (level > AV_LOG_ERROR) return;
  std::vsnprintf(lastLine.data(), lastLine.size(), format, arguments);
}

}  // namespace

void OutputCloser::operator()(AVFormatContext* p) const {
  if (p->pb) avio_closep(&p->pb);
  avformat_free_context(p);
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

}  // namespace glint::libav
