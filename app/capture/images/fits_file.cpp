#include "app/capture/images/fits_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>

#include "app/base/text.h"
#include "config/error.h"

namespace glint::capture {
namespace {

constexpr size_t kBlock = 2880, kCard = 80;
constexpr uint64_t kMostFitsPixels = uint64_t{1} << 30;

std::string_view stripped(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// The cards of a header, by their keywords.
struct Header {
  std::map<std::string, std::string, std::less<>> values;
  size_t end = 0;  ///< where the data begin

  std::optional<double> number(const std::string& key) const {
    const auto found = values.find(key);
    return found == values.end() ? std::nullopt : base::parseNumber<double>(found->second);
  }
};

std::optional<Header> readHeader(std::string_view text) {
  Header header;
  for (size_t at = 0; at + kCard <= text.size(); at += kCard) {
    const std::string_view card = text.substr(at, kCard);
    const std::string_view key = stripped(card.substr(0, 8));
    if (key == "END") {
      header.end = (at + kCard + kBlock - 1) / kBlock * kBlock;
      return header;
    }
    if (card.substr(8, 2) != "= ") continue;
    const std::string_view value = stripped(card.substr(10, card.find('/', 10) - 10));
    header.values.emplace(key, value);
  }
  return std::nullopt;
}

/// The big-endian number of `Stored` type at `from`.
template <class Stored, class Bits>
double numberAt(const std::byte* from) {
  Bits bits = 0;
  for (size_t i = 0; i < sizeof(Bits); ++i)
    bits = static_cast<Bits>(static_cast<uint64_t>(bits) << 8 | std::to_integer<uint8_t>(from[i]));
  return static_cast<double>(std::bit_cast<Stored>(bits));
}

double valueAt(const std::byte* from, int bitpix) {
  switch (bitpix) {
    case 8:
      return std::to_integer<int>(*from);
    case 16:
      return numberAt<int16_t, uint16_t>(from);
    case 32:
      return numberAt<int32_t, uint32_t>(from);
    case -32:
      return numberAt<float, uint32_t>(from);
    default:
      return numberAt<double, uint64_t>(from);
  }
}

}  // namespace

bool isFits(std::span<const std::byte> file) {
  constexpr std::string_view kBegin = "SIMPLE  =";
  return file.size() >= kBegin.size() &&
         std::memcmp(file.data(), kBegin.data(), kBegin.size()) == 0;
}

bool isFitsRecording(const std::string& path) {
  constexpr size_t kMostHeader = 100 * kBlock;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostHeader, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  if (!isFits(std::as_bytes(std::span(text)))) return false;
  const auto header = readHeader(text);
  if (!header) return false;
  const double planes = header->number("NAXIS3").value_or(1);
  if (planes > 1) return planes == 3;
  const double bytes = std::abs(header->number("BITPIX").value_or(0)) / 8 *
                       header->number("NAXIS1").value_or(0) * header->number("NAXIS2").value_or(0);
  if (!(bytes < 1e15)) return false;
  const auto data = static_cast<uint64_t>(bytes);
  file.clear();
  file.seekg(static_cast<std::streamoff>(header->end + (data + kBlock - 1) / kBlock * kBlock));
  std::string next(8, '\0');
  return file.read(next.data(), 8) && next == "XTENSION";
}

cv::Mat decodeFits(const std::string& name, std::span<const std::byte> file) {
  const auto header = readHeader({reinterpret_cast<const char*>(file.data()), file.size()});
  if (!header) throw Error("the image '{}' is cut short or damaged", name);
  const double bitpix = header->number("BITPIX").value_or(0);
  const double axes = header->number("NAXIS").value_or(0);
  const double width = header->number("NAXIS1").value_or(0);
  const double height = header->number("NAXIS2").value_or(0);
  const double planes = axes > 2 ? header->number("NAXIS3").value_or(1) : 1;
  const bool known = bitpix == 8 || bitpix == 16 || bitpix == 32 || bitpix == -32 || bitpix == -64;
  if (!known || !(axes >= 2 && axes <= 3) || !(width >= 1) || !(height >= 1))
    throw Error(
        "'{}' holds no FITS image that can be read: it needs two axes, and values of 8, 16 or 32 "
        "bits or floats",
        name);
  if (planes > 1)
    throw Error("'{}' holds {} planes: save each as a file of its own, in one folder", name,
                planes);
  if (width * height > static_cast<double>(kMostFitsPixels))
    throw Error("'{}' promises more than 2^30 pixels", name);
  const auto columns = static_cast<size_t>(width), rows = static_cast<size_t>(height);
  const auto bits = static_cast<int>(bitpix);
  const size_t each = static_cast<size_t>(std::abs(bits)) / 8;
  if (header->end + columns * rows * each > file.size())
    throw Error("the image '{}' is cut short or damaged", name);
  const double zero = header->number("BZERO").value_or(0);
  const double scale = header->number("BSCALE").value_or(1);
  const bool small = scale == 1 && (bits == 8 || bits == 16) && (zero == 0 || zero == 32768);
  const int type = !small ? CV_64F : bits == 8 && zero == 0 ? CV_8U : CV_16U;
  cv::Mat image(static_cast<int>(rows), static_cast<int>(columns), type);
  for (size_t y = 0; y < rows; ++y) {
    const std::byte* from = file.data() + header->end + y * columns * each;
    const int row = static_cast<int>(rows - 1 - y);
    for (size_t x = 0; x < columns; ++x) {
      const double value = zero + scale * valueAt(from + x * each, bits);
      if (type == CV_64F)
        image.ptr<double>(row)[x] = value;
      else if (type == CV_8U)
        image.ptr<uchar>(row)[x] = static_cast<uchar>(value);
      else
        image.ptr<ushort>(row)[x] = static_cast<ushort>(std::clamp(value, 0.0, 65535.0));
    }
  }
  return image;
}

}  // namespace glint::capture
