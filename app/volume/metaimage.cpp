// MetaImage (.mha, .mhd), as ITK's MetaIO documents it.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/volume/formats.h"

namespace glint::volume {
namespace {

const std::map<std::string, VoxelType> kTypes{
    {"MET_CHAR", VoxelType::i8},    {"MET_UCHAR", VoxelType::u8},  {"MET_SHORT", VoxelType::i16},
    {"MET_USHORT", VoxelType::u16}, {"MET_INT", VoxelType::i32},   {"MET_UINT", VoxelType::u32},
    {"MET_FLOAT", VoxelType::f32},  {"MET_DOUBLE", VoxelType::f64}};

// Say where the volume lies; written on.
const std::set<std::string> kPlacement{
    "Offset",       "Position",    "Origin",           "TransformMatrix",
    "Rotation",     "Orientation", "CenterOfRotation", "AnatomicalOrientation",
    "DistanceUnits"};

struct Header {
  std::map<std::string, std::string> fields;
  std::vector<std::string> placement;
  std::vector<std::string> order;
  size_t end = 0;  // where attached voxels begin
};

Header readHeader(const std::string& path, const Bytes& file) {
  Header header;
  while (const auto line = nextLine(file, header.end)) {
    if (trimmed(*line).empty()) continue;
    const size_t equals = line->find('=');
    if (equals == std::string::npos || equals > 200)
      fail(path, "is no MetaImage: a line of its header has no '='");
    const std::string name = trimmed(line->substr(0, equals));
    if (kPlacement.contains(name)) header.placement.push_back(*line);
    header.fields[name] = trimmed(line->substr(equals + 1));
    if (name == "ElementDataFile") return header;
  }
  fail(path, "is no MetaImage: its header names no ElementDataFile");
}

class Fields {
 public:
  Fields(const std::string& path, std::map<std::string, std::string> fields)
      : path_(path), fields_(std::move(fields)) {}

  std::optional<std::string> take(std::initializer_list<const char*> names) {
    std::optional<std::string> value;
    for (const char* name : names) {
      const auto found = fields_.extract(name);
      if (!found.empty()) value = found.mapped();
    }
    return value;
  }

  std::string need(const char* name) {
    const auto value = take({name});
    if (!value) fail(path_, fmt::format("has no '{}' in its header", name));
    return *value;
  }

  bool takeBool(std::initializer_list<const char*> names, bool otherwise) {
    const auto value = take(names);
    if (!value) return otherwise;
    const std::string text = lower(*value);
    if (text == "true" || text == "1") return true;
    if (text == "false" || text == "0") return false;
    fail(path_, fmt::format("says '{}' where only True or False is allowed", *value));
  }

  std::vector<std::string> others() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : fields_) {
      if (!kPlacement.contains(name)) names.push_back(name);
    }
    return names;
  }

 private:
  const std::string& path_;
  std::map<std::string, std::string> fields_;
};

void takeAxes(const std::string& path, Fields& fields, VolumeData& volume) {
  const auto dimensions = toCount(fields.need("NDims"));
  std::vector<uint64_t> sides;
  for (const auto& word : splitWords(fields.need("DimSize"))) {
    const auto side = toCount(word);
    if (!side) fail(path, fmt::format("has a size of '{}'", word));
    sides.push_back(*side);
  }
  if (dimensions != sides.size()) fail(path, "has more or fewer sizes than dimensions");
  volume.shape = makeShape(path, sides);
  volume.axes = static_cast<uint32_t>(sides.size());
  const auto size = fields.take({"ElementSize"});
  auto spacing = fields.take({"ElementSpacing"});
  if (!spacing) spacing = size;
  if (!spacing) return;
  const auto words = splitWords(*spacing);
  if (words.size() != volume.axes)
    fail(path, fmt::format("has {} spacings for {} axes", words.size(), volume.axes));
  for (size_t i = 0; i < words.size(); ++i) {
    const auto value = toNumber(words[i]);
    if (!value || *value == 0) fail(path, fmt::format("has a spacing of '{}'", words[i]));
    volume.spacing[i] = std::abs(*value);
  }
}

std::filesystem::path besides(const std::string& path, const std::string& name) {
  return std::filesystem::path(path).parent_path() / name;
}

