// The one declaration of every setting, for config/ and for panels that are generated from it.
#pragma once

#include <array>
#include <limits>
#include <string_view>

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
  std::string_view help;       ///< one sentence, or two
  Allowed range{};             ///< of numbers; texts, switches and choices ignore it
  std::string_view unit = "";  ///< "" where there is none
};

/// Calls visit(Setting) for every setting. `S` is Settings or const Settings.
template <class S, class Visit>
void describe(S& s, Visit&& visit) {
  visit(Setting{"response.kind", s.response.kind, ResponseKind::luminance,
                "Plane in which peaks are sought; inverted finds dark markers, blur suppresses "
                "noise, and dog also what is larger or smaller than a marker."});
  visit(Setting{"response.radius", s.response.radius, 3.0, "With blur and dog: radius of a marker.",
                Range<double>{0.5, 16}, "px"});
  visit(Setting{"response.gain", s.response.gain, 2,
                "With dog: times what the difference is taken; more for faint markers.",
                Range<int>{1, 64}});
  visit(Setting{"response.dark", s.response.dark, false,
                "Take every response of the inverted luminance, to find dark markers."});
  visit(Setting{"detect.method", s.detect.method, DetectMethod::peaks,
                "What a marker is: a peak of the response, or a connected blob of bright pixels."});
  visit(
      Setting{"detect.max_markers", s.detect.maxMarkers, 128,
              "Most markers per camera and frame: the brightest peaks, or the blobs of most mass.",
              Range<int>{1, 4096, 1000}, "markers"});
  visit(Setting{"detect.separation", s.detect.separation, 6.0,
                "Least distance between two markers; of two nearer ones the brighter is kept.",
                Range<double>{1, 65536, 100}, "px"});
  visit(Setting{"detect.threshold", s.detect.threshold, Threshold{},
                "Least response of a marker; \"auto\" follows the previous frame.",
                Range<double>{0, 1}, "of full scale"});
  visit(Setting{"detect.threshold_sigma", s.detect.thresholdSigma, 5.0,
                "With threshold \"auto\": how far above the mean response the threshold lies.",
                Range<double>{0, 1000, 30}, "stddev"});
  visit(Setting{"detect.min_radius", s.detect.minRadius, 0.0, "Least radius of a marker.",
                Range<double>{0, 65536, 50}, "px"});
  visit(Setting{"detect.max_radius", s.detect.maxRadius, 65536.0, "Largest radius of a marker.",
                Range<double>{0, 65536, 200}, "px"});
  visit(Setting{"detect.max_eccentricity", s.detect.maxEccentricity, 0.85,
                "Least round marker: 0 allows circles only, 0.85 what is 1.9 times as long as "
                "wide, 1 anything.",
                Range<double>{0, 1}});
  visit(Setting{"detect.min_mass", s.detect.minMass, 0.0,
                "Least mass of a marker: luminance above its background (of blobs: above the "
                "threshold), summed.",
                Range<double>{0, 1e12, 1e6}, "counts"});
  visit(Setting{"detect.min_significance", s.detect.minSignificance, 5.0,
                "Of peaks: how far a marker as a whole must stand out of the noise, as the fit "
                "tells; 0 allows anything.",
                Range<double>{0, 1000, 100}, "stddev"});
  visit(Setting{
      "detect.mask", s.detect.mask, std::string{},
      "Image of the frames' size, 0 = ignore the pixel; %d in its name stands for the camera."});
  visit(Setting{"detect.region", s.detect.region, std::string{},
                "Rectangles X,Y,W,H; ... (px): only what lies in one of them is measured."});
  visit(Setting{"detect.ignore", s.detect.ignore, std::string{},
                "Rectangles X,Y,W,H; ... (px) in which nothing is measured."});
  visit(Setting{"refine.method", s.refine.method, RefineMethod::fit,
                "How positions are refined below a pixel."});
  visit(Setting{"refine.radius", s.refine.radius, 0,
                "Radius of the window around a marker; 0 takes it from the marker itself.",
                Range<int>{0, 64}, "px"});
  visit(Setting{"track.max_gap", s.track.maxGap, 15,
                "Longest time that a track is continued without a measurement.",
                Range<int>{0, 10000, 300}, "frames"});
  visit(Setting{"track.confirm", s.track.confirm, 3, "Measurements that make a new track a track.",
                Range<int>{1, 1000, 30}, "frames"});
  visit(Setting{"track.gate", s.track.gate, 4.0,
                "How far from its prediction a track accepts a measurement.",
                Range<double>{1, 100, 20}, "stddev"});
  visit(Setting{"track.acceleration", s.track.acceleration, 1.5,
                "Standard deviation of a marker's acceleration, per typical frame interval.",
                Range<double>{0.01, 100, 20}, "px/frame^2"});
  visit(Setting{"track.max_speed", s.track.maxSpeed, 30.0,
                "Fastest marker: how far a track with a single measurement may be continued.",
                Range<double>{0, 10000, 300}, "px/frame"});
  visit(Setting{"track.stitch_gap", s.track.stitchGap, 4.0,
                "Longest gap over which a track that ended is joined with a new one, if nothing "
                "else is plausible; 0 joins none.",
                Range<double>{0, 3600, 60}, "s"});
  visit(Setting{
      "device.name", s.device.name, std::string{},
      "Vulkan device: part of its name, or its number in `glint devices`; empty picks the best."});
  visit(Setting{"device.validation", s.device.validation, false,
                "Run with Vulkan's validation layer (slow; needs the layer installed)."});
  visit(Setting{"device.spin", s.device.spin, false,
                "Wait for the device without sleeping: results come sooner, and a processor does "
                "nothing else meanwhile."});
  visit(Setting{"live.window", s.live.window, 0.0,
                "How far apart the times of frames of several live cameras may lie in one set; 0: "
                "half of the fastest camera's frame interval, at most 10.",
                Range<double>{0, 60'000, 50}, "ms"});
  visit(Setting{"live.wait", s.live.wait, 10.0,
                "How long a set waits for a live camera whose frame is due, at most half of the "
                "frame interval of those that are there; then it goes on without.",
                Range<double>{0, 60'000, 50}, "ms"});
  visit(Setting{"live.lag", s.live.lag, 1,
                "How old what a frame's threshold is taken from may be; 0: each frame is looked at "
                "twice and has its own, which costs throughput.",
                Range<int>{0, 1}, "frames"});
  // Last: those of single cameras follow them in files (config/toml.cpp).
  visit(Setting{"camera.size", s.camera.size, std::string{},
                "Live: size of the frames that a camera is asked for, such as 1280x720."});
  visit(Setting{"camera.rate", s.camera.rate, 0.0,
                "Live: rate that a camera is asked for; 0: the highest it has.",
                Range<double>{0, 100000, 240}, "frames/s"});
  visit(Setting{"camera.format", s.camera.format, std::string{},
                "Live: pixel format that a camera is asked for, such as GREY, YUYV or MJPG (`glint "
                "cameras` lists them)."});
  visit(
      Setting{"camera.exposure", s.camera.exposure, std::string{},
              "Live: exposure in the camera's own unit (`glint cameras NAME --controls`); \"auto\" "
              "leaves it to the camera, \"find\" brings it down until only markers are left.",
              AnyValue{}});
  visit(Setting{"camera.gain", s.camera.gain, std::string{},
                "Live: gain in the camera's own unit, or \"auto\".", AnyValue{}});
  visit(Setting{"camera.white_balance", s.camera.whiteBalance, std::string{},
                "Live: white balance, usually in kelvin, or \"auto\".", AnyValue{}});
  visit(Setting{"camera.focus", s.camera.focus, std::string{},
                "Live: focus in the camera's own unit, or \"auto\".", AnyValue{}});
  visit(Setting{"camera.power_line", s.camera.powerLine, std::string{},
                "Live: what flicker of lamps is suppressed, by the camera's menu.", AnyValue{}});
  visit(Setting{"camera.black_level", s.camera.blackLevel, std::string{},
                "Live: black level in the camera's own unit.", AnyValue{}});
  visit(Setting{"camera.trigger", s.camera.trigger, std::string{},
                "Live: what starts an exposure, by the camera's menu.", AnyValue{}});
  visit(Setting{"camera.controls", s.camera.controls, std::string{},
                "Live: any other controls by their own names, such as \"sharpness=3, hue=0\"."});
  visit(Setting{"camera.colour", s.camera.colour, false,
                "Live: take colour from a camera that sends it, for filters that need it; markers "
                "are sought in its luminance."});
}

}  // namespace glint
