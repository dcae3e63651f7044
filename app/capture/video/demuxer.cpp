#include "app/capture/video/demuxer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fmt/format.h>

#include "app/capture/video/container_walk.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::capture {
namespace {

constexpr int kPipeBuffer = 1 << 16;
// The number of packets or frame steps that may be missing before a file counts as cut, because the
// counts that recording programs write are not always exact.
constexpr int64_t kPacketTolerance = 2;
// The most bytes of one JPEG whose length is not given: 100 megapixels of 8 bits each. JPEGs of
// cameras have 0.5 to 3 bits per pixel.
constexpr int64_t kMostJpegBytes = 100'000'000;
constexpr double kStepTolerance = 2.5;

// Returns true if a file begins like MP4 (first box, ISO/IEC 14496-12, 4.2), Matroska (EBML) or AVI
// (RIFF). This is needed because libav also goes by the suffix, so that its error alone does not
// distinguish a cut film from a text.
bool beginsLikeVideo(const std::string& path) {
  std::array<char, 12> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  const std::string_view all(head.data(), head.size());
  const std::string_view box = all.substr(4, 4);
  return box == "ftyp" || box == "mdat" || box == "wide" || box == "free" || box == "skip" ||
         all.starts_with("\x1A\x45\xDF\xA3") || (all.starts_with("RIFF") && all.ends_with("AVI "));
}

std::string_view kindOf(const AVFormatContext& input) {
  return input.iformat->name;
}

// Moves to the first start code (ITU-T H.264, annex B) of a bare stream of H.264 or H.265, which
// may begin with the rest of a picture. libav would give up if the first packet had no start code.
void skipToStartCode(AVIOContext& file) {
  if ((file.seekable & AVIO_SEEKABLE_NORMAL) == 0) return;
  const int64_t begin = avio_tell(&file);
  uint32_t last = 0xFFFFFF;
  while (!avio_feof(&file) && last != 1) last = (last << 8 | avio_r8(&file)) & 0xFFFFFF;
  avio_seek(&file, last == 1 ? avio_tell(&file) - 3 : begin, SEEK_SET);
}

}  // namespace

bool isUrl(const std::string& spec) {
  const size_t colon = spec.find("://");
  return colon != std::string::npos && colon > 0 &&
         std::all_of(spec.begin(), spec.begin() + static_cast<ptrdiff_t>(colon), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) || c == '+';
         });
}

Demuxer::Demuxer(const Address& address, bool isStream, const Interrupt* interrupt,
                 std::chrono::milliseconds patience, std::optional<uint64_t> stream)
    : address_(address), isStream_(isStream), interrupt_(interrupt), patience_(patience) {
  libav::silence();
  const libav::LogSubject subject(address_);
  open();
  findStream(stream);
  readDeclarations();
}

int Demuxer::isOverdue(void* self) {
  const auto& demuxer = *static_cast<const Demuxer*>(self);
  if (demuxer.interrupted() || demuxer.isEndless()) return 1;
  return demuxer.isStream_ && std::chrono::steady_clock::now() > demuxer.deadline_ ? 1 : 0;
}

/// Returns true if the present call has read more bytes than a picture can have.
bool Demuxer::isEndless() const {
  if (!input_ || !input_->pb || kindOf(*input_).find("jpeg") == std::string_view::npos)
    return false;
  return input_->pb->bytes_read - readBefore_ > kMostJpegBytes;
}

int Demuxer::readPipe(void* self, uint8_t* into, int size) {
  try {
    auto& demuxer = *static_cast<Demuxer*>(self);
    if (demuxer.isEndless()) return AVERROR_EXIT;
    const size_t count =
        demuxer.pipe_->read({reinterpret_cast<std::byte*>(into), static_cast<size_t>(size)});
    if (count > 0) return static_cast<int>(count);
    return demuxer.interrupted() ? AVERROR_EXIT : AVERROR_EOF;
  } catch (const Error&) {
    return AVERROR(EIO);
  }
}

