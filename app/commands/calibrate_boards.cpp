#include "app/commands/calibrate_boards.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "app/base/waiting.h"
#include "app/calibrate/median.h"
#include "app/capture/source.h"
#include "app/capture/source_kinds.h"
#include "app/commands/stop_signal.h"
#include "config/error.h"

namespace glint {
namespace {

/// The views of one camera that show the board, by time.
struct CameraViews {
  std::map<double, BoardView> views;
  FrameExtent size;
  double interval = std::numeric_limits<double>::infinity();  ///< s, of its frames
};

/// As 8 bit grey.
void toGrey(const ImageView& image, std::vector<uint8_t>& grey) {
  const ImageFormat& format = image.format;
  const size_t bytes = format.bits / 8, pixel = format.bytesPerPixel();
  const auto top = [&](const std::byte* at) {  // the high byte of a channel
    return std::to_integer<unsigned>(at[bytes - 1]);
  };
  for (uint32_t y = 0; y < format.height; ++y)
    for (uint32_t x = 0; x < format.width; ++x) {
      const std::byte* const at = image.row(y) + x * pixel;
      const unsigned value =
          format.channels == 1
              ? top(at)
              : (19 * top(at) + 183 * top(at + bytes) + 54 * top(at + 2 * bytes) + 128) >> 8;
      grey[size_t{y} * format.width + x] = static_cast<uint8_t>(value);
    }
}

CameraViews viewsOf(const std::string& name, const Board& board, double offset) {
  constexpr uint64_t kAll = 300;  // frames: of shorter recordings each is looked at
  constexpr double kApart = 0.2;  // s
  const std::atomic<bool>& stop = stopOnSignal();
  const Waiting waiting("the source", name);
  const auto source = openSource(name, &interruptOnSignal());
  if (source->isLive())
    throw UsageError(fmt::format(
        "'{}' is live: --board looks at recordings; record first (glint track --record)", name));
  const ImageFormat& format = source->format();
  CameraViews all;
  all.size = {static_cast<int>(format.width), static_cast<int>(format.height)};
  std::vector<std::byte> pixels(format.pixels() * format.bytesPerPixel());
  std::vector<uint8_t> grey(format.pixels());
  const ImageView image{format, pixels.data(), size_t{format.width} * format.bytesPerPixel()};
  const auto count = source->frameCount();
  const bool sparse = !count || *count > kAll;
  double last = -std::numeric_limits<double>::infinity(), before = last;
  std::vector<double> intervals;
  for (Reading reading = source->read(image); reading.state != CameraState::ended;
       reading = source->read(image)) {
    if (stop) throw Error("interrupted before the recordings ended; nothing is calibrated");
    if (reading.state != CameraState::frame) continue;
    const double time = reading.stamp.time;
    if (std::isfinite(before)) intervals.push_back(time - before);
    before = time;
    if (sparse && std::floor(time / kApart) == std::floor(last / kApart)) continue;
    last = time;
    toGrey(image, grey);
    if (BoardView view = findBoard(board, all.size, grey.data()); view.seen())
      all.views.emplace(time + offset, std::move(view));
  }
  if (!intervals.empty()) all.interval = medianOf(std::move(intervals));
  return all;
}

}  // namespace

BoardRecording boardsOfSources(const std::vector<std::string>& sources, const Board& board,
                               const std::map<size_t, double>& offsets) {
  BoardRecording recording;
  std::vector<CameraViews> cameras;
  double reach = std::numeric_limits<double>::infinity();
  for (size_t c = 0; c < sources.size(); ++c) {
    const auto offset = offsets.find(c);
    cameras.push_back(viewsOf(sources[c], board, offset == offsets.end() ? 0 : offset->second));
    recording.sizes.push_back(cameras.back().size);
    reach = std::min(reach, cameras.back().interval / 2);
  }
  if (!std::isfinite(reach)) reach = 0;
  std::map<double, std::vector<BoardView>> moments;
  for (size_t c = 0; c < cameras.size(); ++c)
    for (auto& [time, view] : cameras[c].views) {
      auto best = moments.end();
      for (auto it = moments.lower_bound(time - reach);
           it != moments.end() && it->first <= time + reach; ++it)
        if (!it->second[c].seen() &&
            (best == moments.end() || std::abs(it->first - time) < std::abs(best->first - time)))
          best = it;
      if (best == moments.end())
        best = moments.try_emplace(time, std::vector<BoardView>(cameras.size())).first;
      best->second[c] = std::move(view);
    }
  for (auto& [time, views] : moments) recording.moments.push_back({time, std::move(views)});
  return recording;
}

}  // namespace glint
