// The lines that `glint track` prints on a terminal while it runs, and at its end.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "app/session/options.h"
#include "app/shell/commands/track_options.h"
#include "app/study/advice/findings.h"
#include "app/study/record/run_record.h"

namespace glint::shell {

/// A line that is rewritten a few times a second, on a terminal only.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  static constexpr std::chrono::milliseconds kInterval{250};
  /// Shows the counts, unless something was shown less than kInterval ago.
  void update(const session::SessionCounts& counts);
  /// Shows a text, unless something was shown less than kInterval ago.
  void show(const std::string& text);
  /// Removes the line from the terminal.
  void clear() const;

 private:
  bool due() const;

  bool shown_;
  bool written_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  uint64_t lastFrames_ = 0;
};

/// Prints a summary of the run to `out`, and the findings about it.
void printSummary(std::FILE* out, const TrackOptions& options, const study::RunInputs& inputs,
                  const session::SessionResult& result,
                  const std::vector<study::Finding>& findings);

}  // namespace glint::shell
