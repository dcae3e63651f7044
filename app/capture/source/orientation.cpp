#include "app/capture/source/orientation.h"

#include <utility>

namespace glint::capture {

Orientation orientationOf(int degrees) {
  return degrees == 90    ? Orientation::clockwise
         : degrees == 180 ? Orientation::half
         : degrees == 270 ? Orientation::anticlockwise
                          : Orientation::upright;
}

std::string wordsOf(Orientation orientation) {
  switch (orientation) {
    case Orientation::upright:
      return "";
    case Orientation::mirrored:
      return "mirrored left to right";
    case Orientation::half:
      return "turned by 180 degrees";
    case Orientation::flipped:
      return "mirrored top to bottom";
    case Orientation::transposed:
      return "mirrored and turned by 90 degrees anticlockwise";
    case Orientation::clockwise:
      return "turned by 90 degrees clockwise";
    case Orientation::transversed:
      return "mirrored and turned by 90 degrees clockwise";
    case Orientation::anticlockwise:
      return "turned by 90 degrees anticlockwise";
  }
  return "";
}

bool swapsSides(Orientation orientation) {
  return orientation >= Orientation::transposed;
}

gpu::ImageFormat turned(gpu::ImageFormat format, Orientation orientation) {
  if (swapsSides(orientation)) std::swap(format.width, format.height);
  return format;
}

void turn(const cv::Mat& from, Orientation orientation, cv::Mat& to) {
  constexpr int kTopToBottom = 0, kLeftToRight = 1, kBoth = -1;
  switch (orientation) {
    case Orientation::upright:
      return from.copyTo(to);
    case Orientation::mirrored:
      return cv::flip(from, to, kLeftToRight);
    case Orientation::half:
      return cv::flip(from, to, kBoth);
    case Orientation::flipped:
      return cv::flip(from, to, kTopToBottom);
    case Orientation::transposed:
      return cv::transpose(from, to);
    case Orientation::clockwise:
      cv::transpose(from, to);
      return cv::flip(to, to, kLeftToRight);
    case Orientation::transversed:
      cv::transpose(from, to);
      return cv::flip(to, to, kBoth);
    case Orientation::anticlockwise:
      cv::transpose(from, to);
      return cv::flip(to, to, kTopToBottom);
  }
}

}  // namespace glint::capture
