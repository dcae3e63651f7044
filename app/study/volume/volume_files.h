// Reads and writes files of volumes as a whole.
#pragma once

#include <optional>
#include <string>

#include "app/study/volume/voxels.h"

namespace glint::study {

/// The content of a file without a header.
struct RawLayout {
  gpu::VolumeShape shape;
  VoxelType type = VoxelType::u8;
};

/// Reads .npy, .tif, .nrrd, .nhdr, .mha, .mhd, an image of one plane, a folder of images (in the
/// order of their names; numbers in names are compared by value), or, with `raw`, a file without a
/// header. Throws Error with the name of the file and what is wrong with it. Throws UsageError for
/// a file without a header if `raw` is missing.
VolumeData readVolume(const std::string& path, const std::optional<RawLayout>& raw = std::nullopt);

/// Throws UsageError if `path` has no suffix that writeVolume() knows, or one whose format has no
/// voxels of this type.
void checkVolumeName(const std::string& path, VoxelType type);

/// Writes a volume in the format of the suffix: .npy, .tif, .nrrd (gzip), .mha (compressed), .mhd
/// with a .zraw file beside it, .raw, or .png (one plane, 8 or 16 bits). Without a suffix, writes a
/// folder of images: PNG, or TIFF for types that PNG does not have. A file appears whole or not at
/// all. Throws Error with the name of the file.
void writeVolume(const std::string& path, const VolumeData& volume);

/// Returns the paths of further files that writeVolume() writes for `path`.
std::vector<std::string> filesBeside(const std::string& path);

/// Returns the paths of files that readVolume() reads besides `path`: the voxels of a detached
/// header, the images of a folder.
std::vector<std::string> filesReadBeside(const std::string& path);

}  // namespace glint::study
