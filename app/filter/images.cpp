#include "app/filter/images.h"

#include <algorithm>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <opencv2/core.hpp>

#include "app/capture/image_file.h"
#include "app/mask/mask.h"
#include "config/error.h"

namespace glint {
namespace {

FilterImage load(const std::string& path) {
  cv::Mat image;
  try {
    image = readImageFile(path);
  } catch (const std::exception& error) {
    throw UsageError(fmt::format("an image that a filter reads: {}", error.what()));
  }
  const auto channels = static_cast<uint32_t>(image.channels());
  const uint32_t bits = image.depth() == CV_8U ? 8 : 16;
  FilterImage read{
      {static_cast<uint32_t>(image.cols), static_cast<uint32_t>(image.rows), channels, bits}, {}};
  for (int y = 0; y < image.rows; ++y) {
    for (int i = 0; i < image.cols * image.channels(); ++i)
      read.values.push_back(bits == 8 ? image.ptr<uint8_t>(y)[i] : image.ptr<uint16_t>(y)[i]);
  }
  return read;
}

}  // namespace

std::vector<std::string> filterFiles(const FilterUses& uses) {
  constexpr std::string_view kFile = "file:";
  std::vector<std::string> files;
  for (const FilterUse& use : uses) {
    for (const auto& [input, from] : use.inputs) {
      if (!from.starts_with(kFile)) continue;
      const std::string file = from.substr(kFile.size());
      if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    }
  }
  return files;
}

FilterImages loadFilterImages(const FilterUses& uses, const std::vector<size_t>& cameras,
                              size_t count) {
  const auto files = filterFiles(uses);
  if (files.empty()) return nullptr;
  std::map<std::string, std::vector<FilterImage>> images;
  for (const std::string& file : files) {
    const auto paths = maskPaths(file, count);
    for (const size_t camera : cameras) images[file].push_back(load(paths[camera]));
  }
  return std::make_shared<const std::map<std::string, std::vector<FilterImage>>>(std::move(images));
}

}  // namespace glint
