// The host paints a plane as ui/shaders/image.frag draws it, pixel by pixel.
#include "ui/draw/host_painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "tests/gpu/rig.h"

namespace glint::ui {
namespace {

using Reference = std::array<double, 3>;  // red, green, blue

/// Returns layers of noise, with a few pixels of 0 and of full scale.
gpu::PlaneImage noise(const gpu::ImageFormat& format, uint32_t layers) {
  const shared::PlaneShape shape = gpu::planeShape(format);
  auto buffer = std::make_shared<gpu::Buffer>(test::device(), gpu::planeBytes(shape, layers),
                                              gpu::MemoryUse::readback, "plane");
  std::mt19937 random(7);
  for (std::byte& byte : buffer->mapped()) {
    const auto value = static_cast<uint32_t>(random());
    byte = value % 7 == 0    ? std::byte{0}
           : value % 11 == 0 ? std::byte{255}
                             : std::byte(value >> 24);
  }
  return {.buffer = std::move(buffer), .format = format, .shape = shape};
}

/// Returns an image that shows the whole first layer.
PaintedImage imageOf(const gpu::PlaneImage& plane) {
  PaintedImage image;
  image.plane = &plane;
  image.white = plane.format.bits == 8 ? 255 : 65535;
  return image;
}

double valueOf(const PaintedImage& image, uint32_t x, uint32_t y, uint32_t channel) {
  const gpu::PlaneImage& plane = *image.plane;
  const size_t row = size_t{4} * (image.layer * plane.shape.layerStride + y * plane.shape.pitch);
  const size_t index = size_t{x} * plane.format.channels + channel;
  if (plane.format.bits == 8) return plane.buffer->as<uint8_t>()[row + index];
  return plane.buffer->as<uint16_t>()[row / 2 + index];
}

/// Returns the pixel of the image under (x, y) of the framebuffer: the mean of samples x samples
/// pixels, blue first.
Reference meanOf(const PaintedImage& image, uint32_t samples, float x, float y) {
  const auto step = static_cast<float>(1 / image.zoom);
  const auto along = static_cast<float>(samples);
  const auto at = [&](float place, float origin, uint32_t sample, uint32_t size) {
    const float corner = (place + 0.5F - origin - 0.5F + 0.5F / along) * step;
    const float p = corner + step / along * static_cast<float>(sample);
    return static_cast<uint32_t>(std::min(std::max(p, 0.0F), static_cast<float>(size) - 1));
  };
  Reference mean{};
  for (uint32_t j = 0; j < samples; ++j)
    for (uint32_t i = 0; i < samples; ++i)
      for (uint32_t c = 0; c < 3; ++c)
        mean[c] += valueOf(image, at(x, image.origin.x, i, image.plane->format.width),
                           at(y, image.origin.y, j, image.plane->format.height),
                           std::min(c, image.plane->format.channels - 1)) /
                   (samples * samples);
  return mean;
}

Reference referenceOf(double value, double threshold, double white) {
  const auto mix = [](Reference a, const Reference& b, double part) {
    for (size_t i = 0; i < 3; ++i) a[i] = a[i] * (1 - part) + b[i] * part;
    return a;
  };
  const double part = value / std::max(threshold, 1.0);
  if (part < 0.92) return mix({0.02, 0.03, 0.06}, {0.25, 0.45, 0.75}, part / 0.92);
  if (part < 1.08) return {0.15, 0.85, 0.35};
  const double high = threshold * 1.08;
  const double above = std::min(1.0, (value - high) / std::max(white - high, 1.0));
  if (above < 0.6) return mix({1, 0.9, 0.1}, {0.95, 0.25, 0.1}, above / 0.6);
  return mix({0.95, 0.25, 0.1}, {1, 1, 1}, (above - 0.6) / 0.4);
}

/// Checks that every pixel of `part` is opaque, and that its bytes differ by at most 1.
void expectPainted(HostPainter& painter, const PaintedImage& image, uint32_t samples,
                   const Rect& part, bool redFirst) {
  std::vector<uint32_t> pixels(static_cast<size_t>(part.width * part.height) + 1, 42);
  ASSERT_TRUE(HostPainter::paints(image));
  painter.paint(image, samples, part, pixels);
  EXPECT_EQ(pixels.back(), 42U);
  double most = 0;
  size_t i = 0;
  for (float y = part.y; y < part.y + part.height; ++y) {
    for (float x = part.x; x < part.x + part.width; ++x, ++i) {
      Reference colour = meanOf(image, samples, x, y);
      for (double& value : colour)
        value = (value - double{image.black}) / double{image.white - image.black};
      std::swap(colour[0], colour[2]);
      if (image.intensity)
        colour = referenceOf(meanOf(image, samples, x, y)[0], double{image.threshold},
                             double{image.white});
      EXPECT_EQ(pixels[i] >> 24, 255U);
      for (unsigned c = 0; c < 3; ++c) {
        const unsigned shift = redFirst ? 8 * c : 16 - 8 * c;
        const double wanted = 255 * std::clamp(colour[c], 0.0, 1.0);
        most = std::max(most, std::abs(wanted - double(pixels[i] >> shift & 0xff)));
      }
    }
  }
  EXPECT_LE(most, 1.0);
}

TEST(HostPainter, PaintsWhatTheShaderDraws) {
  for (const bool redFirst : {false, true}) {
    HostPainter painter(redFirst);
    for (const uint32_t bits : {8U, 16U}) {
      for (const uint32_t channels : {1U, 3U}) {
        const gpu::PlaneImage plane =
            noise({.width = 37, .height = 23, .channels = channels, .bits = bits}, 2);
        const float full = bits == 8 ? 255 : 65535;
        PaintedImage image = imageOf(plane);
        image.layer = 1;
        for (const auto& [zoom, samples] :
             {std::pair(0.31, 3U), {0.45, 2U}, {0.64, 1U}, {1.0, 1U}, {2.7, 1U}}) {
          SCOPED_TRACE(testing::Message()
                       << bits << " bits, " << channels << " channels, zoom " << zoom);
          image.zoom = zoom;
          image.origin = {3.25F, -4.5F};
          const auto wide = static_cast<float>(std::floor(36 * zoom)),
                     high = static_cast<float>(std::floor(22 * zoom - 4.5));
          const Rect part{3, 0, wide, std::max(1.0F, high)};
          for (const auto& [black, white] : {std::pair(0.0F, full), {full * 0.2F, full * 0.3F}}) {
            image.black = black;
            image.white = white;
            expectPainted(painter, image, samples, part, redFirst);
          }
        }
      }
    }
  }
}

TEST(HostPainter, PaintsFalseColours) {
  HostPainter painter(false);
  for (const uint32_t bits : {8U, 16U}) {
    const gpu::PlaneImage plane = noise({.width = 64, .height = 9, .channels = 1, .bits = bits}, 1);
    PaintedImage image = imageOf(plane);
    image.intensity = true;
    for (const float share : {0.0F, 0.3F, 0.9F}) {
      image.threshold = image.white * share + 0.5F;
      expectPainted(painter, image, 1, {0, 0, 64, 9}, false);
    }
  }
}

TEST(HostPainter, PaintsOnePixel) {
  HostPainter painter(false);
  const gpu::PlaneImage plane = noise({.width = 1, .height = 1, .channels = 1, .bits = 8}, 1);
  PaintedImage image = imageOf(plane);
  image.zoom = 5;
  expectPainted(painter, image, 1, {0, 0, 5, 5}, false);
}

TEST(HostPainter, LeavesToTheDeviceWhatItDoesNotSee) {
  gpu::PlaneImage plane = noise({.width = 8, .height = 8, .channels = 3, .bits = 8}, 1);
  PaintedImage image = imageOf(plane);
  EXPECT_TRUE(HostPainter::paints(image));
  image.intensity = true;  // false colours of three channels
  EXPECT_FALSE(HostPainter::paints(image));
  image.intensity = false;
  image.warp = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  EXPECT_FALSE(HostPainter::paints(image));
  image.warp.reset();
  plane.format.bits = 1;
  EXPECT_FALSE(HostPainter::paints(image));
  plane.format.bits = 8;
  plane.buffer =
      std::make_shared<gpu::Buffer>(test::device(), 256, gpu::MemoryUse::device, "unseen");
  EXPECT_FALSE(HostPainter::paints(image));
  plane.buffer = nullptr;
  EXPECT_FALSE(HostPainter::paints(image));
}

}  // namespace
}  // namespace glint::ui
