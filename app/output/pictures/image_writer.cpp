#include "app/output/pictures/image_writer.h"

#include <filesystem>
#include <span>
#include <vector>

#include <opencv2/imgproc.hpp>

#include "app/base/whole_file.h"
#include "app/capture/images/image_codecs.h"
#include "config/error.h"

namespace glint::output {

void writeImage(const std::string& path, const cv::Mat& image) {
  std::vector<uchar> bytes;
  bool encoded = false;
  try {
    encoded = capture::encodeImage(std::filesystem::path(path).extension().string(), image, bytes);
  } catch (const cv::Exception&) {
    encoded = false;
  }
  if (!encoded) throw Error("cannot encode the picture '{}'", path);
  base::writeWholeFile(path, std::as_bytes(std::span(bytes)));
}

cv::Mat matOf(const gpu::ImageView& image) {
  const gpu::ImageFormat& format = image.format;
  return {static_cast<int>(format.height), static_cast<int>(format.width),
          CV_MAKETYPE(format.bits == 8 ? CV_8U : CV_16U, static_cast<int>(format.channels)),
          image.data, image.rowPitch};
}

void writeImage(const std::string& path, const gpu::ImageView& image) {
  writeImage(path, matOf(image));
}

void writePixels(const std::string& path, uint32_t width, uint32_t height,
                 std::span<const std::byte> pixels) {
  // OpenCV does not change pixels that it only reads.
  auto* data = const_cast<std::byte*>(pixels.data());
  const cv::Mat all(static_cast<int>(height), static_cast<int>(width), CV_8UC4, data);
  cv::Mat image;
  cv::cvtColor(all, image, cv::COLOR_BGRA2BGR);
  writeImage(path, image);
}

}  // namespace glint::output
