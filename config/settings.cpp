#include "config/settings.h"

#include "config/describe.h"

namespace glint {

Settings::Settings() {
  describe(*this, [](const auto& setting) { setting.value = setting.initial; });
}

Settings::Camera cameraSettings(const Settings& settings, int number) {
  const auto found = settings.cameras.find(number);
  if (found == settings.cameras.end()) return settings.camera;
  using Camera = Settings::Camera;
  const Camera &own = found->second, none = Settings().camera;
  Camera merged = settings.camera;
  const auto take = [&](auto... members) {
    // What is at its default in the single camera's is not said there.
    ((own.*members != none.*members ? void(merged.*members = own.*members) : void()), ...);
  };
  take(&Camera::size, &Camera::format, &Camera::rate, &Camera::exposure, &Camera::gain,
       &Camera::whiteBalance, &Camera::focus, &Camera::powerLine, &Camera::blackLevel,
       &Camera::trigger, &Camera::controls, &Camera::colour);
  return merged;
}

}  // namespace glint
