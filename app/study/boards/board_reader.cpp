#include "app/study/boards/board_reader.h"

#include "app/base/waiting.h"
#include "app/motion/calibrate/board_finder.h"
#include "app/study/boards/grey_pixels.h"

namespace glint::study {

void readBoard(capture::Source& source, size_t camera, motion::BoardViews& views,
               const capture::Interrupt& interrupt) {
  constexpr uint64_t kAll = 300;  // frames
  const base::Waiting waiting("the source", source.name());
  const gpu::ImageFormat& format = source.format();
  const motion::FrameExtent size{static_cast<int>(format.width), static_cast<int>(format.height)};
  std::vector<std::byte> pixels(format.pixels() * format.bytesPerPixel());
  const gpu::ImageView image{format, pixels.data(), size_t{format.width} * format.bytesPerPixel()};
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

std::vector<motion::FrameExtent> extentsOf(
    const std::vector<std::unique_ptr<capture::Source>>& sources) {
  std::vector<motion::FrameExtent> sizes;
  for (const auto& source : sources)
    sizes.push_back(
        {static_cast<int>(source->format().width), static_cast<int>(source->format().height)});
  return sizes;
}

}  // namespace glint::study
