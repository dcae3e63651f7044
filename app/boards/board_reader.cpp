#include "app/boards/board_reader.h"

#include "app/base/waiting.h"
#include "app/boards/grey_pixels.h"
#include "app/calibrate/board_finder.h"

namespace glint {

void readBoard(Source& source, size_t camera, BoardViews& views, const Interrupt& interrupt) {
  constexpr uint64_t kAll = 300;  // frames
  const Waiting waiting("the source", source.name());
  const ImageFormat& format = source.format();
  const FrameExtent size{static_cast<int>(format.width), static_cast<int>(format.height)};
  std::vector<std::byte> pixels(format.pixels() * format.bytesPerPixel());
  const ImageView image{format, pixels.data(), size_t{format.width} * format.bytesPerPixel()};
  const auto count = source.frameCount();
  const bool sparse = !count || *count > kAll;
  for (Reading reading = source.read(image); reading.state != CameraState::ended;
       reading = source.read(image)) {
    if (interrupt.isSet())
      throw Interrupted("interrupted before the recordings ended; nothing is calibrated");
    if (reading.state != CameraState::frame) continue;
    const double time = reading.stamp.time;
    if (!views.due(camera, time) && sparse) continue;
    const auto grey = greyPixels(image);
    views.add(camera, time, findBoard(views.board(), size, grey.data()), grey);
  }
}

std::vector<FrameExtent> extentsOf(const std::vector<std::unique_ptr<Source>>& sources) {
  std::vector<FrameExtent> sizes;
  for (const auto& source : sources)
    sizes.push_back(
        {static_cast<int>(source->format().width), static_cast<int>(source->format().height)});
  return sizes;
}

}  // namespace glint
