#include "app/capture/video/fits_header.h"

#include <algorithm>
#include <cmath>

#include "app/base/text.h"

namespace glint::capture {
namespace {

constexpr uint64_t kBlock = 2880, kCard = 80;
constexpr uint64_t kMostHeader = 16 << 20;  // bytes
constexpr uint64_t kMostData = uint64_t{1} << 62;

std::string_view stripped(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

uint64_t padded(uint64_t bytes) {
  return (bytes + kBlock - 1) / kBlock * kBlock;
}

uint64_t timesAtMost(uint64_t a, uint64_t b) {
  return b != 0 && a > kMostData / b ? kMostData : a * b;
}

/// Returns the value of a card in front of its comment. A text in quotes may hold a slash.
std::string_view valueOf(std::string_view card) {
  std::string_view value = stripped(card.substr(10));
  if (!value.starts_with('\'')) return stripped(value.substr(0, value.find('/')));
  const size_t end = value.find('\'', 1);
  return end == std::string_view::npos ? value : value.substr(0, end + 1);
}

}  // namespace

std::optional<double> FitsHeader::number(std::string_view key) const {
  const auto found = values.find(key);
  return found == values.end() ? std::nullopt : base::parseNumber<double>(found->second);
}

uint64_t FitsHeader::count(std::string_view key, uint64_t otherwise) const {
  const auto found = values.find(key);
  if (found == values.end()) return otherwise;
  return base::parseNumber<uint64_t>(found->second).value_or(otherwise);
}

bool FitsHeader::isImage() const {
  const auto kind = values.find("XTENSION");
  return kind == values.end() || kind->second.starts_with("'IMAGE");
}

uint64_t FitsHeader::dataBytes() const {
  const uint64_t axes = std::min<uint64_t>(count("NAXIS", 0), 999);
  if (axes == 0) return 0;
  uint64_t product = 1;
  for (uint64_t axis = 1; axis <= axes; ++axis)
    product = timesAtMost(product, count("NAXIS" + std::to_string(axis), 0));
  // Only extensions have parameters and groups.
  const bool extends = values.contains("XTENSION");
  const uint64_t parameters = extends ? std::min(count("PCOUNT", 0), kMostData) : 0;
  const uint64_t groups = extends ? count("GCOUNT", 1) : 1;
  const auto each =
      static_cast<uint64_t>(std::min(std::abs(number("BITPIX").value_or(0)), 64.0)) / 8;
  return timesAtMost(timesAtMost(groups, each), std::min(parameters + product, kMostData));
}

uint64_t FitsHeader::unitBytes() const {
  return bytes + padded(dataBytes());
}

bool isFitsUnit(FileBytes& file, uint64_t at) {
  const std::string_view first = file.at(at, 8);
  return first == "SIMPLE  " || first == "XTENSION";
}

std::optional<FitsHeader> readFitsHeader(FileBytes& file, uint64_t at) {
  FitsHeader header;
  for (uint64_t card = 0; card < kMostHeader; card += kCard) {
    const std::string_view text = file.at(at + card, kCard);
    if (text.size() < kCard) return std::nullopt;
    const std::string_view key = stripped(text.substr(0, 8));
    if (key == "END") {
      header.bytes = padded(card + kCard);
      return header;
    }
    if (text.substr(8, 2) == "= ") header.values.emplace(key, valueOf(text));
  }
  return std::nullopt;
}

}  // namespace glint::capture
