#include "app/capture/filter/file_images.h"

#include <algorithm>

#include "app/capture/filter/images.h"
#include "app/capture/mask/mask.h"

namespace glint::capture {
namespace {

class FileImages final : public motion::SettingImages {
 public:
  std::vector<gpu::LayerMask> masks(const Settings::Detect& detect,
                                    const std::vector<size_t>& cameras, size_t count,
                                    const gpu::ImageFormat& format) const override {
    std::vector<gpu::LayerMask> masks;
    for (const size_t camera : cameras)
      masks.push_back(measuredPixels(detect, camera, count, format));
    const bool any =
        std::any_of(masks.begin(), masks.end(), [](const auto& m) { return !m.empty(); });
    return any ? masks : std::vector<gpu::LayerMask>();
  }
  gpu::FilterImages filterImages(const FilterUses& filters, const std::vector<size_t>& cameras,
                                 size_t count) const override {
    return loadFilterImages(filters, cameras, count);
  }
};

}  // namespace

std::shared_ptr<const motion::SettingImages> fileImages() {
  return std::make_shared<FileImages>();
}

}  // namespace glint::capture
