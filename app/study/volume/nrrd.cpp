// Reads and writes NRRD, as https://teem.sourceforge.net/nrrd/format.html describes it.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/base/text.h"
#include "app/study/volume/header_fields.h"
#include "config/lower_case.h"

namespace glint::study::volume {
namespace {

const std::map<std::string, VoxelType> kNrrdTypes{{"signed char", VoxelType::i8},
                                                  {"int8", VoxelType::i8},
                                                  {"int8_t", VoxelType::i8},
                                                  {"uchar", VoxelType::u8},
                                                  {"unsigned char", VoxelType::u8},
                                                  {"uint8", VoxelType::u8},
                                                  {"uint8_t", VoxelType::u8},
                                                  {"short", VoxelType::i16},
                                                  {"short int", VoxelType::i16},
                                                  {"signed short", VoxelType::i16},
                                                  {"signed short int", VoxelType::i16},
                                                  {"int16", VoxelType::i16},
                                                  {"int16_t", VoxelType::i16},
                                                  {"ushort", VoxelType::u16},
                                                  {"unsigned short", VoxelType::u16},
                                                  {"unsigned short int", VoxelType::u16},
                                                  {"uint16", VoxelType::u16},
                                                  {"uint16_t", VoxelType::u16},
                                                  {"int", VoxelType::i32},
                                                  {"signed int", VoxelType::i32},
                                                  {"int32", VoxelType::i32},
                                                  {"int32_t", VoxelType::i32},
                                                  {"uint", VoxelType::u32},
                                                  {"unsigned int", VoxelType::u32},
                                                  {"uint32", VoxelType::u32},
                                                  {"uint32_t", VoxelType::u32},
                                                  {"float", VoxelType::f32},
                                                  {"double", VoxelType::f64}};

// Fields that do not change the meaning of the voxels, and are ignored.
const std::set<std::string> kHarmless{
    "content", "number",    "sample units", "sampleunits", "min",     "max",        "old min",
    "oldmin",  "old max",   "oldmax",       "thicknesses", "centers", "centerings", "labels",
    "units",   "axis mins", "axismins",     "axis maxs",   "axismaxs"};

// Fields that state the placement of the volume. They are written into new files without change.
const std::set<std::string> kNrrdPlacement{"space",       "space dimension",  "space origin",
                                           "space units", "space directions", "measurement frame",
                                           "units"};

const std::set<std::string> kSpatialKinds{"domain", "space", "???", "none"};

Header readNrrdHeader(const std::string& path, const Bytes& file) {
  Header header;
  const auto magic = nextLine(file, header.end);
  if (!magic || !magic->starts_with("NRRD000")) fail(path, "is not an NRRD file");
  while (const auto line = nextLine(file, header.end)) {
    if (line->empty()) return header;
    const size_t colon = line->find(':');
    if (line->starts_with('#') || line->find(":=") == colon) {
      if (colon == std::string::npos && !line->starts_with('#'))
        fail(path, "has an invalid header line: '{}'", *line);
      continue;  // Comments and key/value pairs of other programs are ignored.
    }
    if (colon == std::string::npos) fail(path, "has an invalid header line: '{}'", *line);
    std::string name = lowerCase(trimmed(line->substr(0, colon)));
    if (kNrrdPlacement.contains(name)) header.placement.push_back(*line);
    if (!header.fields.try_emplace(name, trimmed(line->substr(colon + 1))).second)
      fail(path, "says '{}' twice", name);
  }
  return header;
}

std::vector<std::vector<double>> readVectors(const std::string& path, const std::string& text) {
  std::vector<std::vector<double>> vectors;
  for (size_t at = text.find('('); at != std::string::npos; at = text.find('(', at + 1)) {
    std::string inner = text.substr(at + 1, text.find(')', at) - at - 1);
    std::ranges::replace(inner, ',', ' ');
    vectors.emplace_back();
    for (const auto& word : splitWords(inner)) {
      const auto value = base::parseNumber<double>(word);
      if (!value) fail(path, "has invalid space directions: {}", text);
      vectors.back().push_back(*value);
    }
  }
  return vectors;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) sum += a[i] * b[i];
  return sum;
}

void takeDirections(const std::string& path, const std::string& text, VolumeData& volume) {
  const auto vectors = readVectors(path, text);
  if (vectors.size() != volume.axes)
    fail(path, "has space directions for {} of its {} axes", vectors.size(), volume.axes);
  for (size_t i = 0; i < vectors.size(); ++i) {
    volume.spacing[i] = std::sqrt(dot(vectors[i], vectors[i]));
    for (size_t j = 0; j < i; ++j) {
      if (std::abs(dot(vectors[i], vectors[j])) > 1e-4 * volume.spacing[i] * volume.spacing[j])
        fail(path, "has axes that are not at right angles, so its voxels are not boxes");
    }
  }
}

void takeNrrdAxes(const std::string& path, HeaderFields& fields, VolumeData& volume) {
  const std::string dimension = fields.need("dimension");
  takeSizes(path, dimension, fields.need("sizes"), volume);
  if (const auto kinds = fields.take({"kinds"})) {
    for (const auto& kind : splitWords(lowerCase(*kinds))) {
      if (!kSpatialKinds.contains(kind))
        fail(path, "has an axis of kind '{}'; all must be axes of space", kind);
    }
  }
  if (const auto spacings = fields.take({"spacings"})) takeSpacings(path, *spacings, volume);
  if (const auto vectors = fields.take({"space directions"}))
    takeDirections(path, *vectors, volume);
}

/// Skips the lines in front of the first voxel that the header asks for. Returns the bytes after
/// them, which may still be packed.
std::span<const std::byte> skip(const std::string& path, std::span<const std::byte> bytes,
                                HeaderFields& fields) {
  if (const auto lines = fields.take({"line skip", "lineskip"})) {
    const auto count = base::parseNumber<uint64_t>(*lines);
    if (!count) fail(path, "has an invalid line skip: '{}'", *lines);
    size_t at = 0;
    for (uint64_t i = 0; i < *count; ++i) {
      if (!nextLine(bytes, at)) fail(path, "has fewer lines than it says are to be skipped");
    }
    bytes = bytes.subspan(std::min(at, bytes.size()));
  }
  return bytes;
}

void takeData(const std::string& path, std::span<const std::byte> bytes, HeaderFields& fields,
              VolumeData& volume) {
  const std::string encoding = lowerCase(fields.need("encoding"));
  const bool packed = encoding == "gzip" || encoding == "gz";
  if (!packed && encoding != "raw")
    fail(path, "has voxels encoded as '{}'; raw and gzip can be read", encoding);
  const auto endian = fields.take({"endian"});
  if (!endian && bytesOf(volume.type) > 1) fail(path, "does not say the order of its bytes");
  if (endian && *endian != "little" && *endian != "big")
    fail(path, "has an unknown byte order: '{}'", *endian);
  const std::string byteSkip = fields.take({"byte skip", "byteskip"}).value_or("0");
  const bool bigEndian = endian == "big";
  const size_t size = volume.shape.voxels() * bytesOf(volume.type);
  bytes = skip(path, bytes, fields);
  if (!packed)
    return takeVoxels(path, skipBytes(path, bytes, byteSkip, size, "byte skip"), bigEndian, volume);
  // With packed voxels, byte skip counts unpacked bytes.
  const auto count = base::parseNumber<uint64_t>(byteSkip);
  if (!count || *count > size_t{1} << 30)
    fail(path, "has a byte skip of '{}' before packed voxels", byteSkip);
  const Bytes unpacked = inflate(path, bytes, size + *count);
  takeVoxels(path, std::span(unpacked).subspan(*count), bigEndian, volume);
}

const char* nrrdTypeName(VoxelType type) {
  constexpr std::array kNames{"uint8",  "uint8", "int8",  "uint16", "int16",
                              "uint32", "int32", "float", "double"};
  return kNames[static_cast<size_t>(type)];
}

}  // namespace

