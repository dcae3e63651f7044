// Points and bodies of a run as a file of a wide format.
#pragma once

#include <string>

#include "app/output/sinks/row_file.h"
#include "app/output/sinks/sink.h"
#include "app/output/takes/take_formats.h"

namespace glint::output {

/// The first line of a wide format needs all frames. Until the last one, rows wait on disk in
/// `path`.rows, a table that begins with a line which says how to finish it. It is removed when
/// `path` is complete, and otherwise keeps what was measured.
class TakeSink : public Sink {
 public:
  /// Throws UsageError if `path` is a device or a pipe, which has no place beside it. `name`: the
  /// file's name in warnings. `points`: with points; otherwise bodies alone.
  TakeSink(const std::string& path, const std::string& name, const TakeFormat& format,
           const TakeOptions& options, bool points);

  void accept(const motion::FramePtr& frame) override;
  void poll() override;
  void finish() override;

 private:
  void writeTake();

  const TakeFormat& format_;
  TakeOptions options_;
  bool points_;
  std::string path_, name_;
  RowFile rows_;
  bool any_ = false;  ///< a frame has come
  std::string text_;
};

/// Returns the name of the rows that wait for a file.
std::string spoolOf(const std::string& path);

}  // namespace glint::output
