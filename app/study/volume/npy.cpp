// Reads and writes NumPy's .npy, as numpy.lib.format describes it.
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "app/base/text.h"
#include "app/study/volume/formats.h"

namespace glint::study::volume {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

constexpr std::array<std::pair<std::string_view, VoxelType>, 9> kDescriptions{{
    {"b1", VoxelType::boolean},
    {"u1", VoxelType::u8},
    {"i1", VoxelType::i8},
    {"u2", VoxelType::u16},
    {"i2", VoxelType::i16},
    {"u4", VoxelType::u32},
    {"i4", VoxelType::i32},
    {"f4", VoxelType::f32},
    {"f8", VoxelType::f64},
}};

/// Returns the text that follows 'KEY': in the dictionary of the header.
std::string valueOf(const std::string& path, const std::string& header, const std::string& key) {
  size_t at = header.find("'" + key + "'");
  if (at != std::string::npos) at = header.find(':', at);
  if (at == std::string::npos) fail(path, "has no '{}' in its header", key);
  at = header.find_first_not_of(' ', at + 1);
  if (at == std::string::npos) fail(path, "has a header that ends too early");
  const char close = header[at] == '(' ? ')' : header[at] == '\'' ? '\'' : ',';
  const size_t end = header.find(close, at + 1);
  if (end == std::string::npos) fail(path, "has a header that ends too early");
  return header.substr(at, end - at + (close == ',' ? 0 : 1));
}

struct Description {
  VoxelType type;
  bool bigEndian;
};

Description describeType(const std::string& path, const std::string& value) {
  const std::string name = value.size() > 2 ? value.substr(1, value.size() - 2) : value;
  for (const auto& [known, type] : kDescriptions) {
    if (value.starts_with('\'') && name.size() == 3 && name.substr(1) == known &&
        std::string_view("<>|=").find(name[0]) != std::string_view::npos)
      return {type, name[0] == '>'};
  }
  fail(path,
       "has elements of {}; bool, integers of 8 to 32 bits and floats of 32 and 64 bits "
       "can be read",
       value);
}

std::vector<uint64_t> sidesOf(const std::string& path, const std::string& value) {
  std::vector<uint64_t> sides;
  std::string list = value.substr(1, value.size() - 2);
  for (char& c : list) {
    if (c == ',') c = ' ';
  }
  for (const std::string& word : splitWords(list)) {
    const auto side = base::parseNumber<uint64_t>(word);
    if (!side) fail(path, "has an invalid shape: {}", value);
    sides.push_back(*side);
  }
  if (sides.empty()) fail(path, "holds a single number, not a volume");
  return {sides.rbegin(), sides.rend()};  // NumPy's last axis is x.
}

/// Changes the order of the voxels from Fortran order, in which x is slowest, to raster order.
void transpose(VolumeData& volume) {
  const gpu::VolumeShape& s = volume.shape;
  const size_t each = bytesOf(volume.type);
  const Bytes from = std::move(volume.bytes);
  volume.bytes = Bytes(from.size());
  size_t to = 0;
  for (size_t z = 0; z < s.depth; ++z) {
    for (size_t y = 0; y < s.height; ++y) {
      for (size_t x = 0; x < s.width; ++x, ++to)
        std::memcpy(&volume.bytes[to * each], &from[((x * s.height + y) * s.depth + z) * each],
                    each);
    }
  }
}

}  // namespace

VolumeData readNpy(const std::string& path) {
  const Bytes file = readWhole(path);
  if (file.size() < 12 || std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0)
    fail(path, "is not a NumPy array");
  const auto byte = [&](size_t i) { return std::to_integer<size_t>(file[i]); };
  const bool wide = byte(6) >= 2;
  if (byte(6) < 1 || byte(6) > 3) fail(path, "has an unknown version of .npy");
  const size_t length = byte(8) | byte(9) << 8 | (wide ? byte(10) << 16 | byte(11) << 24 : 0);
  const size_t from = wide ? 12 : 10;
  if (from + length > file.size()) fail(path, "ends within its header");
  const std::string header(reinterpret_cast<const char*>(file.data()) + from, length);
  const auto [type, bigEndian] = describeType(path, valueOf(path, header, "descr"));
  const auto sides = sidesOf(path, valueOf(path, header, "shape"));
  const std::string fortran = trimmed(valueOf(path, header, "fortran_order"));
  if (fortran != "True" && fortran != "False")
    fail(path, "has a 'fortran_order' that is neither True nor False");
  VolumeData volume;
  volume.shape = makeShape(path, sides);
  volume.type = type;
  volume.axes = static_cast<uint32_t>(sides.size());
  takeVoxels(path, std::span(file).subspan(from + length), bigEndian, volume);
  if (fortran == "True") transpose(volume);
  return volume;
}

Bytes toNpy(const VolumeData& volume) {
  const gpu::VolumeShape& s = volume.shape;
  std::string shape = fmt::format("{}, {}, {}", s.depth, s.height, s.width);
  if (volume.axes == 2) shape = fmt::format("{}, {}", s.height, s.width);
  if (volume.axes == 1) shape = fmt::format("{},", s.width);
  std::string_view name;
  for (const auto& [known, type] : kDescriptions) {
    if (type == volume.type) name = known;
  }
  std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                   bytesOf(volume.type) == 1 ? '|' : '<', name, shape);
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 11, ' ');
  header += '\n';
  std::string start(kMagic);
  start += '\x01';
  start += '\0';
  start += static_cast<char>(header.size() & 0xff);
  start += static_cast<char>(header.size() >> 8);
  start += header;
  const auto bytes = std::as_bytes(std::span(start));
  Bytes file(bytes.begin(), bytes.end());
  file.insert(file.end(), volume.bytes.begin(), volume.bytes.end());
  return file;
}

}  // namespace glint::study::volume
