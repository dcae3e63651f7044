#include "app/capture/images/image_source.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <opencv2/core.hpp>

#include "app/capture/images/image_list.h"
#include "app/capture/images/image_sequence.h"
#include "app/capture/source/interrupt.h"
#include "app/capture/source/retimed_source.h"
#include "app/capture/source/source_kinds.h"
#include "app/capture/source/source_options.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::capture {
namespace {

gpu::ImageFormat formatOf(const cv::Mat& image) {
  return {.width = static_cast<uint32_t>(image.cols),
          .height = static_cast<uint32_t>(image.rows),
          .channels = static_cast<uint32_t>(image.channels()),
          .bits = image.depth() == CV_8U ? 8U : 16U};
}

std::string describe(const gpu::ImageFormat& f) {
  return fmt::format("{} x {}, {} of {} bits", f.width, f.height,
                     f.channels == 1 ? "grey" : "colour", f.bits);
}

/// When the pictures are.
struct Rate {
  double value = kImageSequenceFps;  ///< frames a second
  std::string from = "assumed";
  bool stated = false;  ///< by the user or by a file
};

Rate rateOf(const SourceOptions& options, const std::optional<TiffFrames>& stack) {
  if (options.fps) return {*options.fps, "as ?fps says", true};
  if (!stack || !stack->rate) return {};
  const double rate = *stack->rate;
  if (rate < kLeastFps || rate > kMostFps) return {};
  return {rate, fmt::format("as {} says", stack->rateFrom), true};
}

/// Pictures, each of which has a place in time: a place without a picture is a gap.
class ImageSource final : public Source {
 public:
  ImageSource(std::string name, ImageList list, const SourceOptions& options,
              const Interrupt* interrupt)
      : name_(std::move(name)),
        pictures_(std::move(list.paths), options, interrupt),
        remarks_(std::move(list.remarks)),
        numbers_(std::move(list.numbers)),
        rate_(rateOf(options, pictures_.firstStack())) {
    if (pictures_.hasStacks()) {
      // Numbers of files are no numbers of frames where a file holds many.
      if (const std::string missing = missingNumbers(numbers_); !missing.empty())
        remarks_.push_back(
            fmt::format("of its numbered files, {} {} missing: the frames behind follow without a "
                        "gap",
                        missing, missing.find(' ') == std::string::npos ? "is" : "are"));
      if (options.times.empty()) numbers_ = pictures_.places();
    }
    ImagePicture first = pictures_.read(0);
    first_ = first.pixels.clone();
    orientation_ = first.orientation;
    format_ = formatOf(first_);
  }
  const gpu::ImageFormat& format() const override { return format_; }
  const std::string& name() const override { return name_; }
  std::optional<uint64_t> frameCount() const override {
    return numbers_.empty() ? pictures_.size() : numbers_.back() - numbers_.front() + 1;
  }
  std::optional<double> statedRate() override {
    return rate_.stated ? std::optional(rate_.value) : std::nullopt;
  }
  /// For every frame number, including those of gaps.
  std::vector<double> frameTimes() override {
    std::vector<double> times;
    for (uint64_t i = 0; i < *frameCount(); ++i) times.push_back(timeOf(i));
    return times;
  }
  SourceSummary summary() override;
  /// The times that a stack states, s, of every frame number, including those of gaps; or empty.
  std::vector<double> ownTimes() const;
  bool canSeek() const override { return true; }
  bool mayHaveGaps() const override { return *frameCount() > pictures_.size(); }
  void seek(FrameNumber place) override {
    place_ = place.value();
    next_ = pictureAt(place_);
  }
  Reading read(const gpu::ImageView& view) override;

 private:
  std::string rangeWarning(const ValueRange& range) const;
  double timeOf(uint64_t place) const { return static_cast<double>(place) / rate_.value; }
  uint64_t placeOf(uint64_t picture) const {
    return numbers_.empty() ? picture : numbers_[picture] - numbers_.front();
  }
  /// The first picture at this place or behind it.
  uint64_t pictureAt(uint64_t place) const {
    if (numbers_.empty()) return place;
    const auto at = std::lower_bound(numbers_.begin(), numbers_.end(), numbers_.front() + place);
    return static_cast<uint64_t>(at - numbers_.begin());
  }

