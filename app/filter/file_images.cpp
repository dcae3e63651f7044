#include "app/filter/file_images.h"

#include "app/filter/images.h"
#include "app/mask/mask.h"

namespace glint {
namespace {

class FileImages final : public SettingImages {
 public:
  std::vector<LayerMask> masks(const std::string& name, const std::vector<size_t>& cameras,
                               size_t count, const ImageFormat& format) const override {
    const std::vector<std::string> paths = maskPaths(name, count);
    std::vector<LayerMask> masks;
    for (const size_t camera : cameras)
      if (!paths.empty()) masks.push_back(loadMask(paths[camera], format));
    return masks;
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