std::optional<std::filesystem::path> nrrdDataFile(const std::string& path) {
  const Bytes file = readWhole(path);
  const Header header = readNrrdHeader(path, file);
  for (const char* name : {"data file", "datafile"}) {
    const auto found = header.fields.find(name);
    if (found != header.fields.end()) return besides(path, found->second);
  }
  return std::nullopt;
}

VolumeData readNrrd(const std::string& path) {
  const Bytes file = readWhole(path);
  Header header = readNrrdHeader(path, file);
  HeaderFields fields(path, std::move(header.fields));
  VolumeData volume;
  volume.placement = std::move(header.placement);
  const std::string type = lowerCase(fields.need("type"));
  if (!kNrrdTypes.contains(type)) fail(path, "has voxels of type '{}', which cannot be read", type);
  volume.type = kNrrdTypes.at(type);
  takeNrrdAxes(path, fields, volume);
  const auto dataFile = fields.take({"data file", "datafile"});
  if (dataFile && (dataFile->starts_with("LIST") || dataFile->find('%') != std::string::npos))
    fail(path, "has its voxels in several files; join them first");
  const std::string place = dataFile ? besides(path, *dataFile).string() : path;
  const Bytes apart = dataFile ? readWhole(place) : Bytes();
  takeData(place,
           dataFile ? std::span(apart) : std::span(file).subspan(std::min(header.end, file.size())),
           fields, volume);
  for (const auto& [name, value] : fields.rest()) {
    if (!kHarmless.contains(name) && !kNrrdPlacement.contains(name))
      fail(path, "has a header field that is not understood: '{}'", name);
  }
  return volume;
}

Bytes toNrrd(const VolumeData& volume) {
  const auto [sizes, spacings] = sizesAndSpacings(volume);
  std::string kinds;
  for (uint32_t i = 0; i < volume.axes; ++i) kinds += " domain";
  std::string header = fmt::format("NRRD0004\ntype: {}\ndimension: {}\nsizes:{}\n",
                                   nrrdTypeName(volume.type), volume.axes, sizes);
  bool directions = false;
  for (const std::string& line : volume.placement) {
    header += line + '\n';
    directions |= lowerCase(line).starts_with("space directions");
  }
  if (!directions) header += fmt::format("spacings:{}\n", spacings);
  header += fmt::format("kinds:{}\nendian: little\nencoding: gzip\n\n", kinds);
  const auto text = std::as_bytes(std::span(header));
  Bytes file(text.begin(), text.end());
  const Bytes packed = deflate(volume.bytes, true);
  file.insert(file.end(), packed.begin(), packed.end());
  return file;
}

}  // namespace glint::study::volume
