#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <exception>
#include <optional>
#include <utility>

#include "app/capture/cameras/gige_camera.h"
#include "config/setting_key.h"

namespace glint::capture::gige {
namespace {

using Bounds = void (*)(ArvCamera*, double*, double*, GError**);
using Value = double (*)(ArvCamera*, GError**);
/// A feature that has the same name in all cameras, and functions in Aravis.
struct Feature {
  const char* name;
  const char* unit;
  std::string Settings::Camera::*request;
  Bounds bounds;
  Value value;
  void (*set)(ArvCamera*, double, GError**);
  /// Null: no camera sets the feature automatically.
  gboolean (*hasAutomatic)(ArvCamera*, GError**) = nullptr;
  ArvAuto (*automatic)(ArvCamera*, GError**) = nullptr;
  void (*setAutomatic)(ArvCamera*, ArvAuto, GError**) = nullptr;
};
constexpr std::array kFeatures{
    Feature{"exposure", "us", &Settings::Camera::exposure, arv_camera_get_exposure_time_bounds,
            arv_camera_get_exposure_time, arv_camera_set_exposure_time,
            arv_camera_is_exposure_auto_available, arv_camera_get_exposure_time_auto,
            arv_camera_set_exposure_time_auto},
    Feature{"gain", "", &Settings::Camera::gain, arv_camera_get_gain_bounds, arv_camera_get_gain,
            arv_camera_set_gain, arv_camera_is_gain_auto_available, arv_camera_get_gain_auto,
            arv_camera_set_gain_auto},
    Feature{"black_level", "", &Settings::Camera::blackLevel, arv_camera_get_black_level_bounds,
            arv_camera_get_black_level, arv_camera_set_black_level}};

bool hasAutomatic(ArvCamera* camera, const Feature& feature) {
  return feature.hasAutomatic &&
         ask([&](GError** e) { return feature.hasAutomatic(camera, e); }) == TRUE;
}

std::optional<CameraControl> controlOf(ArvCamera* camera, const Feature& feature) {
  double least = 0, most = 0;
  const auto now = ask([&](GError** e) {
    feature.bounds(camera, &least, &most, e);
    return *e ? 0.0 : feature.value(camera, e);
  });
  if (!now) return std::nullopt;
  const auto whole = [](double number) {
    constexpr double kMost = 9e18;
    return static_cast<int64_t>(std::llround(std::clamp(number, -kMost, kMost)));
  };
  CameraControl control;
  control.name = control.label = feature.name;
  control.unit = feature.unit;
  control.least = whole(least);
  control.most = whole(most);
  control.initial = control.value = whole(*now);
  control.canBeAutomatic = hasAutomatic(camera, feature);
  control.automatic = control.canBeAutomatic &&
                      ask([&](GError** e) { return feature.automatic(camera, e); }) != ARV_AUTO_OFF;
  return control;
}

/// Sets features of a camera. Throws UsageError for features that the camera does not have, Error
/// if it refuses a value.
struct FeatureSetter {
  ArvCamera* camera;
  const std::string& name;

  double number(const Feature& feature, const std::string& value) const {
    double number = 0;
    const char* const end = value.data() + value.size();
    const auto [rest, error] = std::from_chars(value.data(), end, number);
    if (error == std::errc() && rest == end) return number;
    throw UsageError("camera.{}: '{}' is not a number for '{}'", feature.name, value, name);
  }

  void set(const Feature& feature, const std::string& value) const {
    const std::string what = fmt::format("camera.{}: '{}' refuses {}", feature.name, name, value);
    const bool can = hasAutomatic(camera, feature), on = value == "auto";
    if (on && !can) {
      throw UsageError("camera.{}: '{}' has no automatic mode for it", feature.name, name);
    }
    if (can) {
      attempt(what, [&](GError** e) {
        feature.setAutomatic(camera, on ? ARV_AUTO_CONTINUOUS : ARV_AUTO_OFF, e);
      });
    }
    if (on) return;
    const double wanted = number(feature, value);
    attempt(what, [&](GError** e) { feature.set(camera, wanted, e); });
  }

  /// Refuses a setting for which industrial cameras have no common feature.
  [[noreturn]] void refuse(std::string_view key) const {
    throw UsageError(
        "{}: '{}' is an industrial camera; set its features by their own names "
        "in {}, such as \"BalanceWhiteAuto=Continuous\"",
        key, name, "camera.controls"_key);
  }

