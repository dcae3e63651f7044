// Packets of the video stream of a file or URL, and whether the file is whole. Internal to
// capture/.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/capture/source/interrupt.h"
#include "app/capture/source/pipe_input.h"
#include "app/capture/video/container_walk.h"
#include "app/capture/video/libav.h"

namespace glint::capture {

/// How long a network stream may say nothing.
inline constexpr std::chrono::milliseconds kStreamPatience{10'000};

/// Whether `spec` is the address of a network stream: rtsp://, udp://, http:// and the like.
bool isUrl(const std::string& spec);

/// The video streams of a file, cover pictures apart.
struct StreamChoice {
  uint64_t read = 0;    ///< the one that is read, counted from 0
  uint64_t videos = 1;  ///< how many there are
  uint64_t covers = 0;  ///< pictures that are no video, such as covers
};

/// One opened container. Errors of opening are thrown as Error, one sentence that names `spec`.
class Demuxer {
 public:
  /// Opens the local path or, if `isStream`, the address `spec`, which is given up when nothing has
  /// come for `patience`. `stream`: the video stream to read, counted from 0; the best one if it is
  /// empty. Throws Interrupted, too, and UsageError if there is no such stream.
  Demuxer(const std::string& spec, bool isStream, const Interrupt* interrupt = nullptr,
          std::chrono::milliseconds patience = kStreamPatience,
          std::optional<uint64_t> stream = {});
  Demuxer(const Demuxer&) = delete;
  Demuxer& operator=(const Demuxer&) = delete;

  const std::string& name() const { return spec_; }
  bool isStream() const { return isStream_; }
  /// What the file says of itself under this name, or empty.
  std::string tag(const char* name) const;
  std::string_view kind() const { return input_->iformat->name; }  ///< the container, as libav says
  /// From now on another patience than at opening.
  void setPatience(std::chrono::milliseconds patience) { patience_ = patience; }
  AVStream& stream() const { return *stream_; }
  const StreamChoice& choice() const { return choice_; }

  /// Frames of the video as the container says; exact if countIsExact().
  std::optional<uint64_t> frameCount() const;
  /// Whether it says, so that the stream's average rate is that of its frames.
  bool countsFrames() const { return declaredPackets_ > 0; }
  bool countIsExact() const { return countsFrames() || !countsAllStreams_; }

  /// Moves the next packet of the video stream into `packet`; false at the end, after a failure, or
  /// interrupted().
  bool read(AVPacket& packet);
  bool interrupted() const { return interrupt_ && interrupt_->isSet(); }

  /// Goes to somewhere at or before `time`, in units of the stream's time base, as well as the
  /// container can; what endedEarly() says no longer counts. False where it cannot.
  bool seek(int64_t time);

  /// After read() has returned false: whether the container broke off or says that more should
  /// have come. `largestStep`, in s, is the longest time between two frames so far: the length of
  /// the last frame is not known in every container, and differences below 2.5 such steps count
  /// for nothing.
  bool endedEarly(double largestStep);
  /// Whether the container says where it ends.
  bool knowsItsEnd() { return fileEnd().kind != FileEnd::Kind::unknown; }

  /// Whether libav reports that it skipped bytes in the middle: frames may be missing.
  bool skippedBytes() { return isLoss(complaints_.first()); }
  /// The same of what libav has read ahead while opening.
  bool skippedBytesEarly() { return isLoss(lostEarly_); }

  /// What libav said when read() failed; empty at a regular end.
  const std::string& failure() const { return failure_; }

 private:
  void open();
  void findStream(std::optional<uint64_t> wanted);
  void readDeclarations();
  void noteEarlyEnd();
  void noteEnd(const AVPacket& packet);
  const FileEnd& fileEnd();
  bool isBehindEnd(int64_t position);
  bool isLoss(std::optional<int64_t> position) { return position && !isBehindEnd(*position); }
  void throwIfCut();
  void openPipe();
  std::string reason(int code) const;
  [[noreturn]] void throwUnreadable(int code) const;
  bool isEndless() const;
  static int isOverdue(void* self);
  static int readPipe(void* self, uint8_t* into, int size);

  std::string spec_;
  bool isStream_;
  const Interrupt* interrupt_;
  std::chrono::milliseconds patience_;
  std::optional<PipeInput> pipe_;
  libav::Io io_;                                    ///< of pipe_
  std::chrono::steady_clock::time_point deadline_;  ///< of the present call, if isStream_
  int64_t length_ = 0;                              ///< bytes of a file
  int64_t readBefore_ = 0;                          ///< bytes, when the present call began
  std::optional<int64_t> lostEarly_;                ///< where
  libav::Complaints complaints_;  ///< of the demuxers of Matroska, NUT and MPEG-TS
  libav::Input input_;
  AVStream* stream_ = nullptr;  ///< owned by input_
  StreamChoice choice_;
  int64_t declaredPackets_ = 0;   ///< of the video stream; 0: not said
  int64_t indexedPackets_ = 0;    ///< AVI: that its index lists and that hold something
  double declaredEnd_ = 0;        ///< s, of the video or of all streams; 0: not said
  bool countsAllStreams_ = true;  ///< whether declaredEnd_ is that of the longest stream
  int64_t packets_ = 0;           ///< read so far, of the video stream
  int64_t filledPackets_ = 0;     ///< those of them that hold something
  double end_ = 0;                ///< s, where the latest packet of those streams ends
  std::string failure_;
  int64_t failedAt_ = 0;            ///< bytes, where the demuxer was then
  bool latestIsPart_ = false;       ///< the latest packet is the beginning of one
  std::optional<FileEnd> fileEnd_;  ///< once it was asked for
};

}  // namespace glint::capture
