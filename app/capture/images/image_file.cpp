#include "app/capture/images/image_file.h"

extern "C" {
#include <libavutil/crc.h>
}

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>

#include "app/capture/images/animation.h"
#include "app/capture/images/exif.h"
#include "app/capture/images/fits_file.h"
#include "app/capture/images/image_codecs.h"
#include "app/capture/images/image_decoders.h"
#include "app/capture/images/image_suffixes.h"
#include "app/capture/images/libav_image.h"
#include "app/capture/images/pfm_file.h"
#include "app/capture/images/tiff_axes.h"
#include "app/capture/images/tiff_picture.h"
#include "app/capture/source/interrupt.h"
#include "app/capture/source/pipe_input.h"
#include "app/capture/source/value_range.h"
#include "config/error.h"
#include "config/lower_case.h"

namespace glint::capture {
namespace {

using Bytes = std::span<const std::byte>;

uint32_t byteAt(Bytes file, size_t at) {
  return std::to_integer<uint32_t>(file[at]);
}

uint32_t bigEndian32(Bytes file, size_t at) {
  return byteAt(file, at) << 24 | byteAt(file, at + 1) << 16 | byteAt(file, at + 2) << 8 |
         byteAt(file, at + 3);
}

uint32_t littleEndian32(Bytes file, size_t at) {
  return byteAt(file, at + 3) << 24 | byteAt(file, at + 2) << 16 | byteAt(file, at + 1) << 8 |
         byteAt(file, at);
}

bool startsWith(Bytes file, std::string_view magic) {
  return file.size() >= magic.size() && std::memcmp(file.data(), magic.data(), magic.size()) == 0;
}

// A PNG has a signature of 8 bytes, and then chunks of length, type, data and checksum (PNG
// specification, 5.3).
bool isWholePng(Bytes file) {
  for (size_t at = 8; at + 12 <= file.size();) {
    const size_t length = bigEndian32(file, at);
    if (length > file.size() - at - 12) return false;
    const auto* type = reinterpret_cast<const uint8_t*>(file.data() + at + 4);
    const uint32_t crc = ~av_crc(av_crc_get_table(AV_CRC_32_IEEE_LE), 0xFFFFFFFF, type, length + 4);
    if (crc != bigEndian32(file, at + 8 + length)) return false;
    if (std::memcmp(type, "IEND", 4) == 0) return true;
    at += length + 12;
  }
  return false;
}

// A JPEG has segments with a length, then coded data up to the next marker (ITU-T T.81, B.1). The
// end marker is found by walking over the segments, not by a search, because a thumbnail inside a
// segment has an end marker of its own.
bool isWholeJpeg(Bytes file) {
  size_t at = 2;
  while (at + 2 <= file.size()) {
    const uint32_t marker = byteAt(file, at + 1);
    const bool inData = byteAt(file, at) != 0xFF || marker == 0x00;
    const bool alone = marker == 0xFF || marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8);
    if (inData || marker == 0xFF) {
      at += 1;
    } else if (marker == 0xD9) {
      return true;
    } else if (alone) {
      at += 2;
    } else {
      if (at + 4 > file.size()) return false;
      at += 2 + (byteAt(file, at + 2) << 8 | byteAt(file, at + 3));
    }
  }
  return false;
}

bool isWholeBmp(Bytes file) {
  if (file.size() < 34) return false;
  const uint32_t compression = littleEndian32(file, 30);
  if (littleEndian32(file, 14) < 40 || compression != 0) return true;  // old or packed: not checked
  const auto width = static_cast<int32_t>(littleEndian32(file, 18));
  const auto height = static_cast<int32_t>(littleEndian32(file, 22));
  const uint64_t bits = byteAt(file, 28) | byteAt(file, 29) << 8;
  const uint64_t rowBytes = (static_cast<uint64_t>(std::abs(int64_t{width})) * bits + 31) / 32 * 4;
  const uint64_t rows = static_cast<uint64_t>(std::abs(int64_t{height}));
  return littleEndian32(file, 10) + rowBytes * rows <= file.size();
}

// Returns the next number of a PNM header, and moves `at` behind it.
std::optional<uint64_t> takeNumber(Bytes file, size_t& at) {
  const auto charAt = [&] { return static_cast<int>(byteAt(file, at)); };
  while (at < file.size() && (std::isspace(charAt()) || charAt() == '#')) {
    if (charAt() == '#') {
      while (at < file.size() && charAt() != '\n') ++at;
    } else {
      ++at;
    }
  }
  uint64_t number = 0;
  const size_t start = at;
  for (; at < file.size() && at - start < 9 && std::isdigit(charAt()); ++at) {
    number = number * 10 + static_cast<uint64_t>(charAt() - '0');
  }
  return at > start ? std::optional(number) : std::nullopt;
}

bool isWholePnm(Bytes file, uint64_t channels) {
  size_t at = 2;
  const auto width = takeNumber(file, at);
  const auto height = takeNumber(file, at);
  const auto largest = takeNumber(file, at);
  if (!width || !height || !largest) return false;
  const uint64_t bytes = *largest > 255 ? 2 : 1;
  return at + 1 + *width * *height * channels * bytes <= file.size();
}

std::vector<char> readPipe(const std::string& path, const Interrupt* interrupt) {
  PipeInput pipe(path, interrupt);
  constexpr size_t kMostBytes = 800'000'000;  // enough for 100 megapixels of 4 x 16 bits
  std::vector<char> bytes;
  std::array<std::byte, 1 << 16> part;
  while (const size_t count = pipe.read(part)) {
    if (bytes.size() > kMostBytes)
      throw Error("'{}' gives more than {} MB, so it is not an image", path,
                  kMostBytes / 1'000'000);
    const auto* from = reinterpret_cast<const char*>(part.data());
    bytes.insert(bytes.end(), from, from + count);
  }
  if (pipe.interrupted()) throw Interrupted("interrupted while reading '{}'", path);
  return bytes;
}

std::vector<char> readFile(const std::string& path, const Interrupt* interrupt) {
  if (isPipe(path)) return readPipe(path, interrupt);
  constexpr size_t kMostBytes = size_t{2} << 30;  // enough for 32768 x 32768 pixels of 16 bits
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw Error("'{}' is a folder, not an image", path);
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error("cannot open '{}': {}", path, std::strerror(errno));
  const uintmax_t fileSize = std::filesystem::file_size(path, ignored);
  const bool known = !ignored && std::filesystem::is_regular_file(path, ignored);
  if (known && fileSize > kMostBytes)
    throw Error("'{}' is larger than {} bytes, so it is not an image", path, kMostBytes);
  std::vector<char> bytes;
  for (size_t part = known ? fileSize + 1 : 1 << 20; in && bytes.size() <= kMostBytes;
       part = 1 << 20) {
    const size_t had = bytes.size();
    bytes.resize(had + part);
    in.read(bytes.data() + had, static_cast<std::streamsize>(part));
    bytes.resize(had + static_cast<size_t>(in.gcount()));
  }
  if (bytes.size() > kMostBytes)
    throw Error("'{}' is larger than {} bytes, so it is not an image", path, kMostBytes);
  return bytes;
}

}  // namespace