void Demuxer::openPipe() {
  pipe_.emplace(address_.shown(), interrupt_);
  auto* buffer = static_cast<unsigned char*>(av_malloc(kPipeBuffer));
  io_.reset(avio_alloc_context(buffer, kPipeBuffer, 0, this, readPipe, nullptr, nullptr));
}

/// Throws Error for an address whose password is not known.
std::string Demuxer::urlToOpen() const {
  const std::string& shown = address_.shown();
  if (!isUrl(shown)) return libav::fileUrl(shown);
  if (address_.isComplete()) return address_.real();
  throw Error(
      fmt::format("'{}' cannot be opened: Glint does not store passwords; write the password in "
                  "place of ***",
                  shown));
}

void Demuxer::open() {
  libav::takeLog();
  deadline_ = std::chrono::steady_clock::now() + patience_;
  if (!isStream_ && isPipe(address_.shown())) openPipe();
  const std::string url = urlToOpen();
  AVFormatContext* raw = avformat_alloc_context();
  raw->interrupt_callback = {.callback = isOverdue, .opaque = this};
  raw->pb = io_.get();
  AVDictionary* options = nullptr;
  // Protocols that libav may use for a session description, but not for a file.
  if (isStream_ && !isUrl(address_.shown()))
    av_dict_set(&options, "protocol_whitelist", "file,crypto,data,udp,rtp,rtcp,srtp", 0);
  // The call frees `raw` if it fails.
  const int opened = avformat_open_input(&raw, url.c_str(), nullptr, &options);
  av_dict_free(&options);
  if (opened < 0) throwUnreadable(opened);
  input_.reset(raw);
  length_ = raw->pb ? avio_size(raw->pb) : 0;
  // libav would show any text file as a film of a terminal.
  if (kindOf(*input_) == "tty") throwUnreadable(AVERROR_INVALIDDATA);
  // libav would wait for the rest of a cut list for ever.
  if (kindOf(*input_) == "hls") throwIfCut();
  // Other demuxers also complain about files that are whole.
  const std::string_view kind = kindOf(*input_);
  if (!isStream_ && (kind.starts_with("matroska") || kind == "nut" || kind == "mpegts"))
    complaints_.listenTo(*input_);
  if (kind == "h264" || kind == "hevc") skipToStartCode(*input_->pb);
  // Everything about JPEG over HTTP is known, and libav would go on reading while no picture can be
  // decoded.
  const int found = kind == "mpjpeg" ? 0 : avformat_find_stream_info(raw, nullptr);
  if (found < 0) throwUnreadable(found);
  if (interrupted() || isEndless()) throwUnreadable(AVERROR_EXIT);
  // libav has read ahead, so it is not known which packets come before the loss.
  lostEarly_ = complaints_.first();
  complaints_.clear();
  noteEarlyEnd();
}

/// Returns the reason of an error. libav itself says only "immediate exit requested" if isOverdue()
/// has ended a call.
std::string Demuxer::reason(int code) const {
  if (code != AVERROR_EXIT) return libav::reason(code);
  if (isEndless())
    return fmt::format("a picture in it has no end within {} MB", kMostJpegBytes / 1'000'000);
  return fmt::format("no data for {:.3g} s", static_cast<double>(patience_.count()) / 1000);
}

void Demuxer::throwUnreadable(int code) const {
  namespace fs = std::filesystem;
  const std::string log = libav::takeLog();
  if (interrupted()) throw Interrupted("interrupted while opening '{}'", address_.shown());
  std::error_code ignored;
  if (!isStream_ && fs::is_regular_file(address_.shown(), ignored) &&
      fs::file_size(address_.shown(), ignored) == 0) {
    throw Error("'{}' is not a video: the file is empty", address_.shown());
  }
  if (log.find("moov atom not found") != std::string::npos &&
      fs::is_regular_file(address_.shown(), ignored) && beginsLikeVideo(address_.shown())) {
    throw Error(
        "'{}' is cut short: the index (moov) that an MP4 file has at its end is "
        "missing, so nothing "
        "in it can be read",
        address_.shown());
  }
  if (code == AVERROR_INVALIDDATA || code == AVERROR_EOF) {
    const bool broken = !isStream_ && fs::is_regular_file(address_.shown(), ignored) &&
                        beginsLikeVideo(address_.shown());
    throw Error("'{}' is {}{}", address_.shown(),
                broken ? "damaged or cut short, and no frame of it can be read"
                       : "not a video that can be read",
                log.empty() ? "" : " (" + log + ")");
  }
  throw Error("cannot open '{}': {}", address_.shown(), reason(code));
}

