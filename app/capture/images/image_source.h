// Images in files as a source: a folder, a numbered sequence, or one picture.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "app/capture/source/source.h"

namespace glint::capture {

/// Images have no clock: frame n is taken to be at n / fps, with this rate unless the spec ends in
/// "?fps=RATE".
inline constexpr double kImageSequenceFps = 30;

/// Whether `spec`, without its "?fps=", is a folder, has a printf number (%d, %04d) or names a file
/// with the suffix of an image.
bool isImageSpec(const std::string& spec);

/// Opens images as a source; the suffixes are png, tif, tiff, pgm, ppm, pnm, jpg, jpeg and bmp.
///  - a folder: all images in it, hidden files apart, in natural order (frame2 before frame10);
///  - a printf pattern: from the first number of 0 to 9999 that exists to the first that is
///  missing;
///  - a file: a source of one frame.
///
/// Pixels are as the file holds them: grey as one channel, everything else as BGR, 8 or 16 bits.
/// Alpha is dropped, orientation tags are ignored, and a PGM's maxval does not scale.
/// The first image is read at once and sets the format.
///
/// Throws Error when there is no image or the first cannot be read, UsageError for a wrong "?...".
/// read() throws Error for a damaged image and for one of another format than the first; damage is
/// found through the structure of PNG (checksums too), JPEG, BMP and binary PGM/PPM files and
/// through the decoder, and through libjpeg's warnings; an altered byte inside a JPEG's picture
/// data is found now and then, inside a PGM's never.
std::unique_ptr<Source> openImages(const std::string& spec, const Interrupt* interrupt = nullptr);

/// Orders names as people do: runs of digits by their value, all else by character.
bool naturalLess(std::string_view a, std::string_view b);

}  // namespace glint::capture
