// Opens, lists and controls the cameras of Aravis. Internal to capture/.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <arv.h>

#include "app/capture/cameras/camera_pixels.h"
#include "app/capture/source/camera_info.h"
#include "config/error.h"
#include "config/settings.h"

namespace glint::capture::gige {

struct Unref {
  void operator()(gpointer object) const { g_object_unref(object); }
};
using Camera = std::unique_ptr<ArvCamera, Unref>;
using Stream = std::unique_ptr<ArvStream, Unref>;

/// A pixel format with its name in GenICam's Pixel Format Naming Convention.
struct NamedPixels {
  std::string_view name;
  CameraPixels pixels;
};
/// Returns the formats that can be read, the preferred ones first.
std::span<const NamedPixels> knownPixels();
/// Returns the format of this name; null if it cannot be read.
const CameraPixels* findPixels(std::string_view name);

/// Calls `action(GError**)` and returns its result. If it reports an error, throws Error with
/// `doing`, a colon and the message.
template <class Action>
auto attempt(const std::string& doing, const Action& action) {
  GError* problem = nullptr;
  const auto check = [&] {
    if (!problem) return;
    const std::string why = problem->message;
    g_clear_error(&problem);
    throw Error("{}: {}", doing, why);
  };
  if constexpr (std::is_void_v<decltype(action(&problem))>) {
    action(&problem);
    check();
  } else {
    auto result = action(&problem);
    check();
    return result;
  }
}

/// Calls `question(GError**)` and returns its result; empty if it reports an error.
template <class Ask>
auto ask(const Ask& question) {
  GError* problem = nullptr;
  auto value = question(&problem);
  const bool answered = !problem;
  g_clear_error(&problem);
  return answered ? std::optional(value) : std::nullopt;
}

std::string text(const char* words);  ///< returns the words as a string; "" for null

/// Opens the camera of a source "gige:NAME". Throws Error if no camera answers.
Camera openCamera(const std::string& spec);

/// Returns the name by which Aravis can find the camera again.
std::string idOf(ArvCamera* camera);

/// Returns those of the controls exposure (us), gain and black level that the camera has.
std::vector<CameraControl> controlsOf(ArvCamera* camera);

/// Sets the controls for which `request` has another value than `before`. The camera's automatic
/// setting of a control is switched off first; the value "auto" switches it on. Throws UsageError
/// for controls that the camera does not have, Error if the camera refuses a value; all other
/// controls are set nevertheless. `name`: the camera's name in messages.
void setControls(ArvCamera* camera, const std::string& name, const Settings::Camera& request,
                 const Settings::Camera& before);

/// Returns the GigE Vision cameras that answer within a second, and the USB3 Vision cameras that
/// are plugged in, without opening any of them.
std::vector<CameraInfo> listCameras();

/// Opens a camera, and adds to `info` its formats at the full size and the highest rate, and its
/// controls; or the problem if that fails.
void inspect(CameraInfo& info);

}  // namespace glint::capture::gige
