// Pages of TIFF files as pictures. Internal to app/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <opencv2/core.hpp>

#include "app/capture/images/tiff_file.h"
#include "app/capture/source/source_options.h"

namespace glint::capture {

/// Returns true if the samples have no full scale of their own: floats, negative numbers, and whole
/// numbers of 32 bits.
bool needsRange(const TiffPage& page);

/// Returns the least and the greatest finite value of a page, of the sample `sample` of each pixel
/// or of all colours. `samples` are those of TiffFile::read().
ValueRange rangeOf(const TiffPage& page, std::vector<std::byte>& samples,
                   std::optional<uint16_t> sample);

/// Returns a page as it is stored, not turned: 1 or 3 channels (BGR) of 8 or 16 bits. Samples
/// beside the colours, such as alpha, are dropped. Zero is black, also where the file says that it
/// is white. Samples of 1 to 7 and of 9 to 15 bits are scaled to the full 8 or 16 bits. With
/// `range`, which pages that need one must have, its values become black and full scale; pages of
/// more than 8 bits have 16 then. The picture may be a view of `samples`, and is gone with them.
cv::Mat tiffPicture(const TiffPage& page, std::vector<std::byte>& samples,
                    std::optional<uint16_t> sample, const std::optional<ValueRange>& range);

}  // namespace glint::capture
