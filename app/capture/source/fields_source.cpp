#include "app/capture/source/fields_source.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/capture/source/forwarding_source.h"
#include "config/error.h"

namespace glint::capture {
namespace {

/// Calls `work` with the rows of a picture as arrays of their own type.
template <class Work>
void withRows(const gpu::ImageView& image, const Work& work) {
  if (image.format.bits == 8)
    work([&](uint32_t y) { return reinterpret_cast<uint8_t*>(image.row(y)); });
  else
    work([&](uint32_t y) { return reinterpret_cast<uint16_t*>(image.row(y)); });
}

size_t combedValues(const gpu::ImageView& image, double step) {
  const size_t count = size_t{image.format.width} * image.format.channels;
  const auto least = static_cast<int>(std::lround(step * image.format.fullScale()));
  size_t combed = 0;
  withRows(image, [&](const auto& rowAt) {
    for (uint32_t y = 1; y + 1 < image.format.height; ++y) {
      const auto *above = rowAt(y - 1), *row = rowAt(y), *below = rowAt(y + 1);
      for (size_t i = 0; i < count; ++i) {
        const int up = above[i] - row[i], down = below[i] - row[i];
        combed += (up > least && down > least) || (up < -least && down < -least) ? 1 : 0;
      }
    }
  });
  return combed / image.format.channels;
}

class FieldsSource final : public ForwardingSource {
 public:
  FieldsSource(std::unique_ptr<Source> source, bool topFirst)
      : ForwardingSource(std::move(source)),
        topFirst_(topFirst),
        rate_(inner().statedRate().value_or(0)),
        frame_(inner().format()) {}

  std::optional<uint64_t> frameCount() const override {
    const auto frames = inner().frameCount();
    return frames ? std::optional(2 * *frames) : std::nullopt;
  }
  std::optional<double> statedRate() override {
    return rate_ > 0 ? std::optional(2 * rate_) : std::nullopt;
  }
  std::vector<double> frameTimes() override {
    std::vector<double> times;
    for (const double time : inner().frameTimes()) {
      times.push_back(time);
      times.push_back(time + halfStep());
    }
    return times;
  }
  SourceSummary summary() override {
    SourceSummary summary = inner().summary();
    if (summary.frames) summary.frames = 2 * *summary.frames;
    if (summary.rate) summary.rate = 2 * *summary.rate;
    summary.remarks.push_back(
        fmt::format("its frames are interlaced, the {} field first: fields are taken for frames; "
                    "?fields=0 keeps them together",
                    topFirst_ ? "top" : "bottom"));
    return summary;
  }
  void seek(FrameNumber field) override {
    inner().seek(FrameNumber(field.value() / 2));
    next_ = field.value() % 2 == 0 ? Next::read : Next::readAndSkip;
  }

  Reading read(const gpu::ImageView& image) override {
    if (next_ != Next::second) {
      const Reading reading = inner().read(frame_.view());
      if (reading.state != gpu::CameraState::frame) return reading;
      stamp_ = reading.stamp;
      stamp_.neutral = false;
    }
    const bool second = next_ != Next::read;
    next_ = second ? Next::read : Next::second;
    makeWhole(image, second == topFirst_);
    gpu::FrameStamp stamp = stamp_;
    stamp.sequence = FrameNumber(2 * stamp_.sequence.value() + (second ? 1 : 0));
    if (second) stamp.time += halfStep();
    return {gpu::CameraState::frame, stamp};
  }

 private:
  enum class Next { read, second, readAndSkip };

  double halfStep() const { return rate_ > 0 ? 0.5 / rate_ : 0; }

  /// `odd`: the field of rows 1, 3, 5 ...
  void makeWhole(const gpu::ImageView& image, bool odd) {
    const gpu::ImageView frame = frame_.view();
    const size_t count = size_t{frame.format.width} * frame.format.channels;
    const uint32_t rows = frame.format.height;
    for (uint32_t y = 0; y < rows; ++y) {
      const bool own = (y % 2 == 1) == odd;
      const uint32_t above = own ? y : y > 0 ? y - 1 : std::min(y + 1, rows - 1);
      const uint32_t below = own ? y : y + 1 < rows ? y + 1 : above;
      const auto mean = [&](auto* to, const auto* a, const auto* b) {
        using Value = std::remove_reference_t<decltype(*to)>;
        for (size_t i = 0; i < count; ++i) to[i] = static_cast<Value>((a[i] + b[i] + 1) / 2);
      };
      if (own || above == below)
        std::memcpy(image.row(y), frame.row(above), count * frame.format.bits / 8);
      else if (frame.format.bits == 8)
        mean(reinterpret_cast<uint8_t*>(image.row(y)),
             reinterpret_cast<const uint8_t*>(frame.row(above)),
             reinterpret_cast<const uint8_t*>(frame.row(below)));
      else
        mean(reinterpret_cast<uint16_t*>(image.row(y)),
             reinterpret_cast<const uint16_t*>(frame.row(above)),
             reinterpret_cast<const uint16_t*>(frame.row(below)));
    }
  }

  bool topFirst_;
  double rate_;            ///< of the frames, 0: not known
  FrameBuffer frame_;      ///< whose fields are given one after the other
  gpu::FrameStamp stamp_;  ///< of that frame
  Next next_ = Next::read;
};

}  // namespace

bool showsCombs(Source& source, const CombOptions& options) {
  FrameBuffer frame(source.format());
  const auto pixels = static_cast<double>(source.format().pixels());
  const size_t needed =
      std::max(options.least, static_cast<size_t>(std::lround(options.share * pixels)));
  bool combs = false;
  try {
    for (int n = 0; n < options.frames && !combs; ++n) {
      if (source.read(frame.view()).state != gpu::CameraState::frame) break;
      combs = combedValues(frame.view(), options.step) >= needed;
    }
  } catch (const Error&) {  // the run reports it when it reads the frame
  }
  source.seek({});
  return combs;
}

std::unique_ptr<Source> splitFields(std::unique_ptr<Source> source, bool topFirst) {
  return std::make_unique<FieldsSource>(std::move(source), topFirst);
}

}  // namespace glint::capture
