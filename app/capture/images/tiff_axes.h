// Which pages of a TIFF file are the frames of a recording. Internal to app/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/images/tiff_file.h"

namespace glint::capture {

/// Which of the planes that a stack has at each moment are read, counted from 0.
struct TiffChoice {
  std::optional<uint64_t> channel, slice;
};

/// The frames of a stack.
struct TiffFrames {
  std::vector<uint64_t> pages;        ///< the page of each frame; one that is not there is cut off
  std::optional<double> rate;         ///< frames a second, if the file states it
  std::string rateFrom;               ///< what states it: "ImageJ's finterval"
  std::string axis;                   ///< what the frames are: "time points", "slices", "channels"
  uint64_t channels = 1, slices = 1;  ///< of each frame; one of each is read
  uint64_t channel = 0, slice = 0;    ///< those that are read
  std::optional<uint16_t> sample;     ///< the sample of each pixel that is read, if not all
  uint64_t elsewhere = 0;             ///< frames whose planes are in other files (OME)
};

/// Finds out which pages are frames, and adds the planes of ImageJ's large stacks to `file`.
///
/// ImageJ (`images=`, `channels=`, `slices=`, `frames=`) and OME-XML (`SizeC`, `SizeZ`, `SizeT`,
/// `DimensionOrder`, `TiffData`) tell what the pages are. Time makes frames; if there is one moment
/// only, slices do; if there is one slice only, channels do. Without such a text, or with one that
/// contradicts the pages, all pages are frames that have the first one's size and type.
/// Samples of a pixel that are no colours count as channels.
/// The rate is 1 / `finterval` (s, or in the unit of `tunit`) or `fps` of ImageJ, and
/// 1 / `TimeIncrement` of OME in the unit of `TimeIncrementUnit` (s unless it is stated).
///
/// Throws UsageError if the chosen channel or slice is not there.
TiffFrames tiffFrames(TiffFile& file, const TiffChoice& choice);

/// Returns true if the samples of a pixel are channels of their own rather than one colour.
bool hasSampleChannels(const TiffPage& page);

/// Returns the number behind `key` in a description: in ImageJ's "spacing=2", in OME's
/// PhysicalSizeX="0.5".
std::optional<double> describedNumber(const std::string& text, const std::string& key);

}  // namespace glint::capture
