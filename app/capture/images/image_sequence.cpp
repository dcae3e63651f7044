#include "app/capture/images/image_sequence.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "app/capture/images/animation.h"
#include "app/capture/images/tiff_picture.h"
#include "app/capture/source/interrupt.h"
#include "app/capture/source/pipe_input.h"
#include "config/error.h"
#include "config/lower_case.h"
#include "config/printable.h"

namespace glint::capture {
namespace {

constexpr uint64_t kRangePictures = 16;

std::string countedAre(uint64_t count, const char* what) {
  return counted(count, what) + (count == 1 ? " is" : " are");
}

bool mayBeStack(const std::string& path) {
  const std::string suffix = lowerCase(std::filesystem::path(path).extension().string());
  return (suffix == ".tif" || suffix == ".tiff") && !isPipe(path) && isTiffFile(path);
}

bool mayBeFits(const std::string& path) {
  const std::string suffix = lowerCase(std::filesystem::path(path).extension().string());
  return (suffix == ".fits" || suffix == ".fit") && isFitsFile(path);
}

/// The pages that have another size or type than the first one.
uint64_t otherPages(const TiffFile& file) {
  uint64_t others = 0;
  for (uint64_t i = 0; i < file.pages(); ++i) others += file.page(i) == file.page(0) ? 0 : 1;
  return others;
}

}  // namespace

ImageSequence::ImageSequence(std::vector<std::string> paths, const SourceOptions& options,
                             const Interrupt* interrupt)
    : paths_(std::move(paths)),
      choice_{.channel = options.channel, .slice = options.slice},
      request_{.rotate = options.rotate, .range = options.range},
      interrupt_(interrupt) {
  starts_.push_back(0);
  for (size_t i = 0; i < paths_.size(); ++i) addFile(i);
  if (places_.back() + 1 == size()) places_.clear();
  if ((choice_.channel || choice_.slice) && !firstStack_)
    throw UsageError("'{}': channel and slice are for TIFF stacks", paths_.front());
  findRange();
}

/// Adds the pictures of a file. Files that cannot be opened are reported when they are read.
void ImageSequence::addFile(size_t path) {
  const std::string& file = paths_[path];
  const bool isStack = (path == 0 || firstStack_) && mayBeStack(file);
  const bool isFitsImage = mayBeFits(file);
  if (isStack || isFitsImage) {
    if (interrupt_ && interrupt_->isSet())
      throw Interrupted("interrupted while opening '{}'", file);
    try {
      return isStack ? addStack(openStack(path)) : addFits(path);
    } catch (const UsageError&) {
      throw;
    } catch (const Error&) {
      if (path == 0) throw;
      noteBreak(file);
    }
  }
  if (path == 0 && !isPipe(file) && isAnimatedPng(file))
    remarks_.push_back(fmt::format(
        "only the first picture of the animation '{}' is read; with the suffix .apng, all are",
        file));
  places_.push_back(places_.empty() ? 0 : places_.back() + 1);
  starts_.push_back(starts_.back() + 1);
}

void ImageSequence::addFits(size_t path) {
  const FitsFile file(paths_[path]);
  const uint64_t before = places_.empty() ? 0 : places_.back() + 1;
  // Reading the picture behind those that are whole tells that the file is cut.
  const uint64_t pictures = file.pictures() + (file.isCut() ? 1 : 0);
  for (uint64_t i = 0; i < pictures; ++i) places_.push_back(before + i);
  if (file.isCut() && !firstCut_) {
    noteBreak(paths_[path]);
    firstCut_ = starts_.back() + file.pictures();
  }
  // The remarks on the first file are likely to hold for all, so the others are not repeated.
  if (path == 0) std::ranges::copy(file.remarks(), std::back_inserter(remarks_));
  starts_.push_back(starts_.back() + pictures);
}

/// Notes that the next picture is missing in a file, so that it and those behind it are not read.
void ImageSequence::noteBreak(const std::string& path) {
  if (firstCut_) return;
  firstCut_ = starts_.back();
  remarks_.push_back(fmt::format("'{}' is cut short{}", path,
                                 path == paths_.back() ? "" : ": what follows it is not read"));
}

void ImageSequence::addStack(Stack stack) {
  const std::vector<TiffFrame>& frames = stack.frames.frames;
  // The moments of a stack count from its first frame, except in the first stack.
  const uint64_t before =
      places_.empty() ? 0 : places_.back() + 1 - (frames.empty() ? 0 : frames.front().moment);
  for (const TiffFrame& frame : frames) places_.push_back(before + frame.moment);
  if (frames.empty()) places_.push_back(before);
  const bool cut =
      !frames.empty() && frames.back().file == 0 && frames.back().page >= stack.file.pages();
  if (cut && !firstCut_) {
    const uint64_t start = starts_.back();
    noteBreak(paths_[stack.path]);
    firstCut_ = start + frames.size() - 1;
  }
  noteStack(stack);
  if (paths_.size() == 1) times_ = stack.frames.times;
  starts_.push_back(starts_.back() + std::max<uint64_t>(frames.size(), 1));
  if (stack.path == 0) stack_ = std::move(stack);
}

size_t ImageSequence::fileOf(uint64_t index) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), index);
  return static_cast<size_t>(after - starts_.begin()) - 1;
}

