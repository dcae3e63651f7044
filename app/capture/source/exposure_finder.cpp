#include "app/capture/source/exposure_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "app/base/log.h"
#include "app/capture/source/control_requests.h"
#include "app/capture/source/source.h"
#include "config/error.h"

namespace glint::capture {
namespace {

/// Returns the level of a pixel in 256ths of full scale.
size_t levelOf(const std::byte* pixel, const gpu::ImageFormat& format) {
  const auto channel = [&](uint32_t c) -> uint32_t {
    if (format.bits == 8) return std::to_integer<uint32_t>(pixel[c]);
    uint16_t value = 0;
    std::memcpy(&value, pixel + 2 * c, 2);
    return value >> 8U;
  };
  return format.channels == 1 ? channel(0) : (channel(0) + 2 * channel(1) + channel(2)) / 4;
}

}  // namespace

ExposureFinder::ExposureFinder(std::string name, const Control& control, Set set,
                               const ExposureOptions& options)
    : options_(options),
      name_(std::move(name)),
      control_(control),
      set_(std::move(set)),
      now_(std::clamp(control.now, control.least, control.most)) {
  set_(now_);
}

ExposureFinder::View ExposureFinder::measureBrightness(const gpu::ImageView& image) const {
  std::array<size_t, 256> counts{};
  const gpu::ImageFormat& format = image.format;
  for (uint32_t y = 0; y < format.height; ++y) {
    const std::byte* row = image.row(y);
    for (uint32_t x = 0; x < format.width; ++x)
      ++counts[levelOf(row + size_t{x} * format.bytesPerPixel(), format)];
  }
  const auto levelWithAbove = [&](size_t pixels) {
    size_t level = counts.size() - 1, above = counts[level];
    while (level > 0 && above < pixels) above += counts[--level];
    return static_cast<double>(level) / 255;
  };
  return {.peak = levelWithAbove(options_.minPixels),
          .rest = levelWithAbove(format.pixels() / 10 + 1)};
}

/// Returns the exposure for the next frames; if it is the present one, the exposure is found.
double ExposureFinder::next(const View& view) {
  const ExposureOptions& o = options_;
  double wanted = now_;
  const auto between = [&] { return std::sqrt(tooShort_ * tooLong_); };
  if (view.peak > o.maxPeak) {
    tooLong_ = now_;
    wanted = tooShort_ > 0 ? between() : now_ / 2;
  } else if (view.peak < o.minPeak) {
    tooShort_ = now_;
    wanted = tooLong_ > 0 ? between()
                          : now_ * std::min(o.aim / std::max(view.peak, 0.01), o.maxLengthening);
  } else if (view.rest > o.maxRest) {
    tooLong_ = now_;
    wanted =
        now_ * std::max(o.peakMargin * o.minPeak / view.peak, o.restMargin * o.maxRest / view.rest);
    wanted = std::clamp(wanted, tooShort_, now_);
  }
  wanted = std::clamp(wanted, control_.least, control_.most);
  if (std::abs(wanted - now_) < o.minChange * now_) return now_;
  return control_.whole ? std::round(wanted) : wanted;
}

void ExposureFinder::see(const gpu::ImageView& image) {
  if (done_ || ++seen_ <= options_.ignoredFrames) return;
  seen_ = 0;
  const View view = measureBrightness(image);
  const double wanted = next(view);
  if (wanted == now_ || changes_ == options_.maxChanges) return finish(view);
  ++changes_;
  set_(now_ = wanted);
}

void ExposureFinder::finish(const View& view) {
  done_ = true;
  const auto text = [&](double exposure) {
    return valueInWords(control_.whole ? exposure : std::round(10 * exposure) / 10, control_.unit);
  };
  const std::string change =
      now_ == control_.now
          ? fmt::format("exposure unchanged at {}", text(now_))
          : fmt::format("exposure changed from {} to {} in {} step{}", text(control_.now),
                        text(now_), changes_, changes_ == 1 ? "" : "s");
  std::string said = fmt::format(
      "'{}': {}: the brightest pixel is at {:.0f} % of full scale, and 90 % of the picture is "
      "below {:.0f} %",
      name_, change, 100 * view.peak, 100 * view.rest + 0.5);
  const bool found = view.peak <= options_.maxPeak && view.peak >= options_.minPeak &&
                     view.rest <= options_.maxRest;
  if (view.peak > options_.maxPeak) {
    said += "; it cannot be shorter: use less light, or a smaller aperture";
  } else if (view.peak < options_.minPeak) {
    said += "; nothing is bright enough to be a marker";
  } else if (view.rest > options_.maxRest) {
    said +=
        "; any shorter, markers would be too dark: light from beside the lens, or a filter for "
        "their colour, would set them apart";
  }
  found ? base::notify(said) : base::log(base::LogLevel::warning, said);
}

bool ExposureSearch::ask(Settings::Camera& request, const Settings::Camera& before) {
  const bool find = request.exposure == kFindExposure;
  const bool isNew = std::exchange(asked_, request.exposure) != kFindExposure;
  if (find) request.exposure = before.exposure;
  if (request.exposure != before.exposure) finder_.reset();
  return find && isNew;
}

bool ExposureSearch::see(const gpu::ImageView& image) {
  if (!finder_) return false;
  try {
    finder_->see(image);
  } catch (const Error& error) {
    base::log(base::LogLevel::warning, error.what());
    finder_.reset();
    return false;
  }
  if (!finder_->done()) return false;
  finder_.reset();
  return true;
}

}  // namespace glint::capture
