// Images in files as a source: a folder, a numbered sequence, a stack of pages, or one picture.
#pragma once

#include <memory>
#include <string>

#include "app/capture/source/source.h"

namespace glint::capture {

/// Images have no clock: frame n is taken to be at n / fps, with this rate unless the options or a
/// stack's own metadata say another.
inline constexpr double kImageSequenceFps = 30;

/// Whether `spec`, without its options, is a folder, has a printf number (%d, %04d) or names a file
/// with the suffix of an image.
bool isImageSpec(const std::string& spec);

/// Opens images as a source: a folder, a printf pattern or a file (see listImages()). TIFF files
/// may hold many pages: see tiffFrames(). Others are a frame each.
///
/// If the files are numbered, the number in a file's name is the number of its frame, and the first
/// one is at time 0. Numbers that are missing in between are gaps: they take time, and read() tells
/// of them. Otherwise frames are counted from 0.
///
/// Pixels are as the file holds them: grey as one channel, everything else as BGR, 8 or 16 bits,
/// upright (see readPicture()). Alpha is dropped, and a PGM's maxval does not scale. Floats,
/// negative values and values of 32 bits are scaled as `range` says, or from the least to the
/// greatest of up to 16 frames.
/// The first image is read at once and sets the format.
///
/// Throws Error when there is no image or the first cannot be read, UsageError for wrong options.
/// read() throws Error for a damaged image and for one of another format than the first; damage is
/// found through the structure of PNG (checksums too), JPEG, BMP and binary PGM/PPM files and
/// through the decoder, and through libjpeg's and libtiff's complaints; an altered byte inside a
/// JPEG's picture data is found now and then, inside a PGM's never.
std::unique_ptr<Source> openImages(const std::string& spec, const Interrupt* interrupt = nullptr);

}  // namespace glint::capture
