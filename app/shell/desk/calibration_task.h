// Calibrates cameras in the background, from recorded places of a target.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/motion/calibrate/account.h"
#include "app/motion/calibrate/board_views.h"
#include "app/motion/calibrate/points_table.h"
#include "app/motion/rig/rig_file.h"
#include "app/shell/desk/background_task.h"

namespace glint::shell {

/// A recording of a target from which cameras are calibrated.
struct CalibrationRequest {
  motion::PointTable table;
  std::vector<motion::FrameExtent> sizes;  ///< one for each camera
  motion::Target target;
  std::optional<motion::BoardViews> boards;  ///< the views of a board, instead of the table
  std::string method;                        ///< one sentence, for the rig
};

/// The result of `glint calibrate`, in a world in which the first camera stands level and z points
/// up.
struct CalibrationResult {
  motion::RigFile rig;
  motion::Grade grade, coverage;
  std::vector<std::string> notes;  ///< one sentence each
  motion::HeldOut heldOut;         ///< errors in moments that were kept back
  size_t found = 0;                ///< number of moments with the target
  std::string account;             ///< the record as JSON
};

/// The task that calibrates cameras.
class CalibrationTask : public BackgroundTask {
 public:
  explicit CalibrationTask(CalibrationRequest request, std::function<void()> changed = {});
  ~CalibrationTask() { end(); }

  /// Returns the result; null before the work is done, and if it has failed: see progress().
  std::shared_ptr<const CalibrationResult> result() const;

 private:
  std::pair<motion::Calibration, motion::LightRecording> solved(
      const motion::CalibrationOptions& options) const;

  const CalibrationRequest request_;
  std::shared_ptr<const CalibrationResult> result_;
};

/// Writes the rig, and its record beside it with the ending .json. Throws Error naming the file.
/// Throws UsageError for a name that is taken, or does not end in .toml.
void keepRig(const CalibrationResult& result, const std::string& path);

}  // namespace glint::shell