  void trigger(const std::string& source) const {
    attempt(fmt::format("{}: '{}' refuses {}", "camera.trigger"_key, name, source),
            [&](GError** e) {
              source == "off" ? arv_camera_clear_triggers(camera, e)
                              : arv_camera_set_trigger(camera, source.c_str(), e);
            });
  }

  void features(const std::string& request) const {
    std::string features = request;
    std::ranges::replace(features, ',', ' ');
    attempt(
        fmt::format("{}: '{}' refuses {}", "camera.controls"_key, name, request), [&](GError** e) {
          arv_device_set_features_from_string(arv_camera_get_device(camera), features.c_str(), e);
        });
  }
};

}  // namespace

std::vector<CameraControl> controlsOf(ArvCamera* camera) {
  std::vector<CameraControl> controls;
  for (const Feature& feature : kFeatures)
    if (auto control = controlOf(camera, feature)) controls.push_back(std::move(*control));
  return controls;
}

void setControls(ArvCamera* camera, const std::string& name, const Settings::Camera& request,
                 const Settings::Camera& before) {
  const FeatureSetter setter{camera, name};
  std::exception_ptr refusal;
  const auto change = [&](const std::string& value, const std::string& old, const auto& set) {
    if (value.empty() || value == old) return;
    try {
      set(value);
    } catch (const Error&) {
      if (!refusal) refusal = std::current_exception();
    }
  };
  for (const Feature& feature : kFeatures) {
    change(request.*feature.request, before.*feature.request,
           [&](const std::string& value) { setter.set(feature, value); });
  }
  for (const auto& [key, member] :
       {std::pair("camera.white_balance"_key, &Settings::Camera::whiteBalance),
        std::pair("camera.focus"_key, &Settings::Camera::focus),
        std::pair("camera.power_line"_key, &Settings::Camera::powerLine)}) {
    change(request.*member, before.*member, [&](const std::string&) { setter.refuse(key); });
  }
  change(request.trigger, before.trigger, [&](const std::string& value) { setter.trigger(value); });
  change(request.controls, before.controls,
         [&](const std::string& value) { setter.features(value); });
  if (refusal) std::rethrow_exception(refusal);
}

namespace {

/// Adds the modes and controls of a camera to `info`. Throws Error if the camera does not answer.
void addOffer(CameraInfo& info, ArvCamera* camera) {
  gint width = 0, height = 0;
  attempt("report its size",
          [&](GError** e) { arv_camera_get_sensor_size(camera, &width, &height, e); });
  double slowest = 0, fastest = 0;
  const auto rated = ask([&](GError** e) {
    arv_camera_get_frame_rate_bounds(camera, &slowest, &fastest, e);
    return true;
  });
  guint count = 0;
  const char** offered = attempt("report its formats", [&](GError** e) {
    return arv_camera_dup_available_pixel_formats_as_strings(camera, &count, e);
  });
  for (guint i = 0; i < count; ++i) {
    CameraMode mode;
    mode.format = text(offered[i]);
    mode.usable = findPixels(mode.format) != nullptr;
    mode.width = static_cast<uint32_t>(std::max(width, 0));
    mode.height = static_cast<uint32_t>(std::max(height, 0));
    if (rated) mode.rates = {fastest};
    info.modes.push_back(std::move(mode));
  }
  g_free(offered);
  info.controls = controlsOf(camera);
}

}  // namespace

std::vector<CameraInfo> listCameras() {
  std::vector<CameraInfo> all;
  arv_update_device_list();
  for (unsigned i = 0; i < arv_get_n_devices(); ++i) {
    CameraInfo info;
    info.id = text(arv_get_device_id(i));
    info.source = "gige:" + info.id;
    info.path = text(arv_get_device_address(i));
    info.name = fmt::format("{} {}", text(arv_get_device_vendor(i)), text(arv_get_device_model(i)));
    info.driver = text(arv_get_device_protocol(i));
    info.bus = text(arv_get_device_serial_nbr(i));
    all.push_back(std::move(info));
  }
  return all;
}

void inspect(CameraInfo& info) {
  try {
    const Camera camera(attempt("it cannot be opened",
                                [&](GError** e) { return arv_camera_new(info.id.c_str(), e); }));
    if (!camera) return;
    addOffer(info, camera.get());
    info.id = idOf(camera.get());  // the id in settings, which differs from the one in the list
  } catch (const Error& error) {
    info.problem = error.what();
  }
}

}  // namespace glint::capture::gige
