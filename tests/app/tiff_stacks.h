// TIFF files of every kind, written by libtiff and by hand, for the tests that read them.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <tiffio.h>

namespace glint {

/// How a test writes a file; pages are all alike but for their samples.
struct TiffKind {
  const char* mode = "wl";  ///< of TIFFOpen(): "wb" big endian, "w8" BigTIFF, "wb8"
  int compression = COMPRESSION_NONE;
  int bits = 8, samples = 1, kind = SAMPLEFORMAT_UINT;
  int photometric = PHOTOMETRIC_MINISBLACK;
  bool planar = false, tiled = false;
  int orientation = ORIENTATION_TOPLEFT;
  int extras = 0;  ///< samples that are unassociated alpha
  std::string description = {};
  int reducedEvery = 0;  ///< 2: each second page is marked as a reduced picture
};

inline constexpr uint32_t kTiffWidth = 37, kTiffHeight = 23;

/// The sample of a page that tests expect, below 2^bits.
using TiffValue = std::function<double(int page, uint32_t x, uint32_t y, int sample)>;

/// Distinct in every place: a small prime for each coordinate.
inline double tiffPattern(int page, uint32_t x, uint32_t y, int sample) {
  return (page * 11 + static_cast<int>(x) * 3 + static_cast<int>(y) * 5 + sample * 17) % 251;
}

inline void storeSample(std::vector<uint8_t>& row, size_t index, const TiffKind& kind,
                        double value) {
  const auto put = [&](auto typed) {
    std::memcpy(row.data() + index * sizeof typed, &typed, sizeof typed);
  };
  if (kind.kind == SAMPLEFORMAT_IEEEFP) {
    kind.bits == 32 ? put(static_cast<float>(value)) : put(value);
  } else if (kind.bits < 8 || (kind.bits > 8 && kind.bits < 16)) {
    for (int bit = 0; bit < kind.bits; ++bit) {
      const size_t at = index * static_cast<size_t>(kind.bits) + static_cast<size_t>(bit);
      const bool on = (static_cast<unsigned>(value) >> (kind.bits - 1 - bit) & 1U) != 0;
      if (on) row[at / 8] = static_cast<uint8_t>(row[at / 8] | 0x80U >> at % 8);
    }
  } else if (kind.bits == 8) {
    put(static_cast<int8_t>(static_cast<int>(value)));
  } else if (kind.bits == 16) {
    put(static_cast<int16_t>(static_cast<int>(value)));
  } else {
    put(static_cast<uint32_t>(static_cast<int64_t>(value)));
  }
}

inline void writeTiff(const std::string& path, int pages, const TiffKind& kind,
                      const TiffValue& value = tiffPattern) {
  constexpr uint32_t kTile = 16;
  TIFF* const tiff = TIFFOpen(path.c_str(), kind.mode);
  ASSERT_NE(tiff, nullptr);
  for (int page = 0; page < pages; ++page) {
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, kTiffWidth);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, kTiffHeight);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, kind.bits);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, kind.samples);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, kind.kind);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, kind.compression);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, kind.photometric);
    TIFFSetField(tiff, TIFFTAG_ORIENTATION, kind.orientation);
    TIFFSetField(tiff, TIFFTAG_PLANARCONFIG,
                 kind.planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    if (kind.compression == COMPRESSION_JPEG) TIFFSetField(tiff, TIFFTAG_JPEGQUALITY, 100);
    const std::vector<uint16_t> alpha(static_cast<size_t>(kind.extras), EXTRASAMPLE_UNASSALPHA);
    if (kind.extras > 0) TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, kind.extras, alpha.data());
    if (page == 0 && !kind.description.empty())
      TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, kind.description.c_str());
    if (kind.reducedEvery > 0 && page % kind.reducedEvery == kind.reducedEvery - 1)
      TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
    const uint32_t wide = kind.tiled ? kTile : kTiffWidth, high = kind.tiled ? kTile : 7;
    if (kind.tiled) {
      TIFFSetField(tiff, TIFFTAG_TILEWIDTH, kTile);
      TIFFSetField(tiff, TIFFTAG_TILELENGTH, kTile);
    } else {
      TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, kind.compression == COMPRESSION_JPEG ? 8 : high);
    }
    const int planes = kind.planar ? kind.samples : 1, own = kind.planar ? 1 : kind.samples;
    for (int plane = 0; plane < planes; ++plane) {
      for (uint32_t top = 0; top < kTiffHeight; top += kind.tiled ? kTile : 1) {
        for (uint32_t left = 0; left < kTiffWidth; left += wide) {
          const uint32_t rows = kind.tiled ? kTile : 1;
          std::vector<uint8_t> all;
          for (uint32_t y = top; y < top + rows; ++y) {
            const size_t count = size_t{wide} * static_cast<size_t>(own);
            std::vector<uint8_t> row((count * static_cast<size_t>(kind.bits) + 7) / 8);
            for (uint32_t x = 0; x < wide; ++x)
              for (int s = 0; s < own; ++s)
                storeSample(row, size_t{x} * static_cast<size_t>(own) + static_cast<size_t>(s),
                            kind, value(page, left + x, y, kind.planar ? plane : s));
            all.insert(all.end(), row.begin(), row.end());
          }
          if (kind.tiled)
            TIFFWriteTile(tiff, all.data(), left, top, 0, static_cast<uint16_t>(plane));
          else
            TIFFWriteScanline(tiff, all.data(), top, static_cast<uint16_t>(plane));
        }
      }
    }
    TIFFWriteDirectory(tiff);
  }
  TIFFClose(tiff);
}

