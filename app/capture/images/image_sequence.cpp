#include "app/capture/images/image_sequence.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "app/base/text.h"
#include "app/capture/images/tiff_picture.h"
#include "app/capture/source/interrupt.h"
#include "app/capture/source/pipe_input.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::capture {
namespace {

constexpr uint64_t kRangePictures = 16;

std::string countedAre(uint64_t count, const char* what) {
  return counted(count, what) + (count == 1 ? " is" : " are");
}

bool mayBeStack(const std::string& path) {
  const std::string suffix = base::lowerCase(std::filesystem::path(path).extension().string());
  return (suffix == ".tif" || suffix == ".tiff") && !isPipe(path) && isTiffFile(path);
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
  const bool stacks = mayBeStack(paths_.front());
  for (size_t i = 0; i < paths_.size(); ++i) {
    uint64_t pictures = 1;
    if (stacks && mayBeStack(paths_[i])) {
      if (interrupt_ && interrupt_->isSet())
        throw Interrupted("interrupted while opening '{}'", paths_[i]);
      try {
        Stack stack = openStack(i);
        pictures = std::max<uint64_t>(stack.frames.pages.size(), 1);
        if (!stack.frames.pages.empty() && stack.frames.pages.back() >= stack.file.pages()) {
          ++cut_;
          remarks_.push_back(fmt::format("'{}' is cut short", paths_[i]));
        }
        noteStack(stack);
        if (i == 0) stack_ = std::move(stack);
      } catch (const UsageError&) {
        throw;
      } catch (const Error&) {
        if (i == 0) throw;  // others are reported when they are read
      }
    }
    starts_.push_back(starts_.back() + pictures);
  }
  if ((choice_.channel || choice_.slice) && !firstStack_)
    throw UsageError("'{}': channel and slice are for TIFF stacks", paths_.front());
  findRange();
}

size_t ImageSequence::fileOf(uint64_t index) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), index);
  return static_cast<size_t>(after - starts_.begin()) - 1;
}

ImageSequence::Stack ImageSequence::openStack(size_t path) const {
  TiffFile file(paths_[path]);
  TiffFrames frames;
  try {
    frames = tiffFrames(file, choice_);
  } catch (const UsageError& error) {
    throw UsageError("'{}': {}", paths_[path], error.what());
  }
  const auto isCut = [&](uint64_t page) { return page >= file.pages(); };
  // Missing pages that the file promises are reported once, behind the pages that are.
  const auto cut = std::ranges::find_if(frames.pages, isCut);
  if (cut != frames.pages.end())
    frames.pages.erase(cut + 1, frames.pages.end());
  else if (!file.brokenOff().empty())
    frames.pages.push_back(file.pages());
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
  if (frames.elsewhere > 0)
    remarks_.push_back(fmt::format("{} left out: in other files of this OME-TIFF",
                                   countedAre(frames.elsewhere, "frame")));
}

ImagePicture ImageSequence::readPage(Stack& stack, uint64_t frame, const ImageRequest& request) {
  if (stack.frames.pages.empty())
    throw Error("'{}' holds no plane of this recording", paths_[stack.path]);
  const uint64_t index = stack.frames.pages[frame];
  if (index >= stack.file.pages()) {
    throw Error("'{}' is cut short: {} could be read", paths_[stack.path], counted(frame, "frame"));
  }
  stack.file.read(index, samples_);
  const TiffPage& page = stack.file.page(index);
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
