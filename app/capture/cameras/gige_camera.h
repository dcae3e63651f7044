// A camera as Aravis opens it: its id, its pixels, and how it is asked and set. Internal to
// capture/.
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

/// Pixel formats by their names in GenICam's Pixel Format Naming Convention.
struct NamedPixels {
  std::string_view name;
  CameraPixels pixels;
};
/// All that can be read, in the order in which they are preferred.
std::span<const NamedPixels> knownPixels();
/// Null where they cannot be read.
const CameraPixels* findPixels(std::string_view name);

/// Calls `action(GError**)`; what it complains of is thrown as Error after `doing`.
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

/// The value, or nothing where it refuses.
template <class Ask>
auto ask(const Ask& question) {
  GError* problem = nullptr;
  auto value = question(&problem);
  const bool answered = !problem;
  g_clear_error(&problem);
  return answered ? std::optional(value) : std::nullopt;
}

std::string text(const char* words);  ///< null: ""

/// "gige:NAME", as a source is written. Throws Error if nothing answers.
Camera openCamera(const std::string& spec);

/// Returns the name by which Aravis finds the camera again.
std::string idOf(ArvCamera* camera);

/// Returns the controls that the camera has of these: exposure (us), gain and black level.
std::vector<CameraControl> controlsOf(ArvCamera* camera);

/// Sets what `request` says and `before` does not. What sets a feature by itself is switched off
/// first; "auto" switches it on. Throws UsageError for what the camera does not have, Error where
/// it refuses; all else is set then, too. `name`: of the camera, for messages.
void setControls(ArvCamera* camera, const std::string& name, const Settings::Camera& request,
                 const Settings::Camera& before);

/// Returns the GigE Vision cameras that answer within a second, and the USB3 Vision cameras that
/// are plugged in. Opens none of them.
std::vector<CameraInfo> listCameras();

/// Adds formats at the full size and the highest rate, exposure, gain and black level, or the
/// problem.
void look(CameraInfo& info);

}  // namespace glint::capture::gige
