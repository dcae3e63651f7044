#include "config/settings.h"

#include <algorithm>
#include <utility>

namespace glint {
namespace {

using Camera = Settings::Camera;

/// Returns `common` with those settings replaced that `own` sets.
Camera over(const Camera& common, const Camera& own) {
  const Camera none = Settings().camera;
  Camera merged = common;
  const auto take = [&](auto... members) {
    // A setting of a single camera that has its default counts as not set.
    ((own.*members != none.*members ? void(merged.*members = own.*members) : void()), ...);
  };
  take(&Camera::size, &Camera::format, &Camera::rate, &Camera::exposure, &Camera::gain,
       &Camera::whiteBalance, &Camera::focus, &Camera::powerLine, &Camera::blackLevel,
       &Camera::trigger, &Camera::controls, &Camera::colour, &Camera::id);
  return merged;
}

}  // namespace

Camera cameraSettings(const Settings& settings, int number) {
  const auto found = settings.cameras.find(number);
  return found == settings.cameras.end() ? settings.camera : over(settings.camera, found->second);
}

void placeCameras(Settings& settings, const std::vector<std::string>& ids) {
  std::map<int, Camera> placed, left = std::exchange(settings.cameras, {});
  const auto most = static_cast<int>(ids.size());
  for (int i = 0; i < most; ++i) {
    const std::string& id = ids[static_cast<size_t>(i)];
    const auto same = std::find_if(left.begin(), left.end(), [&](const auto& entry) {
      return !id.empty() && entry.second.id == id;
    });
    if (same != left.end()) placed.insert({i, left.extract(same).mapped()});
  }
  std::erase_if(left, [&](const auto& entry) {  // settings without an id go by their number
    if (!entry.second.id.empty()) return false;
    Camera& camera = placed[entry.first];
    camera = over(camera, entry.second);
    if (entry.first < most) camera.id = ids[static_cast<size_t>(entry.first)];
    return true;
  });
  int number = most;
  for (auto& [before, camera] : left) {  // settings of cameras that are missing
    while (placed.contains(number)) ++number;
    placed[number] = std::move(camera);
  }
  settings.cameras = std::move(placed);
}

}  // namespace glint
