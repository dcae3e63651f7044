// Packets of the video stream of a file or URL, and whether the file is whole. Internal to
// capture/.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "app/capture/libav.h"

namespace glint {

/// One opened container. Errors of opening are thrown as Error, one sentence that names `spec`.
class Demuxer {
 public:
  /// Opens the local path or, if `isStream`, the address `spec`.
  Demuxer(const std::string& spec, bool isStream);

  const std::string& name() const { return spec_; }
  bool isStream() const { return isStream_; }
  AVStream& stream() const { return *stream_; }

  /// Frames of the video as the container says; exact if countIsExact().
  std::optional<uint64_t> frameCount() const;
  bool countIsExact() const { return declaredPackets_ > 0 || !countsAllStreams_; }

  /// Moves the next packet of the video stream into `packet`; false at the end or after a failure.
  bool read(AVPacket& packet);

  /// After read() has returned false: whether the container broke off or says that more should
  /// have come. `largestStep`, in s, is the longest time between two frames so far: the length of
  /// the last frame is not known in every container, and differences below 2.5 such steps count
  /// for nothing.
  bool endedEarly(double largestStep) const;

  /// What libav said when read() failed; empty at a regular end.
  const std::string& failure() const { return failure_; }

 private:
  void open();
  void findStream();
  void readDeclarations();
  void noteEarlyEnd();
  void noteEnd(const AVPacket& packet);
  [[noreturn]] void throwUnreadable(int code) const;
  static int isOverdue(void* self);

  std::string spec_;
  bool isStream_;
  std::chrono::steady_clock::time_point deadline_;  ///< of the present call, if isStream_
  libav::Input input_;
  AVStream* stream_ = nullptr;    ///< owned by input_
  int64_t declaredPackets_ = 0;   ///< of the video stream; 0: not said
  double declaredEnd_ = 0;        ///< s, of the video or of all streams; 0: not said
  bool countsAllStreams_ = true;  ///< whether declaredEnd_ is that of the longest stream
  int64_t packets_ = 0;           ///< read so far, of the video stream
  double end_ = 0;                ///< s, where the latest packet of those streams ends
  std::string failure_;
};

}  // namespace glint
