// FITS images, which libav would stretch from their own least to their own greatest value. Internal
// to app/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <opencv2/core.hpp>

#include "app/capture/video/container_walk.h"

namespace glint::capture {

/// Returns true if the bytes begin as a FITS file does.
bool isFits(std::span<const std::byte> file);

/// Returns true if the file begins as a FITS file does. False for one that cannot be read.
bool isFitsFile(const std::string& path);

/// The pictures of a FITS file (FITS 4.0, sections 3 to 5 and 7.1): the planes of its primary image
/// and of its image extensions, in their order. Three planes of an image are red, green and blue of
/// one picture. Used by one thread at a time.
class FitsFile {
 public:
  /// Opens a file; or one that is in memory, which `name` names in messages. Throws Error that
  /// names it: no image of two axes or more, no picture that is whole, values of another kind than
  /// 8, 16 and 32 bits and floats.
  explicit FitsFile(const std::string& path);
  FitsFile(std::string name, std::string bytes);

  uint64_t pictures() const { return places_.size(); }
  /// True if the file ends within a picture, which is not counted, or within a header.
  bool isCut() const { return isCut_; }
  /// Sentences about what is not read, and about planes that are taken for colours.
  const std::vector<std::string>& remarks() const { return remarks_; }

  /// Returns a picture, with the last row first, as it is shown: one channel, or three (BGR).
  /// Values are BZERO + BSCALE * stored. Whole numbers of 8 or 16 bits that are only shifted, or
  /// not at all, stay whole numbers from 0 on, and negative ones become 0. All else becomes
  /// doubles. Throws Error that names the file if bytes are missing.
  cv::Mat read(uint64_t picture);

 private:
  /// How the pictures of an image are stored.
  struct Layout {
    uint64_t width = 0, height = 0;
    int bitpix = 8;
    double zero = 0, scale = 1;
    uint64_t colours = 1;
    uint64_t planeBytes() const {
      return width * height * static_cast<uint64_t>(std::abs(bitpix)) / 8;
    }
  };
  struct Place {
    uint64_t offset = 0;
    size_t layout = 0;
  };

  void listPictures();
  void addImage(const struct FitsHeader& header, uint64_t data);
  void fillChannel(const Layout& layout, uint64_t offset, cv::Mat& channel);

  std::string name_;
  std::unique_ptr<FileBytes> file_;
  std::vector<Layout> layouts_;
  std::vector<Place> places_;
  uint64_t others_ = 0;  ///< images of another size than the first
  bool isCut_ = false;
  std::vector<std::string> remarks_;
};

}  // namespace glint::capture
