#include "app/capture/video/stored_frames.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <span>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/error.h"
#include "config/printable.h"

namespace glint::capture {
namespace {

constexpr uint64_t kMostStoredPixels = uint64_t{1} << 30;
constexpr double kAssumedRate = 30;  // frames a second, as for images

static_assert(std::endian::native == std::endian::little);

/// A file that is closed with its owner.
struct OpenFile {
  int descriptor = -1;
  OpenFile() = default;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

class StoredFramesSource final : public Source {
 public:
  StoredFramesSource(std::string name, StoredFrames frames);

  const gpu::ImageFormat& format() const override { return format_; }
  const std::string& name() const override { return name_; }
  /// A recording that is cut short has one frame more than are whole: reading it tells so.
  std::optional<uint64_t> frameCount() const override { return whole_ + (isCut_ ? 1 : 0); }
  std::optional<double> statedRate() override;
  std::vector<double> frameTimes() override {
    std::vector<double> times(whole_);
    for (uint64_t i = 0; i < whole_; ++i) times[i] = timeOf(i);
    return times;
  }
  SourceSummary summary() override;
  bool canSeek() const override { return true; }
  void seek(FrameNumber frame) override { next_ = frame.value(); }
  Reading read(const gpu::ImageView& image) override;

 private:
  double timeOf(uint64_t frame) const {
    if (frame < frames_.times.size()) return frames_.times[frame] - frames_.times.front();
    return static_cast<double>(frame) / frames_.rate.value_or(kAssumedRate);
  }
  void load(uint64_t frame);
  void unpack(const gpu::ImageView& image) const;

