// Masks and the images of filters, from the files that settings name.
#pragma once

#include <memory>

#include "app/motion/frame/setting_images.h"

namespace glint::capture {

/// "%d" in a name stands for the camera's number.
std::shared_ptr<const motion::SettingImages> fileImages();

}  // namespace glint::capture
