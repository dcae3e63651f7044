// Reads the packets of the video stream of a file or URL, and finds out if the file is whole.
// Internal to capture/.
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
#include "config/secrets.h"

namespace glint::capture {

/// The time after which a network stream that sends nothing is given up.
inline constexpr std::chrono::milliseconds kStreamPatience{10'000};

/// Returns true if `spec` is the address of a network stream: rtsp://, udp://, http:// and the
/// like.
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
  /// Opens the local path or, if `isStream`, the address, which is given up when nothing has
  /// come for `patience`. `stream`: the video stream to read, counted from 0; the best one if it is
  /// empty. Throws Interrupted, too, and UsageError if there is no such stream.
  Demuxer(const Address& address, bool isStream, const Interrupt* interrupt = nullptr,
          std::chrono::milliseconds patience = kStreamPatience,
          std::optional<uint64_t> stream = {});
  Demuxer(const Demuxer&) = delete;
  Demuxer& operator=(const Demuxer&) = delete;

  const std::string& name() const { return address_.shown(); }
  bool isStream() const { return isStream_; }
  /// Returns the value of the file's tag `name`; or an empty text.
  std::string tag(const char* name) const;
  std::string_view kind() const {
    return input_->iformat->name;
  }  ///< libav's name of the container
  /// Sets another patience than at opening.
  void setPatience(std::chrono::milliseconds patience) { patience_ = patience; }
  AVStream& stream() const { return *stream_; }
  const StreamChoice& choice() const { return choice_; }

  /// Returns the number of frames according to the container; exact if countIsExact().
  std::optional<uint64_t> frameCount() const;
  /// Returns true if the container has a number of frames, so that the stream's average rate is
  /// that of its frames.
  bool countsFrames() const { return declaredPackets_ > 0; }
  bool countIsExact() const { return countsFrames() || !countsAllStreams_; }

  /// Moves the next packet of the video stream into `packet`. Returns false at the end, after a
  /// failure, and if interrupted().
  bool read(AVPacket& packet);
  bool interrupted() const { return interrupt_ && interrupt_->isSet(); }

  /// Goes to a place at or before `time`, in units of the stream's time base, as near as the
  /// container can. Returns false if it cannot. endedEarly() is no longer valid afterwards.
  bool seek(int64_t time);

  /// Returns true, after read() has returned false, if the container broke off or says that more
  /// should have come. `largestStep`: the longest time between two frames so far, s. Not every
  /// container has the length of the last frame, so differences below 2.5 such steps are ignored.
  bool endedEarly(double largestStep);
  /// Returns true if the container says where it ends.
  bool knowsItsEnd() { return fileEnd().kind != FileEnd::Kind::unknown; }

  /// Returns true if libav has reported that it skipped bytes in the middle: frames may be missing.
  bool skippedBytes() { return isLoss(complaints_.first()); }
  /// Returns true if libav has reported that it skipped bytes which it read ahead while opening.
  bool skippedBytesEarly() { return isLoss(lostEarly_); }

  /// Returns libav's message about the failure of read(); empty at a regular end.
  const std::string& failure() const { return failure_; }

 private:
  std::string urlToOpen() const;
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

  Address address_;
  bool isStream_;
  const Interrupt* interrupt_;
  std::chrono::milliseconds patience_;
  std::optional<PipeInput> pipe_;
  libav::Io io_;                                    ///< reads pipe_
  std::chrono::steady_clock::time_point deadline_;  ///< of the present call, if isStream_
  int64_t length_ = 0;                              ///< bytes of the file
  int64_t readBefore_ = 0;                          ///< bytes read before the present call
  std::optional<int64_t> lostEarly_;  ///< position of bytes that were skipped while opening
  libav::Complaints complaints_;      ///< of the demuxers of Matroska, NUT and MPEG-TS
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
  int64_t failedAt_ = 0;            ///< position of the demuxer at the failure, bytes
  bool latestIsPart_ = false;       ///< true if the latest packet is only the beginning of one
  std::optional<FileEnd> fileEnd_;  ///< empty until it is first needed
};

}  // namespace glint::capture
