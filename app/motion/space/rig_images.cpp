#include "app/motion/space/rig_images.h"

#include <fmt/format.h>

#include "config/error.h"

namespace glint::motion {

void checkRigImages(const SpaceRig& rig, const std::vector<std::pair<uint32_t, uint32_t>>& sizes,
                    const std::string& name, const std::string& choose) {
  if (sizes.size() != rig.size())
    throw UsageError(fmt::format("{} has {} cameras for {} source{}; {}", name, rig.size(),
                                 sizes.size(), sizes.size() == 1 ? "" : "s", choose));
  for (size_t c = 0; c < rig.size(); ++c) {
    const RigCamera& camera = rig[c].camera();
    const auto [width, height] = sizes[c];
    if (static_cast<int>(width) != camera.width || static_cast<int>(height) != camera.height)
      throw UsageError(fmt::format("camera {} has {}x{} pixels in {}, but source {} has {}x{}", c,
                                   camera.width, camera.height, name, c, width, height));
  }
}

}  // namespace glint::motion
