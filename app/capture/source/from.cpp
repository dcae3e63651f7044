#include "app/capture/source/from.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "config/error.h"

namespace glint::capture {
namespace {

// Above the frames of any recording, and exact in a double.
constexpr uint64_t kMostFrames = uint64_t{1} << 53;

/// Hands on what was read already, then the source's own frames.
class LaterSource final : public Source {
 public:
  LaterSource(std::unique_ptr<Source> source, std::vector<std::byte> first, Reading reading)
      : source_(std::move(source)), first_(std::move(first)), reading_(std::move(reading)) {}

  const gpu::ImageFormat& format() const override { return source_->format(); }
  const std::string& name() const override { return source_->name(); }
  std::optional<uint64_t> frameCount() const override { return source_->frameCount(); }
  std::vector<SourceFact> facts() const override { return source_->facts(); }

  Reading read(const gpu::ImageView& image) override {
    if (!reading_) return source_->read(image);
    const size_t row = size_t{image.format.width} * image.format.bytesPerPixel();
    for (uint32_t y = 0; y < image.format.height; ++y)
      std::memcpy(image.row(y), first_.data() + y * row, row);
    first_ = {};
    return *std::exchange(reading_, std::nullopt);
  }

 private:
  std::unique_ptr<Source> source_;
  std::vector<std::byte> first_;
  std::optional<Reading> reading_;
};

}  // namespace

From parseFrom(const std::string& text) {
  const char* const end = text.data() + text.size();
  uint64_t frame = 0;
  if (const auto [rest, error] = std::from_chars(text.data(), end, frame);
      error == std::errc() && rest == end && frame <= kMostFrames)
    return FrameNumber(frame);
  double seconds = 0;
  if (const auto [rest, error] = std::from_chars(text.data(), end, seconds);
      error == std::errc() && rest + 1 == end && *rest == 's' && seconds >= 0 &&
      seconds <= static_cast<double>(kMostFrames))
    return seconds;
  throw UsageError(
      fmt::format("'{}' is neither a frame, such as 120, nor seconds, such as 12.5s", text));
}

std::string nameOf(const From& from) {
  if (const auto* frame = std::get_if<FrameNumber>(&from)) return fmt::format("frame {}", *frame);
  return fmt::format("{} s", std::get<double>(from));
}

bool isEarlier(double time, double seconds) {
  constexpr double kRounding = 5e-7;  // s
  return time < seconds - kRounding;
}

void refuseFrom(const From& from) {
  throw UsageError(fmt::format("--from: the recording ends before {}", nameOf(from)));
}

uint64_t firstAt(double seconds, const std::function<std::optional<double>(uint64_t)>& timeOf) {
  const auto earlier = [&](const std::optional<double>& time) {
    return time && isEarlier(*time, seconds);
  };
  const auto first = timeOf(0);
  if (!earlier(first)) return 0;
  const auto second = timeOf(1);
  if (!earlier(second)) return 1;
  // As if all were as far apart as the first two: asked for is the frame before.
  const double guess = std::ceil((seconds - *first) / (*second - *first)) - 1;
  uint64_t at =
      guess > 2 && guess < static_cast<double>(kMostFrames) ? static_cast<uint64_t>(guess) : 2;
  uint64_t low = 2, reach = 1;   // all below `low` are earlier
  std::optional<uint64_t> high;  // is not
  while (!high || low < *high) {
    if (earlier(timeOf(at)))
      low = at + 1;
    else
      high = at;
    at = high ? low + (*high - low) / 2 : low + std::exchange(reach, 2 * reach) - 1;
  }
  return *high;
}

std::unique_ptr<Source> beginAt(std::unique_ptr<Source> source, const std::optional<From>& from) {
  if (!from) return source;
  if (source->isLive())
    throw UsageError(fmt::format("--from needs a recording, and '{}' is live", source->name()));
  const gpu::ImageFormat format = source->format();
  std::vector<std::byte> pixels(format.pixels() * format.bytesPerPixel());
  const gpu::ImageView image{format, pixels.data(), size_t{format.width} * format.bytesPerPixel()};
  const auto* frame = std::get_if<FrameNumber>(&*from);
  const bool sought = frame && source->canSeek();
  if (sought) source->seek(*frame);
  for (;;) {
    Reading reading = source->read(image);
    if (reading.state == gpu::CameraState::ended) refuseFrom(*from);
    if (reading.state == gpu::CameraState::none && !reading.gap)  // interrupted
      return source;
    if (reading.state != gpu::CameraState::frame) continue;
    const bool before = frame ? !sought && reading.stamp.sequence < *frame
                              : isEarlier(reading.stamp.time, std::get<double>(*from));
    if (before) continue;
    reading.stamp.neutral = false;  // its grey was not kept
    return std::make_unique<LaterSource>(std::move(source), std::move(pixels), std::move(reading));
  }
}

}  // namespace glint::capture