  std::string name_;
  StoredFrames frames_;
  OpenFile file_;
  gpu::ImageFormat format_;
  uint64_t whole_ = 0;  ///< frames that the file holds
  bool isCut_ = false;
  uint64_t next_ = 0;
  std::vector<uint8_t> bytes_;       ///< of a frame in the file
  std::vector<uint16_t> fullScale_;  ///< the delivered value of each sample; empty: the same
};

void checkSizes(const StoredFrames& frames) {
  const uint64_t pixels = uint64_t{frames.width} * frames.height;
  if (pixels == 0 || pixels > kMostStoredPixels)
    throw Error("'{}' promises frames of {} x {} pixels", frames.path, frames.width, frames.height);
  const bool known = frames.bits >= 8 && frames.bits <= 16 && frames.depth >= 1 &&
                     frames.depth <= frames.bits && frames.bits % 2 == 0;
  if (!known)
    throw Error("'{}' promises values of {} bits in {}, and 8, 10, 12, 14 or 16 can be read",
                frames.path, frames.depth, frames.bits);
  if (pixels * frames.channels * frames.bits % 8 != 0)
    throw Error("'{}' has frames of {} x {} pixels of {} bits, which do not fill their last byte",
                frames.path, frames.width, frames.height, frames.bits);
}

StoredFramesSource::StoredFramesSource(std::string name, StoredFrames frames)
    : name_(std::move(name)), frames_(std::move(frames)) {
  checkSizes(frames_);
  if (frames_.distance == 0) frames_.distance = frames_.frameBytes();
  if (frames_.distance < frames_.frameBytes())
    throw Error("'{}' promises {} bytes a frame, and {} x {} pixels of {} bits need {}",
                frames_.path, frames_.distance, frames_.width, frames_.height, frames_.bits,
                frames_.frameBytes());
  format_ = {.width = frames_.width,
             .height = frames_.height,
             .channels = frames_.channels,
             .bits = frames_.bits == 8 ? 8U : 16U};
  struct stat status {};
  file_.descriptor = ::open(frames_.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file_.descriptor < 0 || fstat(file_.descriptor, &status) != 0)
    throw Error("cannot open '{}': {}", frames_.path, std::strerror(errno));
  const auto size = static_cast<uint64_t>(std::max<off_t>(status.st_size, 0));
  // Behind the last frame there may be less than from one frame to the next.
  const uint64_t least = frames_.first + frames_.frameBytes();
  const uint64_t held = size < least ? 0 : (size - least) / frames_.distance + 1;
  whole_ = std::min(held, frames_.frames.value_or(held));
  isCut_ =
      frames_.frames ? whole_ < *frames_.frames : size > frames_.first + whole_ * frames_.distance;
  if (whole_ == 0) throw Error("'{}' is cut short: not one frame is whole", frames_.path);
  if (frames_.times.size() < whole_) frames_.times.clear();
  bytes_.resize(frames_.frameBytes());
  const bool asStored = frames_.depth == frames_.bits ? frames_.bits % 8 == 0 : frames_.isAtTop;
  if (asStored) return;
  const uint32_t most = (1U << frames_.depth) - 1, full = format_.bits == 8 ? 255 : 65535;
  fullScale_.resize(size_t{1} << frames_.bits);
  for (uint32_t value = 0; value < fullScale_.size(); ++value)
    fullScale_[value] =
        static_cast<uint16_t>((uint64_t{std::min(value, most)} * full + most / 2) / most);
}

std::optional<double> StoredFramesSource::statedRate() {
  if (frames_.times.size() < 2) return frames_.rate;
  const double length = frames_.times[whole_ - 1] - frames_.times.front();
  return whole_ > 1 ? static_cast<double>(whole_ - 1) / length : frames_.rate;
}

/// Reads the bytes of a frame. Throws Error if they are not there.
void StoredFramesSource::load(uint64_t frame) {
  size_t done = 0;
  while (done < bytes_.size()) {
    const auto at = static_cast<off_t>(frames_.first + frame * frames_.distance + done);
    const ssize_t part = pread(file_.descriptor, bytes_.data() + done, bytes_.size() - done, at);
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) throw Error("cannot read '{}': {}", frames_.path, std::strerror(errno));
    if (part == 0)
      throw Error("'{}' is cut short: {} could be read", name_, counted(frame, "frame"));
    done += static_cast<size_t>(part);
  }
}

/// Writes the samples of the loaded frame into `image`.
void StoredFramesSource::unpack(const gpu::ImageView& image) const {
  const size_t samples = size_t{frames_.width} * frames_.channels;
  const auto shown = [&](uint32_t value) -> uint16_t {
    if (!fullScale_.empty()) return fullScale_[value];
    // Bits that count are at the top of the delivered value, too.
    return static_cast<uint16_t>(value << (format_.bits == 8 ? 0 : 16 - frames_.bits));
  };
  uint64_t at = 0;  // bits
  for (uint32_t y = 0; y < frames_.height; ++y) {
    std::byte* const row = image.row(y);
    if (frames_.bits == 8 && fullScale_.empty()) {
      std::memcpy(row, bytes_.data() + y * samples, samples);
      continue;
    }
    for (size_t i = 0; i < samples; ++i) {
      uint32_t value = 0;
      if (frames_.bits == 8) {
        value = bytes_[y * samples + i];
      } else if (frames_.bits == 16) {
        uint16_t word = 0;
        std::memcpy(&word, bytes_.data() + 2 * (y * samples + i), sizeof word);
        value = word;
      } else {
        // A sample of 10, 12 or 14 bits is spread over two or three bytes.
        const uint64_t byte = at / 8;
        for (uint64_t k = 0; k < 3; ++k)
          value = value << 8 | (byte + k < bytes_.size() ? bytes_[byte + k] : 0U);
        value = value >> (24 - at % 8 - frames_.bits) & ((1U << frames_.bits) - 1);
        at += frames_.bits;
      }
      const uint16_t level = shown(value);
      std::memcpy(row + i * (format_.bits / 8), &level, format_.bits / 8);
    }
  }
}

Reading StoredFramesSource::read(const gpu::ImageView& image) {
  assert(image.format == format_);
  if (next_ >= whole_ + (isCut_ ? 1 : 0)) return {};
  if (next_ >= whole_)
    throw Error("'{}' is cut short: {}{} could be read", name_,
                frames_.frames ? fmt::format("{} of ", whole_) : "",
                counted(frames_.frames.value_or(whole_), "frame"));
  load(next_);
  unpack(image);
  const gpu::FrameStamp stamp{.sequence = FrameNumber(next_), .time = timeOf(next_)};
  ++next_;
  return {gpu::CameraState::frame, stamp};
}

SourceSummary StoredFramesSource::summary() {
  SourceSummary summary{.bitsStored = frames_.depth,
                        .frames = whole_,
                        .rate = statedRate(),
                        .remarks = frames_.remarks};
  if (!frames_.times.empty()) {
    summary.rateFrom = "as its own time stamps say";
    summary.firstTime = 0;
  } else if (frames_.rate) {
    summary.rateFrom = fmt::format("as {} says", frames_.rateFrom);
  } else {
    summary.rate = kAssumedRate;
    summary.rateFrom = "assumed";
    summary.warnings.push_back(
        fmt::format("its rate of {:g} frames/s is assumed; ?fps=1000 sets another", kAssumedRate));
  }
  FrameBuffer buffer(format_);
  load(0);
  unpack(buffer.view());
  summary.used = usedValues(buffer.view());
  if (isCut_) summary.remarks.push_back("it is cut short");
  return summary;
}

}  // namespace

std::unique_ptr<Source> openStoredFrames(const std::string& name, StoredFrames frames) {
  return std::make_unique<StoredFramesSource>(name, std::move(frames));
}

}  // namespace glint::capture
