// What cameras there are, and what they offer.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glint::capture {

/// One thing that can be set of a camera, as it is now.
struct CameraControl {
  enum class Kind { number, onOff, menu };
  std::string name;   ///< as settings call it: "exposure", or the camera's own: "backlight_mode"
  std::string label;  ///< as the camera calls it
  std::string unit;   ///< where it is known: "0.1 ms"
  Kind kind = Kind::number;
  int64_t least = 0, most = 0, step = 1, initial = 0, value = 0;  ///< in the camera's own unit
  std::vector<std::pair<int64_t, std::string>> menu;
  bool automatic =
      false;  ///< cannot be set at present, since the camera does; setting it ends that
  bool canBeAutomatic = false;  ///< "auto" leaves it to the camera
  bool readOnly = false;
  std::string automates;  ///< the control that the camera sets by itself while this is on; or empty
  bool operator==(const CameraControl&) const = default;
};

/// An open camera, and what can be set of it.
struct CameraOffer {
  std::string id;  ///< as Source::id()
  std::vector<CameraControl> controls;
};

/// One way of sending frames.
struct CameraMode {
  std::string format;              ///< four letters: "YUYV"
  bool usable = true;              ///< whether Glint can read it
  uint32_t width = 0, height = 0;  ///< px
  std::vector<double> rates;       ///< frames a second, the highest first
  bool operator==(const CameraMode&) const = default;
};

inline constexpr std::string_view kThisProgram = "this program";
struct CameraInfo {
  std::string source;  ///< how to open it: "camera:0", "gige:ID"
  std::string path;    ///< "/dev/video0", or its address
  std::string name;    ///< what the device calls itself
  std::string driver;
  std::string bus;  ///< where it is plugged in: stays the same when it comes back
  std::vector<CameraMode> modes;
  std::vector<CameraControl> controls;
  std::string id;  ///< as Source::id(), where known
  /// Who uses it, so that it was not opened: "mpv (process 12)", or kThisProgram; or empty.
  std::string holder;
  std::string problem;  ///< why nothing more is known, or empty
  bool operator==(const CameraInfo&) const = default;
};

/// Lists all cameras of a kind, again and again: what was there before is not opened again, nor is
/// what somebody uses. Never throws for the sake of one that cannot be opened. One thread.
using CameraLister = std::function<std::vector<CameraInfo>()>;

}  // namespace glint::capture
