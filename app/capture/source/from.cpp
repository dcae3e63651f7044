#include "app/capture/source/from.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/base/text.h"
#include "config/error.h"

namespace glint::capture {
namespace {

// This is more than the number of frames of any recording, and exact in a double.
constexpr uint64_t kMostFrames = uint64_t{1} << 53;

/// Gives the frame that was read already, and then the source's further frames.
class LaterSource final : public Source {
 public:
  LaterSource(std::unique_ptr<Source> source, FrameBuffer first, Reading reading)
      : source_(std::move(source)), first_(std::move(first)), reading_(std::move(reading)) {}

  const gpu::ImageFormat& format() const override { return source_->format(); }
  const std::string& name() const override { return source_->name(); }
  std::optional<uint64_t> frameCount() const override { return source_->frameCount(); }
  std::vector<SourceFact> facts() const override { return source_->facts(); }

  Reading read(const gpu::ImageView& image) override {
    if (!reading_) return source_->read(image);
    const gpu::ImageView first = first_->view();
    for (uint32_t y = 0; y < image.format.height; ++y)
      std::memcpy(image.row(y), first.row(y), first.rowPitch);
    first_.reset();
    return *std::exchange(reading_, std::nullopt);
  }

 private:
  std::unique_ptr<Source> source_;
  std::optional<FrameBuffer> first_;
  std::optional<Reading> reading_;
};

}  // namespace

From parseFrom(const std::string& text) {
  const auto frame = base::parseNumber<uint64_t>(text);
  if (frame && *frame <= kMostFrames) return FrameNumber(*frame);
  if (text.ends_with('s')) {
    const auto seconds = base::parseNumber<double>(text.substr(0, text.size() - 1));
    if (seconds && *seconds >= 0 && *seconds <= static_cast<double>(kMostFrames)) return *seconds;
  }
  throw UsageError("'{}' is neither a frame, such as 120, nor seconds, such as 12.5s", text);
}

std::string nameOf(const From& from) {
  if (const auto* frame = std::get_if<FrameNumber>(&from)) return fmt::format("frame {}", *frame);
  return fmt::format("{} s", std::get<double>(from));
}

bool isEarlier(double time, double seconds) {
  constexpr double kRounding = 5e-7;  // s: half of the last decimal in tables
  return time < seconds - kRounding;
}

void refuseFrom(const From& from) {
  throw UsageError("--from: the recording ends before {}", nameOf(from));
}

uint64_t firstAt(double seconds, const std::function<std::optional<double>(uint64_t)>& timeOf) {
  const auto earlier = [&](const std::optional<double>& time) {
    return time && isEarlier(*time, seconds);
  };
  const auto first = timeOf(0);
  if (!earlier(first)) return 0;
  const auto second = timeOf(1);
  if (!earlier(second)) return 1;
  // This is the frame before the wanted one, if all frames are as far apart as the first two.
  const double guess = std::ceil((seconds - *first) / (*second - *first)) - 1;
  uint64_t at =
      guess > 2 && guess < static_cast<double>(kMostFrames) ? static_cast<uint64_t>(guess) : 2;
  uint64_t low = 2, reach = 1;   // all frames below `low` are earlier than `seconds`
  std::optional<uint64_t> high;  // a frame that is not earlier
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
    throw UsageError("--from needs a recording, and '{}' is live", source->name());
  FrameBuffer buffer(source->format());
  const auto* frame = std::get_if<FrameNumber>(&*from);
  const bool sought = frame && source->canSeek();
  if (sought) source->seek(*frame);
  for (;;) {
    Reading reading = source->read(buffer.view());
    if (reading.state == gpu::CameraState::ended) refuseFrom(*from);
    if (reading.state == gpu::CameraState::none && !reading.gap)  // the read was interrupted
      return source;
    if (reading.state != gpu::CameraState::frame) continue;
    const bool before = frame ? !sought && reading.stamp.sequence < *frame
                              : isEarlier(reading.stamp.time, std::get<double>(*from));
    if (before) continue;
    reading.stamp.neutral = false;  // because the buffer has no grey of its own
    return std::make_unique<LaterSource>(std::move(source), std::move(buffer), std::move(reading));
  }
}

}  // namespace glint::capture
