// Recordings of high-speed cameras: files in which uncompressed frames of one size follow each
// other at equal distances. Internal to capture/.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/capture/source/source.h"

namespace glint::capture {

/// The layout of the frames in a file, and the meaning of their bytes.
struct StoredFrames {
  /// The bits of one sample in the file. Samples of 8 and 16 bits are bytes and little-endian
  /// words, all others follow each other without padding, the highest bit first.
  uint32_t bits = 8;
  /// The bits that count. Samples of fewer than 16 are scaled, so that the greatest becomes full
  /// scale.
  uint32_t depth = 8;
  bool isAtTop = false;            ///< true if the bits that count are the highest ones of a sample
  uint32_t width = 0, height = 0;  ///< px
  uint32_t channels = 1;           ///< 1, or 3 for blue, green and red
  std::string path = {};           ///< the file that holds the frames
  uint64_t first = 0;              ///< where the first frame begins, bytes
  uint64_t distance = 0;           ///< from one frame to the next, bytes; 0: frameBytes()
  std::optional<uint64_t> frames = {};  ///< how many are promised; empty: as many as the file holds
  std::optional<double> rate = {};      ///< frames a second
  std::string rateFrom = {};            ///< what states it: "its CIHX"
  std::vector<double> times = {};       ///< s, of each frame, rising; empty: not known
  std::vector<std::string> remarks = {};

  uint64_t frameBytes() const { return uint64_t{width} * height * channels * bits / 8; }
};

/// Opens the frames as a source that can seek. Delivered are 8 bits or, of samples of more than 8
/// bits, 16. If the file is shorter than its frames need, read() throws Error behind the last whole
/// one.
///
/// `name` is that of the source. Throws Error if the file cannot be opened, if a size is impossible
/// (no pixels, more than 2^30, samples of other than 8 to 16 bits, frames that do not begin at a
/// byte), or if not one frame is whole.
std::unique_ptr<Source> openStoredFrames(const std::string& name, StoredFrames frames);

/// Returns true for the suffixes of Photron's recordings: .mraw, .cih and .cihx.
bool isPhotron(const std::string& path);

/// Reads the description (CIHX or CIH) of a Photron recording. `path` names it, or the pictures
/// (MRAW) beside it that have the same name. Throws Error if one of both is missing, if a number in
/// the description is missing or wrong, and for kinds that are not read: colour, other file
/// formats.
StoredFrames readPhotron(const std::string& path);

/// Returns the two files of a Photron recording.
std::vector<std::string> photronFiles(const std::string& path);

/// Returns true if the file begins as a NorPix sequence does.
bool isNorpix(const std::string& path);

/// Reads the header and the time stamps of a NorPix sequence (StreamPix). Throws Error if the
/// header is cut short, or for kinds that are not read: compressed or Bayer pictures.
StoredFrames readNorpix(const std::string& path);

}  // namespace glint::capture
