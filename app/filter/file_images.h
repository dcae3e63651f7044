// Masks and the images of filters, from the files that settings name.
#pragma once

#include <memory>

#include "app/frame/setting_images.h"

namespace glint {

/// "%d" in a name stands for the camera's number.
std::shared_ptr<const SettingImages> fileImages();

}  // namespace glint