ImageSequence::Stack ImageSequence::openStack(size_t path) const {
  TiffFile file(paths_[path]);
  TiffFrames frames;
  // If there are several files, each is read by itself. Otherwise planes that one file names in
  // another would be read twice.
  const OtherFiles others = paths_.size() == 1 ? OtherFiles::read : OtherFiles::leave;
  try {
    frames = tiffFrames(file, choice_, others);
  } catch (const UsageError& error) {
    throw UsageError("'{}': {}", paths_[path], error.what());
  }
  std::vector<TiffFrame>& all = frames.frames;
  const auto isCut = [&](const TiffFrame& frame) {
    return frame.file == 0 && frame.page >= file.pages();
  };
  // Missing pages that the file promises are reported once, behind the pages that are.
  const auto cut = std::ranges::find_if(all, isCut);
  if (cut != all.end())
    all.erase(cut + 1, all.end());
  else if (!file.brokenOff().empty())
    all.push_back(
        {.page = file.pages(), .file = 0, .moment = all.empty() ? 0 : all.back().moment + 1});
  if (std::vector<double>& times = frames.times; !times.empty()) {
    constexpr double kAnyStep = 1;  // s, in front of the missing page, which is never delivered
    if (times.size() < all.size()) times.push_back(times.back() + kAnyStep);
    times.resize(all.size());
  }
  return {path, std::move(file), std::move(frames)};
}

/// Says what of a stack is not read. Of many stacks the first one speaks for all.
void ImageSequence::noteStack(const Stack& stack) {
  if (firstStack_) return;
  firstStack_ = stack.frames;
  const TiffFrames& frames = stack.frames;
  if (frames.channels > 1)
    remarks_.push_back(fmt::format(
        "channel {} of the {} from 0 to {} is read; ?channel={} reads another", frames.channel,
        frames.channels, frames.channels - 1, frames.channel == 0 ? 1 : 0));
  if (frames.slices > 1)
    remarks_.push_back(
        fmt::format("slice {} of the {} from 0 to {} is read; ?slice={} reads another",
                    frames.slice, frames.slices, frames.slices - 1, frames.slice == 0 ? 1 : 0));
  if (stack.file.reducedPages() > 0)
    remarks_.push_back(fmt::format("{} left out: reduced pictures or masks",
                                   countedAre(stack.file.reducedPages(), "page")));
  if (const uint64_t others = otherPages(stack.file); others > 0)
    remarks_.push_back(fmt::format("{} left out: of another size or type than the first",
                                   countedAre(others, "page")));
  if (!frames.others.empty())
    remarks_.push_back(fmt::format("its frames are in this file and in {} of this OME-TIFF",
                                   counted(frames.others.size(), "other file")));
  std::ranges::copy(frames.remarks, std::back_inserter(remarks_));
}

/// Returns the file that holds a frame. Throws Error if it cannot be opened.
TiffFile& ImageSequence::fileOf(Stack& stack, const TiffFrame& frame) const {
  if (frame.file == 0) return stack.file;
  if (stack.otherNumber != frame.file) {
    stack.other.reset();
    stack.otherNumber = 0;
    stack.other.emplace(stack.frames.others[frame.file - 1]);
    stack.otherNumber = frame.file;
  }
  return *stack.other;
}

ImagePicture ImageSequence::readPage(Stack& stack, uint64_t frame, const ImageRequest& request) {
  if (stack.frames.frames.empty())
    throw Error("'{}' holds no plane of this recording", paths_[stack.path]);
  const TiffFrame& wanted = stack.frames.frames[frame];
  TiffFile& file = fileOf(stack, wanted);
  const uint64_t index = wanted.page;
  if (index >= file.pages()) {
    throw Error("'{}' is cut short: {} could be read", file.name(), counted(frame, "frame"));
  }
  file.read(index, samples_);
  const TiffPage& page = file.page(index);
  std::optional<uint16_t> sample = stack.frames.sample;
  std::optional<ValueRange> range = request.range;
  if (!range && needsRange(page)) range = rangeOf(page, samples_, sample);
  ImagePicture picture = turnedPicture(tiffPicture(page, samples_, sample, range),
                                       static_cast<Orientation>(page.orientation), request);
  picture.range = range;
  return picture;
}

ImagePicture ImageSequence::readAs(uint64_t index, const ImageRequest& request) {
  const size_t path = fileOf(index);
  if (mayBeFits(paths_[path])) {
    if (!fits_ || fits_->path != path) {
      fits_.reset();
      fits_.emplace(path, FitsFile(paths_[path]));
    }
    const uint64_t picture = index - starts_[path];
    if (picture >= fits_->file.pictures())
      throw Error("'{}' is cut short: {} could be read", paths_[path], counted(picture, "frame"));
    return finishPicture(fits_->file.read(picture), Orientation::upright, request);
  }
  if (!firstStack_ || !mayBeStack(paths_[path]))
    return readPicture(paths_[path], request, interrupt_);
  if (!stack_ || stack_->path != path) {
    stack_.reset();
    stack_ = openStack(path);
  }
  return readPage(*stack_, index - starts_[path], request);
}

ImagePicture ImageSequence::read(uint64_t index) {
  return readAs(index, request_);
}

/// Finds one scale for pictures that have none.
void ImageSequence::findRange() {
  ImagePicture first = read(0);
  if (request_.range || !first.range) return;
  ownRange_ = first.range;
  lookedAt_ = 1;
  std::set<uint64_t> others;
  for (uint64_t i = 1; i < kRangePictures; ++i) others.insert(i * size() / kRangePictures);
  others.erase(0);
  for (const uint64_t index : others) {
    try {
      const auto range = readAs(index, {.rotate = 0, .range = {}}).range;
      if (!range) continue;
      ownRange_->low = std::min(ownRange_->low, range->low);
      ownRange_->high = std::max(ownRange_->high, range->high);
      ++lookedAt_;
    } catch (const Interrupted&) {
      throw;
    } catch (const Error&) {
      // It is reported when its turn comes.
    }
  }
  request_.range = ownRange_;
}

}  // namespace glint::capture
