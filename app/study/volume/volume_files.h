// Files of volumes, read and written whole.
#pragma once

#include <optional>
#include <string>

#include "app/study/volume/voxels.h"

namespace glint::study {

/// What a headerless file holds.
struct RawLayout {
  gpu::VolumeShape shape;
  VoxelType type = VoxelType::u8;
};

/// Reads .npy, .tif, .nrrd, .nhdr, .mha, .mhd, an image of one plane, a folder of images (in the
/// order of their names, numbers in them by value), or, with `raw`, a headerless file. Throws Error
/// naming the file and what is wrong with it; UsageError for a file without header where `raw` is
/// missing.
VolumeData readVolume(const std::string& path, const std::optional<RawLayout>& raw = std::nullopt);

/// Throws UsageError if `path` has no suffix that writeVolume() knows, or one whose format has no
/// voxels of this type.
void checkVolumeName(const std::string& path, VoxelType type);

/// Writes in the format of the suffix: .npy, .tif, .nrrd (gzip), .mha (compressed), .mhd with .zraw
/// beside it, .raw, .png (one plane, 8 or 16 bits), or without a suffix a folder of images, PNG or,
/// of other types, TIFF. Files appear whole or not at all. Throws Error naming the file.
void writeVolume(const std::string& path, const VolumeData& volume);

/// Further files that writeVolume() makes for `path`.
std::vector<std::string> filesBeside(const std::string& path);

/// Files that readVolume() reads beside `path`: the voxels of a detached header, the images of a
/// folder.
std::vector<std::string> filesReadBeside(const std::string& path);

}  // namespace glint::study
