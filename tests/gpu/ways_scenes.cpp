#include "tests/gpu/ways_scenes.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "tests/gpu/rig.h"

namespace glint::test {
namespace {

/// Grey values from 0 to 1, onto which scenes are drawn.
struct Canvas {
  uint32_t width, height;
  std::vector<double> values;

  template <class Value>
  void fill(Value&& value) {
    for (uint32_t y = 0; y < height; ++y)
      for (uint32_t x = 0; x < width; ++x) values[size_t{y} * width + x] = value(x, y);
  }

  /// Draws a spot where it is brighter than the present values.
  void spot(double x, double y, double height_, double sigma) {
    const double reach = 4 * sigma + 1;
    const auto clampTo = [](double v, uint32_t end) {
      return static_cast<uint32_t>(std::clamp(v, 0.0, double(end)));
    };
    for (uint32_t v = clampTo(y - reach, height); v < clampTo(y + reach, height); ++v) {
      for (uint32_t u = clampTo(x - reach, width); u < clampTo(x + reach, width); ++u) {
        const double away = std::hypot(u - x, v - y) / sigma;
        double& value = values[size_t{v} * width + u];
        value = std::max(value, height_ * std::exp(-away * away / 2));
      }
    }
  }
};

void drawSpots(Canvas& canvas, uint32_t count, Dice& dice) {
  canvas.fill([&](auto, auto) { return 0.04 + 0.02 * dice.from(0, 1); });
  const double width = canvas.width, height = canvas.height;
  for (uint32_t i = 0; i < count; ++i) {
    double x = dice.from(-2, width + 1), y = dice.from(-2, height + 1);
    if (dice.once(8)) x = dice.oneOf({-0.5, 0.0, 0.4, width - 1, width - 0.5});
    if (dice.once(8)) y = dice.oneOf({-0.5, 0.0, 0.4, height - 1, height - 0.5});
    // Gives some spots the same height, so that their order is that of their places.
    const double level = dice.once(2) ? 0.5 : dice.from(0.1, 1.3);
    canvas.spot(x, y, level, dice.from(0.5, count > 1000 ? 1.2 : 3.0));
  }
}

void drawGrid(Canvas& canvas, Dice& dice) {
  const uint32_t apart = 2 + dice.below(18);
  const double sigma = std::max(0.4, apart / dice.from(3, 10));
  for (uint32_t y = dice.below(apart); y < canvas.height + apart; y += apart)
    for (uint32_t x = dice.below(apart); x < canvas.width + apart; x += apart)
      canvas.spot(x, y, 0.6, sigma);
}

void drawDiscs(Canvas& canvas, Dice& dice) {
  const double side = dice.from(40, 70), radius = dice.from(11.5, 0.45 * side);
  const double rough = dice.from(0.01, 0.1);
  canvas.fill([&](uint32_t x, uint32_t y) {
    const auto fromMiddle = [&](double at) { return at - (std::floor(at / side) + 0.5) * side; };
    const double edge = radius + 0.5 - std::hypot(fromMiddle(x), fromMiddle(y));
    return 0.15 + 0.6 * std::clamp(edge, 0.0, 1.0) + rough * dice.from(0, 1);
  });
}

void draw(Canvas& canvas, uint32_t kind, double step, Dice& dice) {
  const double level = dice.from(0, 1);
  const uint32_t apart = 5 + dice.below(30);
  switch (kind) {
    case 0:
      return canvas.fill([&](auto, auto) { return level; });
    case 1:
      return canvas.fill([&](auto, auto) { return level + step * dice.below(3); });
    case 2:
      return canvas.fill([&](auto, auto) { return dice.from(0, 1); });
    case 3:
      return canvas.fill([](auto, auto) { return 1.0; });
    case 4:
      return canvas.fill([&](auto, auto) { return 1 - step * dice.below(2); });
    case 5:
      return drawGrid(canvas, dice);
    case 6:
      return drawSpots(canvas, dice.oneOf({0U, 1U, 25U, 300U}), dice);
    case 7:
      return drawSpots(canvas, canvas.width * canvas.height / 25, dice);
    case 8:
      return drawDiscs(canvas, dice);
    default:
      return canvas.fill([&](uint32_t x, uint32_t y) {
        return 0.2 + 0.5 * ((x + y / 3) % apart < 2) + 0.05 * dice.from(0, 1);
      });
  }
}

gpu::Masks someMasks(const gpu::FrameFormat& format, Dice& dice) {
  std::vector<gpu::LayerMask> masks(format.layers);
  for (gpu::LayerMask& mask : masks) {
    if (dice.once(3)) continue;  // the whole layer counts
    mask = {format.image.width, format.image.height, {}};
    const uint32_t apart = 1 + dice.below(40), ignored = dice.below(apart);
    for (uint32_t i = 0; i < format.image.pixels(); ++i)
      mask.pixels.push_back(i % format.image.width % apart < ignored ? 0 : 1);
    mask.pixels.back() = 1;
  }
  return std::make_shared<const std::vector<gpu::LayerMask>>(std::move(masks));
}

}  // namespace

gpu::DetectionConfig someConfig(bool fitted, const gpu::FrameFormat& format, Dice& dice) {
  gpu::DetectionConfig config;
  Settings& s = test::edit(config);
  const auto kind = fitted ? ResponseKind::luminance
                           : dice.oneOf({ResponseKind::luminance, ResponseKind::luminance,
                                         ResponseKind::blur, ResponseKind::dog});
  s.response = {kind, dice.oneOf({1.5, 3.0}), 2, dice.once(6)};
  s.detect.maxMarkers = dice.oneOf({1, 7, 40, 128});
  s.detect.separation = dice.oneOf({1.0, 2.5, 6.0, 14.5, 60.0});
  if (!dice.once(4)) s.detect.threshold = dice.oneOf({0.01, 0.05, 0.12, 0.3, 0.3, 0.55, 1.0});
  config.rejected = fitted || dice.once(3);
  config.planes = {.response = dice.once(4), .candidates = dice.once(4)};
  if (dice.once(4)) config.masks = someMasks(format, dice);
  if (!fitted && dice.once(3)) {
    s.refine.method = RefineMethod::none;
    if (dice.once(2)) s.detect.maxMarkers = 4096;
    return config;
  }
  if (!fitted && dice.once(6)) s.detect.method = DetectMethod::blobs;
  if (fitted && dice.once(2)) s.detect.maxMarkers = 1000;  // so that all may be listed
  s.refine.radius = dice.oneOf({0, 0, 0, 5});
  s.detect.maxEccentricity = dice.oneOf({0.85, 0.99, 1.0});
  if (dice.once(3)) s.detect.minRadius = 2;
  if (dice.once(3)) s.detect.maxRadius = dice.oneOf({3.0, 12.0, 30.0});
  return config;
}

std::vector<shared::Prediction> somePredictions(const gpu::ImageFormat& image, Dice& dice) {
  std::vector<shared::Prediction> all;
  const uint32_t count = dice.oneOf({0U, 1U, 40U, 500U});
  for (uint32_t i = 0; i < count; ++i) {
    const auto x = static_cast<float>(dice.from(-30, image.width + 30));
    const auto y = static_cast<float>(dice.from(-30, image.height + 30));
    all.push_back({dice.once(4) ? std::floor(x) : x, dice.once(4) ? std::floor(y) : y,
                   dice.oneOf({0.0F, 0.5F, 3.0F, 3.0F, 40.0F}), i});
  }
  return all;
}

reference::Image makeScene(uint32_t kind, const gpu::ImageFormat& format, Dice& dice) {
  const double full = format.fullScale();
  Canvas canvas{format.width, format.height, std::vector<double>(format.pixels(), 0)};
  draw(canvas, kind, 1 / full, dice);
  reference::Image image{format, {}};
  for (const double value : canvas.values) {
    for (uint32_t c = 0; c < format.channels; ++c) {
      const double tinted = format.channels == 1 ? value : value - 0.1 * dice.below(2);
      image.values.push_back(static_cast<uint16_t>(std::clamp(tinted * full + 0.5, 0.0, full)));
    }
  }
  return image;
}

}  // namespace glint::test