  std::string name_;
  ImageSequence pictures_;
  std::vector<std::string> remarks_;
  std::vector<uint64_t> numbers_;  ///< of the frames; empty: from 0 without gaps
  Rate rate_;
  Orientation orientation_ = Orientation::upright;  ///< of the first picture
  cv::Mat first_;                                   ///< empty once it is delivered
  gpu::ImageFormat format_;
  uint64_t place_ = 0, next_ = 0;  ///< in time, and among the pictures, of the next read
};

std::vector<double> ImageSource::ownTimes() const {
  const std::vector<double>& stated = pictures_.times();
  std::vector<double> times;
  for (uint64_t i = 0; i < stated.size(); ++i) {
    // Gaps are spread evenly. A last picture that is cut off has no time of its own.
    const double before = times.empty() ? stated[i] : times.back();
    const uint64_t gap = placeOf(i) - times.size();
    for (uint64_t k = 1; k <= gap; ++k)
      times.push_back(before +
                      (stated[i] - before) * static_cast<double>(k) / static_cast<double>(gap + 1));
    times.push_back(stated[i]);
  }
  return times;
}

Reading ImageSource::read(const gpu::ImageView& view) {
  assert(view.format == format_);
  if (next_ >= pictures_.size()) return {};
  if (place_ < placeOf(next_)) {
    ++place_;
    Reading gap{.state = gpu::CameraState::none};
    gap.gap = true;
    return gap;
  }
  const bool kept = next_ == 0 && !first_.empty();
  cv::Mat image;
  try {
    image = kept ? std::exchange(first_, {}) : pictures_.read(next_).pixels;
  } catch (const Interrupted&) {
    return {gpu::CameraState::none};
  }
  if (const gpu::ImageFormat found = formatOf(image); !(found == format_)) {
    throw Error("'{}' is {}, but the sequence began with {}", pictures_.pathOf(next_),
                describe(found), describe(format_));
  }
  const size_t rowBytes = size_t{format_.width} * format_.bytesPerPixel();
  for (uint32_t y = 0; y < format_.height; ++y) {
    std::memcpy(view.row(y), image.ptr(static_cast<int>(y)), rowBytes);
  }
  const double time = timeOf(place_);
  const uint64_t number = numbers_.empty() ? next_ : numbers_[next_];
  ++next_;
  ++place_;
  return {gpu::CameraState::frame, {.sequence = FrameNumber(number), .time = time}};
}

std::string ImageSource::rangeWarning(const ValueRange& range) const {
  const std::string where =
      fmt::format("in {} of {}", pictures_.lookedAt(), counted(pictures_.size(), "frame"));
  if (range.low < range.high)
    return fmt::format(
        "the values {:g} to {:g}, found {}, are black and full scale; ?range={:g}:{:g} sets others",
        range.low, range.high, where, range.low, range.high);
  return fmt::format("all values {} are {:g}, which becomes black; ?range={:g}:{:g} sets others",
                     where, range.low, std::min(range.low, 0.0),
                     range.low > 0 ? range.low : range.low + 1);
}

SourceSummary ImageSource::summary() {
  SourceSummary summary{.orientation = wordsOf(orientation_),
                        .frames = pictures_.whole(),
                        .rate = rate_.value,
                        .rateFrom = rate_.from,
                        .remarks = remarks_,
                        .missing = missingNumbers(numbers_)};
  if (!first_.empty())
    summary.used = usedValues(
        {format_, reinterpret_cast<std::byte*>(first_.data), static_cast<size_t>(first_.step)});
  std::ranges::copy(pictures_.remarks(), std::back_inserter(summary.remarks));
  if (const auto& stack = pictures_.firstStack(); stack && stack->axis != "time points")
    summary.remarks.push_back(fmt::format("its {} are taken for frames", stack->axis));
  if (!summary.missing.empty()) {
    const uint64_t gaps = *frameCount() - pictures_.size();
    summary.remarks.push_back(fmt::format("{} {} {} missing", gaps == 1 ? "frame" : "frames",
                                          summary.missing, gaps == 1 ? "is" : "are"));
  }
  if (!rate_.stated && pictures_.size() > 1)
    summary.warnings.push_back(
        fmt::format("its rate of {:g} frames/s is assumed; ?fps=60 sets another", rate_.value));
  if (const auto& range = pictures_.ownRange()) summary.warnings.push_back(rangeWarning(*range));
  return summary;
}

}  // namespace

bool isImageSpec(const std::string& spec) {
  const std::string path = pathOf(spec);
  return isFolderOrPattern(path) || hasImageSuffix(path);
}

namespace {

/// Opens images with the times that their options or they themselves state.
std::unique_ptr<Source> openTimed(const std::string& text, const SourceText& source,
                                  const Interrupt* interrupt) {
  ImageList list = listImages(source.path);
  if (list.paths.empty()) throw Error("no images in '{}'", source.path);
  // Times that are given for each file say more than their numbers.
  if (!source.options.times.empty()) list.numbers.clear();
  auto images = std::make_unique<ImageSource>(text, std::move(list), source.options, interrupt);
  if (source.options.fps) return images;
  if (std::vector<double> times = images->ownTimes();
      source.options.times.empty() && times.size() > 1)
    return retimeByList(std::move(images), std::move(times), "as OME's DeltaT says");
  if (source.options.times.empty()) return images;
  return retimeByList(std::move(images), readTimesFile(source.options.times, source.path),
                      fmt::format("as '{}' says", source.options.times));
}

}  // namespace

std::unique_ptr<Source> openImages(const std::string& text, const Interrupt* interrupt) {
  const SourceText source = parseSource(text, OptionsFor::pictures);
  return shiftTimes(openTimed(text, source, interrupt), source.options);
}

extern const SourceKind kImagesKind{
    .sort = SourceKind::Sort::pictures,
    .help = "folder or pattern of images",
    .accepts = isImageSpec,
    .open = [](const Address& address, const Interrupt* interrupt,
               const Settings::Camera&) { return openImages(address.shown(), interrupt); },
    .files = [](const std::string& spec) { return listImages(pathOf(spec)).paths; }};

}  // namespace glint::capture
