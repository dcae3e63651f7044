#include "app/mask/mask.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <opencv2/imgcodecs.hpp>

#include "app/base/paths.h"
#include "app/base/waiting.h"
#include "app/base/whole_file.h"
#include "app/capture/image_file.h"
#include "config/error.h"

namespace glint {
LayerMask loadMask(const std::string& path, const ImageFormat& format) {
  cv::Mat image;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw UsageError(fmt::format("detect.mask: '{}' is a folder, not an image", path));
  if (isDevice(path))  // reading it could wait for ever
    throw UsageError(fmt::format("detect.mask: '{}' is a device or a pipe, not an image", path));
  try {
    const Waiting waiting("the mask", path);
    image = readImageFile(path);
  } catch (const Error& error) {
    throw UsageError(fmt::format("detect.mask: {}", error.what()));
  }
  if (image.cols != static_cast<int>(format.width) ||
      image.rows != static_cast<int>(format.height)) {
    throw UsageError(
        fmt::format("the mask '{}' is {}x{}, but the frames are {}x{}; detect.mask must name an "
                    "image of the frames' size",
                    path, image.cols, image.rows, format.width, format.height));
  }
  LayerMask mask{format.width, format.height, {}};
  mask.pixels.reserve(format.pixels());
  for (int y = 0; y < image.rows; ++y) {
    const uchar* row = image.ptr(y);
    const size_t bytes = image.elemSize();
    for (int x = 0; x < image.cols; ++x, row += bytes) {
      mask.pixels.push_back(std::any_of(row, row + bytes, [](uchar b) { return b != 0; }));
    }
  }
  if (mask.measured() == 0)
    throw UsageError(
        fmt::format("the mask '{}' ignores every pixel; paint white what is to be measured", path));
  return mask;
}

std::vector<std::string> maskPaths(const std::string& mask, size_t cameras) {
  if (mask.empty()) return {};
  std::vector<std::string> paths(cameras, mask);
  // A file that has this very name is meant itself.
  std::error_code error;
  const size_t number = std::filesystem::exists(mask, error) ? std::string::npos : mask.find("%d");
  for (size_t i = 0; i < cameras && number != std::string::npos; ++i)
    paths[i].replace(number, 2, std::to_string(i));
  return paths;
}

std::vector<LayerMask> loadMasks(const std::string& mask, const FrameFormat& format) {
  std::vector<LayerMask> masks;
  for (const std::string& path : maskPaths(mask, format.layers))
    masks.push_back(loadMask(path, format.image));
  return masks;
}

void saveMask(const LayerMask& mask, const std::string& path) {
  cv::Mat image(static_cast<int>(mask.height), static_cast<int>(mask.width), CV_8U);
  std::transform(mask.pixels.begin(), mask.pixels.end(), image.begin<uchar>(),
                 [](uint8_t pixel) -> uchar { return pixel != 0 ? 255 : 0; });
  std::vector<uchar> bytes;
  if (!cv::imencode(".png", image, bytes))
    throw Error(fmt::format("cannot encode the mask '{}' as PNG", path));
  writeWholeFile(path, std::as_bytes(std::span(bytes)));
}

}  // namespace glint
