// Whether a rig is that of the images.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/motion/space/space_rig.h"

namespace glint::motion {

/// Throws UsageError where sources' images (width and height, px) are not those of the rig's
/// cameras, in number and size. Messages call the rig `name`, and say with `choose` what chooses
/// other cameras of it.
void checkRigImages(const SpaceRig& rig, const std::vector<std::pair<uint32_t, uint32_t>>& sizes,
                    const std::string& name, const std::string& choose);

}  // namespace glint::motion
