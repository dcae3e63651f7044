#include "app/capture/camera_groups.h"

#include <algorithm>

#include "shared/limits.h"

namespace glint {

CameraGroups groupCameras(const std::vector<ImageFormat>& cameras) {
  CameraGroups groups;
  for (const ImageFormat& image : cameras) {
    auto group = std::find_if(groups.formats.begin(), groups.formats.end(), [&](const auto& f) {
      return f.image == image && f.layers < shared::kMaxLayers;
    });
    if (group == groups.formats.end()) {
      group = groups.formats.insert(group, FrameFormat{.image = image, .layers = 0});
    }
    groups.places.push_back({static_cast<size_t>(group - groups.formats.begin()), group->layers++});
  }
  return groups;
}

std::vector<ImageFormat> CameraGroups::images() const {
  std::vector<ImageFormat> all;
  for (const Place& place : places) all.push_back(formats[place.group].image);
  return all;
}

}  // namespace glint
