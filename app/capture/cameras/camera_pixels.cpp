#include "app/capture/cameras/camera_pixels.h"

#include <algorithm>
#include <array>

#include <linux/videodev2.h>

namespace glint::capture {
namespace {

using Layout = CameraPixels::Layout;

constexpr std::array kKnown{
    CameraPixels{.fourcc = V4L2_PIX_FMT_GREY},
    CameraPixels{.fourcc = V4L2_PIX_FMT_Y16, .layout = Layout::grey16, .bits = 16},
    CameraPixels{.fourcc = V4L2_PIX_FMT_Y14, .layout = Layout::grey16, .bits = 14},
    CameraPixels{.fourcc = V4L2_PIX_FMT_Y12, .layout = Layout::grey16, .bits = 12},
    CameraPixels{.fourcc = V4L2_PIX_FMT_Y10, .layout = Layout::grey16, .bits = 10},
    CameraPixels{.fourcc = V4L2_PIX_FMT_Y10P, .layout = Layout::grey10Packed, .bits = 10},
    CameraPixels{.fourcc = V4L2_PIX_FMT_NV12, .yuv = true, .linesOf2 = 3},
    CameraPixels{.fourcc = V4L2_PIX_FMT_NV21, .yuv = true, .linesOf2 = 3},
    CameraPixels{.fourcc = V4L2_PIX_FMT_NV16, .yuv = true, .linesOf2 = 4},
    CameraPixels{.fourcc = V4L2_PIX_FMT_YUV420, .yuv = true, .linesOf2 = 3},
    CameraPixels{.fourcc = V4L2_PIX_FMT_YVU420, .yuv = true, .linesOf2 = 3},
    CameraPixels{.fourcc = V4L2_PIX_FMT_YUYV, .step = 2, .yuv = true},
    CameraPixels{.fourcc = V4L2_PIX_FMT_YVYU, .step = 2, .yuv = true},
    CameraPixels{.fourcc = V4L2_PIX_FMT_UYVY, .step = 2, .offset = 1, .yuv = true},
    CameraPixels{.fourcc = V4L2_PIX_FMT_VYUY, .step = 2, .offset = 1, .yuv = true},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SBGGR8, .layout = Layout::bayer8},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SGBRG8, .layout = Layout::bayer8},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SGRBG8, .layout = Layout::bayer8},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SRGGB8, .layout = Layout::bayer8},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SBGGR10, .layout = Layout::bayer16, .bits = 10},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SGBRG10, .layout = Layout::bayer16, .bits = 10},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SGRBG10, .layout = Layout::bayer16, .bits = 10},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SRGGB10, .layout = Layout::bayer16, .bits = 10},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SBGGR12, .layout = Layout::bayer16, .bits = 12},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SGBRG12, .layout = Layout::bayer16, .bits = 12},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SGRBG12, .layout = Layout::bayer16, .bits = 12},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SRGGB12, .layout = Layout::bayer16, .bits = 12},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SBGGR16, .layout = Layout::bayer16, .bits = 16},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SGBRG16, .layout = Layout::bayer16, .bits = 16},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SGRBG16, .layout = Layout::bayer16, .bits = 16},
    CameraPixels{.fourcc = V4L2_PIX_FMT_SRGGB16, .layout = Layout::bayer16, .bits = 16},
    CameraPixels{.fourcc = V4L2_PIX_FMT_MJPEG, .layout = Layout::jpeg},
    CameraPixels{.fourcc = V4L2_PIX_FMT_JPEG, .layout = Layout::jpeg},
};

}  // namespace

std::span<const CameraPixels> knownCameraPixels() {
  return kKnown;
}

const CameraPixels* findCameraPixels(uint32_t fourcc) {
  const auto found =
      std::ranges::find_if(kKnown, [&](const CameraPixels& p) { return p.fourcc == fourcc; });
  return found == kKnown.end() ? nullptr : &*found;
}

std::string fourccName(uint32_t fourcc) {
  std::string name;
  for (int shift = 0; shift < 32; shift += 8) name += static_cast<char>(fourcc >> shift & 0x7F);
  name.erase(name.find_last_not_of(' ') + 1);
  return name;
}

}  // namespace glint::capture
