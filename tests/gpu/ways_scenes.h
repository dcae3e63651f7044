// Images and settings at random, of the kinds that take different ways through a detector.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "gpu/detect/detection_config.h"
#include "shared/feedback.h"
#include "tests/gpu/reference.h"

namespace glint::test {

/// The same on every machine.
class Dice {
 public:
  explicit Dice(uint32_t seed) : random_(seed) {}
  /// From 0 on, less than `end`.
  uint32_t below(uint32_t end) { return static_cast<uint32_t>(uint64_t{random_()} * end >> 32); }
  double from(double least, double most) {
    return least + (most - least) * static_cast<double>(random_()) / 4294967296;
  }
  bool once(uint32_t in) { return below(in) == 0; }
  template <class T>
  T oneOf(std::initializer_list<T> all) {
    return all.begin()[below(static_cast<uint32_t>(all.size()))];
  }

 private:
  std::mt19937 random_;
};

constexpr uint32_t kSceneKinds = 10;

/// Of kind 0 to 9: flat, of a few levels, noise, saturated, nearly saturated, equal spots side by
/// side, a few spots, thousands of them, large discs with structure, and lines. Some spots lie at
/// the border, or beyond.
reference::Image makeScene(uint32_t kind, const gpu::ImageFormat& format, Dice& dice);

/// Fitted: sure to have its peaks measured; otherwise it may be anything.
gpu::DetectionConfig someConfig(bool fitted, const gpu::FrameFormat& format, Dice& dice);

/// Some are at whole pixels, some outside of the image.
std::vector<shared::Prediction> somePredictions(const gpu::ImageFormat& image, Dice& dice);

}  // namespace glint::test
