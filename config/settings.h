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

/// The method that turns candidates into markers.
enum class DetectMethod { peaks, blobs };

/// The method that finds a marker's position to a fraction of a pixel.
enum class RefineMethod { fit, none };

/// A fixed fraction of full scale. Empty ("auto"): measured on each frame.
using Threshold = std::optional<double>;

/// The largest detect.max_markers. A device measures at most this many peaks of a frame.
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
    bool roundOnly = false;  ///< true: fit long markers like round ones; only programs set it
    bool operator==(const Refine&) const = default;
  } refine;

  struct Track {
    int maxGap;
    int confirm;
    double gate;
    double acceleration;
    double maxSpeed;
    double spaceSpeed;
    double stitchGap;
    bool operator==(const Track&) const = default;
  } track;

  struct DeviceSettings {
    std::string name;
    bool validation;
    bool spin;
    bool operator==(const DeviceSettings&) const = default;
  } device;

  /// The rules by which frames of live cameras are grouped into sets, and the frame from which a
  /// threshold is taken.
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
    /// Each is a number in the camera's own unit, a name from its menu, or "auto".
    std::string exposure, gain, whiteBalance, focus, powerLine, blackLevel, trigger;
    std::string controls;  ///< other controls by name: "sharpness=3, hue=0"
    bool colour = false;
    std::string id;  ///< id of a single camera, which does not depend on its number
    bool operator==(const Camera&) const = default;
  } camera;
  /// Requests to single cameras by number, from 0, such as "camera.1.exposure". They override
  /// `camera`.
  std::map<int, Camera> cameras;
  /// The filters that each frame goes through in order before markers are searched for. See
  /// docs/filters.md.
  FilterUses filters = {};

  /// Sets all settings to their defaults.
  Settings();
  bool operator==(const Settings&) const = default;
};

/// Returns references to the settings that select the pixels which are measured.
inline auto pixelsOf(const Settings::Detect& detect) {
  return std::tie(detect.mask, detect.region, detect.ignore);
}

/// Returns the requests to camera `number`: its own ones, and otherwise those to all cameras.
Settings::Camera cameraSettings(const Settings& settings, int number);

/// Assigns settings of single cameras to the cameras of a session. Settings with an id
/// ("camera.1.id") go to the camera with that id, whatever their number was. Settings without an id
/// go to the camera with their number, and get its id. Settings of cameras that are missing are
/// kept, with numbers after that of the last camera. `ids` has one entry per camera, which is empty
/// if the camera has no id.
void placeCameras(Settings& settings, const std::vector<std::string>& ids);

/// One setting as text, for listings and for the run record.
struct SettingInfo {
  std::string key;           ///< "detect.separation"
  std::string value;         ///< TOML: 8.0, "auto", true
  std::string allowed;       ///< "0 to 1 of full scale, or \"auto\""
  std::string unit;          ///< "px", or empty
  std::string help;          ///< one line of at most 80 characters
  std::string details = {};  ///< sentences, or empty
};

/// Returns the label of a setting, two or three words, or `key` itself if no setting in describe()
/// has this key.
std::string labelOf(std::string_view key);

/// Returns every setting with its present value in the order of declaration, then those of single
/// cameras, then those of the filters as filter.ID.use and filter.ID.PARAMETER.
std::vector<SettingInfo> listSettings(const Settings& settings);

/// Sets `key` from TOML text such as `8`, `"auto"` or `inverted` (a bare word is taken as a
/// string). Throws UsageError for an unknown key, a wrong type or a value out of range. The message
/// begins with `where` ("--set", "glint.toml, line 3"), names the key, and says what is allowed.
void setFromText(Settings& settings, std::string_view key, std::string_view text,
                 std::string_view where);

/// Does the same with a text "KEY=VALUE".
void setFromText(Settings& settings, std::string_view assignment, std::string_view where);

/// Sets those settings that a TOML file contains. Throws UsageError with the file and the line.
void readToml(Settings& settings, const std::string& path);

/// Writes all settings as TOML with their help as comments. readToml() can read the result.
void writeToml(const Settings& settings, std::ostream& out);

}  // namespace glint
