// A volume in memory, and the types of voxels that files hold.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/error.h"
#include "gpu/volume/volume.h"

namespace glint::study {

static_assert(std::endian::native == std::endian::little,
              "voxels are kept as the machine has them");

enum class VoxelType { boolean, u8, i8, u16, i16, u32, i32, f32, f64 };

inline constexpr std::array kVoxelTypes{VoxelType::boolean, VoxelType::u8,  VoxelType::i8,
                                        VoxelType::u16,     VoxelType::i16, VoxelType::u32,
                                        VoxelType::i32,     VoxelType::f32, VoxelType::f64};

/// Returns the size of a voxel in bytes.
constexpr size_t bytesOf(VoxelType type) {
  constexpr std::array<size_t, 9> kBytes{1, 1, 1, 2, 2, 4, 4, 4, 8};
  return kBytes[static_cast<size_t>(type)];
}

constexpr const char* nameOf(VoxelType type) {
  constexpr std::array kNames{"bool", "u8", "i8", "u16", "i16", "u32", "i32", "f32", "f64"};
  return kNames[static_cast<size_t>(type)];
}

/// A volume: voxels in raster order, with x fastest and without padding, and where they lie.
struct VolumeData {
  gpu::VolumeShape shape;
  VoxelType type = VoxelType::u8;
  std::vector<std::byte> bytes;
  /// The distance between voxels along x, y and z, in the unit of the file.
  std::array<double, 3> spacing{1, 1, 1};
  uint32_t axes = 3;  ///< The number of axes in the file: 2 for a plane, whose depth is 1.
  /// Lines of a NRRD or MetaImage header that state the placement of the volume. toNrrd() and
  /// toMetaHeader() write them without change.
  std::vector<std::string> placement;
  std::vector<std::string> notes;  ///< Sentences that users should read.

  /// Returns the voxels as values of type T, whose size must be that of `type`.
  template <class T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

/// Calls `work` with the voxels as a span of their own type, and returns its result. Booleans are
/// passed as uint8_t.
template <class Work>
decltype(auto) withVoxels(const VolumeData& volume, const Work& work) {
  switch (volume.type) {
    case VoxelType::i8:
      return work(volume.as<int8_t>());
    case VoxelType::u16:
      return work(volume.as<uint16_t>());
    case VoxelType::i16:
      return work(volume.as<int16_t>());
    case VoxelType::u32:
      return work(volume.as<uint32_t>());
    case VoxelType::i32:
      return work(volume.as<int32_t>());
    case VoxelType::f32:
      return work(volume.as<float>());
    case VoxelType::f64:
      return work(volume.as<double>());
    case VoxelType::boolean:
    case VoxelType::u8:
      break;
  }
  return work(volume.as<uint8_t>());
}

}  // namespace glint::study
