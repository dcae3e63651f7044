// Figures of a running recording.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "app/output/sinks/sink.h"

namespace glint::shell {

/// Counts rows of tracks as they become final, which is when they are written. Any thread.
class RowCounter final : public output::Sink {
 public:
  void accept(const motion::FramePtr& frame) override;
  uint64_t rows() const { return rows_; }

 private:
  std::atomic<uint64_t> rows_ = 0;
};

/// Bytes that a user may still write where `path` is or would be; empty where unknown.
std::optional<uint64_t> freeBytes(const std::string& path);

/// Bytes of the files that there are, and of what they spool beside them.
uint64_t bytesOf(const std::vector<std::string>& files);

/// One recording. Used by one thread; times are those of a clock that never goes back.
class RecordingMeter {
 public:
  static constexpr double kWindow = 10;  ///< s: over how long the rate is taken

  struct Status {
    double elapsed = 0;                 ///< s since the recording began
    uint64_t rows = 0;                  ///< written since then
    uint64_t bytes = 0;                 ///< in its files
    double bytesPerSecond = 0;          ///< over the last kWindow seconds
    std::optional<uint64_t> freeBytes;  ///< where the first file is
    /// s until the disk is full at this rate; empty where nothing is written, or unknown.
    std::optional<double> lasts;
  };

  /// The recording begins at `seconds`, after `rows` finalised rows.
  RecordingMeter(double seconds, uint64_t rows) : begin_(seconds), firstRows_(rows) {}

  /// What is so at `seconds`: a few times a second is enough.
  void update(double seconds, uint64_t rows, uint64_t bytes, std::optional<uint64_t> free);

  const Status& status() const { return status_; }

 private:
  struct Sample {
    double seconds;
    uint64_t bytes;
  };
  double begin_;
  uint64_t firstRows_;
  std::deque<Sample> samples_;  // the first one at least kWindow back, if there is one
  Status status_;
};

/// "0:07", "12:34", "1:02:03": a time to be read at a glance.
std::string clockText(double seconds);
/// "less than a minute", "~5 min", "~2 h", "more than a day": how long something lasts.
std::string aboutText(double seconds);
/// "412 B", "1.5 kB", "23 MB", "1.2 GB": powers of 1000.
std::string bytesText(uint64_t bytes);

}  // namespace glint::shell
