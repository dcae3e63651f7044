// The figures of a running recording.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "app/output/sinks/sink.h"

namespace glint::shell {

/// Counts rows of tracks when they become final, which is when they are written. Any thread.
class RowCounter final : public output::Sink {
 public:
  void accept(const motion::FramePtr& frame) override;
  uint64_t rows() const { return rows_; }

 private:
  std::atomic<uint64_t> rows_ = 0;
};

/// Returns the number of bytes that a user may still write at the place of `path`; empty if
/// unknown.
std::optional<uint64_t> freeBytes(const std::string& path);

/// Returns the size of the existing files, with the temporary files beside them, in bytes.
uint64_t bytesOf(const std::vector<std::string>& files);

/// The figures of one recording. One thread. Times are those of a clock that never goes back.
class RecordingMeter {
 public:
  static constexpr double kWindow = 10;  ///< s, the time over which the rate is measured

  struct Status {
    double elapsed = 0;                 ///< s since the recording began
    uint64_t rows = 0;                  ///< rows written since then
    uint64_t bytes = 0;                 ///< size of its files
    double bytesPerSecond = 0;          ///< rate in the last kWindow seconds
    std::optional<uint64_t> freeBytes;  ///< free space at the place of the first file
    /// The time in s until the disk is full at this rate; empty if nothing is written, or unknown.
    std::optional<double> lasts;
  };

  /// Begins a recording at `seconds`, when `rows` rows have become final already.
  RecordingMeter(double seconds, uint64_t rows) : begin_(seconds), firstRows_(rows) {}

  /// Updates the figures at `seconds`. A few times a second are enough.
  void update(double seconds, uint64_t rows, uint64_t bytes, std::optional<uint64_t> free);

  const Status& status() const { return status_; }

 private:
  struct Sample {
    double seconds;
    uint64_t bytes;
  };
  double begin_;
  uint64_t firstRows_;
  std::deque<Sample> samples_;  // the first one is at least kWindow old, if there is one so old
  Status status_;
};

/// Returns a time that can be read at a glance: "0:07", "12:34", "1:02:03".
std::string clockText(double seconds);
/// Returns words for a duration: "less than a minute", "~5 min", "~2 h", "more than a day".
std::string aboutText(double seconds);
/// Returns words for a size, with powers of 1000: "412 B", "1.5 kB", "23 MB", "1.2 GB".
std::string bytesText(uint64_t bytes);

}  // namespace glint::shell
