// Frames in memory, saved as a raw recording.
#pragma once

#include <string>
#include <vector>

#include "app/output/pictures/raw_frames.h"
#include "app/shell/desk/background_task.h"

namespace glint::shell {

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
