// The lines that `glint track` prints on a terminal: while it runs, and at its end.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "app/advice/findings.h"
#include "app/commands/track_options.h"
#include "app/record/run_record.h"
#include "app/session/options.h"

namespace glint {

/// A line that is rewritten a few times a second, on a terminal only.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  static constexpr std::chrono::milliseconds kInterval{250};
  void update(const SessionCounts& counts);
  void show(const std::string& text);
  void clear() const;

 private:
  bool due() const;

  bool shown_;
  bool written_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  uint64_t lastFrames_ = 0;
};

/// Prints to `out` what was done, and the findings about it.
void printSummary(std::FILE* out, const TrackOptions& options, const RunInputs& inputs,
                  const SessionResult& result, const std::vector<Finding>& findings);

}  // namespace glint