/// Bytes of a picture of writeSparseTiff(), padded so that its directory behind it is at an even
/// place; and of both.
inline constexpr uint64_t kSparsePlane = (uint64_t{kTiffWidth} * kTiffHeight + 1) / 2 * 2;
inline constexpr uint64_t kSparsePage = kSparsePlane + 204;

/// Writes pages of 8-bit grey, little endian, as TIFF or BigTIFF, into a file with holes: page n is
/// at `placeOf(n)`, an even number, which must leave kSparsePage bytes for each and 16 at the
/// beginning. The file ends with the last field of a directory if the last page is behind the
/// others.
inline void writeSparseTiff(const std::string& path, int pages, bool big,
                            const std::function<uint64_t(int)>& placeOf) {
  std::ofstream out(path, std::ios::binary);
  std::string bytes;
  const auto put = [&](uint64_t number, int count) {
    for (int i = 0; i < count; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
  };
  const auto flush = [&](uint64_t place) {
    out.seekp(static_cast<std::streamoff>(place));
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.clear();
  };
  const int wide = big ? 8 : 4;
  const auto directoryOf = [&](int page) { return placeOf(page) + kSparsePlane; };
  bytes = "II";
  put(big ? 43 : 42, 2);
  if (big) put(8, 4);
  put(directoryOf(0), wide);
  flush(0);
  for (int page = 0; page < pages; ++page) {
    for (uint32_t y = 0; y < kTiffHeight; ++y)
      for (uint32_t x = 0; x < kTiffWidth; ++x)
        put(static_cast<uint64_t>(tiffPattern(page % 251, x, y, 0)), 1);
    const uint64_t plane = bytes.size();
    bytes.resize(kSparsePlane, '\0');
    const std::vector<std::pair<uint32_t, uint64_t>> entries{
        {256, kTiffWidth},    {257, kTiffHeight}, {258, 8},           {259, 1},    {262, 1},
        {273, placeOf(page)}, {277, 1},           {278, kTiffHeight}, {279, plane}};
    put(entries.size(), big ? 8 : 2);
    for (const auto& [tag, value] : entries) {
      put(tag, 2);
      put(big ? 16 : 4, 2);
      put(1, wide);
      put(value, wide);
    }
    put(page + 1 < pages ? directoryOf(page + 1) : 0, wide);
    flush(placeOf(page));
  }
}

/// The bytes of a big-endian TIFF of 16-bit grey with one directory, whose planes follow each
/// other, as ImageJ writes stacks that are larger than 4 GiB.
inline std::string imagejPlanes(int planes, const std::string& description,
                                const TiffValue& value = tiffPattern) {
  std::string bytes = "MM";
  const auto put = [&](uint64_t number, int count) {
    for (int i = count; i-- > 0;) bytes += static_cast<char>(number >> (8 * i) & 0xFF);
  };
  const std::string text = description + '\0';
  constexpr uint32_t kEntries = 9, kFirst = 8;
  const uint32_t textAt = kFirst + 2 + kEntries * 12 + 4;
  const auto dataAt = static_cast<uint32_t>(textAt + text.size() + text.size() % 2);
  const uint32_t plane = kTiffWidth * kTiffHeight * 2;
  put(42, 2);
  put(kFirst, 4);
  put(kEntries, 2);
  const auto entry = [&](uint32_t tag, uint32_t type, uint32_t count, uint32_t number) {
    put(tag, 2);
    put(type, 2);
    put(count, 4);
    type == 3 ? put(uint64_t{number} << 16, 4) : put(number, 4);
  };
  entry(256, 4, 1, kTiffWidth);
  entry(257, 4, 1, kTiffHeight);
  entry(258, 3, 1, 16);
  entry(259, 3, 1, 1);
  entry(262, 3, 1, 1);
  entry(270, 2, static_cast<uint32_t>(text.size()), textAt);
  entry(273, 4, 1, dataAt);
  entry(278, 4, 1, kTiffHeight);
  entry(279, 4, 1, plane);
  put(0, 4);
  bytes += text;
  bytes.resize(dataAt, '\0');
  for (int page = 0; page < planes; ++page)
    for (uint32_t y = 0; y < kTiffHeight; ++y)
      for (uint32_t x = 0; x < kTiffWidth; ++x) put(static_cast<uint64_t>(value(page, x, y, 0)), 2);
  return bytes;
}

}  // namespace glint
