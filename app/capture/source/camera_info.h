// Describes cameras, their modes and their controls.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace glint::capture {

/// One control of a camera, with its present value.
struct CameraControl {
  enum class Kind { number, onOff, menu };
  std::string name;   ///< name in settings, such as "exposure", or the camera's: "backlight_mode"
  std::string label;  ///< the camera's name for people
  std::string unit;   ///< such as "0.1 ms"; empty if not known
  Kind kind = Kind::number;
  int64_t least = 0, most = 0, step = 1, initial = 0, value = 0;  ///< in the camera's own unit
  std::vector<std::pair<int64_t, std::string>> menu;              ///< values and their names
  /// True if the camera sets the control by itself at present, until a value is set.
  bool automatic = false;
  bool canBeAutomatic = false;  ///< true if the value "auto" leaves the control to the camera
  bool readOnly = false;
  std::string automates;  ///< the control that the camera sets by itself while this is on; or empty
  bool operator==(const CameraControl&) const = default;
};

/// An open camera and its controls.
struct CameraOffer {
  std::string id;  ///< see Source::id()
  std::vector<CameraControl> controls;
};

/// One format and size in which a camera can send frames.
struct CameraMode {
  std::string format;              ///< four letters, such as "YUYV"
  bool usable = true;              ///< true if Glint can read the format
  uint32_t width = 0, height = 0;  ///< px
  std::vector<double> rates;       ///< frames/s, the highest first
  bool operator==(const CameraMode&) const = default;
};

inline constexpr std::string_view kThisProgram = "this program";
struct CameraInfo {
  std::string source;  ///< source that opens the camera, such as "camera:0" or "gige:ID"
  std::string path;    ///< such as "/dev/video0", or the camera's address
  std::string name;    ///< the device's own name
  std::string driver;
  std::string bus;  ///< place where it is plugged in, the same after it was unplugged for a while
  std::vector<CameraMode> modes;
  std::vector<CameraControl> controls;
  std::string id;  ///< see Source::id(); empty if not known
  /// The program that uses the camera, which was therefore not opened: a text such as "mpv (process
  /// 12)", or kThisProgram; or empty.
  std::string holder;
  std::string problem;  ///< reason why nothing more is known; or empty
  bool operator==(const CameraInfo&) const = default;
};

/// A function that lists all cameras of a kind each time it is called. It opens only cameras that
/// were not there at the last call and that no program uses, and does not throw if one cannot be
/// opened. Only one thread may use it.
using CameraLister = std::function<std::vector<CameraInfo>()>;

}  // namespace glint::capture
