// Opens images in files as a source: a folder, a numbered sequence, or one picture.
#pragma once

#include <memory>
#include <string>

#include "app/capture/source/source.h"

namespace glint::capture {

/// The rate of images, frames/s, unless the spec ends in "?fps=RATE". Images have no clock, so the
/// time of frame n is n / rate.
inline constexpr double kImageSequenceFps = 30;

/// Returns true if `spec`, without its "?fps=", is a folder, has a printf number (%d, %04d), or
/// names a file with the suffix of an image.
bool isImageSpec(const std::string& spec);

/// Opens images as a source: a folder, a printf pattern or a file, see listImages(). TIFF and FITS
/// files may hold many frames, see ImageSequence.
///
/// Pixels are grey in one channel, everything else BGR, of 8 or 16 bits, turned as the file says.
/// Alpha is dropped, and values are not scaled by a PGM's maxval. The first image is read at once
/// and sets the format. Times: see the options, then those that a stack states, then
/// kImageSequenceFps.
///
/// Throws Error if there is no image or the first one cannot be read, UsageError if the "?..." is
/// wrong. read() throws Error for a damaged image and for one of another format than the first.
/// Damage is found through the structure of PNG (with checksums), JPEG, BMP and binary PGM/PPM
/// files, through the decoder, and through libjpeg's warnings. A changed byte inside a JPEG's
/// picture data is found only sometimes, inside a PGM's never.
std::unique_ptr<Source> openImages(const std::string& spec, const Interrupt* interrupt = nullptr);

}  // namespace glint::capture
