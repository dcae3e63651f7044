#include "app/capture/source/control_requests.h"

#include <array>
#include <charconv>
#include <string_view>

#include <fmt/format.h>

#include "config/error.h"
#include "config/setting_key.h"

namespace glint::capture {
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

/// A unit such as "us", or a multiple of one, such as "0.1 ms".
struct Unit {
  double factor = 1;
  std::string name;  // with a space before it; empty if there is no unit

  explicit Unit(const std::string& unit) {
    const char* const end = unit.data() + unit.size();
    const auto [rest, error] = std::from_chars(unit.data(), end, factor);
    const std::string plain = trimmed({error == std::errc() ? rest : unit.data(), end});
    if (!plain.empty()) name = " " + plain;
  }
};

/// Reads a list such as "sharpness=3, hue=0".
ControlRequests parseControls(std::string_view rest) {
  ControlRequests requests;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const size_t equals = one.find('=');
    if (equals == std::string_view::npos) {
      throw UsageError("{}: '{}' is not NAME=VALUE; write, for example, \"sharpness=3, hue=0\"",
                       "camera.controls"_key, one);
    }
    requests.emplace_back(trimmed(one.substr(0, equals)), trimmed(one.substr(equals + 1)));
  }
  return requests;
}

}  // namespace

ControlRequests controlRequests(const Camera& camera) {
  ControlRequests requests;
  for (const Named& named : kNamed) requests.emplace_back(named.control, camera.*named.setting);
  for (auto& request : parseControls(camera.controls)) requests.push_back(std::move(request));
  return requests;
}

CameraSize parseCameraSize(std::string_view text) {
  CameraSize size;
  const char* const end = text.data() + text.size();
  const auto [by, error] = std::from_chars(text.data(), end, size.width);
  if (error == std::errc() && by < end && (*by == 'x' || *by == 'X')) {
    const auto [rest, wrong] = std::from_chars(by + 1, end, size.height);
    if (wrong == std::errc() && rest == end && size.width > 0 && size.height > 0) return size;
  }
  throw UsageError("{}: '{}' is not a size; write WIDTHxHEIGHT, such as 1280x720",
                   "camera.size"_key, text);
}

std::string valueInWords(double value, const std::string& unit) {
  const Unit counted(unit);
  return fmt::format("{:.6g}{}", value * counted.factor, counted.name);
}

std::string rangeInWords(int64_t least, int64_t most, const std::string& unit) {
  const Unit counted(unit);
  if (counted.factor == 1) return fmt::format("{} to {}{}", least, most, counted.name);
  return fmt::format("{} to {} ({:.6g} to {:.6g}{})", least, most,
                     static_cast<double>(least) * counted.factor,
                     static_cast<double>(most) * counted.factor, counted.name);
}

void setControlRequest(Camera& camera, const std::string& control, const std::string& value) {
  for (const Named& named : kNamed) {
    if (named.control != control) continue;
    camera.*named.setting = value;
    return;
  }
  ControlRequests requests = parseControls(camera.controls);
  std::erase_if(requests, [&](const auto& request) { return request.first == control; });
  requests.emplace_back(control, value);
  camera.controls.clear();
  for (const auto& [name, text] : requests)
    camera.controls += fmt::format("{}{}={}", camera.controls.empty() ? "" : ", ", name, text);
}

}  // namespace glint::capture
