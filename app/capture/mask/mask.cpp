#include "app/capture/mask/mask.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "app/base/paths.h"
#include "app/base/waiting.h"
#include "app/base/whole_file.h"
#include "app/capture/images/image_codecs.h"
#include "app/capture/images/image_file.h"
#include "config/error.h"
#include "config/printable.h"
#include "config/setting_key.h"

namespace glint::capture {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<gpu::PixelRect> rectFrom(std::string_view text) {
  gpu::PixelRect rect;
  for (uint32_t* number : {&rect.x, &rect.y, &rect.width, &rect.height}) {
    const size_t end = std::min(text.find(','), text.size());
    const std::string_view word = trimmed(text.substr(0, end));
    const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), *number);
    if (error != std::errc() || rest != word.data() + word.size()) return std::nullopt;
    if ((end == text.size()) != (number == &rect.height)) return std::nullopt;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return rect;
}

std::vector<gpu::PixelRect> regionsWithin(const std::string& text, std::string_view key,
                                          const gpu::ImageFormat& format) {
  auto regions = parseRegions(text, key);
  for (const gpu::PixelRect& r : regions)
    if (uint64_t{r.x} + r.width > format.width || uint64_t{r.y} + r.height > format.height)
      throw UsageError("{}: {},{},{},{} reaches beyond the frames, which are {}x{}", key, r.x, r.y,
                       r.width, r.height, format.width, format.height);
  return regions;
}

}  // namespace

gpu::LayerMask loadMask(const std::string& path, const gpu::ImageFormat& format) {
  cv::Mat image;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw UsageError("{}: '{}' is a folder, not an image", "detect.mask"_key, path);
  if (base::isDevice(path))  // because a read could wait for ever
    throw UsageError("{}: '{}' is a device or a pipe, not an image", "detect.mask"_key, path);
  try {
    const base::Waiting waiting("the mask", path);
    image = readImageFile(path);
  } catch (const Error& error) {
    throw UsageError("{}: {}", "detect.mask"_key, error.what());
  }
  if (image.cols != static_cast<int>(format.width) ||
      image.rows != static_cast<int>(format.height)) {
    throw UsageError(
        "the mask '{}' is {}x{}, but the frames are {}x{}; {} must name an "
        "image of the frames' size",
        path, image.cols, image.rows, format.width, format.height, "detect.mask"_key);
  }
  gpu::LayerMask mask{format.width, format.height, {}};
  mask.pixels.reserve(format.pixels());
  for (int y = 0; y < image.rows; ++y) {
    const uchar* row = image.ptr(y);
    const size_t bytes = image.elemSize();
    for (int x = 0; x < image.cols; ++x, row += bytes) {
      mask.pixels.push_back(std::any_of(row, row + bytes, [](uchar b) { return b != 0; }));
    }
  }
  if (mask.measured() == 0)
    throw UsageError("the mask '{}' ignores every pixel; paint white what is to be measured", path);
  return mask;
}

std::vector<std::string> maskPaths(const std::string& mask, size_t cameras) {
  if (mask.empty()) return {};
  std::vector<std::string> paths(cameras, mask);
  // If a file has exactly this name, the name stands for that file.
  std::error_code error;
  const size_t number = std::filesystem::exists(mask, error) ? std::string::npos : mask.find("%d");
  for (size_t i = 0; i < cameras && number != std::string::npos; ++i)
    paths[i].replace(number, 2, std::to_string(i));
  return paths;
}

std::vector<gpu::PixelRect> parseRegions(std::string_view text, std::string_view where) {
  const std::string opening = where.empty() ? "" : fmt::format("{}: ", where);
  std::vector<gpu::PixelRect> regions;
  while (!text.empty()) {
    const size_t end = std::min(text.find(';'), text.size());
    const std::string_view part = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto region = rectFrom(part);
    if (!region)
      throw UsageError("{}'{}' is no rectangle X,Y,W,H of whole pixels, such as 0,0,640,480",
                       opening, printable(part));
    if (region->width == 0 || region->height == 0)
      throw UsageError("{}'{}' holds no pixel: width and height are at least 1", opening,
                       printable(part));
    regions.push_back(*region);
  }
  return regions;
}

gpu::LayerMask measuredPixels(const Settings::Detect& detect, size_t camera, size_t count,
                              const gpu::ImageFormat& format) {
  gpu::LayerMask mask;
  if (!detect.mask.empty()) mask = loadMask(maskPaths(detect.mask, count)[camera], format);
  const auto regions = regionsWithin(detect.region, "detect.region"_key, format);
  const auto ignored = regionsWithin(detect.ignore, "detect.ignore"_key, format);
  if (regions.empty() && ignored.empty()) return mask;
  mask = gpu::limitTo(std::move(mask), format.width, format.height, regions, ignored);
  if (mask.measured() == 0)
    throw UsageError("{}{} and {} together leave no pixel to measure",
                     detect.mask.empty() ? "" : fmt::format("{}, ", "detect.mask"_key),
                     "detect.region"_key, "detect.ignore"_key);
  return mask;
}

void saveMask(const gpu::LayerMask& mask, const std::string& path) {
  cv::Mat image(static_cast<int>(mask.height), static_cast<int>(mask.width), CV_8U);
  std::transform(mask.pixels.begin(), mask.pixels.end(), image.begin<uchar>(),
                 [](uint8_t pixel) -> uchar { return pixel != 0 ? 255 : 0; });
  std::vector<uchar> bytes;
  if (!encodeImage(".png", image, bytes)) throw Error("cannot encode the mask '{}' as PNG", path);
  base::writeWholeFile(path, std::as_bytes(std::span(bytes)));
}

}  // namespace glint::capture
