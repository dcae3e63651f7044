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

/// Calls visit(key, member, default, range, unit, help) for every setting.
/// `S` is Settings or const Settings; texts and switches ignore the range.
template <class S, class Visit>
void describe(S& s, Visit&& visit) {
  constexpr Range<double> any{};
  visit("response.kind", s.response.kind, ResponseKind::luminance, any, "",
        "Plane in which peaks are sought; inverted finds dark markers, blur suppresses noise, and "
        "dog also what is larger or smaller than a marker.");
  visit("response.radius", s.response.radius, 3.0, Range<double>{0.5, 16}, "px",
        "With blur and dog: radius of a marker.");
  visit("response.gain", s.response.gain, 2, Range<int>{1, 64}, "",
        "With dog: times what the difference is taken; more for faint markers.");
  visit("response.dark", s.response.dark, false, any, "",
        "Take every response of the inverted luminance, to find dark markers.");
  visit("detect.method", s.detect.method, DetectMethod::peaks, any, "",
        "What a marker is: a peak of the response, or a connected blob of bright pixels.");
  visit("detect.max_markers", s.detect.maxMarkers, 128, Range<int>{1, 4096, 1000}, "markers",
        "Most markers per camera and frame: the brightest peaks, or the blobs of most mass.");
  visit("detect.separation", s.detect.separation, 6.0, Range<double>{1, 65536, 100}, "px",
        "Least distance between two markers; of two nearer ones the brighter is kept.");
  visit("detect.threshold", s.detect.threshold, Threshold{}, Range<double>{0, 1}, "of full scale",
        "Least response of a marker; \"auto\" follows the previous frame.");
  visit("detect.threshold_sigma", s.detect.thresholdSigma, 5.0, Range<double>{0, 1000, 30}, "stddev",
        "With threshold \"auto\": how far above the mean response the threshold lies.");
  visit("detect.min_radius", s.detect.minRadius, 0.0, Range<double>{0, 65536, 50}, "px",
        "Least radius of a marker.");
  visit("detect.max_radius", s.detect.maxRadius, 65536.0, Range<double>{0, 65536, 200}, "px",
        "Largest radius of a marker.");
  visit("detect.max_eccentricity", s.detect.maxEccentricity, 0.85, Range<double>{0, 1}, "",
        "Least round marker: 0 allows circles only, 0.85 what is 1.9 times as long as wide, 1 "
        "anything.");
  visit("detect.min_mass", s.detect.minMass, 0.0, Range<double>{0, 1e12, 1e6}, "counts",
        "Least mass of a marker: luminance above its background (of blobs: above the threshold), "
        "summed.");
  visit("detect.min_significance", s.detect.minSignificance, 5.0, Range<double>{0, 1000, 100}, "stddev",
        "Of peaks: how far a marker as a whole must stand out of the noise, as the fit tells; 0 "
        "allows anything.");
  visit("detect.mask", s.detect.mask, std::string{}, any, "",
        "Image of the frames' size, 0 = ignore the pixel; %d in its name stands for the camera.");
  visit("refine.method", s.refine.method, RefineMethod::fit, any, "",
        "How positions are refined below a pixel.");
  visit("refine.radius", s.refine.radius, 0, Range<int>{0, 64}, "px",
        "Radius of the window around a marker; 0 takes it from the marker itself.");
  visit("track.max_gap", s.track.maxGap, 15, Range<int>{0, 10000, 300}, "frames",
        "Longest time that a track is continued without a measurement.");
  visit("track.confirm", s.track.confirm, 3, Range<int>{1, 1000, 30}, "frames",
        "Measurements that make a new track a track.");
  visit("track.gate", s.track.gate, 4.0, Range<double>{1, 100, 20}, "stddev",
        "How far from its prediction a track accepts a measurement.");
  visit("track.acceleration", s.track.acceleration, 1.5, Range<double>{0.01, 100, 20}, "px/frame^2",
        "Standard deviation of a marker's acceleration, per typical frame interval.");
  visit("track.max_speed", s.track.maxSpeed, 30.0, Range<double>{0, 10000, 300}, "px/frame",
        "Fastest marker: how far a track with a single measurement may be continued.");
  visit("track.stitch_gap", s.track.stitchGap, 3.0, Range<double>{0, 3600, 60}, "s",
        "Longest gap over which a track that ended is joined with a new one, if nothing else is "
        "plausible; 0 joins none.");
  visit("device.name", s.device.name, std::string{}, any, "",
        "Vulkan device: part of its name, or its number in `glint devices`; empty picks the best.");
  visit("device.validation", s.device.validation, false, any, "",
        "Run with Vulkan's validation layer (slow; needs the layer installed).");
}

}  // namespace glint
