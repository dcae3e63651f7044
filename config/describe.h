// The declaration of every setting. config/ and the panels of the window are generated from it.
#pragma once

#include <array>
#include <concepts>
#include <limits>
#include <string_view>
#include <type_traits>

#include "config/settings.h"

namespace glint {

template <class... Texts>
constexpr auto choices(Texts... texts) {
  return std::array<std::string_view, sizeof...(Texts)>{texts...};
}

/// The texts of an enumeration, in the order of its values.
template <class Enum>
struct Choices;

template <>
struct Choices<ResponseKind> {
  static constexpr auto names = choices("luminance", "inverted", "blur", "dog");
};
template <>
struct Choices<DetectMethod> {
  static constexpr auto names = choices("peaks", "blobs");
};
template <>
struct Choices<RefineMethod> {
  static constexpr auto names = choices("fit", "none");
};

/// The closed interval of allowed values. Sliders in the window go up to `usual`.
template <class T>
struct Range {
  T least = std::numeric_limits<T>::lowest();
  T most = std::numeric_limits<T>::max();
  T usual = most;
};

/// The range of texts that may also be written as a number, true or false.
struct AnyValue {};

/// A number with a special meaning, which `words` describe. NaN: no number has one.
struct Special {
  double value = std::numeric_limits<double>::quiet_NaN();
  std::string_view words = "";
};

/// One setting as it is declared.
template <class T, class Initial, class Allowed = Range<double>>
struct Setting {
  std::string_view key;
  std::string_view label;      ///< two or three words that the window shows
  T& value;                    ///< the member of the Settings that are described
  Initial initial;             ///< the default
  std::string_view help;       ///< see config/help_text.h
  Allowed range{};             ///< range of a number; texts, switches and choices ignore it
  std::string_view unit = "";  ///< "" if the setting has no unit
  Special special = {};
};

/// Calls visit(Setting) for every setting. `S` is Settings or const Settings.
template <class S, class Visit>
requires std::same_as<std::remove_const_t<S>, Settings>
constexpr void describe(S& s, Visit&& visit) {
  visit(Setting{"response.kind", "Detect on", s.response.kind, ResponseKind::luminance,
                "Image in which markers are detected.\nluminance: the image itself. inverted: its "
                "negative, for dark markers. blur: smoothed, against noise. dog: a difference of "
                "Gaussians, which also suppresses anything larger or smaller than a marker."});
  visit(Setting{"response.radius", "Marker radius", s.response.radius, 3.0,
                "Radius of a marker, for blur and dog.", Range<double>{0.5, 16}, "px"});
  visit(Setting{"response.gain", "Response gain", s.response.gain, 2,
                "Factor on the difference, for dog; raise it for faint markers.",
                Range<int>{1, 64}});
  visit(Setting{"response.dark", "Dark markers", s.response.dark, false,
                "Compute every response from the inverted luminance, to find dark markers."});
  visit(Setting{"detect.method", "Detection method", s.detect.method, DetectMethod::peaks,
                "What counts as a marker.\npeaks: a peak of the response. blobs: a connected blob "
                "of bright pixels."});
  visit(Setting{"detect.max_markers", "Maximum markers", s.detect.maxMarkers, 128,
                "Maximum number of markers per camera and frame.\nThe brightest peaks are kept, or "
                "the blobs of "
                "largest mass.",
                Range<int>{1, kMostDetections, 1000}, "markers"});
  visit(Setting{"detect.separation", "Minimum distance", s.detect.separation, 6.0,
                "Minimum distance between two markers.\nOf two closer ones, the brighter is kept.",
                Range<double>{1, 65536, 100}, "px"});
  visit(Setting{"detect.threshold", "Threshold", s.detect.threshold, Threshold{},
                "Minimum response of a marker; \"auto\" follows the previous frame.",
                Range<double>{0, 1}, "of full scale"});
  visit(Setting{"detect.threshold_sigma", "Auto threshold", s.detect.thresholdSigma, 5.0,
                "Height of the automatic threshold above the mean response.\nOnly for "
                "detect.threshold = \"auto\".",
                Range<double>{0, 1000, 30}, "stddev"});
  visit(Setting{"detect.min_radius", "Minimum radius", s.detect.minRadius, 0.0,
                "Minimum radius of a marker.", Range<double>{0, 65536, 50}, "px",
                Special{0, "no limit"}});
  visit(Setting{"detect.max_radius", "Maximum radius", s.detect.maxRadius, 65536.0,
                "Maximum radius of a marker.", Range<double>{0, 65536, 200}, "px",
                Special{65536, "no limit"}});
  visit(Setting{"detect.max_eccentricity", "Maximum eccentricity", s.detect.maxEccentricity, 0.85,
                "Maximum eccentricity of a marker: 0 allows circles only, 1 anything.\n0.85 allows "
                "markers that are up to 1.9 times as long as wide.",
                Range<double>{0, 1}, "", Special{1, "no limit"}});
  visit(Setting{"detect.min_mass", "Minimum mass", s.detect.minMass, 0.0,
                "Minimum mass of a marker.\nThe mass is the sum of its luminance above the "
                "background (for blobs, above the threshold).",
                Range<double>{0, 1e12, 1e6}, "counts", Special{0, "no limit"}});
  visit(Setting{"detect.min_significance", "Minimum significance", s.detect.minSignificance, 5.0,
                "Minimum ratio of a marker's signal to the noise; 0 allows anything.\nThe fit "
                "measures this significance on the marker as a whole.",
                Range<double>{0, 1000, 100}, "stddev", Special{0, "no limit"}});
  visit(Setting{"detect.min_score", "Minimum score", s.detect.minScore, 0.0,
                "Minimum score of a match of the filter template, at the match's position.\nThe "
                "threshold is compared with the score at whole pixels, which is lower.",
                Range<double>{0, 1}, "", Special{0, "no limit"}});
  visit(Setting{"detect.score_ratio", "Minimum score ratio", s.detect.scoreRatio, 0.0,
                "Minimum ratio of a match's score to that of the best match left out.\nMatches "
                "beyond detect.max_markers are left out. With max_markers = 1 and a ratio of 1.2, "
                "a match counts only if nothing else in the image is nearly as similar.",
                Range<double>{0, 100, 2}, "", Special{0, "no limit"}});
  visit(Setting{"detect.mask", "Mask image", s.detect.mask, std::string{},
                "Mask: an image of the frames' size; pixels of value 0 are ignored.\n%d in its "
                "name stands for the camera's number."});
  visit(Setting{"detect.region", "Regions of interest", s.detect.region, std::string{},
                "Rectangles X,Y,W,H; ... (px): only pixels inside one of them are measured."});
  visit(Setting{"detect.ignore", "Ignored regions", s.detect.ignore, std::string{},
                "Rectangles X,Y,W,H; ... (px) in which nothing is measured."});
  visit(Setting{"refine.method", "Refinement", s.refine.method, RefineMethod::fit,
                "How positions are refined to fractions of a pixel."});
  visit(Setting{"refine.radius", "Fit radius", s.refine.radius, 0,
                "Radius of the fit's window; 0 takes it from the marker itself.", Range<int>{0, 64},
                "px", Special{0, "automatic"}});
  visit(Setting{"track.max_gap", "Maximum gap", s.track.maxGap, 15,
                "Maximum time that a track continues without a measurement.",
                Range<int>{0, 10000, 300}, "frames"});
  visit(Setting{"track.confirm", "Confirm after", s.track.confirm, 3,
                "Number of measurements after which a new track is confirmed and gets its id.",
                Range<int>{1, 1000, 30}, "frames"});
  visit(Setting{"track.gate", "Search gate", s.track.gate, 4.0,
                "Maximum distance of a measurement from the track's prediction.",
                Range<double>{1, 100, 20}, "stddev"});
  visit(Setting{"track.acceleration", "Acceleration", s.track.acceleration, 1.5,
                "Standard deviation of a marker's acceleration, per typical frame interval.",
                Range<double>{0.01, 100, 20}, "px/frame^2"});
  visit(Setting{"track.max_speed", "Maximum speed", s.track.maxSpeed, 30.0,
                "Maximum speed of a marker.\nA track with a single measurement is continued at "
                "most this far.",
                Range<double>{0, 10000, 300}, "px/frame"});
  visit(Setting{
      "track.space_speed", "Maximum 3D speed", s.track.spaceSpeed, 0.0,
      "Maximum speed of a marker in space, with a rig.\nA limit keeps the points of different "
      "markers apart where markers often appear and are hit.",
      Range<double>{0, 1e6, 20'000}, "mm/s", Special{0, "no limit"}});
  visit(Setting{"track.stitch_gap", "Re-identify within", s.track.stitchGap, 4.0,
                "Maximum gap after which a marker is re-identified; 0 joins no tracks.\nA track "
                "is joined with a later one only if no other continuation is plausible.",
                Range<double>{0, 3600, 60}, "s", Special{0, "never"}});
  visit(Setting{"device.name", "Device", s.device.name, std::string{},
                "Vulkan device: part of its name, or its number; empty picks the best.\n`glint "
                "devices` lists the devices."});
  visit(Setting{"device.validation", "Vulkan validation", s.device.validation, false,
                "Run with Vulkan's validation layer (slow; the layer must be installed)."});
  visit(Setting{"device.spin", "Busy wait", s.device.spin, false,
                "Wait for the device without sleeping.\nResults come sooner, but one processor "
                "core does nothing else meanwhile."});
  visit(Setting{"live.window", "Synchronise within", s.live.window, 0.0,
                "Maximum time between the frames of several live cameras in one set.\n0 chooses a "
                "time with which free-running cameras of the same rate share every set.",
                Range<double>{0, 60'000, 50}, "ms", Special{0, "automatic"}});
  visit(
      Setting{"live.wait", "Wait for cameras", s.live.wait, 10.0,
              "Maximum time that a set waits for a late frame of a live camera.\n0 does not wait. "
              "Half of the other cameras' frame interval is the limit; then the set continues "
              "without that frame.",
              Range<double>{0, 60'000, 50}, "ms"});
  visit(Setting{"live.lag", "Threshold age", s.live.lag, 1,
                "Age of the frame from which a threshold may be taken.\n0: each frame is processed "
                "twice and gets its own threshold, which costs throughput.",
                Range<int>{0, 1}, "frames"});
  // The settings of cameras come last, because those of single cameras follow them in files
  // (config/toml.cpp).
  visit(Setting{"camera.size", "Frame size", s.camera.size, std::string{},
                "Live: frame size to request from the camera, such as 1280x720."});
  visit(Setting{"camera.rate", "Frame rate", s.camera.rate, 0.0,
                "Live: frame rate to request from the camera; 0: its highest.",
                Range<double>{0, 100000, 240}, "frames/s", Special{0, "highest"}});
  visit(Setting{"camera.format", "Pixel format", s.camera.format, std::string{},
                "Live: pixel format to request from the camera, such as GREY, YUYV or "
                "MJPG.\n`glint cameras` lists the formats."});
  visit(Setting{"camera.exposure", "Exposure", s.camera.exposure, std::string{},
                "Live: exposure in the camera's own unit, \"auto\" or \"find\".\n\"auto\" leaves "
                "it to the camera. \"find\" shortens or lengthens it until only markers are "
                "bright. `glint cameras NAME --controls` shows the unit.",
                AnyValue{}});
  visit(Setting{"camera.gain", "Gain", s.camera.gain, std::string{},
                "Live: gain in the camera's own unit, or \"auto\".", AnyValue{}});
  visit(Setting{"camera.white_balance", "White balance", s.camera.whiteBalance, std::string{},
                "Live: white balance, usually in kelvin, or \"auto\".", AnyValue{}});
  visit(Setting{"camera.focus", "Focus", s.camera.focus, std::string{},
                "Live: focus in the camera's own unit, or \"auto\".", AnyValue{}});
  visit(Setting{"camera.power_line", "Anti-flicker", s.camera.powerLine, std::string{},
                "Live: flicker of lamps to suppress, from the camera's menu.", AnyValue{}});
  visit(Setting{"camera.black_level", "Black level", s.camera.blackLevel, std::string{},
                "Live: black level in the camera's own unit.", AnyValue{}});
  visit(Setting{"camera.trigger", "Trigger", s.camera.trigger, std::string{},
                "Live: what starts an exposure, from the camera's menu.", AnyValue{}});
  visit(Setting{"camera.controls", "Other controls", s.camera.controls, std::string{},
                "Live: other controls by their own names, such as \"sharpness=3, hue=0\"."});
  visit(Setting{"camera.colour", "Colour", s.camera.colour, false,
                "Live: read colour from the camera, for filters that need it.\nMarkers are found "
                "in the luminance."});
}

}  // namespace glint
