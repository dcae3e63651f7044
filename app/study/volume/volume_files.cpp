#include "app/study/volume/volume_files.h"

#include <algorithm>

#include "app/base/whole_file.h"
#include "app/study/volume/formats.h"

namespace glint::study {
namespace {

namespace fs = std::filesystem;
using namespace volume;

constexpr std::array<std::string_view, 6> kImages{".png", ".pgm", ".pnm", ".bmp", ".jpg", ".jpeg"};

bool isFolder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

VolumeData readRaw(const std::string& path, const RawLayout& raw) {
  const Bytes file = readWhole(path);
  VolumeData volume;
  volume.shape = raw.shape;
  volume.type = raw.type;
  const size_t bytes = raw.shape.voxels() * bytesOf(raw.type);
  if (file.size() != bytes)
    fail(path, "holds {} bytes, but {} voxels of {} need {}", file.size(), gpu::describe(raw.shape),
         nameOf(raw.type), bytes);
  takeVoxels(path, file, false, volume);
  return volume;
}

VolumeData readByName(const std::string& path) {
  const std::string suffix = suffixOf(path);
  if (isFolder(path)) return readFolder(path);
  if (suffix == ".npy") return readNpy(path);
  if (suffix == ".tif" || suffix == ".tiff") return readTiff(path);
  if (suffix == ".nrrd" || suffix == ".nhdr") return readNrrd(path);
  if (suffix == ".mha" || suffix == ".mhd") return readMetaImage(path);
  if (std::ranges::find(kImages, suffix) != kImages.end()) return readImage(path);
  std::error_code error;
  if (!fs::exists(path, error)) fail(path, "does not exist");
  throw UsageError(
      "'{}' does not end in the suffix of a known format; for a headerless file give "
      "--shape and --type",
      path);
}

std::string rawBeside(const std::string& path) {
  return fs::path(path).replace_extension(".zraw").string();
}

void writeMeta(const std::string& path, const VolumeData& volume, bool apart) {
  const Bytes packed = deflate(volume.bytes, false);
  const std::string beside = rawBeside(path);
  Bytes file =
      toMetaHeader(volume, apart ? fs::path(beside).filename().string() : "LOCAL", packed.size());
  if (apart) {
    base::writeWholeFile(beside, packed);
  } else {
    file.insert(file.end(), packed.begin(), packed.end());
  }
  base::writeWholeFile(path, file);
}

}  // namespace

VolumeData readVolume(const std::string& path, const std::optional<RawLayout>& raw) {
  return raw ? readRaw(path, *raw) : readByName(path);
}

void checkVolumeName(const std::string& path, VoxelType type) {
  const std::string suffix = suffixOf(path);
  constexpr std::array<std::string_view, 8> kKnown{"",      ".npy", ".tif", ".tiff",
                                                   ".nrrd", ".mha", ".mhd", ".raw"};
  if (suffix == ".png") {
    if (type == VoxelType::u8 || type == VoxelType::u16) return;
    throw UsageError("'{}': PNG holds integers of 16 bits; write --as scaled, or another format",
                     path);
  }
  if (std::ranges::find(kKnown, suffix) == kKnown.end())
    throw UsageError(
        "the volume '{}' needs another name; use .npy, .tif, .nrrd, .mha, .mhd, .raw, "
        ".png or a folder",
        path);
}

void writeVolume(const std::string& path, const VolumeData& volume) {
  checkVolumeName(path, volume.type);
  const std::string suffix = suffixOf(path);
  if (suffix.empty()) return writeFolder(path, volume);
  if (suffix == ".mha" || suffix == ".mhd") return writeMeta(path, volume, suffix == ".mhd");
  if (suffix == ".npy") return base::writeWholeFile(path, toNpy(volume));
  if (suffix == ".nrrd") return base::writeWholeFile(path, toNrrd(volume));
  if (suffix == ".raw") return base::writeWholeFile(path, volume.bytes);
  if (suffix == ".tif" || suffix == ".tiff") return base::writeWholeFile(path, toTiff(volume));
  if (volume.shape.depth != 1) throw UsageError("'{}': PNG holds one plane; name a folder", path);
  base::writeWholeFile(path, toPng(volume));
}

std::vector<std::string> filesBeside(const std::string& path) {
  if (suffixOf(path) == ".mhd") return {rawBeside(path)};
  return {};
}

std::vector<std::string> filesReadBeside(const std::string& path) {
  const std::string suffix = suffixOf(path);
  std::optional<fs::path> file;
  if (isFolder(path)) return listImages(path);
  if (suffix == ".nrrd" || suffix == ".nhdr") file = nrrdDataFile(path);
  if (suffix == ".mha" || suffix == ".mhd") file = metaDataFile(path);
  if (!file) return {};
  return {file->string()};
}

}  // namespace glint::study
