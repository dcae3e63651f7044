// Headers of FITS files (FITS standard 4.0, sections 3 and 4). Internal to app/.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "app/capture/video/container_walk.h"

namespace glint::capture {

/// The header of one unit of a file: of the primary image, or of an extension.
struct FitsHeader {
  /// The values of the cards, without comments, by their keywords. Texts keep their quotes.
  std::map<std::string, std::string, std::less<>> values;
  uint64_t bytes = 0;  ///< of the header, up to the data

  std::optional<double> number(std::string_view key) const;
  /// Returns a whole number from 0 on; `otherwise` if there is none.
  uint64_t count(std::string_view key, uint64_t otherwise) const;
  /// Returns true for images, which may have no pixels; false for tables.
  bool isImage() const;
  /// Returns the bytes of the data: |BITPIX| / 8 * GCOUNT * (PCOUNT + product of the axes); 0
  /// without axes. What is larger than 2^62 becomes 2^62.
  uint64_t dataBytes() const;
  /// Returns the bytes from the beginning of this unit to the next one: header and data are padded
  /// to blocks of 2880 bytes.
  uint64_t unitBytes() const;
};

/// Returns true if a unit of a FITS file begins at `at`.
bool isFitsUnit(FileBytes& file, uint64_t at);

/// Reads the header that begins at `at`. Empty if it has no end within the file, or none within
/// 16 MiB.
std::optional<FitsHeader> readFitsHeader(FileBytes& file, uint64_t at);

}  // namespace glint::capture
