#include "app/capture/camera_wishes.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

#include "config/error.h"

namespace glint {
namespace {

using Camera = Settings::Camera;

struct Named {
  std::string_view control;
  std::string Camera::*setting;
};
constexpr std::array kNamed{Named{"exposure", &Camera::exposure},
                            Named{"gain", &Camera::gain},
                            Named{"white_balance", &Camera::whiteBalance},
                            Named{"focus", &Camera::focus},
                            Named{"power_line", &Camera::powerLine},
                            Named{"black_level", &Camera::blackLevel},
                            Named{"trigger", &Camera::trigger}};

std::string trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

/// "sharpness=3, hue=0".
CameraWishes parseControls(std::string_view rest) {
  CameraWishes wishes;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const size_t equals = one.find('=');
    if (equals == std::string_view::npos) {
      throw UsageError(fmt::format(
          "camera.controls: '{}' is no NAME=VALUE; write such as \"sharpness=3, hue=0\"", one));
    }
    wishes.emplace_back(trimmed(one.substr(0, equals)), trimmed(one.substr(equals + 1)));
  }
  return wishes;
}

}  // namespace

CameraWishes cameraWishes(const Camera& camera) {
  CameraWishes wishes;
  for (const Named& named : kNamed) wishes.emplace_back(named.control, camera.*named.setting);
  for (auto& wish : parseControls(camera.controls)) wishes.push_back(std::move(wish));
  return wishes;
}

void setCameraWish(Camera& camera, const std::string& control, const std::string& value) {
  for (const Named& named : kNamed) {
    if (named.control != control) continue;
    camera.*named.setting = value;
    return;
  }
  CameraWishes wishes = parseControls(camera.controls);
  std::erase_if(wishes, [&](const auto& wish) { return wish.first == control; });
  wishes.emplace_back(control, value);
  camera.controls.clear();
  for (const auto& [name, text] : wishes)
    camera.controls += fmt::format("{}{}={}", camera.controls.empty() ? "" : ", ", name, text);
}

}  // namespace glint
