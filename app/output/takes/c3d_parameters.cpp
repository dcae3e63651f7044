#include "app/output/takes/c3d_parameters.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include <fmt/format.h>

#include "config/error.h"

namespace glint::output {
namespace {

constexpr size_t kC3dBlock = 512;    // bytes
constexpr size_t kMostBlocks = 255;  // of a parameter section
constexpr size_t kMostTexts = 255;   // of one parameter

std::string inCapitals(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte b : bytes) {
    const auto c = static_cast<char>(b);
    text += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return text;
}

/// Reads bytes one after another; false once they have ended.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  size_t at() const { return at_; }
  bool ended() const { return at_ >= bytes_.size(); }
  void go(size_t to) { at_ = to; }
  bool take(size_t count, std::span<const std::byte>& taken) {
    if (count > bytes_.size() - std::min(at_, bytes_.size())) return false;
    taken = bytes_.subspan(at_, count);
    at_ += count;
    return true;
  }
  bool take(int8_t& value) {
    std::span<const std::byte> one;
    if (!take(1, one)) return false;
    value = static_cast<int8_t>(one[0]);
    return true;
  }

 private:
  std::span<const std::byte> bytes_;
  size_t at_ = 0;
};

bool readParameter(ByteReader& reader, C3dParameter& parameter) {
  int8_t type = 0, dimensions = 0;
  if (!reader.take(type) || !reader.take(dimensions)) return false;
  if ((type != -1 && type != 1 && type != 2 && type != 4) || dimensions < 0 || dimensions > 7)
    return false;
  parameter.bytesEach = type;
  size_t count = 1;
  for (int8_t i = 0; i < dimensions; ++i) {
    int8_t size = 0;
    if (!reader.take(size)) return false;
    parameter.sizes.push_back(static_cast<uint8_t>(size));
    count *= parameter.sizes.back();
  }
  std::span<const std::byte> values;
  if (!reader.take(count * static_cast<size_t>(std::abs(type)), values)) return false;
  parameter.values.assign(values.begin(), values.end());
  return true;
}

}  // namespace

C3dParameters::C3dParameters(std::span<const std::byte> section, C3dProcessor processor)
    : processor_(processor) {
  std::map<int, std::string> groups;
  std::vector<std::tuple<int, std::string, C3dParameter>> all;
  ByteReader reader(section);
  reader.go(4);
  while (!reader.ended()) {
    int8_t length = 0, id = 0;
    if (!reader.take(length) || length == 0) break;
    std::span<const std::byte> name, offset;
    // A negative length means that the group is locked.
    if (!reader.take(id) || !reader.take(static_cast<size_t>(std::abs(int{length})), name) ||
        !reader.take(2, offset)) {
      complete_ = false;
      break;
    }
    const size_t next = reader.at() - 2 + c3dWord(offset.data(), processor);
    if (id < 0) {
      groups[-id] = inCapitals(name);
    } else {
      C3dParameter parameter;
      if (!readParameter(reader, parameter)) {
        complete_ = false;
        break;
      }
      all.emplace_back(id, inCapitals(name), std::move(parameter));
    }
    if (c3dWord(offset.data(), processor) == 0) break;  // the last one
    if (next > section.size()) {
      complete_ = false;
      break;
    }
    reader.go(next);
  }
  for (auto& [id, name, parameter] : all)
    if (groups.contains(id)) parameters_.try_emplace(groups[id] + ':' + name, std::move(parameter));
}

const C3dParameter* C3dParameters::find(const std::string& name) const {
  const auto found = parameters_.find(name);
  return found == parameters_.end() ? nullptr : &found->second;
}

std::optional<uint16_t> C3dParameters::word(const std::string& name, size_t index) const {
  const C3dParameter* parameter = find(name);
  if (parameter == nullptr || parameter->bytesEach != 2 || parameter->values.size() < 2 * index + 2)
    return std::nullopt;
  return c3dWord(parameter->values.data() + 2 * index, processor_);
}

std::optional<double> C3dParameters::number(const std::string& name, size_t index) const {
  const C3dParameter* parameter = find(name);
  if (parameter == nullptr) return std::nullopt;
  if (const auto value = word(name, index)) return *value;
  if (parameter->bytesEach == 1 && index < parameter->values.size())
    return static_cast<double>(static_cast<uint8_t>(parameter->values[index]));
  if (parameter->bytesEach != 4 || parameter->values.size() < 4 * index + 4) return std::nullopt;
  return c3dReal(parameter->values.data() + 4 * index, processor_);
}

