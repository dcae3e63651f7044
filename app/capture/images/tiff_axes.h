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

/// A page that is a frame.
struct TiffFrame {
  uint64_t page = 0;
  size_t file = 0;      ///< 0: the stack's own file; n: TiffFrames::others[n - 1]
  uint64_t moment = 0;  ///< its place in time: a moment without a frame is a gap
};

/// The frames of a stack.
struct TiffFrames {
  std::vector<TiffFrame> frames;      ///< in time; one whose page is not there is cut off
  std::vector<std::string> others;    ///< paths of the other files of an OME-TIFF that are read
  std::optional<double> rate;         ///< frames a second, if the file states it
  std::string rateFrom;               ///< what states it: "ImageJ's finterval"
  std::vector<double> times;          ///< s, of each frame, if the file states all of them
  std::string axis;                   ///< what the frames are: "time points", "slices", "channels"
  uint64_t channels = 1, slices = 1;  ///< of each frame; one of each is read
  uint64_t channel = 0, slice = 0;    ///< those that are read
  std::optional<uint16_t> sample;     ///< the sample of each pixel that is read, if not all
  std::vector<std::string> remarks;   ///< sentences about what is left out of the metadata
};

/// The choice what to do with other files that an OME-TIFF names.
enum class OtherFiles { read, leave };

/// Finds out which pages are frames. Adds the planes of ImageJ's large stacks, and of those that
/// tifffile has truncated to one directory, to `file`.
///
/// ImageJ (`images=`, `channels=`, `slices=`, `frames=`) and OME-XML (`SizeC`, `SizeZ`, `SizeT`,
/// `DimensionOrder`, `TiffData`) tell what the pages are. Time makes frames; if there is one moment
/// only, slices do; if there is one slice only, channels do. Without such a text, or with one that
/// breaks off or contradicts the pages, all pages are frames that have the first one's size and
/// type. Samples of a pixel that are no colours count as channels. Time points that no TiffData
/// names, or whose file is missing, are gaps. Pages that OME expects in this file are frames even
/// if they are missing: the file is cut short then.
/// The rate is 1 / `finterval` (s, or in the unit of `tunit`) or `fps` of ImageJ, and
/// 1 / `TimeIncrement` of OME in the unit of `TimeIncrementUnit` (s unless it is stated). The times
/// are `DeltaT` of OME's planes, if all frames have one and they rise.
///
/// Throws UsageError if the chosen channel or slice is not there.
TiffFrames tiffFrames(TiffFile& file, const TiffChoice& choice, OtherFiles others);

/// Returns true if the samples of a pixel are channels of their own rather than one colour.
bool hasSampleChannels(const TiffPage& page);

/// Returns the number behind `key` in a description: in ImageJ's "spacing=2", in OME's
/// PhysicalSizeX="0.5".
std::optional<double> describedNumber(const std::string& text, const std::string& key);

}  // namespace glint::capture
