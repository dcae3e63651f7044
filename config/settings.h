// The settings. Each is declared once, in describe(): key, label, default, range, unit and help.
// TOML, --set, `glint settings`, the window and the checks of ranges all follow from that.
#pragma once

#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "config/filter_use.h"

namespace glint {

/// The plane that is searched for peaks.
enum class ResponseKind { luminance, inverted, blur, dog };

/// How candidates become markers.
enum class DetectMethod { peaks, blobs };

/// How a marker's position is refined below a pixel.
enum class RefineMethod { fit, none };

/// A fixed fraction of full scale, or measured on each frame when empty ("auto").
using Threshold = std::optional<double>;

/// The largest detect.max_markers: a device measures no more peaks of a frame.
inline constexpr int kMostDetections = 4096;

struct Settings {
  struct Response {
    ResponseKind kind;
    double radius;
    int gain;
    bool dark;
    bool operator==(const Response&) const = default;
  } response;

  struct Detect {
    DetectMethod method;
    int maxMarkers;
    double separation;
    Threshold threshold;
    double thresholdSigma;
    double minRadius;
    double maxRadius;
    double maxEccentricity;
    double minMass;
    double minSignificance;
    double minScore;
    double scoreRatio;
    std::string mask;
    std::string region, ignore;  ///< rectangles "X,Y,W,H", px, with "; " between them
    bool operator==(const Detect&) const = default;
  } detect;

  struct Refine {
    RefineMethod method;
    int radius;
    bool roundOnly = false;  ///< set by programs alone: long markers are fitted as round ones are
    bool operator==(const Refine&) const = default;
  } refine;

  struct Track {
    int maxGap;
    int confirm;
    double gate;
    double acceleration;
    double maxSpeed;
    double stitchGap;
    bool operator==(const Track&) const = default;
  } track;

  struct DeviceSettings {
    std::string name;
    bool validation;
    bool spin;
    bool operator==(const DeviceSettings&) const = default;
  } device;

  /// How frames of live cameras become sets, and what a frame is measured by.
  struct Live {
    double window;
    double wait;
    int lag;
    bool operator==(const Live&) const = default;
  } live;

  /// Requests to a live camera. Empty texts and 0 leave the choice to the camera.
  struct Camera {
    std::string size, format;
    double rate = 0;
    /// A number in the camera's own unit, a name of its menu, or "auto".
    std::string exposure, gain, whiteBalance, focus, powerLine, blackLevel, trigger;
    std::string controls;  ///< any others: "sharpness=3, hue=0"
    bool colour = false;
    std::string id;  ///< of a single camera: identifies it, whatever its number
    bool operator==(const Camera&) const = default;
  } camera;
  /// Requests to single cameras by number, from 0; they override `camera`. "camera.1.exposure".
  std::map<int, Camera> cameras;
  /// Frames go through these before markers are searched for, in order; docs/filters.md.
  FilterUses filters = {};

  /// All settings at their defaults.
  Settings();
  bool operator==(const Settings&) const = default;
};

/// What says which pixels are measured.
inline auto pixelsOf(const Settings::Detect& detect) {
  return std::tie(detect.mask, detect.region, detect.ignore);
}

/// The requests to camera `number`.
Settings::Camera cameraSettings(const Settings& settings, int number);

/// Assigns settings of single cameras to the cameras of a session. Settings with an id
/// ("camera.1.id") go to the camera with that id, whatever their number was. Settings without an id
/// go to the camera with their number, and get its id. Settings of cameras that are missing are
/// kept, numbered after the last one. `ids`: one per camera; empty: it has none.
void placeCameras(Settings& settings, const std::vector<std::string>& ids);

/// One setting as text, for listings and for the record beside the results.
struct SettingInfo {
  std::string key;           ///< "detect.separation"
  std::string value;         ///< as TOML: 8.0, "auto", true
  std::string allowed;       ///< "0 to 1 of full scale, or \"auto\""
  std::string unit;          ///< "px", or empty
  std::string help;          ///< one line of at most 80 characters
  std::string details = {};  ///< sentences, or empty
};

/// Two or three words for a setting: "Least distance" of detect.separation; `key` itself where it
/// is none of describe().
std::string labelOf(std::string_view key);

/// Every setting with its present value, in the order of declaration; then those of single
/// cameras; then those of the filters, as filter.ID.use and filter.ID.PARAMETER.
std::vector<SettingInfo> listSettings(const Settings& settings);

/// Sets `key` from TOML text such as `8`, `"auto"` or `inverted` (a bare word is taken as a
/// string). `where` opens the message ("--set", "glint.toml, line 3"). Throws UsageError for an
/// unknown key, a wrong type or a value out of range, naming the key and what is allowed.
void setFromText(Settings& settings, std::string_view key, std::string_view text,
                 std::string_view where);

/// The same from "KEY=VALUE".
void setFromText(Settings& settings, std::string_view assignment, std::string_view where);

/// Reads a TOML file over `settings`. Throws UsageError naming the file and the line.
void readToml(Settings& settings, const std::string& path);

/// Writes all settings as TOML with their help as comments; readToml reads it back.
void writeToml(const Settings& settings, std::ostream& out);

}  // namespace glint
