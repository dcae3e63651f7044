#include "app/sinks/rig_keeper.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/rig/rig_file.h"
#include "app/space/space_row.h"

namespace glint {

void RigKeeper::accept(const FramePtr& frame) {
  const auto* space = frame->results.get<SpaceFrame>();
  if (space == nullptr || !space->rig) return;
  rig_ = space->rig;
  corrections_ = space->corrections;
}

void RigKeeper::finish() {
  if (!rig_) return;
  RigFile file;
  file.rig = rig_->rig();
  file.method = corrections_.empty()
                    ? "no camera was moved while tracking"
                    : fmt::format("corrected while tracking: {}", fmt::join(corrections_, "; "));
  writeRig(path_, file);
}

}  // namespace glint
