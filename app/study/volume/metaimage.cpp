// Reads and writes MetaImage (.mha, .mhd), as the documentation of ITK's MetaIO describes it.
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "app/study/volume/header_fields.h"
#include "config/lower_case.h"

namespace glint::study::volume {
namespace {

const std::map<std::string, VoxelType> kTypes{
    {"MET_CHAR", VoxelType::i8},    {"MET_UCHAR", VoxelType::u8},  {"MET_SHORT", VoxelType::i16},
    {"MET_USHORT", VoxelType::u16}, {"MET_INT", VoxelType::i32},   {"MET_UINT", VoxelType::u32},
    {"MET_FLOAT", VoxelType::f32},  {"MET_DOUBLE", VoxelType::f64}};

// Fields that state the placement of the volume. They are written into new files without change.
const std::set<std::string> kPlacement{
    "Offset",       "Position",    "Origin",           "TransformMatrix",
    "Rotation",     "Orientation", "CenterOfRotation", "AnatomicalOrientation",
    "DistanceUnits"};

Header readHeader(const std::string& path, const Bytes& file) {
  Header header;
  while (const auto line = nextLine(file, header.end)) {
    if (trimmed(*line).empty()) continue;
    const size_t equals = line->find('=');
    if (equals == std::string::npos || equals > 200)
      fail(path, "is not a MetaImage: a line of its header has no '='");
    const std::string name = trimmed(line->substr(0, equals));
    if (kPlacement.contains(name)) header.placement.push_back(*line);
    header.fields[name] = trimmed(line->substr(equals + 1));
    if (name == "ElementDataFile") return header;
  }
  fail(path, "is not a MetaImage: its header names no ElementDataFile");
}

// Removes a field with one of these names, and returns its value; `otherwise` if there is none.
bool takeBool(const std::string& path, HeaderFields& fields,
              std::initializer_list<const char*> names, bool otherwise) {
  const auto value = fields.take(names);
  if (!value) return otherwise;
  const std::string text = lowerCase(*value);
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  fail(path, "says '{}' where only True or False is allowed", *value);
}

void takeAxes(const std::string& path, HeaderFields& fields, VolumeData& volume) {
  const std::string dimensions = fields.need("NDims");
  takeSizes(path, dimensions, fields.need("DimSize"), volume);
  if (const auto spacing = fields.take({"ElementSize", "ElementSpacing"}))
    takeSpacings(path, *spacing, volume);
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
  HeaderFields fields(path, std::move(header.fields));
  VolumeData volume;
  volume.placement = std::move(header.placement);
  if (fields.take({"ObjectType"}).value_or("Image") != "Image") fail(path, "is not an image");
  if (fields.take({"ElementNumberOfChannels"}).value_or("1") != "1")
    fail(path, "has several channels; a volume has one");
  if (!takeBool(path, fields, {"BinaryData"}, true))
    fail(path, "has its voxels as text; only binary ones can be read");
  const std::string type = fields.need("ElementType");
  if (!kTypes.contains(type)) fail(path, "has voxels of type '{}', which cannot be read", type);
  volume.type = kTypes.at(type);
  takeAxes(path, fields, volume);
  const bool bigEndian =
      takeBool(path, fields, {"BinaryDataByteOrderMSB", "ElementByteOrderMSB"}, false);
  const bool packed = takeBool(path, fields, {"CompressedData"}, false);
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
    const Bytes unpacked =
        inflate(place, skipBytes(place, bytes, headerSize, size, "HeaderSize"), size);
    takeVoxels(place, unpacked, bigEndian, volume);
  } else {
    takeVoxels(place, skipBytes(place, bytes, headerSize, size, "HeaderSize"), bigEndian, volume);
  }
  std::string others;
  for (const auto& [name, value] : fields.rest())
    if (!kPlacement.contains(name)) others += (others.empty() ? "" : ", ") + name;
  if (!others.empty())
    volume.notes.push_back(fmt::format("'{}': header fields that are not used: {}", path, others));
  return volume;
}

Bytes toMetaHeader(const VolumeData& volume, const std::string& dataFile, size_t compressedBytes) {
  const auto [sizes, spacings] = sizesAndSpacings(volume);
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

}  // namespace glint::study::volume
