// Frames in memory as a recording.
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

/// Those of one camera, in order.
std::vector<output::RawShot> shotsOf(const std::vector<output::RawSet>& sets, size_t camera);

/// Can seek. `shots`: at least one, all of one format; their pixels are shared.
std::unique_ptr<capture::Source> makeMemorySource(std::string name,
                                                  std::vector<output::RawShot> shots);
/// The same for a task in the background.
std::function<std::unique_ptr<capture::Source>(const capture::Interrupt&)> memoryOpener(
    std::string name, std::vector<output::RawShot> shots);

/// Writes makeRawRecorder()'s files, all of them even where it is cancelled: they are whole, or
/// there is a problem.
class RawSave : public BackgroundTask {
 public:
  /// `sets`: at least one, in order.
  RawSave(std::string path, size_t cameras, std::vector<output::RawSet> sets,
          std::function<void()> changed);
  ~RawSave() { end(); }

  double seconds() const { return seconds_; }  ///< from the first frame to the last

 private:
  const double seconds_;
};

}  // namespace glint::shell
