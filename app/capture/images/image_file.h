// Reads one image file, which must be whole. Internal to app/.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include <opencv2/core.hpp>

#include "app/capture/source/orientation.h"
#include "app/capture/source/source_options.h"

namespace glint::capture {

class Interrupt;

/// How pictures are read, and what was found of them.
struct ImageRequest {
  std::optional<int> rotate = {};        ///< degrees clockwise, instead of what the file says
  std::optional<ValueRange> range = {};  ///< see scaled()
};
struct ImagePicture {
  cv::Mat pixels;                                  ///< upright
  Orientation orientation = Orientation::upright;  ///< how the stored picture was turned
  std::optional<ValueRange> range = {};            ///< the values that became black and white
};

/// Reads an image of 1 or 3 (BGR) channels, 8 or 16 bits, and turns it as its Exif data or its tag
/// Orientation say. Of a TIFF file it is the first page. Pictures whose values have no full scale
/// (floats, 32 bits, negative numbers) are scaled from their own least to their own greatest value.
/// Throws Error naming the file if it is missing, cut, damaged, no image, or of another depth;
/// Interrupted where it is a pipe that nobody writes.
cv::Mat readImageFile(const std::string& path, const Interrupt* interrupt = nullptr);

/// Reads an image like readImageFile(), but with the choices of `request`.
ImagePicture readPicture(const std::string& path, const ImageRequest& request,
                         const Interrupt* interrupt = nullptr);

/// Returns true if the file begins as a TIFF file does.
bool isTiffFile(const std::string& path);

/// Turns the stored picture, and notes how.
ImagePicture turnedPicture(cv::Mat stored, Orientation stated, const ImageRequest& request);

/// Scales a decoded picture if it has no full scale of its own or if `request` says so, and turns
/// it.
ImagePicture finishPicture(cv::Mat stored, Orientation stated, const ImageRequest& request);

/// Returns true if the bytes of an image file are structurally whole: a PNG up to IEND with all
/// checksums right, a JPEG up to its end marker, a BMP or a binary PGM/PPM with all its pixels.
/// Decoders fill the missing part with grey and say so on the terminal only. True for formats not
/// known here.
bool isWholeImage(std::span<const std::byte> file);

}  // namespace glint::capture