std::vector<std::string> C3dParameters::texts(const std::string& name) const {
  const C3dParameter* parameter = find(name);
  if (parameter == nullptr || parameter->bytesEach != -1) return {};
  const size_t length = parameter->sizes.empty() ? parameter->values.size() : parameter->sizes[0];
  std::vector<std::string> all;
  for (size_t at = 0; length > 0 && at + length <= parameter->values.size(); at += length) {
    std::string text(reinterpret_cast<const char*>(parameter->values.data()) + at, length);
    text.erase(std::min(text.find('\0'), text.size()));
    text.erase(text.find_last_not_of(' ') + 1);
    all.push_back(std::move(text));
  }
  return all;
}

std::vector<std::string> C3dParameters::allTexts(const std::string& name) const {
  std::vector<std::string> all = texts(name);
  for (int n = 2; find(fmt::format("{}{}", name, n)) != nullptr; ++n)
    for (std::string& text : texts(fmt::format("{}{}", name, n))) all.push_back(std::move(text));
  return all;
}

void C3dSection::putWord(uint16_t value) {
  putByte(value & 0xff);
  putByte(value >> 8);
}

void C3dSection::putText(std::string_view text) {
  for (const char c : text) putByte(c);
}

void C3dSection::group(std::string_view name, std::string_view about) {
  putByte(static_cast<int>(name.size()));
  putByte(-++group_);
  putText(name);
  putWord(static_cast<uint16_t>(2 + 1 + about.size()));
  putByte(static_cast<int>(about.size()));
  putText(about);
}

void C3dSection::add(std::string_view name, int bytesEach, std::span<const uint8_t> sizes,
                     std::span<const std::byte> values) {
  putByte(static_cast<int>(name.size()));
  putByte(group_);
  putText(name);
  putWord(static_cast<uint16_t>(2 + 1 + 1 + sizes.size() + values.size() + 1));
  putByte(bytesEach);
  putByte(static_cast<int>(sizes.size()));
  for (const uint8_t size : sizes) putByte(size);
  valuesAt_[std::string(name)] = bytes_.size();
  bytes_.insert(bytes_.end(), values.begin(), values.end());
  putByte(0);  // no description
}

void C3dSection::words(std::string_view name, std::span<const uint16_t> values, bool single) {
  std::vector<std::byte> bytes;
  for (const uint16_t value : values) {
    bytes.push_back(static_cast<std::byte>(value & 0xff));
    bytes.push_back(static_cast<std::byte>(value >> 8));
  }
  const auto size = static_cast<uint8_t>(values.size());
  add(name, 2, single ? std::span<const uint8_t>() : std::span(&size, 1), bytes);
}

void C3dSection::real(std::string_view name, float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  std::vector<std::byte> bytes;
  for (int shift = 0; shift < 32; shift += 8)
    bytes.push_back(static_cast<std::byte>(bits >> shift & 0xff));
  add(name, 4, {}, bytes);
}

void C3dSection::text(std::string_view name, std::string_view value) {
  const auto size = static_cast<uint8_t>(value.size());
  add(name, -1, std::span(&size, 1), std::as_bytes(std::span(value)));
}

void C3dSection::texts(const std::string& name, const std::vector<std::string>& values) {
  size_t length = 1;
  for (const std::string& value : values) length = std::max(length, value.size());
  for (size_t first = 0, n = 1; first < std::max<size_t>(values.size(), 1);
       first += kMostTexts, ++n) {
    const size_t count = std::min(kMostTexts, values.size() - first);
    std::string text;
    for (size_t i = first; i < first + count; ++i)
      text += values[i] + std::string(length - values[i].size(), ' ');
    const std::array<uint8_t, 2> sizes{static_cast<uint8_t>(length), static_cast<uint8_t>(count)};
    add(n == 1 ? name : fmt::format("{}{}", name, n), -1, sizes, std::as_bytes(std::span(text)));
  }
}

void C3dSection::none(std::string_view name, int bytesEach, std::vector<uint8_t> sizes) {
  sizes.push_back(0);
  add(name, bytesEach, sizes, {});
}

std::vector<std::byte> C3dSection::finish(std::string_view dataStart) {
  putByte(0);  // no further group
  const size_t blocks = (bytes_.size() + kC3dBlock - 1) / kC3dBlock;
  if (blocks > kMostBlocks)
    throw Error("the names of the markers need {} blocks of parameters, and a C3D file has 255",
                blocks);
  bytes_.resize(blocks * kC3dBlock);
  bytes_[2] = static_cast<std::byte>(blocks);
  const size_t start = 2 + blocks, at = valuesAt_.find(dataStart)->second;
  bytes_[at] = static_cast<std::byte>(start & 0xff);
  bytes_[at + 1] = static_cast<std::byte>(start >> 8);
  return bytes_;
}

}  // namespace glint::output