bool isWholeImage(Bytes file) {
  if (startsWith(file, "\x89PNG\r\n\x1a\n")) return isWholePng(file);
  if (startsWith(file, "\xFF\xD8")) return isWholeJpeg(file);
  if (startsWith(file, "BM")) return isWholeBmp(file);
  if (startsWith(file, "P5")) return isWholePnm(file, 1);
  if (startsWith(file, "P6")) return isWholePnm(file, 3);
  return true;
}

bool isTiffFile(const std::string& path) {
  std::array<char, 4> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  return isTiff(reinterpret_cast<const std::byte*>(head.data()), head.size());
}

ImagePicture turnedPicture(cv::Mat stored, Orientation stated, const ImageRequest& request) {
  ImagePicture picture;
  picture.orientation = request.rotate ? orientationOf(*request.rotate) : stated;
  if (picture.orientation == Orientation::upright)
    picture.pixels = std::move(stored);
  else
    turn(stored, picture.orientation, picture.pixels);
  return picture;
}

ImagePicture finishPicture(cv::Mat stored, Orientation stated, const ImageRequest& request) {
  std::optional<ValueRange> range = request.range;
  const bool plain = stored.depth() == CV_8U || stored.depth() == CV_16U;
  if (!range && !plain) range = rangeOf(stored);
  if (range) stored = scaled(stored, *range);
  ImagePicture picture = turnedPicture(std::move(stored), stated, request);
  picture.range = range;
  return picture;
}

