#include "app/capture/images/fits_file.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "app/capture/video/fits_header.h"
#include "config/error.h"
#include "config/printable.h"

namespace glint::capture {
namespace {

constexpr uint64_t kMostFitsPixels = uint64_t{1} << 30;
constexpr uint64_t kMostFitsPlanes = 1 << 24;
constexpr std::string_view kFitsBegin = "SIMPLE  =";

/// The big-endian number of `Stored` type at `from`.
template <class Stored, class Bits>
double numberAt(const char* from) {
  Bits bits = 0;
  for (size_t i = 0; i < sizeof(Bits); ++i)
    bits = static_cast<Bits>(static_cast<uint64_t>(bits) << 8 | static_cast<uint8_t>(from[i]));
  return static_cast<double>(std::bit_cast<Stored>(bits));
}

double valueAt(const char* from, int bitpix) {
  switch (bitpix) {
    case 8:
      return static_cast<uint8_t>(*from);
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
  return file.size() >= kFitsBegin.size() &&
         std::memcmp(file.data(), kFitsBegin.data(), kFitsBegin.size()) == 0;
}

bool isFitsFile(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  std::array<char, kFitsBegin.size()> head{};
  std::ifstream(path, std::ios::binary).read(head.data(), head.size());
  return std::string_view(head.data(), head.size()) == kFitsBegin;
}

FitsFile::FitsFile(const std::string& path)
    : name_(path), file_(std::make_unique<FileBytes>(path)) {
  if (!file_->isOpen()) throw Error("cannot open '{}': {}", path, std::strerror(errno));
  listPictures();
}

FitsFile::FitsFile(std::string name, std::string bytes)
    : name_(std::move(name)),
      file_(std::make_unique<FileBytes>(FileBytes::inMemory(std::move(bytes)))) {
  listPictures();
}

void FitsFile::listPictures() {
  uint64_t tables = 0;
  for (uint64_t at = 0; isFitsUnit(*file_, at);) {
    const auto header = readFitsHeader(*file_, at);
    if (!header) {
      isCut_ = true;
      break;
    }
    if (!header->isImage())
      ++tables;
    else if (header->dataBytes() > 0)
      addImage(*header, at + header->bytes);
    if (isCut_) break;
    at += header->unitBytes();
  }
  if (places_.empty() && isCut_) throw Error("the image '{}' is cut short or damaged", name_);
  if (places_.empty())
    throw Error(
        "'{}' holds no FITS image that can be read: it needs two axes, and values of 8, 16 or 32 "
        "bits or floats{}",
        name_, tables > 0 ? ", not compressed into a table" : "");
  if (tables > 0)
    remarks_.push_back(
        fmt::format("{} left out", counted(tables, "table") + (tables == 1 ? " is" : " are")));
  if (others_ > 0)
    remarks_.push_back(fmt::format("{} left out: of another size or kind than the first",
                                   counted(others_, "image") + (others_ == 1 ? " is" : " are")));
  if (layouts_.front().colours == 3)
    remarks_.push_back("its 3 planes are taken for red, green and blue");
}

/// Adds the pictures of an image whose data begin at `data`.
void FitsFile::addImage(const FitsHeader& header, uint64_t data) {
  const uint64_t axes = header.count("NAXIS", 0);
  const auto bitpix = static_cast<int>(header.number("BITPIX").value_or(0));
  const bool known = bitpix == 8 || bitpix == 16 || bitpix == 32 || bitpix == -32 || bitpix == -64;
  Layout layout{.width = header.count("NAXIS1", 0),
                .height = header.count("NAXIS2", 0),
                .bitpix = bitpix,
                .zero = header.number("BZERO").value_or(0),
                .scale = header.number("BSCALE").value_or(1)};
  if (!known || axes < 2 || layout.width == 0 || layout.height == 0) {
    ++others_;
    return;
  }
  if (layout.width > kMostFitsPixels || layout.height > kMostFitsPixels / layout.width)
    throw Error("'{}' promises more than 2^30 pixels", name_);
  const uint64_t planes = header.dataBytes() / layout.planeBytes();
  if (planes == 3) layout.colours = 3;
  if (!layouts_.empty() &&
      (layout.width != layouts_.front().width || layout.height != layouts_.front().height ||
       layout.colours != layouts_.front().colours || bitpix != layouts_.front().bitpix)) {
    ++others_;
    return;
  }
  layouts_.push_back(layout);
  const uint64_t bytes = layout.colours * layout.planeBytes();
  for (uint64_t i = 0; i < planes / layout.colours; ++i) {
    const uint64_t offset = data + i * bytes;
    if (offset + bytes > file_->length()) {
      isCut_ = true;
      return;
    }
    if (places_.size() == kMostFitsPlanes) throw Error("'{}' holds too many planes", name_);
    places_.push_back({.offset = offset, .layout = layouts_.size() - 1});
  }
}

cv::Mat FitsFile::read(uint64_t picture) {
  const Place& place = places_[picture];
  const Layout& layout = layouts_[place.layout];
  const bool small = layout.scale == 1 && (layout.bitpix == 8 || layout.bitpix == 16) &&
                     (layout.zero == 0 || layout.zero == 32768);
  const int depth = !small ? CV_64F : layout.bitpix == 8 && layout.zero == 0 ? CV_8U : CV_16U;
  std::vector<cv::Mat> channels;
  for (uint64_t c = 0; c < layout.colours; ++c) {
    channels.emplace_back(static_cast<int>(layout.height), static_cast<int>(layout.width), depth);
    // Stored are red, green and blue.
    const uint64_t plane = layout.colours - 1 - c;
    fillChannel(layout, place.offset + plane * layout.planeBytes(), channels.back());
  }
  if (channels.size() == 1) return channels.front();
  cv::Mat colours;
  cv::merge(channels, colours);
  return colours;
}

void FitsFile::fillChannel(const Layout& layout, uint64_t offset, cv::Mat& channel) {
  const uint64_t each = static_cast<uint64_t>(std::abs(layout.bitpix)) / 8;
  const uint64_t rowBytes = layout.width * each;
  for (uint64_t y = 0; y < layout.height; ++y) {
    const std::string_view from = file_->at(offset + y * rowBytes, rowBytes);
    if (from.size() < rowBytes) throw Error("the image '{}' is cut short or damaged", name_);
    const int row = static_cast<int>(layout.height - 1 - y);
    for (uint64_t i = 0; i < layout.width; ++i) {
      const int x = static_cast<int>(i);
      const double value =
          layout.zero + layout.scale * valueAt(from.data() + i * each, layout.bitpix);
      if (channel.depth() == CV_64F)
        channel.at<double>(row, x) = value;
      else if (channel.depth() == CV_8U)
        channel.at<uchar>(row, x) = static_cast<uchar>(value);
      else
        channel.at<ushort>(row, x) = static_cast<ushort>(std::clamp(value, 0.0, 65535.0));
    }
  }
}

}  // namespace glint::capture
