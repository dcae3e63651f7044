#include "app/capture/sets/frame_set.h"

#include <algorithm>

#include "shared/limits.h"

namespace glint::capture {

CameraGroups groupCameras(const std::vector<gpu::ImageFormat>& cameras) {
  CameraGroups groups;
  for (const gpu::ImageFormat& image : cameras) {
    auto group = std::ranges::find_if(groups.formats, [&](const auto& f) {
      return f.image == image && f.layers < shared::kMaxLayers;
    });
    if (group == groups.formats.end()) {
      group = groups.formats.insert(group, gpu::FrameFormat{.image = image, .layers = 0});
    }
    groups.places.push_back({static_cast<size_t>(group - groups.formats.begin()), group->layers++});
  }
  return groups;
}

std::vector<gpu::ImageFormat> CameraGroups::images() const {
  std::vector<gpu::ImageFormat> all;
  for (const Place& place : places) all.push_back(formats[place.group].image);
  return all;
}

}  // namespace glint::capture
