#include "app/output/sinks/rig_keeper.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/motion/rig/rig_file.h"
#include "app/motion/space/space_row.h"

namespace glint::output {

void RigKeeper::accept(const motion::FramePtr& frame) {
  const auto* space = frame->results.get<motion::SpaceFrame>();
  if (space == nullptr || !space->rig) return;
  rig_ = space->rig;
  corrections_ = space->corrections;
}

void RigKeeper::finish() {
  if (!rig_) return;
  motion::RigFile file;
  file.rig = rig_->rig();
  file.method = corrections_.empty()
                    ? "no camera was moved while tracking"
                    : fmt::format("corrected while tracking: {}", fmt::join(corrections_, "; "));
  motion::writeRig(path_, file);
}

}  // namespace glint::output
