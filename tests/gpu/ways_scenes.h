// Random images and settings, of the kinds that take different ways through a detector.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "gpu/detect/detection_config.h"
#include "shared/feedback.h"
#include "tests/gpu/reference.h"

namespace glint::test {

/// Random numbers that are the same on every machine.
class Dice {
 public:
  explicit Dice(uint32_t seed) : random_(seed) {}
  /// Returns a number from 0 up to, but without, `end`.
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

/// Returns an image of kind 0 to 9: flat, few levels, noise, saturated, nearly saturated, equal
/// spots side by side, a few spots, thousands of spots, large discs with structure, and lines. Some
/// spots lie at the border, or beyond it.
reference::Image makeScene(uint32_t kind, const gpu::ImageFormat& format, Dice& dice);

/// Returns settings. If `fitted`, they certainly measure peaks; otherwise they may be anything.
gpu::DetectionConfig someConfig(bool fitted, const gpu::FrameFormat& format, Dice& dice);

/// Returns predictions, some at whole pixels, and some outside of the image.
std::vector<shared::Prediction> somePredictions(const gpu::ImageFormat& image, Dice& dice);

}  // namespace glint::test
