#include "app/export/image_writer.h"

#include <filesystem>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <opencv2/imgcodecs.hpp>

#include "app/base/whole_file.h"
#include "config/error.h"

namespace glint {

void writeImage(const std::string& path, const cv::Mat& image) {
  std::vector<uchar> bytes;
  bool encoded = false;
  try {
    encoded = cv::imencode(std::filesystem::path(path).extension().string(), image, bytes);
  } catch (const cv::Exception&) {
    encoded = false;
  }
  if (!encoded) throw Error(fmt::format("cannot encode the picture '{}'", path));
  writeWholeFile(path, std::as_bytes(std::span(bytes)));
}

}  // namespace glint
