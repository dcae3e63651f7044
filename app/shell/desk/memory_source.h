// Makes a recording of frames in memory.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/capture/source/interrupt.h"
#include "app/capture/source/source.h"
#include "app/output/pictures/raw_frames.h"
#include "app/shell/desk/background_task.h"

namespace glint::shell {

/// Returns the frames of one camera, in order.
std::vector<output::RawShot> shotsOf(const std::vector<output::RawSet>& sets, size_t camera);

/// Returns a source of these frames, which can seek. There must be at least one, and all must have
/// one format. Their pixels are shared.
std::unique_ptr<capture::Source> makeMemorySource(std::string name,
                                                  std::vector<output::RawShot> shots);
/// Returns a function that opens a source of these frames for a task in the background.
std::function<std::unique_ptr<capture::Source>(const capture::Interrupt&)> memoryOpener(
    std::string name, std::vector<output::RawShot> shots);

/// A task that writes the files of makeRawRecorder(), and writes them completely even if it is
/// cancelled. The files are complete unless progress() has a problem.
class RawSave : public BackgroundTask {
 public:
  /// `sets` must be in order, and not be empty.
  RawSave(std::string path, size_t cameras, std::vector<output::RawSet> sets,
          std::function<void()> changed);
  ~RawSave() { end(); }

  /// Returns the time from the first frame to the last, s.
  double seconds() const { return seconds_; }

 private:
  const double seconds_;
};

}  // namespace glint::shell