namespace {

/// The first page of a TIFF file.
ImagePicture readFirstPage(TiffFile file, const ImageRequest& request) {
  std::vector<std::byte> samples;
  file.read(0, samples);
  const TiffPage& page = file.page(0);
  std::optional<uint16_t> sample;
  if (hasSampleChannels(page)) sample = 0;
  std::optional<ValueRange> range = request.range;
  if (!range && needsRange(page)) range = rangeOf(page, samples, sample);
  const cv::Mat stored = tiffPicture(page, samples, sample, range);
  ImagePicture picture =
      turnedPicture(stored.clone(), static_cast<Orientation>(page.orientation), request);
  picture.range = range;
  return picture;
}

bool isForLibav(const std::string& path) {
  const std::string suffix = lowerCase(std::filesystem::path(path).extension().string());
  return std::ranges::find(kLibavSuffixes, suffix) != kLibavSuffixes.end();
}

ImagePicture readByLibav(const std::string& path, const ImageRequest& request,
                         const Interrupt* interrupt) {
  if (!isPipe(path) && isAnimatedWebp(path))
    throw Error(
        "'{}' is an animation, which Glint cannot read: save it as a video or as "
        "PNG files",
        path);
  cv::Mat stored = decodeByLibav(path, interrupt);
  Orientation stated = Orientation::upright;
  if (!isPipe(path)) {
    const std::vector<char> bytes = readFile(path, interrupt);
    stated = exifOrientation(std::as_bytes(std::span(bytes)));
  }
  return finishPicture(std::move(stored), stated, request);
}

cv::Mat decode(const std::string& path, std::vector<char>& bytes) {
  if (bytes.empty()) throw Error("'{}' is not an image: the file is empty", path);
  if (!isWholeImage(std::as_bytes(std::span(bytes))))
    throw Error("the image '{}' is cut short or damaged", path);
  // OpenCV would report broken files on the terminal; here they are reported only as an Error.
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  constexpr int flags = cv::IMREAD_ANYDEPTH | cv::IMREAD_ANYCOLOR | cv::IMREAD_IGNORE_ORIENTATION;
  for (const auto decoder : {decodeJpeg, decodePng}) {
    const auto decoded = decoder(std::as_bytes(std::span(bytes)));
    if (decoded && decoded->empty()) throw Error("the image '{}' is cut short or damaged", path);
    if (decoded) return *decoded;
  }
  cv::Mat image;
  try {
    const cv::Mat wrapped(1, static_cast<int>(bytes.size()), CV_8U, bytes.data());
    image = decodeImage(wrapped, flags);
  } catch (const cv::Exception&) {
    image.release();
  }
  if (image.empty()) throw Error("'{}' is not an image that can be read", path);
  return image;
}

}  // namespace

cv::Mat readImageFile(const std::string& path, const Interrupt* interrupt) {
  return readPicture(path, {}, interrupt).pixels;
}

ImagePicture readPicture(const std::string& path, const ImageRequest& request,
                         const Interrupt* interrupt) {
  if (isForLibav(path)) return readByLibav(path, request, interrupt);
  if (!isPipe(path) && isTiffFile(path)) return readFirstPage(TiffFile(path), request);
  if (!isPipe(path) && isFitsFile(path))
    return finishPicture(FitsFile(path).read(0), Orientation::upright, request);
  std::vector<char> bytes = readFile(path, interrupt);
  const Bytes file = std::as_bytes(std::span(bytes));
  if (isTiff(file.data(), file.size()))
    return readFirstPage(TiffFile(path, {file.begin(), file.end()}), request);
  if (isPfm(file)) return finishPicture(decodePfm(path, file), Orientation::upright, request);
  if (isFits(file))
    return finishPicture(FitsFile(path, {bytes.begin(), bytes.end()}).read(0), Orientation::upright,
                         request);
  return finishPicture(decode(path, bytes), exifOrientation(file), request);
}

}  // namespace glint::capture
