#include "app/study/boards/board_reader.h"

#include "app/base/waiting.h"
#include "app/motion/calibrate/board_finder.h"

namespace glint::study {

std::vector<uint8_t> greyPixels(const gpu::ImageView& image) {
  const gpu::ImageFormat& format = image.format;
  const size_t bytes = format.bits / 8, pixel = format.bytesPerPixel();
  const auto top = [&](const std::byte* at) {  // Returns the high byte of a channel.
    return std::to_integer<unsigned>(at[bytes - 1]);
  };
  std::vector<uint8_t> grey(format.pixels());
  for (uint32_t y = 0; y < format.height; ++y)
    for (uint32_t x = 0; x < format.width; ++x) {
      const std::byte* const at = image.row(y) + x * pixel;
      const unsigned value =
          format.channels == 1
              ? top(at)
              : (19 * top(at) + 183 * top(at + bytes) + 54 * top(at + 2 * bytes) + 128) >> 8;
      grey[size_t{y} * format.width + x] = static_cast<uint8_t>(value);
    }
  return grey;
}

void readBoard(capture::Source& source, size_t camera, motion::BoardViews& views,
               const capture::Interrupt& interrupt) {
  constexpr uint64_t kAll = 300;  // The largest number of frames of which all are used.
  const base::Waiting waiting("the source", source.name());
  const gpu::ImageFormat& format = source.format();
  const motion::FrameExtent size{static_cast<int>(format.width), static_cast<int>(format.height)};
  capture::FrameBuffer buffer(format);
  const gpu::ImageView image = buffer.view();
  const auto count = source.frameCount();
  const bool sparse = !count || *count > kAll;
  for (capture::Reading reading = source.read(image); reading.state != gpu::CameraState::ended;
       reading = source.read(image)) {
    if (interrupt.isSet())
      throw capture::Interrupted("interrupted before the recordings ended; nothing is calibrated");
    if (reading.state != gpu::CameraState::frame) continue;
    const double time = reading.stamp.time;
    if (!views.due(camera, time) && sparse) continue;
    const auto grey = greyPixels(image);
    views.add(camera, time, motion::findBoard(views.board(), size, grey.data()), grey);
  }
}

std::vector<motion::FrameExtent> extentsOf(const capture::SourceList& sources) {
  std::vector<motion::FrameExtent> sizes;
  for (const auto& source : sources)
    sizes.push_back(
        {static_cast<int>(source->format().width), static_cast<int>(source->format().height)});
  return sizes;
}

}  // namespace glint::study
