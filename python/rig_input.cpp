#include "python/rig_input.h"

#include <utility>

#include <fmt/format.h>

#include "app/motion/rig/rig_file.h"
#include "app/motion/space/bodies_file.h"
#include "app/motion/space/space_rig.h"
#include "config/error.h"

namespace glint::python {

std::shared_ptr<const motion::SpaceRig> rigOf(const RigInput& input) {
  motion::RigFile file = motion::readRigText(input.rig, "rig");
  if (file.unit != "mm")
    throw UsageError(fmt::format("rig: its lengths are in {}, but points are in mm", file.unit));
  std::vector<bool> used(file.rig.cameras.size());
  for (const size_t camera : input.cameras) {
    if (camera >= used.size() || used[camera])
      throw UsageError(
          fmt::format("cameras: {} is named twice, or the rig has no such camera", camera));
    used[camera] = true;
  }
  if (!input.cameras.empty()) file.rig = motion::chosen(file.rig, input.cameras);
  if (file.rig.cameras.size() < 2)
    throw UsageError("rig: it has one camera; points need two or more");
  return std::make_shared<const motion::SpaceRig>(std::move(file.rig));
}

std::shared_ptr<const std::vector<motion::Body>> bodiesOf(const RigInput& input) {
  if (input.bodies.empty()) return nullptr;
  return std::make_shared<const std::vector<motion::Body>>(
      motion::readBodiesText(input.bodies, "bodies"));
}

}  // namespace glint::python
