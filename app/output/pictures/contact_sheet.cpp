#include "app/output/pictures/contact_sheet.h"

#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include "app/capture/images/image_codecs.h"
#include "app/output/pictures/draw.h"
#include "app/output/pictures/image_writer.h"
#include "config/error.h"

namespace glint::output {
namespace {

constexpr int kTitleHeight = 28, kTitleMargin = 8;  // px, of the line above a picture
constexpr double kTitleSize = 0.4;

}  // namespace

ContactSheet::ContactSheet(std::string path) : path_(std::move(path)) {
  if (!capture::writesImages(path_))
    throw UsageError("the picture '{}' needs a name that ends in .png or .jpg", path_);
}

void ContactSheet::add(const motion::Frame& frame, const std::string& description) {
  DrawnFrame drawn{std::make_shared<motion::Frame>(frame), {}};
  for (const motion::CameraFrame& camera : frame.cameras)
    drawn.images.push_back(matOf(camera.image()));
  MarkerPainter painter;
  painter.follow(frame);
  pictures_.push_back(painter.draw(drawn).clone());
  descriptions_.push_back(description);
}

void ContactSheet::write() const {
  if (pictures_.size() == 1) return writeImage(path_, pictures_.front());
  const auto count = static_cast<int>(pictures_.size());
  const auto columns = static_cast<int>(std::ceil(std::sqrt(count)));
  const int rows = (count + columns - 1) / columns;
  const cv::Size size = pictures_.front().size();
  const cv::Size tile(size.width, size.height + kTitleHeight);
  cv::Mat sheet = cv::Mat::zeros(rows * tile.height, columns * tile.width, CV_8UC3);
  for (int i = 0; i < count; ++i) {
    const auto index = static_cast<size_t>(i);
    cv::Mat place = sheet(
        cv::Rect(i % columns * tile.width, i / columns * tile.height, tile.width, tile.height));
    pictures_[index].copyTo(place(cv::Rect({0, kTitleHeight}, size)));
    cv::putText(place, fmt::format("{}: {}", i + 1, descriptions_[index]),
                {kTitleMargin, kTitleHeight - kTitleMargin}, cv::FONT_HERSHEY_SIMPLEX, kTitleSize,
                {255, 255, 255}, 1, cv::LINE_AA);
  }
  writeImage(path_, sheet);
}

}  // namespace glint::output
