#include "app/capture/cameras/rate_watch.h"

#include <fmt/format.h>

#include "app/base/log.h"

namespace glint::capture {
namespace {

constexpr double kWatched = 2;       // s
constexpr uint64_t kFewest = 10;     // frames
constexpr double kTolerated = 0.75;  // of what was promised

}  // namespace

void RateWatch::see(uint64_t frames, double seconds) {
  if (said_ || promised_ <= 0) return;
  frames_ += frames;
  seconds_ += seconds;
  if (seconds_ < kWatched || frames_ < kFewest) return;
  const double rate = static_cast<double>(frames_) / seconds_;
  if (rate < kTolerated * promised_) {
    said_ = true;
    base::log(base::LogLevel::warning,
              fmt::format("'{}' delivers {:.1f} frames/s instead of {:g}: a shorter exposure "
                          "(camera.exposure), more light or another camera.format may help",
                          name_, rate, promised_));
  }
  begin();
}

}  // namespace glint::capture
