#include "app/filter/file_images.h"

#include <algorithm>

#include "app/filter/images.h"
#include "app/mask/mask.h"

namespace glint {
namespace {

class FileImages final : public SettingImages {
 public:
  std::vector<LayerMask> masks(const Settings::Detect& detect, const std::vector<size_t>& cameras,
                               size_t count, const ImageFormat& format) const override {
    std::vector<LayerMask> masks;
    for (const size_t camera : cameras)
      masks.push_back(measuredPixels(detect, camera, count, format));
    const bool any =
        std::any_of(masks.begin(), masks.end(), [](const auto& m) { return !m.empty(); });
    return any ? masks : std::vector<LayerMask>();
  }
  FilterImages filterImages(const FilterUses& filters, const std::vector<size_t>& cameras,
                            size_t count) const override {
    return loadFilterImages(filters, cameras, count);
  }
};

}  // namespace

std::shared_ptr<const SettingImages> fileImages() {
  return std::make_shared<FileImages>();
}

}  // namespace glint