void Demuxer::throwIfCut() {
  if (fileEnd().kind == FileEnd::Kind::cut)
    throw Error("'{}' is cut short, and no frame of it can be read", address_.shown());
}

void Demuxer::findStream(std::optional<uint64_t> wanted) {
  // An MP4 file without frames leaves only this.
  if (input_->nb_streams == 0) throwIfCut();
  if (input_->nb_streams == 0) throw Error("'{}' holds no frame", address_.shown());
  const int index = av_find_best_stream(input_.get(), AVMEDIA_TYPE_VIDEO, -1, -1, nullptr, 0);
  if (index >= 0) stream_ = input_->streams[index];
  choice_ = {.read = 0, .videos = 0, .covers = 0};
  AVStream* chosen = nullptr;
  for (unsigned i = 0; i < input_->nb_streams; ++i) {
    AVStream* const one = input_->streams[i];
    if (one->codecpar->codec_type != AVMEDIA_TYPE_VIDEO) continue;
    if ((one->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) {
      ++choice_.covers;
      continue;
    }
    if (wanted == choice_.videos) chosen = one;
    if (one == (wanted ? chosen : stream_)) choice_.read = choice_.videos;
    ++choice_.videos;
  }
  if (wanted && chosen == nullptr)
    throw UsageError("'{}': stream={}: it has {}, counted from 0", address_.shown(), *wanted,
                     counted(choice_.videos, "video stream"));
  if (wanted) stream_ = chosen;
  // Grey of 16 bits, as scientific cameras write it into AVI; libav knows it by another mark.
  constexpr uint32_t kY16 = MKTAG('Y', '1', '6', ' '), kGrey16 = MKTAG('Y', '1', 0, 16);
  if (stream_ && stream_->codecpar->codec_id == AV_CODEC_ID_NONE &&
      stream_->codecpar->codec_tag == kY16) {
    stream_->codecpar->codec_id = AV_CODEC_ID_RAWVIDEO;
    stream_->codecpar->codec_tag = kGrey16;
    stream_->codecpar->format = AV_PIX_FMT_GRAY16LE;
  }
  if (!stream_ || stream_->codecpar->codec_id == AV_CODEC_ID_NONE) throwIfCut();
  if (!stream_ || (stream_->disposition & AV_DISPOSITION_ATTACHED_PIC) != 0) {
    throw Error("'{}' has no video stream", address_.shown());
  }
}

// Reads the counts and durations of those containers for which they are known to be right in intact
// files.
void Demuxer::readDeclarations() {
  const std::string_view kind = kindOf(*input_);
  if (kind.starts_with("mov") && stream_->nb_frames > 0) {
    // nb_frames is not used, because it counts frames that an edit list has cut out.
    declaredPackets_ = avformat_index_get_entries_count(stream_);
  } else if (kind == "avi") {
    // The end is counted in frame times, because a repeated frame is an empty chunk, which libav
    // does not return.
    declaredEnd_ = static_cast<double>(stream_->nb_frames) * av_q2d(stream_->time_base);
    countsAllStreams_ = false;
    for (int i = 0; i < avformat_index_get_entries_count(stream_); ++i)
      indexedPackets_ += avformat_index_get_entry(stream_, i)->size > 0 ? 1 : 0;
  } else if (kind.starts_with("matroska") && input_->duration > 0 &&
             input_->duration_estimation_method == AVFMT_DURATION_FROM_STREAM) {
    declaredEnd_ = static_cast<double>(input_->duration) / AV_TIME_BASE;
  }
}

std::string Demuxer::tag(const char* name) const {
  const AVDictionaryEntry* entry = av_dict_get(input_->metadata, name, nullptr, 0);
  return entry ? entry->value : "";
}

std::optional<uint64_t> Demuxer::frameCount() const {
  if (declaredPackets_ > 0) return static_cast<uint64_t>(declaredPackets_);
  if (declaredEnd_ > 0 && stream_->avg_frame_rate.num > 0) {
    return static_cast<uint64_t>(std::llround(declaredEnd_ * av_q2d(stream_->avg_frame_rate)));
  }
  return std::nullopt;
}

bool Demuxer::read(AVPacket& packet) {
  const libav::LogSubject subject(address_);
  for (;;) {
    deadline_ = std::chrono::steady_clock::now() + patience_;
    readBefore_ = input_->pb ? input_->pb->bytes_read : 0;
    const int code = av_read_frame(input_.get(), &packet);
    if (code < 0) {
      noteEarlyEnd();
      if (code != AVERROR_EOF) failure_ = reason(code);
      if (input_->pb && input_->pb->error < 0) failure_ = reason(input_->pb->error);
      failedAt_ = input_->pb ? avio_tell(input_->pb) : 0;
      return false;
    }
    const bool isPart = (packet.flags & AV_PKT_FLAG_CORRUPT) != 0;
    // Some demuxers fill up the missing part of a packet.
    const bool isOver = isPart || (!isStream_ && packet.pos + packet.size > length_);
    if ((isOver || fileEnd_) && isBehindEnd(packet.pos)) {
      av_packet_unref(&packet);
      return false;
    }
    const bool isVideo = packet.stream_index == stream_->index;
    if (isVideo) latestIsPart_ = isPart;
    if (isVideo || countsAllStreams_) noteEnd(packet);
    if (isVideo) {
      ++packets_;
      if (packet.size > 0) ++filledPackets_;
      // Decoders would take an empty packet for the end of the stream.
      if (packet.size > 0) return true;
    }
    av_packet_unref(&packet);
  }
}

bool Demuxer::seek(int64_t time) {
  const libav::LogSubject subject(address_);
  failure_.clear();
  latestIsPart_ = false;
  libav::takeLog();
  return av_seek_frame(input_.get(), stream_->index, time, AVSEEK_FLAG_BACKWARD) >= 0;
}

// Notes that a Matroska file stops inside a frame, which libav only logs, while it returns a
// regular end.
void Demuxer::noteEarlyEnd() {
  const std::string log = libav::takeLog();
  if (log.find("ended prematurely") != std::string::npos) failure_ = log;
}

void Demuxer::noteEnd(const AVPacket& packet) {
  const int64_t start = packet.pts != AV_NOPTS_VALUE ? packet.pts : packet.dts;
  if (start == AV_NOPTS_VALUE) return;
  const double tick = av_q2d(input_->streams[packet.stream_index]->time_base);
  end_ = std::max(end_, static_cast<double>(start + packet.duration) * tick);
}

const FileEnd& Demuxer::fileEnd() {
  if (!fileEnd_) fileEnd_ = isStream_ ? FileEnd{} : containerEnd(address_.shown(), kindOf(*input_));
  return *fileEnd_;
}

/// Returns true for a position in the padding of a file, which demuxers take for damage or packets.
bool Demuxer::isBehindEnd(int64_t position) {
  const FileEnd& end = fileEnd();
  return end.kind == FileEnd::Kind::whole && position >= static_cast<int64_t>(end.at);
}

bool Demuxer::endedEarly(double largestStep) {
  if (fileEnd().kind == FileEnd::Kind::cut || latestIsPart_) return true;
  if (!failure_.empty() && !isBehindEnd(failedAt_)) return true;
  if (declaredPackets_ > 0) return packets_ + kPacketTolerance < declaredPackets_;
  if (filledPackets_ < indexedPackets_) return true;
  if (declaredEnd_ <= 0) return false;
  const AVRational rate = stream_->avg_frame_rate;
  const double step = std::max(largestStep, rate.num > 0 ? 1 / av_q2d(rate) : 0.0);
  return end_ + kStepTolerance * step < declaredEnd_;
}

}  // namespace glint::capture
