// The pictures of fake cameras, in the formats that they send.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <jpeglib.h>

#include "fake_camera.h"

namespace fake {
namespace {

constexpr int kMarkers = 3;
constexpr double kPi = 3.14159265358979323846;

void centreOf(const Camera& camera, int marker, long frame, double& x, double& y) {
  const double angle =
      2 * kPi * (static_cast<double>(frame) / 200 + static_cast<double>(marker) / kMarkers);
  const double radius = 0.35 * std::min(camera.width, camera.height);
  x = camera.width / 2.0 + radius * std::cos(angle);
  y = camera.height / 2.0 + radius * std::sin(angle);
}

/// The contents of a frame. Brightness is a share of full scale.
struct Scene {
  double background = 0, height = 0;
  double x[kMarkers] = {}, y[kMarkers] = {};

  Scene(const Camera& camera, long frame) {
    const double light = camera.exposure * (1 + camera.gain / 10.0) / 400.0;
    background = std::min(1.0, 0.04 + camera.ambient * light);
    height = std::max(0.0, std::min(1.0, light) - background);
    for (int m = 0; m < kMarkers; ++m) centreOf(camera, m, frame, x[m], y[m]);
  }
  bool isNear(int m, int px, int py) const {
    const int dx = px - static_cast<int>(x[m]), dy = py - static_cast<int>(y[m]);
    return dx >= -9 && dx <= 10 && dy >= -9 && dy <= 10;
  }
  float at(int px, int py) const {
    auto value = static_cast<float>(background);
    for (int m = 0; m < kMarkers; ++m) {
      if (!isNear(m, px, py)) continue;
      const double d = (px - x[m]) * (px - x[m]) + (py - y[m]) * (py - y[m]);
      value += static_cast<float>(height * std::exp(-d / 8));
    }
    return value;
  }
};

/// Calls visit(x, y, value) for the pixels around markers. Pixels near two markers are visited
/// twice.
template <class Visit>
void visitMarkers(const Camera& camera, const Scene& scene, const Visit& visit) {
  for (int m = 0; m < kMarkers; ++m) {
    const int cx = static_cast<int>(scene.x[m]), cy = static_cast<int>(scene.y[m]);
    for (int y = std::max(cy - 9, 0); y <= std::min(cy + 10, camera.height - 1); ++y)
      for (int x = std::max(cx - 9, 0); x <= std::min(cx + 10, camera.width - 1); ++x)
        visit(static_cast<size_t>(y * camera.width + x), scene.at(x, y));
  }
}

/// Returns the pixels of a frame as shares of full scale, 0 to 1.
std::vector<float> paint(const Camera& camera, long frame) {
  const Scene scene(camera, frame);
  std::vector<float> image(static_cast<size_t>(camera.width * camera.height),
                           static_cast<float>(scene.background));
  visitMarkers(camera, scene, [&](size_t i, float value) { image[i] = value; });
  if (!camera.noise) return image;
  uint32_t random = static_cast<uint32_t>(frame) * 2654435761U + 1;
  for (float& value : image) {
    random = random * 1664525U + 1013904223U;
    value += static_cast<float>(random >> 8U) / static_cast<float>(1U << 28U);
  }
  return image;
}

/// Paints a frame in a format of one byte for each pixel. It is faster than paint(), because 200
/// frames a second must cost little.
void paintGrey(const Camera& camera, long frame, uint8_t* to) {
  const Scene scene(camera, frame);
  const auto stored = [](float value) {
    return static_cast<uint8_t>(std::lround(255 * std::min(value, 1.0F)));
  };
  std::memset(to, stored(static_cast<float>(scene.background)), camera.imageBytes());
  visitMarkers(camera, scene, [&](size_t i, float value) { to[i] = stored(value); });
}

size_t encode(const Camera& camera, const std::vector<uint8_t>& grey, uint8_t* to, size_t room) {
  jpeg_compress_struct info{};
  jpeg_error_mgr error{};
  info.err = jpeg_std_error(&error);
  jpeg_create_compress(&info);
  unsigned char* made = nullptr;
  unsigned long bytes = 0;
  jpeg_mem_dest(&info, &made, &bytes);
  info.image_width = static_cast<JDIMENSION>(camera.width);
  info.image_height = static_cast<JDIMENSION>(camera.height);
  info.input_components = 3;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, 95, TRUE);
  jpeg_start_compress(&info, TRUE);
  std::vector<uint8_t> row(static_cast<size_t>(camera.width) * 3);
  while (info.next_scanline < info.image_height) {
    const uint8_t* from = grey.data() + info.next_scanline * info.image_width;
    for (size_t x = 0; x < row.size(); ++x) row[x] = from[x / 3];
    JSAMPROW line = row.data();
    jpeg_write_scanlines(&info, &line, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  const size_t used = std::min<size_t>(bytes, room);
  std::memcpy(to, made, used);
  std::free(made);
  return used;
}

}  // namespace

void Camera::fill(Buffer& buffer) {
  const bool plain = fourcc == V4L2_PIX_FMT_GREY && level < 0 && !noise;
  std::vector<float> image;
  if (level < 0 && !plain) image = paint(*this, buffer.frame);
  const size_t pixels = static_cast<size_t>(width) * static_cast<size_t>(height);
  const int full = (1 << bitsOf(fourcc)) - 1;
  const auto stored = [&](size_t i) {
    if (level >= 0) return level;
    if (fourcc == V4L2_PIX_FMT_YUYV || fourcc == V4L2_PIX_FMT_UYVY || fourcc == V4L2_PIX_FMT_NV12)
      // YUV has a limited range.
      return static_cast<int>(std::lround(16 + 219 * std::min(image[i], 1.0F)));
    return static_cast<int>(std::lround(full * std::min(image[i], 1.0F)));
  };
  buffer.used = imageBytes();
  if (!film.empty()) {
    const double shown =
        trigger ? std::round(dueAt(buffer.frame) * fps) : dueAt(buffer.frame) / 0.5;
    const auto image = static_cast<size_t>(shown) % (film.size() / pixels);
    std::memcpy(buffer.data, film.data() + image * pixels, pixels);
  } else if (plain) {
    paintGrey(*this, buffer.frame, buffer.data);
  } else if (fourcc == V4L2_PIX_FMT_MJPEG) {
    std::vector<uint8_t> grey(pixels);
    for (size_t i = 0; i < pixels; ++i) grey[i] = static_cast<uint8_t>(stored(i));
    buffer.used = encode(*this, grey, buffer.data, buffer.bytes);
  } else if (isWide(fourcc)) {
    for (size_t i = 0; i < pixels; ++i) {
      const auto value = static_cast<uint16_t>(stored(i));
      std::memcpy(buffer.data + 2 * i, &value, 2);
    }
  } else if (isTwoBytes(fourcc)) {
    const size_t luma = fourcc == V4L2_PIX_FMT_YUYV ? 0 : 1;
    for (size_t i = 0; i < pixels; ++i) {
      buffer.data[2 * i + luma] = static_cast<uint8_t>(stored(i));
      buffer.data[2 * i + 1 - luma] = 200;  // chroma, which must have no effect
    }
  } else {
    for (size_t i = 0; i < pixels; ++i) buffer.data[i] = static_cast<uint8_t>(stored(i));
    std::memset(buffer.data + pixels, 200, buffer.used - pixels);
  }
  buffer.bad = corrupt.has(buffer.frame);
  if (buffer.bad) buffer.used /= 2;
}

}  // namespace fake
