// The pictures of a list of files, of which TIFF and FITS files may hold many. Internal to app/.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/images/fits_file.h"
#include "app/capture/images/image_file.h"
#include "app/capture/images/tiff_axes.h"
#include "app/capture/source/source_options.h"

namespace glint::capture {

/// Pictures in order, counted from 0 over all files. Used by one thread at a time.
class ImageSequence {
 public:
  /// Opens each TIFF and FITS file once to count its frames; other files are not opened yet. Reads
  /// the first picture. If pictures have no full scale, reads up to 16 of them, and makes one scale
  /// for all pictures from their values. Throws Error if the first picture cannot be read,
  /// Interrupted, and UsageError for options that do not fit.
  ImageSequence(std::vector<std::string> paths, const SourceOptions& options,
                const Interrupt* interrupt);

  /// Returns the number of pictures. A file that is cut short counts one picture more than it has
  /// whole ones, and reading that one throws an Error that says so.
  uint64_t size() const { return starts_.back(); }
  /// Returns the number of pictures before the first one that is missing, according to the files'
  /// lists of pages.
  uint64_t whole() const { return firstCut_.value_or(size()); }
  /// Returns the place in time of each picture, in rising order. Returns nothing if the pictures
  /// follow each other from 0 on.
  const std::vector<uint64_t>& places() const { return places_; }
  /// Returns the time of each picture, s, if the recording is one stack that states all of them.
  const std::vector<double>& times() const { return times_; }
  bool hasStacks() const { return size() > paths_.size(); }
  /// Returns the file that contains a picture.
  const std::string& pathOf(uint64_t index) const { return paths_[fileOf(index)]; }

  /// Reads a picture. The next read() may overwrite its pixels. Throws Interrupted, and an Error
  /// that names the file.
  ImagePicture read(uint64_t index);

  /// Returns the metadata of the first file, if it is a stack.
  const std::optional<TiffFrames>& firstStack() const { return firstStack_; }
  /// Return the scale of pictures that have none of their own, and the number of pictures from
  /// which it was made.
  const std::optional<ValueRange>& ownRange() const { return ownRange_; }
  uint64_t lookedAt() const { return lookedAt_; }
  /// Returns a sentence for each group of pages that are left out, with the reason.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  /// An open stack. `other` is the other file of an OME-TIFF that was read last.
  struct Stack {
    size_t path = 0;
    TiffFile file;
    TiffFrames frames;
    size_t otherNumber = 0;
    std::optional<TiffFile> other = {};
  };
  struct OpenFits {
    size_t path = 0;
    FitsFile file;
  };

  size_t fileOf(uint64_t index) const;
  Stack openStack(size_t path) const;
  void addFile(size_t path);
  void addStack(Stack stack);
  void addFits(size_t path);
  void noteStack(const Stack& stack);
  void noteBreak(const std::string& path);
  TiffFile& fileOf(Stack& stack, const TiffFrame& frame) const;
  ImagePicture readPage(Stack& stack, uint64_t frame, const ImageRequest& request);
  ImagePicture readAs(uint64_t index, const ImageRequest& request);
  void findRange();

  std::vector<std::string> paths_;
  TiffChoice choice_;
  ImageRequest request_;
  const Interrupt* interrupt_;
  std::optional<uint64_t> firstCut_;  ///< the first picture that is missing in a stack
  std::vector<uint64_t> starts_;      ///< the first picture of each file, and behind the last one
  std::vector<uint64_t> places_;
  std::vector<double> times_;
  std::optional<Stack> stack_;    ///< the one that was read last
  std::optional<OpenFits> fits_;  ///< the one that was read last
  std::vector<std::byte> samples_;
  std::optional<TiffFrames> firstStack_;
  std::optional<ValueRange> ownRange_;
  uint64_t lookedAt_ = 0;
  std::vector<std::string> remarks_;
};

}  // namespace glint::capture