std::span<const std::byte> skip(const std::string& path, std::span<const std::byte> bytes,
                                const std::string& headerSize, size_t voxelBytes) {
  if (headerSize == "-1") {
    if (bytes.size() < voxelBytes) return bytes;
    return bytes.last(voxelBytes);
  }
  const auto count = toCount(headerSize);
  if (!count) fail(path, fmt::format("has a HeaderSize of '{}'", headerSize));
  if (*count > bytes.size()) fail(path, "has fewer bytes than its HeaderSize");
  return bytes.subspan(*count);
}

const char* typeName(VoxelType type) {
  for (const auto& [name, known] : kTypes) {
    if (known == type) return name.c_str();
  }
  return "MET_UCHAR";
}

}  // namespace

std::optional<std::filesystem::path> metaDataFile(const std::string& path) {
  const Bytes file = readWhole(path);
  const std::string name = readHeader(path, file).fields.at("ElementDataFile");
  if (name == "LOCAL" || name == "Local" || name == "local") return std::nullopt;
  return besides(path, name);
}

VolumeData readMetaImage(const std::string& path) {
  const Bytes file = readWhole(path);
  Header header = readHeader(path, file);
  Fields fields(path, std::move(header.fields));
  VolumeData volume;
  volume.placement = std::move(header.placement);
  if (fields.take({"ObjectType"}).value_or("Image") != "Image") fail(path, "is no image");
  if (fields.take({"ElementNumberOfChannels"}).value_or("1") != "1")
    fail(path, "has several channels; a volume has one");
  if (!fields.takeBool({"BinaryData"}, true))
    fail(path, "has its voxels as text; only binary ones can be read");
  const std::string type = fields.need("ElementType");
  if (!kTypes.contains(type))
    fail(path, fmt::format("has voxels of type '{}', which cannot be read", type));
  volume.type = kTypes.at(type);
  takeAxes(path, fields, volume);
  const bool bigEndian = fields.takeBool({"BinaryDataByteOrderMSB", "ElementByteOrderMSB"}, false);
  const bool packed = fields.takeBool({"CompressedData"}, false);
  fields.take({"CompressedDataSize"});
  const std::string headerSize = fields.take({"HeaderSize"}).value_or("0");
  const std::string dataFile = fields.need("ElementDataFile");
  if (dataFile.starts_with("LIST") || dataFile.find('%') != std::string::npos)
    fail(path, "has its voxels in several files; join them first");
  const auto apart = metaDataFile(path);
  const std::string place = apart ? apart->string() : path;
  const Bytes other = apart ? readWhole(place) : Bytes();
  const size_t size = volume.shape.voxels() * bytesOf(volume.type);
  auto bytes = apart ? std::span<const std::byte>(other)
                     : std::span<const std::byte>(file).subspan(std::min(header.end, file.size()));
  if (packed) {
    if (headerSize == "-1") fail(path, "has packed voxels and a HeaderSize of -1");
    const Bytes unpacked = inflate(place, skip(place, bytes, headerSize, size), size);
    takeVoxels(place, unpacked, bigEndian, volume);
  } else {
    takeVoxels(place, skip(place, bytes, headerSize, size), bigEndian, volume);
  }
  std::string others;
  for (const auto& name : fields.others()) others += (others.empty() ? "" : ", ") + name;
  if (!others.empty())
    volume.notes.push_back(fmt::format("'{}': header fields that are not used: {}", path, others));
  return volume;
}

Bytes toMetaHeader(const VolumeData& volume, const std::string& dataFile, size_t compressedBytes) {
  const VolumeShape& s = volume.shape;
  const std::array<uint32_t, 3> sides{s.width, s.height, s.depth};
  std::string sizes, spacings;
  for (uint32_t i = 0; i < volume.axes; ++i) {
    sizes += fmt::format(" {}", sides[i]);
    spacings += fmt::format(" {}", volume.spacing[i]);
  }
  std::string header = fmt::format(
      "ObjectType = Image\nNDims = {}\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
      "CompressedData = True\nCompressedDataSize = {}\n",
      volume.axes, compressedBytes);
  for (const std::string& line : volume.placement) header += line + '\n';
  header += fmt::format("ElementSpacing ={}\nDimSize ={}\nElementType = {}\nElementDataFile = {}\n",
                        spacings, sizes, typeName(volume.type), dataFile);
  const auto text = std::as_bytes(std::span(header));
  return {text.begin(), text.end()};
}

}  // namespace glint::volume
