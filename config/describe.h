// The one declaration of every setting, for config/ and for panels that are generated from it.
#pragma once

#include <array>
#include <limits>
#include <string_view>
#include <utility>

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

/// The closed interval of allowed values; sliders go up to `usual`.
template <class T>
struct Range {
  T least = std::numeric_limits<T>::lowest();
  T most = std::numeric_limits<T>::max();
  T usual = most;
};

/// Of texts that may be written as numbers, too.
struct AnyValue {};

/// One setting as it is declared.
template <class T, class Initial, class Allowed = Range<double>>
struct Setting {
  std::string_view key;
  T& value;                    ///< in the Settings that are described
  Initial initial;             ///< what it is if nothing is set
  Allowed range{};             ///< of numbers; texts, switches and choices ignore it
  std::string_view unit = "";  ///< "" where there is none
  std::string_view help;       ///< one sentence, or two
};

/// Calls visit(Setting) for every setting. `S` is Settings or const Settings.
template <class S, class Visit>
void describe(S& s, Visit&& visit) {
  visit(Setting{.key = "response.kind",
                .value = s.response.kind,
                .initial = ResponseKind::luminance,
                .help = "Plane in which peaks are sought; inverted finds dark markers, blur "
                        "suppresses noise, and "
                        "dog also what is larger or smaller than a marker."});
  visit(Setting{.key = "response.radius",
                .value = s.response.radius,
                .initial = 3.0,
                .range = Range<double>{0.5, 16},
                .unit = "px",
                .help = "With blur and dog: radius of a marker."});
  visit(Setting{.key = "response.gain",
                .value = s.response.gain,
                .initial = 2,
                .range = Range<int>{1, 64},
                .help = "With dog: times what the difference is taken; more for faint markers."});
  visit(Setting{.key = "response.dark",
                .value = s.response.dark,
                .initial = false,
                .help = "Take every response of the inverted luminance, to find dark markers."});
  visit(Setting{
      .key = "detect.method",
      .value = s.detect.method,
      .initial = DetectMethod::peaks,
      .help = "What a marker is: a peak of the response, or a connected blob of bright pixels."});
  visit(Setting{
      .key = "detect.max_markers",
      .value = s.detect.maxMarkers,
      .initial = 128,
      .range = Range<int>{1, 4096, 1000},
      .unit = "markers",
      .help =
          "Most markers per camera and frame: the brightest peaks, or the blobs of most mass."});
  visit(Setting{
      .key = "detect.separation",
      .value = s.detect.separation,
      .initial = 6.0,
      .range = Range<double>{1, 65536, 100},
      .unit = "px",
      .help = "Least distance between two markers; of two nearer ones the brighter is kept."});
  visit(Setting{.key = "detect.threshold",
                .value = s.detect.threshold,
                .initial = Threshold{},
                .range = Range<double>{0, 1},
                .unit = "of full scale",
                .help = "Least response of a marker; \"auto\" follows the previous frame."});
  visit(Setting{
      .key = "detect.threshold_sigma",
      .value = s.detect.thresholdSigma,
      .initial = 5.0,
      .range = Range<double>{0, 1000, 30},
      .unit = "stddev",
      .help = "With threshold \"auto\": how far above the mean response the threshold lies."});
  visit(Setting{.key = "detect.min_radius",
                .value = s.detect.minRadius,
                .initial = 0.0,
                .range = Range<double>{0, 65536, 50},
                .unit = "px",
                .help = "Least radius of a marker."});
  visit(Setting{.key = "detect.max_radius",
                .value = s.detect.maxRadius,
                .initial = 65536.0,
                .range = Range<double>{0, 65536, 200},
                .unit = "px",
                .help = "Largest radius of a marker."});
  visit(Setting{
      .key = "detect.max_eccentricity",
      .value = s.detect.maxEccentricity,
      .initial = 0.85,
      .range = Range<double>{0, 1},
      .help =
          "Least round marker: 0 allows circles only, 0.85 what is 1.9 times as long as wide, 1 "
          "anything."});
  visit(Setting{
      .key = "detect.min_mass",
      .value = s.detect.minMass,
      .initial = 0.0,
      .range = Range<double>{0, 1e12, 1e6},
      .unit = "counts",
      .help =
          "Least mass of a marker: luminance above its background (of blobs: above the threshold), "
          "summed."});
  visit(Setting{
      .key = "detect.min_significance",
      .value = s.detect.minSignificance,
      .initial = 5.0,
      .range = Range<double>{0, 1000, 100},
      .unit = "stddev",
      .help =
          "Of peaks: how far a marker as a whole must stand out of the noise, as the fit tells; 0 "
          "allows anything."});
  visit(Setting{.key = "detect.mask",
                .value = s.detect.mask,
                .initial = std::string{},
                .help = "Image of the frames' size, 0 = ignore the pixel; %d in its name stands "
                        "for the camera."});
  visit(Setting{.key = "refine.method",
                .value = s.refine.method,
                .initial = RefineMethod::fit,
                .help = "How positions are refined below a pixel."});
  visit(
      Setting{.key = "refine.radius",
              .value = s.refine.radius,
              .initial = 0,
              .range = Range<int>{0, 64},
              .unit = "px",
              .help = "Radius of the window around a marker; 0 takes it from the marker itself."});
  visit(Setting{.key = "track.max_gap",
                .value = s.track.maxGap,
                .initial = 15,
                .range = Range<int>{0, 10000, 300},
                .unit = "frames",
                .help = "Longest time that a track is continued without a measurement."});
  visit(Setting{.key = "track.confirm",
                .value = s.track.confirm,
                .initial = 3,
                .range = Range<int>{1, 1000, 30},
                .unit = "frames",
                .help = "Measurements that make a new track a track."});
  visit(Setting{.key = "track.gate",
                .value = s.track.gate,
                .initial = 4.0,
                .range = Range<double>{1, 100, 20},
                .unit = "stddev",
                .help = "How far from its prediction a track accepts a measurement."});
  visit(Setting{
      .key = "track.acceleration",
      .value = s.track.acceleration,
      .initial = 1.5,
      .range = Range<double>{0.01, 100, 20},
      .unit = "px/frame^2",
      .help = "Standard deviation of a marker's acceleration, per typical frame interval."});
  visit(Setting{
      .key = "track.max_speed",
      .value = s.track.maxSpeed,
      .initial = 30.0,
      .range = Range<double>{0, 10000, 300},
      .unit = "px/frame",
      .help = "Fastest marker: how far a track with a single measurement may be continued."});
  visit(Setting{
      .key = "track.stitch_gap",
      .value = s.track.stitchGap,
      .initial = 4.0,
      .range = Range<double>{0, 3600, 60},
      .unit = "s",
      .help =
          "Longest gap over which a track that ended is joined with a new one, if nothing else is "
          "plausible; 0 joins none."});
  visit(Setting{.key = "device.name",
                .value = s.device.name,
                .initial = std::string{},
                .help = "Vulkan device: part of its name, or its number in `glint devices`; empty "
                        "picks the best."});
  visit(Setting{.key = "device.validation",
                .value = s.device.validation,
                .initial = false,
                .help = "Run with Vulkan's validation layer (slow; needs the layer installed)."});
  visit(Setting{.key = "device.spin",
                .value = s.device.spin,
                .initial = false,
                .help = "Wait for the device without sleeping: results come sooner, and a "
                        "processor does nothing else meanwhile."});
  visit(Setting{
      .key = "live.window",
      .value = s.live.window,
      .initial = 0.0,
      .range = Range<double>{0, 60'000, 50},
      .unit = "ms",
      .help = "How far apart the times of frames of several live cameras may lie in one set; 0: "
              "half of the fastest camera's frame interval, at most 10."});
  visit(Setting{
      .key = "live.wait",
      .value = s.live.wait,
      .initial = 10.0,
      .range = Range<double>{0, 60'000, 50},
      .unit = "ms",
      .help =
          "How long a set waits for a live camera whose frame is due, at most half of the frame "
          "interval of those that are there; then it goes on without."});
  visit(Setting{.key = "live.lag",
                .value = s.live.lag,
                .initial = 1,
                .range = Range<int>{0, 1},
                .unit = "frames",
                .help = "How old what a frame's threshold is taken from may be; 0: each frame is "
                        "looked at twice and has its own, which costs throughput."});
  // Last: those of single cameras follow them in files (config/toml.cpp).
  visit(Setting{.key = "camera.size",
                .value = s.camera.size,
                .initial = std::string{},
                .help = "Live: size of the frames that a camera is asked for, such as 1280x720."});
  visit(Setting{.key = "camera.rate",
                .value = s.camera.rate,
                .initial = 0.0,
                .range = Range<double>{0, 100000, 240},
                .unit = "frames/s",
                .help = "Live: rate that a camera is asked for; 0: the highest it has."});
  visit(Setting{.key = "camera.format",
                .value = s.camera.format,
                .initial = std::string{},
                .help = "Live: pixel format that a camera is asked for, such as GREY, YUYV or MJPG "
                        "(`glint cameras` lists them)."});
  visit(Setting{.key = "camera.exposure",
                .value = s.camera.exposure,
                .initial = std::string{},
                .range = AnyValue{},
                .help = "Live: exposure in the camera's own unit (`glint cameras NAME "
                        "--controls`); \"auto\" leaves it to the camera, \"find\" brings it down "
                        "until only markers are left."});
  visit(Setting{.key = "camera.gain",
                .value = s.camera.gain,
                .initial = std::string{},
                .range = AnyValue{},
                .help = "Live: gain in the camera's own unit, or \"auto\"."});
  visit(Setting{.key = "camera.white_balance",
                .value = s.camera.whiteBalance,
                .initial = std::string{},
                .range = AnyValue{},
                .help = "Live: white balance, usually in kelvin, or \"auto\"."});
  visit(Setting{.key = "camera.focus",
                .value = s.camera.focus,
                .initial = std::string{},
                .range = AnyValue{},
                .help = "Live: focus in the camera's own unit, or \"auto\"."});
  visit(Setting{.key = "camera.power_line",
                .value = s.camera.powerLine,
                .initial = std::string{},
                .range = AnyValue{},
                .help = "Live: what flicker of lamps is suppressed, by the camera's menu."});
  visit(Setting{.key = "camera.black_level",
                .value = s.camera.blackLevel,
                .initial = std::string{},
                .range = AnyValue{},
                .help = "Live: black level in the camera's own unit."});
  visit(Setting{.key = "camera.trigger",
                .value = s.camera.trigger,
                .initial = std::string{},
                .range = AnyValue{},
                .help = "Live: what starts an exposure, by the camera's menu."});
  visit(Setting{.key = "camera.controls",
                .value = s.camera.controls,
                .initial = std::string{},
                .help = "Live: any other controls by their own names, such as \"sharpness=3, "
                        "hue=0\"."});
  visit(Setting{.key = "camera.colour",
                .value = s.camera.colour,
                .initial = false,
                .help = "Live: take colour from a camera that sends it, for filters that need it; "
                        "markers are sought in its luminance."});
}

}  // namespace glint
