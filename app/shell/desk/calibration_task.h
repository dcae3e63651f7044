// Calibrates cameras from what was recorded of a target, in the background.
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

struct CalibrationRequest {
  motion::PointTable table;
  std::vector<motion::FrameExtent> sizes;  ///< a camera each
  motion::Target target;
  std::optional<motion::BoardViews> boards;  ///< instead of the table, of a board
  std::string method;                        ///< one sentence, for the rig
};

/// What `glint calibrate` would give, in a world in which the first camera stands level, z up.
struct CalibrationResult {
  motion::RigFile rig;
  motion::Grade grade;
  std::vector<std::string> notes;  ///< a sentence each
  motion::HeldOut heldOut;         ///< in moments that were kept back
  size_t found = 0;                ///< moments with the target in them
  std::string account;             ///< the record, JSON
};

class CalibrationTask : public BackgroundTask {
 public:
  explicit CalibrationTask(CalibrationRequest request, std::function<void()> changed = {});
  ~CalibrationTask() { end(); }

  /// Null before it is done, and where it fails: see progress().
  std::shared_ptr<const CalibrationResult> result() const;

 private:
  std::pair<motion::Calibration, motion::LightRecording> solved(
      const motion::CalibrationOptions& options) const;

  const CalibrationRequest request_;
  std::shared_ptr<const CalibrationResult> result_;
};

/// Writes the rig and, beside it with the ending .json, its record. Throws Error naming the file;
/// UsageError for a name that is taken, or does not end in .toml.
void keepRig(const CalibrationResult& result, const std::string& path);

}  // namespace glint::shell
